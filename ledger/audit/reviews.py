"""What people resolved: which review of a question counts, and what it makes of a flag.

Reported reviews stand in the run and nobody signed them; signed ones are decisions of a ledger,
and go before, also where they lapsed (AUDIT-50 to AUDIT-58). No review makes a mechanical FAIL
anything else.
"""

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from canon import instant_text
from ledger.runs.records import Reviewed
from ledger.runs.times import Instant

from .facts import Facts
from .refs import parse
from .slots import Hidden

Status: TypeAlias = Literal["resolved", "rejected", "pending"]


class Signed(Struct, frozen=True, kw_only=True):
    """A review that somebody signed, as a ledger has it.

    Attributes:
        id: The question.
        status: What the reviewer decided.
        by: Identifier of the key, or of whoever holds it.
        at: When, as the decision's entry claims, canonical text.
        note: Why.
        refs: What the reviewer looked at.
        mechanical: Digest of the mechanical part of the flag that it answers, 32 bytes.
        fresh: Whether it still counts as far as the ledger can tell.
        why: Why it does not, a sentence without its end.
        entry: Leaf of the ledger's entry that holds it, 32 bytes, or None.
        event: Number of that entry, or None.
    """

    id: str
    status: Status
    by: str
    at: str
    note: str
    refs: tuple[str, ...]
    mechanical: bytes
    fresh: bool = True
    why: str | None = None
    entry: bytes | None = None
    event: int | None = None


class Resolution(Struct, frozen=True, kw_only=True):
    """A review as it was weighed.

    Attributes:
        id: The question.
        kind: Whether it was signed or only reported.
        status: What it says.
        by: Who.
        at: When, canonical text, or None.
        note: Why.
        refs: What it cites.
        counts: Whether it decides its question.
        why: Why it does not.
        entry: Leaf of the ledger's entry that holds it, 32 bytes, or None.
    """

    id: str
    kind: Literal["reported", "signed"]
    status: Status
    by: str | None
    at: str | None
    note: str | None
    refs: tuple[str, ...]
    counts: bool
    why: str | None = None
    entry: bytes | None = None


class Settled(Struct, frozen=True):
    """What the reviews of one question come to.

    Attributes:
        outcome: resolved, rejected, or open.
        resolution: The review that decides.
        problems: What is wrong with it, a sentence each.
        weighed: Every review of the question that there is.
        lapsed: Which signed review answered it and does not count any more, and why, a sentence
            without its end; None where none did.
    """

    outcome: Literal["resolved", "rejected", "open"]
    resolution: Resolution | None
    problems: tuple[str, ...]
    weighed: tuple[Resolution, ...]
    lapsed: str | None = None


def settle(question: str, mechanical: bytes, facts: Facts, signed: Sequence[Signed]) -> Settled:
    """Decide what the reviews of one question come to.

    Args:
        question: Its id.
        mechanical: Digest of the mechanical part of its flag as it is now, 32 bytes.
        facts: What is known.
        signed: All signed reviews, in the order of their ledger.
    """
    asked = [one for one in signed if one.id == question]
    weighed = [_signed(one, mechanical) for one in asked]
    newest = weighed[-1] if weighed else None
    weighed = [
        one if one is newest or not one.counts else _superseded(one, "a later signed review")
        for one in weighed
    ]
    lapsed = None
    if newest is not None and not newest.counts:
        lapsed = f"{_named(asked[-1])} of {question} lapsed: {newest.why}"
    entry = facts.reported.latest.get(question)
    if entry is not None:
        reported = _reported(entry)
        if newest is None:
            newest = reported
        else:
            reported = _superseded(reported, "a signed review")
        weighed.append(reported)
    if lapsed is not None:
        return Settled("open", None, (), tuple(weighed), lapsed)
    if newest is None or newest.status == "pending":
        return Settled("open", newest, (), tuple(weighed))
    if newest.status == "rejected":
        return Settled("rejected", newest, (), tuple(weighed))
    problems = tuple(_problems(newest, facts))
    return Settled("open" if problems else "resolved", newest, problems, tuple(weighed))


def _named(one: Signed) -> str:
    return "the signed review" if one.event is None else f"the signed review in event {one.event}"


def _problems(one: Resolution, facts: Facts) -> Iterator[str]:
    """Yield what a review cites and the run does not have."""
    for text in one.refs:
        try:
            if not facts.resolves(parse(text)):
                yield f"{one.id}: {text} is not in the run"
        except Hidden as hidden:
            yield f"{one.id}: {text} would be in {hidden.path}, which is withheld"


def _signed(one: Signed, mechanical: bytes) -> Resolution:
    why = one.why if not one.fresh else None
    if one.fresh and one.mechanical != mechanical:
        why = "it answers another state of the flag than this one"
    elif not one.fresh and why is None:
        why = "it is stale"
    return Resolution(
        id=one.id, kind="signed", status=one.status, by=one.by, at=one.at, note=one.note,
        refs=one.refs, counts=why is None, why=why, entry=one.entry,
    )  # fmt: skip


def _reported(entry: Reviewed) -> Resolution:
    status: Status = "pending"
    if entry.status == "resolved":
        status = "resolved"
    elif entry.status == "rejected":
        status = "rejected"
    return Resolution(
        id=entry.id or "", kind="reported", status=status, by=entry.by, at=_time(entry.at),
        note=entry.note, refs=entry.evidence or (), counts=True,
    )  # fmt: skip


def _superseded(one: Resolution, by: str) -> Resolution:
    return Resolution(
        id=one.id, kind=one.kind, status=one.status, by=one.by, at=one.at, note=one.note,
        refs=one.refs, counts=False, why=f"{by} goes before it", entry=one.entry,
    )  # fmt: skip


def _time(at: Instant | None) -> str | None:
    """Return a time as canonical text; what is finer than a microsecond is cut off."""
    from datetime import UTC, datetime, timedelta

    if at is None:
        return None
    return instant_text(datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=int(at // 1)))
