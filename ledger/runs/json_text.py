"""JSON as run directories hold it: read exactly, and refused where two readers could differ.

What other programs write is read as widely as it is safe: lone surrogates are kept, numbers are
decimals exactly as written. A name that stands twice in an object, NaN and Infinity are refused.
"""

import json
from decimal import Decimal
from typing import Any, NoReturn


class _Refused(ValueError):
    """What RFC 8259 does not have, or what two readers would read differently."""


def read_document(data: bytes) -> tuple[Any, str | None]:
    """Return what JSON text says and None; or None and why it cannot be read.

    Integers are ``int``, other numbers ``Decimal``. Names that stand twice are refused, and so is
    a nesting that the interpreter cannot follow.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        return None, f"byte {fault.start} is not UTF-8"
    try:
        said = json.loads(
            text, parse_float=Decimal, parse_constant=_constant, object_pairs_hook=_object
        )
    except _Refused as fault:
        return None, str(fault)
    except json.JSONDecodeError as fault:
        return None, f"{fault.msg} at character {fault.pos}"
    except (RecursionError, ValueError) as fault:
        return None, "nested too deep" if isinstance(fault, RecursionError) else str(fault)
    return said, None


def _constant(name: str) -> NoReturn:
    raise _Refused(f"{name} is no JSON number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Refused(f"the name {twice[:40]!r} stands twice in one object")
    return made
