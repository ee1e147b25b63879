"""When an entry was written: milliseconds since 1970 or text, and always exact (PI-15)."""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal, localcontext

from canon import instant_text, read_instant
from canon.refusal import Refusal
from ledger.importers.source_json import Json, Number

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DIGITS = re.compile(r"-?[0-9]{1,17}(?:\.[0-9]{1,9})?", re.ASCII).fullmatch
_MICROSECONDS = 1_000
_NAIVE = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?", re.ASCII
).fullmatch
# As pi writes times; days after the 28th are left to the calendar.
_USUAL = re.compile(
    r"(?!0000)[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
    r"T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z"
).fullmatch
_FRACTION = re.compile(r"(\.[0-9]{6})[0-9]+", re.ASCII)


def time_of(value: Json) -> str | None:
    """Return a time as canonical text, None where *value* is none.

    A number, or a text of digits, is milliseconds since 1970; any other text is of RFC 3339, and
    without an offset it is UTC. What is finer than a microsecond is cut off.
    """
    match value:
        case bool():
            return None
        case int():
            return _since_epoch(str(value))
        case Number(literal):
            return _since_epoch(literal)
        case str() if _USUAL(value):
            return f"{value[:-1]}000Z"
        case str():
            return _since_epoch(value) if _DIGITS(value) else _written(value)
        case _:
            return None


def _since_epoch(digits: str) -> str | None:
    if not _DIGITS(digits):
        return None
    with localcontext(prec=40):  # 17 digits and 9 decimals are exact in it
        microseconds = int(Decimal(digits) * _MICROSECONDS // 1)
    try:
        return instant_text(_EPOCH + timedelta(microseconds=microseconds))
    except (OverflowError, Refusal):
        return None


def _written(text: str) -> str | None:
    whole = _FRACTION.sub(r"\1", text, count=1)
    try:
        return read_instant(f"{whole}Z" if _NAIVE(whole) else whole)
    except Refusal:
        return None
