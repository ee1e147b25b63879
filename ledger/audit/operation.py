"""Predicates of the flag ``machine_operated``: the agent's call came before the processing."""

from msgspec import Struct

from .calls import Call
from .events import Event
from .facts import Facts
from .order import Moment, contradicts, relation
from .predicates import Cited, Finding, predicate


class Operation(Struct, frozen=True):
    """How the agent's calls stand to the first input that the server processed.

    Attributes:
        processed: That input.
        before: The last call before it, in the order of the file.
        unknown: The first call that nothing orders before or after it.
        calls: How many calls the agent made in its phase.
    """

    processed: Event | None
    before: Call | None
    unknown: Call | None
    calls: int


def operation(facts: Facts) -> Operation:
    """Order the agent's calls around the first processing."""
    processed = facts.test.processed
    calls = [call for call in facts.trajectory.calls if call.agent_phase]
    before = unknown = None
    for call in calls if processed is not None else ():
        order = relation(call.moment, processed.moment) if processed is not None else None
        if order == "before":
            before = call
        elif order is None and unknown is None:
            unknown = call
    return Operation(processed, before, unknown, len(calls))


@predicate("no_input_processed")
def no_input_processed(facts: Facts) -> Finding | None:
    """The server processed nothing; what was only tried does not count."""
    if facts.test.processed is not None:
        return None
    return Finding(missing=("input_processed",), said={"attempts": facts.test.attempts})


@predicate("no_agent_phase_call")
def no_agent_phase_call(facts: Facts) -> Finding | None:
    """The agent made no call in its phase."""
    return None if facts.of(operation).calls else Finding(missing=("call by the agent",))


@predicate("call_before_processing")
def call_before_processing(facts: Facts) -> Finding | None:
    """A call of the agent is ordered before the first processing."""
    found = facts.of(operation)
    if found.before is None or found.processed is None:
        return None
    return _found(facts, found.processed, found.before)


@predicate("operator_elsewhere")
def operator_elsewhere(facts: Facts) -> Finding | None:
    """That call and the processing name different places."""
    found = facts.of(operation)
    if (
        found.before is None
        or found.processed is None
        or not elsewhere(found.before, found.processed)
    ):
        return None
    return Finding()


@predicate("call_order_unknown")
def call_order_unknown(facts: Facts) -> Finding | None:
    """No call is ordered before the first processing, and one is not ordered at all."""
    found = facts.of(operation)
    if found.before is not None or found.unknown is None or found.processed is None:
        return None
    return _found(facts, found.processed, found.unknown)


@predicate("all_calls_after")
def all_calls_after(facts: Facts) -> Finding | None:
    """Every call is ordered after the first processing."""
    found = facts.of(operation)
    if found.processed is None or found.before is not None or found.unknown is not None:
        return None
    said = {"processed": found.processed.ref}
    return Finding((cited(found.processed),), ("call before the processing",), (), said)


def _found(facts: Facts, processed: Event, call: Call) -> Finding:
    notes = []
    if facts.test.attempts:
        notes.append(f"{facts.test.attempts} input_attempt; alone they never prove operation")
    notes += clash(call.ref, call.moment, processed.ref, processed.moment)
    said: dict[str, str | int] = {
        "count": facts.test.inputs,
        "call": call.ref,
        "processed": processed.ref,
    }
    return Finding((cited(processed), cited(call)), (), tuple(notes), said)


def cited(record: Event | Call) -> Cited:
    """Return a record as evidence."""
    return Cited(record.ref, record.digest)


def elsewhere(one: Event | Call, two: Event | Call) -> bool:
    """Tell whether two records name different instances or dimensions."""
    return differ(one.instance, two.instance) or differ(one.dimension, two.dimension)


def differ(one: str | None, two: str | None) -> bool:
    """Tell whether two places are said and are not the same."""
    return one is not None and two is not None and one != two


def clash(one: str, at: Moment, two: str, there: Moment) -> list[str]:
    """Return a note where times order two records one way and ticks the other."""
    if not contradicts(at, there):
        return []
    return [f"the times of {one} and {two} contradict their ticks; the times decide"]
