"""Why a decision was made: its reason, and what bears it out (EVENT-50, EVENT-51)."""

from collections.abc import Collection
from itertools import pairwise

from msgspec import UNSET

from .errors import EvidenceInvalid, ReasonMissing
from .events import (
    AttemptExcluded,
    Decision,
    EditionFrozen,
    PolicyFrozen,
    TaskInvalidated,
    TrustAdopted,
)

REASON, EVIDENCE = "reason", "evidence"


def check_grounds(decision: Decision, place: str, seq: int) -> None:
    """Refuse a decision on results without a reason, or an exclusion without evidence.

    Args:
        decision: What was decided.
        place: Names it in refusals.
        seq: Where it stands.

    Raises:
        ReasonMissing: It commits to no reason, or an exclusion to no evidence.
        EvidenceInvalid: The events that bear it out do not ascend, or begin with event 0.
    """
    match decision:
        case TrustAdopted() | PolicyFrozen() | EditionFrozen():
            return
        case _:
            slots: Collection[str] = () if decision.blobs is UNSET else decision.blobs
    if REASON not in slots:
        raise ReasonMissing(
            place,
            f"no slot `{REASON}`",
            "a reason",
            seq=seq,
            remedy=f"say why in the slot `{REASON}`, which stands beside what the decision says",
        )
    if not isinstance(decision, AttemptExcluded | TaskInvalidated):
        return
    evidence = decision.evidence
    if any(one >= two for one, two in pairwise([0, *evidence])):
        raise EvidenceInvalid(
            place,
            f"events {evidence[:8]}",
            "events after event 0, ascending, each once",
            seq=seq,
            remedy="name the events that bear it out, each once",
        )
    if isinstance(decision, AttemptExcluded) and not (evidence or EVIDENCE in slots):
        raise ReasonMissing(
            place,
            f"no event and no slot `{EVIDENCE}`",
            "evidence",
            seq=seq,
            remedy=f"name events that bear it out, or put a reference into the slot `{EVIDENCE}`",
        )
