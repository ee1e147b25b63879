"""Exact quantities: decimals as text, JSON numbers as written, quotients that may not end.

Nothing here passes through a float, and nothing depends on the decimal context of the thread:
all arithmetic is on integers, and ``Decimal`` is only built from text and taken apart again.
"""

import re
from decimal import Decimal
from fractions import Fraction

from canon.errors import DecimalText, NumberLiteral, NumberRange, Quotient
from canon.excerpt import excerpt

DIGITS_LIMIT = 40
EXPONENT_LIMIT = 64
# The decimal places that 40 digits and an exponent of ±64 can reach: 39 + 64 on either side.
PLACE_LIMIT = DIGITS_LIMIT - 1 + EXPONENT_LIMIT
# Python may be told to convert no more than 640 digits to an integer, and never fewer.
INTEGER_DIGITS_LIMIT = 640

_INT64_MIN, _INT64_MAX = -(2**63), 2**63 - 1
_DECIMAL = re.compile(r"(-?)(0|[1-9][0-9]*)(?:\.([0-9]*[1-9]))?", re.ASCII)
_NUMBER = re.compile(r"(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?)([0-9]+))?", re.ASCII)
_INTEGER = re.compile(r"-?[1-9][0-9]*", re.ASCII)


def parse_decimal(text: str) -> Decimal:
    """Return the decimal that canonical *text* stands for (CANON-32).

    Raises:
        DecimalText: The text is another spelling of a decimal, or none.
        NumberRange: The decimal has too many digits, or too far from the point.

    """
    match = _DECIMAL.fullmatch(text)
    if match is None:
        raise DecimalText("decimal", excerpt(text), "-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?")
    sign, whole, part = match[1], match[2], match[3] or ""
    digits = whole + part
    if sign and not digits.strip("0"):
        raise DecimalText("decimal", excerpt(text), "0 without a sign")
    _check_range(digits, -len(part), text)
    return Decimal(text)


def decimal_text(value: Decimal) -> str:
    """Return the canonical text of *value* (CANON-32).

    Raises:
        DecimalText: The value is infinite or not a number.
        NumberRange: The value has too many digits, or too far from the point.

    """
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        raise DecimalText("decimal", str(value), "a finite number")
    return _canonical(bool(sign), "".join(map(str, digits)), exponent, str(value))


def read_number(literal: str) -> str:
    """Return the canonical decimal text of a JSON number, exactly as it is written (CANON-33).

    Args:
        literal: At most 40 digits and an exponent within ±64, both as written.

    Raises:
        NumberLiteral: The text is not a number by RFC 8259 section 6.
        NumberRange: The literal has too many digits or too large an exponent (CANON-34).

    """
    match = _NUMBER.fullmatch(literal)
    if match is None:
        raise NumberLiteral("number", excerpt(literal), "a JSON number")
    sign, whole, part, exponent_sign, exponent_text = match.groups()
    digits = whole + (part or "")
    if len(digits) > DIGITS_LIMIT:
        raise NumberRange("number", f"{len(digits)} digits", f"at most {DIGITS_LIMIT}")
    # The exponent is compared as text before it becomes an integer: it may have any length.
    exponent_digits = (exponent_text or "").lstrip("0") or "0"
    if len(exponent_digits) > 2 or int(exponent_digits) > EXPONENT_LIMIT:
        raise NumberRange("number", excerpt(literal), f"an exponent within ±{EXPONENT_LIMIT}")
    exponent = int((exponent_sign or "") + exponent_digits) - len(part or "")
    return _canonical(bool(sign), digits, exponent, literal)


