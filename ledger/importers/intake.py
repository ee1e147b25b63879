"""Importing a file: all of it in one transaction, and nothing twice (``specs/importers.md`` §2)."""

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from ledger.events import Observation, RecordQuarantined, SourceImported

from .findings import Flagged, Problem
from .importer import Importer, Reading
from .registry import choose
from .source_file import Probe, opened, shown

PROGRESS_RECORDS = 1_000
Progress = Callable[[int, int], None]
"""Called with the records that were appended so far, and how many there are."""


class Batch(Protocol):
    """What an import needs of a transaction of the ledger."""

    @property
    def size(self) -> int:
        """Sequence number of the next event."""

    def seq_of(self, key: str) -> int | None:
        """Return the event that has an identity."""

    def append(
        self,
        event: Observation,
        blobs: Mapping[str, bytes] | None = None,
        *,
        actor: str = ...,
    ) -> int:
        """Append an event, index its identities, and return its number."""


class Appendable(Protocol):
    """What an import needs of a ledger."""

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
    with closing(reading), ledger.batch(at=at, entropy=entropy) as batch:
        taken = _Taking(batch, importer, reading, append=not dry_run)
        taken.take(path, public, progress)
        return SourceReport(
            path=place,
            name=reading.name,
            format=importer.format,
            sha256=reading.sha256.hex(),
            rows=reading.rows,
            events=taken.events,
            new=taken.new,
            known=taken.known,
            quarantined=taken.quarantined,
            superseded=0 if taken.supersedes is None else 1,
            seq=taken.seq,
            dry_run=dry_run,
            flags=reading.findings.flags(),
            problems=reading.findings.problems,
            problems_left_out=reading.findings.left_out,
        )


class _Taking:
    """The records of one file on their way into one transaction."""

    def __init__(self, batch: Batch, importer: Importer, reading: Reading, *, append: bool) -> None:
        self.events = self.new = self.known = self.quarantined = 0
        self.seq: int | None = None
        self.supersedes: int | None = None
        self._batch, self._importer, self._reading = batch, importer, reading
        self._is_known = batch.seq_of(f"source:{reading.sha256.hex()}") is not None
        self._appends = append and not self._is_known

    def take(self, path: Path, public: bool, progress: Progress | None) -> None:
        """Go through all records: count them, and append what is to be appended."""
        batch, reading = self._batch, self._reading
        source = batch.size
        if not self._is_known:
            self.supersedes = batch.seq_of(f"release:{reading.name}")
            self.events = 1
        if self._appends:
            self.seq = source = self._append_source(path, public)
        for done, record in enumerate(reading.records(source), start=1):
            if record.attempt is not None:
                if batch.seq_of(f"attempt:{record.attempt}") is None:
                    self.new += 1
                else:
                    self.known += 1
            elif isinstance(record.event, RecordQuarantined):
                self.quarantined += 1
            if not self._is_known:
                self.events += 1
            if self._appends:
                batch.append(record.event, record.blobs)
            if progress is not None and done % PROGRESS_RECORDS == 0:
                progress(done, reading.rows)

    def _append_source(self, path: Path, public: bool) -> int:
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
        return self._batch.append(event, blobs)
