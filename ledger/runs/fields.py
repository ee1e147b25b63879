"""Fields of a record read: by the names they go by, and as what they must be (RUN-31, RUN-32)."""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, TypeVar

from .times import Instant, instant

ALIASES: dict[str, tuple[str, ...]] = {
    "event": ("event", "type", "kind", "name"),
    "instance": ("instance", "instance_id", "lab", "instanceId"),
    "dimension": ("dimension", "dim", "dimension_id"),
    "tick": ("tick", "server_tick", "serverTick", "game_tick"),
    "seq": ("seq", "sequence", "sequence_in_tick", "index", "order"),
    "uuid": ("uuid", "cart_uuid", "entity_uuid", "entity_id"),
    "at": ("at", "time", "timestamp", "wall_time", "captured_at"),
    "actor": ("actor", "actor_uuid", "player", "player_uuid", "operator"),
    "run_id": ("run_id", "runId"),
}
"""Field to the names it goes by; the first that is there, and is not null, holds it (RUN-31)."""

_MOST = 2**63
_MOST_DIGITS = 40

_DIGEST = re.compile("[0-9A-Fa-f]{64}")
"""``bytes.fromhex`` alone passes over spaces, so that 64 characters could be fewer bytes."""

_Read = TypeVar("_Read")


class Fields:
    """Reads fields of one record, and remembers those that are there and cannot be read."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        """Read from *raw*."""
        self._raw = raw
        self._malformed: list[str] = []

    @property
    def malformed(self) -> tuple[str, ...]:
        """The names under which something stood that is not of its kind."""
        return tuple(dict.fromkeys(self._malformed))

    def any_of(self, field: str, reader: Callable[[Any], _Read | None]) -> _Read | None:
        """Return a field by the first of its names that is there."""
        name = self._name(field)
        return None if name is None else self.one(name, reader)

    def one(self, name: str, reader: Callable[[Any], _Read | None]) -> _Read | None:
        """Return the field of exactly this name."""
        value = self._raw.get(name)
        if value is None:
            return None
        read = reader(value)
        if read is None:
            self._malformed.append(name)
        return read

    def time(self, name: str | None) -> Instant | None:
        """Return the time in the field of exactly this name."""
        value = None if name is None else self._raw.get(name)
        read = instant(value)
        if name is not None and value is not None and read is None:
            self._malformed.append(name)
        return read

    def any_time(self) -> Instant | None:
        """Return the time in the first of its fields that is there."""
        return self.time(self._name("at"))

    def _name(self, field: str) -> str | None:
        return next((one for one in ALIASES[field] if self._raw.get(one) is not None), None)


def text(value: Any) -> str | None:
    """Return a text that is not empty or only space."""
    return value if isinstance(value, str) and value.strip() else None


def whole(value: Any) -> int | None:
    """Return a number without a fraction, or a text of digits, if it fits into 64 bits."""
    if isinstance(value, str):
        digits = value.removeprefix("-")
        if not (digits.isascii() and digits.isdigit()) or len(digits) > _MOST_DIGITS:
            return None
        value = int(value)
    elif isinstance(value, Decimal):
        # 1e999999999 is a short text and a number that fills the memory.
        if value and (value.adjusted() > _MOST_DIGITS or value != value.to_integral_value()):
            return None
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if -_MOST <= value < _MOST else None


def digest(value: Any) -> bytes | None:
    """Return a SHA-256 written as 64 hexadecimal digits, 32 bytes."""
    if not isinstance(value, str) or _DIGEST.fullmatch(value) is None:
        return None
    return bytes.fromhex(value)
