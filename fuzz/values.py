"""Changes to decoded values: what is encoded again is canonical, and only its content odd."""

from collections.abc import Callable
from random import Random
from typing import Any

Value = Any

_NUMBERS = (0, 1, 2, 23, 24, 255, 256, 65_535, 65_536, 2**31, 2**53, 2**61 - 1, 2**62, 2**63 - 1)
_TEXTS = (
    "", "a", "/", "%", "*", ":", "+", "é", "\u2028", "x" * 64, "x" * 257, "root", "record", "null",
    "1", "-1", "1.50", "0.1", "1e400", "NaN", "9" * 41, "9" * 5_000, "2026-01-01T00:00:00.000000Z",
    "9999-12-31T23:59:59.999999Z", "att-00000000000000000000000000000000", "replaybook/1",
)  # fmt: skip
_FEW = 3


def changed(value: Value, rng: Random) -> Value:
    """Return *value* with one part replaced, removed, repeated, moved or nudged."""
    return _at_random_place(value, rng, lambda inner: _other(inner, rng))


def _at_random_place(value: Value, rng: Random, change: Callable[[Value], Value]) -> Value:
    """Apply *change* to a random part, the deeper ones as likely as the others."""
    if rng.random() < 0.15:
        return change(value)
    if isinstance(value, list) and value:
        at = rng.randrange(len(value))
        inner = _at_random_place(value[at], rng, change)
        return [*value[:at], inner, *value[at + 1 :]]
    if isinstance(value, dict) and value:
        key = rng.choice(list(value))
        return {**value, key: _at_random_place(value[key], rng, change)}
    return change(value)


def _other(value: Value, rng: Random) -> Value:
    """Return something in the place of *value*, mostly of its own kind."""
    if rng.random() < 0.1:
        return anything(rng)
    if isinstance(value, bool) or value is None:
        return rng.choice((True, False, None))
    if isinstance(value, int):
        near = value + rng.choice((-1, 1, -value * 2, 256))
        return max(-(2**63), min(rng.choice((near, *_NUMBERS)), 2**63 - 1))
    if isinstance(value, str):
        return rng.choice((*_TEXTS, value + "x", value[:-1], value.upper(), value * 2))
    if isinstance(value, bytes):
        return _other_bytes(value, rng)
    if isinstance(value, list):
        return _other_list(value, rng)
    return _other_map(value, rng)


def _other_bytes(value: bytes, rng: Random) -> bytes:
    if value and rng.random() < 0.6:
        at = rng.randrange(len(value))
        return value[:at] + bytes([value[at] ^ 1 << rng.randrange(8)]) + value[at + 1 :]
    return rng.choice((b"", value[:-1], value + b"\0", bytes(len(value)), rng.randbytes(32)))


def _other_list(value: list[Value], rng: Random) -> list[Value]:
    if not value:
        return [anything(rng)]
    at = rng.randrange(len(value))
    match rng.randrange(6):
        case 0:
            return value[:at] + value[at + 1 :]
        case 1:
            return [*value, value[at]]
        case 2:
            return value[::-1]
        case 3:
            return [*value[:at], anything(rng), *value[at:]]
        case 4:
            return value * rng.choice((0, 2, 17, 70))
        case _:
            shuffled = list(value)
            rng.shuffle(shuffled)
            return shuffled


def _other_map(value: dict[Any, Value], rng: Random) -> dict[Any, Value]:
    if not value:
        return {"": anything(rng)}
    key, twin = rng.choice(list(value)), rng.choice(list(value))
    match rng.randrange(4):
        case 0:
            return {name: item for name, item in value.items() if name != key}
        case 1:
            return {**value, key: value[twin], twin: value[key]}
        case 2:
            more: Any = rng.choice(_TEXTS) if isinstance(key, str) else rng.choice(_NUMBERS)
            return {**value, more: anything(rng)}
        case _:
            return {**value, key: anything(rng)}


def anything(rng: Random, depth: int = 3) -> Value:
    """Return a value of any kind, of at most *depth* levels."""
    match rng.randrange(8 if depth else 5):
        case 0:
            return rng.choice((True, False, None))
        case 1:
            return rng.choice(_NUMBERS)
        case 2:
            return -rng.choice(_NUMBERS)
        case 3:
            return rng.choice(_TEXTS)
        case 4:
            return rng.randbytes(rng.choice((0, 1, 16, 31, 32, 64)))
        case 5:
            return [anything(rng, depth - 1) for _ in range(rng.randrange(_FEW))]
        case 6:
            return {rng.choice(_TEXTS): anything(rng, depth - 1) for _ in range(_FEW)}
        case _:
            deep: Value = []
            for _ in range(rng.choice((2, 14, 15, 16, 17))):
                deep = [deep]
            return deep
