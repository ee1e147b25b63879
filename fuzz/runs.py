"""A run of which one file holds any bytes: what validation and the recorder make of it."""

import atexit
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from canon.refusal import Refusal
from ledger.runs.directory import Directory
from ledger.runs.problems import HINTS, Problem
from ledger.runs.recording import Harness, Recorder, Task, open_run, withhold
from ledger.runs.structure import problems

FILES = (
    "run.json", "visibility.json", "evidence.json", "trajectory.jsonl", "reviews.jsonl",
    "derivations.jsonl", "withheld.json", "log.jsonl",
)  # fmt: skip
_AT, _LATER = "2026-01-01T00:00:00Z", "9999-01-01T00:00:00Z"


def run_file(data: bytes) -> None:
    """Any file of a run is judged in words of the list, and a valid run stays one when added to.

    The first byte says which file the others stand in.
    """
    folder, originals = _valid()
    name = FILES[data[0] % len(FILES)] if data else FILES[0]
    try:
        (folder / name).write_bytes(data[1:])
        found = _judged(folder)
        trajectory = (folder / "trajectory.jsonl").read_bytes()
        try:
            with Recorder(folder, clock=lambda: _LATER) as recorder:
                recorder.mark("more")
        except Refusal:
            assert (folder / "trajectory.jsonl").read_bytes() == trajectory
            return
        after = (folder / "trajectory.jsonl").read_bytes()
        assert after.startswith(trajectory)
        assert after.count(b"\n") == trajectory.count(b"\n") + 1
        assert found or not _judged(folder)
    finally:
        for path, said in originals.items():
            path.write_bytes(said)


def seeds() -> Iterator[bytes]:
    """Yield each file of a valid run behind its number, whole and cut in its middle."""
    folder, _ = _valid()
    for number, name in enumerate(FILES):
        data = bytes([number]) + (folder / name).read_bytes()
        yield data
        yield data[: len(data) // 2]


def _judged(folder: Path) -> list[Problem]:
    found = problems(Directory(folder))
    assert found == problems(Directory(folder))
    for one in found:
        assert one.code in HINTS, one
        assert one.line is None or one.line > 0, one
        assert one.file, one
    return found


@cache
def _valid() -> tuple[Path, dict[Path, bytes]]:
    """Return a valid run in a folder that goes with the process, and its files."""
    kept = tempfile.TemporaryDirectory()
    atexit.register(kept.cleanup)
    folder = Path(kept.name) / "run"
    open_run(
        folder, run_id="run", task=Task(b"Look around.\n", "task.md"),
        harness=Harness("pi", "1", "model", "provider"), clock=lambda: _AT,
        entropy=lambda count: bytes(count), cwd=Path(kept.name), visible=[Path(__file__)],
    )  # fmt: skip
    (folder / "log.jsonl").write_bytes(b'{"event": "end", "seq": 1, "tick": 5, "at": 1.5}\n')
    with Recorder(folder, clock=lambda: _AT) as recorder:
        recorder.phase("prepare", "test")
        recorder.call("c1", "bash", {"command": "ls", "n": [1.5, None, True]}, tick=7)
        recorder.result("c1", "ok", result={"text": "a"}, duration_ms=5)
        recorder.artifact(folder / "task.md", "task", cwd=folder)
        recorder.derive("task.md", ["log.jsonl"], tool="t", producer="agent", cwd=folder)
        recorder.review("x.y", "resolved", by="me", evidence=["trajectory:c1"])
        recorder.review("x.z", "pending")
    _declare_log(folder)
    withhold(folder, "gone.json", "private", entropy=lambda count: bytes(count))
    assert problems(Directory(folder)) == []
    return folder, {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _declare_log(folder: Path) -> None:
    """Declare the log without its digest, so that any bytes of it are read."""
    path = folder / "evidence.json"
    said = path.read_text(encoding="utf-8")
    path.write_text(said.replace('"test_mod": null', '"test_mod": {"path": "log.jsonl"}'))
