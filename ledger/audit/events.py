"""What the two evidence streams say: the test side's events and the agent's captures (AUDIT-14).

One pass over each file. What is kept grows with the carts, never with the lines.
"""

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from ledger.runs.contents import Contents, File
from ledger.runs.fields import ALIASES, text
from ledger.runs.records import Witnessed, line_digest, witnessed

from .items import Item, items_of
from .order import Clock, Moment, Rank, Stream, rank
from .refs import DIGEST_DIGITS, Sought, seq_name

PLACED = ("instance_ready", "input_processed", "cart_ejected", "cart_removed", "end")
"""Test events that must agree on where they happened; attempts and restores may be elsewhere."""

LOGGED = ("logger_armed", "cart_observed", "logger_flushed", "logger_error")

_SESSION = ("session", "session_id", "sessionId")
_MOST_PLACES = 16
_MOST_CONTENTS = 64
_MOST_FOREIGN = 16


class Event(Struct, frozen=True, gc=False):
    """A record that a flag rests on.

    Attributes:
        ref: How it is referred to.
        digest: SHA-256 of its line without the end, 32 bytes.
        moment: When it happened, as far as records can be ordered.
        rank: What first and last are chosen by.
        instance, dimension: Where.
        uuid: Of the cart.
    """

    ref: str
    digest: bytes
    moment: Moment
    rank: Rank
    instance: str | None
    dimension: str | None
    uuid: str | None


class Places(Struct):
    """Where events happened; a few of each, since one more than one is already wrong."""

    instances: dict[str, str] = msgspec.field(default_factory=dict)
    dimensions: dict[str, str] = msgspec.field(default_factory=dict)

    def add(self, one: Witnessed, ref: str) -> None:
        """Note where a record says that it happened."""
        for place, known in ((one.instance, self.instances), (one.dimension, self.dimensions)):
            if place is not None and len(known) < _MOST_PLACES:
                known.setdefault(place, ref)


class TestSide(Struct):
    """What the independent test mod saw.

    Attributes:
        processed: The first input that the server processed.
        inputs: How many it processed.
        attempts: How many were tried.
        ejected: Every ejection, in the order of the file.
        removed: The last removal of each cart.
        places: Of the five kinds of event that must agree.
        foreign: References of events of another run, the first few.
        fault: The first line that cannot be read, from 1.
    """

    __test__ = False
    processed: Event | None = None
    inputs: int = 0
    attempts: int = 0
    ejected: list[Event] = msgspec.field(default_factory=list)
    removed: dict[str, Event] = msgspec.field(default_factory=dict)
    places: Places = msgspec.field(default_factory=Places)
    foreign: list[str] = msgspec.field(default_factory=list)
    fault: int | None = None


class Cart(Struct):
    """What the agent's logger saw of one cart.

    Attributes:
        first, last: Captures, by their times.
        places: Where captures of it say they were, each once, with a reference.
        bare: A capture without a list of items.
        contents: What captures say it held, each once.
    """

    first: Event
    last: Event
    places: dict[tuple[str | None, str | None], str] = msgspec.field(default_factory=dict)
    bare: str | None = None
    contents: dict[tuple[Item, ...], None] = msgspec.field(default_factory=dict)


class LoggerSide(Struct):
    """What the agent's own logger wrote.

    Attributes:
        armed: The first record that it was running.
        captures: How many carts it observed.
        carts: What it saw of each.
        last: The last capture of all.
        places: Of its four kinds of record.
        foreign: References of records of another run, the first few.
        sources: ``source_sha256`` of records that differs from the raw log's, with a reference.
        fault: The first line that cannot be read, from 1.
    """

    armed: Event | None = None
    captures: int = 0
    carts: dict[str, Cart] = msgspec.field(default_factory=dict)
    last: Event | None = None
    places: Places = msgspec.field(default_factory=Places)
    foreign: list[str] = msgspec.field(default_factory=list)
    sources: list[tuple[str, str | None]] = msgspec.field(default_factory=list)
    fault: int | None = None


class Line(Struct, frozen=True):
    """A record of a stream on its way through."""

    event: Event
    said: Witnessed


