"""A pi session, read twice: once for its tree, once for what its active branch reports."""

from collections.abc import Container, Iterator
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import BinaryIO

from canon.refusal import Refusal
from ledger.errors import (
    PiChanged,
    PiEntryInvalid,
    PiEntryUnknown,
    SourceDirectory,
    SourceMissing,
    SourceUnreadable,
)
from ledger.importers.source_json import kind_of

from .branch import Survey, survey
from .lines import Counted, Line, Reader, lines
from .messages import Imported, Manner, Messages
from .report import Report
from .results import MAX_TEXT

ENTRIES = frozenset(
    (
        "message",
        "branch_summary",
        "compaction",
        "context_edit",
        "context_transform",
        "custom",
        "custom_message",
        "ephemeral",
        "label",
        "model_change",
        "session_info",
        "thinking_level_change",
        "usage",
    )
)
"""Types of entries that are known; only messages are imported, the others are counted (PI-6)."""


class Session:
    """A session whose tree is known.

    Attributes:
        header: Its header; empty where it has lost it.
        version: Of its format: 1, 2 or 3; None where it has no header.
        report: What the latest pass over its records found; before any, what the tree says.
    """

    def __init__(self, path: Path, name: str, found: Survey) -> None:
        """Hold what the first pass over *path* found; messages call the file *name*."""
        self._path, self._name, self._found = path, name, found
        self.header = found.opening.header
        self.version = found.opening.version
        self.report = self._fresh()

    def records(
        self,
        *,
        phase: str,
        now: str,
        actor: str = "agent",
        max_text: int = MAX_TEXT,
        answered: Container[str] = (),
    ) -> Iterator[Imported]:
        """Read the file again and yield what its active branch reports, in order (PI-7, PI-8).

        The report is complete when all are taken.

        Args:
            phase: Phase of the run that the records belong to.
            now: Time of what has none, as canonical text.
            actor: Who made the calls.
            max_text: From how many characters on the text of a result is cut, at least 1.
            answered: Calls whose results the run has, whoever recorded them.

        Raises:
            PiChanged: What the tree was read from is no longer there (PI-3).
            SourceUnreadable: The file can no longer be read.
        """
        self.report = self._fresh()
        reader = Reader(self._name)
        messages = Messages(self._name, self.report, Manner(phase, actor, max_text, now))
        with _opened(self._path) as stream:
            counted = Counted(stream, self._found.size_bytes)
            for line in lines(counted):
                yield from self._line(line, reader, messages)
            size, digest = counted.size, counted.digest.digest()
        if (size, digest) != (self._found.size_bytes, self._found.sha256):
            raise PiChanged(self._name, "other bytes than before", "a session that has ended")
        messages.finish(answered)

    def _line(self, line: Line, reader: Reader, messages: Messages) -> Iterator[Imported]:
        if line.blank:
            return
        place = reader.place(line)
        try:
            entry = reader.read(line)
        except Refusal as fault:
            self.report.unread += 1
            self.report.problems.add(line.number, fault)
            return
        on_branch = self._found.on(line.number)
        said = entry.get("type")
        kind = said if type(said) is str else kind_of(said)
        self.report.entries.note(kind)
        if kind == "session":
            if line.number != self._found.opening.line:
                second = PiEntryInvalid(place, "another header", "one header, in front")
                self.report.problems.add(line.number, second)
            return
        if not on_branch:
            self.report.aside.entries += 1
        if kind not in ENTRIES:
            unknown = PiEntryUnknown(place, f"an entry of type {kind_of(said)}", "a type of pi's")
            self.report.problems.add(line.number, unknown)
        yield from messages.entry(entry, line, place, on_branch)

    def _fresh(self) -> Report:
        found = self._found
        return Report(
            session=found.opening.session,
            version=self.version,
            lines=found.lines,
            size_bytes=found.size_bytes,
            sha256=found.sha256.hex(),
            problems=found.problems.copy(),
        )


def read_session(path: Path, name: str | None = None) -> Session:
    """Read the tree of a session; its records are read when they are asked for.

    Args:
        path: The file. It may still grow: what is appended later is not read.
        name: What messages call it; the name of the file if nothing else is given.

    Raises:
        SourceMissing, SourceDirectory, SourceUnreadable: There is no file that can be read.
        PiSessionInvalid: It is no session of pi's (PI-1).
        PiVersion: It is of a version that is not read.
    """
    called = path.name if name is None else name
    with _opened(path) as stream:
        return Session(path, called, survey(stream, Reader(called)))


def _opened(path: Path) -> BinaryIO:
    place = str(path)
    try:
        mode = path.stat().st_mode
        if S_ISDIR(mode):
            raise SourceDirectory(place, "a folder", "the file of a session")
        if not S_ISREG(mode):
            raise SourceUnreadable(place, "no regular file", "a file that can be read twice")
        return path.open("rb")
    except (FileNotFoundError, NotADirectoryError) as fault:
        raise SourceMissing(place, "nothing", "the file of a session") from fault
    except (OSError, ValueError) as fault:
        got = getattr(fault, "strerror", None) or str(fault)
        raise SourceUnreadable(place, got, "a file that can be read") from fault
