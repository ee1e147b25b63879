"""The leaderboard: field names, amounts, order, cohorts."""

from typing import Any

import pytest
from made_rows import OTHER_KEY, Made, row

from ledger.errors import PathComponentInvalid
from ledger.projections import empty, figures, fold
from ledger.report import leaderboard
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
    "excluded_spend_usd",
    "failed",
    "failure_categories",
    "flags",
    "input_tokens",
    "median_evaluated_duration_s",
    "output_tokens",
    "pass_rate",
    "pending",
    "price_is_lower_bound",
    "price_per_durable_repair_exact",
    "price_per_durable_repair_usd",
    "price_status",
    "repairs_after_timeout",
    "subscription_usage_reported",
    "subscription_usage_usd",
    "unavailable",
    "unavailable_categories",
    "unavailable_spend_usd",
    "usage_reported",
    "verified_repairs",
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
    assert set(board) == {"totals", "by_model", "by_scenario_model"}
    (system,), (task,) = board["by_model"], board["by_scenario_model"]
    assert set(board["totals"]) == FIELDS
    assert set(system) == FIELDS | {"agent", "model", "reasoning_effort"}
    assert set(task) == set(system) | {"scenario", "scenario_version"}
    assert (task["scenario"], task["scenario_version"]) == ("s", 1)
    assert (system["agent"], system["model"], system["reasoning_effort"]) == ("claux", "m", "high")
    assert (system["verified_repairs"], system["pass_rate"]) == (3, "3/4")
    assert system["failure_categories"] == {"agent_timeout": 1}
    assert system["price_per_durable_repair_usd"] == "0.666666666667"
    assert system["price_per_durable_repair_exact"] == [2, 3]
    assert system["price_status"] == "lower_bound"
    assert system["evaluated_spend_usd"] == "2"
    assert system["median_evaluated_duration_s"] == "9"


def test_amount_of_many_digits() -> None:
    """A sum beyond 40 digits is a pair among the figures, and is shown in full all the same."""
    made = Made()
    made.imported("v", [row(1, cost="0." + "1" * 39), row(2, cost="1000")])
    assert board_of(made)["totals"]["evaluated_spend_usd"] == "1000." + "1" * 39


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
