"""Checks of the run as a whole: its evidence is there, unchanged and of this run (AUDIT-41)."""

from collections.abc import Iterator
from itertools import chain

from ledger.runs.fields import text
from ledger.runs.layout import Role
from ledger.runs.structure import problems

from .events import Event
from .facts import Facts
from .lineage import MOST_FOLLOWED
from .predicates import check

_NEEDED: tuple[Role, ...] = ("test_mod", "agent_logger", "answer")


@check("structure")
def structure(facts: Facts) -> Iterator[str]:
    """Whatever ``coldledger run validate`` names; a log with a normalized view may be any text."""
    view = facts.slots["normalized"].standing != "undeclared"
    raw = facts.slots["agent_logger"].file
    for problem in problems(facts.contents):
        in_raw = view and raw is not None and problem.file == raw.path and problem.line is not None
        if not in_raw:
            yield problem.message
    derivations = facts.slots["derivations"]
    if derivations.standing == "good" and derivations.file is not None and facts.lineage.cut:
        yield f"{derivations.file.path}: more than {MOST_FOLLOWED} derivations, too many to follow"


@check("evidence_declared")
def evidence_declared(facts: Facts) -> Iterator[str]:
    """The test mod's events, the agent's logger and the answer are declared."""
    for role in _NEEDED:
        if facts.slots[role].standing == "undeclared":
            yield f"evidence.json declares no {role}"


@check("normalized_view")
def normalized_view(facts: Facts) -> Iterator[str]:
    """Every record of a normalized view names the raw log that it was made from."""
    slots = facts.slots
    if slots["normalized"].standing == "undeclared":
        return
    wanted = slots["agent_logger"].sha256
    for ref, said in facts.logger.sources:
        got = "no source_sha256" if said is None else f"source_sha256 {said[:64]}"
        raw = "none" if wanted is None else wanted.hex()
        yield f"normalized view, {ref}: {got}, the raw log has {raw}"


@check("events_of_this_run")
def events_of_this_run(facts: Facts) -> Iterator[str]:
    """No event names another run."""
    for ref in chain(facts.test.foreign, facts.logger.foreign):
        yield f"{ref} is of another run than {facts.run_id}"


@check("one_instance")
def one_instance(facts: Facts) -> Iterator[str]:
    """The test events that must agree happened in one instance and one dimension."""
    places = facts.test.places
    for what, known in (("instances", places.instances), ("dimensions", places.dimensions)):
        if len(known) > 1:
            named = ", ".join(f"{place} ({ref})" for place, ref in known.items())
            yield f"test events are of several {what}: {named}"


@check("logger_of_the_instance")
def logger_of_the_instance(facts: Facts) -> Iterator[str]:
    """The agent's logger was where the test events happened."""
    test, logger = facts.test.places, facts.logger.places
    yield from _outside("instance", logger.instances, test.instances)
    yield from _outside("dimension", logger.dimensions, test.dimensions)


@check("oracle_covers_outputs")
def oracle_covers_outputs(facts: Facts) -> Iterator[str]:
    """A verified oracle has every cart that came out."""
    oracle = facts.oracle
    if oracle is None or oracle.status != "verified":
        return
    missed: dict[str, Event] = {}
    for event in facts.test.ejected:
        if event.uuid is not None and event.uuid not in oracle.listed.carts:
            missed.setdefault(event.uuid, event)
    for uuid, event in missed.items():
        yield f"the oracle omits ejected cart {uuid} ({event.ref})"


@check("oracle_names_carts_once")
def oracle_names_carts_once(facts: Facts) -> Iterator[str]:
    """No cart stands twice in the oracle."""
    oracle = facts.oracle
    if oracle is not None and oracle.listed.twice is not None:
        yield f"the oracle names cart {oracle.listed.twice} twice"


@check("fixture_faithful")
def fixture_faithful(facts: Facts) -> Iterator[str]:
    """The fixture does not say that it is invalid."""
    said = facts.document("fixture")
    if said is None:
        return
    if said.get("ready") is False:
        yield "the fixture says that it is not ready"
    state = _state(said)
    if state in facts.rules.words.bad_fixture:
        yield f"the fixture says {state}"


@check("restore_faithful")
def restore_faithful(facts: Facts) -> Iterator[str]:
    """The restore says nothing, or that it was faithful."""
    said = facts.document("restore")
    state = "" if said is None else _state(said)
    if state and state not in facts.rules.words.good_restore:
        yield f"the restore says {state[:64]}"


@check("fixture_declared")
def fixture_declared(facts: Facts) -> Iterator[str]:
    """The fixture's evidence is declared."""
    if facts.slots["fixture"].standing == "undeclared":
        yield "evidence.json declares no fixture"


@check("restore_declared")
def restore_declared(facts: Facts) -> Iterator[str]:
    """The restore's evidence is declared."""
    if facts.slots["restore"].standing == "undeclared":
        yield "evidence.json declares no restore"


def _outside(what: str, mine: dict[str, str], theirs: dict[str, str]) -> Iterator[str]:
    if theirs:
        for place, ref in mine.items():
            if place not in theirs:
                yield f"{ref} is of {what} {place}, the test events are of {', '.join(theirs)}"


def _state(said: object) -> str:
    """Return what a document says of its own state, in lower case."""
    known = said if isinstance(said, dict) else {}
    for name in ("status", "result"):
        state = known.get(name)
        if text(state) is not None:
            return str(state).strip().lower()
        if state is not None and not isinstance(state, str):
            return str(state).lower()
    return ""
