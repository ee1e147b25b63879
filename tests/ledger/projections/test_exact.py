"""Sums, medians and quotients: exact, and rounded only where they are shown."""

import decimal
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.projections.exact import exact, median, shown, total
from ledger.rules.status import Display, Median

decimals = st.decimals(-(10**40), 10**40, allow_nan=False, allow_infinity=False)


@given(st.lists(decimals))
def test_total(values: list[Decimal]) -> None:
    """A sum is that of the fractions, whatever the context of the thread."""
    expected = sum(map(Fraction, values))
    with decimal.localcontext(decimal.Context(prec=1, Emax=1, Emin=-1, traps=[])):
        result = total(values)
    assert Fraction(result) == expected


def test_total_of_a_cost_as_written() -> None:
    """The digits of a cost are summed as they are written."""
    values = [Decimal("0.020543522999999998")] * 3
    assert exact(total(values)) == "0.061630568999999994"


def test_total_refuses_to_round() -> None:
    """A sum that does not fit stops the program; it never comes out rounded."""
    with pytest.raises(decimal.Inexact):
        total([Decimal("1e1100"), Decimal("1")])


def test_context_is_restored() -> None:
    """Summing leaves the thread's context as it was."""
    before = decimal.getcontext().prec
    total([Decimal(1)])
    assert decimal.getcontext().prec == before


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Fraction(1, 8), "0.125"),
        (Fraction(-3, 2), "-1.5"),
        (Fraction(1, 3), [1, 3]),
        (Decimal("0E-9"), "0"),
        (Fraction(2**70, 3), [str(2**70), 3]),
    ],
)
def test_exact(value: Fraction | Decimal, expected: object) -> None:
    """A value that ends is text, any other a pair."""
    assert exact(value) == expected


@pytest.mark.parametrize(
    ("even", "expected"), [("mean", Fraction(5, 2)), ("lower", 2), ("upper", 3)]
)
def test_median_of_an_even_number(even: str, expected: Fraction) -> None:
    """The rule decides between the middle two."""
    values = [Decimal(one) for one in (4, 1, 3, 2)]
    assert median(values, Median(even)) == expected  # type: ignore[arg-type]


def test_median_of_odd_and_of_nothing() -> None:
    """The middle one; of nothing there is none."""
    assert median([Decimal(9), Decimal(1), Decimal("2.5")], Median("mean")) == Fraction(5, 2)
    assert median([], Median("mean")) is None


@pytest.mark.parametrize(
    ("value", "mode", "expected"),
    [
        (Fraction(1, 3), "half-even", "0.333333333333"),
        (Fraction(2, 3), "half-even", "0.666666666667"),
        (Fraction(2, 3), "down", "0.666666666666"),
        (Fraction(-2, 3), "half-even", "-0.666666666667"),
        (Fraction(-1, 3 * 10**13), "half-even", "0.000000000000"),
        (Fraction(5, 4), "half-even", "1.25"),
        (Fraction(7), "half-even", "7"),
        (Fraction(1, 2**20), "half-even", "0.00000095367431640625"),
        (Fraction(5, 10**13), "half-even", "0.0000000000005"),
    ],
)
def test_shown(value: Fraction, mode: str, expected: str) -> None:
    """A quotient that ends is shown in full, another one is rounded once."""
    assert shown(value, Display(12, mode)) == expected  # type: ignore[arg-type]


@given(st.fractions(), st.sampled_from(["half-even", "down"]))
def test_shown_is_near(value: Fraction, mode: str) -> None:
    """What is shown is off by no more than the last place allows, and agrees with the modes."""
    text = shown(value, Display(12, mode))  # type: ignore[arg-type]
    off = abs(Fraction(text)) - abs(value)
    if mode == "down":
        assert -Fraction(1, 10**12) < off <= 0
    else:
        assert abs(off) <= Fraction(1, 2 * 10**12)
    assert text != "-0"
    assert not text.endswith(".")
