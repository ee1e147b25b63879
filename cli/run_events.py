"""Events of runs in a few words."""

from collections.abc import Iterator, Mapping
from typing import Any, assert_never

from canon import decode
from canon.refusal import Refusal
from ledger.events import (
    AuditConcluded,
    DerivationReported,
    EvidenceRecorded,
    FileObserved,
    ItemDeclared,
    ReviewDecided,
    ReviewReported,
    RunRecord,
    TrajectoryRecorded,
)

from .text import count


def about_run(said: FileObserved | AuditConcluded | ReviewDecided) -> str:
    """Say what was seen, concluded or decided of a run."""
    match said:
        case FileObserved():
            new = said.records - said.kept
            told = f", {count(new, 'new record')} of {said.records:,}" if said.records else ""
            old = "" if said.supersedes is None else f", supersedes {said.supersedes}"
            # What is redacted in the ledger is told by the decision that did it.
            words = {"present": "", "withheld": ", withheld by the run"}
            state = words.get(said.state, f", {said.state}")
            return f"{said.run}: {said.role}{state}{told}{old}"
        case AuditConcluded():
            reason = "" if said.failure_class is None else f", {said.failure_class}"
            passed = sum(status == "PASS" for _, status in said.flags)
            old = "" if said.supersedes is None else f", supersedes {said.supersedes}"
            flags = f"{passed} of {count(len(said.flags), 'flag')} passed"
            return f"{said.run}: {said.overall}{reason}, {flags}{old}"
        case ReviewDecided():
            return f"{said.run}: {said.review} {said.status}, on verdict {said.verdict}"
        case _:
            assert_never(said)


def about_record(said: RunRecord) -> str:
    """Say what a record of a file of a run says."""
    where = f"line {said.line + 1} of file {said.source}"
    words: tuple[str | None, ...]
    match said:
        case TrajectoryRecorded():
            words = (said.kind, said.name, said.tool, said.call_id, said.status)
        case EvidenceRecorded():
            tick = None if said.tick is None else f"tick {said.tick}"
            words = (said.event, said.uuid, tick, said.instance)
        case ReviewReported():
            words = (said.review, said.status)
        case DerivationReported():
            words = (said.tool, said.producer)
        case ItemDeclared():
            size = None if said.size_bytes is None else count(said.size_bytes, "byte")
            words = (said.slot, said.phase, size)
            where = f"item {said.line + 1} of file {said.source}"
        case _:
            assert_never(said)
    told = " ".join(word for word in words if word is not None)
    actor = getattr(said, "actor", None)
    by = "" if actor is None else f" by {actor}"
    fault = "" if said.fault is None else f", {said.fault}"
    return f"{told}{by}{fault}, {where}" if told else f"{where}{by}{fault}"


def verdict_lines(data: bytes) -> list[str] | None:
    """Return the verdict on a run in lines for people; None where bytes are no such verdict."""
    try:
        body: Any = decode(data)
        return list(_verdict(body))
    except (Refusal, LookupError, TypeError, AttributeError):
        return None


def _verdict(body: Mapping[str, Any]) -> Iterator[str]:
    for flag in body["flags"]:
        yield f"{flag['status']} {flag['flag']}: {flag['summary']}"
    for name in ("infra_errors", "fixture_errors", "pending_reasons", "review_problems"):
        for sentence in body[name]:
            yield f"{name.replace('_', ' ')}: {sentence}"
    for one in body["reviews"]:
        why = "counts" if one["counts"] else f"does not count: {one['why']}"
        yield f"review {one['id']}: {one['status']} by {one['by']}, {one['kind']}, {why}"
