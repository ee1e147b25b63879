"""What happens to an open ledger when its file, its WAL or its lock is taken away."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from bundle_world import AT, FAILED, World, release, row, world

from cli.main import main
from ledger.check import check_ledger
from ledger.errors import (
    DeletionUnfinished,
    LedgerCorrupt,
    LedgerLocked,
    LedgerMissing,
    LedgerMoved,
    LedgerReadOnly,
    LedgerSchema,
)
from ledger.importers import import_file
from ledger.store import Ledger
from ledger.store import connection as connections
from ledger.store.connection import wal_of
from signing.checkpoint import Checkpoint

EARLIER = "1999-01-01T00:00:00.000000Z"


@pytest.fixture
def made() -> Iterator[World]:
    """Return a ledger with a release."""
    with world("places") as here:
        here.imports(release([row(1), row(2, **FAILED)]))
        yield here


def imported(ledger: Ledger, folder: Path, version: str, at: str = AT) -> int:
    """Import another release and return the size after it."""
    path = folder / f"{version}.json"
    path.write_bytes(release([row(1)], version=version))
    import_file(ledger, path, at=at, entropy=os.urandom)
    return ledger.size


def test_nothing_is_appended_to_a_file_that_was_moved(made: World, tmp_path: Path) -> None:
    """Its events would be found by nobody: renamed, replaced or deleted (STORE-21)."""
    for number, change in enumerate(("rename", "replace", "delete")):
        path = tmp_path / f"{change}.db"
        made.ledger.backup(path)
        with Ledger.open(path, write=True) as ledger:
            size = imported(ledger, tmp_path, f"2027010{number}.0.0")
            if change == "rename":
                path.rename(tmp_path / "elsewhere.db")
            elif change == "delete":
                path.unlink()
            else:
                made.ledger.backup(tmp_path / "other.db")
                (tmp_path / "other.db").replace(path)
            with pytest.raises(LedgerMoved):
                imported(ledger, tmp_path, f"2027020{number}.0.0")
            assert ledger.size == size


def test_a_file_that_moves_while_it_is_written_gets_nothing(made: World, tmp_path: Path) -> None:
    """The path is looked at again right before a batch is kept (STORE-21)."""
    path = tmp_path / "ledger.db"
    made.ledger.backup(path)
    with Ledger.open(path, write=True) as ledger:
        size = ledger.size
        with pytest.raises(LedgerMoved), ledger.batch(at=AT, entropy=os.urandom) as batch:
            batch.put_document(bytes(32), bytes(path.rename(tmp_path / "gone.db").exists()))
        assert ledger.size == size
        assert ledger.document(bytes(32)) is None


def test_a_reader_of_a_deleted_file_reads_on(made: World, tmp_path: Path) -> None:
    """It has the file still; whoever opens it by its name is told that it is missing."""
    path = tmp_path / "ledger.db"
    made.ledger.backup(path)
    with Ledger.open(path) as ledger:
        path.unlink()
        assert check_ledger(ledger).ok
        with pytest.raises(LedgerMissing):
            Ledger.open(path)


def _killed_after(made: World, tmp_path: Path) -> tuple[Path, int, Checkpoint]:
    """Return a ledger as a killed process leaves it: its newest events stand in the WAL alone."""
    path = tmp_path / "killed" / "ledger.db"
    path.parent.mkdir()
    source = tmp_path / "source.db"
    made.ledger.backup(source)
    with Ledger.open(source, write=True) as ledger:
        before = ledger.size
        after = imported(ledger, tmp_path, "20270101.0.0")
        kept = Checkpoint(ledger.origin, after, ledger.root())
        for part in (source, wal_of(source)):
            shutil.copy(part, path.parent / part.name.replace("source", "ledger"))
    return path, before, kept


def test_what_stands_in_the_wal_is_recovered(made: World, tmp_path: Path) -> None:
    """By whoever opens it next, to read or to write (STORE-2)."""
    path, _, kept = _killed_after(made, tmp_path)
    for write in (False, True):
        with Ledger.open(path, write=write) as ledger:
            assert ledger.size == kept.size
            assert check_ledger(ledger, since=kept).ok


def test_without_its_wal_a_ledger_is_an_older_state(made: World, tmp_path: Path) -> None:
    """It is whole, and only a kept checkpoint shows that events are missing (STORE-23)."""
    path, before, kept = _killed_after(made, tmp_path)
    wal_of(path).unlink()
    with Ledger.open(path) as ledger:
        assert ledger.size == before
        assert check_ledger(ledger).ok
        verdict = check_ledger(ledger, since=kept)
    assert verdict.error is not None
    assert (verdict.error.code, verdict.error.seq) == ("E_ROLLBACK", before)


def test_a_wal_that_is_cut_or_damaged_gives_an_older_state(made: World, tmp_path: Path) -> None:
    """Never half a batch: a frame with a wrong sum ends the WAL (STORE-1, STORE-23)."""
    path, before, kept = _killed_after(made, tmp_path)
    whole = wal_of(path).read_bytes()
    sizes = set()
    for cut in (0, 1, 32, 40, len(whole) // 3, len(whole) // 2, len(whole) - 1, len(whole)):
        for damaged in (whole[:cut], whole[:cut] + bytes(len(whole) - cut)):
            wal_of(path).write_bytes(damaged)
            path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
            with Ledger.open(path) as ledger:
                verdict = check_ledger(ledger)
            assert verdict.ok, verdict.error
            sizes.add(verdict.size)
    assert sizes == {before, kept.size}


def test_a_wal_of_another_file_is_not_believed(made: World, tmp_path: Path) -> None:
    """Pages of two ledgers do not make one (STORE-23)."""
    path, _, _ = _killed_after(made, tmp_path)
    with world("another") as other:
        other.imports(release([row(number) for number in range(1, 30)]))
        other.freezes()
        wal, root = wal_of(other.path).read_bytes(), other.ledger.root().hex()
    wal_of(path).write_bytes(wal)
    with suppress(LedgerCorrupt, LedgerSchema), Ledger.open(path) as ledger:
        verdict = check_ledger(ledger)
        if verdict.ok:  # all pages of one of the two
            assert verdict.root in (root, made.ledger.root().hex())


def test_a_clock_that_jumps_back_orders_nothing(made: World, tmp_path: Path) -> None:
    """A time is a claim; the number orders (EVENT-9)."""
    size = imported(made.ledger, tmp_path, "20270101.0.0", EARLIER)
    assert size > imported(made.ledger, tmp_path, "20270102.0.0") - 4
    assert check_ledger(made.ledger).ok


HOLDER = """
import sqlite3, sys, time
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute(sys.argv[2])
print("held", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("lock", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_a_lock_of_another_process_is_waited_for_and_named(
    lock: str, made: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Readers go on meanwhile (STORE-3, STORE-10)."""
    monkeypatch.setattr(connections, "BUSY_SECONDS", 0.3)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(made.path), lock], stdout=subprocess.PIPE
    )
    try:
        assert holder.stdout is not None
        holder.stdout.readline()
        with Ledger.open(made.path) as ledger:
            assert check_ledger(ledger).ok
        with Ledger.open(made.path, write=True) as ledger:
            size = ledger.size
            with pytest.raises(LedgerLocked) as caught:
                imported(ledger, tmp_path, "20270101.0.0")
            assert "try again" in caught.value.remedy
    finally:
        holder.kill()
        holder.communicate()
    with Ledger.open(made.path, write=True) as ledger:
        assert imported(ledger, tmp_path, "20270101.0.0") > size


def test_a_reader_that_keeps_deleted_bytes_is_said(
    made: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The redaction stands, and is finished when the reader is gone (STORE-12)."""
    monkeypatch.setattr(connections, "BUSY_SECONDS", 0.1)
    blob = next(blob for blob in made.ledger.blobs() if blob.slot == "record")
    with Ledger.open(made.path, write=True) as writer, Ledger.open(made.path) as reader:
        with reader.snapshot():
            assert reader.blob(blob.seq, blob.slot) == blob
            with writer.batch(at=AT, entropy=os.urandom) as batch:
                batch.delete_blob(blob.seq, blob.slot)
            with pytest.raises(DeletionUnfinished):
                writer.forget_pages()
        writer.forget_pages()
    for part in (made.path, wal_of(made.path)):
        assert blob.data not in (part.read_bytes() if part.exists() else b"")


NOBODY = 65_534


def as_nobody(folder: Path, *words: str) -> tuple[int, Any]:
    """Run a command with the rights that everybody has; return its code and document."""
    out = folder.parent / f"{folder.name}.out"
    child = os.fork()
    if not child:
        with out.open("w", encoding="utf-8") as stream:
            os.chdir(folder)
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            sys.stdout = stream
            code = main([*words, "--json"])
        os._exit(code)
    _, status = os.waitpid(child, 0)
    document = json.loads(out.read_text(encoding="utf-8"))
    out.unlink()
    return os.waitstatus_to_exitcode(status), document


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may take the rights of somebody else")
@pytest.mark.parametrize("closed", ["file", "folder", "both", "unreadable"])
def test_without_rights_reading_works_and_writing_says_so(
    closed: str, made: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file or a folder that cannot be written, and a file that cannot be read (STORE-9)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "ledger.db"
        made.ledger.backup(path)
        (folder / "new.json").write_bytes(release([row(1)], version="20270101.0.0"))
        monkeypatch.chdir(folder)
        # Once as root, so that every module is there: nobody may not read this program's files.
        for words in (("status",), ("import", "--dry-run", "new.json"), ("backup", "warm.db")):
            assert main([*words, "--ledger", "ledger.db", "--json"]) == 0
        for side in ("-wal", "-shm"):
            path.with_name(path.name + side).unlink(missing_ok=True)
        (folder / "warm.db").unlink()
        folder.chmod(0o777 if closed == "file" else 0o755)
        path.chmod({"unreadable": 0o000, "folder": 0o666}.get(closed, 0o444))
        ledger = ("--ledger", "ledger.db")
        code, said = as_nobody(folder, "status", *ledger)
        assert (code == 0) == (closed != "unreadable"), said
        code, said = as_nobody(folder, "import", "new.json", *ledger)
        error = said["error"]
        assert (code, error["code"]) == (1, "E_READ_ONLY"), said
        code, said = as_nobody(folder, "backup", "copy.db", *ledger)
        assert code == (0 if closed == "file" else 1), said
        assert (folder / "copy.db").exists() == (closed == "file")
        assert not [one for one in os.listdir(folder) if one.startswith(".")]
        monkeypatch.chdir("/")
    capsys.readouterr()


def test_a_lock_that_readers_cannot_pass_is_named(
    made: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program may hold the file for itself alone."""
    monkeypatch.setattr(connections, "BUSY_SECONDS", 0.1)
    made.ledger.close()
    with closing(sqlite3.connect(made.path, isolation_level=None)) as holder:
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        for write in (False, True):
            with pytest.raises((LedgerLocked, LedgerReadOnly)) as caught:
                Ledger.open(made.path, write=write)
            assert caught.value.code == "E_LOCKED"
