"""Predicates of the flag ``agent_read_log``: the agent read what its logger had captured."""

from collections.abc import Iterator

from .calls import CONTENT, NOTHING, Call
from .events import Event
from .facts import Facts
from .operation import cited, clash
from .order import Relation, relation
from .predicates import Finding, predicate


def last_capture(facts: Facts) -> Event | None:
    """Return the last capture: of ejected carts, if there is one, else of any (AUDIT-33)."""
    of_ejected: list[Event] = []
    if facts.slots["test_mod"].standing != "withheld":
        uuids = {event.uuid for event in facts.test.ejected if event.uuid is not None}
        carts = facts.logger.carts
        of_ejected = [carts[uuid].last for uuid in sorted(uuids & carts.keys())]
    return max(of_ejected, key=lambda event: event.rank, default=facts.logger.last)


def _answered(facts: Facts) -> Iterator[tuple[Call, Event, Relation | None]]:
    """Yield the calls of the agent that succeeded, and how they stand to the last capture."""
    last = facts.of(last_capture)
    for call in facts.trajectory.calls:
        if call.status == "ok" and last is not None:
            yield call, last, relation(call.moment, last.moment)


@predicate("log_content_read")
def log_content_read(facts: Facts) -> Finding | None:
    """A call after the last capture named the logger's output and showed what it captured."""
    for call, last, order in _answered(facts):
        if order == "after" and call.shows == CONTENT and call.named and call.reads:
            return _found(call, last)
    return None


@predicate("log_reading_unproven")
def log_reading_unproven(facts: Facts) -> Finding | None:
    """A call that does not come before the last capture has something to do with it."""
    for call, last, order in _answered(facts):
        if order != "before" and (call.named or call.shows != NOTHING):
            weak = {
                "its result does not show what a cart held": call.shows != CONTENT,
                "its arguments do not name the logger's output": not call.named,
                "its tool is none that reads": not call.reads,
                "no clock orders it after the last capture": order is None,
            }
            found = _found(call, last)
            notes = tuple(f"{call.ref}: {why}" for why, holds in weak.items() if holds)
            return Finding(found.evidence, (), (*found.notes, *notes), found.said)
    return None


@predicate("log_never_read")
def log_never_read(facts: Facts) -> Finding | None:
    """No call of the agent after the last capture has anything to do with it."""
    if log_content_read(facts) is not None or log_reading_unproven(facts) is not None:
        return None
    return Finding(missing=("call that reads the logger's output",))


def _found(call: Call, last: Event) -> Finding:
    notes = clash(call.ref, call.moment, last.ref, last.moment)
    said = {"call": call.ref, "capture": last.ref}
    return Finding((cited(call), cited(last)), (), tuple(notes), said)
