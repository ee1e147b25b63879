"""What one attempt adds to a group, and how the parts are put together exactly.

A measure takes one attribute of the attempts within a scope. The tally of a group is the join of
the tallies of its cells; each part is a count, a sum, a union or a bag of values, so the order of
attempts and of cells changes nothing (FIG-13).
"""

from collections import Counter
from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import lru_cache
from operator import attrgetter
from typing import Literal, TypeAlias

from msgspec import Struct, field

from .exact import total
from .judged import Judged, Verdict

Contribution: TypeAlias = int | Decimal | tuple[str | None, ...] | None
"""What an attempt adds to one measure; None where it adds nothing."""


def _evaluated(verdict: Verdict) -> bool:
    return verdict.state == "valid" and verdict.standing == "evaluated"


SCOPES: dict[str, Callable[[Verdict], bool]] = {
    "attempts": lambda verdict: verdict.state != "dropped",
    "valid": lambda verdict: verdict.state == "valid",
    "excluded": lambda verdict: verdict.state == "excluded",
    "invalidated": lambda verdict: verdict.state == "excluded" and verdict.invalidated,
    "withdrawn": lambda verdict: verdict.state == "excluded" and verdict.withdrawn,
    "pending": lambda verdict: verdict.state == "pending",
    "evaluated": _evaluated,
    "unavailable": lambda verdict: verdict.state == "valid" and verdict.standing == "unavailable",
    "passed": lambda verdict: _evaluated(verdict) and verdict.passed,
    "failed": lambda verdict: _evaluated(verdict) and not verdict.passed,
    "late": lambda verdict: _evaluated(verdict) and verdict.late_repair,
    "flagged": lambda verdict: verdict.state in ("valid", "dropped"),
    "used": lambda verdict: verdict.state == "valid" and verdict.usage,
}
"""Which attempts a measure is about."""


class Measure(Struct, frozen=True):
    """One attribute of the attempts within a scope.

    Attributes:
        kind: ``count`` of attempts, ``known``: those whose attribute is known, ``missing``:
            those where it is not, ``sum`` of what is known, ``values``: all that are known,
            ``words``: how often each stands, ``releases``: those that the attempts stand in.
        scope: A key of ``SCOPES``.
        attribute: What of an attempt.
    """

    kind: Literal["count", "known", "missing", "sum", "values", "words", "releases"]
    scope: str
    attribute: str = ""


