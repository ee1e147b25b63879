"""A ledger that nobody keeps: for judging what is never to stand in a log."""

import sqlite3
from pathlib import Path
from typing import Self

from .connection import Connection, set_limits
from .faults import faults
from .file import Ledger
from .schema import PAGE_BYTES, TABLES, TRIGGERS

_NOWHERE = Path("(a ledger that is not kept)")


class PassingLedger(Ledger):
    """A ledger without a path, gone when it is closed.

    It has the tables and triggers of any other, so whatever reads a ledger reads this one alike.
    SQLite holds a few MiB of it and the rest in a file without a name, so that a long run takes no
    more memory than a short one.
    """

    @classmethod
    def make(cls, origin: str, genesis: bytes) -> Self:
        """Make an empty ledger whose first entry will follow *genesis*, 32 bytes."""
        # An empty name is a private database that may spill to the disk; `:memory:` never does.
        connection = sqlite3.connect("", isolation_level=None, factory=Connection)
        try:
            with faults(_NOWHERE):
                set_limits(connection)
                connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
                connection.executescript(f"BEGIN; {TABLES} {TRIGGERS} COMMIT;")
                connection.execute("INSERT INTO head VALUES (0, ?, 0, ?, x'')", (origin, genesis))
        except BaseException:
            connection.close()
            raise
        return cls(connection, _NOWHERE)

    def _check_place(self) -> None:
        """Accept: no path leads to it, so none can lead to another."""
