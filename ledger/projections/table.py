"""The table of figures: name, unit, what each rests on, and its formula (``specs/figures.md``).

A value that is not known is null, never 0; a set of nothing has no rate, price or median.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from msgspec import Struct

from ledger.rules.status import StatusRules

from .exact import exact, median
from .measures import Tally

Value: TypeAlias = "int | str | bool | list[Value] | None"
"""A published value; floats are none."""


class Figure(Struct, frozen=True):
    """One column of the figures.

    Attributes:
        unit: What its value is measured in.
        measures: What it rests on; an attempt bears on it if it adds to one of them.
        value: The formula.
    """

    unit: str
    measures: tuple[str, ...]
    value: Callable[[Tally], Value]


def table(rules: StatusRules) -> dict[str, Figure]:
    """Return name to figure under *rules*, in the order in which they are shown."""
    price = _Price(rules)
    flags = _Flags(rules)
    return {
        "attempts": _count("attempts"),
        "excluded": _count("excluded"),
        "pending": _count("pending"),
        "evaluated": _count("evaluated"),
        "unavailable": _count("unavailable"),
        "passed": _count("passed"),
        "failed": _count("failed"),
        "pass_rate": Figure("[passed, evaluated]", ("passed", "evaluated"), _pass_rate),
        "failure_categories": _words("failure_words", rules),
        "unavailable_categories": _words("unavailable_words", rules),
        "repairs_after_timeout": _count("late"),
        "evaluated_spend_usd": _sum("US dollars", "evaluated_cost"),
        "evaluated_cost_reported": _known("evaluated_cost"),
        "evaluated_cost_missing": _count("evaluated_unpriced"),
        "cost_status": Figure(
            "word", ("evaluated_cost", "evaluated_unpriced"), lambda tally: _status(tally, rules)
        ),
        "unavailable_spend_usd": _sum("US dollars", "unavailable_cost"),
        "excluded_spend_usd": _sum("US dollars", "excluded_cost"),
        "price_per_durable_repair_usd": Figure(
            "US dollars", price.measures, lambda tally: _exact(price.of(tally))
        ),
        "price_is_lower_bound": Figure("yes or no", price.measures, price.is_lower_bound),
        "median_evaluated_duration_s": Figure(
            "seconds",
            ("durations",),
            lambda tally: _exact(median(tally.values["durations"], rules.median)),
        ),
        "subscription_usage_usd": _sum("US dollars", "subscription"),
        "subscription_usage_reported": _known("subscription"),
        "usage_reported": _count("used"),
        "input_tokens": _tokens("input_tokens"),
        "output_tokens": _tokens("output_tokens"),
        "cache_read_tokens": _tokens("cache_read_tokens"),
        "flags": Figure("words", flags.measures, flags.of),
    }


def _count(measure: str) -> Figure:
    return Figure("attempts", (measure,), lambda tally: tally.counts[measure])


def _known(measure: str) -> Figure:
    return Figure("attempts", (measure,), lambda tally: tally.sums[measure].known)


def _sum(unit: str, measure: str) -> Figure:
    def value(tally: Tally) -> Value:
        part = tally.sums[measure]
        return _exact(Fraction(part.value)) if part.known else None

    return Figure(unit, (measure,), value)


def _tokens(measure: str) -> Figure:
    """Tokens are summed within one release only: what input includes changed with the adapter."""

    def value(tally: Tally) -> Value:
        part = tally.sums[measure]
        one_release = len(tally.releases["releases"]) == 1
        return int(part.value) if part.known and one_release else None

    return Figure("tokens, as written", (measure, "releases"), value)


def _words(measure: str, rules: StatusRules) -> Figure:
    def value(tally: Tally) -> Value:
        counts: dict[str, int] = {}
        for word, number in tally.words[measure].items():
            key = rules.words.no_category if word is None else word
            counts[key] = counts.get(key, 0) + number
        return [[word, number] for word, number in sorted(counts.items())]

    return Figure("[[word, attempts], …]", (measure,), value)


def _pass_rate(tally: Tally) -> Value:
    evaluated = tally.counts["evaluated"]
    return [tally.counts["passed"], evaluated] if evaluated else None


def _status(tally: Tally, rules: StatusRules) -> str:
    cost, words = tally.sums["evaluated_cost"], rules.cost
    if not cost.known:
        return words.unknown
    if tally.counts["evaluated_unpriced"]:
        return words.lower_bound
    return words.complete if cost.value else words.zero


def _exact(value: Fraction | None) -> Value:
    # A list of a narrower type is no list of values to the type checker, hence the copy.
    if value is None:
        return None
    result = exact(value)
    return result if isinstance(result, str) else [*result]


class _Price:
    """Spend on attempts of the classes that the policy names, divided by what it names."""

    def __init__(self, rules: StatusRules) -> None:
        self._costs = [f"{spent}_cost" for spent in rules.price.spend]
        self._unpriced = [f"{spent}_unpriced" for spent in rules.price.spend]
        self._divisor = "passed" if rules.price.per == "repair" else "evaluated"
        self.measures = (self._divisor, *self._costs, *self._unpriced)

    def of(self, tally: Tally) -> Fraction | None:
        """Return the price; None where no cost is known or there is nothing to divide by."""
        parts = [tally.sums[cost] for cost in self._costs]
        divisor = tally.counts[self._divisor]
        if not divisor or not any(part.known for part in parts):
            return None
        return sum((Fraction(part.value) for part in parts), Fraction(0)) / divisor

    def is_lower_bound(self, tally: Tally) -> bool | None:
        """Return whether a cost is missing from the price; None where there is no price."""
        if self.of(tally) is None:
            return None
        return any(tally.counts[unpriced] for unpriced in self._unpriced)


class _Flags:
    """What is odd about a group: what is odd about its valid attempts, and about all together."""

    measures = (
        "attempts",
        "evaluated",
        "evaluated_cost",
        "evaluated_unpriced",
        "unavailable_cost",
        "flag_words",
    )

    def __init__(self, rules: StatusRules) -> None:
        self._least = rules.minimum.attempts

    def of(self, tally: Tally) -> Value:
        """Return the words, sorted."""
        counts, least = tally.counts, self._least
        evaluated, cost = counts["evaluated"], tally.sums["evaluated_cost"]
        group = {
            "cost_lower_bound": bool(cost.known and counts["evaluated_unpriced"]),
            "cost_unknown": bool(evaluated and not cost.known),
            f"fewer_than_{least}_attempts": counts["attempts"] < least,
            f"fewer_than_{least}_evaluated": evaluated < least <= counts["attempts"],
            "nothing_evaluated": not evaluated,
            "spend_on_unavailable": tally.sums["unavailable_cost"].value > 0,
        }
        words = {flag for flag in tally.words["flag_words"] if flag is not None}
        return [*sorted(words | {flag for flag, holds in group.items() if holds})]
