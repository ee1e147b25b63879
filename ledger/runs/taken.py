"""What became of a run that was taken into a ledger."""

from msgspec import Struct

from .contents import State
from .layout import Role

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
    """A record that cannot be read; its bytes are kept.

    Attributes:
        place: The file, and the line from 1.
        fault: What is wrong with it, a word.
    """

    place: str
    fault: str


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
        set_aside: Records that cannot be read, the first thousand.
        set_aside_left_out: Records after those.
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
    set_aside: list[SetAside]
    set_aside_left_out: int
