"""The leaderboard: field names, amounts, order, cohorts."""

from fractions import Fraction
from typing import Any

import pytest
from made_rows import OTHER_KEY, Made, row
from msgspec.structs import replace

from ledger.errors import PathComponentInvalid
from ledger.projections import empty, figures, fold
from ledger.report import leaderboard, release_flags
from ledger.rules import parse_policy, shipped

POLICY = parse_policy(shipped()["status/replaybook"])
FIELDS = {
    "attempts",
    "cache_read_tokens",
    "cost_status",
    "evaluated",
    "evaluated_cost_missing",
    "evaluated_cost_reported",
    "evaluated_spend_usd",
    "excluded",
    "excluded_cost_missing",
    "excluded_cost_status",
    "excluded_spend_usd",
    "failed",
    "failure_categories",
    "figure_prefix",
    "flags",
    "input_tokens",
    "invalidated",
    "median_evaluated_duration_s",
    "output_tokens",
    "pass_rate",
    "pending",
    "price_is_lower_bound",
    "price_is_rounded",
    "price_per_durable_repair_exact",
    "price_per_durable_repair_usd",
    "price_status",
    "repairs_after_timeout",
    "subscription_usage_reported",
    "subscription_usage_usd",
    "unavailable",
    "unavailable_categories",
    "unavailable_cost_missing",
    "unavailable_cost_status",
    "unavailable_spend_usd",
    "usage_reported",
    "verified_repairs",
    "withdrawn",
}


def board_of(made: Made) -> dict[str, Any]:
    """Return the leaderboard of a whole history."""
    board: dict[str, Any] = leaderboard(figures(fold(empty(), made.events), (), POLICY), POLICY)
    return board


def test_rows() -> None:
    """Each table has its rows, named by fields, with amounts as text and words as objects."""
    made = Made()
    made.imported(
        "v",
        [
            row(1, cost="1", duration="9", effort="high"),
            row(2, cost="1", effort="high"),
            row(3, cost="0", effort="high"),
            row(4, reward=0, effort="high", category="agent_timeout"),
        ],
    )
    board = board_of(made)
    tables = {"totals", "by_model", "by_scenario_model"}
    assert set(board) == {*tables, "cohorts", "release_flags", "names_alike"}
    (system,), (task,) = board["by_model"], board["by_scenario_model"]
    assert set(board["totals"]) == FIELDS
    assert set(system) == FIELDS | {"agent", "model", "reasoning_effort"}
    assert set(task) == set(system) | {"scenario", "scenario_version"}
    assert (task["scenario"], task["scenario_version"]) == ("s", 1)
    assert (system["agent"], system["model"], system["reasoning_effort"]) == ("claux", "m", "high")
    assert (system["verified_repairs"], system["pass_rate"]) == (3, "3/4")
    assert system["failure_categories"] == {"agent_timeout": 1}
    assert system["price_per_durable_repair_usd"] == "0.666666666667"
    assert system["price_per_durable_repair_exact"] == "2/3"
    assert system["price_is_rounded"] is True
    assert system["price_status"] == "lower_bound"
    assert system["evaluated_spend_usd"] == "2"
    assert system["median_evaluated_duration_s"] == "9"


def test_amount_of_many_digits() -> None:
    """A sum beyond 40 digits is a pair among the figures, and is shown in full all the same."""
    made = Made()
    made.imported("v", [row(1, cost="0." + "1" * 39), row(2, cost="1000")])
    assert board_of(made)["totals"]["evaluated_spend_usd"] == "1000." + "1" * 39


@pytest.mark.parametrize(
    ("costs", "shown", "exact", "rounded"),
    [
        (["1", "1", "0"], "0.666666666667", "2/3", True),
        (["0.1", "0.1"], "0.1", "0.1", False),
        (["1" + "0" * 30, "1", "0"], "3" * 30 + ".666666666667", None, True),
        (["0." + "1" * 39, "1000"], "500." + "0" + "5" * 39, None, False),
        ([None, None], None, None, None),
    ],
)
def test_exact_price(
    costs: list[str | None], shown: str | None, exact: str | None, rounded: bool | None
) -> None:
    """The exact price is always one text, and whether the one that is shown was rounded is told."""
    made = Made()
    made.imported("v", [row(number, cost=cost) for number, cost in enumerate(costs)])
    totals = board_of(made)["totals"]
    assert totals["price_per_durable_repair_usd"] == shown
    assert totals["price_is_rounded"] is rounded
    text = totals["price_per_durable_repair_exact"]
    assert exact in (None, text)
    if shown is not None:
        price = sum(Fraction(cost) for cost in costs if cost) / len(costs)
        assert Fraction(text) == price
        assert (Fraction(shown) == price) is not rounded


