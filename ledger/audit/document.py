"""A verdict as files for people and programs: ``audit.json`` and ``audit.md`` (AUDIT-80 to -83)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from shlex import quote
from typing import Any

from ledger.markdown import foreign

from .verdict import Verdict

JSON_NAME = "audit/audit.json"
PAGE_NAME = "audit/audit.md"

_REVIEW = ("coldledger", "run", "review", "--run-dir", "RUN")
_MOST_REFS = 2
_CITABLE = ("trajectory:", "testmod:", "logger:")


def document(verdict: Verdict, at: str) -> dict[str, Any]:
    """Return ``audit.json``: the verdict, when it was asked for, and the verdict's digest.

    The time stands beside the verdict and not in it, so that asking again changes no verdict.
    """
    schema = {"schema": verdict.body["schema"], "at": at}
    return {**schema, **verdict.body, "verdict_sha256": verdict.sha256.hex()}


def json_bytes(said: Mapping[str, Any]) -> bytes:
    """Return a document as the bytes of ``audit.json``."""
    return (json.dumps(said, ensure_ascii=False, indent=2) + "\n").encode()


def open_reviews(flag: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return what still has to be answered for a flag to pass."""
    missing = set(flag["missing"])
    return [one for one in flag["required_review"] if one["id"] in missing]


def resolving(flag: Mapping[str, Any], review: str, where: Sequence[str]) -> str:
    """Return the command that resolves a review, to be filled in by whoever has looked.

    A reference is left out that would leave its line, or end what is set as code on a page.

    Args:
        flag: Of the verdict.
        review: What is to be answered.
        where: Program, command and run, as ``coldledger run review --run-dir D``.
    """
    cited = [ref for ref in flag["evidence"] if ref.isprintable() and "`" not in ref]
    refs = [ref for ref in cited if ref.startswith(_CITABLE)]
    oracle = [ref.removeprefix("oracle:") for ref in cited if ref.startswith("oracle:")]
    words = [*where, "--id", review, "--status", "resolved", "--by", "YOUR NAME"]
    words += ["--note", "WHAT YOU SAW"]
    for ref in (refs or oracle or ["REF"])[:_MOST_REFS]:
        words += ["--evidence", ref]
    return " ".join(map(quote, words))


def background(said: Mapping[str, Any]) -> list[str]:
    """Return sentences on what is known of a run: its context, and where its oracle comes from."""
    return [*_context(said["context"]), *_lineage(said["lineage"])]


def _context(context: Mapping[str, Any]) -> Iterator[str]:
    vouched, reads = context["clean_context"], context["task_read"]
    if vouched is None or reads is None:
        yield "who vouches for a clean context, and where the task was read, is withheld"
    else:
        for one in vouched:
            what = ", ".join(one["statements"]) or "nothing in particular"
            yield f"{one['by'] or 'somebody'} vouches for a clean context: {what}"
        if not vouched:
            yield "nobody vouches for a clean context"
        for one in reads:
            form = "as it is" if one["equal"] == "raw" else "with other line ends"
            yield f"{one['ref']} returned the task, {form}"
        if not reads:
            yield "no call returned the task"
    config = context["preflight"]["config_sha256"]
    yield "no configuration is stated" if config is None else f"configuration {config[:12]}…"


def _lineage(lineage: Mapping[str, Any]) -> Iterator[str]:
    of_answer = [one for one in lineage["made"] if one["output"]["role"] == "answer"]
    known = [one for one in of_answer if one not in lineage["oracle"]]
    for step in (*lineage["oracle"], *known):
        sources = ", ".join(
            f"{one['role'] or one['path']} ({one['equal']})" for one in step["inputs"]
        )
        maker = f"{step['tool'] or 'something'}, run by {step['producer'] or 'somebody'}"
        yield f"{step['output']['path']} was made by {maker}, from {sources}"
    if lineage["by_agent"]:
        yield f"the agent had a hand in {', '.join(lineage['by_agent'])}"
    if not lineage["oracle"]:
        yield "nothing says how the oracle was made"


def page(said: Mapping[str, Any]) -> str:
    """Return ``audit.md``: each flag, why, on what evidence, and what is still to be reviewed."""
    return "\n".join(_page(said)) + "\n"


def _page(said: Mapping[str, Any]) -> Iterator[str]:
    rules = said["rules"]
    yield f"# Audit of {foreign(said['run_id'] or 'a run without a name')}: {said['overall']}"
    yield ""
    if said["failure_class"] is not None:
        yield f"- failure class: {said['failure_class']}"
    yield f"- audited at {said['at']} by {said['auditor']}"
    yield f"- rules: {rules['policy']}@{rules['version']}, SHA-256 {rules['sha256']}"
    yield f"- verdict: SHA-256 {said['verdict_sha256']}"
    for title, name in (
        ("Tools and evidence that are inconsistent", "infra_errors"),
        ("Fixture that is not faithful", "fixture_errors"),
        ("What the run waits for", "pending_reasons"),
        ("Reviews that cite what is not there", "review_problems"),
    ):
        if said[name]:
            yield from ("", f"## {title}", "")
            yield from (f"- {foreign(one)}" for one in said[name])
    yield from ("", "## Flags")
    for flag in said["flags"]:
        yield from _flag(flag)
    yield from _required(said["flags"])
    yield from ("", "## Context and lineage", "")
    yield from (f"- {foreign(one)}" for one in background(said))
    yield from _inputs(said["inputs"])


def _flag(flag: Mapping[str, Any]) -> Iterator[str]:
    yield from ("", f"### {flag['flag']}: {flag['status']}", "", foreign(flag["summary"]) + ".", "")
    if flag["mechanical"]["status"] != flag["status"]:
        yield f"- before reviews: {flag['mechanical']['status']}"
    for label, name in (("evidence", "evidence"), ("missing", "missing"), ("note", "needs_review")):
        yield from (f"- {label}: {foreign(one)}" for one in flag[name])


def _required(flags: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    rows = [(flag, asked) for flag in flags for asked in flag["required_review"]]
    yield from ("", "## Required reviews", "")
    if not rows:
        yield "None."
        return
    for flag, asked in rows:
        answers = [one for one in flag["review_resolutions"] if one["id"] == asked["id"]]
        waits = any(one["id"] == asked["id"] for one in open_reviews(flag))
        state = "open" if waits else answers[0]["status"] if answers else "open"
        yield f"- **{asked['id']}** ({state}): {foreign(asked['question'])}"
        if "lapsed" in asked:
            yield f"  - {foreign(asked['lapsed'])}"
        for one in answers:
            by, note = foreign(one["by"] or "nobody"), foreign(one["note"] or "no note")
            yield f"  - {one['status']} by {by} at {one['at']}, {one['kind']}: {note}"
        if state == "open":
            yield f"  - `{resolving(flag, asked['id'], _REVIEW)}`"


def _inputs(inputs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield from ("", "## Inputs", "", "| role | file | state | SHA-256 | as declared |")
    yield "|---|---|---|---|---|"
    for one in inputs:
        equal = "—" if one["equal"] is None else one["equal"]
        cells = (one["role"], foreign(one["path"]), one["state"], one["sha256"] or "—", equal)
        yield f"| {' | '.join(cells)} |"
