"""Predicates of the flag ``logger_armed_before_activation``."""

from .calls import Call
from .events import Event
from .facts import Facts
from .operation import cited, clash, elsewhere
from .order import Relation, relation
from .predicates import Finding, predicate


def arming_call(facts: Facts) -> Call | None:
    """Return the first call of the agent that is about a logger and did not fail."""
    return next(
        (
            call
            for call in facts.trajectory.calls
            if call.arming and call.agent_phase is not False and call.status in (None, "ok")
        ),
        None,
    )


def _both(facts: Facts) -> tuple[Event, Event] | None:
    armed, processed = facts.logger.armed, facts.test.processed
    return None if armed is None or processed is None else (armed, processed)


def _order(facts: Facts) -> Relation | None:
    both = _both(facts)
    return None if both is None else relation(both[0].moment, both[1].moment)


@predicate("no_logger_armed")
def no_logger_armed(facts: Facts) -> Finding | None:
    """The agent's logger never says that it is running."""
    return Finding(missing=("logger_armed",)) if facts.logger.armed is None else None


@predicate("armed_elsewhere")
def armed_elsewhere(facts: Facts) -> Finding | None:
    """The logger was armed in another place than the input was processed in."""
    both = _both(facts)
    return _pair(facts) if both is not None and elsewhere(*both) else None


@predicate("armed_after_processing")
def armed_after_processing(facts: Facts) -> Finding | None:
    """The logger was armed after the first processing."""
    return _pair(facts) if _order(facts) == "after" else None


@predicate("no_arming_call")
def no_arming_call(facts: Facts) -> Finding | None:
    """No call of the agent is about a logger."""
    if arming_call(facts) is not None:
        return None
    return Finding(missing=("call that arms the logger",))


@predicate("arming_call_after_armed")
def arming_call_after_armed(facts: Facts) -> Finding | None:
    """The first call about a logger came when the logger was already armed."""
    call, armed = arming_call(facts), facts.logger.armed
    if call is None or armed is None or relation(call.moment, armed.moment) != "after":
        return None
    said = {"call": call.ref, "armed": armed.ref}
    return Finding((cited(armed), cited(call)), said=said)


@predicate("armed_before_processing")
def armed_before_processing(facts: Facts) -> Finding | None:
    """The logger was armed before the first processing."""
    return _pair(facts) if _order(facts) == "before" else None


@predicate("armed_order_unknown")
def armed_order_unknown(facts: Facts) -> Finding | None:
    """Nothing orders the arming and the first processing."""
    return _pair(facts) if _both(facts) is not None and _order(facts) is None else None


def _pair(facts: Facts) -> Finding | None:
    both = _both(facts)
    if both is None:
        return None
    armed, processed = both
    notes = clash(armed.ref, armed.moment, processed.ref, processed.moment)
    evidence = [cited(armed), cited(processed)]
    if facts.slots["trajectory"].standing != "withheld":
        call = arming_call(facts)
        if call is not None:
            evidence.append(cited(call))
    said = {"armed": armed.ref, "processed": processed.ref}
    return Finding(tuple(evidence), (), tuple(notes), said)
