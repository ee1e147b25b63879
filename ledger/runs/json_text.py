"""JSON as run directories hold it: read exactly, and refused where two readers could differ.

What other programs write is read as widely as it is safe: lone surrogates are kept, numbers are
decimals exactly as written. A name that stands twice in an object, NaN and Infinity are refused.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal, DecimalException
from itertools import accumulate
from typing import Any, Literal, NoReturn, TypeAlias

from msgspec import Struct

JsonFault: TypeAlias = Literal["not_utf8", "not_json", "duplicate_name", "too_deep"]
"""Why bytes are no JSON that everybody reads alike."""

MAX_DEPTH = 256
"""How many objects and lists may stand in one another (RUN-30).

The interpreter follows a thousand or so, fewer the deeper its caller stands: so one line would be
a record to a recorder and none to a verifier.
"""

_TEXT = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_STEPS = tuple(1 if one in b"[{" else -1 for one in range(256))
_NO_BRACKET = bytes(set(range(256)) - set(b"[]{}"))


class Parsed(Struct, frozen=True):
    """What JSON text says, or why it cannot be read.

    Attributes:
        said: What it says; None where there is a fault.
        fault: One word.
        why: A sentence without its end.
    """

    said: Any = None
    fault: JsonFault | None = None
    why: str | None = None


class _Refused(ValueError):
    """What RFC 8259 does not have, or what two readers would read differently."""


class _Twice(_Refused):
    """A name stands twice in one object."""


def parse(data: bytes) -> Parsed:
    """Read JSON text, with the word and the sentence for what is wrong with it.

    Integers are ``int``, other numbers ``Decimal``. Names that stand twice are refused, and so is
    what is nested deeper than :data:`MAX_DEPTH`.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        return Parsed(fault="not_utf8", why=f"byte {fault.start} is not UTF-8")
    if _is_too_deep(data):
        return Parsed(fault="too_deep", why="nested too deep")
    try:
        said = _DECODER.decode(text)
    except _Twice as fault:
        return Parsed(fault="duplicate_name", why=str(fault))
    except json.JSONDecodeError as fault:
        why = f"{fault.msg}: line {fault.lineno} column {fault.colno}"
        return Parsed(fault="not_json", why=why)
    except ValueError as fault:  # a constant, or an integer of thousands of digits
        return Parsed(fault="not_json", why=str(fault))
    return Parsed(said=said)


def read_document(data: bytes) -> tuple[Any, str | None]:
    """Return what JSON text says and None; or None and why it cannot be read (:func:`parse`)."""
    parsed = parse(data)
    return parsed.said, parsed.why


def _constant(name: str) -> NoReturn:
    raise _Refused(f"the constant {name} is no JSON number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = Counter(name for name, _ in pairs)
        twice = next(name for name, times in names.items() if times > 1)
        raise _Twice(f"the name {twice[:40]!r} stands twice in one object")
    return made


def decimal(text: str) -> Decimal:
    """Return a number exactly.

    Raises:
        ValueError: Its exponent is of more digits than any arithmetic has.
    """
    try:
        return Decimal(text)
    except DecimalException:
        raise _Refused(f"{text[:40]} is a number beyond all others") from None


def _is_too_deep(data: bytes) -> bool:
    """Tell whether brackets, outside of texts, stand more than :data:`MAX_DEPTH` deep."""
    if data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
        return False
    brackets = _TEXT.sub(b"", data).translate(None, _NO_BRACKET)
    return max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) > MAX_DEPTH


_DECODER = json.JSONDecoder(
    parse_float=decimal, parse_constant=_constant, object_pairs_hook=_object
)
"""Made once: to make one takes longer than to read most lines."""


def text_of(value: Any) -> str:
    """Return a value as JSON text on one line, numbers as they were written.

    Text stays as it is; a lone surrogate, which no UTF-8 has, is written as its escape.

    Raises:
        TypeError: Something in it is nothing that JSON has.
        ValueError: A float in it is no number, or it is nested too deep.
    """
    return "".join(_written(value, 0))


# `json.dumps` with any option makes an encoder for each value, which takes most of the time.
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def _written(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield _quoted(value)
    elif value is None or isinstance(value, bool | int | float):
        yield _encode(value)
    elif isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} is no JSON number")
        yield str(value)
    elif depth == MAX_DEPTH and isinstance(value, Mapping | list | tuple):
        raise ValueError("nested too deep")
    elif isinstance(value, Mapping):
        for number, (name, inner) in enumerate(value.items()):
            if not isinstance(name, str):
                raise TypeError(f"{type(name).__name__} as a name")
            yield f"{', ' if number else '{'}{_quoted(name)}: "
            yield from _written(inner, depth + 1)
        yield "}" if value else "{}"
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield ", " if number else "["
            yield from _written(inner, depth + 1)
        yield "]" if value else "[]"
    else:
        raise TypeError(type(value).__name__)


def _quoted(text: str) -> str:
    plain = _encode(text)
    if plain.isascii():
        return plain
    try:
        plain.encode()
    except UnicodeEncodeError:
        return json.dumps(text)
    return plain
