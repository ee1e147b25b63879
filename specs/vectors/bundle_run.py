"""A run as a draft of bundles: its files with their records, two verdicts and a signed review."""

import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import msgspec
from bundle_decisions import why
from bundle_vector import POLICY, lean
from bundle_world import ADA, BEN, CLEO, DECIDED_BY_MAINTAINERS, holder, root
from forge import Draft, Map, Row, decision, seeded

from canon import encode
from canon.digest import sha256
from ledger.events import MAX_RECORD_BYTES
from ledger.runs.declared import declared
from ledger.runs.extraction import READER, event_of
from signing.root import Role

CHAIN, EXTRACTION = "chain", "extraction"
RUN, OTHER = "run-01", "run-02"
REVIEW = "machine_operated.causality"

(
    MANIFEST, JAR, EVIDENCE, SLOT, ANSWER, ARTIFACT, LOGGER, ARMED, BROKEN, REVIEWS, REPORTED,
    DERIVATIONS, DERIVED, TRAJECTORY, CALL, RESULT, CUT, VERDICT, DECIDED, GROWN, WHOLE, MARK,
    AGAIN,
) = range(5, 28)  # fmt: skip
"""Numbers of the entries about the run."""

MANIFEST_SAYS = {
    "schema": "mc-agent-coldstart-run/1",
    "run_id": RUN,
    "imports": [],
    "artifacts": [{"path": "build/logger.jar", "size": 3, "phase": "agent"}],
}
_EVIDENCE = {"note": None, "agent_logger": {"path": "agent/logger.jsonl"}, "answer": None}
LOGGER_LINES = [
    b'{"event": "logger_armed", "at": "2026-01-01T00:00:01Z", "tick": 7, "lab": "lab-a"}\r\n',
    b"no record\n",
]
_REVIEWS = [
    b'{"id": "agent_read_log.linkage", "status": "pending", "at": "2026-01-01T00:01:00Z"}\n'
]
_DERIVATIONS = [b'{"tool": "filter", "producer": "agent", "inputs": []}\n']
CALL_LINE = (
    b'{"record": "call", "seq": 1, "at": "2026-01-01T00:00:02.5Z", "call_id": "c1", "tool": "bash",'
    b' "phase": "agent", "actor": "agent", "arguments": {}}\n'
)
RESULT_LINE = b'{"record": "result", "seq": 2, "at": 1767225603, "call_id": "c1", "status": "ok"}\n'
MARK_LINE = b'{"record": "mark", "seq": 3, "name": "done", "actor": "operator"}'
LAST_LINE = b'{"record": "mark", "seq": 4, "name": "seen", "actor": "reviewer"}\n'


def run_draft() -> Draft:
    """Return an edition over one attempt and the events of a run."""
    return _honest().copy()


@cache
def _honest() -> Draft:
    draft = lean()
    draft.replace_root(run_root())
    manifest, evidence = (json.dumps(one).encode() for one in (MANIFEST_SAYS, _EVIDENCE))
    second: Map = {"reviews": [DECIDED], "supersedes": VERDICT}
    grown = [CALL_LINE, RESULT_LINE, MARK_LINE + b"\n", LAST_LINE]
    for row in (
        *_document("manifest", "run.json", manifest, MANIFEST),
        *_document("evidence", "evidence.json", evidence, EVIDENCE),
        _missing("answer", "answer.json"),
        *_document("artifact", "build/logger.jar", b"jar", ARTIFACT),
        *_stream("agent_logger", "agent/logger.jsonl", LOGGER_LINES, LOGGER),
        *_stream("reviews", "reviews.jsonl", _REVIEWS, REVIEWS),
        *_stream("derivations", "derivations.jsonl", _DERIVATIONS, DERIVATIONS),
        *_stream("trajectory", "trajectory.jsonl", [CALL_LINE, RESULT_LINE, MARK_LINE], TRAJECTORY),
        _verdict("PENDING", draft, [MANIFEST, EVIDENCE, LOGGER, TRAJECTORY]),
        review(),
        *_stream("trajectory", "trajectory.jsonl", grown, GROWN, kept=2, supersedes=TRAJECTORY),
        _verdict("PASS", draft, [MANIFEST, EVIDENCE, LOGGER, GROWN], **second),
    ):
        draft.add(row)
    return draft


@cache
def run_root() -> bytes:
    """Return a trust root in which Cleo reviews."""
    roles = {
        "auditor": Role(threshold=1, decides=()),
        "maintainer": Role(threshold=1, decides=DECIDED_BY_MAINTAINERS),
        "publisher": Role(threshold=1, decides=("edition.frozen/1",)),
        "reviewer": Role(threshold=1, decides=("review.decided/1",)),
        "root": Role(threshold=1, decides=("trust.adopted/1",)),
    }
    cleo = holder("cleo", "Cleo", ["auditor", "reviewer"], alg=CLEO.alg)
    return root(roles=roles, keys=[ADA, BEN, cleo]).data


