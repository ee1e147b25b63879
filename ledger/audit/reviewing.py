"""``review``: a person answers what a verdict left to people, and signs it (AUDIT-120 to -123)."""

from collections.abc import Sequence

from msgspec import Struct

from ledger.decide import catch_up, decide
from ledger.errors import ReasonMissing, ReviewUnasked, RunUnknown, VerdictMissing
from ledger.events import ReviewDecided
from ledger.events.decided import ReviewStatus
from ledger.grounds import EVIDENCE, REASON
from ledger.maintain import check_reason
from ledger.naming import near_or_few
from ledger.replay import Replay
from ledger.rules import Policy, audit_rules, parse_policy
from ledger.runs.intake.committed import Committed
from ledger.runs.intake.held import Held
from ledger.runs.intake.versions import Versions
from ledger.store import Batch, Entropy, Ledger
from signing.keys import PrivateKey

from .asked import kept_flags
from .cited_events import CitedEvents, cited_events
from .conclude import Judgement, concluded_at, judge
from .judge import bind
from .replaced import Reported, reported
from .signed import BY


class Answered(Struct, frozen=True):
    """What a signed review did.

    Attributes:
        seq: Its event.
        run: The run.
        review: The question.
        status: How it was answered.
        verdict: The event of the verdict that asked.
        cited: What it cites.
        next: What the next audit by the same rules comes to, with it.
        uncounted: Why it does not count there; None where it does.
        reported: Reported reviews of the question that came in after that verdict, or that this
            one overrules.
    """

    seq: int
    run: str
    review: str
    status: ReviewStatus
    verdict: int
    cited: CitedEvents
    next: Judgement
    uncounted: str | None
    reported: Sequence[Reported]

    @property
    def flag(self) -> str:
        """The flag that it is about."""
        return self.review.partition(".")[0]

    @property
    def flag_status(self) -> str:
        """What the next audit makes of that flag."""
        flags = self.next.verdict.body["flags"]
        return next((str(one["status"]) for one in flags if one["flag"] == self.flag), "none")


def answer_review(
    ledger: Ledger,
    replay: Replay,
    run: str,
    review: str,
    status: ReviewStatus,
    reason: str,
    refs: Sequence[str],
    signers: Sequence[PrivateKey],
    *,
    by: str | None = None,
    verdict: int | None = None,
    at: str,
    entropy: Entropy,
) -> Answered:
    """Append a signed review of *run*, in view of its newest verdict and of what it cites.

    Args:
        ledger: Open for writing.
        replay: A replay of this ledger.
        run: The run's own name for itself.
        review: A question that the verdict asks.
        status: How it is answered.
        reason: Why; kept in a blob.
        refs: What the reviewer looked at; each must be in the run.
        signers: Keys of reviewers.
        by: Who looked, where the key alone does not say so.
        verdict: The verdict that is answered; it must be the newest, which it is if not given.
        at: Claimed time.
        entropy: Returns that many random bytes.

    Raises:
        RunUnknown, VerdictMissing, ReviewUnasked, RefUnresolved, ReasonMissing: As they say.
        Refusal: The signers have no authority.
    """
    check_reason(reason)
    if status == "resolved" and not refs:
        raise ReasonMissing(
            "--evidence",
            "nothing",
            "what the reviewer looked at",
            remedy="name lines and files of the run with --evidence, such as testmod:seq3",
        )
    catch_up(replay, ledger)
    found: list[tuple[int, CitedEvents]] = []

    def fields(_: Batch) -> dict[str, object]:
        answered = _asking(ledger, replay, run, review, verdict)
        rules = audit_rules(_policy(ledger, answered))
        read = Committed(ledger)
        looked = cited_events(Held(read, run), Versions(read, run), rules, refs)
        found.append((answered, looked))
        return {
            "run": run,
            "cited": looked.events,
            "review": review,
            "status": status,
            "verdict": answered,
        }

    blobs = {REASON: reason.encode()}
    if refs:
        blobs[EVIDENCE] = "\n".join(refs).encode()
    if by is not None:
        blobs[BY] = by.encode()
    seq = decide(
        ledger,
        replay,
        ReviewDecided.wire,
        fields,
        signers,
        blobs=blobs,
        at=at,
        entropy=entropy,
    )
    answered, looked = found[-1]
    with ledger.snapshot():
        judgement = judge(ledger, run, bind(_policy(ledger, answered)))
        lines = [one for one in reported(ledger, run) if one.review == review]
    others = [one for one in lines if one.seq > answered or one.status != status]
    why = {one.seq: because for one, because in judgement.uncounted()}
    return Answered(seq, run, review, status, answered, looked, judgement, why.get(seq), others)


def _asking(ledger: Ledger, replay: Replay, run: str, review: str, verdict: int | None) -> int:
    """Return the newest verdict on a run, which asks for the review.

    Raises:
        RunUnknown: The ledger has no such run.
        VerdictMissing: There is no verdict on it, its bytes are withheld, or another was meant.
        ReviewUnasked: The verdict does not ask for it.
    """
    if run not in replay.runs.runs:
        expected = near_or_few(run, replay.runs.runs) or "a run that the ledger holds"
        raise RunUnknown("--run", repr(run[:200]), expected)
    newest = replay.runs.newest_verdict(run)
    if newest is None:
        raise VerdictMissing(f"run {run!r}", "no verdict on it", "a verdict that asks for a review")
    if verdict not in (None, newest):
        raise VerdictMissing(
            "--verdict",
            f"event {verdict}",
            f"event {newest}, the newest verdict on run {run!r}",
            remedy="answer the newest verdict: what an older one asked may not be asked any more",
        )
    flags = kept_flags(Committed(ledger), newest)
    if flags is None:
        got = f"event {newest}, whose bytes are withheld"
        raise VerdictMissing(f"run {run!r}", got, "a verdict whose bytes are at hand")
    asked = [one for flag in flags.values() for one in flag.reviews]
    if review not in asked:
        expected = f"one that event {newest} asks for: {', '.join(asked)}"
        if not asked:
            expected = f"nothing: event {newest} asks for no review"
        raise ReviewUnasked("--id", repr(review[:200]), expected)
    return newest


def _policy(ledger: Ledger, verdict: int) -> Policy:
    document = ledger.document(concluded_at(ledger, verdict).rules)
    assert document is not None, "a replay found the policy frozen (EVENT-79)"  # noqa: S101
    return parse_policy(document)
