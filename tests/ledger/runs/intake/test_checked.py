"""Edits of a ledger file that holds runs: each is found and named (``replay --check``)."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ledger.check import FileVerdict, check_ledger
from ledger.founding import first_root, found
from ledger.store import Ledger
from signing.keys import PrivateKey

AT = "2026-03-01T00:00:00.000000Z"


@pytest.fixture
def taken(tmp_path: Path, shelf: Any, run: Any) -> Path:
    """Return a ledger file with a run that was taken in twice."""
    path = tmp_path / "ledger.db"
    key, log_key = (PrivateKey.generate(bytes([seed]) * 32) for seed in (1, 2))
    found(path, first_root("example.org/runs", key, log_key, "test"), key,
          at=AT, entropy=os.urandom)  # fmt: skip
    with Ledger.open(path, write=True) as ledger:
        on_disk = type(shelf)(ledger)
        on_disk.take(run)
        run.append("trajectory.jsonl", {"record": "mark"}, {"record": "mark", "name": "end"})
        run.edit("run.json", notes=["later"])
        on_disk.take(run)
    return path


def checked(path: Path, sql: str = "", *values: object) -> FileVerdict:
    """Edit a ledger as its owner can, the triggers dropped, and check it."""
    with closing(sqlite3.connect(path)) as database, database:
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in names.fetchall():
            database.execute(f'DROP TRIGGER "{name}"')
        database.execute(sql or "SELECT 1", values)
    with Ledger.open(path) as ledger:
        return check_ledger(ledger)


def test_a_ledger_with_runs_holds(taken: Path) -> None:
    """Every record is read again, and says what its event says."""
    verdict = checked(taken)
    assert verdict.ok
    assert (verdict.extraction_checked, verdict.extraction_of) == (19, 19)


def test_any_event_that_is_deleted_is_found(taken: Path) -> None:
    """The first number that is wrong is named."""
    with Ledger.open(taken) as ledger:
        size = ledger.size
    data = taken.read_bytes()
    for seq in range(3, size):
        verdict = checked(taken, "DELETE FROM events WHERE seq = ?", seq)
        assert not verdict.ok
        assert verdict.error is not None
        assert verdict.error.seq in (seq, seq - 1)
        taken.write_bytes(data)


def test_any_blob_that_is_edited_is_found(taken: Path) -> None:
    """It is not what the event commits to."""
    with Ledger.open(taken) as ledger:
        places = [(blob.seq, blob.slot) for blob in ledger.blobs(3) if blob.data]
    data = taken.read_bytes()
    for seq, slot in places[::5]:
        sql = "UPDATE blobs SET bytes = zeroblob(length(bytes)) WHERE seq = ? AND slot = ?"
        verdict = checked(taken, sql, seq, slot)
        assert not verdict.ok
        assert verdict.error is not None
        assert (verdict.error.code, verdict.error.seq) == ("E_COMMITMENT", seq)
        taken.write_bytes(data)


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM identities WHERE key = 'run:run-01'",
        "DELETE FROM identities WHERE key = 'file:run-01/trajectory'",
        "UPDATE identities SET seq = seq - 1 WHERE key LIKE 'file:run-01/artifact/%'",
        "INSERT INTO identities VALUES ('run:another', 5)",
    ],
)
def test_an_index_that_is_edited_is_found(taken: Path, sql: str) -> None:
    """Else a file would be taken in again, or be left out."""
    verdict = checked(taken, sql)
    assert not verdict.ok
    assert verdict.error is not None
    assert verdict.error.code == "E_INDEX_TABLE"


def test_a_tail_that_is_cut_is_found_by_the_head(taken: Path) -> None:
    """Cutting the last records leaves a file half taken."""
    verdict = checked(taken, "DELETE FROM events WHERE seq > (SELECT max(seq) - 2 FROM events)")
    assert not verdict.ok
