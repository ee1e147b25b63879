"""A stranger's file is told from a ledger before it is believed, changed, or joined by others."""

import os
import socket
import sqlite3
import struct
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from bundle_world import AT, FAILED, Entropy, World, release, row, world

from canon.refusal import Refusal
from ledger.check import check_ledger
from ledger.decide import catch_up, replay_of
from ledger.errors import (
    LedgerCorrupt,
    LedgerMissing,
    LedgerReadOnly,
    LedgerSchema,
    LedgerVersion,
    NotALedger,
)
from ledger.store import Ledger
from ledger.store.schema import APPLICATION_ID
from ledger.tables import rebuild

Edit = Callable[[sqlite3.Connection], object]


@pytest.fixture(scope="module")
def made() -> Iterator[World]:
    """Return a ledger with a release and its table of attempts, which is never changed."""
    with world("recognised") as here:
        here.imports(release([row(1), row(2, **FAILED)]))
        catch_up(here.replay, here.ledger)
        rebuild(here.ledger, here.replay)
        yield here


@pytest.fixture
def copy(made: World, tmp_path: Path) -> Path:
    """Return a copy of the ledger, alone in its folder."""
    path = tmp_path / "copy.db"
    made.ledger.backup(path)
    return path


def foreign(path: Path, *statements: str, application: int = 0, journal: str = "DELETE") -> None:
    """Make an SQLite file of another application."""
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA application_id = {application}")
        database.execute("PRAGMA user_version = 1")
        for statement in statements:
            database.execute(statement)
        database.commit()
        database.execute(f"PRAGMA journal_mode = {journal}")


