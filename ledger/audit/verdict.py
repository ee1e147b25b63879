"""A verdict on a run: canonical bytes that hold nothing of when, where or by whom it was asked.

The same files under the same rules by the same auditor give the same bytes, from a directory and
from a ledger (AUDIT-70).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from canon import Encodable, encode, labelled
from ledger.rules.audit import Failure
from ledger.runs.contents import Contents, File
from ledger.runs.fields import digest
from ledger.version import __version__

from .environment import attestations, environment, task_reads
from .facts import Facts
from .judge import Bound, Judged, Overall, Whole, judge_flag, judge_whole, review_flag
from .lineage import Made, Source
from .plain import MOST, plain, plain_list, plain_or_none
from .reviews import Resolution, Signed
from .slots import Hidden, Slots

VERDICT = b"coldledger/audit-verdict/1"
"""Label of the digest of a verdict."""

SCHEMA = "mc-agent-coldstart-audit/1"
AUDITOR = f"coldledger/{__version__}"

_HARNESS = ("name", "version", "model", "provider")


class Verdict(Struct, frozen=True):
    """What an audit came to.

    Attributes:
        body: All of it, as plain values.
        data: Its canonical bytes.
        sha256: Digest of those under :data:`VERDICT`, 32 bytes.
        overall: The outcome.
        failure_class: Why it failed, or None.
        exit_code: Of the command, as the rules have it.
    """

    body: Mapping[str, Any]
    data: bytes
    sha256: bytes
    overall: Overall
    failure_class: Failure | None
    exit_code: int


def audit(contents: Contents, rules: Bound, signed: Sequence[Signed] = ()) -> Verdict:
    """Judge a run.

    Args:
        contents: The run, from a directory or a ledger.
        rules: What it is judged by.
        signed: Signed reviews of it, in the order of their ledger.
    """
    cited = [ref for one in signed for ref in one.refs]
    facts = Facts(contents, rules.rules, cited)
    flags = [
        review_flag(judge_flag(flag, rules.rules, facts), facts, signed)
        for flag in rules.rules.flags
    ]
    whole = judge_whole(rules.rules, facts, flags)
    body = _body(facts, rules, flags, whole, signed)
    data = encode(body)
    exits = rules.rules.exits
    code = {"PASS": exits.passed, "FAIL": exits.failed, "PENDING": exits.pending}[whole.overall]
    return Verdict(body, data, labelled(VERDICT, data), whole.overall, whole.failure, code)


def _body(
    facts: Facts, rules: Bound, flags: Sequence[Judged], whole: Whole, signed: Sequence[Signed]
) -> dict[str, Encodable]:
    harness = facts.slots.manifest.get("harness")
    known = harness if isinstance(harness, Mapping) else {}
    settled = [one for flag in flags for one in flag.settled.values()]
    return {
        "schema": SCHEMA,
        "run_id": plain_or_none(facts.run_id),
        "harness": {name: plain_or_none(known.get(name)) for name in _HARNESS},
        "rules": {
            "policy": rules.policy.name,
            "version": rules.policy.version,
            "sha256": rules.policy.digest.hex(),
        },
        "auditor": AUDITOR,
        "overall": whole.overall,
        "failure_class": whole.failure,
        "flags": [_flag(flag, rules) for flag in flags],
        "infra_errors": plain_list(dict.fromkeys(whole.found["INFRA_ERROR"])),
        "fixture_errors": plain_list(whole.found["FIXTURE_INVALID"]),
        "pending_reasons": plain_list([*whole.found["PENDING"], *_withheld_reasons(whole)]),
        "review_problems": plain_list(sentence for one in settled for sentence in one.problems),
        "reviews": [_review(one) for found in settled for one in found.weighed][:MOST],
        "withheld": _withheld(facts.slots, whole),
        "lineage": _lineage(facts),
        "context": _context(facts),
        "inputs": [_input(file, facts.slots) for file in facts.slots.files[:MOST]],
    }


def _flag(flag: Judged, rules: Bound) -> dict[str, Encodable]:
    mechanical = flag.mechanical
    evidence = plain_list(one.ref for one in mechanical.finding.evidence)
    resolutions = [one.resolution for one in flag.settled.values() if one.resolution is not None]
    return {
        "flag": flag.mechanical.flag,
        "status": flag.status,
        "summary": plain(flag.summary),
        "evidence": evidence,
        "missing": plain_list(flag.missing),
        "needs_review": plain_list(mechanical.finding.notes),
        "required_review": [_required(one, flag, rules) for one in mechanical.reviews],
        "review_resolutions": [_resolution(one) for one in resolutions],
        "mechanical": {
            "status": mechanical.status,
            "summary": plain(mechanical.summary),
            "sha256": mechanical.digest().hex(),
        },
    }


def _required(review: str, flag: Judged, rules: Bound) -> dict[str, Encodable]:
    """Say what is asked; that a signed answer lapsed only where one did (AUDIT-58)."""
    asked: dict[str, Encodable] = {"id": review, "question": plain(rules.rules.questions[review])}
    lapsed = flag.settled[review].lapsed
    return asked if lapsed is None else {**asked, "lapsed": plain(lapsed)}


def _resolution(one: Resolution) -> dict[str, Encodable]:
    return {
        "id": plain(one.id),
        "status": one.status,
        "by": plain_or_none(one.by),
        "at": one.at,
        "note": plain_or_none(one.note),
        "evidence": plain_list(one.refs),
        "kind": one.kind,
    }


def _review(one: Resolution) -> dict[str, Encodable]:
    return {
        "id": plain(one.id),
        "kind": one.kind,
        "status": one.status,
        "by": plain_or_none(one.by),
        "counts": one.counts,
        "why": plain_or_none(one.why),
        "entry": None if one.entry is None else one.entry.hex(),
    }


def _withheld_reasons(whole: Whole) -> list[str]:
    return [
        f"{path} is withheld" if why is None else f"{path} is withheld: {why}"
        for path, why in whole.hidden.items()
    ]


def _withheld(slots: Slots, whole: Whole) -> list[Encodable]:
    by_path = {file.path: file for file in slots.hidden()}
    return [
        {
            "path": plain(path),
            "role": None if path not in by_path else by_path[path].role,
            "why": plain_or_none(why),
            "sha256": _hex(by_path[path].sha256 if path in by_path else None),
        }
        for path, why in list(whole.hidden.items())[:MOST]
    ]


def _lineage(facts: Facts) -> dict[str, Encodable]:
    try:
        found = facts.lineage
    except Hidden as hidden:
        return {"made": [], "oracle": [], "from_answer": None, "by_agent": [],
                "withheld": plain(hidden.path)}  # fmt: skip
    return {
        "made": [_made(one) for one in found.made[:MOST]],
        "oracle": [_made(one) for one in found.oracle[:MOST]],
        "from_answer": plain_or_none(found.from_answer),
        "by_agent": sorted(found.by_agent),
        "withheld": None,
    }


def _made(one: Made) -> dict[str, Encodable]:
    return {
        "output": _source(one.output),
        "by": one.by,
        "tool": plain_or_none(one.tool),
        "producer": plain_or_none(one.producer),
        "inputs": [_source(source) for source in one.inputs[:MOST]],
    }


def _source(one: Source) -> dict[str, Encodable]:
    return {
        "path": plain(one.path),
        "sha256": one.sha256.hex(),
        "role": one.role,
        "equal": one.equal,
    }


def _context(facts: Facts) -> dict[str, Encodable]:
    said = environment(facts)
    marks = [{**one, "overall": plain_or_none(one["overall"])} for one in said["marks"]]
    stored = [{**one, "path": plain(one["path"])} for one in said["stored"]]
    preflight: dict[str, Encodable] = {**said, "marks": marks, "stored": stored}
    preflight["withheld"] = plain_or_none(said["withheld"])
    try:
        clean: list[Encodable] = [
            {
                "by": plain_or_none(one.by),
                "actor": plain_or_none(one.actor),
                "statements": plain_list(one.statements),
                "sha256": one.digest.hex(),
            }
            for one in attestations(facts)
        ]
        reads: list[Encodable] = [
            {"ref": plain(one.ref), "equal": one.equal} for one in task_reads(facts)
        ]
    except Hidden:
        return {"preflight": preflight, "clean_context": None, "task_read": None}
    return {"preflight": preflight, "clean_context": clean, "task_read": reads}


def _input(file: File, slots: Slots) -> dict[str, Encodable]:
    declared = _declared(file, slots)
    return {
        "role": file.role,
        "path": plain(file.path),
        "state": file.state,
        "size": file.size_bytes,
        "sha256": _hex(file.sha256),
        "canonical": _hex(file.canonical),
        "declared": _hex(declared),
        "equal": None if declared is None else slots.equality(file, declared),
    }


def _declared(file: File, slots: Slots) -> bytes | None:
    """Return the digest that the run's documents name a file by."""
    if file.role == "task":
        task = slots.manifest.get("task")
        return digest(task.get("sha256")) if isinstance(task, Mapping) else None
    if file.role in ("import", "artifact"):
        listed = slots.manifest.get(f"{file.role}s")
        said = (
            one for one in (listed if isinstance(listed, list) else ()) if isinstance(one, dict)
        )
        return next(
            (digest(one.get("sha256")) for one in said if one.get("path") == file.path), None
        )
    if file.role == "visible":
        return slots.visible.get(file.path)
    slot = slots.known(file.role)
    return None if slot is None or slot.file != file else slot.declared


def _hex(sha256: bytes | None) -> str | None:
    return None if sha256 is None else sha256.hex()
