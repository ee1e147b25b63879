"""A session taken into a run: its file copied, its records appended, each once (PI-19 to PI-21)."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from canon.excerpt import excerpt
from ledger.errors import FileUnwritable, PiCallTwice, PiClock, RunWord
from ledger.runs.fields import digest
from ledger.runs.layout import ACTORS, FIXED, PHASES
from ledger.runs.recorder import Recorder
from ledger.runs.stored import (
    change,
    copy_in,
    digest_of,
    document_of,
    folder_in,
    safe_name,
    source_name,
    sync_folder,
)
from ledger.runs.times import Instant, instant

from .lines import Counted, lines
from .messages import Imported
from .report import Report
from .results import FULL_TEXTS, MAX_TEXT, Attachment
from .session import Session, read_session

_BATCH = 128
"""Records that are written at once; with texts cut they are a few megabytes."""

_IMPORTS = "imports"


class Added(Struct):
    """What an import of a session did.

    Attributes:
        path: The copy, as the run names it.
        same_file: Whether the run had this very file.
        added: Records that are new.
        known: Records that were there.
        gone: Records of this session that are there, and are no longer on its active branch.
        early: New records that are earlier than the last one that was there.
        report: What is in the session.
    """

    path: str
    same_file: bool
    added: int
    known: int
    gone: int
    early: int
    report: Report

    def document(self) -> dict[str, Any]:
        """Return all of it as a JSON value."""
        return {
            "path": self.path,
            "same_file": self.same_file,
            "added": self.added,
            "known": self.known,
            "gone": self.gone,
            "early": self.early,
            **self.report.document(),
        }


def add_session(
    run_dir: Path,
    source: Path,
    *,
    phase: str,
    clock: Callable[[], str],
    cwd: Path,
    actor: str = "agent",
    max_text: int = MAX_TEXT,
    progress: Callable[[int, int], None] | None = None,
) -> Added:
    """Import a session into a run.

    Args:
        run_dir: The run.
        source: The session. It may still grow; import it again when it has.
        phase: Phase of the run that the session belongs to.
        clock: Returns the present time, RFC 3339 in UTC.
        cwd: Where *source* starts.
        actor: Who made the calls.
        max_text: From how many characters on the text of a result is cut, at least 1.
        progress: Called with lines that are done, and all lines.

    Raises:
        RunMissing, RunUnreadable, RunLocked: There is no run, or it cannot be added to.
        RunWord: There is no such phase or actor.
        SourceMissing, SourceDirectory, SourceUnreadable: There is no such session.
        PiSessionInvalid, PiVersion: It is no session that is read.
        FileUnwritable: There is no room for its copy.
    """
    for name, word, words in (("phase", phase, PHASES), ("actor", actor, ACTORS)):
        if word not in words:
            raise RunWord(name, excerpt(word), " or ".join(words))
    tell = progress or (lambda done, total: None)
    session = read_session(cwd / source)
    with Recorder(run_dir, clock=clock, lenient=True) as recorder, recorder.held():
        now = recorder.moment()
        listed = _listed(run_dir, session.report.sha256)
        copy = run_dir / listed if listed else _copied(run_dir, cwd / source)
        if listed is None:
            # What was copied counts: the session may have grown since.
            session = read_session(copy, source.name)
        there = _There(run_dir, session.report.session)
        records = session.records(phase=phase, now=now, actor=actor, max_text=max_text)
        new = there.new(records)
        if listed is None:
            _append(recorder, new, lambda line: tell(line, session.report.lines))
            _enter(run_dir, _entry(copy, source, cwd, session.report, there, now))
        else:
            for _ in new:  # only to report what is in the file
                pass
    there.tell(session, source.name)
    return Added(
        path=listed or f"{_IMPORTS}/{copy.name}",
        same_file=listed is not None,
        added=0 if listed else there.added,
        known=there.known,
        gone=there.of_session - there.known,
        early=0 if listed else there.early,
        report=session.report,
    )


def _append(
    recorder: Recorder, records: Iterator[Imported], progress: Callable[[int], None]
) -> None:
    """Append records, each after the text that belongs to it."""
    while batch := list(islice(records, _BATCH)):
        for one in batch:
            if one.attachment is not None:
                _keep(recorder.run_dir, one.attachment)
        recorder.record_all(one.record for one in batch)
        progress(batch[-1].line)


class _Origin(Struct, gc=False):
    session: Any = None
    line: Any = None
    entry: Any = None


class _Recorded(Struct, gc=False):
    """What of a record tells whether it is there."""

    record: Any = None
    call_id: Any = None
    at: Any = None
    created_at: Any = None
    origin: Any = None


class _There:
    """What a run has of a session already."""

    def __init__(self, run_dir: Path, session: str) -> None:
        self.added = self.known = self.early = self.of_session = 0
        self._session = session
        self._keys: set[bytes] = set()
        self._elsewhere: set[str] = set()
        self._repeated: list[tuple[int, str]] = []
        self._first_early: tuple[int, str] | None = None
        self._last: tuple[Instant, str] | None = None
        decoder = msgspec.json.Decoder(_Recorded)
        with open(run_dir / FIXED["trajectory"], "rb") as stream:
            for line in lines(Counted(stream)):
                try:
                    self._note(decoder.decode(line.data))
                except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                    continue  # what is wrong with a line is for validation to say

    def _note(self, said: _Recorded) -> None:
        # Nothing happened before the run was opened.
        text = said.created_at if said.at is None and said.record == "header" else said.at
        at = instant(text) if isinstance(text, str) else None
        if at is not None and (self._last is None or at > self._last[0]):
            self._last = (at, text)
        if not isinstance(said.call_id, str):
            return
        origin = said.origin if isinstance(said.origin, dict) else {}
        if origin.get("session") == self._session:
            self.of_session += 1
        elif said.record == "call":
            self._elsewhere.add(said.call_id)
        self._keys.update(_keys(said.record, said.call_id, origin))

    def new(self, records: Iterable[Imported]) -> Iterator[Imported]:
        """Yield the records that are not there, and count all of them."""
        for one in records:
            said = one.record
            if not self._keys.isdisjoint(
                _keys(said["record"], said["call_id"], said["origin"]) if self._keys else ()
            ):
                self.known += 1
                continue
            self.added += 1
            if said["record"] == "call" and said["call_id"] in self._elsewhere:
                self._repeated.append((one.line, said["call_id"]))
            self._look_at_time(one)
            yield one

    def _look_at_time(self, one: Imported) -> None:
        at = instant(one.record["at"])
        if self._last is not None and at is not None and at < self._last[0]:
            self.early += 1
            if self._first_early is None:
                self._first_early = (one.line, one.record["at"])

    def tell(self, session: Session, name: str) -> None:
        """Add to the report what only the run shows."""
        problems = session.report.problems
        for line, call_id in self._repeated:
            got = f"the id {excerpt(call_id)}, which the run has from elsewhere"
            problems.add(line, PiCallTwice(f"{name}, line {line}", got, "ids that differ"))
        if self._first_early is not None and self._last is not None:
            line, at = self._first_early
            expected = f"no time before {self._last[1]}, the last that the run had"
            problems.add(line, PiClock(f"{name}, line {line}", at, expected))


def _keys(kind: Any, call_id: str, origin: Mapping[str, Any]) -> Iterator[bytes]:
    """Yield what a record is known again by: its entry, and its line (PI-20)."""
    entry, session, line = origin.get("entry"), origin.get("session"), origin.get("line")
    if isinstance(entry, str):
        yield _key(kind, call_id, "entry", entry)
    if isinstance(session, str) and isinstance(line, int):
        yield _key(kind, call_id, "line", session, line)


def _key(*parts: Any) -> bytes:
    return sha256(msgspec.json.encode(parts)).digest()[:16]


def _listed(run_dir: Path, known: str) -> str | None:
    """Return the copy of a file that run.json names by its digest, if it names one."""
    listed = document_of(run_dir, FIXED["manifest"]).get("imports")
    for one in listed if isinstance(listed, list) else ():
        if isinstance(one, dict) and digest(one.get("sha256")) == bytes.fromhex(known):
            return str(one.get("path"))
    return None


def _copied(run_dir: Path, source: Path) -> Path:
    """Copy a session into the run, or find the copy that an import left which was broken off."""
    folder, name = folder_in(run_dir, _IMPORTS), safe_name(source.name)
    made, _ = digest_of(source)
    for target in (folder / name, folder / f"{made.hex()[:8]}-{name}"):
        try:
            copy_in(source, target)
        except FileExistsError:
            if target.is_symlink() or not target.is_file() or digest_of(target)[0] != made:
                continue
        return target
    raise FileUnwritable(f"{_IMPORTS}/{name}", "a file of that name", "a name that is free")


def _keep(run_dir: Path, attachment: Attachment) -> None:
    """Write the whole text of a result into the run; what is there under its digest is it."""
    folder_in(run_dir, _IMPORTS)
    target = folder_in(run_dir, FULL_TEXTS) / Path(attachment.path).name
    if target.is_file() and not target.is_symlink():
        if digest_of(target)[0] == attachment.sha256:
            return
        target.unlink()  # a copy that was broken off
    try:
        with open(target, "xb") as stream:
            stream.write(attachment.data)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as fault:
        raise FileUnwritable(attachment.path, fault.strerror or str(fault), "a copy") from fault
    sync_folder(target.parent)


def _entry(
    copy: Path, source: Path, cwd: Path, report: Report, there: _There, now: str
) -> dict[str, Any]:
    return {
        "source": source_name(source, cwd),
        "path": f"{_IMPORTS}/{copy.name}",
        "sha256": report.sha256,
        "size": report.size_bytes,
        "records": there.added + there.known,
        "imported_at": now,
    }


def _enter(run_dir: Path, entry: Mapping[str, Any]) -> None:
    """Name a copy in run.json."""

    def edit(said: dict[str, Any]) -> None:
        listed = said.get("imports")
        said["imports"] = [*(listed if isinstance(listed, list) else []), entry]

    change(run_dir, FIXED["manifest"], edit)
