"""The table of figures: name, unit, what each rests on, and its formula (``specs/figures.md``).

A value that is not known is null, never 0; a set of nothing has no rate, price or median.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Literal, TypeAlias

from msgspec import Struct

from ledger.rules.status import StatusRules

from .exact import exact, median
from .measures import Tally

Value: TypeAlias = "int | str | bool | list[Value] | None"
"""A published value; floats are none."""

Knowledge: TypeAlias = Literal["known", "lower_bound", "unknown", "none"]
"""How much of a value is known; none: there is nothing that it could be the value of (FIG-34)."""

AMOUNT_UNITS = frozenset({"US dollars", "seconds"})
"""Units of exact quantities: decimal text, or a fraction."""


class Figure(Struct, frozen=True):
    """One column of the figures.

    Attributes:
        unit: What its value is measured in.
        measures: What it rests on; an attempt bears on it if it adds to one of them.
        value: The formula.
        about: Figures that count what it is about; while they are all 0, null means none.
        missing: The figure that tells whether a part of it is not known, if there is one.
        withheld: Says why there is no value although something is known, if that can be.
    """

    unit: str
    measures: tuple[str, ...]
    value: Callable[[Tally], Value]
    about: tuple[str, ...] = ()
    missing: str | None = None
    withheld: Callable[[Tally], str | None] = lambda _: None

    @property
    def is_amount(self) -> bool:
        """Whether its value is an exact quantity, which may be a fraction."""
        return self.unit in AMOUNT_UNITS

    def knowledge(self, value: Value, group: Mapping[str, Value]) -> Knowledge:
        """Return how much of *value* is known (FIG-34).

        Args:
            value: Of this figure.
            group: Name to value of every figure of the same group.
        """
        if value is None:
            return "unknown" if any(group.get(name) for name in self.about) else "none"
        return "lower_bound" if self.missing and group.get(self.missing) else "known"


_INT64_MAX = 2**63 - 1  # a manifest has no larger integer (CANON-2)
_VALID = ("evaluated", "unavailable")


def table(rules: StatusRules) -> dict[str, Figure]:
    """Return name to figure under *rules*, in the order in which they are shown."""
    price = _Price(rules)
    flags = _Flags(rules)
    return {
        "attempts": _count("attempts"),
        "excluded": _count("excluded"),
        "invalidated": _count("invalidated"),
        "withdrawn": _count("withdrawn"),
        "pending": _count("pending"),
        "evaluated": _count("evaluated"),
        "unavailable": _count("unavailable"),
        "passed": _count("passed"),
        "failed": _count("failed"),
        "pass_rate": Figure(
            "[passed, evaluated]", ("passed", "evaluated"), _pass_rate, ("evaluated",)
        ),
        "failure_categories": _words("failure_categories", rules),
        "unavailable_categories": _words("unavailable_categories", rules),
        "repairs_after_timeout": _count("repairs_after_timeout"),
        "evaluated_spend_usd": _spend("evaluated"),
        "evaluated_cost_reported": _count("evaluated_cost_reported"),
        "evaluated_cost_missing": _count("evaluated_cost_missing"),
        "cost_status": Figure(
            "word",
            ("evaluated_cost_usd", "evaluated_cost_missing"),
            lambda tally: _status(tally, rules),
        ),
        "unavailable_spend_usd": _spend("unavailable"),
        "unavailable_cost_missing": _count("unavailable_cost_missing"),
        "excluded_spend_usd": _spend("excluded"),
        "excluded_cost_missing": _count("excluded_cost_missing"),
        "price_per_durable_repair_usd": Figure(
            "US dollars",
            price.measures,
            lambda tally: _exact(price.of(tally)),
            (price.divisor,),
            "price_is_lower_bound",
        ),
        "price_is_lower_bound": Figure(
            "yes or no", price.measures, price.is_lower_bound, (price.divisor,)
        ),
        "median_evaluated_duration_s": Figure(
            "seconds",
            ("evaluated_duration_s",),
            lambda tally: _exact(median(tally.values["evaluated_duration_s"], rules.median)),
            ("evaluated",),
        ),
        "subscription_usage_usd": Figure(
            "US dollars", ("subscription_usage_usd",), _total_of("subscription_usage_usd"), _VALID
        ),
        "subscription_usage_reported": _count("subscription_usage_reported"),
        "usage_reported": _count("usage_reported"),
        "input_tokens": _tokens("input_tokens"),
        "output_tokens": _tokens("output_tokens"),
        "cache_read_tokens": _tokens("cache_read_tokens"),
        "flags": Figure("words", flags.measures, flags.of),
    }


def _count(measure: str) -> Figure:
    return Figure("attempts", (measure,), lambda tally: tally.counts[measure])


def _spend(spent: str) -> Figure:
    """Return the figure of what attempts of a class cost, as far as they report it."""
    cost = f"{spent}_cost_usd"
    return Figure("US dollars", (cost,), _total_of(cost), (spent,), f"{spent}_cost_missing")


def _total_of(measure: str) -> Callable[[Tally], Value]:
    def value(tally: Tally) -> Value:
        part = tally.sums[measure]
        return _exact(Fraction(part.value)) if part.known else None

    return value


_SEVERAL = "rows of several releases, which may count cached tokens differently"


def _tokens(measure: str) -> Figure:
    """Tokens are summed within one release only: what input includes changed with the adapter."""

    def value(tally: Tally) -> Value:
        part = tally.sums[measure]
        if not part.known or len(tally.releases["releases"]) != 1:
            return None
        tokens = int(part.value)
        return tokens if tokens <= _INT64_MAX else str(tokens)

    def withheld(tally: Tally) -> str | None:
        several = tally.sums[measure].known and len(tally.releases["releases"]) > 1
        return _SEVERAL if several else None

    return Figure("tokens, as written", (measure, "releases"), value, _VALID, withheld=withheld)


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
    cost, words = tally.sums["evaluated_cost_usd"], rules.cost
    if not cost.known:
        return words.unknown
    if tally.counts["evaluated_cost_missing"]:
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
        self._costs = [f"{spent}_cost_usd" for spent in rules.price.spend]
        self._missing = [f"{spent}_cost_missing" for spent in rules.price.spend]
        self.divisor = "passed" if rules.price.per == "repair" else "evaluated"
        self.measures = (self.divisor, *self._costs, *self._missing)

    def of(self, tally: Tally) -> Fraction | None:
        """Return the price; None where no cost is known or there is nothing to divide by."""
        parts = [tally.sums[cost] for cost in self._costs]
        divisor = tally.counts[self.divisor]
        if not divisor or not any(part.known for part in parts):
            return None
        return sum((Fraction(part.value) for part in parts), Fraction(0)) / divisor

    def is_lower_bound(self, tally: Tally) -> bool | None:
        """Return whether a cost is missing from the price; None where there is no price."""
        if self.of(tally) is None:
            return None
        return any(tally.counts[missing] for missing in self._missing)


class _Flags:
    """What is odd about a group: what is odd about its valid attempts, and about all together."""

    measures = (
        "attempts",
        "evaluated",
        "evaluated_cost_usd",
        "evaluated_cost_missing",
        "unavailable_cost_usd",
        "flags",
    )

    def __init__(self, rules: StatusRules) -> None:
        self._least = rules.minimum.attempts

    def of(self, tally: Tally) -> Value:
        """Return the words, sorted."""
        counts, least = tally.counts, self._least
        evaluated, cost = counts["evaluated"], tally.sums["evaluated_cost_usd"]
        group = {
            "cost_lower_bound": bool(cost.known and counts["evaluated_cost_missing"]),
            "cost_unknown": bool(evaluated and not cost.known),
            f"fewer_than_{least}_attempts": counts["attempts"] < least,
            f"fewer_than_{least}_evaluated": evaluated < least <= counts["attempts"],
            "nothing_evaluated": not evaluated,
            "spend_on_unavailable": tally.sums["unavailable_cost_usd"].value > 0,
        }
        words = {flag for flag in tally.words["flags"] if flag is not None}
        return [*sorted(words | {flag for flag, holds in group.items() if holds})]
