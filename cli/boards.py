"""Figures for people: tables that say what they are counted over, and what is not known."""

from collections.abc import Iterable, Mapping
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from .tables import Column, Group, grouped, table
from .text import UNKNOWN, count, line, safe

NOT_KNOWN = "unknown"
LOWER_BOUND = "≥"
_PLACES, _TENTH = Decimal("0.0001"), Decimal("0.1")
_ATTEMPT_SHOWN = 12

_FIGURES = (
    Column("repairs", right=True, whole=True),
    Column("unavail.", right=True, whole=True),
    Column("excl.", right=True, whole=True),
    Column("USD/repair", right=True, whole=True),
    Column("spend USD", right=True, whole=True),
    Column("median s", right=True, whole=True),
)


def print_board(document: Mapping[str, Any], *, tasks: bool) -> None:
    """Print a leaderboard document; cohorts that must not be compared stand apart."""
    cohorts = document.get("cohorts")
    if cohorts is None:
        _print_tables(document, tasks=tasks)
        return
    line(f"{len(cohorts)} cohorts ran under different conditions and are not compared.")
    for cohort in cohorts:
        line()
        line(f"cohort {safe(cohort['cohort'])}")
        line()
        _print_tables(cohort, tasks=tasks)


def print_attempts(rows: list[dict[str, Any]]) -> None:
    """Print the list of attempts, task by task."""
    if not rows:
        line("no attempts")
        return
    tasks: dict[str, list[list[str]]] = {}
    for row in sorted(rows, key=lambda row: (row["task"], row["system"])):
        tasks.setdefault(row["task"], []).append(
            [
                row["attempt"][:_ATTEMPT_SHOWN],
                row["system"].replace("+", " "),
                "; ".join([_outcome(row), *row["flags"]]),
                _usd(row["cost"]["usd"]) or NOT_KNOWN,
                _seconds(row["phases"]["agent_execution"]) or NOT_KNOWN,
            ]
        )
    grouped(
        [
            Column("attempt", whole=True),
            Column("system"),
            Column("outcome; flags"),
            Column("cost USD", right=True, whole=True),
            Column("agent s", right=True, whole=True),
        ],
        [Group(task, cells) for task, cells in tasks.items()],
    )
    line()
    line(_attempts_footer(rows))


def print_events(events: Iterable[Mapping[str, Any]]) -> None:
    """Print the events behind a figure."""
    rows = [[str(one["seq"]), one["type"], one["why"]] for one in events]
    columns = [Column("seq", right=True, whole=True), Column("type", whole=True), Column("why")]
    table(columns, rows)
    line()
    line(f"{count(len(rows), 'event')}; `coldledger show SEQ` shows one in full")


def print_changes(document: Mapping[str, Any]) -> None:
    """Print which figures changed, and because of which events."""
    kinds = [kind for kind in ("changed", "added", "removed") if document[kind]]
    if not kinds:
        line("no figure differs")
        return
    grouped(
        [
            Column("figure"),
            Column("old"),
            Column("new"),
            Column("because of"),
        ],
        [
            Group(
                f"{kind}: {count(len(document[kind]), 'figure')}",
                [
                    [
                        one["figure"],
                        UNKNOWN if kind == "added" else value_text(one["old"]),
                        UNKNOWN if kind == "removed" else value_text(one["new"]),
                        ", ".join(map(str, one["because"])) or UNKNOWN,
                    ]
                    for one in document[kind]
                ],
            )
            for kind in kinds
        ],
    )
    line()
    line("Events are named by number; `coldledger show SEQ` shows one in full.")


def value_text(value: Any) -> str:
    """Return a figure's value as text; null is unknown."""
    if value is None:
        return NOT_KNOWN
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        if len(value) == 2 and not isinstance(value[0], list) and isinstance(value[1], int):
            return f"{value[0]}/{value[1]}"
        return (
            ", ".join(f"{one[0]} {one[1]}" if isinstance(one, list) else str(one) for one in value)
            or "none"
        )
    return str(value)


def _print_tables(document: Mapping[str, Any], *, tasks: bool) -> None:
    totals = document["totals"]
    columns = [Column("system"), *_FIGURES]
    groups = [Group(None, [[_system(row), *_cells(row)] for row in document["by_model"]])]
    if totals is not None:
        groups.append(Group(None, [["all systems", *_cells(totals)]]))
    grouped(columns, groups)
    line()
    if totals is not None:
        _print_foot(totals)
    _print_flags(document["by_model"])
    if tasks:
        by_task: dict[str, list[list[str]]] = {}
        for row in document["by_scenario_model"]:
            task = f"{row['scenario']}@{row['scenario_version']}"
            by_task.setdefault(task, []).append([_system(row), *_cells(row)])
        line()
        grouped(columns, [Group(task, cells) for task, cells in by_task.items()])


