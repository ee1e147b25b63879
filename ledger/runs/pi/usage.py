"""What a session used: tokens and money, added exactly (PI-16)."""

from decimal import Context, Decimal, Inexact, InvalidOperation

from msgspec import Struct, field

from canon.refusal import Refusal
from ledger.errors import PiCost
from ledger.importers.reading import count, quantity
from ledger.importers.source_json import Json, kind_of

# 40 digits with up to 104 places, a hundred billion times over, are exact in this.
_EXACT = Context(prec=300, traps=[Inexact, InvalidOperation])

_TOKENS = {
    "input": "input",
    "output": "output",
    "cacheRead": "cache_read",
    "cacheWrite": "cache_write",
}


class Spent(Struct):
    """A sum.

    Attributes:
        turns: How many messages report usage.
        unpriced: How many of them report no cost that can be counted.
        cost: US dollars; a lower bound where a turn is unpriced.
        tokens: By kind.
    """

    turns: int = 0
    unpriced: int = 0
    cost: Decimal = Decimal(0)
    tokens: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_TOKENS.values(), 0))

    @property
    def cost_usd(self) -> str | None:
        """The cost as decimal text, None where nothing reports one: unknown is not zero."""
        if self.turns == self.unpriced:
            return None
        text = format(self.cost, "f")
        return text.rstrip("0").rstrip(".") if "." in text else text

    def add(self, usage: dict[str, Json], place: str) -> list[Refusal]:
        """Add what one message reports; return what of it cannot be counted."""
        faults: list[Refusal] = []
        self.turns += 1
        for name, ours in _TOKENS.items():
            if usage.get(name) is None:
                continue
            try:
                self.tokens[ours] += count(usage[name], f"{place}, usage/{name}")
            except Refusal as fault:
                faults.append(PiCost(fault.place, fault.got, fault.expected))
        price = _price(usage.get("cost"), f"{place}, usage/cost")
        if isinstance(price, Decimal):
            self.cost = _EXACT.add(self.cost, price)
        else:
            self.unpriced += 1
            faults += [price] if price else []
        return faults


def _price(cost: Json, place: str) -> Decimal | Refusal | None:
    """Return what a message cost, why that cannot be counted, or None where it does not say."""
    if cost is None or (type(cost) is dict and cost.get("total") is None):
        return None
    if type(cost) is not dict:
        return PiCost(place, kind_of(cost), "an object with a total")
    try:
        price = Decimal(quantity(cost["total"], f"{place}/total"))
    except Refusal as fault:
        return PiCost(fault.place, fault.got, fault.expected)
    if price < 0:
        return PiCost(f"{place}/total", str(price), "an amount that is not negative")
    return price
