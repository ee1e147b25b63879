"""A ledger keeps what it acknowledged, whatever happens to its writers (STORE-1 to STORE-3)."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ledger.check import check_ledger
from ledger.founding import first_root, found
from ledger.store import Ledger
from signing.keys import PrivateKey

WRITER = Path(__file__).with_name("writer.py")
AT = "2026-01-01T00:00:00.000000Z"
KILLS = 1_000 if os.environ.get("FUZZ") else 20


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a fresh ledger."""
    key, log_key = (PrivateKey.generate(bytes([seed]) * 32) for seed in (1, 2))
    root = first_root("example.org/durable", key, log_key, "founder")
    found(tmp_path / "ledger.db", root, key, at=AT, entropy=os.urandom)
    return tmp_path / "ledger.db"


def _writer(path: Path, batches: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(WRITER), str(path), str(batches)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )


def _acknowledged(writer: subprocess.Popen[str]) -> int:
    """Return the last size that the dead writer got to say, 0 if none."""
    said = writer.communicate()[0].splitlines()
    return int(said[-1]) if said else 0


def test_a_killed_writer_loses_no_acknowledged_event(path: Path) -> None:
    """SIGKILL at any instant: the ledger opens, checks, and holds all that was acknowledged."""
    chance = random.Random(20260101)
    killed = 0
    for _ in range(KILLS):
        writer = _writer(path, 1_000_000)
        assert writer.stdout is not None
        writer.stdout.readline()  # it has begun
        time.sleep(chance.random() * 0.05)
        writer.send_signal(signal.SIGKILL)
        acknowledged = _acknowledged(writer)
        killed += writer.returncode == -signal.SIGKILL
        with Ledger.open(path) as ledger:
            verdict = check_ledger(ledger)
        assert verdict.error is None
        assert verdict.size >= acknowledged
    assert killed == KILLS


def test_writers_at_once_keep_one_chain(path: Path) -> None:
    """Eight processes append at once: every acknowledged event is there, in one chain."""
    before = 3
    writers = [_writer(path, 5) for _ in range(8)]
    sizes = [_acknowledged(writer) for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * 8
    with Ledger.open(path) as ledger:
        verdict = check_ledger(ledger)
    each = sum(2 + number * 7 % 40 for number in range(5))
    assert verdict.error is None
    assert verdict.size == before + 8 * each
    assert max(sizes) <= verdict.size
