"""The ledger file: whole batches, one writer at a time, nothing changed behind one's back."""

import os
import sqlite3
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from bundle_vector import ROW
from bundle_world import AT, FAILED, Entropy, World, release, row, world

from canon.errors import InstantText, Limit
from ledger.check import check_ledger
from ledger.entry import MAX_ENTRY_BYTES, genesis, read_entry
from ledger.errors import (
    LedgerCorrupt,
    LedgerExists,
    LedgerLocked,
    LedgerMissing,
    LedgerReadOnly,
    LedgerStale,
    LedgerVersion,
    NotALedger,
    StorageFull,
)
from ledger.events import RecordQuarantined, SourceImported
from ledger.identities import attempt_key
from ledger.importers import import_file
from ledger.store import Ledger
from ledger.store import batch as batches
from ledger.store import connection as connections

RECORD = RecordQuarantined(code="E_JSON", source=3, pointer="")
PLAIN = SourceImported(
    name="plain",
    rows=0,
    format="made/1",
    sha256=None,
    importer="made/1",
    size_bytes=0,
    supersedes=None,
)
"""An event that needs no blob."""


@pytest.fixture
def made() -> Iterator[World]:
    """Return a ledger with one imported release and one edition."""
    with world("store") as here:
        here.imports(release([row(1), row(2, **FAILED)]))
        here.freezes()
        yield here


def state(ledger: Ledger) -> tuple[object, ...]:
    """Return all that a ledger file says."""
    return (
        ledger.head(),
        list(ledger.entries()),
        list(ledger.blobs()),
        list(ledger.documents()),
        list(ledger.identities()),
    )


def interrupted(made: World, count: int) -> None:
    """Append *count* events in a batch that is then interrupted."""
    with made.ledger.batch(at=AT, entropy=Entropy("x")) as batch:
        for _ in range(count):
            batch.append(RECORD, {"record": b"x"})
        raise KeyboardInterrupt


def test_a_batch_is_kept_whole_or_not_at_all(made: World) -> None:
    """An exception after any number of events leaves the ledger as it was (STORE-1)."""
    before = state(made.ledger)
    for count in (0, 1, 999, 1_000, 2_500):
        with pytest.raises(KeyboardInterrupt):
            interrupted(made, count)
        assert state(made.ledger) == before
    made.imports(release([], "20260102.0.0"))
    assert made.ledger.size == 10
    assert check_ledger(made.ledger).error is None


def test_a_full_disk_keeps_nothing_of_the_batch(made: World) -> None:
    """SQLite's own limit on pages stands for the disk (STORE-1)."""
    before = state(made.ledger)
    pages = made.ledger.connection.execute("PRAGMA page_count").fetchone()[0]
    made.ledger.connection.execute(f"PRAGMA max_page_count = {pages}")
    with (
        pytest.raises(StorageFull),
        made.ledger.batch(at=AT, entropy=Entropy("x")) as batch,
    ):
        batch.append(RECORD, {"record": bytes(1_000_000)})
    assert state(made.ledger) == before
    made.ledger.connection.execute("PRAGMA max_page_count = 1000000")
    with made.ledger.batch(at=AT, entropy=Entropy("x")) as batch:
        batch.append(PLAIN)


