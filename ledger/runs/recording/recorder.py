"""Records what happens in a run: calls and results, files, declarations, reviews (``runs.md``).

Example::

    with Recorder(run_dir, clock=clock) as recorder:
        recorder.call("c1", "bash", {"command": "javac LoggerMod.java"})
        recorder.result("c1", "ok", result={"text": "compiled"})
        recorder.artifact(Path("build/logger.jar"), "agent logger jar", cwd=Path.cwd())

A record is on the disk when its method returns. Several recorders, in several processes, may
append to one run at once. What would make the run invalid is refused, and nothing is changed.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from canon.excerpt import excerpt
from ledger.errors import (
    AttestationEmpty,
    RecordField,
    ReviewInvalid,
    RunPath,
    RunWord,
)
from ledger.runs.entries import faults_of_derivation, faults_of_review
from ledger.runs.fields import text
from ledger.runs.json_text import text_of
from ledger.runs.layout import (
    ACTORS,
    CONTEXT_MARK,
    EVIDENCE_SCHEMA,
    FIXED,
    PHASES,
    REVIEW_STATUSES,
    REVIEWS,
    SLOTS,
)
from ledger.runs.paths import EXPLAINED, fault_of
from ledger.runs.problems import shown
from ledger.runs.records import derived, reviewed

from .appender import Appender
from .changing import change, document_in, enter, listed
from .keeping import (
    copy_in,
    digest_of,
    folder_in,
    inside,
    relative,
    safe_name,
    shorten,
    source_name,
    sync_folder,
)
from .raw_files import copied_raw, known_raw, name_raw
from .sink import Sink

STATEMENTS = ("no_design_discussion", "no_standard_answer", "no_earlier_solution")
"""What is attested of a clean context, each by itself (RUN-84)."""


class Recorder(Appender):
    """Records what happens in one run.

    See :class:`.appender.Appender` for what it is made with, and for calls and results.
    """

    def artifact(
        self,
        source: Path,
        label: str,
        *,
        cwd: Path,
        phase: str = "agent",
        actor: str | None = "agent",
        at: str | None = None,
    ) -> Mapping[str, Any]:
        """Keep a copy of a file in the run, with its digest in run.json (RUN-80).

        Args:
            source: The file; it may change later, the copy does not.
            label: What it is.
            cwd: Where *source* starts; a path outside of it is kept as a name alone.
            phase: When it was made.
            actor: Who made it.
            at: When, by default now.
        """
        if text(label) is None:
            raise RecordField("label", shown(label), "what the file is")
        _one_of("phase", phase, PHASES)
        _one_of("actor", actor, (*ACTORS, None))
        with self.together() as undo:
            moment = self.checked_time(at)
            known = listed(self.run_dir, "artifacts")
            folder = folder_in(self.run_dir, "artifacts", undo)
            kept, made, size = _numbered(cwd / source, folder, len(known) + 1)
            undo.callback(kept.unlink, missing_ok=True)  # its number is to be free again
            entry = {
                "label": label,
                "source": source_name(source, cwd),
                "path": f"artifacts/{kept.name}",
                "sha256": made.hex(),
                "size": size,
                "phase": phase,
                "at": moment,
            }
            data = {name: entry[name] for name in ("label", "path", "sha256", "size")}

            def mark() -> None:
                self.mark("artifact", data, actor=actor, phase=phase, at=moment)

            enter(self.run_dir, "artifacts", entry, mark)
        return entry

    def import_file(
        self, source: Path, *, records: int, cwd: Path, at: str | None = None
    ) -> Mapping[str, Any]:
        """Keep the raw file that records were translated from, with its digest in run.json.

        The same bytes are kept once; their entry is returned then (RUN-83).
        """
        with self.together() as undo:
            made, _ = digest_of(cwd / source)
            known = known_raw(self.run_dir, made)
            if known is not None:
                return known
            moment = self.checked_time(at)
            copy = copied_raw(self.run_dir, cwd / source, undo)
            return name_raw(self.run_dir, copy, source=source, cwd=cwd, records=records, at=moment)

    def declare(
        self,
        slot: str,
        path: str,
        *,
        cwd: Path,
        normalized: str | None = None,
        note: str | None = None,
        actor: str = "operator",
    ) -> Mapping[str, Any]:
        """Declare a file of the run as the evidence of a slot, with its digest (RUN-81).

        An earlier declaration of the slot is replaced, and stays in the trajectory.
        """
        _one_of("slot", slot, (*SLOTS, "review"))
        _one_of("actor", actor, ACTORS)
        if normalized is not None and slot != "agent_logger":
            raise RunWord("--normalized", slot, "the slot agent_logger")
        with self.together():
            moment = self.checked_time()
            declared = self._pin(path, cwd)
            if normalized is not None:
                view = self._pin(normalized, cwd)
                declared |= {"normalized": view["path"], "normalized_sha256": view["sha256"]}
            if note is not None:
                declared["note"] = note
            data: dict[str, Any] = {"slot": slot, **declared}

            def edit(said: dict[str, Any]) -> None:
                if said.get(slot) is not None:
                    data["replaces"] = said[slot]
                said.setdefault("schema", EVIDENCE_SCHEMA)
                said[slot] = declared

            def mark() -> None:
                self.mark("declare", data, actor=actor, at=moment)

            change(self.run_dir, FIXED["evidence"], edit, mark)
        return declared

    def review(
        self,
        question: str,
        status: str,
        *,
        by: str | None = None,
        note: str | None = None,
        evidence: Sequence[str] = (),
        at: str | None = None,
    ) -> Mapping[str, Any]:
        """Record what a person decided about one question (RUN-82)."""
        _one_of("status", status, REVIEW_STATUSES)
        with self.together() as undo:
            moment = self.checked_time()
            if at is not None:
                self.check_not_ahead(at)
            made_at = moment if at is None else at
            said: dict[str, Any] = {"id": question, "status": status, "by": by, "at": made_at}
            said |= {"note": note or "", "evidence": list(evidence)}
            entry = reviewed(text_of(said).encode())
            for got, expected in faults_of_review(entry):
                raise ReviewInvalid("review", got, expected)
            name, declared = self._reviews()
            self._append_entry(name, said, undo)
            data = {name: said[name] for name in ("id", "status", "by", "seq")}

            def mark() -> None:
                # The review says when it was made; the mark, when it came into the run.
                self.mark("review", data, actor="reviewer", phase="audit", at=moment)

            if declared:
                self._declare_again(name, mark)
            else:
                mark()
        return said

    def attest(
        self,
        by: str,
        statements: Sequence[str],
        *,
        note: str | None = None,
        actor: str = "operator",
    ) -> Mapping[str, Any]:
        """Record that somebody vouches for the agent's clean context, statement by statement."""
        if text(by) is None:
            raise AttestationEmpty("by", shown(by), "a name")
        for one in statements:
            _one_of("statement", one, STATEMENTS)
        if not statements:
            raise AttestationEmpty("statements", "none", " or ".join(STATEMENTS))
        data: dict[str, Any] = {
            "by": by,
            "statements": [one for one in STATEMENTS if one in statements],
            "not_stated": [one for one in STATEMENTS if one not in statements],
        }
        if note is not None:
            data["note"] = note
        return self.mark(CONTEXT_MARK, data, actor=actor)

    def derive(
        self,
        output: str,
        inputs: Sequence[str],
        *,
        tool: str,
        producer: str,
        cwd: Path,
        note: str | None = None,
    ) -> Mapping[str, Any]:
        """Record that a file of the run was made from others of it (RUN-85)."""
        _one_of("producer", producer, ACTORS)
        with self.together() as undo:
            moment = self.checked_time()
            made, sources = self._pin(output, cwd), [self._pin(one, cwd) for one in inputs]
            said: dict[str, Any] = {"output": made, "inputs": sources, "tool": tool}
            said |= {"producer": producer, "at": moment}
            if note is not None:
                said["note"] = note
            for got, expected in faults_of_derivation(derived(text_of(said).encode())):
                raise RecordField("derivation", got, expected)
            name = FIXED["derivations"]
            self._append_entry(name, said, undo)
            data = {"output": made, "seq": said["seq"]}
            self.mark("derive", data, actor=producer, at=moment)
        return said

    def _pin(self, given: str, cwd: Path) -> dict[str, Any]:
        path = relative(self.run_dir, given, cwd)
        made, _ = digest_of(inside(self.run_dir, path))
        return {"path": path, "sha256": made.hex()}

    def _reviews(self) -> tuple[str, bool]:
        """Return where reviews stand, and whether evidence.json has their digest."""
        declared = document_in(self.run_dir, FIXED["evidence"]).get("review")
        if not isinstance(declared, dict) or not isinstance(declared.get("path"), str):
            return REVIEWS, False
        return declared["path"], declared.get("sha256") is not None

    def _declare_again(self, name: str, then: Callable[[], object]) -> None:
        made, _ = digest_of(inside(self.run_dir, name))

        def edit(said: dict[str, Any]) -> None:
            said["review"].update(sha256=made.hex())

        change(self.run_dir, FIXED["evidence"], edit, then)

    def _append_entry(self, name: str, said: dict[str, Any], undo: ExitStack) -> None:
        """Append an entry to a file of lines other than the trajectory, numbered like it."""
        fault = fault_of(name)
        if fault is not None:
            raise RunPath(excerpt(name), EXPLAINED[fault], "a file inside of the run")
        path = self.run_dir / name
        if not os.path.lexists(path):
            undo.callback(path.unlink, missing_ok=True)
            path.touch(exist_ok=False)
            sync_folder(path.parent)
        sink = Sink(inside(self.run_dir, name), name)
        try:
            with sink.locked():
                sink.starts_over()
                numbers = [reviewed(line).seq for line in sink.appended()]
                said["seq"] = max((one for one in numbers if one is not None), default=0) + 1
                undo.callback(shorten, path, sink.size())
                sink.append(text_of(said).encode() + b"\n")
        finally:
            sink.close()


def _numbered(source: Path, folder: Path, number: int) -> tuple[Path, bytes, int]:
    """Copy a file into a folder, under the first free number; return where, digest and size."""
    while True:
        kept = folder / f"{number:03d}-{safe_name(source.name)}"
        try:
            return (kept, *copy_in(source, kept))
        except FileExistsError:  # left by a recorder that died before run.json named it
            number += 1


def _one_of(name: str, value: Any, words: Sequence[str | None]) -> None:
    if value not in words:
        raise RunWord(name, shown(value), " or ".join(filter(None, words)))
