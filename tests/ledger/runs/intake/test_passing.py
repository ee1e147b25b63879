"""A ledger that nobody keeps: like any other, and small however long the run is (KEEP-15)."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ledger.check import check_ledger
from ledger.errors import RunChanged
from ledger.founding import first_root, found
from ledger.runs.directory import Directory
from ledger.runs.intake.held import Held
from ledger.runs.intake.passing import in_memory_ledger, taken_in
from ledger.store import Ledger, PassingLedger
from signing.keys import PrivateKey

AT = "2026-03-01T00:00:00.000000Z"
REPO = Path(__file__).resolve().parents[4]
MIB = 2**20


def test_it_holds_like_any_ledger() -> None:
    """Founded, with the shipped policies in force, and nothing wrong with it."""
    with in_memory_ledger(at=AT, entropy=os.urandom) as ledger:
        verdict = check_ledger(ledger)
        assert verdict.ok
        assert verdict.size == ledger.size > 2
    with in_memory_ledger(at=AT, entropy=os.urandom, policies={}) as ledger:
        assert ledger.size == 1


def test_two_of_them_have_nothing_in_common() -> None:
    """Each is a database of its own, without a name in any folder."""
    with (
        in_memory_ledger(at=AT, entropy=os.urandom) as one,
        in_memory_ledger(at=AT, entropy=os.urandom) as other,
    ):
        assert one.root() != other.root()
        assert not one.path.exists()
        assert type(one) is PassingLedger


def test_a_run_in_it_is_the_run_in_a_file(tmp_path: Path, shelf: Any, run: Any) -> None:
    """KEEP-15: the same files, states and bytes, whichever ledger took it in."""
    key, log_key = (PrivateKey.generate(bytes([seed]) * 32) for seed in (1, 2))
    path = tmp_path / "ledger.db"
    found(path, first_root("example.org/runs", key, log_key, "test"), key,
          at=AT, entropy=os.urandom)  # fmt: skip
    contents = Directory(run.root)
    with (
        taken_in(contents, "a folder", at=AT, entropy=os.urandom) as (passing, name),
        Ledger.open(path, write=True) as ledger,
    ):
        assert name == "run-01"
        type(shelf)(ledger).take(run)
        one, other = Held(passing, name), Held(ledger, name)
        assert one.files() == other.files()
        assert [one.data(file) for file in one.files()] == [
            other.data(file) for file in other.files()
        ]
        assert check_ledger(passing).ok


def test_a_fault_leaves_nothing_open(run: Any) -> None:
    """A run that changes while it is taken in is refused, and the ledger is gone."""
    contents = Directory(run.root)
    run.write("task.md", "Another task.\n")
    with (
        pytest.raises(RunChanged),
        taken_in(contents, "a folder", at=AT, entropy=os.urandom),
    ):
        raise AssertionError("it was taken in")


PROGRAM = f"""
import os, resource, sys
from pathlib import Path
from ledger.runs.directory import Directory
from ledger.runs.intake.held import Held
from ledger.runs.intake.passing import taken_in
with taken_in(Directory(Path(sys.argv[1])), "r", at="{AT}", entropy=os.urandom) as (ledger, run):
    held = Held(ledger, run)
    for file in held.files():
        if file.state == "present":
            print(file.role, sum(len(line) for line in held.lines(file)))
status = Path("/proc/self/status").read_text().split("VmHWM:")[1]
print("peak", int(status.split()[0]) // 1024)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no account of memory")
def test_memory_does_not_grow_with_the_run(run: Any) -> None:
    """KEEP-15: a run of fifty MiB takes a few MiB more than one of a few lines."""
    small = _peak(run.root)
    line = b'{"record": "mark", "name": "' + b"x" * 250_000 + b'"}\n'
    with (run.root / "trajectory.jsonl").open("ab") as out:
        for _ in range(200):
            out.write(line)
    assert _peak(run.root) - small < 32


def _peak(root: Path) -> int:
    """Return the most memory that taking in and reading out takes, MiB."""
    command = (sys.executable, "-c", PROGRAM, str(root))
    done = subprocess.run(command, capture_output=True, check=True, cwd=REPO)
    lines = dict(line.split() for line in done.stdout.decode().splitlines())
    assert int(lines["trajectory"]) == (root / "trajectory.jsonl").stat().st_size
    return int(lines["peak"])
