"""Files of runs, put together again from what is disclosed of them (VERIFY-25, VERIFY-26).

A stream is the lines of its records, one after the other; a document stands whole in one slot, and
names its items. What is read again is compared field by field, and what a file has in all with the
size and the digests that its event states.
"""

import hashlib
from typing import TYPE_CHECKING

from canon.excerpt import excerpt
from ledger.bundle import CHUNK_ENTRIES
from ledger.errors import ExtractionMismatch
from ledger.events import (
    CANONICAL,
    CONTENT,
    DIGEST,
    MAX_RECORD_BYTES,
    STREAM_ROLES,
    FileObserved,
    ItemDeclared,
    RunRecord,
)

if TYPE_CHECKING:
    from ledger.runs.declared import Named

_BYTES = hashlib.sha256().digest_size


class _Sums:
    """Size and digests of bytes that come one after the other.

    A pair CR LF never stands in two lines, so each line is made canonical by itself.
    """

    def __init__(self) -> None:
        self.size = 0
        self._raw, self._canonical = hashlib.sha256(), hashlib.sha256()

    def add(self, data: bytes) -> None:
        self.size += len(data)
        self._raw.update(data)
        self._canonical.update(data.replace(b"\r\n", b"\n"))

    def copy(self) -> "_Sums":
        """Return sums that go on from here."""
        other = _Sums()
        other.size = self.size
        other._raw, other._canonical = self._raw.copy(), self._canonical.copy()
        return other

    def digests(self) -> dict[str, bytes]:
        """Return slot to what stands in it, 32 bytes each."""
        return {DIGEST: self._raw.digest(), CANONICAL: self._canonical.digest()}


class _Version:
    """A version of a file, as far as it was disclosed.

    Attributes:
        seq, event: Its ``file.observed/1``.
        sums: Of its bytes so far; None where some are not known.
        shorter: Of its bytes but for the last line; None where that is not known.
        items: What its document names; None where that was not disclosed.
    """

    def __init__(
        self, seq: int, event: FileObserved, before: "_Version | None", lost: dict[int, None]
    ) -> None:
        self.seq, self.event, self._lost = seq, event, lost
        self.shorter: _Sums | None = None
        self.items: list[Named] | None = None
        self.sums: _Sums | None = None
        self._before = before
        self._begun = event.role not in STREAM_ROLES or event.state != "present"
        self._next = event.kept
        self._stated: dict[str, bytes] = {}

    def begin(self) -> None:
        """Take over the lines that an older version has too: all of that was disclosed by now."""
        if not self._begun:
            self._begun = True
            self.sums = self._kept(self._before)
            if self.sums is None:
                self._lose()
        self._before = None

    def _lose(self) -> None:
        """Give up: what the file has in all is not known here."""
        self.sums = self.shorter = None
        self._lost[self.seq] = None

    def _kept(self, before: "_Version | None") -> _Sums | None:
        kept = self.event.kept
        if not kept:
            return _Sums()
        if before is None or before.sums is None or before._next != before.event.records:
            return None
        if kept == before.event.records:
            self.shorter = before.shorter
            return before.sums.copy()
        if kept == before.event.records - 1 and before.shorter is not None:
            return before.shorter.copy()
        return None

    def state(self, slot: str, data: bytes) -> None:
        """Take a digest that was disclosed."""
        self.begin()
        if len(data) != _BYTES:
            raise self._mismatch(slot, f"{len(data)} bytes", f"{_BYTES}")
        self._stated[slot] = data
        self.check()

    def content(self, data: bytes) -> None:
        """Take the bytes of a document."""
        self.sums = _Sums()
        self.sums.add(data)
        self._next = self.event.records
        self.check()

    def line(self, seq: int, line: int, data: bytes) -> None:
        """Take the bytes of a record of a stream."""
        self.begin()
        last = line == self.event.records - 1
        if data.find(b"\n", 0, -1) >= 0 or not (data.endswith(b"\n") or (last and data)):
            raise ExtractionMismatch(
                f"event {seq}, record", "bytes that are not one line", "one line", seq=seq
            )
        if self.sums is None or line != self._next:
            self._lose()
            return
        self._next += 1
        if last:
            self.shorter = self.sums.copy()
        self.sums.add(data)
        self.check()

    def pass_over(self) -> None:
        """Take a record whose bytes are not read."""
        self.begin()
        self._lose()

    def check(self) -> None:
        """Compare what the file has in all, once that is known, with what its event states.

        Raises:
            ExtractionMismatch: They differ.
        """
        if self.sums is None or self._next != self.event.records:
            return
        if self.sums.size != self.event.size_bytes:
            got = str(self.event.size_bytes)
            raise self._mismatch("size_bytes", got, f"{self.sums.size}, of all its bytes")
        given = self.sums.digests()
        for slot, stated in self._stated.items():
            if given[slot] != stated:
                raise self._mismatch(slot, stated.hex(), f"{given[slot].hex()}, of all its bytes")

    def _mismatch(self, name: str, got: str, expected: str) -> ExtractionMismatch:
        return ExtractionMismatch(f"event {self.seq}, {name}", got, expected, seq=self.seq)