@pytest.mark.parametrize(
    ("costs", "status"),
    [
        ([], "none"),
        ([None], "unknown"),
        (["1", None], "lower_bound"),
        (["0", None], "lower_bound"),
        (["0", "0"], "zero"),
        (["0", "1"], "complete"),
    ],
)
def test_status_of_other_costs(costs: list[str | None], status: str) -> None:
    """How much is known is told of excluded and of unavailable attempts, too."""
    made = Made()
    lost = [
        row(number, status="unavailable", reward=0, cost=cost)
        for number, cost in enumerate(costs, 1)
    ]
    out = [row(number, cost=cost) for number, cost in enumerate(costs, 11)]
    made.imported("v", [row(21), *lost, *out])
    for one in out:
        made.excluded(one.attempt)
    totals = board_of(made)["totals"]
    for spent in ("unavailable", "excluded"):
        assert totals[spent] == len(costs)
        assert totals[f"{spent}_cost_status"] == status
        assert totals[f"{spent}_cost_missing"] == costs.count(None)


@pytest.mark.parametrize(
    ("one", "status"),
    [
        (row(1, cost="1"), "exact"),
        (row(1), "unknown_cost"),
        (row(1, reward=0, cost="1"), "no_repair"),
        (row(1, reward=0), "no_repair"),
    ],
)
def test_price_status(one: Any, status: str) -> None:
    """Beside a price that is null stands why."""
    made = Made()
    made.imported("v", [one])
    totals = board_of(made)["totals"]
    assert totals["price_status"] == status
    assert (totals["price_per_durable_repair_usd"] is None) == (status != "exact")


def test_order() -> None:
    """The best pass rate stands first, compared as a fraction; nothing evaluated stands last."""
    made = Made()
    rows = [row(n, model="third", reward=n % 2) for n in range(1, 11)]
    rows += [row(n, model="second", reward=int(n < 3)) for n in range(1, 4)]
    rows += [row(1, model="none", status="unavailable", reward=0), row(1, model="first")]
    made.imported("v", rows)
    assert [one["model"] for one in board_of(made)["by_model"]] == [
        "first",
        "second",
        "third",
        "none",
    ]


def test_cohorts() -> None:
    """Cohorts stand apart, each with tables of its own, and there are no totals over them."""
    made = Made()
    made.imported("v", [row(1)])
    made.imported("w", [row(2), row(3, reward=0)], key=OTHER_KEY)
    board = board_of(made)
    assert (board["totals"], board["by_model"], board["by_scenario_model"]) == (None, [], [])
    one, two = board["cohorts"]
    assert (one["cohort"], two["cohort"]) == ("000000000000", "010101010101")
    assert (one["totals"]["pass_rate"], two["totals"]["pass_rate"]) == ("1/1", "1/2")
    assert len(two["by_scenario_model"]) == 1


def test_nothing() -> None:
    """An empty ledger has totals of nothing, and no rates."""
    totals = board_of(Made())["totals"]
    assert (totals["attempts"], totals["pass_rate"]) == (0, None)
    assert totals["price_status"] == "no_repair"


def test_flags_of_releases() -> None:
    """What is odd about a release as a whole is told by its newest report, where it counts."""
    made = Made()
    flags = [("aggregate_mismatch", 2, "/totals/reward"), ("incomplete_rectangle", 1, "")]
    for name in ("v", "w", "v"):
        source = made.source(name)
        seq = made.release(name, source)
        said = flags if seq < 4 else flags[:1]
        made.events[seq] = seq, replace(made.events[seq][1], flags=said)
        flags = flags[::-1]
    state = fold(empty(), made.events)
    first = {"flag": "aggregate_mismatch", "count": 2, "first": "/totals/reward"}
    second = {"flag": "incomplete_rectangle", "count": 1, "first": ""}
    assert release_flags(state, ["w"]) == [
        {"release": "w", **first},
        {"release": "w", **second},
    ]
    assert release_flags(state, []) == [
        {"release": "v", **first},
        {"release": "w", **first},
        {"release": "w", **second},
    ]
    listed = release_flags(state, ["v"])
    assert leaderboard({}, POLICY, release_flags=listed)["release_flags"] == listed
    assert board_of(made)["release_flags"] == []


def test_figures_of_a_stranger() -> None:
    """Figures that were not verified are shown as far as they are figures, or refused."""
    hostile: dict[str, Any] = {
        "system/*/task/*/failure_categories": [["a", 1], "b", [[], 1]],
        "system/*/task/*/pass_rate": ["1", "2"],
        "no path": 1,
    }
    totals: Any = leaderboard(hostile, POLICY)["totals"]
    assert totals["failure_categories"] == {"a": 1}
    assert totals["pass_rate"] is None
    with pytest.raises(PathComponentInvalid):
        leaderboard({"system/x/task/*/passed": 1}, POLICY)
