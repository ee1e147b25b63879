"""The leaderboard: figures as tables, by system and by task (``specs/figures.md``, Reports)."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TypeAlias

from canon.quantity import fraction_of
from ledger.projections.exact import shown
from ledger.projections.paths import TOTAL, Group, parse_path, system_of, task_of
from ledger.projections.table import Value
from ledger.rules import Policy, status_rules

Row: TypeAlias = dict[str, object]
"""A row of a table as a JSON object: what is unknown is null, with a state beside it."""

_SHOWN_AS = {"passed": "verified_repairs"}
_AMOUNTS = (
    "evaluated_spend_usd",
    "unavailable_spend_usd",
    "excluded_spend_usd",
    "price_per_durable_repair_usd",
    "median_evaluated_duration_s",
    "subscription_usage_usd",
)
_COUNTED_WORDS = ("failure_categories", "unavailable_categories")


def leaderboard(figures: Mapping[str, Value], policy: Policy) -> Row:
    """Return ``totals``, ``by_model`` and ``by_scenario_model``.

    Systems are in order of their pass rate, those without one last; a system's place says nothing
    beyond that. Cohorts that must not share a table stand in ``cohorts``, each with tables of its
    own, and then there are no totals over them.

    Args:
        figures: Path to value, of one edition or of the ledger's present state.
        policy: The status policy, which says how a quotient is shown.
    """
    groups: dict[Group, dict[str, Value]] = {}
    for path, value in figures.items():
        parsed = parse_path(path)
        if parsed is not None:
            groups.setdefault(parsed[0], {})[parsed[1]] = value
    labels = sorted({group.cohort for group in groups} - {""})
    if not labels:
        return _tables("", groups, policy)
    cohorts = [{"cohort": label, **_tables(label, groups, policy)} for label in labels]
    return {"totals": None, "by_model": [], "by_scenario_model": [], "cohorts": cohorts}


def _tables(cohort: str, groups: Mapping[Group, Mapping[str, Value]], policy: Policy) -> Row:
    totals: Row | None = None
    by_model: list[tuple[tuple[bool, Fraction, str], Row]] = []
    by_task: list[tuple[tuple[str, int, str], Row]] = []
    for group, values in groups.items():
        if group.cohort != cohort:
            continue
        row = _row(values, policy)
        if group.system == TOTAL:
            totals = row
            continue
        agent, model, effort = system_of(group.system)
        row = {"agent": agent, "model": model, "reasoning_effort": effort, **row}
        if group.task == TOTAL:
            by_model.append(((*_rank(values), group.system), row))
        else:
            scenario, version = task_of(group.task)
            row = {"scenario": scenario, "scenario_version": version, **row}
            by_task.append(((scenario, version, group.system), row))
    return {
        "totals": totals,
        "by_model": [row for _, row in sorted(by_model, key=lambda pair: pair[0])],
        "by_scenario_model": [row for _, row in sorted(by_task, key=lambda pair: pair[0])],
    }


def _rank(values: Mapping[str, Value]) -> tuple[bool, Fraction]:
    """Return what a system is ordered by: first those with a pass rate, the best first."""
    rate = _pair(values.get("pass_rate"))
    return rate is None, Fraction(0) if rate is None else -Fraction(*rate)


def _row(values: Mapping[str, Value], policy: Policy) -> Row:
    row: Row = {}
    for name, value in values.items():
        if name == "pass_rate":
            rate = _pair(value)
            row[name] = None if rate is None else f"{rate[0]}/{rate[1]}"
        elif name in _COUNTED_WORDS and isinstance(value, list):
            row[name] = dict(_counts(value))
        elif name in _AMOUNTS:
            row[name] = amount(value, policy)
        else:
            row[_SHOWN_AS.get(name, name)] = value
    row["price_per_durable_repair_exact"] = values.get("price_per_durable_repair_usd")
    row["price_status"] = _price_status(values)
    return row


def _price_status(values: Mapping[str, Value]) -> str:
    """Return why there is no price, or what kind of price it is."""
    if values.get("price_per_durable_repair_usd") is not None:
        return "lower_bound" if values.get("price_is_lower_bound") else "exact"
    return "unknown_cost" if values.get("passed") else "no_repair"


def amount(value: Value, policy: Policy) -> str | None:
    """Return an exact value as decimal text: in full where it ends, else rounded by the policy."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return None
    parts = [part for part in value if isinstance(part, int | str)]
    return shown(fraction_of(parts), status_rules(policy).display)


def _pair(value: Value) -> tuple[int, int] | None:
    match value:
        case [int(one), int(two)]:
            return one, two
        case _:
            return None


def _counts(pairs: list[Value]) -> Iterator[tuple[str, int]]:
    for pair in pairs:
        match pair:
            case [str(word), int(number)]:
                yield word, number
            case _:
                pass  # a verified figure has no other form
