"""The items of a bundle, read ahead of the verifier chunk by chunk (``--jobs``).

A segment is a chunk with the disclosures behind it, or an item of another kind alone. What waits
is bounded in number and in bytes, but for the one item that goes over the bound.
"""

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple, Self

from ledger.bundle.items import Chunk, Disclosure, Item
from ledger.events import RECORD
from ledger.pattern import Seen

from .ahead import LONGEST_RECORD_BYTES, WAITING_BYTES, Ahead, Found, Readers, Reading, Record
from .extraction import Origin

_NOTHING = Found([], {})


class _Segment(NamedTuple):
    """Items that were read, and what is being found out about them.

    Attributes:
        items: In order.
        reading: Of the chunk among them, if there is one.
        size: Bytes that wait.
        fault: What stands behind them, where that is no item.
    """

    items: list[Item]
    reading: Reading | None
    size: int
    fault: Exception | None


class Segments:
    """Yields the items, and says of each what was found out before its turn."""

    def __init__(self, items: Iterator[Item], readers: Readers) -> None:
        self._items, self._ahead, self._most = items, Ahead(readers), 2 * readers.count
        self._next: Item | None = None
        self._ended = False
        self._waiting: deque[_Segment] = deque()
        self._size = 0
        self._found = _NOTHING
        self._order = self._in_order()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Item:
        return next(self._order)

    def seen(self, place: int) -> Seen | None:
        """Return what was found of an entry of the newest chunk."""
        return self._found.seen[place] if self._found.seen else None

    def agreed(self, item: Disclosure) -> Origin | None:
        """Return what a disclosure was read with, where all of it held."""
        return self._found.agreed.get(item.offset)

    def _in_order(self) -> Iterator[Item]:
        self._fill()
        while self._waiting:
            segment = self._waiting.popleft()
            if segment.reading is not None:
                self._found = segment.reading.found() or _NOTHING
            yield from segment.items
            self._size -= segment.size
            if segment.fault is not None:
                raise segment.fault
            self._fill()

    def _fill(self) -> None:
        while not self._ended and len(self._waiting) < self._most and self._size < WAITING_BYTES:
            segment = self._read_segment()
            self._waiting.append(segment)
            self._size += segment.size

    def _read_segment(self) -> _Segment:
        items: list[Item] = []
        size, fault = 0, None
        try:
            while size < WAITING_BYTES:
                item = self._next or next(self._items, None)
                self._next = None
                if item is None:
                    self._ended = True
                    break
                if items and not isinstance(item, Disclosure):
                    self._next = item
                    break
                items.append(item)
                size += _size_of(item)
                if not isinstance(item, (Chunk, Disclosure)):
                    break
        except Exception as met:  # its turn comes behind the items before it
            self._ended, fault = True, met
        return _Segment(items, self._reading(items), size, fault)

    def _reading(self, items: list[Item]) -> Reading | None:
        chunk = items[0] if items else None
        if not isinstance(chunk, Chunk):
            return None
        records = [
            Record(item.offset, item.seq - chunk.first, item.salt, item.data)
            for item in items
            if isinstance(item, Disclosure)
            and item.slot == RECORD
            and 0 <= item.seq - chunk.first < len(chunk.entries)
            and len(item.data) <= LONGEST_RECORD_BYTES
        ]
        return self._ahead.read(chunk.first, chunk.entries, records)


def _size_of(item: Item) -> int:
    """Return how many bytes of an item can be many."""
    if isinstance(item, Chunk):
        return sum(map(len, item.entries))
    return len(item.data) if isinstance(item, Disclosure) else 0
