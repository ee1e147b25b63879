"""Whatever stands in the tables of a file, reading it ends in a value of its type or a refusal."""

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from bundle_world import AT, FAILED, Entropy, World, release, row, world

from canon.refusal import Refusal
from ledger.check import check_ledger
from ledger.decide import catch_up, replay_of
from ledger.errors import LedgerCorrupt
from ledger.store import Ledger
from ledger.tables import rebuild

ROUNDS = 40
VALUES = ("NULL", "9223372036854775807", "CAST(x'ff80' AS TEXT)", "x'ff'")
COLUMNS = {
    "events": ("entry",),
    "blobs": ("slot", "salt", "bytes"),
    "documents": ("digest", "bytes"),
    "identities": ("key", "seq"),
    "head": ("origin", "size", "leaf", "frontier"),
    "views": ("name", "version", "size"),
    "attempts": ("report_seq", "outcome"),
}


@pytest.fixture(scope="module")
def made() -> Iterator[World]:
    """Return a ledger with a release, an edition and the table of attempts."""
    with world("rows") as here:
        here.imports(release([row(1), row(2, **FAILED)]))
        here.freezes()
        catch_up(here.replay, here.ledger)
        rebuild(here.ledger, here.replay)
        yield here


@pytest.fixture
def copy(made: World, tmp_path: Path) -> Path:
    """Return a copy of the ledger."""
    path = tmp_path / "copy.db"
    made.ledger.backup(path)
    return path


def put(path: Path, table: str, column: str, value: str) -> None:
    """Write a value into a column that is declared to hold others."""
    with closing(sqlite3.connect(path)) as database:
        triggers = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in triggers.fetchall():
            database.execute(f'DROP TRIGGER "{name}"')
        declared = database.execute(
            "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)
        ).fetchone()[0]
        loose = declared.replace("STRICT", "").replace(", WITHOUT", "WITHOUT")
        for word in ("NOT NULL", " TEXT", " BLOB"):
            loose = loose.replace(word, "")
        if "PRIMARY KEY (seq, slot)" not in loose:
            loose = loose.replace("\n  seq INTEGER\n)", "\n  seq\n)")
        _declare(database, table, loose)
    with closing(sqlite3.connect(path)) as database:
        with suppress(sqlite3.IntegrityError):  # a key is never null
            database.execute(f"UPDATE OR REPLACE {table} SET {column} = {value}")  # noqa: S608
        database.commit()
        _declare(database, table, declared)


def _declare(database: sqlite3.Connection, table: str, sql: str) -> None:
    database.execute("PRAGMA writable_schema = ON")
    database.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (sql, table))
    database.commit()


def read_all(ledger: Ledger) -> None:
    """Read every table by every way of reading it."""
    catch_up(replay_of(ledger), ledger)
    for seq, _ in ledger.entries():
        ledger.entry(seq)
    for blob in ledger.blobs():
        ledger.blob(blob.seq, blob.slot)
    for digest, _ in ledger.documents():
        ledger.document(digest)
    for key, _ in ledger.identities():
        ledger.seq_of(key)
    ledger.head()


def append(ledger: Ledger) -> None:
    """Begin to append."""
    with ledger.batch(at=AT, entropy=Entropy("x")):
        pass


def check(ledger: Ledger) -> None:
    """Raise what a check finds."""
    verdict = check_ledger(ledger)
    if verdict.error is not None:
        raise LedgerCorrupt("file", verdict.error.message, "a ledger")


@pytest.mark.parametrize(
    ("table", "column"), [(table, one) for table, many in COLUMNS.items() for one in many]
)
def test_a_value_of_another_type_is_refused(copy: Path, table: str, column: str) -> None:
    """A schema binds nobody who can edit the file (STORE-20)."""
    clean = copy.read_bytes()
    for value in VALUES:
        copy.write_bytes(clean)
        put(copy, table, column, value)
        works: list[Callable[[Ledger], None]] = [read_all, append, check]
        for work in works:
            with suppress(Refusal), Ledger.open(copy, write=work is append) as ledger:
                work(ledger)
        if (column, value) != ("key", "NULL"):
            with pytest.raises(Refusal), Ledger.open(copy) as ledger:
                check(ledger)


def test_a_key_that_no_row_can_have_is_not_there(made: World) -> None:
    """Text that is not Unicode, and numbers over 64 bits, are not in the file (STORE-20)."""
    assert made.ledger.seq_of("edition:\udcff") is None
    assert made.ledger.entry(2**70) is None
    assert made.ledger.blob(-(2**70), "record") is None
    assert list(made.ledger.entries(0, 2**70)) == list(made.ledger.entries())


def test_any_damage_is_a_refusal(copy: Path) -> None:
    """Bytes anywhere, most of all where SQLite keeps its own account (STORE-20)."""
    chance = random.Random(20260101)
    clean = copy.read_bytes()
    refused = 0
    for _ in range(ROUNDS):
        data = bytearray(clean)
        for _ in range(chance.choice((1, 2, 5, 30))):
            page = chance.randrange(len(data) // 16_384)
            place = page * 16_384 + chance.choice((chance.randrange(200), chance.randrange(16_384)))
            data[place] = chance.choice((0, 255, chance.randrange(256)))
        if chance.random() < 0.1:
            del data[chance.randrange(len(data)) :]
        copy.write_bytes(data)
        for work in (read_all, check, append):
            try:
                with Ledger.open(copy, write=work is append) as ledger:
                    work(ledger)
            except Refusal:
                refused += 1
    assert refused > ROUNDS // 2