def edit(path: Path, *statements: str) -> None:
    """Change the file of a ledger, its schema included."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            database.execute(statement)
        database.commit()


def opened_in_vain(path: Path, *kinds: type[Refusal]) -> Refusal:
    """Return what opening is refused with, to read and to write; nothing changes by it."""
    files = {one.name: one.read_bytes() for one in path.parent.iterdir() if one.is_file()}
    found: list[Refusal] = []
    for write in (False, True):
        with pytest.raises(kinds) as caught:
            Ledger.open(path, write=write)
        assert str(path) in caught.value.place
        assert caught.value.remedy
        found.append(caught.value)
        after = {one.name: one.read_bytes() for one in path.parent.iterdir() if one.is_file()}
        assert after == files
    assert found[0].code == found[1].code
    return found[0]


@pytest.mark.parametrize("journal", ["DELETE", "WAL"])
@pytest.mark.parametrize("application", [0, 0x12345678])
def test_another_application_s_database_is_left_alone(
    tmp_path: Path, journal: str, application: int
) -> None:
    """It is not switched to WAL, and nothing is made beside it (STORE-9, STORE-19)."""
    path = tmp_path / "browser.db"
    foreign(path, "CREATE TABLE events (seq, entry)", application=application, journal=journal)
    assert "application" in opened_in_vain(path, NotALedger).got


@pytest.mark.parametrize("journal", ["DELETE", "WAL"])
def test_a_stranger_with_a_ledger_s_number_is_left_alone(tmp_path: Path, journal: str) -> None:
    """The schema is compared before the file is touched (STORE-19)."""
    path = tmp_path / "stranger.db"
    foreign(path, "CREATE TABLE t (x)", application=APPLICATION_ID, journal=journal)
    opened_in_vain(path, LedgerSchema)


def test_files_that_are_no_database_are_refused(tmp_path: Path) -> None:
    """Empty, text, the beginning of a database (STORE-9)."""
    for name, data, got in (
        ("empty", b"", "an empty file"),
        ("text", b"not a database" * 50, "no SQLite file"),
        ("short", b"SQLite format 3\0", "no SQLite file"),
    ):
        path = tmp_path / name
        path.write_bytes(data)
        assert opened_in_vain(path, NotALedger).got == got


def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path) -> None:
    """A folder, a pipe that nobody writes to, a socket, a device (STORE-9, STORE-19)."""
    folder, pipe, end = tmp_path / "folder", tmp_path / "pipe", tmp_path / "end"
    folder.mkdir()
    os.mkfifo(pipe)
    with closing(socket.socket(socket.AF_UNIX)) as listening:
        with suppress(OSError):  # a path may be too long for a socket
            listening.bind(str(end))
        places = [folder, pipe, Path(os.devnull)] + ([end] if end.exists() else [])
        for path in places:
            for write in (False, True):
                with pytest.raises(NotALedger):
                    Ledger.open(path, write=write)


def test_what_cannot_be_reached_is_missing(tmp_path: Path) -> None:
    """Nothing there, below a file, a link to itself, a name with a null (STORE-9)."""
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "loop").symlink_to("loop")
    for path in (
        tmp_path / "absent",
        tmp_path / "file" / "below",
        tmp_path / "loop",
        tmp_path / "nu\0ll",
        tmp_path / ("x" * 300),
    ):
        with pytest.raises(LedgerMissing):
            Ledger.open(path)


@pytest.mark.parametrize("version", [0, 2, 2**31 - 1])
def test_another_version_is_named(copy: Path, version: int) -> None:
    """Whoever has it needs another program, not another file (STORE-9)."""
    edit(copy, f"PRAGMA user_version = {version}")
    assert opened_in_vain(copy, LedgerVersion).got == f"version {version}"


TRIGGER = "CREATE TRIGGER mine AFTER INSERT ON blobs BEGIN DELETE FROM blobs; END"
ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x, x FROM n"


@pytest.mark.parametrize(
    "statements",
    [
        (TRIGGER,),
        ("CREATE TABLE mine (x)",),
        ("CREATE INDEX mine ON events (entry)",),
        (f"CREATE VIEW mine AS {ENDLESS}",),
        ("DROP TABLE attempts", f"CREATE VIEW attempts AS {ENDLESS}"),
        ("DROP TABLE attempts", "CREATE VIRTUAL TABLE attempts USING fts5(attempt)"),
        (
            "DROP TABLE attempts",
            "CREATE TABLE attempts (attempt TEXT PRIMARY KEY, x TEXT AS (attempt)) STRICT",
        ),
        ("DROP TABLE attempts", "CREATE TABLE attempts (a TEXT PRIMARY KEY, b) "),
        ("CREATE TRIGGER mine AFTER DELETE ON attempts BEGIN DELETE FROM blobs; END",),
        ("CREATE INDEX mine ON attempts (task)",),
        ("DROP TABLE views",),
        ("DROP TABLE identities",),
        ("DROP TABLE head", f"CREATE VIEW head AS {ENDLESS}"),
        ("ALTER TABLE head ADD COLUMN more TEXT AS (origin)",),
        ("ALTER TABLE events RENAME COLUMN entry TO data",),
        ("UPDATE sqlite_master SET sql = replace(sql, 'STRICT', '') WHERE name = 'blobs'",),
        ("UPDATE sqlite_master SET sql = replace(sql, 'slot TEXT', 'slot BLOB')",),
        ("UPDATE sqlite_master SET name = CAST(x'ff' AS TEXT) WHERE name = 'views'",),
        ("UPDATE sqlite_master SET sql = CAST(x'ff' AS TEXT) WHERE name = 'views'",),
        ("UPDATE sqlite_master SET type = x'00' WHERE name = 'views'",),
        ("ANALYZE",),
    ],
    ids=str,
)
def test_a_schema_that_is_not_a_ledger_s_is_refused(copy: Path, statements: list[str]) -> None:
    """An object more, one less, or one of its name and of another kind (STORE-19)."""
    edit(copy, *statements)
    opened_in_vain(copy, LedgerSchema, LedgerCorrupt)


def test_a_schema_without_end_is_not_read_to_its_end(copy: Path) -> None:
    """Nor a definition of megabytes (STORE-19)."""
    many = [f"CREATE TABLE t{number} (x)" for number in range(200)]
    edit(copy, *many)
    opened_in_vain(copy, LedgerSchema)


def test_the_table_of_attempts_may_be_missing(copy: Path) -> None:
    """It is made by `replay`, also in the spelling of earlier versions (STORE-19)."""
    Ledger.open(copy).close()
    edit(copy, "DROP TABLE attempts", "DELETE FROM views")
    with Ledger.open(copy) as ledger:
        assert check_ledger(ledger).ok
    edit(
        copy,
        "CREATE TABLE [attempts] (\n   [attempt] TEXT PRIMARY KEY,\n   [seq] INTEGER\n) STRICT",
    )
    Ledger.open(copy).close()


def test_triggers_are_put_back_before_anything_is_appended(copy: Path) -> None:
    """Reading does without them; a writer has its guard rail again (STORE-4, STORE-19)."""
    names = ("events_are_appended", "events_are_not_changed", "blobs_are_not_changed")
    edit(copy, *(f"DROP TRIGGER {name}" for name in names))
    with Ledger.open(copy) as ledger:
        assert check_ledger(ledger).ok
    with Ledger.open(copy, write=True) as ledger:
        for sql in ("UPDATE events SET entry = x'00'", "UPDATE blobs SET bytes = x'00'"):
            with pytest.raises(sqlite3.IntegrityError):
                ledger.connection.execute(sql)
    edit(copy, "SELECT 1")
    with closing(sqlite3.connect(copy)) as database:
        count = database.execute("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'")
        assert count.fetchone()[0] == 6


def test_a_trigger_of_a_ledger_s_name_must_be_the_ledger_s(copy: Path) -> None:
    """One that does something else is refused (STORE-19)."""
    name = "documents_are_not_deleted"
    edit(
        copy,
        f"DROP TRIGGER {name}",
        f"CREATE TRIGGER {name} BEFORE DELETE ON documents BEGIN SELECT 1; END",
    )
    opened_in_vain(copy, LedgerSchema)


@pytest.mark.parametrize("side", ["-wal", "-shm", "-journal"])
def test_what_stands_beside_under_sqlite_s_names_is_no_trap(copy: Path, side: str) -> None:
    """A link would be written through, and a pipe waited at (STORE-19)."""
    victim, beside = copy.parent / "victim", Path(f"{copy}{side}")
    victim.write_bytes(b"precious")
    beside.symlink_to(victim)
    opened_beside_in_vain(copy, beside)
    beside.unlink()
    os.mkfifo(beside)
    opened_beside_in_vain(copy, beside)
    beside.unlink()
    beside.mkdir()
    opened_beside_in_vain(copy, beside)
    assert victim.read_bytes() == b"precious"


def test_a_journal_of_a_stranger_is_not_rolled_back(copy: Path) -> None:
    """It could change the ledger and delete any file that it names (STORE-19)."""
    Path(f"{copy}-journal").write_bytes(bytes.fromhex("d9d505f920a163d7") + bytes(600))
    for write in (False, True):
        with pytest.raises(LedgerCorrupt) as caught:
            Ledger.open(copy, write=write)
        assert caught.value.place.endswith("-journal")


def opened_beside_in_vain(path: Path, beside: Path) -> None:
    """Demand that a ledger is refused for what stands beside it."""
    for write in (False, True):
        with pytest.raises(NotALedger) as caught:
            Ledger.open(path, write=write)
        assert caught.value.place == str(beside)


@pytest.mark.parametrize("page_bytes", [512, 3, 65_536])
def test_a_header_of_other_pages_is_refused(copy: Path, page_bytes: int) -> None:
    """As are pages that are not there (STORE-20)."""
    data = bytearray(copy.read_bytes())
    data[16:18] = struct.pack(">H", page_bytes % 65_536 or 1)
    copy.write_bytes(data)
    for write in (False, True):
        with pytest.raises((LedgerCorrupt, NotALedger, LedgerSchema)):
            Ledger.open(copy, write=write)


def test_a_file_of_nobody_s_is_not_opened(copy: Path) -> None:
    """Where rights are missing it says so; root has every right, so it is asked by stat."""
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    copy.chmod(0)
    with pytest.raises(LedgerReadOnly):
        Ledger.open(copy)


def test_a_ledger_that_is_open_here_is_opened_again(copy: Path) -> None:
    """Closing one handle drops no lock of another: a second writer still waits its turn."""
    with Ledger.open(copy, write=True) as first:
        Ledger.open(copy).close()
        with first.batch(at=AT, entropy=Entropy("x")):
            Ledger.open(copy).close()
            Ledger.open(copy, write=True).close()
    with Ledger.open(copy) as ledger:
        assert replay_of(ledger).origin == ledger.origin
