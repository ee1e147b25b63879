"""Importing a file: all of it in one transaction, and nothing twice (IMPORT-1 to IMPORT-13)."""

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from ledger.events import Observation, RecordQuarantined, SourceImported

from .findings import Flagged, Problem
from .importer import Importer, Reading, Record
from .registry import choose
from .source_file import Probe, opened, shown

PROGRESS_RECORDS = 1_000
Progress = Callable[[int, int], None]
"""Called with the records that were appended so far, and how many there are."""


class Index(Protocol):
    """What an import asks of a ledger's state."""

    @property
    def size(self) -> int:
        """Sequence number of the next event."""

    def seq_of(self, key: str) -> int | None:
        """Return the event that has an identity."""


class Batch(Index, Protocol):
    """What an import needs of a transaction of the ledger."""

    def append(
        self,
        event: Observation,
        blobs: Mapping[str, bytes] | None = None,
        *,
        actor: str = ...,
    ) -> int:
        """Append an event, index its identities, and return its number."""


class Appendable(Index, Protocol):
    """What an import needs of a ledger."""

    def snapshot(self) -> AbstractContextManager[object]:
        """Hold one state while it is read."""

    def batch(self, *, at: str, entropy: Callable[[int], bytes]) -> AbstractContextManager[Batch]:
        """Begin a transaction that commits when its block ends well."""


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
        seq: Number of its ``source.imported/1``; null if nothing was appended.
        dry_run: Whether nothing was to be appended.
        flags: What is odd about the release and its rows, sorted.
        problems: What is wrong with records and fields, in the order of the file.
        problems_left_out: Problems after the first thousand.
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


def import_file(
    ledger: Appendable,
    path: Path,
    *,
    at: str,
    entropy: Callable[[int], bytes],
    dry_run: bool = False,
    public: bool = False,
    format_name: str | None = None,
    progress: Progress | None = None,
) -> SourceReport:
    """Import one file.

    Args:
        ledger: Where to.
        path: The file.
        at: Time to claim, canonical.
        entropy: Returns that many random bytes.
        dry_run: Report, and append nothing.
        public: The source is public, so its digest may stand in the entry.
        format_name: The format, where its content is not to decide.
        progress: Told how far it is.

    Raises:
        Refusal: The file as a whole cannot be imported; nothing was appended.
    """
    place = shown(path)
    with opened(path) as stream:
        importer = choose(Probe(stream, place), format_name)
        stream.seek(0)
        reading = importer.read(stream, place)
    taking = _Taking(importer, reading)
    with closing(reading):
        if dry_run:
            with ledger.snapshot():
                taking.count(ledger)
        else:
            with ledger.batch(at=at, entropy=entropy) as batch:
                taking.take(batch, path, public, progress)
    return SourceReport(
        path=place,
        name=reading.name,
        format=importer.format,
        sha256=reading.sha256.hex(),
        rows=reading.rows,
        events=taking.events,
        new=taking.new,
        known=taking.known,
        quarantined=taking.quarantined,
        superseded=0 if taking.supersedes is None else 1,
        seq=taking.seq,
        dry_run=dry_run,
        flags=reading.findings.flags(),
        problems=reading.findings.problems,
        problems_left_out=reading.findings.left_out,
    )


class _Taking:
    """The records of one file on their way into a ledger, counted as they go."""

    def __init__(self, importer: Importer, reading: Reading) -> None:
        self.events = self.new = self.known = self.quarantined = 0
        self.seq: int | None = None
        self.supersedes: int | None = None
        self._importer, self._reading = importer, reading

    def count(self, index: Index) -> None:
        """Count what taking the file would do."""
        adds = self._look(index)
        for record in self._reading.records(index.size):
            self._note(record, index, adds)

    def take(self, batch: Batch, path: Path, public: bool, progress: Progress | None) -> None:
        """Append the file's records, or count them where the file is known."""
        adds, source = self._look(batch), batch.size
        if adds:
            self.seq = source = self._append_source(batch, path, public)
        for done, record in enumerate(self._reading.records(source), start=1):
            self._note(record, batch, adds)
            if adds:
                batch.append(record.event, record.blobs)
            if progress is not None and done % PROGRESS_RECORDS == 0:
                progress(done, self._reading.rows)

    def _look(self, index: Index) -> bool:
        """Return whether the file is a new one; find the source that it would supersede."""
        if index.seq_of(f"source:{self._reading.sha256.hex()}") is not None:
            return False
        self.supersedes = index.seq_of(f"release:{self._reading.name}")
        self.events = 1
        return True

    def _note(self, record: Record, index: Index, adds: bool) -> None:
        if adds:
            self.events += 1
        if record.attempt is None:
            self.quarantined += isinstance(record.event, RecordQuarantined)
        elif index.seq_of(f"attempt:{record.attempt}") is None:
            self.new += 1
        else:
            self.known += 1

    def _append_source(self, batch: Batch, path: Path, public: bool) -> int:
        reading = self._reading
        blobs = {"path": bytes(path), "digest": reading.sha256}
        if reading.unmapped:
            blobs["unmapped"] = json.dumps(reading.unmapped).encode()
        event = SourceImported(
            name=reading.name,
            rows=reading.rows,
            format=self._importer.format,
            sha256=reading.sha256 if public else None,
            importer=self._importer.name,
            size_bytes=reading.size_bytes,
            supersedes=self.supersedes,
        )
        return batch.append(event, blobs)
