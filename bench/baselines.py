"""What the works are measured against: the least that SQLite, SHA-256 and Python can do."""

import hashlib
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

from ledger.store.schema import PAGE_BYTES

from .inputs import Inputs
from .watch import Watch
from .works import SINGLES, start

_TABLE = "CREATE TABLE events (seq INTEGER PRIMARY KEY, entry BLOB NOT NULL) STRICT"
_INSERT = "INSERT INTO events VALUES (?, ?)"


def raw_append(inputs: Inputs, watch: Watch) -> int:
    """Insert the same entries with ``executemany``, 1,000 per durable transaction."""
    count = 0
    with _fresh(inputs) as connection:
        for batch in inputs.entries():
            with watch.running():
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany(_INSERT, batch)
                connection.execute("COMMIT")
            count += len(batch)
    return count


def raw_single(inputs: Inputs, watch: Watch) -> int:
    """Insert the same entries one by one, each durable before the next."""
    batch = next(inputs.entries())[:SINGLES]
    with _fresh(inputs) as connection, watch.running():
        for row in batch:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(_INSERT, row)
            connection.execute("COMMIT")
    return len(batch)


def scan(inputs: Inputs, watch: Watch) -> int:
    """Read the entries with ``SELECT``."""
    return _scan(inputs, watch, "SELECT seq, entry FROM events ORDER BY seq")


def scan_blobs(inputs: Inputs, watch: Watch) -> int:
    """Read the entries and the blobs with ``SELECT``."""
    return _scan(
        inputs,
        watch,
        "SELECT seq, entry FROM events ORDER BY seq",
        "SELECT seq, slot, salt, bytes FROM blobs ORDER BY seq, slot",
    )


def hashing(inputs: Inputs, watch: Watch) -> int:
    """Hash the entries with ``hashlib``, each by itself."""
    entries = [entry for _, entry in chain.from_iterable(inputs.entries())]
    with watch.running():
        for entry in entries:
            hashlib.sha256(entry).digest()
    return len(entries)


def python(inputs: Inputs, watch: Watch) -> int:
    """Start Python and do nothing."""
    return start(inputs, watch, sys.executable, "-c", "pass")


def _scan(inputs: Inputs, watch: Watch, entries: str, *others: str) -> int:
    count = 0
    connection = sqlite3.connect(inputs.ledger)
    try:
        with watch.running():
            for _ in connection.execute(entries):
                count += 1
            for other in others:
                for _ in connection.execute(other):
                    pass
    finally:
        connection.close()
    return count


@contextmanager
def _fresh(inputs: Inputs) -> Iterator[sqlite3.Connection]:
    """Make an empty database with the ledger's page size and durability, and nothing else."""
    with tempfile.TemporaryDirectory(dir=inputs.folder) as folder:
        connection = sqlite3.connect(Path(folder) / "raw.db", isolation_level=None)
        try:
            connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(_TABLE)
            yield connection
        finally:
            connection.close()
