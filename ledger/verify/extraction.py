"""Step 8: the fields of an entry against its raw record, read again (``specs/verify.md``).

A record is read by the very importer version that its source names. Fields that only the whole
release determines are compared where the release's own record was disclosed before.
"""

from collections.abc import Callable
from typing import Any, assert_never

from canon.errors import Limit
from canon.refusal import Refusal
from ledger.entry import Signed
from ledger.errors import DuplicateRow, ExtractionMismatch, ImporterUnknown
from ledger.events import (
    FROM_A_RECORD,
    RECORD,
    AttemptReported,
    CorrectionReported,
    RecordQuarantined,
    ReleaseReported,
    SourceImported,
)
from ledger.importers import Context, Reader, reader_of
from ledger.projections.attempts import Attempts
from ledger.replay import Entered

MAX_RECORD_BYTES = 16 * 2**20


class Extraction:
    """Reads disclosed records again.

    Attributes:
        records: Entries so far whose fields were read from a record.
        checked: Of those, how many were disclosed and agree.
    """

    def __init__(self, attempts: Callable[[], Attempts]) -> None:
        """Start before entry 0.

        Args:
            attempts: Gives the state of the attempts that were reported so far.

        """
        self._attempts = attempts
        self.records = 0
        self.checked = 0
        self._readers: dict[int, str] = {}
        self._contexts: dict[int, Context] = {}

    def count(self, entered: Entered) -> None:
        """Note an entry: the importer that a source names, or a record to come."""
        event = entered.event
        if isinstance(event, SourceImported):
            self._readers[entered.entry.seq] = event.importer
        elif isinstance(event, FROM_A_RECORD):
            self.records += 1

    def check(self, entered: Entered, slot: str, data: bytes) -> None:
        """Compare the fields of an entry with those that its importer reads from *data*.

        Raises:
            ExtractionMismatch: They differ, or the record cannot be read, or a record that was
                quarantined reads well.
            ImporterUnknown: This program does not have the importer.
            Limit: The record is longer than any importer keeps.
        """
        if slot != RECORD:
            return
        if len(data) > MAX_RECORD_BYTES:
            place = f"record of event {entered.entry.seq}"
            raise Limit(place, f"{len(data)} bytes", f"at most {MAX_RECORD_BYTES}")
        event, seq = entered.event, entered.entry.seq
        match event:
            case ReleaseReported() | AttemptReported() | CorrectionReported():
                reader = self._reader(event.source, seq)
                if isinstance(event, ReleaseReported):
                    self._contexts[event.source] = self._context(reader, data, seq)
                context = self._contexts.get(event.source)
                self._compare(entered, reader, data, context)
            case RecordQuarantined():
                self._still_unreadable(event, data, seq)
            case SourceImported() | Signed():
                return  # nothing in these was read from a record
            case _:
                assert_never(event)
        self.checked += 1

    def _reader(self, source: int, seq: int) -> Reader:
        name = self._readers.get(source)
        if name is None:
            raise ExtractionMismatch(f"event {seq}", f"source {source}", "an import", seq=seq)
        try:
            return reader_of(name)
        except ImporterUnknown as refusal:
            refusal.seq = seq
            raise

    def _context(self, reader: Reader, data: bytes, seq: int) -> Context:
        try:
            return reader.context(data)
        except Refusal as refusal:
            raise ExtractionMismatch(
                f"event {seq}", f"a record with {refusal.message}", "a readable one", seq=seq
            ) from refusal

    def _compare(
        self, entered: Entered, reader: Reader, data: bytes, context: Context | None
    ) -> None:
        entry = entered.entry
        try:
            fields = reader.extract(entry.type, data, context)
        except Refusal as refusal:
            raise ExtractionMismatch(
                f"event {entry.seq}",
                f"a record with {refusal.message}",
                "one that its importer reads",
                seq=entry.seq,
            ) from refusal
        for name, value in fields.items():
            if name not in entry.body or not _equal(entry.body[name], value):
                raise ExtractionMismatch(
                    f"event {entry.seq}, {name}",
                    _short(entry.body.get(name)),
                    f"{_short(value)}, as {self._readers[entry.body['source']]} reads the record",
                    seq=entry.seq,
                )

    def _still_unreadable(self, event: RecordQuarantined, data: bytes, seq: int) -> None:
        """Refuse a row that was set aside without need: failures could be dropped that way."""
        reader = self._reader(event.source, seq)
        code = reader.fault(data, self._contexts.get(event.source), event.pointer)
        if code is None and self._repeats(event, reader, data, seq):
            code = DuplicateRow.code
        if code != event.code:
            raise ExtractionMismatch(
                f"event {seq}, code", event.code, code or "a record that reads well", seq=seq
            )

    def _repeats(self, event: RecordQuarantined, reader: Reader, data: bytes, seq: int) -> bool:
        """Tell whether an earlier row of the same source reports the same attempt."""
        fields = reader.extract(AttemptReported.wire, data, None)
        state = self._attempts()
        for row in state.rows_of(str(fields.get("attempt"))):
            numbers = state.rows.read(row)
            place = state.places.values[numbers.place]
            if place.source == event.source and numbers.seq < seq:
                return True
        return False


def _equal(one: Any, two: Any) -> bool:
    """Compare so that 1, true and "1" stay apart, at any depth; a tuple is a list."""
    if isinstance(one, list) and isinstance(two, (list, tuple)):
        return len(one) == len(two) and all(map(_equal, one, two))
    if type(one) is not type(two):
        return False
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(_equal(one[key], two[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(two) and all(map(_equal, one, two))
    return bool(one == two)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}…"
