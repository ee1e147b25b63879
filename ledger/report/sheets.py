"""The same reports as plain rows of text, for a terminal or a file of comma-separated values.

What is unknown is written ``unknown`` and never 0, what does not exist ``none``, and an amount that
some cost is missing from starts with ``≥``.
"""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from .names import PRICE
from .spellings import spelling_notes
from .wording import LOWER_BOUND

UNKNOWN = "unknown"

Cells: TypeAlias = tuple[str, ...]


class Sheet(Struct, frozen=True):
    """A table of text.

    Attributes:
        title: What it shows.
        headings: One for each column.
        rows: As many cells each.
        notes: What has to be said below it, a sentence or a line each.
        unbroken: Headings of columns whose cells are copied, and never broken into lines.
    """

    title: str
    headings: Cells
    rows: tuple[Cells, ...]
    notes: Cells = ()
    unbroken: Cells = ()


_FIGURES = (
    "repairs",
    "unavailable",
    "excluded",
    "USD per repair",
    "spend, USD",
    "spend on unavailable, USD",
    "spend on excluded, USD",
    "median, s",
    "flags",
)
_EVENT = ("seq", "type", "why")
_ATTEMPT = ("attempt", "system", "task", "outcome", "state", "category", "cost, USD", "flags")


def leaderboard_sheets(document: Mapping[str, object]) -> list[Sheet]:
    """Return the tables of a leaderboard document; those of each cohort apart."""
    sheets = []
    for part in _rows(document["cohorts"]):
        suffix = f", cohort {part['cohort']}" if part.get("cohort") else ""
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
    sheets[-1] = replace(sheets[-1], notes=release_notes(document))
    return sheets


def release_notes(document: Mapping[str, object]) -> Cells:
    """Return a sentence for each thing that is odd about a release or its names as a whole."""
    odd = (
        f"Release {row['release']}: {row['flag']}, {row['count']} in all,"
        f" the first at {row['first'] or 'the file as a whole'}."
        for row in _rows(document["release_flags"])
    )
    return (*odd, *spelling_notes(_rows(document["names_alike"])))


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


def explanation_sheet(document: Mapping[str, object]) -> Sheet:
    """Return the events behind a figure, with what they add up to below them."""
    events = [
        (str(one["seq"]), str(one["type"]), str(one["why"])) for one in _rows(document["events"])
    ]
    notes = []
    totals = document["totals"]
    if document["withheld_because"] is not None:
        notes.append(f"No figure: {document['withheld_because']}.")
    elif isinstance(totals, dict) and totals:
        parts = (f"{name} {_known(value)}" for name, value in totals.items())
        notes.append(f"Together: {', '.join(parts)}.")
    if document["exact"] not in (None, document["shown"]):
        notes.append(f"Exactly: {document['exact']}")
    return Sheet(f"{document['figure']} = {document['shown']}", _EVENT, tuple(events), tuple(notes))


def _figures(row: Mapping[str, object]) -> Cells:
    price = "none" if row["price_status"] == "no_repair" else _known(row[PRICE])
    return (
        f"{row['verified_repairs']}/{row['evaluated']}",
        str(row["unavailable"]),
        str(row["excluded"]),
        f"{LOWER_BOUND} {price}" if row["price_is_lower_bound"] else price,
        *(_spend(row, spent) for spent in ("evaluated", "unavailable", "excluded")),
        _known(row["median_evaluated_duration_s"]) if row["evaluated"] else "none",
        _joined(row["flags"]),
    )


def _spend(row: Mapping[str, object], spent: str) -> str:
    usd = row[f"{spent}_spend_usd"]
    if usd is None:
        return UNKNOWN if row[spent] else "none"
    return f"{LOWER_BOUND} {usd}" if row[f"{spent}_cost_missing"] else str(usd)


def _system(row: Mapping[str, object]) -> str:
    effort = row["reasoning_effort"]
    return f"{row['agent']} {row['model']}" + ("" if effort is None else f" {effort}")


def _rows(values: object) -> list[dict[str, object]]:
    return values if isinstance(values, list) else []


def _known(value: object) -> str:
    return UNKNOWN if value is None else str(value)


def _joined(values: object) -> str:
    return ", ".join(map(str, values)) if isinstance(values, list) else ""