MEASURES: dict[str, Measure] = {
    "attempts": Measure("count", "attempts"),
    "excluded": Measure("count", "excluded"),
    "invalidated": Measure("count", "invalidated"),
    "withdrawn": Measure("count", "withdrawn"),
    "pending": Measure("count", "pending"),
    "evaluated": Measure("count", "evaluated"),
    "unavailable": Measure("count", "unavailable"),
    "passed": Measure("count", "passed"),
    "failed": Measure("count", "failed"),
    "repairs_after_timeout": Measure("count", "late"),
    "usage_reported": Measure("count", "used"),
    "failure_categories": Measure("words", "failed", "category"),
    "unavailable_categories": Measure("words", "unavailable", "category"),
    "flags": Measure("words", "flagged", "flags"),
    "releases": Measure("releases", "used"),
    "evaluated_cost_usd": Measure("sum", "evaluated", "cost"),
    "unavailable_cost_usd": Measure("sum", "unavailable", "cost"),
    "excluded_cost_usd": Measure("sum", "excluded", "cost"),
    "evaluated_cost_reported": Measure("known", "evaluated", "cost"),
    "evaluated_cost_missing": Measure("missing", "evaluated", "cost"),
    "unavailable_cost_missing": Measure("missing", "unavailable", "cost"),
    "excluded_cost_missing": Measure("missing", "excluded", "cost"),
    "subscription_usage_usd": Measure("sum", "valid", "subscription"),
    "subscription_usage_reported": Measure("known", "valid", "subscription"),
    "input_tokens": Measure("sum", "valid", "input_tokens"),
    "output_tokens": Measure("sum", "valid", "output_tokens"),
    "cache_read_tokens": Measure("sum", "valid", "cache_read_tokens"),
    "evaluated_duration_s": Measure("values", "evaluated", "duration"),
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
_WORDS: dict[str, Callable[[Verdict], tuple[str | None, ...]]] = {
    "category": lambda verdict: (verdict.category,),
    "flags": attrgetter("flags"),
}


def contribution(name: str, attempt: Judged) -> Contribution:
    """Return what *attempt* adds to the measure *name*."""
    measure = MEASURES[name]
    if not SCOPES[measure.scope](attempt.verdict):
        return None
    match measure.kind:
        case "count":
            return 1
        case "known":
            return None if _AMOUNTS[measure.attribute](attempt) is None else 1
        case "missing":
            return 1 if _AMOUNTS[measure.attribute](attempt) is None else None
        case "sum" | "values":
            return _AMOUNTS[measure.attribute](attempt)
        case "words":
            return _WORDS[measure.attribute](attempt.verdict) or None
        case "releases":
            return (attempt.release,)


Parts: TypeAlias = tuple[Contribution, ...] | None
"""What an attempt adds to each measure that a figure rests on; None where that is nothing."""


@lru_cache(1_024)
def measures_of(verdict: Verdict) -> frozenset[str]:
    """Return the measures that attempts of this verdict can add to."""
    return frozenset(name for name, measure in MEASURES.items() if SCOPES[measure.scope](verdict))


class Sum(Struct, frozen=True):
    """An exact sum of what is known.

    Attributes:
        value: The sum, 0 of nothing.
        known: How many values it is made of.
    """

    value: Decimal | int
    known: int


class Tally(Struct):
    """The measures of a group.

    Attributes:
        counts: Of kinds ``count``, ``known`` and ``missing``.
        sums: Of kind ``sum``.
        words: Of kind ``words``.
        values: Of kind ``values``.
        releases: Of kind ``releases``.
    """

    counts: dict[str, int] = field(default_factory=dict)
    sums: dict[str, Sum] = field(default_factory=dict)
    words: dict[str, Counter[str | None]] = field(default_factory=dict)
    values: dict[str, list[Decimal | int]] = field(default_factory=dict)
    releases: dict[str, set[str]] = field(default_factory=dict)


def tally(attempts: Iterable[Judged]) -> Tally:
    """Return the tally of attempts, each of them once."""
    # Whether an attempt is within a scope is a question of its verdict, and few verdicts differ.
    alike: dict[int, list[Judged]] = {}
    for attempt in attempts:
        alike.setdefault(id(attempt.verdict), []).append(attempt)
    kinds = [(some[0].verdict, some) for some in alike.values()]
    within = {
        scope: [(verdict, some) for verdict, some in kinds if holds(verdict)]
        for scope, holds in SCOPES.items()
    }
    values: dict[tuple[str, str], list[Decimal | int]] = {
        key: _known(key[1], within[key[0]]) for key in _KNOWN
    }
    result = Tally()
    for name, measure in MEASURES.items():
        members, key = within[measure.scope], (measure.scope, measure.attribute)
        match measure.kind:
            case "count":
                result.counts[name] = sum(len(some) for _, some in members)
            case "known":
                result.counts[name] = len(values[key])
            case "missing":
                result.counts[name] = sum(len(some) for _, some in members) - len(values[key])
            case "sum":
                result.sums[name] = Sum(total(values[key]), len(values[key]))
            case "values":
                result.values[name] = values[key]
            case "words":
                words: Counter[str | None] = Counter()
                for verdict, some in members:
                    for word in _WORDS[measure.attribute](verdict):
                        words[word] += len(some)
                result.words[name] = words
            case "releases":
                result.releases[name] = {one.release for _, some in members for one in some}
    return result


def join(tallies: Iterable[Tally]) -> Tally:
    """Return the tally of groups that share no attempt."""
    parts = list(tallies)
    result = Tally()
    for name, measure in MEASURES.items():
        match measure.kind:
            case "count" | "known" | "missing":
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
            case "releases":
                result.releases[name] = set().union(*(part.releases[name] for part in parts))
    return result


_KNOWN = frozenset(
    (measure.scope, measure.attribute)
    for measure in MEASURES.values()
    if measure.attribute in _AMOUNTS
)
"""What is taken of whom; several measures share it."""


def _known(attribute: str, members: Iterable[tuple[Verdict, list[Judged]]]) -> list[Decimal | int]:
    get = _AMOUNTS[attribute]
    return [value for _, some in members for one in some if (value := get(one)) is not None]
