"""The items of a CBOR sequence, one after another, in bounded memory (``specs/canon.md``, Frames).

cbor2 raises the same error for a clean end and for a truncation, and reads an item of any size. So
a sequence is framed here: the reader asks for the head that must come next, and says how long a
string may be before any of it is read. The writers at the end make what the reader accepts.
"""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from canon.errors import Frame, Limit, Truncated
from canon.scan import ARRAY, BYTES, INT_LIMIT, LEAST, MAJOR_NAMES, TEXT, UNSIGNED, WIDTHS
from canon.text import check_text, decode_text

_BLOCK_BYTES = 65_536
_Bytes: TypeAlias = bytes  # the reader has a method of that name


class Source(Protocol):
    """Where the bytes come from: any binary file."""

    def read(self, size: int, /) -> bytes:
        """Return at most *size* bytes, none at the end."""


class Heads:
    """Reads a CBOR sequence head by head; every fault carries its offset in the stream.

    Attributes:
        tap: Receives every byte that is consumed, in order, while it is not None.

    """

    def __init__(self, stream: Source, tap: Callable[[bytes], None] | None = None) -> None:
        self.tap = tap
        self._stream = stream
        self._block = b""
        self._at = 0  # offset in the block of the next byte
        self._base = 0  # offset in the stream of the block

    @property
    def offset(self) -> int:
        """Offset of the next item: the bytes consumed so far."""
        return self._base + self._at

    def at_end(self) -> bool:
        """Tell whether the stream ends here, cleanly, between two items (CANON-21)."""
        if self._at == len(self._block):
            self._refill()
        return not self._block

    def array(self) -> int:
        """Read the head of an array and return how many items follow.

        Raises:
            Frame: Another item stands here, or its head is not the shortest (CANON-20).
            Truncated: The stream ends inside the head (CANON-21).

        """
        return self._head(ARRAY)

    def uint(self) -> int:
        """Read an unsigned integer below 2^63.

        Raises:
            Frame: Another item or a larger number stands here, or a longer head (CANON-20).
            Truncated: The stream ends inside the head (CANON-21).

        """
        start = self.offset
        number = self._head(UNSIGNED)
        if number >= INT_LIMIT:
            raise Frame(f"byte {start}", str(number), "an integer below 2^63", offset=start)
        return number

    def text(self, limit: int) -> str:
        """Read canonical text of at most *limit* bytes.

        Raises:
            Refusal: As ``bytes``, and as ``decode_text`` for bytes that are not canonical text.

        """
        start = self.offset
        return decode_text(self._string(TEXT, limit), f"byte {start}", start)

    def bytes(self, limit: int) -> _Bytes:
        """Read a byte string of at most *limit* bytes.

        Raises:
            Frame: Another item stands here, or its head is not the shortest (CANON-20).
            Truncated: The stream ends inside the item (CANON-21).
            Limit: The stated length is over the limit; nothing of it was read (CANON-22).

        """
        return self._string(BYTES, limit)

    def _head(self, major: int) -> int:
        """Read a head of this *major* type and return its number."""
        # Most heads are one byte, and here; any other goes the way that names faults.
        if self._at < len(self._block):
            number = self._block[self._at] - (major << 5)
            if 0 <= number < 24:
                self._consume(1)
                return number
        start = self.offset
        if self.at_end():
            raise Truncated(f"byte {start}", "the end", MAJOR_NAMES[major], offset=start)
        initial = self._block[self._at]
        if initial >> 5 != major:
            got = MAJOR_NAMES[initial >> 5]
            raise Frame(f"byte {start}", got, MAJOR_NAMES[major], offset=start)
        info = initial & 31
        if info < 24:
            self._consume(1)
            return info
        if info not in WIDTHS:
            got = f"{MAJOR_NAMES[major]} with initial byte {initial:02x}"
            raise Frame(f"byte {start}", got, "a stated length or number", offset=start)
        width = WIDTHS[info]
        number = int.from_bytes(self._take(1 + width, start)[1:], "big")
        if number < LEAST[info]:
            got = f"{number} in {width} more bytes"
            raise Frame(f"byte {start}", got, "the shortest head", offset=start)
        return number

    def _string(self, major: int, limit: int) -> _Bytes:
        # Nearly every string has a head of up to three bytes, and all of it is in the block.
        # Whatever is not so plain goes the way that names faults.
        block, at = self._block, self._at
        if at + 2 < len(block):
            begin, length, least = at + 1, block[at] - (major << 5), 0
            if length == 24:
                begin, length, least = at + 2, block[at + 1], 24
            elif length == 25:
                begin, length, least = at + 3, block[at + 1] << 8 | block[at + 2], 256
            elif length > 23:
                least = length + 1  # a head of another length or kind
            end = begin + length
            if least <= length <= limit and end <= len(block):
                self._at = end
                if self.tap is not None:
                    self.tap(block[at:end])
                return block[begin:end]
        start = self.offset
        length = self._head(major)
        if length > limit:
            raise Limit(f"byte {start}", f"{length} bytes", f"at most {limit} bytes", offset=start)
        return self._take(length, start)

    def _take(self, count: int, start: int) -> _Bytes:
        """Consume *count* bytes of the item at *start*.

        What is allocated grows with what has arrived, never with what was stated.
        """
        if count <= len(self._block) - self._at:
            return self._consume(count)
        pieces: list[_Bytes] = []
        missing = count
        while missing and not self.at_end():
            piece = self._consume(min(missing, len(self._block) - self._at))
            pieces.append(piece)
            missing -= len(piece)
        if missing:
            got = f"{count - missing} of {count} bytes"
            raise Truncated(f"byte {start}", got, "the whole item", offset=start)
        return b"".join(pieces)

    def _consume(self, count: int) -> _Bytes:
        """Return the next *count* bytes of the block and show them to the tap."""
        end = self._at + count
        piece = self._block[self._at : end]
        self._at = end
        if self.tap is not None:
            self.tap(piece)
        return piece

    def _refill(self) -> None:
        self._base += len(self._block)
        self._block = self._stream.read(_BLOCK_BYTES)
        self._at = 0


def head(major: int, number: int) -> bytes:
    """Return the shortest head of major type 0 to 6 with *number*, below 2^64."""
    first = major << 5
    if number < 24:
        return bytes((first | number,))
    if number < 256:
        return bytes((first | 24, number))
    info = 25 if number < 2**16 else 26 if number < 2**32 else 27
    return bytes((first | info,)) + number.to_bytes(WIDTHS[info], "big")


def array_head(count: int) -> bytes:
    """Return the head of an array of *count* items, which are to follow."""
    return head(ARRAY, count)


def uint_item(number: int) -> bytes:
    """Return the item of an unsigned integer below 2^63."""
    if not 0 <= number < INT_LIMIT:
        raise Frame("unsigned integer", str(number), "0 … 2^63-1")
    return head(UNSIGNED, number)


def bytes_item(data: bytes) -> bytes:
    """Return the item of a byte string."""
    return head(BYTES, len(data)) + data


def text_item(text: str) -> bytes:
    """Return the item of *text*, which must be canonical.

    Raises:
        Refusal: As ``check_text``.

    """
    check_text(text, "text")
    data = text.encode()
    return head(TEXT, len(data)) + data
