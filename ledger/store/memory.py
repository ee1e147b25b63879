"""A ledger that no file holds: for judging what is never to be kept."""

import sqlite3
from pathlib import Path
from typing import Self

from .connection import Connection, set_limits
from .faults import faults
from .file import Ledger
from .schema import TABLES, TRIGGERS

_NOWHERE = Path(":memory:")


class MemoryLedger(Ledger):
    """A ledger in the memory of this process, gone when it is closed.

    It has the same tables and triggers, so whatever reads a ledger reads this one alike.
    """

    @classmethod
    def make(cls, origin: str, genesis: bytes) -> Self:
        """Make an empty ledger whose first entry will follow *genesis*, 32 bytes."""
        connection = sqlite3.connect(":memory:", isolation_level=None, factory=Connection)
        try:
            with faults(_NOWHERE):
                set_limits(connection)
                connection.executescript(f"BEGIN; {TABLES} {TRIGGERS} COMMIT;")
                connection.execute("INSERT INTO head VALUES (0, ?, 0, ?, x'')", (origin, genesis))
        except BaseException:
            connection.close()
            raise
        return cls(connection, _NOWHERE)

    def _check_place(self) -> None:
        """Accept: no path leads to it, so none can lead to another."""
