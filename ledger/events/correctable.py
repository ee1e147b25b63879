"""The fields of an attempt that a maintainer may correct, and what each of them can be."""

import re
from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

from .fields import MAX_CATEGORY_BYTES

Correctable: TypeAlias = Literal["failure_category", "reward", "status"]
"""Names of these fields; a test holds the table below to them."""

Scalar: TypeAlias = int | str | None
"""The value of such a field."""

STATUSES = ("evaluated", "unavailable")
REWARDS = (0, 1)
_NO_CONTROLS = re.compile(r"[^\x00-\x1f\x7f-\x9f]+")


class Field(NamedTuple):
    """What one field can be.

    Attributes:
        allowed: Its values, in words.
        holds: Whether a value is one of them.
    """

    allowed: str
    holds: Callable[[Scalar], bool]


def _is_category(value: Scalar) -> bool:
    """Tell whether it is none, or 1 to 64 bytes without controls, whatever Unicode Python knows."""
    if value is None:
        return True
    if not isinstance(value, str) or not _NO_CONTROLS.fullmatch(value):
        return False
    return len(value.encode()) <= MAX_CATEGORY_BYTES


CORRECTABLE: dict[str, Field] = {
    "failure_category": Field(
        f"a word of 1 to {MAX_CATEGORY_BYTES} bytes on one line, or null", _is_category
    ),
    "reward": Field("0 or 1", lambda value: type(value) is int and value in REWARDS),
    "status": Field("evaluated or unavailable", lambda value: value in STATUSES),
}
"""Field to what it can be (EVENT-34)."""


def typed(field: str, text: str) -> Scalar:
    """Return the value that *text* is written for; whether the field can have it is not asked."""
    if text == "null":
        return None
    if field == "reward" and text in map(str, REWARDS):
        return int(text)
    return text
