"""A made-up run of any length: the fields of a trajectory, and about the bytes of a row.

Nothing here is a result of any system; record *n* is the same in every run of the benchmark.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

_RUN = "bench"
_START = datetime(2026, 1, 5, 6, 0, tzinfo=UTC)
_TEXT = "The lever was pulled, the cart left the stack, and the logger wrote a line about it. " * 11
_DOCUMENTS: dict[str, dict[str, Any]] = {
    "run.json": {
        "schema": "mc-agent-coldstart-run/1",
        "run_id": _RUN,
        "created_at": "2026-01-05T06:00:00Z",
        "harness": {"name": "none", "model": "none"},
        "task": {"path": "task.md"},
        "imports": [],
        "artifacts": [],
    },
    "visibility.json": {"schema": "mc-agent-coldstart-visibility/1", "files": []},
    "evidence.json": {"schema": "mc-agent-coldstart-evidence/1"},
}


def write_run(folder: Path, count: int) -> Path:
    """Write a run directory whose trajectory has *count* records, and return it."""
    root = folder / "run"
    root.mkdir()
    for name, said in _DOCUMENTS.items():
        (root / name).write_text(json.dumps(said), encoding="utf-8")
    (root / "task.md").write_text("Nothing is to be done.\n", encoding="utf-8")
    with (root / "trajectory.jsonl").open("w", encoding="utf-8", newline="\n") as out:
        for record in _records(count):
            out.write(json.dumps(record) + "\n")
    return root


def _records(count: int) -> Iterator[dict[str, Any]]:
    common = {"schema": "mc-agent-coldstart-trajectory/1", "run_id": _RUN}
    for number in range(count):
        at = f"{_START + timedelta(milliseconds=40 * number):%Y-%m-%dT%H:%M:%S.%fZ}"
        placed = {"phase": "agent", "actor": "agent", "tick": number // 2, "at": at, "seq": number}
        if not number:
            yield {**common, "record": "header", "created_at": at, "seq": 0}
        elif number % 2:
            call = {"record": "call", "call_id": f"c{number}", "tool": "bash"}
            yield {**common, **call, "arguments": {"command": _TEXT}, **placed}
        else:
            result = {"record": "result", "call_id": f"c{number - 1}", "status": "ok"}
            yield {**common, **result, "result": {"text": _TEXT}, "duration_ms": 38, **placed}
