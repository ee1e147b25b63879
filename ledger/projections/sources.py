"""Which sources count: replaced ones, withdrawn ones, and those that count again (FIG-8, FIG-50).

A source that was withdrawn stays replaced or replacing, as it was: what it had replaced counts
again only where the decision says so.
"""

from typing import TYPE_CHECKING, NamedTuple

from ledger.errors import SourceUnknown
from ledger.events import SourceImported, SourceWithdrawn

if TYPE_CHECKING:
    from .attempts import Attempts, Release

STANDS, WITHDRAWN, WITHDRAWN_TOO, SUPERSEDED = range(4)
"""Ranks of a row by its source; of several rows of an attempt one of the lowest rank governs.

It stands; was withdrawn; was withdrawn and replaced; was replaced.
"""


class Source(NamedTuple):
    """A file that was imported.

    Attributes:
        wire: Type of its event.
        name: What the file says it is.
        supersedes: The source that it replaces, or None.
    """

    wire: str
    name: str
    supersedes: int | None


class Withdrawal(NamedTuple):
    """A decision that a source no longer counts.

    Attributes:
        seq, wire: Its event.
        reinstates: The source that counts again in its place, or None.
    """

    seq: int
    wire: str
    reinstates: int | None


class Reinstated(NamedTuple):
    """A time in which a source was replaced: from one event on, until another."""

    replaced_by: int
    until: int


def take_source(state: "Attempts", seq: int, event: SourceImported) -> None:
    """Add a source; what it replaces is replaced, and what that one's withdrawal reinstated."""
    state.sources[seq] = Source(event.wire, event.name, event.supersedes)
    earlier = event.supersedes
    while earlier is not None:
        state.superseded[earlier] = seq
        withdrawals = state.withdrawals.get(earlier)
        earlier = withdrawals[-1].reinstates if withdrawals else None


def withdraw(state: "Attempts", seq: int, event: SourceWithdrawn) -> None:
    """Withdraw a source.

    Raises:
        SourceUnknown: No event of that number is a source.
    """
    if event.source not in state.sources:
        raise SourceUnknown(
            f"event {seq}, {event.wire}", f"event {event.source}", "a source before it", seq=seq
        )
    withdrawal = Withdrawal(seq, event.wire, event.reinstates)
    state.withdrawals.setdefault(event.source, []).append(withdrawal)
    if event.reinstates is not None:
        by = state.superseded.pop(event.reinstates, None)
        if by is not None:
            state.reinstated.setdefault(event.reinstates, []).append(Reinstated(by, seq))


def reinstatable(state: "Attempts", source: int) -> int | None:
    """Return which source may count again where *source* is withdrawn; None if none may.

    That is the newest of those which it replaced, one after the other, that is not withdrawn
    itself; and none while a newer source stands in the place of *source*.
    """
    if source in state.superseded or source not in state.sources:
        return None
    earlier = state.sources[source].supersedes
    while earlier is not None and earlier in state.withdrawals:
        earlier = state.sources[earlier].supersedes if earlier in state.sources else None
    return earlier


def superseded_by(state: "Attempts", source: int, size: int) -> int | None:
    """Return which source had replaced *source* when there were *size* events; None if none."""
    by = state.superseded.get(source)
    if by is not None and by < size:
        return by
    for time in state.reinstated.get(source, ()):
        if time.replaced_by < size <= time.until:
            return time.replaced_by
    return None


def rank(state: "Attempts", source: int) -> int:
    """Return the rank of the rows of *source*."""
    if source in state.withdrawals:
        return WITHDRAWN_TOO if source in state.superseded else WITHDRAWN
    return SUPERSEDED if source in state.superseded else STANDS


def conditions_of(state: "Attempts", release: str) -> "Release | None":
    """Return the report that governs a release: the newest of a source that was not withdrawn.

    Where every source of it was withdrawn it is the newest; None where nothing reports it.
    """
    reports = state.releases.get(release)
    if not reports:
        return None
    standing = (one for one in reversed(reports) if one.source not in state.withdrawals)
    return next(standing, reports[-1])
