"""What an attempt adds to a figure, in types of JSON and in words (FIG-43)."""

from decimal import Decimal
from typing import TypeAlias

from .judged import Judged
from .measures import MEASURES, Contribution, Measure, contribution
from .table import Figure

Addition: TypeAlias = int | str | list[str]
"""A count, an amount as decimal text, or words."""

_COUNTED = {
    "attempts": "1 attempt",
    "excluded": "1 excluded",
    "invalidated": "1 invalidated",
    "withdrawn": "1 withdrawn",
    "pending": "1 pending",
    "evaluated": "1 evaluated",
    "unavailable": "1 unavailable",
    "passed": "1 repair",
    "failed": "1 failure",
    "repairs_after_timeout": "1 repair after the agent's time",
    "usage_reported": "1 with usage",
    "evaluated_cost_reported": "1 with a cost",
    "evaluated_cost_missing": "1 without a cost",
    "unavailable_cost_missing": "1 without a cost",
    "excluded_cost_missing": "1 without a cost",
    "subscription_usage_reported": "1 with subscription usage",
}
_SUMMED = {
    "cost": "{} USD",
    "subscription": "{} USD of subscription",
    "duration": "{} s",
    "input_tokens": "{} input tokens",
    "output_tokens": "{} output tokens",
    "cache_read_tokens": "{} tokens read from a cache",
}


def additions(figure: Figure, attempt: Judged, no_category: str) -> dict[str, Addition]:
    """Return what *attempt* adds to each measure of *figure*; what it adds nothing to is left out.

    Args:
        figure: Of the policy in force.
        attempt: As it counts.
        no_category: The policy's word for a missing category.
    """
    result: dict[str, Addition] = {}
    for name in figure.measures:
        part = contribution(name, attempt)
        if part is not None:
            result[name] = _plain(part, no_category)
    return result


def in_words(added: dict[str, Addition]) -> str:
    """Say what an attempt adds: ``1 repair, 0.0554 USD``."""
    words = (_phrase(name, MEASURES[name], part) for name, part in added.items())
    return ", ".join(filter(None, words)) or "nothing"


def _plain(part: Contribution, no_category: str) -> Addition:
    match part:
        case Decimal():
            return f"{part:f}"  # read from canonical text, so this is canonical too
        case tuple():
            return [no_category if word is None else word for word in part]
        case int():
            return part
        case None:
            return []


def _phrase(name: str, measure: Measure, part: Addition) -> str:
    match measure.kind:
        case "count" | "known" | "missing":
            return _COUNTED[name]
        case "sum" | "values":
            return _SUMMED[measure.attribute].format(part)
        case "words":
            label = "flags" if name == "flags" else "category"
            return f"{label} {', '.join(part)}" if isinstance(part, list) else ""
        case "releases":
            return ""  # the row says which one
