"""What a name stands for: an attempt, a task, a system, a source, a release, an edition or a run.

An attempt is named by its identity, by eight or more first characters of it, by the row that
reports it (``20260101.0.0#7``), or by its source's own name for it. A kind before a colon decides
where one name is that of several things: ``edition:spring``.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from .entry import read_entry, read_event
from .errors import AttemptUnknown, NameUnknown
from .events import AttemptReported
from .identity import system_id, task_id
from .naming import candidates, near_names, resolve
from .projections.attempts import Attempts
from .replay import Replay

Kind: TypeAlias = Literal["attempt", "task", "system", "source", "release", "edition", "run"]

Entries: TypeAlias = Callable[[], Iterable[tuple[int, bytes]]]
"""Gives every entry with its number, for names that stand nowhere else."""

_ROW = re.compile(r"(?P<release>.+)#(?P<index>[0-9]{1,18})", re.DOTALL)
_SHOWN = 3


class Thing(Struct, frozen=True):
    """A thing of a ledger.

    Attributes:
        kind: What it is.
        id: Its one name: an identity, ``scenario@version``, a number as text, and so on.
    """

    kind: Kind
    id: str

    @property
    def source(self) -> int:
        """The number of a source."""
        return int(self.id)


def thing_of(replay: Replay, text: str, entries: Entries) -> Thing:
    """Return what *text* names.

    Raises:
        NameUnknown: Nothing, or several things.
    """
    kind, colon, name = text.partition(":")
    kinds: tuple[Kind, ...] = get_args(Kind)
    wanted = [one for one in kinds if colon and one == kind]
    if not wanted or _known(replay, text):
        wanted, name = list(kinds), text
    found = [Thing(one, identity) for one in wanted for identity in _named(replay, one, name)]
    if not found and "attempt" in wanted:
        found = [Thing("attempt", one) for one in _by_run(name, entries)]
    if len(found) == 1:
        return found[0]
    if found:
        shown = ", ".join(f"{one.kind}:{one.id}" for one in found[:_SHOWN])
        raise NameUnknown("name", f"{text[:200]!r}, which names {len(found)} things", shown)
    near = near_names(name, _names(replay)) or "an attempt, task, system, source, edition or run"
    raise NameUnknown("name", repr(text[:200]), near)


def _named(replay: Replay, kind: Kind, name: str) -> Iterator[str]:
    """Yield the things of a kind that a name stands for; an edition hides a release of its name."""
    state = replay.attempts
    match kind:
        case "attempt":
            yield from _attempts(replay, name)
        case "task":
            yield from (one for one in _tasks(state) if one == name)
        case "system":
            yield from (one for one in _systems(state) if one == name)
        case "source":
            if name.isascii() and name.isdigit() and len(name) < 19 and int(name) in state.sources:
                yield str(int(name))
        case "release":
            if name in state.releases and name not in replay.authority.editions:
                yield name
        case "edition":
            if name in replay.authority.editions:
                yield name
        case "run":
            if name in replay.runs.runs:
                yield name


def _known(replay: Replay, text: str) -> bool:
    return text in replay.authority.editions or text in replay.attempts.releases


def _attempts(replay: Replay, name: str) -> Iterator[str]:
    """Yield the attempts of an identity, of its beginning, or of a row."""
    if candidates(replay, name):
        try:
            yield resolve(replay, name)
        except AttemptUnknown as refusal:  # several begin with it
            raise NameUnknown("name", refusal.got, refusal.expected) from None
        return
    match = _ROW.fullmatch(name)
    if match is not None:
        yield from _by_row(replay.attempts, match["release"], int(match["index"]))


def _by_row(state: Attempts, release: str, index: int) -> list[str]:
    places = [place.release == release for place in state.places.values]
    if not any(places):
        return []
    found: dict[str, None] = {}
    for row, attempt in enumerate(state.rows.attempt):
        numbers = state.rows.read(row)
        if places[numbers.place] and numbers.row_index == index:
            found[attempt] = None
    return list(found)


def _by_run(name: str, entries: Entries) -> list[str]:
    """Return the attempts that sources call *name*; the log is looked through for it."""
    wanted, found = name.encode("utf-8", "surrogateescape"), dict[str, None]()
    if not wanted:
        return []
    for seq, data in entries():
        if wanted in data:
            event = read_event(read_entry(data, seq))
            if isinstance(event, AttemptReported) and event.run_id == name:
                found[event.attempt] = None
    return list(found)


def _tasks(state: Attempts) -> dict[str, None]:
    places = [(place.scenario, place.version) for place in state.places.values]
    return {task_id(*one): None for one in (*places, *state.invalidations)}


def _systems(state: Attempts) -> dict[str, None]:
    places = state.places.values
    return {system_id(place.agent, place.model, place.effort): None for place in places}


def _names(replay: Replay) -> list[str]:
    state = replay.attempts
    results = [*_tasks(state), *_systems(state), *state.releases]
    return [*results, *replay.authority.editions, *replay.runs.runs]
