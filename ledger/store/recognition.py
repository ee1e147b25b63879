"""Telling a ledger from any other file, before anything is asked of it or made beside it.

What a file's own schema says runs inside whoever queries it: views, triggers, generated columns
and virtual tables of a stranger are code. So every object is compared with those of a ledger
before a table is read (STORE-19).
"""

import os
import re
import sqlite3
import stat
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ledger.errors import (
    LedgerCorrupt,
    LedgerMissing,
    LedgerReadOnly,
    LedgerSchema,
    LedgerVersion,
    NotALedger,
)

from .schema import APPLICATION_ID, ATTEMPTS, TABLES, TRIGGERS, VERSION

HEADER_BYTES = 100
"""Length of the header of an SQLite file."""

_MAGIC = b"SQLite format 3\0"
_VERSION, _APPLICATION = slice(60, 64), slice(68, 72)
_MADE = "a file made by `coldledger init`"
_TRIGGER = "trigger"
_JOURNAL = "-journal"
_SIDES = ("-wal", "-shm", _JOURNAL)
_REMOVE_SIDE = "move it away: SQLite keeps files of its own under that name"
_REMOVE_JOURNAL = "move it away, then run `coldledger replay --check`, with a checkpoint you kept"
# Far more than the objects of any ledger, and far less than a hostile file can hold.
_MOST_OBJECTS = 100
_MOST_SQL_BYTES = 20_000

Object = tuple[str, str, str]
"""Type, name and table of an object in the schema."""

_PLAIN_ATTEMPTS = re.compile(
    rf"CREATE TABLE {ATTEMPTS} \( ?\w+ TEXT PRIMARY KEY(?:, ?\w+ (?:TEXT|INTEGER)){{0,60}} ?\)"
    r" STRICT"
).fullmatch


def look(path: Path) -> os.stat_result:
    """Return what stands at *path*, a regular file; nothing is opened.

    Raises:
        LedgerMissing: Nothing does.
        NotALedger: Something else does.
        LedgerReadOnly: It cannot be reached.
    """
    try:
        found = os.stat(path)
    except PermissionError as fault:
        raise LedgerReadOnly(str(path), fault.strerror or "no right", "a readable file") from None
    except (OSError, ValueError) as fault:
        got = getattr(fault, "strerror", None) or str(fault)
        got = "no such file" if isinstance(fault, FileNotFoundError) else got
        raise LedgerMissing(str(path), got, "a ledger") from None
    kind = _other_kind(found.st_mode)
    if kind is not None:
        raise NotALedger(str(path), kind, _MADE)
    return found


def check_sides(path: Path) -> None:
    """Refuse what SQLite would take for its own files beside the ledger, and is not.

    It follows links, waits at pipes, and a rollback journal can make it overwrite the ledger and
    delete any file that the journal names. A ledger has a WAL, never a journal.

    Raises:
        NotALedger: A link, folder, pipe or device stands there.
        LedgerCorrupt: A journal does.
    """
    real = path.resolve()
    for side in _SIDES:
        beside = real.with_name(real.name + side)
        try:
            found = os.lstat(beside)
        except OSError:
            continue
        if not stat.S_ISREG(found.st_mode):
            link = stat.S_ISLNK(found.st_mode)
            got = "a symbolic link" if link else str(_other_kind(found.st_mode))
            raise NotALedger(str(beside), got, "a file that SQLite made", remedy=_REMOVE_SIDE)
        if side == _JOURNAL and found.st_size:
            raise LedgerCorrupt(
                str(beside), "a rollback journal", "a ledger with a WAL", remedy=_REMOVE_JOURNAL
            )


def check_header(path: Path) -> None:
    """Refuse a file whose first bytes are not those of a ledger of this version.

    They are read without SQLite, which may make files beside the one that it opens. Closing the
    handle drops every lock that this process holds on the file, so nobody else here may have it
    open (https://www.sqlite.org/howtocorrupt.html, 2.2).

    Raises:
        NotALedger: It is not an SQLite file, or another application's.
        LedgerVersion: It is a ledger of another version.
        LedgerReadOnly: It cannot be read.
    """
    try:
        # Without waiting: a pipe may stand here since the file was looked at.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError as fault:
        got = fault.strerror or str(fault)
        raise LedgerReadOnly(str(path), got, "a file that can be read") from None
    try:
        kind = _other_kind(os.fstat(handle).st_mode)
        header = b"" if kind else os.read(handle, HEADER_BYTES)
    except OSError as fault:
        got = fault.strerror or str(fault)
        raise LedgerReadOnly(str(path), got, "a file that can be read") from None
    finally:
        os.close(handle)
    if len(header) < HEADER_BYTES or not header.startswith(_MAGIC):
        got = kind or ("no SQLite file" if header else "an empty file")
        raise NotALedger(str(path), got, _MADE)
    check_numbers(
        path, int.from_bytes(header[_APPLICATION], "big"), int.from_bytes(header[_VERSION], "big")
    )


