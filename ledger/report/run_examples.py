"""An example of each type of event of a run, made from one small run and what reads it.

They hold in a ledger that has the example of an imported file, and nothing behind it.
"""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from canon import Encodable, encode
from canon.digest import sha256
from ledger.events import (
    CANONICAL,
    CONTENT,
    DIGEST,
    LINE,
    PATH,
    STREAM_ROLES,
    VERDICT,
    AuditConcluded,
    FileObserved,
    FileRole,
    Observation,
    TrajectoryRecorded,
)
from ledger.rules import shipped
from ledger.runs.declared import declared
from ledger.runs.extraction import READER, event_of

_RUN, _REVIEW = "dry-well-01", "machine_operated.causality"


class Observed(NamedTuple):
    """An event of the example, with its slots."""

    event: Observation
    slots: dict[str, bytes]


class Answer(NamedTuple):
    """A signed review of the example, with its slots."""

    fields: dict[str, Any]
    slots: dict[str, bytes]


def run_events(first: int) -> list[Observed]:
    """Return the events of the example's run, of which the first has the number *first*."""
    found: list[Observed] = []
    sources = []
    for role, path, parts in _files():
        sources.append(first + len(found))
        found += _file(role, path, parts, sources[-1])
    verdict = AuditConcluded(
        run=_RUN,
        flags=[("machine_operated", "PENDING")],
        rules=sha256(_rules()),
        auditor="somebody with a pencil",
        overall="PENDING",
        reviews=[],
        sources=sources,
        supersedes=None,
        failure_class=None,
    )
    whole: Encodable = {
        "schema": "mc-agent-coldstart-audit/1",
        "auditor": verdict.auditor,
        "overall": verdict.overall,
        "failure_class": verdict.failure_class,
        "rules": {"sha256": verdict.rules.hex()},
        "flags": [{"flag": flag, "status": status} for flag, status in verdict.flags],
    }
    return [*found, Observed(verdict, {VERDICT: encode(whole)})]


def answer(first: int) -> Answer:
    """Return the example of a signed review of that run."""
    events = run_events(first)
    cited = next(
        number
        for number, one in enumerate(events, first)
        if isinstance(one.event, TrajectoryRecorded)
    )
    fields = {
        "run": _RUN,
        "cited": [cited],
        "review": _REVIEW,
        "status": "resolved",
        "verdict": first + len(events) - 1,
    }
    return Answer(fields, {"reason": b"the replay shows the agent's command at work"})


def _rules() -> bytes:
    """Return a policy that every new ledger freezes: of audits, where there is one."""
    documents = shipped()
    return documents[min(documents, key=lambda name: (not name.startswith("audit/"), name))]


def _file(role: FileRole, path: str, parts: Sequence[bytes], seq: int) -> list[Observed]:
    data = b"".join(parts)
    slots = {PATH: path.encode(), DIGEST: sha256(data)}
    slots[CANONICAL] = sha256(data.replace(b"\r\n", b"\n"))
    records: list[tuple[str | None, bytes]]
    if role in STREAM_ROLES:
        records = [(None, part) for part in parts]
    else:
        records = [(item.slot, item.raw) for item in declared(role, data)]
        slots[CONTENT] = data
    event = FileObserved(
        run=_RUN,
        kept=0,
        role=role,
        state="present",
        reader=READER,
        records=len(records),
        size_bytes=len(data),
        supersedes=None,
    )
    told = [
        Observed(event_of(role, line, raw, seq, slot), {LINE: raw})
        for line, (slot, raw) in enumerate(records)
    ]
    return [Observed(event, slots), *told]


def _files() -> list[tuple[FileRole, str, list[bytes]]]:
    manifest = {
        "schema": "mc-agent-coldstart-run/1",
        "run_id": _RUN,
        "imports": [],
        "artifacts": [{"path": "artifacts/logger.jar", "size": 2048, "phase": "agent"}],
    }
    call = {"record": "call", "seq": 1, "call_id": "c1", "tool": "bash", "actor": "agent"}
    armed = {"event": "logger_armed", "at": "2026-01-01T00:00:01Z", "tick": 7}
    review = {"id": _REVIEW, "status": "pending"}
    derivation = {"tool": "filter.py", "producer": "agent", "inputs": []}
    return [
        ("manifest", "run.json", [json.dumps(manifest).encode()]),
        ("agent_logger", "agent/logger.jsonl", [_line(armed)]),
        ("derivations", "derivations.jsonl", [_line(derivation)]),
        ("reviews", "reviews.jsonl", [_line(review)]),
        ("trajectory", "trajectory.jsonl", [_line(call)]),
    ]


def _line(record: dict[str, Any]) -> bytes:
    return json.dumps(record).encode() + b"\n"
