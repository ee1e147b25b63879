"""Laws that hold for every history, checked on random ones."""

import decimal
from decimal import Decimal
from fractions import Fraction
from typing import Any
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st
from made_histories import groups_of, histories, one_more, some_rows, state_of
from made_rows import KEY, OTHER_KEY, Made
from msgspec.structs import replace

from canon import decode, encode
from canon.quantity import fraction_of
from ledger.events import AttemptReported
from ledger.projections import (
    Comparison,
    View,
    contributions,
    empty,
    explain,
    figures,
    fold,
)
from ledger.projections.reasons import decisions, reports
from ledger.report import attempts as listing
from ledger.report import diff
from ledger.rules import parse_policy, shipped

POLICY = parse_policy(shipped()["status/replaybook"])
TOTAL = "system/*/task/*/"
COUNTS = (
    "attempts",
    "excluded",
    "invalidated",
    "withdrawn",
    "pending",
    "evaluated",
    "unavailable",
    "passed",
    "failed",
    "repairs_after_timeout",
    "evaluated_cost_reported",
    "evaluated_cost_missing",
    "unavailable_cost_missing",
    "excluded_cost_missing",
    "subscription_usage_reported",
    "usage_reported",
)
SPENDS = (
    "evaluated_spend_usd",
    "unavailable_spend_usd",
    "excluded_spend_usd",
    "subscription_usage_usd",
)


def amount(value: Any) -> Fraction:
    """Return an amount, 0 where there is none."""
    return Fraction(0) if value is None else fraction_of(value)


@given(histories((KEY, OTHER_KEY)), st.data())
def test_fold_law(made: Made, data: st.DataObject) -> None:
    """Folding a + b equals folding a, then b."""
    cut = data.draw(st.integers(0, made.size))
    assert fold(fold(empty(), made.events[:cut]), made.events[cut:]) == state_of(made)


@given(histories((KEY, OTHER_KEY)))
def test_counts_add_up(made: Made) -> None:
    """Attempts = valid + excluded + pending; valid = evaluated + unavailable; and so on."""
    for group in groups_of(figures(state_of(made), (), POLICY)).values():
        valid = group["evaluated"] + group["unavailable"]
        assert group["attempts"] == valid + group["excluded"] + group["pending"]
        assert max(group["invalidated"], group["withdrawn"]) <= group["excluded"]
        assert group["evaluated"] == group["passed"] + group["failed"]
        assert group["evaluated"] == (
            group["evaluated_cost_reported"] + group["evaluated_cost_missing"]
        )
        for spent in ("evaluated", "unavailable", "excluded"):
            missing = group[f"{spent}_cost_missing"]
            assert 0 <= missing <= group[spent]
            assert (group[f"{spent}_spend_usd"] is None) == (missing == group[spent])
        assert group["failed"] == sum(number for _, number in group["failure_categories"])
        assert group["unavailable"] == sum(number for _, number in group["unavailable_categories"])
        rate = [group["passed"], group["evaluated"]]
        assert group["pass_rate"] == (rate if group["evaluated"] else None)
        assert (group["price_is_lower_bound"] is None) == (
            group["price_per_durable_repair_usd"] is None
        )


@given(histories())
def test_totals_are_sums_of_cells(made: Made) -> None:
    """Counts and spends of a total are the sums over its cells, and over its systems."""
    groups = groups_of(figures(state_of(made), (), POLICY))
    total = groups.pop("system/*/task/*")
    cells = [group for prefix, group in groups.items() if not prefix.endswith("/*")]
    systems = [group for prefix, group in groups.items() if prefix.endswith("/*")]
    for parts in (cells, systems):
        for name in COUNTS:
            assert total[name] == sum(part[name] for part in parts)
        for name in SPENDS:
            assert amount(total[name]) == sum(amount(part[name]) for part in parts)
            assert (total[name] is None) == all(part[name] is None for part in parts)


