"""The state of all attempts: what is kept of each event, and what a decision may not do."""

import gc
import sys
import tracemalloc
from typing import get_args

import pytest
from made_rows import Made, row
from msgspec.structs import replace

from ledger.errors import AttemptUnknown, CorrectionInvalid
from ledger.events import DECISIONS, OBSERVATIONS, Decision, Observation
from ledger.projections import empty, fold, step
from ledger.projections.columns import NONE


def test_first_report_and_newest_row() -> None:
    """Decisions name the first row of an attempt; figures go by the newest."""
    made = Made()
    made.imported("v", [row(1, reward=0)])
    made.imported("w", [row(2), row(1, reward=1)])
    state = fold(empty(), made.events)
    attempt = row(1).attempt
    assert state.first_report(attempt) == 2
    assert [state.rows.read(one).seq for one in state.rows_of(attempt)] == [6, 2]
    assert state.first_report("att-none") is None
    assert list(state.rows_of("att-none")) == []


def test_value_of() -> None:
    """A field is what the newest row says, until a correction says otherwise."""
    made = Made()
    made.imported("v", [row(1, reward=0, category="a")])
    attempt = row(1).attempt
    made.corrected(attempt, failure_category="b", reward=1)
    made.corrected(attempt, failure_category=None)
    state = fold(empty(), made.events)
    assert state.value_of(attempt, "status") == "evaluated"
    assert state.value_of(attempt, "reward") == 1
    assert state.value_of(attempt, "failure_category") is None
    earlier = fold(empty(), made.events[:3])
    assert earlier.value_of(attempt, "failure_category") == "a"
    with pytest.raises(AttemptUnknown):
        state.value_of("att-none", "reward")
    with pytest.raises(CorrectionInvalid) as caught:
        state.value_of(attempt, "cost_usd")
    assert caught.value.got == "'cost_usd'"


def test_refused_decision_changes_nothing() -> None:
    """A decision that is refused leaves the state as it was, and names its event."""
    made = Made()
    made.imported("v", [row(1)])
    state = fold(empty(), made.events)
    size = made.corrected(row(1).attempt, reward=0, status=None)
    with pytest.raises(CorrectionInvalid) as caught:
        step(state, size, made.events[size][1])
    assert (caught.value.seq, caught.value.got) == (size, "None")
    assert state == fold(empty(), made.events[:size])
    seq = made.excluded("att-none")
    with pytest.raises(AttemptUnknown) as unknown:
        step(state, seq, made.events[seq][1])
    assert unknown.value.seq == seq


def test_every_type_is_known() -> None:
    """The wire types are those of the union that ``step`` is checked against."""
    assert {*OBSERVATIONS.values(), *DECISIONS.values()} == {
        *get_args(Observation),
        *get_args(Decision),
    }


def test_numbers_are_kept_whole() -> None:
    """The largest counts of the wire fit, and what is not reported stays apart from 0."""
    largest = 2**63 - 1
    made = Made()
    made.imported("v", [row(1, tokens=largest), row(2, tokens=0), row(3), row(4, usage=False)])
    rows = fold(empty(), made.events).rows
    assert [rows.read(one).input_tokens for one in range(4)] == [largest, 0, NONE, NONE]
    assert rows.link(0) == (rows.read(0).place, NONE)


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="counts CPython's bytes")
def test_memory_of_an_attempt() -> None:
    """An attempt costs less than 400 bytes."""
    count = 5_000
    made = Made()
    source = made.imported("v", [])
    template = replace(row(1, cost="0.020543522999999998", tokens=10**6), source=source)
    state = fold(empty(), made.events)
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for number in range(count):
        usage = template.usage
        assert usage is not None
        cost = f"0.0205435229{number:08d}1"
        event = replace(
            template,
            attempt=f"att-{number:032x}",
            index=number,
            usage=replace(usage, cost_usd=cost),
        )
        state = step(state, number + 2, event)
    gc.collect()
    each = (tracemalloc.get_traced_memory()[0] - before) / count
    tracemalloc.stop()
    assert each < 400
