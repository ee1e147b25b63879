"""Laws of exact quantities: nothing is lost, whatever the thread's settings are."""

import sys
from decimal import Context, Decimal, Inexact, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import canon

SIGNS = st.sampled_from(["", "-"])
DIGITS = st.text("0123456789", min_size=1, max_size=39)
DECIMALS = st.builds(
    lambda sign, digits, places: Decimal(f"{sign}{digits}").scaleb(places, Context(prec=200)),
    SIGNS,
    DIGITS,
    st.integers(-64, 64),
)


@st.composite
def literals(draw: st.DrawFn) -> str:
    """Draw a JSON number within the limits, in any of its spellings."""
    digits = draw(DIGITS)
    cut = draw(st.integers(1, len(digits)))
    whole, part = digits[:cut].lstrip("0") or "0", digits[cut:]
    exponent = draw(
        st.none()
        | st.builds(
            "{}{}{:0{}}".format,
            st.sampled_from("eE"),
            st.sampled_from(["", "+", "-"]),
            st.integers(0, 64),
            st.integers(1, 6),
        )
    )
    return f"{draw(SIGNS)}{whole}{'.' if part else ''}{part}{exponent or ''}"


@given(literals())
def test_number_is_what_was_written(literal: str) -> None:
    """A literal and its decimal are equal as fractions, and the text is canonical."""
    text = canon.read_number(literal)
    assert Fraction(text) == Fraction(literal)
    assert canon.decimal_text(canon.parse_decimal(text)) == text


@given(DECIMALS)
def test_decimal_round_trip(value: Decimal) -> None:
    """Text and decimal are one to one, so equal decimals have one text."""
    text = canon.decimal_text(value)
    assert canon.parse_decimal(text) == value
    assert canon.decimal_text(canon.parse_decimal(text)) == text
    assert Fraction(text) == Fraction(value)


@given(st.text("-+0123456789.eE_ \n", max_size=12))
def test_one_text_for_each_decimal(text: str) -> None:
    """What is read as canonical is the text of its value; any other text is refused."""
    try:
        value = canon.parse_decimal(text)
    except canon.DecimalText:
        return
    assert canon.decimal_text(value) == text


@given(st.fractions() | st.builds(Fraction, DECIMALS) | st.builds(Fraction, st.integers()))
def test_quotient_round_trip(value: Fraction) -> None:
    """A quotient is text just if it ends in range, and is read as the fraction it was."""
    form = canon.quotient(value)
    assert canon.fraction_of(form) == value
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        assert isinstance(form, list)
    assert canon.decode(canon.encode(form)) == form


@given(st.integers(-(10**30), 10**30), st.integers(0, 90), st.integers(0, 90))
def test_quotient_that_ends_is_text_when_it_fits(number: int, twos: int, fives: int) -> None:
    """Denominators of twos and fives give text up to 40 digits, and a pair beyond."""
    value = Fraction(number, 2**twos * 5**fives)
    form = canon.quotient(value)
    places = max(value.denominator.bit_length(), twos, fives)
    digits = str(abs(value.numerator) * 10**places // value.denominator).strip("0")
    assert isinstance(form, str) == (len(digits) <= 40)
    assert canon.fraction_of(form) == value


@given(literals())
def test_context_of_the_thread_does_not_matter(literal: str) -> None:
    """A context of one digit that traps what is inexact changes nothing."""
    expected = canon.read_number(literal)
    with localcontext(Context(prec=1, Emin=-1, Emax=1, traps=[Inexact])):
        text = canon.read_number(literal)
        value = canon.parse_decimal(text)
        assert canon.decimal_text(value) == text == expected
        assert canon.fraction_of(canon.quotient(Fraction(literal))) == Fraction(literal)


def test_limit_on_integer_texts_does_not_matter() -> None:
    """640 digits are read and written even where Python is told to allow no more."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        widest = Fraction(10**640 - 1, 7**50)
        assert canon.fraction_of(canon.quotient(widest)) == widest
        for value in (Fraction(10**640), Fraction(1, 3**2000)):
            with pytest.raises(canon.NumberRange):
                canon.quotient(value)
        with pytest.raises(canon.NumberRange):
            canon.fraction_of(["9" * 10_000, 7])
        with pytest.raises(canon.NumberRange):
            canon.parse_decimal("9" * 10_000)
    finally:
        sys.set_int_max_str_digits(before)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Decimal("-0"), "0"),
        (Decimal("-0.00"), "0"),
        (Decimal("1E+3"), "1000"),
        (Decimal("1.500"), "1.5"),
        (Decimal("-12E-3"), "-0.012"),
    ],
)
def test_text_of_decimals(value: Decimal, text: str) -> None:
    """Any spelling of a decimal has the one text."""
    assert canon.decimal_text(value) == text


def test_a_float_is_not_taken_for_what_it_looks_like() -> None:
    """What the float 0.1 really is has 55 digits, and so no text."""
    with pytest.raises(canon.NumberRange):
        canon.decimal_text(Decimal.from_float(0.1))


@pytest.mark.parametrize("name", ["NaN", "sNaN", "Infinity", "-Infinity"])
def test_decimals_that_are_no_numbers_are_refused(name: str) -> None:
    """What is not finite has no text."""
    with pytest.raises(canon.DecimalText):
        canon.decimal_text(Decimal(name))


@pytest.mark.parametrize("value", [Decimal("1E+104"), Decimal("1E-104"), Decimal("1E+999999")])
def test_decimals_out_of_range_are_refused(value: Decimal) -> None:
    """The places end at 103 on either side of the point, and nothing is expanded before."""
    with pytest.raises(canon.NumberRange):
        canon.decimal_text(value)
