"""A verdict in full against the entry that states it (VERIFY-27)."""

from collections.abc import Iterator, Mapping
from typing import Any

from canon import decode
from canon.refusal import Refusal
from ledger.errors import ExtractionMismatch
from ledger.events import MAX_RECORD_BYTES, AuditConcluded

SCHEMA = "mc-agent-coldstart-audit/1"
"""Of the verdicts whose fields are compared; others are canonical, and no more is known."""


def check_verdict(seq: int, event: AuditConcluded, data: bytes) -> None:
    """Compare the fields of an entry with the verdict that it commits to.

    Args:
        seq: The entry's number.
        event: What it says.
        data: The verdict in full; one of over 16 MiB is not read.

    Raises:
        ExtractionMismatch: They differ, or the bytes are not canonical.
    """
    if len(data) > MAX_RECORD_BYTES:
        return
    try:
        body: Any = decode(data)
    except Refusal as refusal:
        got = f"a verdict with {refusal.message}"
        raise ExtractionMismatch(f"event {seq}", got, "canonical bytes", seq=seq) from refusal
    if not isinstance(body, Mapping) or body.get("schema") != SCHEMA:
        return
    for name, stated, given in _pairs(event, body):
        if stated != given:
            expected = f"{_short(given)}, as its verdict says"
            raise ExtractionMismatch(f"event {seq}, {name}", _short(stated), expected, seq=seq)


def _pairs(event: AuditConcluded, body: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Yield the name of a field, what the entry states, and what the verdict gives."""
    for name in ("overall", "failure_class", "auditor"):
        yield name, getattr(event, name), body.get(name)
    if body.get("run_id") is not None:  # of a run without a name, or whose run.json is withheld
        yield "run", event.run, body["run_id"]
    rules = body.get("rules")
    yield "rules", event.rules.hex(), rules.get("sha256") if isinstance(rules, Mapping) else None
    listed = body.get("flags")
    flags = [
        (one.get("flag"), one.get("status")) if isinstance(one, Mapping) else (None, None)
        for one in (listed if isinstance(listed, list) else ())
    ]
    yield "flags", event.flags, flags


def _short(value: object) -> str:
    text = "null" if value is None else str(value)
    return text if len(text) <= 80 else f"{text[:77]}…"