def quotient(value: Fraction) -> str | list[int | str]:
    """Return decimal text if *value* ends, else ``[numerator, denominator]`` (CANON-35).

    The pair is in lowest terms, the denominator positive; a part outside int64 is decimal text.

    Raises:
        NumberRange: A part has more than 640 digits.

    """
    numerator, denominator = value.numerator, value.denominator
    rest, twos, fives = denominator, 0, 0
    # Beyond the place limit the quotient is no decimal of this profile, so stop there.
    while rest % 2 == 0 and twos <= PLACE_LIMIT:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0 and fives <= PLACE_LIMIT:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    if rest == 1 and places <= PLACE_LIMIT:
        scaled = abs(numerator) * 10**places // denominator
        # More digits than this are out of range anyhow, and Python may refuse to write them.
        if scaled < 10 ** (2 * PLACE_LIMIT + 1):
            digits = str(scaled)
            if _fits(digits, -places):
                return _canonical(numerator < 0, digits, -places, digits)
    return [_part(numerator), _part(denominator)]


def fraction_of(value: object) -> Fraction:
    """Return the fraction that *value* stands for; the inverse of ``quotient``.

    Raises:
        Quotient: The pair is not the one form that the fraction has.
        DecimalText: The text is not a canonical decimal.
        NumberRange: The decimal is out of range, or a part has more than 640 digits.

    """
    if isinstance(value, str):
        return Fraction(parse_decimal(value))
    if not isinstance(value, list) or len(value) != 2:
        raise Quotient("quotient", type(value).__name__, "decimal text or a pair")
    numerator, denominator = _integer(value[0]), _integer(value[1])
    if denominator <= 0:
        raise Quotient("quotient", "a denominator below 1", "a positive denominator")
    fraction = Fraction(numerator, denominator)
    if quotient(fraction) != value:
        raise Quotient("quotient", "another form", "the pair reduced, or decimal text if it ends")
    return fraction


def _canonical(negative: bool, digits: str, exponent: int, source: str) -> str:
    """Return the text of ±digits × 10^exponent, after checking its range."""
    kept = digits.lstrip("0")
    stripped = kept.rstrip("0")
    if not stripped:
        return "0"
    exponent += len(kept) - len(stripped)
    _check_range(stripped, exponent, source)
    if exponent >= 0:
        text = stripped + "0" * exponent
    else:
        padded = stripped.rjust(1 - exponent, "0")
        text = f"{padded[:exponent]}.{padded[exponent:]}"
    return f"-{text}" if negative else text


def _fits(digits: str, exponent: int) -> bool:
    """Tell whether ±digits × 10^exponent is a decimal of the profile (CANON-34)."""
    kept = digits.lstrip("0")
    stripped = kept.rstrip("0")
    lowest = exponent + len(kept) - len(stripped)
    highest = exponent + len(kept) - 1
    return not stripped or (
        len(stripped) <= DIGITS_LIMIT and lowest >= -PLACE_LIMIT and highest <= PLACE_LIMIT
    )


def _check_range(digits: str, exponent: int, source: str) -> None:
    if not _fits(digits, exponent):
        raise NumberRange(
            "decimal",
            excerpt(source),
            f"at most {DIGITS_LIMIT} significant digits within 10^±{PLACE_LIMIT}",
        )


def _part(number: int) -> int | str:
    """Return one side of a pair, as text outside int64."""
    if _INT64_MIN <= number <= _INT64_MAX:
        return number
    # Compared before the text is asked for, which Python refuses beyond a limit of its own.
    if abs(number) >= 10**INTEGER_DIGITS_LIMIT:
        raise NumberRange(
            "quotient",
            f"a part of {number.bit_length()} bits",
            f"at most {INTEGER_DIGITS_LIMIT} digits",
        )
    return str(number)


def _integer(part: object) -> int:
    """Return one side of a pair as an integer."""
    if type(part) is int:
        return part
    if isinstance(part, str) and _INTEGER.fullmatch(part):
        if len(part.lstrip("-")) > INTEGER_DIGITS_LIMIT:
            raise NumberRange(
                "quotient", f"{len(part)} characters", f"at most {INTEGER_DIGITS_LIMIT} digits"
            )
        return int(part)
    got = excerpt(part) if isinstance(part, str) else type(part).__name__
    raise Quotient("quotient", got, "an integer, as text outside int64")