@given(histories(), one_more)
def test_unavailable_row_leaves_the_pass_rate(made: Made, extra: AttemptReported) -> None:
    """One more unavailable row changes no pass rate, no evaluated spend and no price."""
    before = groups_of(figures(state_of(made), (), POLICY))
    made.imported("y", [replace(extra, status="unavailable")])
    after = groups_of(figures(state_of(made), (), POLICY))
    names = ("pass_rate", "evaluated_spend_usd", "price_per_durable_repair_usd", "evaluated")
    for prefix, group in before.items():
        for name in names:
            assert after[prefix][name] == group[name]
    assert after["system/*/task/*"]["attempts"] == before["system/*/task/*"]["attempts"] + 1


@given(histories(), st.data())
def test_exclusion_only_takes_away(made: Made, data: st.DataObject) -> None:
    """An exclusion leaves the number of attempts, and moves its cost out of the spend."""
    state = state_of(made)
    counting = {one.attempt for one, _ in View(state, (), POLICY).attempts()
                if one.verdict.state != "excluded"}  # fmt: skip
    if not counting:
        return
    attempt = data.draw(st.sampled_from(sorted(counting)))
    before = groups_of(figures(state, (), POLICY))["system/*/task/*"]
    spent = contributions(state, (), POLICY, TOTAL + "evaluated_spend_usd").get(attempt)
    made.excluded(attempt)
    after = groups_of(figures(state_of(made), (), POLICY))["system/*/task/*"]
    assert after["attempts"] == before["attempts"]
    assert after["excluded"] == before["excluded"] + 1
    moved = amount(before["evaluated_spend_usd"]) - amount(after["evaluated_spend_usd"])
    assert moved == (Fraction(0) if spent is None else Fraction(spent[0]))


@given(
    st.lists(
        st.tuples(
            some_rows,
            st.sampled_from([KEY, OTHER_KEY]),
        ),
        min_size=2,
        max_size=3,
    ),
    st.data(),
)
def test_imports_commute(
    releases: list[tuple[list[AttemptReported], bytes]], data: st.DataObject
) -> None:
    """The order in which independent releases are imported changes no figure."""
    named = [
        (f"r{place}", [replace(one, attempt=f"{one.attempt}-{place}") for one in some], key)
        for place, (some, key) in enumerate(releases)
    ]

    def figures_in(order: list[tuple[str, list[AttemptReported], bytes]]) -> dict[str, Any]:
        made = Made()
        for name, some, key in order:
            made.imported(name, some, key=key)
        return figures(state_of(made), (), POLICY)

    assert figures_in(data.draw(st.permutations(named))) == figures_in(named)


@given(histories(), st.integers(1, 60))
def test_no_context_matters(made: Made, precision: int) -> None:
    """A thread's decimal context has no say in any figure."""
    state = state_of(made)
    expected = figures(state, (), POLICY)
    with decimal.localcontext(decimal.Context(prec=precision, Emax=5, Emin=-5)):
        assert figures(state, (), POLICY) == expected


@given(histories((KEY, OTHER_KEY)))
def test_figure_is_found_by_its_path(made: Made) -> None:
    """Each figure is found alone, and what explains it stands in the ledger, in order."""
    state = state_of(made)
    view = View(state, (), POLICY)
    wires = {seq: event.wire for seq, event in made.events}
    for path, value in list(view.figures().items())[::7]:
        assert view.figure(path) == value
        reasons = explain(state, (), POLICY, path)
        assert [one.seq for one in reasons] == sorted({one.seq for one in reasons})
        assert all(one.type == wires[one.seq] for one in reasons)


@given(histories())
def test_contributions_make_the_figure(made: Made) -> None:
    """What single attempts add, added up, is the figure: both are made by one definition."""
    state = state_of(made)
    for prefix, group in groups_of(figures(state, (), POLICY)).items():
        parts = {
            name: contributions(state, (), POLICY, f"{prefix}/{name}")
            for name in (*COUNTS, *SPENDS)
        }
        for name in ("attempts", "passed", "evaluated_cost_missing", "usage_reported"):
            assert group[name] == len(parts[name])
        for name in SPENDS:
            values = [Fraction(part) for (part,) in parts[name].values() if part is not None]
            assert amount(group[name]) == sum(values)
            assert (group[name] is None) == (not values)
        known = parts["evaluated_cost_reported"]
        assert group["evaluated_cost_reported"] == len(known)


