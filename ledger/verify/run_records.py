"""Files of runs, put together again from what is disclosed of them (VERIFY-25, VERIFY-26).

A stream is the lines of its records, one after the other; a document stands whole in one slot, and
names its items. What is read again is compared field by field, and what a file has in all with the
size and the digests that its event states.
"""

import hashlib
from typing import TYPE_CHECKING

from canon.excerpt import excerpt
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

    def __init__(self, seq: int, event: FileObserved, before: "_Version | None") -> None:
        self.seq, self.event = seq, event
        self.shorter: _Sums | None = None
        self.items: list[Named] | None = None
        self.sums: _Sums | None = None
        self._next = event.kept
        self._stated: dict[str, bytes] = {}
        if event.role in STREAM_ROLES and event.state == "present":
            self.sums = self._begun(before)
            self.check()

    def _begun(self, before: "_Version | None") -> _Sums | None:
        """Return the sums of the lines that an older version has too, where they are known."""
        kept = self.event.kept
        if not kept:
            return _Sums()
        if before is None or not before.is_whole:
            return None
        if kept == before.event.records:
            self.shorter = before.shorter
            return None if before.sums is None else before.sums.copy()
        if kept == before.event.records - 1:
            return None if before.shorter is None else before.shorter.copy()
        return None

    @property
    def is_whole(self) -> bool:
        """Whether all its lines went into its sums."""
        return self.sums is not None and self._next == self.event.records

    def state(self, slot: str, data: bytes) -> None:
        """Take a digest that was disclosed."""
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
        last = line == self.event.records - 1
        if data.find(b"\n", 0, -1) >= 0 or not (data.endswith(b"\n") or (last and data)):
            raise ExtractionMismatch(
                f"event {seq}, record", "bytes that are not one line", "one line", seq=seq
            )
        if self.sums is None or line != self._next:
            self.sums = self.shorter = None
            return
        self._next += 1
        if last:
            self.shorter = self.sums.copy()
        self.sums.add(data)
        self.check()

    def check(self) -> None:
        """Compare what the file has in all, once that is known, with what its event states.

        Raises:
            ExtractionMismatch: They differ.
        """
        if self.sums is None or not self.is_whole:
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
    """Reads disclosed records and files of runs again."""

    def __init__(self) -> None:
        """Start before event 0."""
        self._versions: dict[int, _Version] = {}
        self._newest: _Version | None = None

    def open(self, seq: int, event: FileObserved) -> None:
        """Note a file whose records follow.

        Raises:
            ExtractionMismatch: It has no records that are new, and another size than before.
        """
        before = None if event.supersedes is None else self._versions.pop(event.supersedes, None)
        version = self._newest = _Version(seq, event, before)
        if event.role in STREAM_ROLES:
            # Of documents nothing is kept: no other version builds on their bytes.
            self._versions[seq] = version

    def slot(self, slot: str, data: bytes) -> None:
        """Take a slot of the newest file.

        Raises:
            ExtractionMismatch: The event of the file states another size or digest.
        """
        version = self._newest
        assert version is not None, "a chunk with the event came before"  # noqa: S101
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

        version = self._newest
        assert version is not None, "a record stands behind its file"  # noqa: S101
        check_reader(version.event.reader, seq)
        role, slot = version.event.role, None
        if isinstance(event, ItemDeclared):
            slot = event.slot if role == "evidence" else None
            self._check_item(seq, version, event, data)
        made = event_of(role, event.line, data, event.source, slot)
        for name in type(event).__struct_fields__:
            got, expected = getattr(event, name), getattr(made, name)
            if name != "blobs" and got != expected:
                place = f"event {seq}, {name}"
                words = f"{_short(expected)}, as {version.event.reader} reads the record"
                raise ExtractionMismatch(place, _short(got), words, seq=seq)
        if role in STREAM_ROLES:
            version.line(seq, event.line, data)

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
    return excerpt(value) if isinstance(value, str) else str(value)
