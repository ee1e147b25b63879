"""Which of two records came first, where anything says so; nothing is guessed (AUDIT-20 to -24).

Wall-clock times decide before ticks. Ticks count within one session of the world: a server that
starts again counts from its own beginning. Numbers of lines order nothing but lines of one file.
"""

from collections.abc import Iterable
from typing import Literal, TypeAlias

from msgspec import Struct

from ledger.runs.times import Instant

Stream: TypeAlias = Literal["trajectory", "testmod", "logger"]

Relation: TypeAlias = Literal["before", "after"]

_LAST = 2**62


class Clock:
    """The ticks of one stream: which of them are of one session of the world (AUDIT-22).

    A new session begins where ticks go back, where an instance reports that it is ready, and
    where the session that records name changes.
    """

    def __init__(self, stream: Stream) -> None:
        """Begin with no record."""
        self.stream: Stream = stream
        self.sessions: list[str | None] = []
        self._tick: int | None = None
        self._read = False

    def domain(self, tick: int | None, session: str | None = None, *, ready: bool = False) -> int:
        """Return the number of the session that the next record is in, from 0."""
        back = tick is not None and self._tick is not None and tick < self._tick
        known = self.sessions[-1] if self.sessions else None
        other = session is not None and known is not None and session != known
        if not self.sessions or (self._read and (back or ready or other)):
            self.sessions.append(session)
            self._tick = None
        elif known is None:
            self.sessions[-1] = session
        self._read = True
        if tick is not None:
            self._tick = tick
        return len(self.sessions) - 1

    def shared(self, mine: int, other: "Clock", theirs: int) -> bool:
        """Tell whether ticks of one session of each can be compared.

        Of two streams they can where both name the same session, or where neither names one and
        each has only one.
        """
        if self is other:
            return mine == theirs
        here, there = self.sessions[mine], other.sessions[theirs]
        if here is not None and there is not None:
            return here == there
        return len(self.sessions) == len(other.sessions) == 1


class Moment(Struct, frozen=True, gc=False):
    """When a record says that something happened.

    Attributes:
        at: By the name ``at`` alone.
        tick: By any of its names.
        seq: By any of its names.
        clock: Of its stream.
        domain: Session of that clock.
    """

    at: Instant | None
    tick: int | None
    seq: int | None
    clock: Clock
    domain: int


def relation(one: Moment, two: Moment) -> Relation | None:
    """Say whether *one* comes before or after *two*; None where nothing orders them."""
    if one.at is not None and two.at is not None and one.at != two.at:
        return "before" if one.at < two.at else "after"
    by_tick = _by_tick(one, two)
    if by_tick is not None:
        return by_tick
    level = (one.at is not None and one.at == two.at) or _same_tick(one, two)
    if not level or one.clock is not two.clock or one.seq is None or two.seq is None:
        return None
    if one.seq == two.seq:
        return None
    return "before" if one.seq < two.seq else "after"


def contradicts(one: Moment, two: Moment) -> bool:
    """Tell whether the times of two records say one thing and their ticks the other."""
    by_tick = _by_tick(one, two)
    if by_tick is None or one.at is None or two.at is None or one.at == two.at:
        return False
    return by_tick != relation(one, two)


def _ticks(one: Moment, two: Moment) -> tuple[int, int] | None:
    if one.tick is None or two.tick is None:
        return None
    return (one.tick, two.tick) if one.clock.shared(one.domain, two.clock, two.domain) else None


def _by_tick(one: Moment, two: Moment) -> Relation | None:
    ticks = _ticks(one, two)
    if ticks is None or ticks[0] == ticks[1]:
        return None
    return "before" if ticks[0] < ticks[1] else "after"


def _same_tick(one: Moment, two: Moment) -> bool:
    ticks = _ticks(one, two)
    return ticks is not None and ticks[0] == ticks[1]


Rank: TypeAlias = tuple[bool, Instant, int, int]


def rank(at: Instant | None, tick: int | None, seq: int | None) -> Rank:
    """Return what the first and the last record of a kind are chosen by (AUDIT-24).

    What has no time comes last, then what has no tick, then what has no number.
    """
    return at is None, at or 0, _LAST if tick is None else tick, _LAST if seq is None else seq


class Dated(Struct, frozen=True, gc=False):
    """A record of a run in the view by time.

    Attributes:
        stream: Its file.
        line: Its place there, from 1.
        what: What it is, in a word or two.
        ref: How it is referred to.
        at: Its time, or None.
        tick: Its tick, or None.
        domain: Session of its stream that the tick counts in.
        seq: Its own number, which is never changed.
    """

    stream: Stream
    line: int
    what: str
    ref: str
    at: Instant | None
    tick: int | None
    domain: int
    seq: int | None


def chronological(records: Iterable[Dated]) -> list[Dated]:
    """Return records in the order of their times; a projection, which numbers nothing anew.

    Where times are level, each stream is in the order of its sessions, ticks and numbers. A
    record without a time stands behind the one before it in its file, one without a tick with
    the tick before it.

    Args:
        records: Each stream in the order of its file.
    """
    times: dict[str, Instant] = {}
    ticks: dict[tuple[str, int], int] = {}
    keyed = []
    for one in records:
        at = one.at if one.at is not None else times.get(one.stream)
        if at is not None:
            times[one.stream] = at
        place = one.stream, one.domain
        tick = one.tick if one.tick is not None else ticks.get(place, 0)
        ticks[place] = tick
        seq = one.seq if one.seq is not None and one.tick is not None else 0
        keyed.append(((at is not None, at or 0, *place, tick, seq, one.line), one))
    keyed.sort(key=lambda pair: pair[0])
    return [one for _, one in keyed]
