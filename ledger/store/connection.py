"""Opening a ledger file, so that nothing in it or in its name can do harm."""

import os
import sqlite3
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ledger.errors import (
    LedgerCorrupt,
    LedgerExists,
    LedgerMissing,
    LedgerReadOnly,
    LedgerSchema,
)
from ledger.files import BUSY_SECONDS

from .faults import faults
from .recognition import (
    check_header,
    check_numbers,
    check_schema,
    check_sides,
    look,
    put_back,
)
from .schema import APPLICATION_ID, PAGE_BYTES, TABLES, TRIGGERS, VERSION

_STEP_MS = 250
MAX_ROW_BYTES = 257 * 2**20
"""The longest blob, and room for the rest of its row."""

_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: MAX_ROW_BYTES,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 50,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 4,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 8,
    sqlite3.SQLITE_LIMIT_ATTACHED: 1,  # which VACUUM needs
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 100,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 2,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}

_NO_ROOM_BESIDE = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
"""How SQLite says that it cannot make the files which it wants beside a WAL database."""

Inode = tuple[int, int]

_lock = threading.Lock()
_opened: Counter[Inode] = Counter()
"""Files that this process has open, and how often."""


class Connection(sqlite3.Connection):
    """A connection that knows which file it has open.

    Attributes:
        inode: Device and number of the file.
    """

    inode: Inode | None = None

    def register(self, inode: Inode) -> None:
        """Note that this process has the file open, until this connection closes."""
        self.inode = inode
        with _lock:
            _opened[inode] += 1

    def close(self) -> None:
        """Close the file; closing again does nothing."""
        super().close()
        inode, self.inode = self.inode, None
        if inode is not None:
            with _lock:
                _opened[inode] -= 1
                if not _opened[inode]:
                    del _opened[inode]


def create(path: Path) -> Connection:
    """Make an empty ledger file at *path* and return a connection to it.

    Raises:
        LedgerExists: Something is there already.
        LedgerReadOnly: The folder cannot be written.
    """
    try:
        # Whoever makes the file first has it, however many try (STORE-8).
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644))
    except FileExistsError:
        raise LedgerExists(str(path), "a file that exists", "a path where nothing is") from None
    except (FileNotFoundError, NotADirectoryError):
        raise LedgerMissing(str(path.parent), "no such folder", "a folder for the ledger") from None
    except (OSError, ValueError) as fault:
        got = getattr(fault, "strerror", None) or str(fault)
        raise LedgerReadOnly(str(path), got, "a folder that can be written") from None
    try:
        with faults(path):
            connection = _connect(path, "mode=rw")
            try:
                connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {VERSION}")
                # Before the WAL is switched on, so that the file alone shows what it is.
                connection.executescript(f"BEGIN; {TABLES} {TRIGGERS} COMMIT;")
                _set_modes(connection)
            except BaseException:
                connection.close()
                raise
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    connection.register(_inode(look(path)))
    return connection


def connect(path: Path, *, write: bool) -> Connection:
    """Open the ledger file at *path*, once it was recognised as one.

    Raises:
        LedgerMissing: There is no such file.
        NotALedger, LedgerVersion, LedgerSchema: It is no ledger of this version.
        LedgerReadOnly, LedgerLocked, LedgerCorrupt, StorageFailed: As they say.
    """
    found = look(path)
    check_sides(path)
    if not _opened[_inode(found)]:
        check_header(path)
        if not _has_wal(path):
            _check_alone(path, found)
    with faults(path):
        connection = _connect(path, "mode=rw") if write else _open_to_read(path)
        try:
            check_numbers(path, _number(connection, "application_id"), _version(connection))
            missing = check_schema(connection, path)
            if write:
                _set_modes(connection)
                if missing:
                    _put_back(connection, path)
        except BaseException:
            connection.close()
            raise
    connection.register(_inode(found))
    return connection


def begin(connection: Connection) -> None:
    """Take the write lock and begin; wait half a minute for it, and less after Ctrl-C.

    SQLite's own waiting would let no signal through before its end.
    """
    give_up = time.monotonic() + BUSY_SECONDS
    connection.execute(f"PRAGMA busy_timeout = {_STEP_MS}")
    try:
        while True:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as fault:
                if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                    raise
                if time.monotonic() > give_up:
                    raise
            else:
                return
    finally:
        connection.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1_000)}")


def set_limits(connection: sqlite3.Connection) -> None:
    """Set what a connection may do at most, whatever the file says."""
    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_VIEW, False)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")


def is_at(connection: Connection, path: Path) -> bool:
    """Tell whether *path* still leads to the file that *connection* has open."""
    try:
        return _inode(os.stat(path)) == connection.inode
    except OSError:
        return False


def wal_of(path: Path) -> Path:
    """Return where SQLite keeps the write-ahead log: beside the file, not beside links to it."""
    real = path.resolve()
    return real.with_name(real.name + "-wal")


def _check_alone(path: Path, found: os.stat_result) -> None:
    """Compare the schema without any file beside: nobody writes, since there is no WAL.

    Raises:
        LedgerSchema, LedgerCorrupt: The file is no ledger.
    """
    try:
        with faults(path):
            connection = _connect(path, "mode=ro&immutable=1")
            try:
                check_schema(connection, path)
            finally:
                connection.close()
    except (LedgerSchema, LedgerCorrupt):
        now = look(path)
        same = (now.st_size, now.st_mtime_ns) == (found.st_size, found.st_mtime_ns)
        if same and not _has_wal(path):
            raise
        # Somebody began to write meanwhile: what was read may be half of two states.


def _open_to_read(path: Path) -> Connection:
    connection = _connect(path, "mode=ro")
    try:
        _version(connection)
    except sqlite3.OperationalError as fault:
        # A WAL database in a folder that cannot be written opens only as immutable, which is
        # right as long as no WAL holds newer pages.
        connection.close()
        if fault.sqlite_errorcode & 0xFF not in _NO_ROOM_BESIDE or _has_wal(path):
            raise
        connection = _connect(path, "mode=ro&immutable=1")
    except BaseException:
        connection.close()
        raise
    return connection


def _has_wal(path: Path) -> bool:
    try:
        return os.stat(wal_of(path)).st_size > 0
    except OSError:
        return False


def _connect(path: Path, query: str) -> Connection:
    # As bytes, since a name need not be UTF-8; behind an empty authority, since a path may begin
    # with two slashes.
    raw = os.fsencode(path)
    uri = f"file:{'//' if raw.startswith(b'/') else ''}{quote(raw)}?{query}"
    connection = sqlite3.connect(
        uri, uri=True, isolation_level=None, timeout=BUSY_SECONDS, factory=Connection
    )
    set_limits(connection)
    return connection


def _put_back(connection: Connection, path: Path) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        put_back(connection, check_schema(connection, path))  # another may have been faster
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _set_modes(connection: Connection) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")


def _number(connection: Connection, pragma: str) -> int:
    value: Any = connection.execute(f"PRAGMA {pragma}").fetchone()[0]
    return int(value)


def _version(connection: Connection) -> int:
    return _number(connection, "user_version")


def _inode(found: os.stat_result) -> Inode:
    return found.st_dev, found.st_ino