@given(histories((KEY, OTHER_KEY)), st.data())
def test_every_change_has_a_cause(made: Made, data: st.DataObject) -> None:
    """What changed since a size is told by events from then on; where nothing changed, nothing."""
    since = data.draw(st.integers(0, made.size))
    old = View(fold(empty(), made.events[:since]), (), POLICY)
    new = View(state_of(made), (), POLICY)
    document = diff(old, new, since)
    for kind in ("added", "removed", "changed"):
        for one in document[kind]:
            because = one["because"]
            assert isinstance(because, list)
            assert all(since <= seq < made.size for seq in because)
            assert because
    comparison = Comparison(old, old, since)
    assert all(comparison.causes(path) == [] for path in old.figures())


@given(histories((KEY, OTHER_KEY)), st.data())
def test_another_choice_has_a_cause(made: Made, data: st.DataObject) -> None:
    """Where the newer edition is of other releases too, its freeze tells what no event does."""
    state = state_of(made)
    since = data.draw(st.integers(0, made.size))
    before = fold(empty(), made.events[:since])
    first, second = (
        data.draw(st.sets(st.sampled_from(sorted(one.releases)))) if one.releases else set()
        for one in (before, state)
    )
    old, new = View(before, first, POLICY), View(state, second, POLICY)
    document = diff(old, new, since, made.size)
    told = {event["seq"] for event in document["events"]}
    for one in (*document["added"], *document["removed"], *document["changed"]):
        because = one["because"]
        assert isinstance(because, list)
        assert because
        assert told >= set(because)
        assert first != second or made.size not in because


@given(histories((KEY, OTHER_KEY)), st.data())
def test_causes_are_those_of_the_definition(made: Made, data: st.DataObject) -> None:
    """Where a figure stays, its causes are the events on attempts that add something else."""
    since = data.draw(st.integers(0, made.size))
    state = state_of(made)
    old, new = View(fold(empty(), made.events[:since]), (), POLICY), View(state, (), POLICY)
    comparison = Comparison(old, new, since)
    with patch("ledger.projections.moved._touched", lambda old, new, since: None):
        looked_at_all = Comparison(old, new, since)
    for path in sorted(old.figures().keys() | new.figures().keys())[::5]:
        causes = comparison.causes(path)
        assert causes == looked_at_all.causes(path)
        if old.figures().keys() ^ new.figures().keys() >= {path}:
            continue
        before, after = old.contributions(path), new.contributions(path)
        differing = {
            attempt
            for attempt in before.keys() | after.keys()
            if before.get(attempt) != after.get(attempt)
        }
        events = {
            reason.seq
            for attempt in differing
            for reason in (*decisions(state, attempt), *reports(state, attempt))
            if reason.seq >= since
        }
        assert set(causes) == events


@given(histories((KEY, OTHER_KEY)))
def test_figures_can_stand_in_a_manifest(made: Made) -> None:
    """Whatever is reported, every figure has a canonical encoding, and comes back from it."""
    values: Any = figures(state_of(made), (), POLICY)
    assert decode(encode(values)) == values


@given(histories())
def test_every_attempt_is_listed(made: Made) -> None:
    """The list has every attempt once, and its states are those that figures count."""
    state = state_of(made)
    listed = listing(state, (), POLICY)
    total = groups_of(figures(state, (), POLICY))["system/*/task/*"]
    assert sorted(str(one["attempt"]) for one in listed) == sorted(state.latest)
    for name in ("excluded", "pending"):
        assert sum(one["state"] == name for one in listed) == total[name]
    repaired = [one for one in listed if one["state"] == "valid" and one["strict_pass"]]
    assert len(repaired) == total["passed"]
    costs = [one["cost"]["usd"] for one in listed if one["state"] == "excluded"]  # type: ignore[index]
    known = [Fraction(Decimal(cost)) for cost in costs if cost is not None]
    assert amount(total["excluded_spend_usd"]) == sum(known)
