"""Times as the records of a run write them, exactly (RUN-32).

Nothing here goes through a float: two records are ordered by their times, and a microsecond that
rounding moved would order them otherwise.
"""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

Instant: TypeAlias = int | Fraction
"""Microseconds since 1970-01-01T00:00:00Z: an integer, or a fraction where a text is finer.

The two compare, and are equal, exactly.
"""

_ISO = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,60}))?)?"
    r"(?:([Zz])|([+-])(\d\d)(?::?(\d\d)(?::?(\d\d))?)?)?",
    re.ASCII,
)
_NUMBER = re.compile(r"[+-]?\d{1,60}(?:\.\d{0,60})?(?:[Ee][+-]?\d{1,2})?", re.ASCII)
_MOST_DIGITS = 120
_MICROSECOND = timedelta(microseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
_LAST = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND + 1


def instant(value: Any) -> Instant | None:
    """Return the time that a JSON value says, None where it says none.

    A number, or a text that is one, is seconds since 1970. Other texts are ISO 8601 with a date
    and a time of day; without an offset they are UTC. A truth value is no number, a date alone is
    no time, and nothing before the year 1 or after 9999 is one.
    """
    if isinstance(value, str):
        return _of_text(value)
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    return _of_seconds(value)


def _of_text(text: str) -> Instant | None:
    match = _ISO.fullmatch(text)
    if match is None:
        return _of_seconds(Decimal(text)) if _NUMBER.fullmatch(text) else None
    day, hour, minute, second, fraction, _, sign, *offset = match.groups()
    try:
        local = datetime.fromisoformat(f"{day}T{hour}:{minute}:{second or '00'}+00:00")
    except ValueError:
        return None
    whole = (local - _EPOCH) // _MICROSECOND
    if sign is not None:
        away = [int(part or 0) for part in offset]
        if away[0] > 23 or max(away[1:]) > 59:
            return None
        shift = timedelta(hours=away[0], minutes=away[1], seconds=away[2]) // _MICROSECOND
        whole += shift if sign == "-" else -shift
    return _within(whole + _finer(fraction or ""))


def _finer(digits: str) -> Instant:
    """Return a fraction of a second, given as its digits, in microseconds."""
    if len(digits) <= 6:
        return int(digits.ljust(6, "0"))
    return Fraction(int(digits), 10 ** (len(digits) - 6))


def _of_seconds(seconds: int | Decimal) -> Instant | None:
    if isinstance(seconds, Decimal):
        _, digits, exponent = seconds.as_tuple()
        # A short text such as 1e-999999 would be a fraction that fills the memory.
        if not isinstance(exponent, int) or len(digits) + abs(exponent) > _MOST_DIGITS:
            return None
    return _within(Fraction(seconds) * 10**6)


def _within(microseconds: Instant) -> Instant | None:
    if not _FIRST <= microseconds < _LAST:
        return None
    return microseconds.numerator if microseconds.denominator == 1 else microseconds
