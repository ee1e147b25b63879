"""Rows of a ledger file as what they must be: a file's own schema binds nobody who wrote it.

A column of a STRICT table holds any value once the pages were edited, and an index may yield a
row twice or without end. So types and order are checked where rows come out (STORE-20).
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ledger.errors import LedgerCorrupt

_NAMES = {int: "a number", str: "text", bytes: "bytes", float: "a float", type(None): "null"}
_EVENTS, _BLOBS = "events", "blobs"

Row = tuple[Any, ...]
Kinds = tuple[type | tuple[type, ...], ...]
"""The type of each value, or all that it may have."""


def checked(path: Path, table: str, row: Row, kinds: Kinds) -> Row:
    """Return *row*, whose values must be of *kinds*.

    Raises:
        LedgerCorrupt: One is not; it names the row by its first value.
    """
    found = tuple(map(type, row))
    if found != kinds and not _fit(found, kinds):
        seq = row[0] if table in (_EVENTS, _BLOBS) and type(row[0]) is int else None
        raise LedgerCorrupt(
            f"{path}, {table} {_short(row[0])}", _said(found), _said(kinds), seq=seq
        )
    return row


def in_order(
    path: Path, table: str, rows: Iterable[Row], kinds: Kinds, key: int = 1
) -> Iterator[Row]:
    """Yield *rows*, whose first *key* values must ascend.

    Raises:
        LedgerCorrupt: A row has values of other kinds, or stands out of order or twice.
    """
    last: Row | None = None
    for row in rows:
        checked(path, table, row, kinds)
        # SQLite orders text by its bytes, Python by its code points: in UTF-8 that is the same.
        if last is not None and row[:key] <= last:
            raise LedgerCorrupt(
                f"{path}, {table} {_short(row[0])}", "a row twice or out of order", "ascending rows"
            )
        last = row[:key]
        yield row


def _fit(found: tuple[type, ...], kinds: Kinds) -> bool:
    return len(found) == len(kinds) and all(
        one in kind if isinstance(kind, tuple) else one is kind
        for one, kind in zip(found, kinds, strict=True)
    )


def _said(kinds: Kinds) -> str:
    names = [kind[0] if isinstance(kind, tuple) else kind for kind in kinds]
    return ", ".join(_NAMES.get(kind, kind.__name__) for kind in names)


def _short(value: object) -> str:
    text = value.hex() if isinstance(value, bytes) else str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
