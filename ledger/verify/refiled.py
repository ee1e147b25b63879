"""A file put together again from its raw records (VERIFY-8).

The envelope says how many rows and corrections a file has and what stands around them. So what was
left out of a log is noticed as soon as the envelope is disclosed, and once all rows are, the bytes
are those of the file, whose length and digest its source may state.
"""

import hashlib
from typing import TYPE_CHECKING

from canon.excerpt import excerpt
from ledger.errors import ExtractionMismatch
from ledger.events import SourceImported

if TYPE_CHECKING:
    from ledger.importers.importer import Layout


class Refiled:
    """One file of a log, as far as its records were disclosed.

    Attributes:
        importer: Which importer reads its records.
    """

    def __init__(self, seq: int, event: SourceImported) -> None:
        """Start at the file's own event."""
        self.importer = event.importer
        self._seq, self._source = seq, event
        self._digest = event.sha256
        self._layout: Layout | None = None
        self._mark = b""
        self._corrections = 0
        self._whole = False
        self._row, self._at, self._size = 0, 0, 0
        self._hash = hashlib.sha256()

    def note(self, seq: int) -> None:
        """Note an event of the file: behind the release and the rows come corrections."""
        if seq > self._seq + 1 and not self.has_row(seq):
            self._corrections += 1

    def has_row(self, seq: int) -> bool:
        """Tell whether an event of the file, behind the release, stands for a row."""
        return seq - self._seq - 2 < self._source.rows

    def digest(self, data: bytes) -> None:
        """Take the disclosed digest of the file.

        Raises:
            ExtractionMismatch: The entry states another.
        """
        if len(data) != hashlib.sha256().digest_size or self._digest not in (None, data):
            stated = "32 bytes" if self._digest is None else self._digest.hex()
            raise self._mismatch("digest", excerpt(data.hex()), stated)
        self._digest = data

    def envelope(self, layout: "Layout") -> None:
        """Take what stands around the rows.

        Raises:
            ExtractionMismatch: The file has other rows or corrections than the log.
        """
        from ledger.importers.importer import MARK  # not before a record was disclosed

        if layout.rows != self._source.rows:
            raise self._mismatch("rows", str(self._source.rows), f"{layout.rows} in its record")
        self._layout, self._mark = layout, MARK
        if self._whole:
            self._check_corrections(layout)
        self._take(b"")

    def row(self, seq: int, data: bytes) -> None:
        """Take the raw record of an event behind the release.

        Raises:
            ExtractionMismatch: It was the last row, and the file has another length or digest; or
                it is a correction, and the file's own list has another in its place.
        """
        if self._layout is not None and not self.has_row(seq):
            self._check_correction(seq, data, self._layout)
        elif self._layout is not None and seq - self._seq - 2 == self._row:
            self._row += 1
            self._take(data)

    def close(self) -> None:
        """Note that no event of the file follows.

        Raises:
            ExtractionMismatch: The file states other corrections than the log has of it.
        """
        self._whole = True
        if self._layout is not None:
            self._check_corrections(self._layout)

    def _check_corrections(self, layout: "Layout") -> None:
        stated = len(layout.corrections)
        if stated != self._corrections:
            raise self._mismatch("corrections", str(self._corrections), f"{stated} in its record")

    def _check_correction(self, seq: int, data: bytes, layout: "Layout") -> None:
        place = seq - self._seq - 2 - self._source.rows
        if data not in layout.corrections[place : place + 1]:
            raise ExtractionMismatch(
                f"event {seq}, record",
                "other bytes",
                f"/corrections/{place} of its release's record",
                seq=seq,
            )

    def _take(self, data: bytes) -> None:
        """Add a row and what stands behind it, up to the next."""
        layout = self._layout
        if layout is None:
            return
        end = layout.around.find(self._mark, self._at)
        behind = layout.around[self._at : end if end >= 0 else None]
        self._at = end + 1
        for part in (data, behind):
            self._hash.update(part)
            self._size += len(part)
        if self._row == self._source.rows:
            self._layout = layout._replace(around=b"")
            self._check_whole()

    def _check_whole(self) -> None:
        if self._size != self._source.size_bytes:
            raise self._mismatch(
                "size_bytes", str(self._source.size_bytes), f"{self._size}, of its records together"
            )
        digest = self._hash.digest()
        if self._digest not in (None, digest):
            raise self._mismatch(
                "digest", str(self._digest and self._digest.hex()), f"{digest.hex()}, of the file"
            )

    def _mismatch(self, name: str, got: str, expected: str) -> ExtractionMismatch:
        return ExtractionMismatch(f"event {self._seq}, {name}", got, expected, seq=self._seq)
