"""Values of figures as programs and people read them (``specs/figures.md``, Reports)."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from msgspec import Struct

from canon.quantity import fraction_of
from ledger.projections.exact import rounded, shown
from ledger.projections.table import AMOUNT_UNITS, Figure, Knowledge, Value, table
from ledger.rules import Policy, status_rules

Plain: TypeAlias = "int | str | bool | list[Plain] | None"
"""A value in JSON; the two parts of a fraction are texts."""

LOWER_BOUND = "≥"
SHORT_PLACES = 4
_MOST_PLACES = 40


class Worded(Struct, frozen=True):
    """The value of a figure, ready to be read.

    Attributes:
        unit: What it is measured in; empty of a figure that the table does not have.
        plain: The raw value; of a fraction, both parts as text.
        exact: An exact quantity as one text, ``n/d`` where its decimal does not end; else None.
        shown: As text: in full where it ends, else rounded once as the policy says.
        state: How much of it is known.
    """

    unit: str
    plain: Plain
    exact: str | None
    shown: str
    state: Knowledge


class Wording:
    """Figures by path, as they are read."""

    def __init__(self, figures: Mapping[str, Value], policy: Policy) -> None:
        """Take *figures*, path to value, which came about under *policy*."""
        rules = status_rules(policy)
        self.figures, self._table, self._display = figures, table(rules), rules.display
        self._groups: dict[str, dict[str, Value]] = {}
        for path, value in figures.items():
            prefix, _, name = path.rpartition("/")
            self._groups.setdefault(prefix, {})[name] = value

    def unit_of(self, path: str) -> str:
        """Return what the figure at *path* is measured in; empty where the table has none."""
        figure = self._table.get(path.rpartition("/")[2])
        return "" if figure is None else figure.unit

    def of(self, path: str) -> Worded | None:
        """Return the value of the figure at *path*; None if there is no such figure."""
        return self.worded(path) if path in self.figures else None

    def worded(self, path: str) -> Worded:
        """Return the value of a figure that there is."""
        prefix, _, name = path.rpartition("/")
        figure, group = self._table.get(name), self._groups[prefix]
        value = group[name]
        state = _knowledge(figure, value, group)
        unit = self.unit_of(path)
        amount = amount_of(value) if unit in AMOUNT_UNITS else None
        if amount is None:
            return Worded(unit, _plain(value), None, _text(value, state), state)
        text = bounded(shown(amount, self._display), state)
        return Worded(unit, _as_text(value), exact_text(value), text, state)


def amount_of(value: object) -> Fraction | None:
    """Return the fraction that an exact quantity stands for; None of anything else.

    The parts of the fraction may be integers or texts.
    """
    match value:
        case str():
            return fraction_of(value)
        case [int() | str() as one, int() | str() as two]:
            return Fraction(int(one), int(two))
        case _:
            return None


def exact_text(value: object) -> str | None:
    """Return an exact quantity as one text: the decimal where it ends, else ``n/d``."""
    if isinstance(value, list):
        return "/".join(map(str, value))
    return value if isinstance(value, str) else None


def bounded(text: str, state: object) -> str:
    """Return an amount as text, marked where something of it is not known."""
    return f"{LOWER_BOUND} {text}" if state == "lower_bound" else text


def short(amount: Fraction, *others: Fraction) -> str:
    """Return an amount in few places, but in as many as tell it from *others*."""
    places = SHORT_PLACES
    while places < _MOST_PLACES and any(
        other != amount and rounded(other, places) == rounded(amount, places) for other in others
    ):
        places += 1
    return rounded(amount, places)


def _knowledge(figure: Figure | None, value: Value, group: Mapping[str, Value]) -> Knowledge:
    if figure is None:
        return "unknown" if value is None else "known"
    return figure.knowledge(value, group)


def _as_text(value: Value) -> Plain:
    return [str(part) for part in value] if isinstance(value, list) else value


def _plain(value: Value) -> Plain:
    return [*map(_plain, value)] if isinstance(value, list) else value


def _text(value: Value, state: Knowledge) -> str:
    match value:
        case None:
            return state
        case bool():
            return "yes" if value else "no"
        case [int(one), int(two)]:
            return f"{one}/{two}"
        case list():
            return ", ".join(map(_word, value)) or "none"
        case _:
            return str(value)


def _word(value: Value) -> str:
    match value:
        case [str(word), int(number)]:
            return f"{word} {number}"
        case _:
            return str(value)
