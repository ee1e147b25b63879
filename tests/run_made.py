"""Runs made for tests: one that was just opened, and a whole one with all its evidence."""

import itertools
import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from ledger.runs.recording import Harness, Recorder, Task, open_run

START = datetime(2026, 1, 1, tzinfo=UTC)
HARNESS = Harness("pi", "1.2", "some-model", "some-provider")
TASK = b"Operate the machine, log what comes out of it, and report that.\n"
RUN_ID = "first"
TRAJECTORY = "trajectory.jsonl"
PLACE = {"instance": "lab-a", "dimension": "minecraft:overworld", "run_id": RUN_ID}


def moment(seconds: float) -> str:
    """Return a time so many seconds after the run was opened."""
    return (START + timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")


def clock(start: float = 0) -> Callable[[], str]:
    """Return a clock that goes on by a second whenever it is asked."""
    seconds = itertools.count(start)
    return lambda: moment(next(seconds))


def entropy(count: int) -> bytes:
    """Return bytes that are not random at all."""
    return bytes(range(count))


def opened(run_dir: Path, **given: Any) -> Path:
    """Open a run and return where it is."""
    settings: dict[str, Any] = {
        "run_id": RUN_ID,
        "task": Task(TASK, "task.md"),
        "harness": HARNESS,
        "clock": clock(),
        "entropy": entropy,
        "cwd": run_dir.parent,
    }
    open_run(run_dir, **{**settings, **given})
    return run_dir


def recorder(run_dir: Path, start: float = 1, **given: Any) -> Recorder:
    """Return a recorder whose clock begins so many seconds after the run was opened."""
    return Recorder(run_dir, clock=clock(start), **given)


def document(run: Path, name: str = "run.json") -> Any:
    """Return what a document of a run says."""
    return json.loads((run / name).read_text(encoding="utf-8"))


def last(run: Path) -> Any:
    """Return the last record of a run's trajectory."""
    return lines_of(run / TRAJECTORY)[-1]


def put(path: Path, said: Any) -> Path:
    """Write a document, or a list of records as lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = said if isinstance(said, list) else None
    text = json.dumps(said) if lines is None else "".join(f"{json.dumps(one)}\n" for one in lines)
    path.write_text(text)
    return path


def change(path: Path, **fields: Any) -> None:
    """Set fields of a document."""
    put(path, json.loads(path.read_text()) | fields)


def lines_of(path: Path) -> list[Any]:
    """Return the records of a file."""
    # As bytes: text is cut at U+0085 and U+2028 too, which may stand inside of a record.
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def put_lines(path: Path, records: Iterable[Any]) -> None:
    """Write records as lines."""
    put(path, list(records))


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, hexadecimal."""
    return sha256(path.read_bytes()).hexdigest()


def whole(run_dir: Path, **given: Any) -> Path:
    """Make a run with calls, an artifact, an import, evidence in each slot, reviews and more.

    All of it goes through the recorder, so it is what a valid run looks like.
    """
    visible = put(run_dir.parent / "notes" / "machine.md", {"how": "by the note block"})
    opened(run_dir, visible=[visible.parent], notes=["made for a test"], **given)
    logged = [
        {"event": "logger_armed", **PLACE, "tick": 150, "seq": 1, "at": moment(5)},
        {"event": "cart_observed", **PLACE, "uuid": "cart-1", "tick": 220, "seq": 2,
         "at": moment(16), "items": ["minecraft:iron_ingot"]},
    ]  # fmt: skip
    log = put(run_dir / "agent/logger.jsonl", logged)
    view = [{**one, "source_sha256": digest(log)} for one in logged]
    put(run_dir / "agent/logger.norm.jsonl", view)
    put(run_dir / "test/testmod.jsonl", [
        {"event": "input_processed", **PLACE, "actor": "fake-1", "tick": 201, "seq": 3,
         "at": moment(11)},
        {"event": "cart_ejected", **PLACE, "uuid": "cart-1", "tick": 205, "seq": 4,
         "at": moment(15)},
    ])  # fmt: skip
    carts = [{"uuid": "cart-1", "items": ["minecraft:iron_ingot"]}]
    put(run_dir / "answer.json", {"carts": carts})
    put(run_dir / "oracle.json", {"status": "verified", "source": "test mod",
                                  "evidence_refs": ["testmod:seq4"], "carts": carts})  # fmt: skip
    put(run_dir / "fixture/ready.json", {"status": "ready", "ready": True})
    put(run_dir / "restore/verify.json", {"status": "ok"})
    put(run_dir / "preflight/preflight.json", {"overall": "PASS"})
    built = put(run_dir.parent / "build" / "logger.jar", {"a": "build"})
    session = put(run_dir.parent / "session.jsonl", [{"type": "session"}])
    cwd = run_dir.parent
    with recorder(run_dir) as recording:
        recording.phase("prepare", "test")
        recording.call("c1", "bash", {"command": "javac Logger.java"}, at=moment(4))
        recording.result("c1", "ok", result={"text": "compiled"}, at=moment(4.5), duration_ms=500)
        recording.call("c2", "bridge", {"use": "note_block"}, at=moment(10.5), tick=200)
        recording.result("c2", "ok", at=moment(10.6))
        recording.mark("seen", {"by": "hand"}, at=moment(30))
    with recorder(run_dir, 40) as recording:
        recording.artifact(built, "agent logger", cwd=cwd)
        recording.import_file(session, records=0, cwd=cwd)
        for slot, path in (
            ("test_mod", "test/testmod.jsonl"), ("answer", "answer.json"),
            ("oracle", "oracle.json"), ("fixture", "fixture/ready.json"),
            ("restore", "restore/verify.json"), ("preflight", "preflight/preflight.json"),
        ):  # fmt: skip
            recording.declare(slot, path, cwd=cwd)
        recording.declare(
            "agent_logger", "agent/logger.jsonl", normalized="agent/logger.norm.jsonl", cwd=cwd
        )
        recording.attest("an operator", ["no_standard_answer", "no_design_discussion"])
        recording.derive("agent/logger.norm.jsonl", ["agent/logger.jsonl"], tool="norm.py",
                         producer="agent", cwd=cwd)  # fmt: skip
        recording.review("machine_operated.causality", "resolved", by="a reviewer",
                         note="watched it", evidence=["trajectory:c2", "testmod:seq3"])  # fmt: skip
        recording.review("agent_read_log.linkage", "pending")
    return run_dir
