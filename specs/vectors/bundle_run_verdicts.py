"""Forged bundles with verdicts and reviews that may not stand there (EVENT-77 to EVENT-85)."""

from collections.abc import Sequence
from typing import Any

from bundle_decisions import why
from bundle_run import (
    AGAIN,
    CALL,
    CHAIN,
    DECIDED,
    EVIDENCE,
    GROWN,
    JAR,
    LOGGER,
    MANIFEST,
    OTHER,
    REPORTED,
    REVIEW,
    TRAJECTORY,
    VERDICT,
    changed,
    review,
    run_draft,
)
from bundle_vector import Vector
from forge import Draft


def run_verdicts() -> list[Vector]:
    """Return the vectors."""
    return [*_verdicts(), *_reviews()]


def _verdicts() -> list[Vector]:
    files = [MANIFEST, EVIDENCE, LOGGER, GROWN]
    flags = [["machine_operated", "PASS"], ["machine_operated", "PASS"]]
    failed = [["machine_operated", "FAIL"]]
    cases: list[tuple[str, str, str, dict[str, object]]] = [
        ("verdict-on-nothing", "EVENT-77", "A verdict that looked at no file.", {"sources": []}),
        ("verdict-sources-unsorted", "EVENT-77", "Files that do not ascend.",
         {"sources": [EVIDENCE, MANIFEST]}),
        ("verdict-on-an-old-version", "EVENT-77", "It is about a version that was replaced.",
         {"sources": [MANIFEST, TRAJECTORY]}),
        ("verdict-on-a-record", "EVENT-77", "It is about what is no file.",
         {"sources": [MANIFEST, JAR]}),
        ("verdict-on-a-later-file", "EVENT-77", "It is about what is not there yet.",
         {"sources": [*files, AGAIN + 9]}),
        ("verdict-on-another-run", "EVENT-77", "It is about files of another run.",
         {"run": OTHER, "supersedes": None}),
        ("verdict-reviews-twice", "EVENT-78", "A review twice.", {"reviews": [DECIDED, DECIDED]}),
        ("verdict-with-reported-review", "EVENT-78", "A review that nobody signed.",
         {"reviews": [REPORTED]}),
        ("verdict-by-unknown-rules", "EVENT-79", "Rules that nobody froze.", {"rules": bytes(32)}),
        ("verdict-flag-twice", "EVENT-80", "A flag twice.", {"flags": flags}),
        ("verdict-failed-without-class", "EVENT-81", "A failure without a class.",
         {"overall": "FAIL"}),
        ("verdict-passed-with-class", "EVENT-81", "A class of a failure that there is not.",
         {"failure_class": "AGENT_FAIL"}),
        ("verdict-passed-with-failed-flag", "EVENT-82", "A flag failed.", {"flags": failed}),
        ("verdict-pending-with-failed-flag", "EVENT-82", "A flag failed, and it waits.",
         {"flags": failed, "overall": "PENDING"}),
        ("verdict-passed-with-pending-flag", "EVENT-82", "A flag is pending.",
         {"flags": [["machine_operated", "PENDING"]]}),
    ]  # fmt: skip
    infra = {"overall": "FAIL", "failure_class": "INFRA_ERROR"}
    return [
        Vector("verdict-infra-error", "EVENT-82", "All flags passed, and the run cannot count.",
               changed(AGAIN, **infra)),
        *(
            Vector(name, clause, comment, changed(AGAIN, **says), "E_VERDICT", CHAIN, AGAIN)
            for name, clause, comment, says in cases
        ),
    ]  # fmt: skip


def _reviewed(signers: Sequence[str] = ("cleo",), **changed: Any) -> Draft:
    draft = run_draft()
    draft.rows[DECIDED] = review(signers, **changed)
    return draft


def _blind(number: int) -> Draft:
    """Return a draft whose review was not made in view of an event."""
    draft = run_draft()
    draft.rows[DECIDED].targets = [one for one in (LOGGER, CALL, VERDICT) if one != number]
    return draft


def _early() -> Draft:
    """Return a draft whose review answers a verdict that comes later."""
    draft = _reviewed(verdict=AGAIN)
    draft.rows[DECIDED].targets = [LOGGER, CALL, VERDICT]
    return draft


def _second(targets: list[int] | None, run_review: str = REVIEW) -> Draft:
    """Return a draft with a second review, made in view of *targets*."""
    draft = run_draft()
    row = review(status="rejected", cited=[], verdict=AGAIN, review=run_review)
    row.targets = targets
    draft.add(row)
    return draft


def _reviews() -> list[Vector]:
    step, last = "authority", AGAIN + 1
    reasonless = run_draft()
    reasonless.rows[DECIDED].blobs = why("by")
    cases = [
        ("review-of-no-verdict", "EVENT-83", "It answers what is no verdict.",
         _reviewed(verdict=TRAJECTORY), "E_VERDICT_UNKNOWN", DECIDED),
        ("review-of-a-later-verdict", "EVENT-83", "It answers what is not there yet.",
         _early(), "E_VERDICT_UNKNOWN", DECIDED),
        ("review-of-another-run", "EVENT-83", "The verdict is on another run.",
         _reviewed(run=OTHER), "E_VERDICT_UNKNOWN", DECIDED),
        ("review-cites-a-row", "EVENT-84", "It cites a row of a release.",
         _reviewed(cited=[4]), "E_CITED", DECIDED),
        ("review-cites-a-verdict", "EVENT-84", "It cites a verdict as evidence.",
         _reviewed(cited=[VERDICT]), "E_CITED", DECIDED),
        ("review-cites-twice", "EVENT-85", "It cites a record twice.",
         _reviewed(cited=[CALL, CALL]), "E_EVIDENCE", DECIDED),
        ("review-cites-unsorted", "EVENT-85", "What it cites does not ascend.",
         _reviewed(cited=[CALL, LOGGER]), "E_EVIDENCE", DECIDED),
        ("review-resolved-without-evidence", "EVENT-85", "It resolves, and cites nothing.",
         _reviewed(cited=[]), "E_REASON", DECIDED),
        ("review-without-reason", "EVENT-50", "A review without a reason.", reasonless, "E_REASON",
         DECIDED),
        ("review-blind-to-verdict", "EVENT-24", "It was not made in view of the verdict.",
         _blind(VERDICT), "E_TARGET", DECIDED),
        ("review-blind-to-evidence", "EVENT-24", "It was not made in view of what it cites.",
         _blind(CALL), "E_TARGET", DECIDED),
        ("review-blind-to-review", "EVENT-24", "It was not made in view of the review before it.",
         _second([AGAIN]), "E_TARGET", last),
        ("review-by-a-maintainer", "EVENT-22", "A maintainer reviews.", _reviewed(["ben"]),
         "E_ROLE", DECIDED),
    ]  # fmt: skip
    return [
        Vector("review-rejected", "EVENT-85", "A rejection cites nothing.",
               _second(None)),
        Vector("review-of-another-question", "EVENT-24", "Another question needs no older review.",
               _second([AGAIN], "agent_read_log.linkage")),
        *(
            Vector(name, clause, comment, draft, code, step, seq)
            for name, clause, comment, draft, code, seq in cases
        ),
    ]  # fmt: skip
