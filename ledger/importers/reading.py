"""JSON values as fields of events: exact, checked, and told apart from what is missing.

Each function takes the value and a pointer to it, and refuses a value that the field cannot hold.
The pointer is relative to the record; ``placed`` puts the file and the record in front.
"""

import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from canon import check_text, read_instant, read_number
from canon.excerpt import excerpt
from canon.refusal import Refusal
from ledger.errors import FieldInvalid, IdentifierInvalid, NotFinite
from ledger.events.fields import MAX_CATEGORY_BYTES, MAX_IDENTIFIER_BYTES

from .source_json import Json, NonFinite, Number, kind_of

T = TypeVar("T")

is_plain = re.compile(r"[ -~]{1,256}").fullmatch
"""Tells names in ASCII, which nearly all are, from those that need a closer look."""

is_plain_word = re.compile(r"[ -~]{1,64}").fullmatch
"""The same for words."""

is_whole_second = re.compile(
    r"(?!0000)[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
    r"T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z"
).fullmatch
"""Tells times as most sources write them; days after the 28th are left to the calendar."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]").search
_DECIMAL = re.compile(r"(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?").fullmatch
_MAX_COUNT = 2**63 - 1
_SAFE_DIGITS = 40
_SAFE_NUMBER = 10**_SAFE_DIGITS


def placed(refusal: Refusal, place: str) -> Refusal:
    """Return *refusal* with *place* in front of its own place."""
    return type(refusal)(
        place + refusal.place, refusal.got, refusal.expected, remedy=refusal.remedy
    )


def optional(read: Callable[[Json, str], T], value: Json, pointer: str) -> T | None:
    """Return what *read* makes of *value*, None for null."""
    return None if value is None else read(value, pointer)


def record(value: Json, pointer: str) -> dict[str, Json]:
    """Return *value* as an object."""
    if type(value) is dict:
        return value
    raise FieldInvalid(pointer, kind_of(value), "an object")


def elements(value: Json, pointer: str) -> Iterator[tuple[Json, str]]:
    """Yield the elements of an array, each with a pointer to it."""
    if type(value) is not list:
        raise FieldInvalid(pointer, kind_of(value), "an array")
    for index, element in enumerate(value):
        yield element, f"{pointer}/{index}"


def identifier(value: Json, pointer: str) -> str:
    """Return *value* as one line of 1 to 256 bytes that can stand in canonical data."""
    if type(value) is str:
        if is_plain(value):
            return value
        fault = _text_fault(value, MAX_IDENTIFIER_BYTES)
        if fault is None:
            return value
        raise IdentifierInvalid(pointer, fault, "one line of 1 to 256 bytes")
    raise FieldInvalid(pointer, kind_of(value), "text that names something")


def word(value: Json, pointer: str) -> str | None:
    """Return *value* as a word of 1 to 64 bytes, None for text that is none."""
    if type(value) is str:
        if is_plain_word(value) or _text_fault(value, MAX_CATEGORY_BYTES) is None:
            return value
        return None
    raise FieldInvalid(pointer, kind_of(value), "a word or null")


def truth(value: Json, pointer: str) -> bool | None:
    """Return *value* as true, false or null."""
    if value is None or value is True or value is False:
        return value
    raise FieldInvalid(pointer, kind_of(value), "true, false or null")


def quantity(value: Json, pointer: str) -> str:
    """Return a number as canonical decimal text, exactly as it was written."""
    if type(value) is int:
        literal = str(value)
        if -_SAFE_NUMBER < value < _SAFE_NUMBER:
            return literal
    elif type(value) is Number:
        literal = value.literal
        if len(literal) <= _SAFE_DIGITS and _DECIMAL(literal):
            return literal
    elif type(value) is NonFinite:
        raise NotFinite(pointer, value.literal, "a finite number")
    else:
        raise FieldInvalid(pointer, kind_of(value), "a number")
    try:
        return read_number(literal)
    except Refusal as fault:
        raise type(fault)(pointer, fault.got, fault.expected) from None


def quantity_or_null(value: Json, pointer: str) -> str | None:
    """Return a number as :func:`quantity` does, None for null."""
    if value is None:
        return None
    if type(value) is Number:
        # As `quantity` begins; most numbers end here, a call earlier.
        literal = value.literal
        if len(literal) <= _SAFE_DIGITS and _DECIMAL(literal):
            return literal
    return quantity(value, pointer)


def count(value: Json, pointer: str) -> int:
    """Return a number as a count from 0 to 2^63-1; 3.0 is 3."""
    if type(value) is not int:
        text = quantity(value, pointer)
        value = int(text) if text.isdigit() else -1
    if 0 <= value <= _MAX_COUNT:
        return value
    raise FieldInvalid(pointer, kind_of(value), "an integer from 0 to 2^63-1")


def count_or_null(value: Json, pointer: str) -> int | None:
    """Return a number as :func:`count` does, None for null."""
    if value is None or (type(value) is int and 0 <= value <= _MAX_COUNT):
        return value
    return count(value, pointer)


def instant(value: Json, pointer: str) -> str:
    """Return a time as canonical text; one without its offset from UTC is refused."""
    if type(value) is str:
        if is_whole_second(value):
            return in_full(value)
        try:
            return read_instant(value)
        except Refusal as fault:
            raise type(fault)(pointer, fault.got, fault.expected) from None
    raise FieldInvalid(pointer, kind_of(value), "a time as text")


def in_full(whole_second: str) -> str:
    """Return a time for which :func:`is_whole_second` holds as canonical text."""
    return whole_second[:-1] + ".000000Z"


def _text_fault(text: str, limit: int) -> str | None:
    """Return what keeps *text* from standing in an entry as a name, None if nothing does."""
    control = _CONTROL(text)
    if not text or control:
        return "empty text" if control is None else f"text with U+{ord(control[0]):04X}"
    try:
        check_text(text, "text")
    except Refusal as fault:
        return f"{excerpt(text)}, which is not {fault.expected}"
    length = len(text.encode())
    return f"text of {length} bytes" if length > limit else None