class RunRecords:
    """Reads disclosed records and files of runs again.

    What is disclosed of the events of a chunk comes behind all of these, in their order.

    Attributes:
        lost: Files, by their events, of which one pass does not know all bytes.
    """

    def __init__(self) -> None:
        """Start before event 0."""
        self.lost: dict[int, None] = {}
        self._versions: dict[int, _Version] = {}
        self._fresh: list[_Version] = []
        self._replaced: list[int] = []
        self._chunk = 0

    def open(self, seq: int, event: FileObserved) -> None:
        """Note a file whose records follow."""
        if seq // CHUNK_ENTRIES != self._chunk:
            self._chunk = seq // CHUNK_ENTRIES
            self._settle()
        before = None
        if event.supersedes is not None:
            before = self._versions.get(event.supersedes)
            self._replaced.append(event.supersedes)
        version = self._versions[seq] = _Version(seq, event, before, self.lost)
        self._fresh.append(version)

    def _settle(self) -> None:
        """Let go of what nothing can build on: of earlier chunks all was disclosed that ever is."""
        for version in self._fresh:
            version.begin()
        for version in self._fresh[:-1]:  # records of the last may still come
            if version.event.role not in STREAM_ROLES:
                self._versions.pop(version.seq, None)
        for seq in self._replaced:
            self._versions.pop(seq, None)
        self._fresh, self._replaced = self._fresh[-1:], []

    def slot(self, seq: int, slot: str, data: bytes) -> None:
        """Take a slot of the file that the event *seq* is about.

        Raises:
            ExtractionMismatch: The event of the file states another size or digest.
        """
        version = self._versions[seq]
        if slot in (DIGEST, CANONICAL):
            version.state(slot, data)
        elif slot == CONTENT and len(data) <= MAX_RECORD_BYTES:
            version.content(data)
            self._check_items(version, data)

    def record(self, seq: int, event: RunRecord, data: bytes) -> None:
        """Compare the fields of an event with those that its record gives.

        Raises:
            ExtractionMismatch: They differ, or the file gives another record in its place.
            ImporterUnknown: This program does not have the reader.
        """
        from ledger.runs.extraction import check_reader, event_of  # needs a disclosed record

        version = self._versions[event.source]
        check_reader(version.event.reader, seq)
        role, slot = version.event.role, None
        if isinstance(event, ItemDeclared):
            slot = event.slot if role == "evidence" else None
            self._check_item(seq, version, event, data)
        self._compare(seq, version, event, event_of(role, event.line, data, event.source, slot))
        if role in STREAM_ROLES:
            version.line(seq, event.line, data)

    def unread(self, seq: int, event: RunRecord) -> None:
        """Compare the fields of an event with those of a line that is too long to be read.

        Raises:
            ExtractionMismatch: They differ.
            ImporterUnknown: This program does not have the reader.
        """
        from ledger.runs.extraction import check_reader, unread_event

        version = self._versions[event.source]
        check_reader(version.event.reader, seq)
        made = unread_event(version.event.role, event.line, event.source)
        self._compare(seq, version, event, made)
        version.pass_over()

    def _compare(self, seq: int, version: _Version, event: RunRecord, made: RunRecord) -> None:
        """Refuse an event that says other than its record does."""
        if type(event) is not type(made):
            raise ExtractionMismatch(f"event {seq}", event.wire, made.wire, seq=seq)
        for name in event.__struct_fields__:
            got, expected = getattr(event, name), getattr(made, name)
            if name != "blobs" and got != expected:
                place = f"event {seq}, {name}"
                words = f"{_short(expected)}, as {version.event.reader} reads the record"
                raise ExtractionMismatch(place, _short(got), words, seq=seq)

    def _check_items(self, version: _Version, data: bytes) -> None:
        """Refuse a document that names more files, or fewer, than the log has of it."""
        if version.event.role in STREAM_ROLES:
            return
        from ledger.runs.declared import declared
        from ledger.runs.extraction import READER

        if version.event.reader != READER:
            return  # who reads a record of it is told so
        version.items = declared(version.event.role, data)
        if len(version.items) != version.event.records:
            raise ExtractionMismatch(
                f"event {version.seq}, records",
                str(version.event.records),
                f"{len(version.items)} in its content",
                seq=version.seq,
            )

    def _check_item(self, seq: int, version: _Version, event: ItemDeclared, data: bytes) -> None:
        if version.items is None:
            return
        item = version.items[event.line]
        if (item.raw, item.slot) != (data, event.slot):
            name = "slot" if item.raw == data else "record"
            expected = f"item {event.line} of the content of event {version.seq}"
            got = _short(event.slot) if name == "slot" else "other bytes"
            raise ExtractionMismatch(f"event {seq}, {name}", got, expected, seq=seq)


def _short(value: object) -> str:
    if value is None:
        return "null"
    return excerpt(value) if isinstance(value, str) else str(value)
