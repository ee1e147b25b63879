"""Whoever reads an explanation can compute the figure by hand (FIG-43)."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from statistics import median
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_histories import groups_of, histories, state_of
from made_rows import Made, row

from canon.quantity import quotient
from ledger.projections import View, empty, fold
from ledger.report import Wording, explanation
from ledger.rules import parse_policy, shipped

POLICY = parse_policy(shipped()["status/replaybook"])
TOTAL = "system/*/task/*/"

Added = list[dict[str, Any]]


def parts(added: Added, measure: str) -> list[Fraction]:
    """Return what each attempt adds to a measure of amounts."""
    return [Fraction(one[measure]) for one in added if measure in one]


def total(added: Added, measure: str) -> Any:
    """Return a sum, null of nothing."""
    values = parts(added, measure)
    return quotient(sum(values, Fraction(0))) if values else None


def count(added: Added, measure: str) -> int:
    """Return a count."""
    return sum(one.get(measure, 0) for one in added)


def words(added: Added, measure: str) -> list[list[Any]]:
    """Return how often each word stands, ascending."""
    counts = Counter(word for one in added for word in one.get(measure, ()))
    return [[word, number] for word, number in sorted(counts.items())]


def price(added: Added) -> Any:
    """Return the sum of the costs divided by the repairs."""
    values, repairs = parts(added, "evaluated_cost_usd"), count(added, "passed")
    return quotient(sum(values, Fraction(0)) / repairs) if values and repairs else None


def bound(added: Added) -> bool | None:
    """Return whether a cost is missing from the price."""
    return None if price(added) is None else count(added, "evaluated_cost_missing") > 0


def status(added: Added) -> str:
    """Return how much of the evaluated cost is known."""
    known = parts(added, "evaluated_cost_usd")
    if not known:
        return "unknown"
    if count(added, "evaluated_cost_missing"):
        return "lower_bound"
    return "complete" if sum(known) else "zero"


def rate(added: Added) -> list[int] | None:
    """Return repairs and evaluated attempts."""
    evaluated = count(added, "evaluated")
    return [count(added, "passed"), evaluated] if evaluated else None


def middle(added: Added) -> Any:
    """Return the median of the durations."""
    values = parts(added, "evaluated_duration_s")
    return quotient(Fraction(median(values))) if values else None


def tokens(added: Added, measure: str) -> int | str | None:
    """Return a sum of tokens, null across releases, text where no integer holds it."""
    releases = {word for one in added for word in one.get("releases", ())}
    values = parts(added, measure)
    if not values or len(releases) != 1:
        return None
    return int(sum(values)) if sum(values) < 2**63 else str(sum(values))


def flags(added: Added) -> list[str]:
    """Return the flags of the attempts and of the group."""
    attempts, evaluated = count(added, "attempts"), count(added, "evaluated")
    known = parts(added, "evaluated_cost_usd")
    group = {
        "fewer_than_3_attempts": attempts < 3,
        "fewer_than_3_evaluated": evaluated < 3 <= attempts,
        "nothing_evaluated": not evaluated,
        "cost_unknown": bool(evaluated) and not known,
        "cost_lower_bound": bool(known) and count(added, "evaluated_cost_missing") > 0,
        "spend_on_unavailable": sum(parts(added, "unavailable_cost_usd")) > 0,
    }
    found = {word for one in added for word in one.get("flags", ())}
    return sorted(found | {flag for flag, holds in group.items() if holds})


BY_HAND: dict[str, Callable[[Added], Any]] = {
    "pass_rate": rate,
    "failure_categories": lambda added: words(added, "failure_categories"),
    "unavailable_categories": lambda added: words(added, "unavailable_categories"),
    "evaluated_spend_usd": lambda added: total(added, "evaluated_cost_usd"),
    "unavailable_spend_usd": lambda added: total(added, "unavailable_cost_usd"),
    "excluded_spend_usd": lambda added: total(added, "excluded_cost_usd"),
    "subscription_usage_usd": lambda added: total(added, "subscription_usage_usd"),
    "cost_status": status,
    "price_per_durable_repair_usd": price,
    "price_is_lower_bound": bound,
    "median_evaluated_duration_s": middle,
    "input_tokens": lambda added: tokens(added, "input_tokens"),
    "output_tokens": lambda added: tokens(added, "output_tokens"),
    "cache_read_tokens": lambda added: tokens(added, "cache_read_tokens"),
    "flags": flags,
}
"""Formula of each figure that is no plain count."""


@given(histories(), st.data())
def test_by_hand(made: Made, data: st.DataObject) -> None:
    """Every figure follows from the contributions in its explanation, and from nothing else."""
    view = View(state_of(made), (), POLICY)
    prefix, group = data.draw(st.sampled_from(sorted(groups_of(view.figures()).items())))
    assert group.keys() >= BY_HAND.keys()
    for name, value in group.items():
        document: Any = explanation(view, f"{prefix}/{name}")
        added = [one["contribution"] for one in document["events"] if one["contribution"]]
        formula = BY_HAND.get(name)
        assert (formula(added) if formula else count(added, name)) == value


@given(histories())
def test_null_is_none_or_unknown(made: Made) -> None:
    """A value is null exactly where nothing is known of it; then it is told why."""
    values = View(state_of(made), (), POLICY).figures()
    wording = Wording(values, POLICY)
    for path, value in values.items():
        worded = wording.worded(path)
        assert (value is None) == (worded.state in ("none", "unknown"))
        if value is None:
            assert (worded.plain, worded.exact, worded.shown) == (None, None, worded.state)


def test_what_stands_in_an_explanation() -> None:
    """The price as it is shown, exactly, in its parts; and what became of each attempt."""
    made = Made()
    made.imported(
        "v",
        [
            row(1, cost="1"),
            row(2, cost="1"),
            row(3),
            row(4, reward=0, cost="0.5", category="a"),
            row(5, cost="9"),
            row(6, reward=0, status="unavailable", cost="3"),
        ],
    )
    exclusion = made.excluded(row(5).attempt)
    view = View(fold(empty(), made.events), (), POLICY)
    document: Any = explanation(view, TOTAL + "price_per_durable_repair_usd")
    events = {one["seq"]: one for one in document.pop("events")}
    assert document == {
        "figure": TOTAL + "price_per_durable_repair_usd",
        "value": ["5", "6"],
        "shown": "≥ 0.833333333333",
        "state": "lower_bound",
        "exact": "5/6",
        "unit": "US dollars",
        "withheld_because": None,
        "totals": {"passed": 3, "evaluated_cost_usd": "2.5", "evaluated_cost_missing": 1},
    }
    assert list(events) == [0, 1, 2, 3, 4, 5, 6, exclusion]
    attempts = {number: row(number).attempt for number in range(1, 7)}
    assert events[2]["why"] == f"{attempts[1]}: row 0 of v, repaired; adds 1 repair, 1 USD"
    assert (
        events[4]["why"] == f"{attempts[3]}: row 2 of v, repaired; adds 1 repair, 1 without a cost"
    )
    assert events[5]["why"] == f"{attempts[4]}: row 3 of v, failed; adds 0.5 USD"
    assert events[6]["why"] == f"{attempts[5]}: row 4 of v, excluded (repaired); adds nothing"
    assert events[6]["contribution"] == {}
    assert events[exclusion]["why"] == f"excluded {attempts[5]}: infrastructure"
    assert events[exclusion]["contribution"] is None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("unavailable_spend_usd", "3 USD"),
        ("input_tokens", "7 input tokens"),
        ("subscription_usage_usd", "0.25 USD of subscription"),
        ("median_evaluated_duration_s", "91 s"),
        ("failure_categories", "category <null>"),
        ("flags", "1 attempt, 1 evaluated, 1 without a cost, flags failed_without_category"),
        ("repairs_after_timeout", "1 repair after the agent's time"),
    ],
)
def test_what_is_added_in_words(name: str, words: str) -> None:
    """Each kind of measure is told in a few words, with its unit."""
    made = Made()
    made.imported(
        "v",
        [
            row(1, reward=0, duration="91", subscription="0.25", tokens=7, late=True),
            row(2, reward=0, status="unavailable", cost="3", category="x"),
        ],
    )
    view = View(fold(empty(), made.events), (), POLICY)
    events: Any = explanation(view, TOTAL + name)["events"]
    assert any(one["why"].endswith(f"; adds {words}") for one in events)
