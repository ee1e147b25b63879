"""The rows of a ledger file block by block, read ahead where there are processes for it.

What waits is bounded in number and in bytes, but for the one block that goes over the bound.
"""

from collections import deque
from collections.abc import Iterator
from itertools import count, islice
from typing import TYPE_CHECKING, NamedTuple

from canon.refusal import Refusal

from .events import RECORD
from .store import Ledger

if TYPE_CHECKING:
    from .verify.ahead import Ahead, Found, Readers, Reading

BLOCK, BLOCK_AHEAD = 1_024, 256
"""Rows in a block; fewer where several blocks wait."""

Row = tuple[int, bytes]


class _Waiting(NamedTuple):
    """A block that was read before its turn.

    Attributes:
        rows: In order.
        reading: What is being found out about them.
        size: Bytes that wait.
        fault: What was met where the next row should be.
    """

    rows: list[Row]
    reading: "Reading | None"
    size: int
    fault: Refusal | None


def blocks(ledger: Ledger, readers: "Readers | None") -> Iterator[tuple[list[Row], "Found | None"]]:
    """Yield the rows of *ledger* in order, a block at once, with what was found of them.

    Raises:
        Refusal: A row cannot be read; the rows before it that fill a block came before.
    """
    rows = ledger.entries()
    if readers is None:
        while block := _filled(rows, BLOCK):
            yield block, None
        return
    from .verify.ahead import WAITING_BYTES, Ahead

    ahead, waiting, size = Ahead(readers), deque[_Waiting](), 0
    ended = False
    while waiting or not ended:
        while not ended and len(waiting) < 2 * readers.count and size < WAITING_BYTES:
            one = _read(ledger, rows, ahead)
            ended = not one.rows
            waiting.append(one)
            size += one.size
        one = waiting.popleft()
        size -= one.size
        if one.fault is not None:
            raise one.fault
        if one.rows:
            yield one.rows, None if one.reading is None else one.reading.found()


def _filled(rows: Iterator[Row], most: int) -> list[Row]:
    return list(islice(rows, most))


def _read(ledger: Ledger, rows: Iterator[Row], ahead: "Ahead") -> _Waiting:
    """Read a block and let what needs nothing else be found out."""
    from .verify.ahead import LONGEST_RECORD_BYTES, WAITING_BYTES, Record

    try:
        block = _filled(rows, BLOCK_AHEAD)
    except Refusal as refusal:
        return _Waiting([], None, 0, refusal)
    if not block or any(row != at for (row, _), at in zip(block, count(block[0][0]), strict=False)):
        return _Waiting(block, None, sum(len(data) for _, data in block), None)
    first = block[0][0]
    size = sum(len(data) for _, data in block)
    records: list[Record] = []
    try:
        for blob in ledger.blobs_within(LONGEST_RECORD_BYTES, first, first + len(block)):
            if blob.slot == RECORD and blob.data is not None and size < WAITING_BYTES:
                records.append(Record(blob.seq, blob.seq - first, blob.salt, blob.data))
                size += len(blob.data)
    except Refusal:
        records.clear()  # its turn comes where the block is checked
    return _Waiting(block, ahead.read(first, [data for _, data in block], records), size, None)
