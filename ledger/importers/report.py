"""What became of one file that was imported."""

from typing import Any

from msgspec import Struct

from .findings import Flagged, Problem


class FieldChange(Struct, frozen=True, kw_only=True):
    """A field that a source reports otherwise than before.

    Attributes:
        field: Its name in the event, a member of a part with a dot: ``usage.cost_usd``.
        old: What was reported before.
        new: What is reported now.
    """

    field: str
    old: Any
    new: Any


class AttemptChange(Struct, frozen=True, kw_only=True):
    """An attempt of which a source reports something else than was reported before.

    Attributes:
        attempt: Its identity.
        was_event: The report before.
        event: The report now; null if nothing is appended.
        fields: What differs, in the order of the event.
    """

    attempt: str
    was_event: int
    event: int | None
    fields: list[FieldChange]


class SourceReport(Struct, frozen=True, kw_only=True):
    """What became of one file.

    Attributes:
        path: As it was given.
        name: What the file says it is.
        format: The format's name and version.
        sha256: Of the file, hexadecimal.
        rows: Records in it.
        events: Events appended, or with *dry_run* the events it would have been.
        new: Attempts that no source had reported before.
        known: Records of attempts that one had.
        quarantined: Records that could not be read; their bytes are kept.
        superseded: 1 if an earlier source of that name is replaced, else 0.
        seq: Number of its ``source.imported/1``, also where that was there before; null if there
            is none.
        dry_run: Whether nothing was to be appended.
        flags: What is odd about the release and its rows, sorted.
        problems: What is wrong with records and fields, in the order of the file.
        problems_left_out: Problems after the first thousand.
        same_file: Whether this very file was imported before; null where that cannot be told,
            because what was imported is withheld here.
        perhaps: The sources that it may be a copy of, ascending, where that cannot be told.
        supersedes: The source that it replaces.
        superseded_by: Of a file that was imported before: the source that replaced it.
        conditions: What the release says otherwise than in the source that it replaces.
        changed: Attempts of which it reports something else than before, in the order of the file.
        changed_left_out: Attempts after the first thousand.
        dropped: Attempts that the source it replaces reports and it does not.
        dropped_left_out: Attempts after the first thousand.
        editions: Frozen editions that count any of these attempts, by name; they stay as they are.
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
    flags: list[Flagged]
    problems: list[Problem]
    problems_left_out: int
    same_file: bool | None
    perhaps: list[int]
    supersedes: int | None
    superseded_by: int | None
    conditions: list[FieldChange]
    changed: list[AttemptChange]
    changed_left_out: int
    dropped: list[str]
    dropped_left_out: int
    editions: list[str]
