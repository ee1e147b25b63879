"""Opening a ledger file, and SQLite's faults as typed refusals."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from ledger.errors import (
    LedgerCorrupt,
    LedgerExists,
    LedgerLocked,
    LedgerMissing,
    LedgerReadOnly,
    NotALedger,
    StorageFull,
)

from .schema import APPLICATION_ID, PAGE_BYTES, TABLES, TRIGGERS, VERSION

BUSY_SECONDS = 30.0
_FULL, _READONLY, _BUSY, _LOCKED, _NOTADB, _CORRUPT, _IOERR, _CANTOPEN = 13, 8, 5, 6, 26, 11, 10, 14


@contextmanager
def faults(path: Path) -> Iterator[None]:
    """Turn SQLite's errors about *path* into refusals that say what to do."""
    try:
        yield
    except sqlite3.DatabaseError as fault:
        code = getattr(fault, "sqlite_errorcode", 0) & 0xFF
        place, got = str(path), str(fault)
        if code == _FULL:
            raise StorageFull(place, got, "room for the new events") from fault
        if code in (_READONLY, _CANTOPEN):
            raise LedgerReadOnly(place, got, "a file and a folder that can be written") from fault
        if code in (_BUSY, _LOCKED):
            raise LedgerLocked(place, got, "a lock within half a minute") from fault
        if code == _NOTADB:
            raise NotALedger(place, got, "an SQLite file made by `coldledger init`") from fault
        if code in (_CORRUPT, _IOERR):
            raise LedgerCorrupt(place, got, "a whole SQLite file") from fault
        raise


def create(path: Path) -> sqlite3.Connection:
    """Make an empty ledger file at *path* and return a connection to it.

    Raises:
        LedgerExists: Something is there already.
        LedgerReadOnly: The folder cannot be written.
    """
    if path.exists() or path.is_symlink():
        raise LedgerExists(str(path), "a file that exists", "a path where nothing is")
    if not path.parent.is_dir():
        raise LedgerMissing(str(path.parent), "no such folder", "a folder for the ledger")
    with faults(path):
        connection = _connect(f"file:{quote(str(path))}?mode=rwc")
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        _set_modes(connection)
        connection.executescript(f"BEGIN; {TABLES} {TRIGGERS} COMMIT;")
    return connection


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """Open the ledger file at *path*.

    Raises:
        LedgerMissing: There is no such file.
        NotALedger: It is not a ledger, or one of another version.
    """
    if not path.exists():
        raise LedgerMissing(str(path), "no such file", "a ledger")
    if path.is_dir():
        raise NotALedger(str(path), "a folder", "an SQLite file made by `coldledger init`")
    with faults(path):
        connection = _open_existing(path, write=write)
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if (application, version) != (APPLICATION_ID, VERSION):
            connection.close()
            raise NotALedger(
                str(path), f"application {application:#x}, version {version}", "a ledger, version 1"
            )
    return connection


def _open_existing(path: Path, *, write: bool) -> sqlite3.Connection:
    name = f"file:{quote(str(path))}"
    if write:
        connection = _connect(f"{name}?mode=rw")
        _set_modes(connection)
        return connection
    connection = _connect(f"{name}?mode=ro")
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        # A WAL database in a folder that cannot be written opens only as immutable, which is
        # right as long as no WAL holds newer pages.
        wal = path.with_name(path.name + "-wal")
        connection.close()
        if wal.exists() and wal.stat().st_size:
            raise
        connection = _connect(f"{name}?mode=ro&immutable=1")
    return connection


def _connect(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_SECONDS)
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _set_modes(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")
