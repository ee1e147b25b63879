"""What an entry of the reviews and of the derivations must have (RUN-60, RUN-61).

The recorder asks this before it writes one, validation asks it of those that are there.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from .layout import ACTORS, REVIEW_STATUSES
from .problems import shown
from .records import Derived, Reviewed


def faults_of_review(entry: Reviewed) -> Iterator[tuple[str, str]]:
    """Yield got and expected for each thing that is wrong with a review."""
    if entry.id is None:
        yield _got(entry, "id"), "the question that it answers"
    if entry.status not in REVIEW_STATUSES:
        yield _got(entry, "status"), " or ".join(REVIEW_STATUSES)
    decided = entry.status in ("resolved", "rejected")
    if entry.by is None and (decided or "by" in entry.malformed):
        yield _got(entry, "by"), "who reviewed"
    if entry.at is None and (decided or "at" in entry.malformed):
        yield _got(entry, "at"), "when it was reviewed"
    looked = entry.evidence
    if looked is not None and not _all_said(looked):
        yield "evidence with a reference that is blank", "references"
    elif looked is None and "evidence" in entry.malformed:
        yield _got(entry, "evidence"), "a list of references"
    elif entry.status == "resolved" and not looked:
        yield "no evidence", "what the reviewer looked at"


def faults_of_derivation(entry: Derived) -> Iterator[tuple[str, str]]:
    """Yield got and expected for each thing that is wrong with a derivation."""
    if entry.output is None:
        yield _got(entry, "output"), "an object with path and sha256"
    if not entry.inputs:
        yield _got(entry, "inputs"), "a list of objects with path and sha256"
    if entry.tool is None:
        yield _got(entry, "tool"), "what made it"
    if entry.producer not in ACTORS:
        yield _got(entry, "producer"), " or ".join(ACTORS)
    if entry.at is None:
        yield _got(entry, "at"), "when it was made"


def _all_said(references: Sequence[str]) -> bool:
    return all(one.strip() for one in references)


def _got(entry: Reviewed | Derived, name: str) -> str:
    value: Any = entry.raw.get(name)
    return f"no {name}" if value in (None, "", []) else f"{name} {shown(value)}"