def test_side(contents: Contents, file: File, run_id: str | None, sought: Sought) -> TestSide:
    """Read the events of the test mod."""
    side = TestSide()
    for line in _read(contents, file, "testmod", sought):
        if isinstance(line, int):
            side.fault = line
            return side
        event, said = line.event, line.said
        if _foreign(said, run_id) and len(side.foreign) < _MOST_FOREIGN:
            side.foreign.append(event.ref)
        if said.event in PLACED:
            side.places.add(said, event.ref)
        if said.event == "input_processed":
            side.inputs += 1
            if side.processed is None or event.rank < side.processed.rank:
                side.processed = event
        elif said.event == "input_attempt":
            side.attempts += 1
        elif said.event == "cart_ejected":
            side.ejected.append(event)
        elif said.event == "cart_removed" and event.uuid is not None:
            side.removed[event.uuid] = event
    return side


def logger_side(
    contents: Contents, file: File, run_id: str | None, sought: Sought, raw: bytes | None
) -> LoggerSide:
    """Read the records of the agent's logger.

    Args:
        contents: The run.
        file: The logger's output, or the normalized view of it.
        run_id: Of the run.
        sought: What is cited.
        raw: Of a normalized view: the digest that its records must name; else None.
    """
    side = LoggerSide()
    for line in _read(contents, file, "logger", sought):
        if isinstance(line, int):
            side.fault = line
            return side
        event, said = line.event, line.said
        if _foreign(said, run_id) and len(side.foreign) < _MOST_FOREIGN:
            side.foreign.append(event.ref)
        if raw is not None and not _made_from(said, raw) and len(side.sources) < _MOST_FOREIGN:
            side.sources.append((event.ref, said.source_sha256))
        if said.event in LOGGED:
            side.places.add(said, event.ref)
        if said.event == "logger_armed":
            if side.armed is None or event.rank < side.armed.rank:
                side.armed = event
        elif said.event == "cart_observed":
            side.captures += 1
            if side.last is None or event.rank >= side.last.rank:
                side.last = event
            if event.uuid is not None:
                _capture(side, event, said)
    return side


def _foreign(said: Witnessed, run_id: str | None) -> bool:
    """Tell whether a record names a run, by either name, that is not this one."""
    named = (said.raw.get(name) for name in ALIASES["run_id"])
    return any(one is not None and one != run_id for one in named)


def _made_from(said: Witnessed, raw: bytes) -> bool:
    return said.source_sha256 is not None and said.source_sha256.lower() == raw.hex()


def _capture(side: LoggerSide, event: Event, said: Witnessed) -> None:
    cart = side.carts.get(event.uuid or "")
    if cart is None:
        cart = side.carts[event.uuid or ""] = Cart(event, event)
    if event.rank < cart.first.rank:
        cart.first = event
    if event.rank >= cart.last.rank:
        cart.last = event
    if len(cart.places) < _MOST_PLACES:
        cart.places.setdefault((event.instance, event.dimension), event.ref)
    listed = (items_of(said.raw.get(name)) for name in ("items", "inventory"))
    items = next((one for one in listed if one is not None), None)
    if items is None:
        cart.bare = cart.bare or event.ref
    elif len(cart.contents) < _MOST_CONTENTS:
        cart.contents.setdefault(items)


def session_of(said: Witnessed) -> str | None:
    """Return the session of the world that a record names."""
    return next((one for one in map(said.raw.get, _SESSION) if text(one) is not None), None)


def _read(contents: Contents, file: File, stream: Stream, sought: Sought) -> Iterator[Line | int]:
    """Yield the records of a stream; the number of a line that is none, and nothing more."""
    clock = Clock(stream)
    hashes = sought.hashes(stream)
    for number, data in enumerate(contents.lines(file), 1):
        said = witnessed(data)
        if said.fault == "blank":
            continue
        if said.fault is not None:
            yield number
            return
        digest = line_digest(data)
        if said.literal_seq is not None:
            name = seq_name(said.literal_seq)
            sought.met(stream, name)
        else:
            name = digest.hex()[:DIGEST_DIGITS]
        if hashes:
            sought.met(stream, digest.hex()[:DIGEST_DIGITS])
        ready = said.event == "instance_ready"
        domain = clock.domain(said.tick, session_of(said), ready=ready)
        moment = Moment(said.literal_at, said.tick, said.seq, clock, domain)
        key = rank(said.at, said.tick, said.seq)
        event = Event(f"{stream}:{name}", digest, moment, key, said.instance, said.dimension,
                      said.uuid)  # fmt: skip
        yield Line(event, said)
