"""Laws of decisions on tasks and sources, checked on random histories."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from made_histories import SCENARIOS, groups_of, histories, some_rows, state_of
from made_rows import KEY, OTHER_KEY, Made
from msgspec.structs import replace

from ledger.events import AttemptReported
from ledger.projections import figures
from ledger.projections.sources import rank, reinstatable, superseded_by
from ledger.report import attempts as listing
from ledger.rules import parse_policy, shipped

POLICY = parse_policy(shipped()["status/replaybook"])
EVERYTHING = "system/*/task/*"


def task_of(prefix: str) -> str:
    """Return the component of a prefix that names its task."""
    return prefix.rpartition("/")[2]


@given(histories((KEY, OTHER_KEY)), st.sampled_from(SCENARIOS), st.data())
def test_an_invalidation_commutes_with_whatever_follows(
    made: Made, scenario: str, data: st.DataObject
) -> None:
    """Before a row or after it: the figures are the same (FIG-50)."""
    place = data.draw(st.integers(0, made.size))
    early, late = Made(), Made()
    # Events name others by number, so the ones that move are made up by a gap of one event.
    filler = Made()
    filler.frozen("some/policy", bytes(32))
    decision = Made()
    decision.invalidated(scenario)
    for one, (first, last) in ((early, (decision, filler)), (late, (filler, decision))):
        events = [event for _, event in made.events]
        one.events = [(seq, event) for seq, event in made.events[:place]]
        one.add(first.events[0][1])
        shifted = [_shifted(event, place) for event in events[place:]]
        for event in (*shifted, last.events[0][1]):
            one.add(event)
    assert figures(state_of(early), (), POLICY) == figures(state_of(late), (), POLICY)


def _shifted(event: Any, place: int) -> Any:
    """Return an event whose numbers of others at or after *place* are one more."""
    changed = {}
    for name in ("source", "supersedes", "reinstates"):
        number = getattr(event, name, None)
        if number is not None and number >= place:
            changed[name] = number + 1
    return replace(event, **changed) if changed else event


@given(histories((KEY, OTHER_KEY)), st.sampled_from(SCENARIOS))
def test_an_invalidation_touches_its_task_alone(made: Made, scenario: str) -> None:
    """Groups of other tasks are as before; at its own nothing is valid, and all is kept."""
    before = groups_of(figures(state_of(made), (), POLICY))
    made.invalidated(scenario)
    after = groups_of(figures(state_of(made), (), POLICY))
    assert before.keys() == after.keys()
    name = {"s": "s@1", "t@*": "t%2540%2A@1"}[scenario]
    for prefix, group in after.items():
        assert group["attempts"] == before[prefix]["attempts"]
        if task_of(prefix) == name:
            assert group["invalidated"] == group["excluded"] == group["attempts"]
            assert group["pass_rate"] is None
        elif task_of(prefix) != "*":
            assert group == before[prefix]


@given(histories((KEY, OTHER_KEY)), st.data())
def test_a_withdrawal_erases_nothing(made: Made, data: st.DataObject) -> None:
    """Every attempt stays listed, with its cost; what no row of the source reports is as before."""
    state = state_of(made)
    if not state.sources:
        return
    source = data.draw(st.sampled_from(sorted(state.sources)))
    its = {
        state.rows.attempt[row]
        for row in range(len(state.rows))
        if state.places.values[state.rows.link(row)[0]].source == source
    }
    before = {str(row["attempt"]): row for row in listing(state, (), POLICY)}
    made.withdrawn(source)
    after = {str(row["attempt"]): row for row in listing(state_of(made), (), POLICY)}
    assert after.keys() == before.keys()
    for attempt, row in after.items():
        if attempt not in its:
            assert row["state"] == before[attempt]["state"]
            assert row["cost"] == before[attempt]["cost"]


@given(some_rows, some_rows)
def test_a_reinstated_source_counts_as_if_nothing_had_replaced_it(
    one: list[AttemptReported], two: list[AttemptReported]
) -> None:
    """What was replaced by mistake, withdrawn and reinstated has the figures of before (FIG-52)."""
    made = Made()
    first = made.imported("v", one)
    before = figures(state_of(made), ["v"], POLICY)
    second = made.imported("v", two, supersedes=first)
    assert reinstatable(state_of(made), second) == first
    made.withdrawn(second, first)
    state = state_of(made)
    assert (rank(state, first), superseded_by(state, first, made.size)) == (0, None)
    assert superseded_by(state, first, made.size - 1) == second
    after = figures(state, ["v"], POLICY)
    known = {row.attempt for row in one}
    if {row.attempt for row in two} <= known:
        names = ("attempts", "excluded", "passed", "failed", "evaluated_spend_usd")
        for prefix, group in groups_of(before).items():
            assert [groups_of(after)[prefix][name] for name in names] == [
                group[name] for name in names
            ]
    total = groups_of(after)[EVERYTHING]
    assert total["withdrawn"] == len({row.attempt for row in two} - known)


def test_what_can_be_reinstated() -> None:
    """The newest that is not withdrawn; nothing beside a newer one (EVENT-57)."""
    made = Made()
    one = made.imported("v", [])
    two = made.imported("v", [], supersedes=one)
    three = made.imported("v", [], supersedes=two)
    state = state_of(made)
    assert [reinstatable(state, source) for source in (one, two, three)] == [None, None, two]
    made.withdrawn(two)
    made.withdrawn(three)
    state = state_of(made)
    assert reinstatable(state, three) == one
    assert reinstatable(state, one + 1) is None
    made.withdrawn(three, one)
    four = made.imported("v", [], supersedes=three)
    state = state_of(made)
    assert state.superseded == {one: four, two: three, three: four}
    assert reinstatable(state, four) == one
