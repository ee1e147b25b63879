"""The same reports as plain rows of text, for a terminal or a file of comma-separated values.

What is unknown is written ``unknown`` and never 0, what does not exist ``none``, and an amount that
some cost is missing from starts with ``≥``.
"""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from msgspec import Struct

UNKNOWN = "unknown"

Cells: TypeAlias = tuple[str, ...]


class Sheet(Struct, frozen=True):
    """A table of text.

    Attributes:
        title: What it shows.
        headings: One for each column.
        rows: As many cells each.
    """

    title: str
    headings: Cells
    rows: tuple[Cells, ...]


_PRICE = "price_per_durable_repair_usd"
_FIGURES = (
    "repairs",
    "unavailable",
    "excluded",
    "USD per repair",
    "spend, USD",
    "median, s",
    "flags",
)
_ATTEMPT = ("attempt", "system", "task", "outcome", "state", "category", "cost, USD", "flags")
_CHANGE = ("figure", "old", "new", "because of")


def leaderboard_sheets(document: Mapping[str, object]) -> list[Sheet]:
    """Return the tables of a leaderboard document; those of each cohort apart."""
    sheets = []
    cohorts = document.get("cohorts")
    for part in _rows(cohorts) if cohorts else [document]:
        suffix = f", cohort {part['cohort']}" if "cohort" in part else ""
        systems = [(_system(row), *_figures(row)) for row in _rows(part["by_model"])]
        totals = part["totals"]
        if isinstance(totals, dict):
            systems.append(("all", *_figures(totals)))
        tasks = [
            (f"{row['scenario']}@{row['scenario_version']}", _system(row), *_figures(row))
            for row in _rows(part["by_scenario_model"])
        ]
        sheets.append(Sheet(f"systems{suffix}", ("system", *_FIGURES), tuple(systems)))
        sheets.append(Sheet(f"tasks{suffix}", ("task", "system", *_FIGURES), tuple(tasks)))
    return sheets


def attempts_sheet(rows: Iterable[Mapping[str, object]]) -> Sheet:
    """Return the table of a list of attempts."""
    cells = []
    for row in rows:
        cost = row["cost"]
        usd = cost.get("usd") if isinstance(cost, dict) else None
        names = ("attempt", "system", "task", "outcome", "state")
        texts = [str(row[name]) for name in names]
        category = str(row["failure_category"] or "")
        cells.append((*texts, category, _known(usd), _joined(row["flags"])))
    return Sheet("attempts", _ATTEMPT, tuple(cells))


def changes_sheet(document: Mapping[str, Iterable[Mapping[str, object]]]) -> Sheet:
    """Return the table of what changed; an added figure has no old value, a removed no new one."""
    cells = [
        (
            str(row["figure"]),
            "" if kind == "added" else _known(row["old"]),
            "" if kind == "removed" else _known(row["new"]),
            _joined(row["because"]),
        )
        for kind in ("removed", "added", "changed")
        for row in document[kind]
    ]
    return Sheet("changes", _CHANGE, tuple(cells))


def _figures(row: Mapping[str, object]) -> Cells:
    price = "none" if row["price_status"] == "no_repair" else _known(row[_PRICE])
    spend = _known(row["evaluated_spend_usd"]) if row["evaluated"] else "none"
    return (
        f"{row['verified_repairs']}/{row['evaluated']}",
        str(row["unavailable"]),
        str(row["excluded"]),
        f"≥ {price}" if row["price_is_lower_bound"] else price,
        f"≥ {spend}" if row["evaluated_cost_missing"] and spend != UNKNOWN else spend,
        _known(row["median_evaluated_duration_s"]) if row["evaluated"] else "none",
        _joined(row["flags"]),
    )


def _system(row: Mapping[str, object]) -> str:
    effort = row["reasoning_effort"]
    return f"{row['agent']} {row['model']}" + ("" if effort is None else f" {effort}")


def _rows(values: object) -> list[dict[str, object]]:
    return values if isinstance(values, list) else []


def _known(value: object) -> str:
    return UNKNOWN if value is None else str(value)


def _joined(values: object) -> str:
    return ", ".join(map(str, values)) if isinstance(values, list) else ""
