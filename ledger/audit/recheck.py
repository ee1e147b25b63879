"""Verdicts computed again from what a ledger held when they were told (AUDIT-110 to AUDIT-113)."""

from collections.abc import Callable, Iterable, Iterator

from msgspec import UNSET, Struct

from canon.refusal import Refusal
from ledger.entry import Signed, read_entry, read_event
from ledger.errors import RunUnknown, VerdictDiffers
from ledger.events import STREAM_ROLES, VERDICT, AuditConcluded
from ledger.rules import parse_policy
from ledger.runs.intake.versions import Versions
from ledger.store import Ledger

from .conclude import Judgement, concluded_at, judge
from .judge import Bound, bind
from .verdict import AUDITOR


class Rechecked(Struct):
    """How many verdicts of a ledger were computed again.

    Attributes:
        of: How many there are.
        recomputed: Verdicts that came out byte for byte the same.
        other_auditor: Verdicts of another auditor than this program's, which were not computed.
        withheld: Verdicts that cannot be compared, since bytes behind them are withheld or
            redacted.
    """

    of: int = 0
    recomputed: int = 0
    other_auditor: int = 0
    withheld: int = 0

    def document(self) -> dict[str, int]:
        """Return the counts as a JSON object."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


def recheck(
    ledger: Ledger,
    verdicts: Iterable[int],
    counts: Rechecked,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Compute verdicts again, one after the other; each is let go of before the next.

    Args:
        ledger: The ledger, whose entries were found good; its state does not change meanwhile.
        verdicts: Their events, ascending.
        counts: Where they are counted.
        progress: Called with the event of each that was computed.

    Raises:
        VerdictDiffers: One is not what its rules give, with all its bytes at hand.
    """
    for seq in verdicts:
        counts.of += 1
        _recheck(ledger, seq, concluded_at(ledger, seq), counts)
        if progress is not None:
            progress(seq)


def _recheck(ledger: Ledger, seq: int, event: AuditConcluded, counts: Rechecked) -> None:
    if event.auditor != AUDITOR:
        counts.other_auditor += 1
        return
    blob = ledger.blob(seq, VERDICT)
    judgement: Judgement | None = None
    try:
        judgement = judge(ledger, event.run, _rules(ledger, seq, event), seq)
        difference = _difference(judgement, event, None if blob is None else blob.data)
    except RunUnknown as unknown:  # where the very paths of its files are withheld
        difference = unknown.got, unknown.expected
    if difference is None and blob is not None:
        counts.recomputed += 1
    elif difference is None or any(_withheld(ledger, event, seq, judgement)):
        counts.withheld += 1
    else:
        got, expected = difference
        place = f"event {seq}, the verdict on run {event.run!r}"
        raise VerdictDiffers(place, got, expected, seq=seq)


def _rules(ledger: Ledger, seq: int, event: AuditConcluded) -> Bound:
    document = ledger.document(event.rules)
    assert document is not None, "a replay found the policy frozen (EVENT-79)"  # noqa: S101
    try:
        return bind(parse_policy(document))
    except Refusal as refusal:
        refusal.seq = seq
        raise


def _difference(
    judgement: Judgement, event: AuditConcluded, data: bytes | None
) -> tuple[str, str] | None:
    """Return got and expected of the first thing that a verdict has otherwise."""
    made = judgement.event(event.run, event.supersedes)
    for name in AuditConcluded.__struct_fields__:
        got, expected = getattr(event, name), getattr(made, name)
        if got != expected:
            return f"{name} {got}", f"{expected}, as its rules give it"
    if data is not None and data != judgement.verdict.data:
        return "other bytes", "those that its rules give"
    return None


def _withheld(
    ledger: Ledger, event: AuditConcluded, seq: int, judgement: Judgement | None
) -> Iterator[bool]:
    """Yield, for everything that the verdict rests on, whether bytes of it are withheld."""
    versions = Versions(ledger, event.run, seq)
    looked = [] if judgement is None else judgement.sources
    for source in {*event.sources, *looked}:
        yield _lacks_slots(ledger, source)
        version = versions.at(source)
        if version.event.state == "present" and version.event.role in STREAM_ROLES:
            yield versions.first_withheld(version) is not None
    for review in () if judgement is None else judgement.reviews:
        yield _lacks_slots(ledger, review.seq) or _lacks_slots(ledger, review.verdict)
        yield any(_lacks_slots(ledger, cited) for cited in review.cited)


def _lacks_slots(ledger: Ledger, seq: int) -> bool:
    data = ledger.entry(seq)
    if data is None:
        return False
    event = read_event(read_entry(data, seq))
    said = event.decision if isinstance(event, Signed) else event
    slots = () if said.blobs is UNSET else said.blobs
    return any(ledger.blob(seq, slot) is None for slot in slots)