def check_numbers(path: Path, application: int, version: int) -> None:
    """Refuse another application's file, and another version's.

    Raises:
        NotALedger, LedgerVersion: As they say.
    """
    if application != APPLICATION_ID:
        raise NotALedger(str(path), f"an SQLite file of application {application:#010x}", _MADE)
    if version != VERSION:
        raise LedgerVersion(str(path), f"version {version}", f"version {VERSION}")


def check_schema(connection: sqlite3.Connection, path: Path) -> list[str]:
    """Compare every object of the file with those of a ledger; return triggers that are missing.

    Triggers guard against slips and can be put back; anything else that is missing, and anything
    that does not belong, is refused.

    Raises:
        LedgerSchema: It names the first object at fault.
    """
    left = dict(_known())
    for kind, name, table, sql in _objects(connection, path):
        place = f"{path}, {kind} {name!r}"
        if (kind, name, table) in left:
            known = left.pop((kind, name, table))
            if known != sql and _normal(known) != _normal(sql):
                raise LedgerSchema(place, "another definition", "that of a ledger")
        elif (kind, name, table) == ("table", ATTEMPTS, ATTEMPTS):
            if not _PLAIN_ATTEMPTS(_normal(sql)):
                raise LedgerSchema(place, "other columns than plain ones", "those of `replay`")
        elif (kind, table, sql) != ("index", ATTEMPTS, None):  # which SQLite makes for the key
            raise LedgerSchema(place, "an object that no ledger has", "only those of a ledger")
    for kind, name, _ in left:
        if kind != _TRIGGER:
            raise LedgerSchema(str(path), f"no {kind} {name!r}", "every table of a ledger")
    return [name for _, name, _ in left]


def put_back(connection: sqlite3.Connection, missing: list[str]) -> None:
    """Make the triggers anew that somebody dropped (STORE-4)."""
    statements = {name: sql for (_, name, _), sql in _known().items() if name in missing}
    for sql in statements.values():
        assert sql is not None, "triggers have a text"  # noqa: S101
        connection.execute(sql)


def _objects(
    connection: sqlite3.Connection, path: Path
) -> Iterator[tuple[str, str, str, str | None]]:
    """Yield type, name, table and text of every object in the schema."""
    rows = connection.execute(
        "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid LIMIT ?",
        (_MOST_OBJECTS + 1,),
    )
    for number, row in enumerate(rows):
        if number == _MOST_OBJECTS:
            raise LedgerSchema(str(path), f"over {_MOST_OBJECTS} objects", "those of a ledger")
        kind, name, table, sql = row
        if not all(isinstance(one, str) for one in row[:3]) or not isinstance(sql, str | None):
            raise LedgerSchema(f"{path}, schema", "a row without names", "objects with names")
        if sql is not None and len(sql) > _MOST_SQL_BYTES:
            raise LedgerSchema(f"{path}, {kind} {name!r}", "a long definition", "a ledger's")
        yield kind, name, table, sql


@cache
def _known() -> dict[Object, str | None]:
    """Return the objects of every ledger, each with its text as SQLite keeps it."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(TABLES + TRIGGERS)
        return {
            (kind, name, table): sql
            for kind, name, table, sql in connection.execute(
                "SELECT type, name, tbl_name, sql FROM sqlite_master"
            )
        }
    finally:
        connection.close()


def _normal(sql: str | None) -> str:
    """Return a definition without quotes and breaks, in which writers of SQL differ."""
    if sql is None:
        return ""  # of an index that SQLite makes itself
    return " ".join(re.sub(r'[\s"\[\]`]+', " ", sql).replace(" ,", ",").split())


def _other_kind(mode: int) -> str | None:
    """Return what stands where a regular file should, None where one does."""
    if stat.S_ISREG(mode):
        return None
    return "a folder" if stat.S_ISDIR(mode) else "a device, pipe or socket"
