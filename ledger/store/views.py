"""Materialised tables for whoever reads the file with SQL (``specs/store.md``).

A view holds the rows of one size and version. It is a cache: droppable, never read by a command,
made anew by ``coldledger replay``, and compared with the events by ``replay --check``.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import sqlite_utils

from .connection import begin
from .faults import faults
from .file import Ledger
from .schema import ATTEMPTS

ATTEMPTS_VERSION = 1

Row = Mapping[str, Any]
"""One row: column to text, number or null."""


class Position(NamedTuple):
    """Which state a view shows.

    Attributes:
        version: Of the projection that made it.
        size: Number of events that it covers.
    """

    version: int
    size: int


def write_attempts(ledger: Ledger, rows: Iterable[Row], size: int) -> int:
    """Replace the table of attempts by *rows*, as of *size*; return how many there are.

    Args:
        ledger: Open for writing.
        rows: One per attempt, with the key ``attempt``.
        size: Number of events that the rows are made from.
    """
    connection = ledger.connection
    database = sqlite_utils.Database(connection)
    made = list(rows)
    with faults(ledger.path):
        # sqlite-utils begins a deferred transaction of its own; the lock is taken first here.
        begin(connection)
        try:
            connection.execute(f"DROP TABLE IF EXISTS {ATTEMPTS}")
            if made:
                database.table(ATTEMPTS).create(
                    {name: _kind(name) for name in made[0]}, pk="attempt", strict=True
                )
                names = ", ".join(made[0])
                marks = ", ".join("?" for _ in made[0])
                connection.executemany(
                    f"INSERT INTO {ATTEMPTS} ({names}) VALUES ({marks})",  # noqa: S608 - names are ours
                    (tuple(row.values()) for row in made),
                )
            connection.execute(
                "INSERT OR REPLACE INTO views VALUES (?, ?, ?)", (ATTEMPTS, ATTEMPTS_VERSION, size)
            )
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # where there is no room, SQLite rolls back by itself
                connection.execute("ROLLBACK")
            raise
    return len(made)


def attempts_position(ledger: Ledger) -> Position | None:
    """Return which state the table of attempts shows, or None where there is none."""
    with faults(ledger.path):
        row = ledger.connection.execute(
            "SELECT version, size FROM views WHERE name = ?", (ATTEMPTS,)
        ).fetchone()
    return None if row is None else Position(*row)


def read_attempts(ledger: Ledger) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table of attempts, by identity."""
    with faults(ledger.path):
        table = sqlite_utils.Database(ledger.connection).table(ATTEMPTS)
        if table.exists():
            yield from table.rows_where(order_by="attempt")


def _kind(name: str) -> type:
    return int if name.endswith("_seq") or name == "reward" else str
