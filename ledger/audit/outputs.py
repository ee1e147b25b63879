"""Predicates of the flag ``transient_outputs_captured``: each cart seen in its short life."""

from collections.abc import Iterator

from .events import Cart, Event
from .facts import Facts
from .operation import cited, clash, differ
from .order import relation
from .predicates import Finding, predicate


@predicate("no_cart_ejected")
def no_cart_ejected(facts: Facts) -> Finding | None:
    """Nothing came out; a check over nothing proves nothing."""
    return None if facts.test.ejected else Finding(missing=("cart_ejected",))


@predicate("no_cart_observed")
def no_cart_observed(facts: Facts) -> Finding | None:
    """The agent's logger saw no cart."""
    if facts.logger.captures:
        return None
    said = {} if facts.slots["test_mod"].standing == "withheld" else {
        "ejected": len(facts.test.ejected)
    }  # fmt: skip
    return Finding(missing=("cart_observed",), said=said)


@predicate("ejection_without_uuid")
def ejection_without_uuid(facts: Facts) -> Finding | None:
    """An ejection does not say which cart it is."""
    event = next((one for one in facts.test.ejected if one.uuid is None), None)
    return None if event is None else Finding((cited(event),), ("uuid",), said={"ref": event.ref})


@predicate("ejection_uncaptured")
def ejection_uncaptured(facts: Facts) -> Finding | None:
    """A cart was ejected and never captured."""
    missed = {
        event.uuid: event
        for event in facts.test.ejected
        if event.uuid is not None and event.uuid not in facts.logger.carts
    }
    if not missed:
        return None
    missing = tuple(f"cart_observed of {uuid}" for uuid in missed)
    return Finding(
        tuple(map(cited, missed.values())), missing, said={"uuid": next(iter(missed)) or ""}
    )


@predicate("captured_elsewhere")
def captured_elsewhere(facts: Facts) -> Finding | None:
    """A cart was captured in another place than it was ejected or removed in."""
    for event, cart, removed in _captured(facts):
        for instance, dimension in cart.places:
            for one in filter(None, (event, removed)):
                if differ(instance, one.instance) or differ(dimension, one.dimension):
                    said = {"uuid": event.uuid or ""}
                    return Finding((cited(one), cited(cart.first)), said=said)
    return None


@predicate("captured_before_ejection")
def captured_before_ejection(facts: Facts) -> Finding | None:
    """The first capture of a cart is of before it came out."""
    for event, cart, _ in _captured(facts):
        if relation(cart.first.moment, event.moment) == "before":
            said = {"uuid": event.uuid or "", "ref": cart.first.ref}
            return Finding((cited(event), cited(cart.first)), said=said)
    return None


@predicate("captured_after_removal")
def captured_after_removal(facts: Facts) -> Finding | None:
    """The first capture of a cart is of after it was removed."""
    for event, cart, removed in _captured(facts):
        if removed is not None and relation(cart.first.moment, removed.moment) == "after":
            said = {"uuid": event.uuid or "", "ref": cart.first.ref}
            return Finding((cited(removed), cited(cart.first)), said=said)
    return None


@predicate("every_ejection_captured")
def every_ejection_captured(facts: Facts) -> Finding | None:
    """Every cart that was ejected was captured."""
    evidence, notes, captures = [], [], 0
    for event, cart, removed in _captured(facts):
        evidence += [cited(event), cited(cart.first)]
        captures += 1
        for other in filter(None, (event, removed)):
            notes += clash(cart.first.ref, cart.first.moment, other.ref, other.moment)
    if captures < len(facts.test.ejected) or not captures:
        return None
    notes.append("what each cart held is compared with the oracle in answer_correct, not here")
    said = {"captures": captures, "ejected": len(facts.test.ejected)}
    return Finding(tuple(evidence), (), tuple(notes), said)


@predicate("capture_window_open")
def capture_window_open(facts: Facts) -> Finding | None:
    """Nothing shows that a capture lies between ejection and removal."""
    open_ = [
        f"no removal closes the window of cart {event.uuid}"
        if removed is None
        else f"no clock places the capture of cart {event.uuid} in its window"
        for event, cart, removed in _captured(facts)
        if removed is None
        or relation(cart.first.moment, event.moment) is None
        or relation(cart.first.moment, removed.moment) is None
    ]
    return Finding(notes=tuple(open_)) if open_ else None


@predicate("capture_without_items")
def capture_without_items(facts: Facts) -> Finding | None:
    """A capture of an ejected cart has no list of items."""
    bare = {cart.bare: None for _, cart, _ in _captured(facts) if cart.bare is not None}
    return Finding(notes=tuple(f"{ref} has no list of items" for ref in bare)) if bare else None


def _captured(facts: Facts) -> Iterator[tuple[Event, Cart, Event | None]]:
    """Yield every ejection whose cart was captured, what was seen of it, and its last removal."""
    for event in facts.test.ejected:
        cart = facts.logger.carts.get(event.uuid or "")
        if event.uuid is not None and cart is not None:
            yield event, cart, facts.test.removed.get(event.uuid)
