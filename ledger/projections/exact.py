"""Exact arithmetic on quantities, independent of the thread's decimal context.

A sum of decimals is a decimal, so nothing is rounded until it is shown. ``Inexact`` is trapped:
were the precision ever too small, the program would stop rather than publish a rounded figure.
"""

import decimal
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from canon.quantity import quotient
from ledger.rules.status import Display, Median

Exact: TypeAlias = str | list[int | str]
"""Decimal text, or [numerator, denominator] where it does not end within 40 digits."""

# A quantity has at most 160 characters, so a sum of 2^63 of them stays far below this.
_CONTEXT = decimal.Context(
    prec=1_000,
    Emin=decimal.MIN_EMIN,
    Emax=decimal.MAX_EMAX,
    traps=[decimal.Inexact, decimal.InvalidOperation, decimal.Overflow],
)


def total(values: Iterable[Decimal | int]) -> Decimal | int:
    """Return the exact sum; 0 of nothing."""
    with decimal.localcontext(_CONTEXT):
        return sum(values)


def exact(value: Decimal | Fraction | int) -> Exact:
    """Return *value* as it stands in a figure."""
    return quotient(Fraction(value))


def median(values: Sequence[Decimal | int], rule: Median) -> Fraction | None:
    """Return the median; None of nothing."""
    if not values:
        return None
    ordered = sorted(values)
    upper = len(ordered) // 2
    lower = (len(ordered) - 1) // 2
    match rule.even:
        case "lower":
            return Fraction(ordered[lower])
        case "upper":
            return Fraction(ordered[upper])
        case "mean":
            return (Fraction(ordered[lower]) + Fraction(ordered[upper])) / 2


def shown(value: Fraction, display: Display) -> str:
    """Return *value* as decimal text: in full where it ends, else rounded once by *display*."""
    places = _places(value.denominator)
    if places is None:
        places = display.places
    return _decimal(value, places, to_nearest=display.mode == "half-even")


def rounded(value: Fraction, places: int) -> str:
    """Return *value* to the nearest decimal of so many places, without zeros at the end.

    What is not 0 is never shown as 0: it has as many places as it needs for its first digit.
    """
    while value and abs(value) * 2 * 10**places <= 1:
        places += 1
    text = _decimal(value, places, to_nearest=True)
    return text.rstrip("0").rstrip(".") if "." in text else text


def is_decimal(value: Fraction) -> bool:
    """Tell whether the decimal of *value* ends."""
    return _places(value.denominator) is not None


def _decimal(value: Fraction, places: int, *, to_nearest: bool) -> str:
    scaled = value.numerator * 10**places
    whole, rest = divmod(abs(scaled), value.denominator)
    if to_nearest and (
        2 * rest > value.denominator or (2 * rest == value.denominator and whole % 2)
    ):
        whole += 1
    digits = str(whole).rjust(places + 1, "0")
    sign = "-" if scaled < 0 and digits.strip("0") else ""
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)


def _places(denominator: int) -> int | None:
    """Return how many decimal places a fraction in lowest terms needs; None if it never ends."""
    twos = fives = 0
    while denominator % 2 == 0:
        denominator, twos = denominator // 2, twos + 1
    while denominator % 5 == 0:
        denominator, fives = denominator // 5, fives + 1
    return max(twos, fives) if denominator == 1 else None