def _print_foot(totals: Mapping[str, Any]) -> None:
    """Say what the repairs are counted over, and how much of the cost is known."""
    line(
        f"Repairs are counted over {totals['evaluated']:,} evaluated of"
        f" {count(totals['attempts'], 'attempt')}; {totals['unavailable']:,} unavailable,"
        f" {totals['excluded']:,} excluded, {totals['pending']:,} pending."
    )
    line(
        f"Cost {safe(totals['cost_status'])}: of evaluated attempts,"
        f" {totals['evaluated_cost_reported']:,} report one and"
        f" {totals['evaluated_cost_missing']:,} do not; {LOWER_BOUND} marks what that leaves short."
    )
    aside = []
    for name, words in (("unavailable", "unavailable"), ("excluded", "excluded")):
        usd = _usd(totals[f"{name}_spend_usd"])
        if usd is not None:
            aside.append(f"{usd} on {words} attempts")
    if aside:
        line(f"Spend beside it, USD: {', '.join(aside)}.")
    for name, title in (
        ("failure_categories", "Failed"),
        ("unavailable_categories", "Unavailable"),
    ):
        if totals[name]:
            words = ", ".join(f"{safe(word)} {number}" for word, number in totals[name].items())
            line(f"{title}: {words}.")


def _print_flags(rows: Iterable[Mapping[str, Any]]) -> None:
    for row in rows:
        if row["flags"]:
            line(f"Flags of {safe(_system(row))}: {', '.join(map(safe, row['flags']))}.")


def _cells(row: Mapping[str, Any]) -> list[str]:
    rate = row["pass_rate"]
    return [
        rate if rate is not None else f"{UNKNOWN} of 0",
        str(row["unavailable"]),
        str(row["excluded"]),
        _price(row),
        _spend(row),
        _seconds(row["median_evaluated_duration_s"]) or UNKNOWN,
    ]


def _price(row: Mapping[str, Any]) -> str:
    """Return the price; a dash where nothing was repaired, unknown where no cost is."""
    usd = _usd(row["price_per_durable_repair_usd"])
    if usd is None:
        return NOT_KNOWN if row["verified_repairs"] else UNKNOWN
    return f"{LOWER_BOUND} {usd}" if row["price_is_lower_bound"] else usd


def _spend(row: Mapping[str, Any]) -> str:
    usd = _usd(row["evaluated_spend_usd"])
    if usd is None:
        return NOT_KNOWN if row["evaluated"] else UNKNOWN
    return f"{LOWER_BOUND} {usd}" if row["evaluated_cost_missing"] else usd


def _usd(text: str | None) -> str | None:
    """Return an amount in four places; one that is small but not 0 never becomes 0."""
    if text is None:
        return None
    value = Decimal(text)
    rounded = value.quantize(_PLACES, rounding=ROUND_HALF_EVEN)
    if rounded:
        return f"{rounded:f}"
    return f"{value:.1e}" if value else "0"


def _seconds(text: str | None) -> str | None:
    """Return seconds to the tenth, whole ones without a point."""
    if text is None:
        return None
    value = Decimal(text)
    rounded = value.quantize(_TENTH, rounding=ROUND_HALF_EVEN)
    return f"{rounded:f}".removesuffix(".0")


def _system(row: Mapping[str, Any]) -> str:
    effort = row["reasoning_effort"]
    return f"{row['agent']} {row['model']}" + (f" {effort}" if effort else "")


def _outcome(row: Mapping[str, Any]) -> str:
    """Say what an attempt counts as: excluded or pending, or else how it ended."""
    category = row["failure_category"]
    text = row["outcome"] + (f": {category}" if category else "")
    if row["corrected"]:
        text += " (corrected)"
    if row["state"] == "excluded":
        return f"excluded: {row['exclusion']} ({text})"
    return text if row["state"] == "valid" else f"{row['state']} ({text})"


def _attempts_footer(rows: list[dict[str, Any]]) -> str:
    excluded = sum(row["state"] == "excluded" for row in rows)
    pending = sum(row["state"] == "pending" for row in rows)
    unknown = sum(row["cost"]["usd"] is None for row in rows)
    counted = count(len(rows), "attempt")
    return f"{counted}: {excluded} excluded, {pending} pending; cost unknown of {unknown}"
