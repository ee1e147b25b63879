"""Several recorders, one run, one ledger: nothing is lost, and nothing told twice (KEEP-16)."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from ledger.check import check_ledger
from ledger.founding import first_root, found
from ledger.runs.directory import Directory
from ledger.runs.intake.compare import compare
from ledger.runs.intake.following import follow
from ledger.runs.intake.held import Held
from ledger.store import Ledger
from signing.keys import PrivateKey

AT = "2026-03-01T00:00:00.000000Z"
RECORDS = 25

RECORDER = f"""
import os, sys
from pathlib import Path
from ledger.runs.intake.following import follow
ledger, root, name, count = sys.argv[1:]
with follow(Path(ledger), Path(root), now=lambda: "{AT}", entropy=os.urandom) as follower:
    for number in range(int(count)):
        handle = os.open(Path(root) / "trajectory.jsonl", os.O_WRONLY | os.O_APPEND)
        os.write(handle, f'{{{{"record": "mark", "name": "{{name}}{{number}}"}}}}\\n'.encode())
        os.close(handle)
        follower(["trajectory"] if number % 2 else None)
"""


def _found(path: Path) -> None:
    key, log_key = (PrivateKey.generate(bytes([seed]) * 32) for seed in (1, 2))
    found(path, first_root("example.org/runs", key, log_key, "test"), key,
          at=AT, entropy=os.urandom)  # fmt: skip


def test_a_follower_appends_what_is_new(tmp_path: Path, run: Any) -> None:
    """The ledger is opened once, and has each record when the call returns."""
    _found(tmp_path / "ledger.db")
    with follow(tmp_path / "ledger.db", run.root, now=lambda: AT, entropy=os.urandom) as follower:
        assert follower().new == 15
        for number in range(3):
            run.append("trajectory.jsonl", {"record": "mark", "name": str(number)})
            assert follower().events == 2
            with Ledger.open(tmp_path / "ledger.db") as reader:
                assert compare(reader, Directory(run.root)) == []
        assert follower().events == 0


def test_two_recorders_append_to_one_ledger(tmp_path: Path, run: Any) -> None:
    """KEEP-16: two processes append to the trajectory and to the ledger at once."""
    path = tmp_path / "ledger.db"
    _found(path)
    command = (sys.executable, "-c", RECORDER, str(path), str(run.root))
    recorders = [
        subprocess.Popen((*command, name, str(RECORDS)), stderr=subprocess.PIPE)
        for name in ("a", "b")
    ]
    for recorder in recorders:
        _, said = recorder.communicate(timeout=120)
        assert (recorder.returncode, said.decode()) == (0, "")
    with Ledger.open(path) as ledger:
        assert check_ledger(ledger).ok
        assert compare(ledger, Directory(run.root)) == []
        held = Held(ledger, "run-01")
        (file,) = (file for file in held.files() if file.role == "trajectory")
        lines = list(held.lines(file))
        assert len(lines) == 3 + 2 * RECORDS
        types = [1 for _, entry in ledger.entries() if b"trajectory.recorded/1" in entry]
        assert len(types) == len(lines)