def review(signers: Sequence[str] = ("cleo",), **changed: Any) -> Row:
    """Return a signed review that resolves what the first verdict asked."""
    says = {
        "run": RUN,
        "cited": [LOGGER, CALL],
        "review": REVIEW,
        "status": "resolved",
        "verdict": VERDICT,
        **changed,
    }
    return decision("review.decided/1", says, signers, blobs=why("reason"))


def file(role: str, path: str, seq: int, slots: dict[str, bytes], **says: object) -> Row:
    """Return what was seen of a file, with slots beside its path."""
    made = {
        "run": RUN,
        "kept": 0,
        "role": role,
        "state": "present",
        "reader": READER,
        "records": 0,
        "size_bytes": None,
        "supersedes": None,
        **says,
    }
    slots = {"path": path.encode(), **slots}
    return Row("file.observed/1", made, blobs=salted(seq, slots))


def salted(seq: int, slots: dict[str, bytes]) -> dict[str, tuple[bytes, bytes]]:
    """Return slots with a salt for each."""
    return {slot: (seeded(f"salt of {seq} {slot}", 32), data) for slot, data in slots.items()}


def sums(data: bytes) -> dict[str, bytes]:
    """Return the digests of a file."""
    return {"digest": sha256(data), "canonical": sha256(data.replace(b"\r\n", b"\n"))}


def _missing(role: str, path: str) -> Row:
    return file(role, path, ANSWER, {"why": b"no such file"}, state="absent")


def _document(role: Any, path: str, data: bytes, seq: int) -> list[Row]:
    items = declared(role, data)
    slots = {"content": data, **sums(data)}
    return [
        file(role, path, seq, slots, records=len(items), size_bytes=len(data)),
        *(record(role, n, one.raw, seq, one.slot) for n, one in enumerate(items)),
    ]


def _stream(
    role: Any,
    path: str,
    lines: Sequence[bytes],
    seq: int,
    *,
    kept: int = 0,
    supersedes: int | None = None,
) -> list[Row]:
    data = b"".join(lines)
    says = {"records": len(lines), "size_bytes": len(data), "kept": kept, "supersedes": supersedes}
    told = (record(role, n, lines[n], seq) for n in range(kept, len(lines)))
    return [file(role, path, seq, sums(data), **says), *told]


def record(role: Any, line: int, data: bytes, source: int, slot: str | None = None) -> Row:
    """Return a record of a file."""
    event = event_of(role, line, data, source, slot)
    says = msgspec.to_builtins(event, builtin_types=(bytes,))
    return Row(event.wire, says, blobs=salted(source, {"line": data}))


def _verdict(overall: str, draft: Draft, sources: list[int], **says: object) -> Row:
    made: Map = {
        "run": RUN,
        "flags": [["machine_operated", overall], ["agent_read_log", "PASS"]],
        "rules": draft.rows[POLICY].says["doc"],
        "auditor": "coldledger vectors",
        "overall": overall,
        "reviews": [],
        "sources": sources,
        "supersedes": None,
        "failure_class": None,
        **says,
    }
    return Row("audit.concluded/1", made, blobs=salted(VERDICT, {"verdict": whole_verdict(made)}))


def whole_verdict(says: Map, schema: str = "mc-agent-coldstart-audit/1") -> bytes:
    """Return a verdict in full, as short as it can be."""
    flags = [{"flag": flag, "status": status} for flag, status in says["flags"]]
    same = {name: says[name] for name in ("auditor", "overall", "failure_class")}
    rules = {"sha256": says["rules"].hex()}
    return encode({"schema": schema, "flags": flags, "rules": rules, **same})


def changed(seq: int, /, **says: object) -> Draft:
    """Return the draft with other fields in one event."""
    draft = run_draft()
    draft.rows[seq].says.update(says)
    return draft


def without_slot(seq: int, slot: str) -> Draft:
    """Return the draft with a slot less."""
    draft = run_draft()
    del draft.rows[seq].blobs[slot]
    return draft


def with_slot(seq: int, slot: str, **says: object) -> Draft:
    """Return the draft with a slot more, and perhaps other fields, in one event."""
    draft = changed(seq, **says)
    draft.rows[seq].blobs.update(salted(seq, {slot: bytes(32)}))
    return draft


def long_item() -> Draft:
    """Return a draft in which a document names a file with more bytes than a document can have."""
    draft = shown(run_draft(), lambda slot: slot == "line")
    draft.rows[JAR].blobs.update(salted(JAR, {"line": b" " * (MAX_RECORD_BYTES + 1)}))
    return draft


def called_alike() -> Draft:
    """Return a draft in which slots are called as those of records are, and hold none."""
    draft = shown(run_draft())
    for seq, slot in ((MANIFEST, "line"), (VERDICT, "record"), (DECIDED, "line"), (CALL, "record")):
        draft.rows[seq].blobs.update(salted(seq, {slot: b"no record"}))
    return draft


def shown(draft: Draft, show: Callable[[str], bool] = lambda _: True) -> Draft:
    """Let a draft disclose its slots, or some of them."""
    draft.disclose = show
    return draft
