"""One group's figures as a row of a table (``specs/figures.md``, Reports)."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from ledger.projections.exact import is_decimal, shown
from ledger.projections.table import Value, table
from ledger.rules import Policy, status_rules

from .names import PRICE, SHOWN_AS
from .wording import amount_of, exact_text

Row: TypeAlias = dict[str, object]
"""A row of a table as a JSON object: what is unknown is null, with a state beside it."""

_COUNTED_WORDS = ("failure_categories", "unavailable_categories")


class Rows:
    """Makes rows as a policy says."""

    def __init__(self, policy: Policy) -> None:
        rules = status_rules(policy)
        self._display, self._table = rules.display, table(rules)

    def row(self, values: Mapping[str, Value]) -> Row:
        """Return a row of a table: every figure of one group."""
        row: Row = {}
        for name, value in values.items():
            figure = self._table.get(name)
            if name == "pass_rate":
                rate = pair_of(value)
                row[name] = None if rate is None else f"{rate[0]}/{rate[1]}"
            elif name in _COUNTED_WORDS:
                row[name] = dict(counts_of(value))
            elif figure is not None and figure.is_amount:
                amount = amount_of(value)
                row[name] = None if amount is None else shown(amount, self._display)
            else:
                row[SHOWN_AS.get(name, name)] = value
        price = amount_of(values.get(PRICE))
        row["price_per_durable_repair_exact"] = exact_text(values.get(PRICE))
        row["price_is_rounded"] = None if price is None else not is_decimal(price)
        row["price_status"] = self._price_status(values)
        for spent in ("unavailable", "excluded"):
            row[f"{spent}_cost_status"] = _cost_status(values, spent)
        return row

    def _price_status(self, values: Mapping[str, Value]) -> str:
        """Return why there is no price, or what kind of price it is."""
        match self._table[PRICE].knowledge(values.get(PRICE), values):
            case "known":
                return "exact"
            case "lower_bound":
                return "lower_bound"
            case "unknown":
                return "unknown_cost"
            case "none":
                return "no_repair"


def _cost_status(values: Mapping[str, Value], spent: str) -> str:
    """Return how much is known of what attempts of a class cost; none: there is no such attempt."""
    spend, missing = values.get(f"{spent}_spend_usd"), values.get(f"{spent}_cost_missing")
    if spend is None:
        return "unknown" if values.get(spent) else "none"
    if missing:
        return "lower_bound"
    return "zero" if spend == "0" else "complete"


def pair_of(value: Value) -> tuple[int, int] | None:
    """Return two counts; None of any other value."""
    match value:
        case [int(one), int(two)]:
            return one, two
        case _:
            return None


def counts_of(value: Value) -> Iterator[tuple[str, int]]:
    """Yield words with their counts; none of any other value."""
    for pair in value if isinstance(value, list) else ():
        match pair:
            case [str(word), int(number)]:
                yield word, number
            case _:
                pass  # a verified figure has no other form
