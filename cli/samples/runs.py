"""A made-up cold-start run: a sorting machine is operated once, logged, read and reported.

It is recorded as any run is, by a recorder whose clock is made up too. One question is left for a
reviewer: whether the call that the agent made is what the machine then did.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from canon import instant_text
from ledger.runs.recording import STATEMENTS, Harness, Recorder, Task, open_run

NAME = "sorter-01"

_START = datetime(2025, 6, 3, 9, 0, tzinfo=UTC)
_TASK = b"""Start the sorting machine once. Log every cart that leaves it, and what is in it, before
the cart is gone. Then report what was in each cart, in the order of its slots.
"""
_WHERE = {"instance": "bench-1", "dimension": "workshop"}
_CARTS = {
    "cart-7f": ["minecraft:copper_ingot", "minecraft:quartz"],
    "cart-a2": ["minecraft:redstone"],
}

Record = Mapping[str, Any]


def run_files() -> dict[str, bytes]:
    """Return the files of the sample run, by path from the folder of samples."""
    with TemporaryDirectory() as folder:
        made = Path(folder) / "runs" / NAME
        _record(made)
        paths = sorted(path for path in made.rglob("*") if path.is_file())
        return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def _at(seconds: float) -> str:
    return instant_text(_START + timedelta(seconds=seconds))


def _record(run_dir: Path) -> None:
    """Record the run, from its opening to two of its three reviews."""
    open_run(
        run_dir,
        run_id=NAME,
        task=Task(_TASK, "task-sorter.md"),
        harness=Harness("lantern", "2.3.0", "northlight/fern-2", "northlight"),
        clock=lambda: _at(0),
        entropy=bytes,
        cwd=run_dir,
        notes=["made up; fresh context"],
    )
    ticking = _clock()
    with Recorder(run_dir, clock=lambda: next(ticking)) as recorder:
        _operate(recorder)
        _gather(recorder, run_dir)
        recorder.attest("M. Sato", STATEMENTS, note="a fresh session on a machine of its own")
        recorder.review(
            "logger_armed_before_activation.running",
            "resolved",
            by="R. Oduya",
            note="the console shows the logger's first line before the lever moved",
            evidence=["logger:seq1", "trajectory:c1-install-logger"],
        )
        recorder.review(
            "answer_correct.oracle_independence",
            "resolved",
            by="R. Oduya",
            note="the oracle was written from the test side's file and the fixture alone",
            evidence=["testmod:seq4", "fixture:ready"],
        )


def _clock() -> Iterator[str]:
    """Yield a time for whatever is recorded after the machine has stopped."""
    seconds = 120
    while True:
        yield _at(seconds)
        seconds += 5


def _operate(recorder: Recorder) -> None:
    recorder.phase("prepare", "test", at=_at(1), instance="bench-1")
    recorder.phase("agent", "harness", at=_at(6))
    _call(recorder, "c0-read-task", "read", {"path": "task.md"}, _TASK.decode(), 7)
    install = {"command": "gradle build && cp build/libs/cart-logger.jar mods/"}
    _call(recorder, "c1-install-logger", "bash", install, "BUILD SUCCESSFUL in 4s", 12)
    _call(recorder, "c2-lever", "bridge", {"command": "use lever"}, "used", 30)
    lines = "".join(_line(record) for record in _logged() if "uuid" in record)
    _call(recorder, "c3-read-log", "bash", {"command": "cat agent/cart-log.jsonl"}, lines, 60)
    recorder.phase("audit", "operator", at=_at(90))


def _call(
    recorder: Recorder, name: str, tool: str, arguments: Record, text: str, seconds: float
) -> None:
    recorder.call(name, tool, arguments, at=_at(seconds))
    recorder.result(name, "ok", result={"text": text}, phase="agent", at=_at(seconds + 0.5))


def _line(record: Record) -> str:
    return json.dumps(record) + "\n"


def _witnessed() -> list[Record]:
    """Return what the test side saw."""
    events: list[tuple[str, float, int, Record]] = [
        ("instance_ready", 2, 100, {}),
        ("input_attempt", 30, 660, {"actor": "agent"}),
        ("input_processed", 31, 680, {"actor": "agent"}),
        ("cart_ejected", 34, 740, {"uuid": "cart-7f"}),
        ("cart_ejected", 36, 780, {"uuid": "cart-a2"}),
        ("cart_removed", 44, 940, {"uuid": "cart-7f", "reason": "void"}),
        ("cart_removed", 46, 980, {"uuid": "cart-a2", "reason": "void"}),
        ("end", 50, 1060, {}),
    ]
    return _records(events)


def _logged() -> list[Record]:
    """Return what the agent's own logger wrote."""
    events: list[tuple[str, float, int, Record]] = [("logger_armed", 20, 460, {})]
    for number, (cart, items) in enumerate(_CARTS.items()):
        said = {"uuid": cart, "position": [12, 64, -3], "items": items}
        events.append(("cart_observed", 35 + 2 * number, 760 + 40 * number, said))
    return _records([*events, ("logger_flushed", 48, 1020, {})])


def _records(events: Sequence[tuple[str, float, int, Record]]) -> list[Record]:
    return [
        {"event": event, **_WHERE, "run_id": NAME, "seq": number, "tick": tick}
        | {"at": _at(seconds), **more}
        for number, (event, seconds, tick, more) in enumerate(events, start=1)
    ]


def _gather(recorder: Recorder, run_dir: Path) -> None:
    """Put the evidence where it is declared."""
    carts = [{"uuid": cart, "items": items} for cart, items in _CARTS.items()]
    oracle = {
        "status": "verified",
        "source": "test side and fixture",
        "evidence_refs": ["testmod:seq4", "testmod:seq5", "fixture:ready"],
        "carts": carts,
    }
    evidence: dict[str, tuple[str, str]] = {
        "agent_logger": ("agent/cart-log.jsonl", "".join(map(_line, _logged()))),
        "test_mod": ("test/machine.jsonl", "".join(map(_line, _witnessed()))),
        "answer": ("agent/answer.json", _line({"carts": carts})),
        "oracle": ("test/oracle.json", _line(oracle)),
        "fixture": ("test/fixture.json", _line({"status": "ready", "ready": True})),
        "restore": ("test/restore.json", _line({"status": "verified"})),
    }
    for slot, (path, text) in evidence.items():
        (run_dir / path).parent.mkdir(exist_ok=True)
        (run_dir / path).write_bytes(text.encode())
        recorder.declare(slot, path, cwd=run_dir)
