"""Several recorders at once, and recorders that are killed: what was acknowledged is there."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from run_made import lines_of, opened

from ledger.runs.directory import Directory
from ledger.runs.recording import Recorder, repair
from ledger.runs.structure import problems

PROCESSES, RECORDS = 8, 10
PROGRAM = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from ledger.runs.recording import Recorder

run_dir, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
with Recorder(run_dir, clock=lambda: datetime.now(UTC).isoformat()) as recorder:
    for number in range(count):
        call = f"{name}-{number}"
        recorder.call(call, "bash", {"text": "x" * (number * 997 % 20_000)})
        print(call, flush=True)
        recorder.result(call, "ok")
    if name.startswith("artist"):
        recorder.artifact(Path(sys.argv[4]), name, cwd=Path.cwd())
"""


def started(run: Path, name: str, count: int, *more: str) -> subprocess.Popen[str]:
    """Start a recorder in a process of its own; it prints what was acknowledged."""
    words = [sys.executable, "-c", PROGRAM, str(run), name, str(count), *more]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def test_eight_recorders_at_once(tmp_path: Path) -> None:
    """No line is torn, no number missing or there twice, no artifact lost (RUN-70, RUN-72)."""
    run = opened(tmp_path / "run")
    kept = tmp_path / "kept.txt"
    kept.write_text("bytes")
    running = [started(run, f"artist{one}", RECORDS, str(kept)) for one in range(PROCESSES)]
    assert [one.wait(120) for one in running] == [0] * PROCESSES
    for one in running:
        assert one.stdout is not None
        one.stdout.close()
    records = lines_of(run / "trajectory.jsonl")
    assert [one["seq"] for one in records] == list(range(1, 2 + PROCESSES * (2 * RECORDS + 1)))
    assert len(json.loads((run / "run.json").read_text())["artifacts"]) == PROCESSES
    assert len(list((run / "artifacts").iterdir())) == PROCESSES
    assert problems(Directory(run)) == []


@pytest.mark.skipif(os.name != "posix", reason="nothing else can be killed like that")
def test_a_recorder_that_is_killed_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    """Its lock ends with it, and the next one goes on (RUN-70, RUN-71)."""
    run = opened(tmp_path / "run")
    acknowledged: list[str] = []
    for life in range(4):
        process = started(run, f"life{life}", 100_000)
        assert process.stdout is not None
        for _ in range(5 + 7 * life):
            acknowledged.append(process.stdout.readline().strip())
        process.send_signal(signal.SIGKILL)
        acknowledged += process.stdout.read().split()
        process.stdout.close()
        assert process.wait(60) == -signal.SIGKILL
        repair(run)
    records = lines_of(run / "trajectory.jsonl")
    calls = {one["call_id"] for one in records if one["record"] == "call"}
    assert set(acknowledged) <= calls
    assert [one["seq"] for one in records] == list(range(1, len(records) + 1))
    assert {one.code for one in problems(Directory(run))} <= {"call_without_result"}
    with Recorder(run, clock=lambda: "2100-01-01T00:00:00Z") as recorder:
        for problem in problems(Directory(run)):
            recorder.result(records[(problem.line or 0) - 1]["call_id"], "open")
    assert problems(Directory(run)) == []
