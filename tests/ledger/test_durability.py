"""A ledger keeps what it acknowledged, whatever happens to its writers (STORE-1 to STORE-3)."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from ledger.check import check_ledger
from ledger.founding import first_root, found
from ledger.rules import SHIPPED
from ledger.store import Ledger
from signing.keys import PrivateKey

WRITER = Path(__file__).with_name("writer.py")
AT = "2026-01-01T00:00:00.000000Z"
WORKS = ("import", "exclude", "freeze", "redact", "backup")
KILLS = 1_000 if os.environ.get("FUZZ") else 20


FOUNDING = 1 + len(SHIPPED)
"""Events of a fresh ledger: its first trust root, and each shipped policy."""

ROUNDS = 25
"""Kills of one ledger, which grows with each."""


def _founded(path: Path) -> Path:
    key, log_key = (PrivateKey.generate(bytes([seed]) * 32) for seed in (1, 2))
    root = first_root("example.org/durable", key, log_key, "founder")
    found(path, root, key, at=AT, entropy=os.urandom)
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a fresh ledger."""
    return _founded(tmp_path / "ledger.db")


def _writer(path: Path, rounds: int, *works: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(WRITER), str(path), str(rounds), *works],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )


def _acknowledged(writer: subprocess.Popen[str]) -> int:
    """Return the last size that the dead writer got to say, 0 if none."""
    said = writer.communicate()[0].splitlines()
    return int(said[-1]) if said else 0


def _checked(path: Path) -> int:
    """Return the size of a ledger in which everything holds."""
    with Ledger.open(path) as ledger:
        verdict = check_ledger(ledger)
    assert verdict.error is None
    return verdict.size


def test_a_killed_writer_loses_no_acknowledged_event(tmp_path: Path) -> None:
    """SIGKILL at any instant of any work: the ledger opens, checks, and holds all of them.

    A copy has its name only when it is whole (STORE-1, STORE-2, STORE-8).
    """
    chance = random.Random(20260101)
    killed: Counter[str] = Counter()
    for number in range(KILLS):
        if number % ROUNDS == 0:
            path = _founded(tmp_path / f"{number}.db")
        work = WORKS[number % len(WORKS)]
        writer = _writer(path, 1_000_000, "import", *[work] * 6)
        assert writer.stdout is not None
        for _ in range(3):
            writer.stdout.readline()  # it is at work
        time.sleep(chance.random() * 0.05)
        writer.send_signal(signal.SIGKILL)
        acknowledged = _acknowledged(writer)
        killed[work] += writer.returncode == -signal.SIGKILL
        assert _checked(path) >= acknowledged
        for copy in tmp_path.glob("*.copy"):
            assert _checked(copy) > 0
            copy.unlink()
    assert sum(killed.values()) == KILLS
    assert set(killed) == set(WORKS)


def test_writers_at_once_keep_one_chain(path: Path) -> None:
    """Eight processes append at once: every acknowledged event is there, in one chain (STORE-3)."""
    before = FOUNDING
    writers = [_writer(path, 5) for _ in range(8)]
    sizes = [_acknowledged(writer) for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * 8
    each = sum(2 + (number + 1) * 7 % 40 for number in range(5))
    assert _checked(path) == before + 8 * each
    assert max(sizes) <= before + 8 * each


def test_imports_decisions_and_freezes_at_once_keep_one_chain(path: Path) -> None:
    """Each decision and each freeze is made in view of what the others appended (STORE-3)."""
    writers = [_writer(path, 6, "import", "exclude", "freeze") for _ in range(8)]
    sizes = [_acknowledged(writer) for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * 8
    assert _checked(path) == max(sizes)
    with Ledger.open(path) as ledger:
        editions = [key for key, _ in ledger.identities("edition")]
    assert len(editions) == 8 * 2


def test_many_make_one_ledger_and_one_has_made_it(tmp_path: Path) -> None:
    """Two processes cannot found the same file (STORE-8)."""
    start = [sys.executable, "-c", "from cli.main import run; run()", "init", "--json"]
    running = [
        subprocess.Popen(
            [*start, "--ledger", "one.db", "--keys", f"keys{number}"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    said = [json.loads(one.communicate()[0]) for one in running]
    assert sorted(one.returncode for one in running) == [0] + [1] * 3
    made = [one for one in said if "error" not in one]
    assert {one["error"]["code"] for one in said if "error" in one} == {"E_EXISTS"}
    with Ledger.open(tmp_path / "one.db") as ledger:
        assert ledger.origin == made[0]["origin"]
    assert _checked(tmp_path / "one.db") == FOUNDING
    # Whoever was too late keeps no keys of a ledger that there is not.
    assert len(list(tmp_path.glob("keys*"))) == 1
    assert not list(tmp_path.glob(".*"))
