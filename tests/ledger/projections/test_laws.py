"""Laws that hold for every history, checked on random ones."""

import decimal
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from made_rows import KEY, OTHER_KEY, Made, row
from msgspec.structs import replace

from canon.quantity import fraction_of
from ledger.events import AttemptReported
from ledger.projections import (
    Attempts,
    Comparison,
    View,
    contributions,
    empty,
    explain,
    figures,
    fold,
)
from ledger.report import attempts as listing
from ledger.report import diff
from ledger.rules import parse_policy, shipped

POLICY = parse_policy(shipped()["status/replaybook"])
TOTAL = "system/*/task/*/"
COUNTS = (
    "attempts",
    "excluded",
    "pending",
    "evaluated",
    "unavailable",
    "passed",
    "failed",
    "repairs_after_timeout",
    "evaluated_cost_reported",
    "evaluated_cost_missing",
    "subscription_usage_reported",
    "usage_reported",
)
SPENDS = (
    "evaluated_spend_usd",
    "unavailable_spend_usd",
    "excluded_spend_usd",
    "subscription_usage_usd",
)

CATEGORIES = (None, "agent_timeout", "<null>", "provider_unavailable")
ROW_FLAGS = ("duration_over_timeout", "unavailable_after_progress")


def made_row(random: Random, number: int) -> AttemptReported:
    """Return a row with everything left to chance but its number."""

    def amount() -> str | None:
        digits = f"{random.randrange(10**6)}.{random.randrange(10**18):018d}"
        return random.choice([None, "0", digits.rstrip("0").rstrip("."), "0.1", "0.2"])

    return row(
        number,
        model=random.choice(["m", "n/%+"]),
        effort=random.choice([None, "high"]),
        scenario=random.choice(["s", "t@*"]),
        status=random.choice(["evaluated", "evaluated", "unavailable"]),
        reward=random.randrange(2),
        category=random.choice(CATEGORIES),
        cost=amount(),
        subscription=amount(),
        tokens=random.choice([None, 0, 7, 2**63 - 1]),
        usage=random.random() < 0.8,
        duration=random.choice([None, "0", "91", "125.5", str(random.randrange(1000))]),
        late=random.choice([None, False, True]),
        flags=random.sample(ROW_FLAGS, random.randrange(3)),
    )


# Drawing a row field by field is slow, so a test draws from many that chance has made.
POOL = [made_row(Random(seed), seed % 5 + 1) for seed in range(400)]
some_rows = st.lists(st.sampled_from(POOL), max_size=6, unique_by=lambda one: one.attempt)
one_more = st.sampled_from([made_row(Random(seed), 9) for seed in range(50)])


@st.composite
def histories(draw: Callable[[Any], Any], keys: tuple[bytes, ...] = (KEY,)) -> Made:
    """Return a random history: releases, some of them replaced, and decisions between them."""
    made = Made()
    sources: dict[str, int] = {}
    reported: list[str] = []
    for _ in range(draw(st.integers(0, 4))):
        name = draw(st.sampled_from(["v", "w", "x"]))
        some = draw(some_rows)
        sources[name] = made.imported(
            name, some, key=draw(st.sampled_from(keys)), supersedes=sources.get(name)
        )
        reported.extend(one.attempt for one in some)
        for _ in range(draw(st.integers(0, 3)) if reported else 0):
            attempt = draw(st.sampled_from(reported))
            match draw(st.integers(0, 4)):
                case 0:
                    made.excluded(attempt)
                case 1:
                    made.corrected(attempt, reward=draw(st.integers(0, 1)))
                case 2:
                    made.corrected(attempt, failure_category=draw(st.sampled_from(CATEGORIES)))
                case 3:
                    made.corrected(attempt, status=draw(st.sampled_from(["evaluated", "lost"])))
                case _:
                    made.reported_correction(name, attempt)
    return made


def state_of(made: Made) -> Attempts:
    """Return the state after a history."""
    return fold(empty(), made.events)


def groups_of(values: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the prefix of each group to its figures by name."""
    result: dict[str, dict[str, Any]] = {}
    for path, value in values.items():
        prefix, _, name = path.rpartition("/")
        result.setdefault(prefix, {})[name] = value
    return result


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
        assert group["evaluated"] == group["passed"] + group["failed"]
        assert group["evaluated"] == (
            group["evaluated_cost_reported"] + group["evaluated_cost_missing"]
        )
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
    candidates = sorted(state.latest.keys() - state.exclusions.keys())
    if not candidates:
        return
    attempt = data.draw(st.sampled_from(candidates))
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
