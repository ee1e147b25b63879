"""SQLite's faults as typed refusals: no error of the database leaves the store as it is."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from canon.refusal import Refusal
from ledger.errors import (
    LedgerCorrupt,
    LedgerLocked,
    LedgerMoved,
    LedgerReadOnly,
    NotALedger,
    StorageFailed,
    StorageFull,
)

_MISUSE = 21
_READONLY_DBMOVED = 1_032
_IOERR_SHORT_READ, _IOERR_CORRUPTFS = 522, 8_458
_WRITABLE = "a file and a folder that can be written"
_WHOLE = "a whole ledger file"
_IN_USE = "a lock within half a minute"

_BY_CODE: dict[int, tuple[type[Refusal], str]] = {
    3: (LedgerReadOnly, _WRITABLE),  # SQLITE_PERM
    5: (LedgerLocked, _IN_USE),  # SQLITE_BUSY
    6: (LedgerLocked, _IN_USE),  # SQLITE_LOCKED
    8: (LedgerReadOnly, _WRITABLE),  # SQLITE_READONLY
    10: (StorageFailed, "a disk that reads and writes"),  # SQLITE_IOERR
    13: (StorageFull, "room for what is written"),  # SQLITE_FULL
    14: (LedgerReadOnly, _WRITABLE),  # SQLITE_CANTOPEN
    15: (LedgerLocked, _IN_USE),  # SQLITE_PROTOCOL: the lock was lost to others again and again
    22: (StorageFull, "a file system for files of that size"),  # SQLITE_NOLFS
    26: (NotALedger, "an SQLite file made by `coldledger init`"),  # SQLITE_NOTADB
}
"""Primary result codes of SQLite; every other one means that the file contradicts itself."""

_BY_EXTENDED: dict[int, tuple[type[Refusal], str]] = {
    _READONLY_DBMOVED: (LedgerMoved, "the file that was opened"),
    _IOERR_SHORT_READ: (LedgerCorrupt, _WHOLE),
    _IOERR_CORRUPTFS: (LedgerCorrupt, _WHOLE),
}


_Errors = tuple[type[Exception], ...]
_ALL: _Errors = (sqlite3.Error, UnicodeDecodeError)
OF_SQLITE: _Errors = (sqlite3.Error,)
"""For blocks in which others run code of their own, whose text errors are not the file's."""


@contextmanager
def faults(path: Path, errors: _Errors = _ALL) -> Iterator[None]:
    """Turn SQLite's errors about *path* into refusals that say what to do (STORE-20).

    Args:
        path: The file.
        errors: What is a fault of the file; SQLite's own messages may hold its bytes, and fail to
            decode.
    """
    try:
        yield
    except errors as fault:
        code = getattr(fault, "sqlite_errorcode", 0)
        if code == _MISUSE or isinstance(fault, sqlite3.ProgrammingError):
            raise  # this program's own fault, which no file can cause
        kind, expected = (
            _BY_EXTENDED.get(code) or _BY_CODE.get(code & 0xFF) or (LedgerCorrupt, _WHOLE)
        )
        raise kind(str(path), str(fault), expected) from fault