def test_the_file_is_set_to_survive_power_loss(made: World) -> None:
    """WAL with synchronous FULL: a commit returns after its bytes are on the disk (STORE-2)."""
    one = made.ledger.connection.execute
    assert one("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert one("PRAGMA synchronous").fetchone()[0] == 2
    assert one("PRAGMA secure_delete").fetchone()[0] == 1


def test_a_batch_continues_from_the_head_that_it_finds(made: World) -> None:
    """Two handles in turn: each sees what the other appended, and one chain comes out (STORE-3)."""
    with Ledger.open(made.path, write=True) as other:
        for number, ledger in enumerate((other, made.ledger, other, made.ledger)):
            path = made.path.with_name("more.json")
            path.write_bytes(release([row(1)], f"2026010{number}.0.0"))
            import_file(ledger, path, at=AT, entropy=Entropy("y"))
    assert made.ledger.size == 8 + 4 * 3
    assert check_ledger(made.ledger).error is None


def test_an_expected_size_is_held_to(made: World) -> None:
    """Whoever decided in view of one size does not append at another (STORE-3)."""
    with (
        pytest.raises(LedgerStale),
        made.ledger.batch(at=AT, entropy=Entropy("x"), expected_size=3),
    ):
        raise AssertionError("the block is never entered")
    with made.ledger.batch(at=AT, entropy=Entropy("x"), expected_size=8) as batch:
        batch.append(PLAIN)


def test_a_second_writer_waits_and_gives_up(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lock is taken first, so nothing is read that another writer changes (STORE-3)."""
    monkeypatch.setattr(connections, "BUSY_SECONDS", 0.05)
    entered = threading.Event()
    with made.ledger.batch(at=AT, entropy=Entropy("x")) as batch:
        batch.append(PLAIN)
        with (
            Ledger.open(made.path, write=True) as other,
            pytest.raises(LedgerLocked),
            other.batch(at=AT, entropy=Entropy("y")),
        ):
            entered.set()
    assert not entered.is_set()


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE events SET entry = x'00' WHERE seq = 4",
        "DELETE FROM events WHERE seq = 4",
        "INSERT INTO events VALUES (20, x'00')",
        "INSERT OR REPLACE INTO events VALUES (4, x'00')",
        "INSERT INTO events VALUES (4, x'00')",
        "UPDATE blobs SET bytes = x'00'",
        "UPDATE documents SET bytes = x'00'",
        "DELETE FROM documents",
    ],
)
def test_triggers_refuse_to_change_what_was_written(made: World, sql: str) -> None:
    """A slip with an SQL prompt changes nothing (STORE-4)."""
    before = state(made.ledger)
    with pytest.raises(sqlite3.IntegrityError):
        made.ledger.connection.execute(sql)
    assert state(made.ledger) == before


def test_equal_blobs_have_unequal_commitments(made: World) -> None:
    """Each blob has a salt of its own (STORE-5)."""
    with made.ledger.batch(at=AT, entropy=os.urandom) as batch:
        for _ in range(3):
            batch.append(RECORD, {"record": b"the same", "reason": b"the same"})
    blobs = list(made.ledger.blobs(8))
    assert len({blob.salt for blob in blobs}) == len(blobs) == 6
    assert all(len(blob.salt) == 32 for blob in blobs)


def test_an_entry_or_blob_over_its_limit_is_not_appended(
    made: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limits of verifying hold at appending too (STORE-5)."""
    assert (batches.MAX_BLOB_BYTES, batches.MAX_DOCUMENT_BYTES) == (256 * 2**20, 16 * 2**20)
    monkeypatch.setattr(batches, "MAX_BLOB_BYTES", 1_000)
    monkeypatch.setattr(batches, "MAX_DOCUMENT_BYTES", 1_000)
    long = RecordQuarantined(code="E_JSON", source=3, pointer="/x" * MAX_ENTRY_BYTES)
    with made.ledger.batch(at=AT, entropy=Entropy("x")) as batch:
        batch.append(PLAIN)
    large = {"record": bytes(1_001)}
    for event, blobs in ((long, None), (RECORD, large)):
        with pytest.raises(Limit), made.ledger.batch(at=AT, entropy=Entropy("x")) as batch:
            batch.append(event, blobs)
    with pytest.raises(Limit), made.ledger.batch(at=AT, entropy=Entropy("x")) as batch:
        batch.put_document(bytes(32), bytes(1_001))
    assert made.ledger.size == 9


def test_identities_say_what_is_known(made: World) -> None:
    """A file once, a release at its newest source, an attempt at its first report (STORE-7)."""
    first = made.ledger.seq_of("release:20260101.0.0")
    keys = dict(made.ledger.identities())
    assert (first, keys["edition:2026.1"], len(keys)) == (3, 7, 5)
    made.imports(release([row(1), row(2, **FAILED)]))
    assert made.ledger.size == 8
    made.imports(release([row(1), row(3)]))
    after = dict(made.ledger.identities())
    assert after["release:20260101.0.0"] == 8
    attempts = {key: seq for key, seq in keys.items() if key.startswith("attempt:")}
    assert attempts.items() <= after.items()
    assert len(after) == len(keys) + 2
    assert check_ledger(made.ledger).error is None


def test_nothing_is_made_over_another_file(tmp_path: Path) -> None:
    """Not over a file, a folder, or a link to nothing; not without a folder (STORE-8)."""
    places = [tmp_path / name for name in ("file", "folder", "link")]
    places[0].write_bytes(b"precious")
    places[1].mkdir()
    places[2].symlink_to(tmp_path / "nowhere")
    for place in places:
        with pytest.raises(LedgerExists):
            Ledger.create(place, "log.example/one", genesis("log.example/one", bytes(32)))
    assert places[0].read_bytes() == b"precious"
    with pytest.raises(LedgerMissing):
        Ledger.create(tmp_path / "no" / "ledger.db", "log.example/one", bytes(32))


def test_what_is_no_ledger_is_told_apart(tmp_path: Path, made: World) -> None:
    """Missing, a folder, not SQLite, another SQLite file, a later version (STORE-9)."""
    other, text = tmp_path / "other.db", tmp_path / "text.db"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE t (x)")
    database.close()
    text.write_text("not a database, and long enough to be looked at" * 30)
    later = tmp_path / "later.db"
    made.ledger.backup(later)
    with sqlite3.connect(later) as database:
        database.execute("PRAGMA user_version = 2")
    database.close()
    for path, kind in (
        (tmp_path / "absent.db", LedgerMissing),
        (tmp_path, NotALedger),
        (other, NotALedger),
        (text, NotALedger),
        (later, LedgerVersion),
    ):
        for write in (False, True):
            with pytest.raises(kind):
                Ledger.open(path, write=write)


def test_a_damaged_file_is_refused_and_not_repaired(tmp_path: Path, made: World) -> None:
    """Pages that were overwritten are a corrupt ledger, whatever is asked of it (STORE-9)."""
    copy = tmp_path / "copy.db"
    made.ledger.backup(copy)
    data = bytearray(copy.read_bytes())
    data[16_384:] = bytes(len(data) - 16_384)
    copy.write_bytes(data)
    with pytest.raises(LedgerCorrupt), Ledger.open(copy) as ledger:
        list(ledger.entries())


def test_a_ledger_without_head_is_corrupt(tmp_path: Path, made: World) -> None:
    """The tables must fit each other before anything is appended (STORE-9)."""
    copy = tmp_path / "copy.db"
    made.ledger.backup(copy)
    with sqlite3.connect(copy) as database:
        database.execute("UPDATE head SET size = 7")
    database.close()
    with (
        Ledger.open(copy, write=True) as ledger,
        pytest.raises(LedgerCorrupt),
        ledger.batch(at=AT, entropy=Entropy("x")),
    ):
        raise AssertionError("the block is never entered")
    with sqlite3.connect(copy) as database:
        database.execute("DELETE FROM head")
    database.close()
    with pytest.raises(LedgerCorrupt):
        Ledger.open(copy)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_file_that_cannot_be_written_says_so(tmp_path: Path, made: World) -> None:
    """Opening for writing is refused, reading works (STORE-9)."""
    copy = _closed_copy(tmp_path, made)
    with (
        pytest.raises(LedgerReadOnly),
        Ledger.open(copy, write=True) as ledger,
        ledger.batch(at=AT, entropy=Entropy("x")) as batch,
    ):
        batch.append(PLAIN)


def test_reading_works_where_nothing_can_be_written(tmp_path: Path, made: World) -> None:
    """A ledger on a read-only medium can be checked (STORE-10)."""
    copy = _closed_copy(tmp_path, made)
    try:
        with Ledger.open(copy) as ledger:
            assert ledger.size == 8
            assert check_ledger(ledger).error is None
            with pytest.raises(LedgerReadOnly), ledger.batch(at=AT, entropy=Entropy("x")) as batch:
                batch.append(PLAIN)
    finally:
        copy.parent.chmod(stat.S_IRWXU)


def _closed_copy(tmp_path: Path, made: World) -> Path:
    """Return a copy in a folder in which nothing can be made."""
    folder = tmp_path / "closed"
    folder.mkdir()
    copy = folder / "copy.db"
    made.ledger.backup(copy)
    copy.chmod(stat.S_IRUSR)
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    return copy


def test_a_reader_sees_one_state_while_others_append(made: World) -> None:
    """A snapshot is of one size until it is left (STORE-10)."""
    with Ledger.open(made.path) as reader:
        with reader.snapshot() as size:
            before = list(reader.entries())
            with made.ledger.batch(at=AT, entropy=Entropy("x")) as batch:
                batch.append(PLAIN)
            assert (reader.size, list(reader.entries())) == (size, before)
        assert reader.size == size + 1


def test_a_backup_is_whole_while_others_append(tmp_path: Path, made: World) -> None:
    """What is in the WAL is in the copy, and the copy is a ledger (STORE-11)."""
    with Ledger.open(made.path, write=True) as other:
        path = tmp_path / "more.json"
        path.write_bytes(release([row(1)], "20260102.0.0"))
        import_file(other, path, at=AT, entropy=Entropy("x"))
        made.ledger.backup(tmp_path / "copy.db")
    with Ledger.open(tmp_path / "copy.db") as copy:
        assert state(copy) == state(made.ledger)
        assert check_ledger(copy).error is None


def test_redacted_bytes_are_gone_from_the_file(made: World) -> None:
    """Not in a row, not in a free page, not in the WAL (STORE-12)."""
    secret = b"a person's name that must be forgotten"
    file = release([], "20260102.0.0", title=secret.decode() * 1_000)
    made.imports(file)
    (made.path.parent / "release.json").unlink()
    seq = made.ledger.size - 1

    def places() -> list[str]:
        return [
            path.name for path in made.path.parent.glob("ledger.db*") if secret in path.read_bytes()
        ]

    assert places()
    made.redacts((seq, "record"))
    assert places() == []
    assert made.ledger.blob(seq, "record") is None
    assert check_ledger(made.ledger).error is None


def test_a_time_that_is_none_is_not_appended(made: World) -> None:
    """Nobody could read the entries again (EVENT-9)."""
    for at in ("yesterday", "2026-01-01", "2026-02-30T00:00:00.000000Z"):
        with pytest.raises(InstantText), made.ledger.batch(at=at, entropy=Entropy("x")):
            raise AssertionError("the block is never entered")


def test_seq_of_knows_the_batch_and_the_ledger(made: World) -> None:
    """Inside a transaction, what was just appended counts already (STORE-7)."""
    body = read_entry(dict(made.ledger.entries())[ROW + 1]).body
    known = attempt_key(body["attempt"], body["started_at"])
    assert body["attempt"] == made.attempt(0)
    assert made.ledger.seq_of(known) == ROW + 1
    with made.ledger.batch(at=AT, entropy=Entropy("x")) as batch:
        assert batch.seq_of(known) == ROW + 1
        assert batch.seq_of(attempt_key("att-none", body["started_at"])) is None
        assert batch.root() == made.ledger.root()


def test_attempts_stand_in_the_index_by_the_time_they_started(made: World) -> None:
    """What is appended together stands together there, so few pages of the index change."""
    made.imports(release([row(number) for number in (1, 2, 3)], version="later"))
    keys = [key for key, _ in made.ledger.identities("attempt")]
    bodies = [read_entry(data).body for _, data in made.ledger.entries()]
    reported = {body["attempt"]: body["started_at"] for body in bodies if "started_at" in body}
    assert [key.rpartition(":")[2] for key in keys] == sorted(
        reported, key=lambda attempt: (reported[attempt], attempt)
    )
    assert keys == [attempt_key(key.rpartition(":")[2], key[8:35]) for key in keys]
