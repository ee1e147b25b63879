"""What one attempt adds to a group, and how the parts are put together exactly.

A measure takes one attribute of the attempts within a scope. The tally of a group is the join of
the tallies of its cells; each part is a count, a sum, a union or a bag of values, so the order of
attempts and of cells changes nothing (FIG-5).
"""

from collections import Counter
from collections.abc import Callable, Iterable
from decimal import Decimal
from operator import attrgetter
from typing import Literal, TypeAlias

from msgspec import Struct, field

from .exact import total
from .judged import Judged

Contribution: TypeAlias = int | Decimal | tuple[str | None, ...] | None
"""What an attempt adds to one measure; None where it adds nothing."""


def _evaluated(attempt: Judged) -> bool:
    return attempt.state == "valid" and attempt.verdict.standing == "evaluated"


SCOPES: dict[str, Callable[[Judged], bool]] = {
    "attempts": lambda attempt: True,
    "valid": lambda attempt: attempt.state == "valid",
    "excluded": lambda attempt: attempt.state == "excluded",
    "pending": lambda attempt: attempt.state == "pending",
    "evaluated": _evaluated,
    "unavailable": lambda attempt: (
        attempt.state == "valid" and attempt.verdict.standing == "unavailable"
    ),
    "passed": lambda attempt: _evaluated(attempt) and attempt.verdict.passed,
    "failed": lambda attempt: _evaluated(attempt) and not attempt.verdict.passed,
    "late": lambda attempt: _evaluated(attempt) and attempt.verdict.late_repair,
    "used": lambda attempt: attempt.state == "valid" and attempt.verdict.usage,
}
"""Which attempts a measure is about."""


class Measure(Struct, frozen=True):
    """One attribute of the attempts within a scope.

    Attributes:
        kind: ``count`` of attempts, ``missing``: those whose attribute is unknown, ``sum`` of
            what is known, ``words``: how often each stands, ``values``: all that are known.
        scope: A key of ``SCOPES``.
        attribute: Of a judged attempt.
    """

    kind: Literal["count", "missing", "sum", "words", "values"]
    scope: str
    attribute: str = "attempt"


MEASURES: dict[str, Measure] = {
    "attempts": Measure("count", "attempts"),
    "excluded": Measure("count", "excluded"),
    "pending": Measure("count", "pending"),
    "evaluated": Measure("count", "evaluated"),
    "unavailable": Measure("count", "unavailable"),
    "passed": Measure("count", "passed"),
    "failed": Measure("count", "failed"),
    "late": Measure("count", "late"),
    "used": Measure("count", "used"),
    "failure_words": Measure("words", "failed", "category"),
    "unavailable_words": Measure("words", "unavailable", "category"),
    "flag_words": Measure("words", "valid", "flags"),
    "releases": Measure("words", "used", "release"),
    "evaluated_cost": Measure("sum", "evaluated", "cost"),
    "unavailable_cost": Measure("sum", "unavailable", "cost"),
    "excluded_cost": Measure("sum", "excluded", "cost"),
    "evaluated_unpriced": Measure("missing", "evaluated", "cost"),
    "unavailable_unpriced": Measure("missing", "unavailable", "cost"),
    "excluded_unpriced": Measure("missing", "excluded", "cost"),
    "subscription": Measure("sum", "valid", "subscription"),
    "input_tokens": Measure("sum", "valid", "input_tokens"),
    "output_tokens": Measure("sum", "valid", "output_tokens"),
    "cache_read_tokens": Measure("sum", "valid", "cache_read_tokens"),
    "durations": Measure("values", "evaluated", "duration"),
}
"""Everything that a figure can rest on."""

_AMOUNTS: dict[str, Callable[[Judged], Decimal | int | None]] = {
    name: attrgetter(name)
    for name in (
        "cost",
        "subscription",
        "duration",
        "input_tokens",
        "output_tokens",
        "cache_read_tokens",
    )
}
_WORDS: dict[str, Callable[[Judged], tuple[str | None, ...]]] = {
    "category": lambda attempt: (attempt.verdict.category,),
    "flags": attrgetter("flags"),
    "release": lambda attempt: (attempt.release,),
}


def contribution(name: str, attempt: Judged) -> Contribution:
    """Return what *attempt* adds to the measure *name*."""
    measure = MEASURES[name]
    if not SCOPES[measure.scope](attempt):
        return None
    match measure.kind:
        case "count":
            return 1
        case "missing":
            return 1 if _AMOUNTS[measure.attribute](attempt) is None else None
        case "sum" | "values":
            return _AMOUNTS[measure.attribute](attempt)
        case "words":
            return _WORDS[measure.attribute](attempt) or None


class Sum(Struct, frozen=True):
    """An exact sum of what is known.

    Attributes:
        value: The sum, 0 of nothing.
        known: How many values it is made of.
    """

    value: Decimal
    known: int


class Tally(Struct):
    """The measures of a group.

    Attributes:
        counts: Of kinds ``count`` and ``missing``.
        sums: Of kind ``sum``.
        words: Of kind ``words``.
        values: Of kind ``values``.
    """

    counts: dict[str, int] = field(default_factory=dict)
    sums: dict[str, Sum] = field(default_factory=dict)
    words: dict[str, Counter[str | None]] = field(default_factory=dict)
    values: dict[str, list[Decimal | int]] = field(default_factory=dict)


def tally(attempts: Iterable[Judged]) -> Tally:
    """Return the tally of attempts, each of them once."""
    every = list(attempts)
    within = {scope: [one for one in every if holds(one)] for scope, holds in SCOPES.items()}
    result = Tally()
    for name, measure in MEASURES.items():
        members = within[measure.scope]
        match measure.kind:
            case "count":
                result.counts[name] = len(members)
            case "missing":
                get = _AMOUNTS[measure.attribute]
                result.counts[name] = sum(get(one) is None for one in members)
            case "sum":
                known = _known(measure, members)
                result.sums[name] = Sum(total(known), len(known))
            case "values":
                result.values[name] = _known(measure, members)
            case "words":
                words = _WORDS[measure.attribute]
                result.words[name] = Counter(word for one in members for word in words(one))
    return result


def join(tallies: Iterable[Tally]) -> Tally:
    """Return the tally of groups that share no attempt."""
    parts = list(tallies)
    result = Tally()
    for name, measure in MEASURES.items():
        match measure.kind:
            case "count" | "missing":
                result.counts[name] = sum(part.counts[name] for part in parts)
            case "sum":
                value = total(part.sums[name].value for part in parts)
                result.sums[name] = Sum(value, sum(part.sums[name].known for part in parts))
            case "values":
                result.values[name] = [value for part in parts for value in part.values[name]]
            case "words":
                words: Counter[str | None] = Counter()
                for part in parts:
                    words.update(part.words[name])
                result.words[name] = words
    return result


def _known(measure: Measure, members: Iterable[Judged]) -> list[Decimal | int]:
    get = _AMOUNTS[measure.attribute]
    return [value for one in members if (value := get(one)) is not None]
