"""What became of a run that was taken into a ledger."""

from msgspec import Struct

from ledger.runs.contents import State
from ledger.runs.layout import Role
from ledger.runs.problems import HINTS, LINE_GOT

FORMAT = "cold-start-run/1"
"""Name of the format, as reports of imports give it."""

MAX_LISTED = 1_000


class FileTaken(Struct, frozen=True, kw_only=True):
    """A file of which the ledger had nothing, or another version.

    Attributes:
        role: What it is for.
        path: As the run names it.
        state: Whether its bytes were at hand.
        event: Its ``file.observed/1``; null if nothing was to be appended.
        supersedes: The version that it replaces.
        kept: Records from its start that the ledger had.
        records: How many records it has, those included.
    """

    role: Role
    path: str
    state: State
    event: int | None
    supersedes: int | None
    kept: int
    records: int


class SetAside(Struct, frozen=True, kw_only=True):
    """What cannot be read as a record; its bytes are kept.

    Attributes:
        code: What is wrong with it, a word.
        place: The file, and the line from 1.
        message: Both, in a sentence.
        hint: What a person does about it.
    """

    code: str
    place: str
    message: str
    hint: str


class Flag(Struct, frozen=True, kw_only=True):
    """Something odd about records that are records all the same.

    Attributes:
        flag: What, a word, and the field.
        count: How often.
        pointer: The first place: file, and line from 1.
    """

    flag: str
    count: int
    pointer: str


class RunReport(Struct, frozen=True, kw_only=True):
    """What became of one run.

    Attributes:
        path: Where it was read from, as it was given.
        name: The run's own name for itself.
        format: The format's name and version.
        sha256: Over what its files are (KEEP-8), hexadecimal.
        rows: Records in its files.
        events: Events appended, or with *dry_run* the events it would have been.
        new: Records that the ledger did not have.
        known: Records that it had.
        quarantined: Records that cannot be read; their bytes are kept.
        superseded: Files of which an earlier version is replaced.
        seq: The first event about the run; null if there is none.
        dry_run: Whether nothing was to be appended.
        files: How many files the run has, those that are missing included.
        changed: Files that are new or have changed, the first thousand, in their order.
        changed_left_out: Files after those.
        flags: What is odd about records, sorted.
        problems: Records that cannot be read, the first thousand, in the order of the files.
        problems_left_out: Records after those.
    """

    path: str
    name: str
    format: str
    sha256: str
    rows: int
    events: int
    new: int
    known: int
    quarantined: int
    superseded: int
    seq: int | None
    dry_run: bool
    files: int
    changed: list[FileTaken]
    changed_left_out: int
    flags: list[Flag]
    problems: list[SetAside]
    problems_left_out: int


class Faults:
    """What is wrong with records, noted as they come.

    Attributes:
        set_aside: How many cannot be read.
        problems: The first thousand of those.
    """

    def __init__(self) -> None:
        self.set_aside = 0
        self.problems: list[SetAside] = []
        self._flags: dict[str, tuple[int, str]] = {}

    def add(self, fault: str, place: str) -> None:
        """Note what is wrong with the record at *place*."""
        said = LINE_GOT.get(fault)
        if said is None:
            count, first = self._flags.get(fault, (0, place))
            self._flags[fault] = count + 1, first
            return
        self.set_aside += 1
        if len(self.problems) < MAX_LISTED:
            message = f"{place}: got {said}, expected one JSON object"
            hint = HINTS[fault]
            self.problems.append(SetAside(code=fault, place=place, message=message, hint=hint))

    def flags(self) -> list[Flag]:
        """Return the flags, sorted by name."""
        return [
            Flag(flag=flag, count=count, pointer=first)
            for flag, (count, first) in sorted(self._flags.items())
        ]


def printable(path: str) -> str:
    """Return a path as UTF-8 has it: JSON can write half of a character."""
    return path.encode("utf-8", "backslashreplace").decode()
