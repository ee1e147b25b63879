"""Signed reviews of a run: which are in force, and whether what they are about still stands.

A signed review binds the verdict that asked for it and the records that it cites (EVENT-83,
EVENT-84). It counts as long as those records are current and the machine still finds for that flag
what it found then; afterwards it stays in the log and says why it no longer counts.
"""

from collections.abc import Sequence

from msgspec import Struct

from canon import leaf_hash
from ledger.decide import KID_HEX
from ledger.entry import Signed, read_entry, read_event
from ledger.events import MANY, RECORDS, FileObserved, ReviewDecided
from ledger.grounds import EVIDENCE, REASON
from ledger.identities import review_key
from ledger.runs.intake.versions import Holdings, Version, Versions, path_text
from signing.cose import parse_decision

from .asked import kept_flags
from .reviews import Signed as SignedByPerson

BY = "by"
"""The slot that says who looked, where the key alone does not."""

_WITHHELD = "the reason is withheld"


class SignedReview(Struct, frozen=True):
    """A signed review in a ledger.

    Attributes:
        seq: Its event.
        verdict: The event of the verdict that asked.
        cited: Events of the files and records that it cites.
        said: What an audit weighs.
    """

    seq: int
    verdict: int
    cited: tuple[int, ...]
    said: SignedByPerson


def signed_reviews(ledger: Holdings, run: str, as_of: int | None = None) -> Sequence[SignedReview]:
    """Return the newest signed review of *run* on each question, by their events.

    One that cites what is no longer current is not fresh, and says so. Whether the machine still
    finds the same for its flag is for the audit to compare (AUDIT-56).

    Args:
        ledger: The ledger; its state should not change meanwhile.
        run: The run's own name for itself.
        as_of: Number of events that count; all, if not given.
    """
    size = ledger.size if as_of is None else min(as_of, ledger.size)
    current = _Current(ledger, run, size)
    found = []
    for _, newest in ledger.under(review_key(run, "")):
        seq, signed, decision = _within(ledger, newest, size)
        if decision is not None and signed is not None:
            found.append(_read(ledger, seq, signed, decision, current))
    return sorted(found, key=lambda one: one.seq)


_Found = tuple[int, Signed | None, ReviewDecided | None]


def _within(ledger: Holdings, newest: int, size: int) -> _Found:
    """Return the newest review below *size* that is about the same as the event *newest*."""
    signed, decision = _decision(ledger, newest)
    seq = newest
    while decision is not None and seq >= size:
        seq, signed, decision = _before(ledger, seq, decision)
    return seq, signed, decision


def _before(ledger: Holdings, seq: int, decision: ReviewDecided) -> _Found:
    """Return the review that stood before *decision*, which had to be made in view of it."""
    for number, _ in reversed(decision.target):
        if number < seq:
            signed, older = _decision(ledger, number)
            if older is not None and (older.run, older.review) == (decision.run, decision.review):
                return number, signed, older
    return -1, None, None


def _decision(ledger: Holdings, seq: int) -> tuple[Signed | None, ReviewDecided | None]:
    data = ledger.entry(seq)
    event = None if data is None else read_event(read_entry(data, seq))
    if isinstance(event, Signed) and isinstance(event.decision, ReviewDecided):
        return event, event.decision
    return None, None


def _read(
    ledger: Holdings, seq: int, signed: Signed, decision: ReviewDecided, current: "_Current"
) -> SignedReview:
    data = ledger.entry(seq)
    assert data is not None, "the decision was read from it"  # noqa: S101
    refs, note = _text(ledger, seq, EVIDENCE), _text(ledger, seq, REASON)
    changes = (current.change(number) for number in decision.cited)
    why = next((change for change in changes if change is not None), None)
    flags = kept_flags(ledger, decision.verdict)
    flag = None if flags is None else flags.get(decision.review.partition(".")[0])
    if flags is None and why is None:
        why = f"the bytes of the verdict that it answers, event {decision.verdict}, are withheld"
    said = SignedByPerson(
        id=decision.review,
        status=decision.status,
        by=_by(ledger, seq, signed),
        at=read_entry(data, seq).at,
        note=_WITHHELD if note is None else note,
        refs=() if refs is None else tuple(refs.split("\n")),
        # A flag that the verdict has not is like no flag that there is.
        mechanical=b"" if flag is None else flag.mechanical,
        fresh=why is None,
        why=why,
        entry=leaf_hash(data),
        event=seq,
    )
    return SignedReview(seq, decision.verdict, tuple(decision.cited), said)


def _by(ledger: Holdings, seq: int, signed: Signed) -> str:
    """Say who signed: keys, and the name that was given beside them."""
    kids = sorted({parse_decision(one).hex() for one in signed.signatures})
    name = _text(ledger, seq, BY)
    if name is None:
        return ", ".join(kids)
    return f"{name}, by key {', '.join(kid[:KID_HEX] for kid in kids)}"


def _text(ledger: Holdings, seq: int, slot: str) -> str | None:
    blob = ledger.blob(seq, slot)
    return None if blob is None else path_text(blob.data)


class _Current:
    """Tells which files and records of a run are current; chains of versions are walked once."""

    def __init__(self, ledger: Holdings, run: str, size: int) -> None:
        self._ledger, self._versions = ledger, Versions(ledger, run, size)
        self._spans: dict[int, list[tuple[int, int]]] = {}

    def change(self, seq: int) -> str | None:
        """Return what became of a file or a record that a review cites; None if it stands."""
        data = self._ledger.entry(seq)
        event = None if data is None else read_event(read_entry(data, seq))
        if isinstance(event, FileObserved):
            version = self._versions.at(seq)
        elif isinstance(event, RECORDS):
            version = self._versions.at(event.source)
        else:
            return f"event {seq}, which it cites, is of no run"
        newest = self._newest(version)
        if newest is None:
            return (
                f"the path is withheld of what it cites, event {seq}: nobody can tell if it stands"
            )
        if newest.seq == version.seq or self._keeps(newest, seq):
            return None
        return (
            f"event {seq}, which it cites, is not in {version.event.role} any more since"
            f" event {newest.seq}"
        )

    def _newest(self, version: Version) -> Version | None:
        role, path = version.event.role, version.path
        if path is None and role in MANY:
            return None
        return self._versions.newest(role, path or "")

    def _keeps(self, newest: Version, seq: int) -> bool:
        spans = self._spans.get(newest.seq)
        if spans is None:
            spans = [(one.start, one.stop) for one in self._versions.spans(newest)]
            self._spans[newest.seq] = spans
        return any(start <= seq < stop for start, stop in spans)
