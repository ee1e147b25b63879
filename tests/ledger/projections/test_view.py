"""A selection and its questions: near names, causes across selections, policies as freezes."""

import pytest
from made_rows import OTHER_KEY, Made, placed, row
from msgspec.structs import replace

from ledger.errors import FigureUnknown, ReleaseUnknown
from ledger.projections import Attempts, Comparison, Reason, View, causes, empty, fold
from ledger.rules import parse_policy, shipped

POLICY = parse_policy(shipped()["status/replaybook"])
TOTAL = "system/*/task/*/"


@pytest.fixture
def made() -> Made:
    """Return two releases of one key."""
    history = Made()
    history.imported("v", [row(1, cost="1"), row(2, model="other", cost="2")])
    history.imported("w", [row(3, cost="4")])
    return history


def state_of(made: Made, size: int | None = None) -> Attempts:
    """Return the state after the first *size* events."""
    return fold(empty(), made.events[:size])


@pytest.mark.parametrize(
    ("path", "near"),
    [
        (TOTAL + "pased", TOTAL + "passed"),
        ("system/claux+othr/task/*/passed", "system/claux+other/task/*/passed"),
        ("system/claux+m/task/s@2/passed", "system/claux+m/task/s@1/passed"),
        ("nonsense", "system/*/task/*/passed"),
    ],
)
def test_near_figures(made: Made, path: str, near: str) -> None:
    """A figure that does not exist is refused with those it may have been meant for."""
    view = View(state_of(made), (), POLICY)
    with pytest.raises(FigureUnknown) as caught:
        view.figure(path)
    assert near in caught.value.expected
    assert view.lookup(path) is None
    assert view.contributions(path) == {}


def test_near_figures_of_cohorts(made: Made) -> None:
    """Where there are cohorts, the total is proposed for each."""
    made.imported("x", [row(4)], key=OTHER_KEY)
    view = View(state_of(made), (), POLICY)
    assert view.cohorts == ["000000000000", "010101010101"]
    with pytest.raises(FigureUnknown) as caught:
        view.figure(TOTAL + "passed")
    assert f"cohort/010101010101/{TOTAL}passed" in caught.value.expected


def test_near_releases(made: Made) -> None:
    """A release that nothing reports is refused with those that it may have been meant for."""
    made.imported("20260820.0.0", [])
    with pytest.raises(ReleaseUnknown) as caught:
        View(state_of(made), ["20260820.0.1"], POLICY)
    assert caught.value.expected == "20260820.0.0"
    with pytest.raises(ReleaseUnknown) as caught:
        View(empty(), ["20260820.0.1"], POLICY)
    assert caught.value.expected == "one that was imported"


def test_causes_of_another_selection(made: Made) -> None:
    """Where only the selection changed, no event is the cause; what came later still is."""
    state = state_of(made)
    assert causes(state, state, ["v"], ["w"], POLICY, POLICY, TOTAL + "passed", made.size) == []
    seq = made.excluded(row(3).attempt)
    after = state_of(made)
    assert causes(state, after, ["v"], ["w"], POLICY, POLICY, TOTAL + "excluded", seq) == [seq]


def test_causes_of_selecting_another_cohort(made: Made) -> None:
    """Tables that split because more was selected have no event to tell it by."""
    made.imported("x", [row(4)], key=OTHER_KEY)
    state = state_of(made)
    path = f"cohort/010101010101/{TOTAL}passed"
    assert causes(state, state, ["v"], ["v", "x"], POLICY, POLICY, path, made.size) == []
    assert causes(state, state, ["v"], ["v", "x"], POLICY, POLICY, "nonsense", made.size) == []


def test_figures_can_be_changed_by_their_reader(made: Made) -> None:
    """A view gives a copy of its figures, so a reader cannot change them for the next."""
    view = View(state_of(made), (), POLICY)
    view.figures().clear()
    assert view.figures()[TOTAL + "passed"] == 3


def test_large_selection_is_stable(made: Made) -> None:
    """Two views of one state give the same figures in the same order."""
    state = state_of(made)
    one, two = View(state, (), POLICY).figures(), View(state, ["w", "v"], POLICY).figures()
    assert list(one.items()) == list(two.items())


def test_causes_of_an_attempt_that_moved(made: Made) -> None:
    """An attempt that a later source gives to another system leaves the total as it was."""
    size = made.size
    source = made.source("w")
    made.release("w", source)
    moved = replace(placed(row(1, model="moved", cost="1"), "w", source, 0), attempt=row(1).attempt)
    seq = made.add(moved)
    old, new = View(state_of(made, size), (), POLICY), View(state_of(made), (), POLICY)
    comparison = Comparison(old, new, size)
    assert comparison.causes("system/claux+m/task/*/attempts") == [seq]
    assert comparison.causes("system/claux+moved/task/s@1/passed") == [seq]
    assert comparison.causes(TOTAL + "attempts") == comparison.causes(TOTAL + "passed") == []
    made.excluded(moved.attempt)
    comparison = Comparison(old, View(state_of(made), (), POLICY), size)
    assert comparison.causes(TOTAL + "passed") == [seq, seq + 1]
    assert [one.why for one in comparison.told()] == [
        f"{moved.attempt}: row 0 of w",
        f"excluded {moved.attempt}: infrastructure",
    ]


def test_causes_name_the_choice_of_releases(made: Made) -> None:
    """Where nothing else changed a figure, the freeze that selected other releases did."""
    state = state_of(made)
    for freeze, expected in ((made.size, [made.size]), (None, [])):
        comparison = Comparison(
            View(state, ["v"], POLICY), View(state, [], POLICY), made.size, freeze
        )
        assert comparison.causes(TOTAL + "attempts") == expected
        assert comparison.causes(TOTAL + "excluded") == []
    comparison = Comparison(View(state, ["v"], POLICY), View(state, [], POLICY), made.size, 7)
    comparison.causes(TOTAL + "attempts")
    assert comparison.told() == [
        Reason(7, "edition.frozen/1", "freezes an edition of every release; before, v")
    ]
