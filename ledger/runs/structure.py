"""Whether a run is whole and in order: what ``coldledger run validate`` names (RUN-40 to RUN-61).

Nothing here judges what the agent did. A file that is withheld is not judged at all, and is
listed as such; what is read is read line by line.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct

from .contents import Contents, File
from .documents import (
    DOCUMENTS,
    Pin,
    of_evidence,
    of_manifest,
    of_pin,
    of_visibility,
    of_withheld,
    read,
)
from .entries import faults_of_derivation, faults_of_review
from .fields import text
from .layout import FIXED, REQUIRED, Role
from .paths import EXPLAINED, fault_of
from .problems import LINE_GOT, MOST_PROBLEMS, Problem
from .records import LineFault, derived, read_line, recorded, reviewed
from .trajectory import Walk

VALIDATION_SCHEMA = "mc-agent-coldstart-validation/1"

_EVIDENCE_LINES: frozenset[Role] = frozenset(("agent_logger", "normalized", "test_mod"))


class Structure(Struct, frozen=True):
    """What was found out about the structure of a run.

    Attributes:
        problems: In the order of the files and lines.
        withheld: Files that are not judged, since they are not here.
    """

    problems: Sequence[Problem]
    withheld: Sequence[File]

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong with what is here."""
        return not self.problems

    def document(self) -> dict[str, Any]:
        """Return it as JSON (RUN-62)."""
        return {
            "schema": VALIDATION_SCHEMA,
            "valid": self.valid,
            "problems": [problem.document() for problem in self.problems],
            "withheld": [
                {
                    "path": file.path,
                    "role": file.role,
                    "sha256": None if file.sha256 is None else file.sha256.hex(),
                    "reason": file.why,
                    "judged": False,
                }
                for file in self.withheld
            ],
        }


def structure(contents: Contents) -> Structure:
    """Look at every file of a run, and say what is wrong and what was not judged."""
    return Structure(problems(contents), withheld(contents))


def problems(contents: Contents) -> list[Problem]:
    """Return what is wrong with the structure of a run, a thousand things at most."""
    found = list(islice(_found(contents), MOST_PROBLEMS + 1))
    if len(found) > MOST_PROBLEMS:
        last = found[MOST_PROBLEMS - 1]
        more = Problem(last.file, None, "more", f"{MOST_PROBLEMS} problems and more", "none")
        found[MOST_PROBLEMS:] = [more]
    return found


def withheld(contents: Contents) -> list[File]:
    """Return the files of a run that are not judged, since they are withheld."""
    return [file for file in contents.files() if file.state == "withheld"]


def _found(contents: Contents) -> Iterator[Problem]:
    files = contents.files()
    said: dict[Role, Mapping[str, Any]] = {}
    by_role: dict[Role, list[Problem]] = {}
    for file in files:
        if file.state == "present" and file.role in DOCUMENTS:
            said[file.role], by_role[file.role] = read(contents, file)
    pins: list[Pin] = []
    _check_documents(said, by_role, pins)
    pinned: dict[str, list[Pin]] = {}
    for pin in pins:
        pinned.setdefault(pin.path, []).append(pin)
    for file in files:
        yield from _standing(file)
        yield from by_role.pop(file.role, ())
        if file.state in ("present", "withheld"):
            for pin in pinned.get(file.path, ()):
                if _belongs(pin, file.role):
                    yield from of_pin(pin, file)
        if file.state == "present":
            yield from _inside(contents, file, said.get("manifest", {}))


def _check_documents(
    said: Mapping[Role, Mapping[str, Any]], found: dict[Role, list[Problem]], pins: list[Pin]
) -> None:
    """Add to *found* what is wrong with documents that could be read, and note their pins."""
    manifest = said.get("manifest", {})
    readable = {role: document for role, document in said.items() if not found[role]}
    for role, document in readable.items():
        if role == "manifest":
            found[role] += of_manifest(document, pins)
        elif role == "visibility":
            found[role] += of_visibility(document, manifest, pins)
        elif role == "evidence":
            found[role] += of_evidence(document, pins)
        elif role == "withheld":
            found[role] += of_withheld(document)


def _standing(file: File) -> Iterator[Problem]:
    """Yield what is wrong with a file that is not at hand."""
    if file.state == "absent":
        expected = "a file that every run has" if file.role in REQUIRED else "the file named here"
        yield Problem(file.path, None, "missing", "no such file", expected)
    elif file.state == "refused":
        word: str | None = fault_of(file.path)
        if word is None:
            named = {sentence: fault for fault, sentence in EXPLAINED.items()}
            word = named.get(file.why or "", "unreadable")
        code = "empty_path" if word == "empty" else word
        expected = "a file inside of the run"
        yield Problem(file.path, None, code, file.why or EXPLAINED["unreadable"], expected)


def _belongs(pin: Pin, role: Role) -> bool:
    """Tell whether a pin is of this role, where one file serves as two."""
    if pin.document == FIXED["manifest"]:
        return role == ("task" if pin.pointer == "task" else pin.pointer.partition("s[")[0])
    if pin.document == FIXED["visibility"]:
        return role == "visible"
    slots = {"review": "reviews", "agent_logger.normalized": "normalized"}
    return role == slots.get(pin.pointer, pin.pointer)


def _inside(contents: Contents, file: File, manifest: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is wrong with the lines of a file."""
    if file.role == "trajectory":
        walk = Walk(file.path, text(manifest.get("run_id")))
        last = None
        for number, line in enumerate(contents.lines(file), 1):
            record = recorded(line)
            last = _torn(file, number, line, record.fault)
            if last is None:
                yield from walk.take(number, record)
            else:
                yield last
        if last is None or walk.records:
            yield from walk.end()
    elif file.role in ("reviews", "derivations"):
        what = "review" if file.role == "reviews" else "derivation"
        for number, line in enumerate(contents.lines(file), 1):
            fault, faults = _entry(file.role, line)
            if fault is not None:
                yield Problem(file.path, number, fault, LINE_GOT[fault], f"a {what}")
                continue
            for got, expected in faults:
                yield Problem(file.path, number, what, got, expected)
    elif file.role in _EVIDENCE_LINES:
        for number, line in enumerate(contents.lines(file), 1):
            _, fault = read_line(line)
            if fault is not None and fault != "blank":  # nothing is lost by an empty line
                torn = _torn(file, number, line, fault)
                yield torn or Problem(file.path, number, fault, LINE_GOT[fault], "an event")


def _entry(role: Role, line: bytes) -> tuple[LineFault | None, Iterator[tuple[str, str]]]:
    """Return why a line is no record, and what is wrong with the review or derivation it is."""
    if role == "reviews":
        review = reviewed(line)
        return review.fault, faults_of_review(review)
    made = derived(line)
    return made.fault, faults_of_derivation(made)


def _torn(file: File, number: int, line: bytes, fault: str | None) -> Problem | None:
    """Return the problem of a last line that somebody was stopped in the middle of."""
    if fault is None or fault == "blank" or line.endswith(b"\n"):
        return None
    return Problem(file.path, number, "truncated", LINE_GOT["truncated"], "a whole record")
