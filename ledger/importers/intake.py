"""Importing a file: all of it in one transaction, and nothing twice (IMPORT-1 to IMPORT-13)."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing
from itertools import islice
from pathlib import Path
from typing import Protocol

from ledger.events import (
    DIGEST,
    AttemptReported,
    Observation,
    RecordQuarantined,
    ReleaseReported,
    SourceImported,
)

from .changes import MAX_CHANGES, Changes
from .earlier import Holdings, earlier
from .importer import Importer, Reading, Record
from .registry import choose
from .report import SourceReport
from .source_file import Probe, opened, shown

PROGRESS_RECORDS = 1_000
# Records whose attempts are looked up at once.
_TOGETHER = 250

Progress = Callable[[int, int], None]
"""Called with the records that were appended so far, and how many there are."""


class Batch(Protocol):
    """What an import needs of a transaction of the ledger."""

    @property
    def size(self) -> int:
        """Sequence number of the next event."""

    def append(
        self,
        event: Observation,
        blobs: Mapping[str, bytes] | None = None,
        *,
        actor: str = ...,
    ) -> int:
        """Append an event, index its identities, and return its number."""


class Appendable(Holdings, Protocol):
    """What an import needs of a ledger."""

    def batch(self, *, at: str, entropy: Callable[[int], bytes]) -> AbstractContextManager[Batch]:
        """Begin a transaction that commits when its block ends well."""


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
    with closing(reading):
        if dry_run:
            with ledger.snapshot():
                taking = _Taking(ledger, importer, reading)
                taking.take(None, path, public, progress)
                return taking.report(place, dry_run)
        with ledger.batch(at=at, entropy=entropy) as batch:
            taking = _Taking(ledger, importer, reading)
            taking.take(batch, path, public, progress)
            return taking.report(place, dry_run)


class _Taking:
    """The records of one file on their way into a ledger, counted as they go.

    The ledger is asked only about what was there before: that no trial stands in a file twice is
    the reading's business.
    """

    def __init__(self, ledger: Holdings, importer: Importer, reading: Reading) -> None:
        self._ledger, self._importer, self._reading = ledger, importer, reading
        self._earlier = earlier(ledger, reading)
        self._is_known = self._earlier.source is not None
        self._supersedes = None if self._is_known else self._earlier.newest
        self._seq = self._earlier.source
        self._events = self._new = self._known = self._quarantined = 0
        self._changes = Changes(ledger, reading.name, self._supersedes)

    def take(
        self, batch: Batch | None, path: Path, public: bool, progress: Progress | None
    ) -> None:
        """Append the file's records; without a *batch*, or where it is known, count them."""
        if self._is_known:
            batch = None
        else:
            self._events = 1
        source = self._ledger.size if batch is None else batch.size
        if batch is not None:
            self._seq = self._append_source(batch, path, public)
        records = self._reading.records(source)
        for done, (record, first) in enumerate(self._looked_up(records), start=1):
            self._note(record, first, None if batch is None else batch.size)
            if batch is not None:
                batch.append(record.event, record.blobs)
            if progress is not None and done % PROGRESS_RECORDS == 0:
                progress(done, self._reading.rows)

    def report(self, place: str, dry_run: bool) -> SourceReport:
        """Return what became of the file."""
        reading, changes = self._reading, self._changes
        dropped = changes.dropped()
        differs = bool(changes.attempts or changes.conditions or dropped or self._new)
        perhaps = [seq for seq in self._earlier.perhaps if not differs or seq != self._supersedes]
        return SourceReport(
            path=place,
            name=reading.name,
            format=self._importer.format,
            sha256=reading.sha256.hex(),
            rows=reading.rows,
            events=self._events,
            new=self._new,
            known=self._known,
            quarantined=self._quarantined,
            superseded=0 if self._supersedes is None else 1,
            seq=self._seq,
            dry_run=dry_run,
            flags=reading.findings.flags(),
            problems=reading.findings.problems,
            problems_left_out=reading.findings.left_out,
            same_file=None if perhaps else self._is_known,
            perhaps=perhaps,
            supersedes=self._supersedes,
            superseded_by=self._earlier.superseded_by,
            conditions=changes.conditions,
            changed=changes.attempts,
            changed_left_out=changes.left_out,
            dropped=dropped[:MAX_CHANGES],
            dropped_left_out=max(len(dropped) - MAX_CHANGES, 0),
            editions=changes.editions(),
        )

    def _looked_up(self, records: Iterator[Record]) -> Iterator[tuple[Record, int | None]]:
        """Yield records, each with the event that first reported its attempt."""
        if self._is_known:
            yield from ((record, self._seq) for record in records)
            return
        while some := list(islice(records, _TOGETHER)):
            found = self._ledger.known([record.key for record in some if record.key is not None])
            for record in some:
                yield record, None if record.key is None else found.get(record.key)

    def _note(self, record: Record, first: int | None, seq: int | None) -> None:
        event = record.event
        if not self._is_known:
            self._events += 1
        if isinstance(event, AttemptReported):
            if first is None:
                self._new += 1
                return
            self._known += 1
            if not self._is_known:
                self._changes.note_attempt(event, first, seq)
        elif isinstance(event, RecordQuarantined):
            self._quarantined += 1
        elif isinstance(event, ReleaseReported) and not self._is_known:
            self._changes.note_release(event)

    def _append_source(self, batch: Batch, path: Path, public: bool) -> int:
        reading = self._reading
        blobs = {"path": bytes(path), DIGEST: reading.sha256}
        if reading.unmapped:
            blobs["unmapped"] = json.dumps(reading.unmapped).encode()
        event = SourceImported(
            name=reading.name,
            rows=reading.rows,
            format=self._importer.format,
            sha256=reading.sha256 if public else None,
            importer=self._importer.name,
            size_bytes=reading.size_bytes,
            supersedes=self._supersedes,
        )
        return batch.append(event, blobs)
