"""Bytes of a run that were changed in the file of a ledger: nobody judges by them (KEEP-17)."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from audited_runs import (
    AT,
    MAINTAINER,
    RUN,
    AuditedRun,
    answered,
    concluded,
    take,
    trust_root,
)

from canon.refusal import Refusal
from ledger.audit.chronology import chronology
from ledger.entry import genesis
from ledger.founding import fill
from ledger.runs.directory import Directory
from ledger.runs.intake.committed import Committed
from ledger.runs.intake.compare import compare
from ledger.runs.intake.held import Held
from ledger.store import Ledger

WAYS: dict[str, Callable[[Ledger, AuditedRun], Any]] = {
    "audit": lambda ledger, _: concluded(ledger),
    "dry run": lambda ledger, _: concluded(ledger, dry_run=True),
    "as of": lambda ledger, _: concluded(ledger, as_of=ledger.size),
    "review": lambda ledger, _: answered(ledger),
    "compare": lambda ledger, run: compare(ledger, Directory(run.root)),
    "chronology": lambda ledger, _: chronology(Held(Committed(ledger), RUN)),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a ledger with an audited run in it."""
    root = trust_root()
    place = tmp_path / "runs.db"
    with Ledger.create(place, root.log, genesis(root.log, root.digest)) as ledger:
        fill(ledger, root, MAINTAINER, at=AT, entropy=os.urandom)
        take(ledger, AuditedRun(tmp_path / "run"))
        concluded(ledger)
    return place


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a ledger as a file of SQLite, without the triggers that keep it as it is."""
    with closing(sqlite3.connect(path)) as file, file:
        names = file.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in names.fetchall():
            file.execute(f'DROP TRIGGER "{name}"')
        yield file


def edited(path: Path, slot: str, old: bytes, new: bytes) -> int:
    """Change bytes of the first blob that has them, as its owner can; return its event."""
    with opened(path) as file:
        rows = file.execute(
            "SELECT seq, bytes FROM blobs WHERE slot = ? ORDER BY seq", (slot,)
        ).fetchall()
        seq, data = next((seq, data) for seq, data in rows if old in data)
        change = "UPDATE blobs SET bytes = ? WHERE seq = ? AND slot = ?"
        file.execute(change, (data.replace(old, new), seq, slot))
    return int(seq)


def refused(path: Path, way: str) -> Refusal:
    """Return why the bytes are not read; nothing was appended."""
    run = AuditedRun.__new__(AuditedRun)
    run.root = path.parent / "run"
    with Ledger.open(path, write=True) as ledger:
        head = ledger.head()
        with pytest.raises(Refusal) as caught:
            WAYS[way](ledger, run)
        assert ledger.head() == head
    return caught.value


@pytest.mark.parametrize("way", sorted({*WAYS} - {"compare"}))
def test_a_line_that_was_changed(path: Path, way: str) -> None:
    """KEEP-17: the event is named, whoever reads."""
    seq = edited(path, "line", b"input_processed", b"input_attempted")
    refusal = refused(path, way)
    assert (refusal.code, refusal.seq) == ("E_COMMITMENT", seq)
    assert f"event {seq}, slot line" in refusal.place


def test_a_directory_is_not_compared_with_bytes_that_were_changed(path: Path) -> None:
    """KEEP-17: digests are compared first, and lines where those differ."""
    run = path.parent / "run" / "test" / "mod.jsonl"
    seq = edited(path, "line", b"input_processed", b"input_attempted")
    run.write_bytes(run.read_bytes().replace(b"input_processed", b"input_attempted"))
    refusal = refused(path, "compare")
    assert (refusal.code, refusal.seq) == ("E_COMMITMENT", seq)
    digest = edited(path, "digest", b"", b"x")
    assert refused(path, "compare").seq == digest


@pytest.mark.parametrize("way", ["audit", "as of", "review"])
@pytest.mark.parametrize(
    ("slot", "old", "new"),
    [
        ("content", b'"ready": true', b'"ready": null'),
        ("path", b"fixture.json", b"fixture.jsom"),
        ("verdict", b"PENDING", b"PASSING"),
    ],
)
def test_other_bytes_that_were_changed(
    path: Path, way: str, slot: str, old: bytes, new: bytes
) -> None:
    """KEEP-17: documents, paths, and the verdict that a review answers."""
    if (way, slot) == ("as of", "verdict"):
        pytest.skip("no verdict of the ledger is read for one as of a size")
    seq = edited(path, slot, old, new)
    refusal = refused(path, way)
    assert (refusal.code, refusal.seq) == ("E_COMMITMENT", seq)


def test_bytes_that_nothing_was_committed_to(path: Path) -> None:
    """KEEP-17: a slot that the entry does not have is no reason why a file is withheld."""
    with opened(path) as file:
        (seq,) = file.execute(
            "SELECT seq FROM blobs WHERE instr(bytes, 'input_processed')"
        ).fetchone()
        file.execute("INSERT INTO blobs VALUES (?, 'aside', ?, ?)", (seq, bytes(32), b"x"))
    assert (refused(path, "audit").seq, refused(path, "audit").code) == (seq, "E_DISCLOSURE")


def test_nothing_else_changes(path: Path) -> None:
    """KEEP-17: as often as lines are read, they are the same as without checking."""
    with Ledger.open(path) as ledger, ledger.snapshot():
        read = Committed(ledger)
        for _ in range(2):
            assert list(read.blobs()) == list(ledger.blobs())
        assert list(read.blobs(5, 9)) == list(ledger.blobs(5, 9))
        assert read.blob(10**6, "line") is None
        checked, plain = Held(read, RUN), Held(ledger, RUN)
        assert checked.files() == plain.files()
