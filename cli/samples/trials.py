"""Trials of the made-up world, each number drawn from a digest of what it stands for.

The same trial has the same numbers wherever and whenever it is made: there is no clock, no
random generator, and nothing that another version of Python could do differently.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import NamedTuple

from canon import sha256

from .world import TIMEOUT_SECONDS, Drill, Fate, Mishap, Plan, System

_MILLION = Decimal(1_000_000)
_Key = tuple[System, Drill, int]


class Usage(NamedTuple):
    """Tokens and money of one trial.

    Attributes:
        input_tokens, cache_read_tokens, cache_creation_tokens, output_tokens: Counts.
        reasoning_tokens: Told by subscriptions only.
        cost_usd: What was paid; None where nobody reported it.
        subscription_usd: What the tokens would have cost, told by subscriptions only.

    """

    input_tokens: int
    cache_read_tokens: int
    cache_creation_tokens: int
    output_tokens: int
    reasoning_tokens: int | None
    cost_usd: Decimal | None
    subscription_usd: Decimal | None


class Recording(NamedTuple):
    """Rounds and tool calls of one trial; times in milliseconds.

    Attributes:
        rounds, tool_calls: Counts.
        total_ms, model_ms, tool_ms: Durations.
        first_write_ms: Until the first tool call that could change something, if there was one.

    """

    rounds: int
    tool_calls: int
    total_ms: int
    model_ms: int
    tool_ms: int
    first_write_ms: int | None


class Trial(NamedTuple):
    """One attempt of a system at a drill.

    Attributes:
        system, drill, number: Which one; numbers start at 1.
        started, finished: UTC, whole seconds.
        seconds: How long the agent worked.
        evaluated: Whether it counts for or against the system.
        passed: Whether the repair held at once, after a restart and after a reboot.
        late: What was found after the agent's time was over; None if it was not over.
        category, failure: The release's word and prose for what went wrong.
        phases: Whether the service answered at once, after a restart, after a reboot.
        usage, recording: None where they were not captured.

    """

    system: System
    drill: Drill
    number: int
    started: datetime
    finished: datetime
    seconds: int
    evaluated: bool
    passed: bool
    late: bool | None
    category: str | None
    failure: str | None
    phases: tuple[bool, bool, bool]
    usage: Usage | None
    recording: Recording | None


def play(
    systems: Sequence[System], drills: Sequence[Drill], plan: Plan, first: datetime
) -> list[Trial]:
    """Return three attempts of every system at every drill, one after another from *first* on."""
    trials, clock = [], first
    for drill in drills:
        for system in systems:
            for number in (1, 2, 3):
                key = (system, drill, number)
                trials.append(_trial(key, plan.get(key), clock))
                clock = trials[-1].finished + timedelta(seconds=_draw(key, "pause", 4, 20))
    return trials


def _trial(key: _Key, mishap: Mishap | None, started: datetime) -> Trial:
    fate = None if mishap is None else mishap.fate
    timed_out = fate in (Fate.TIMED_OUT, Fate.REPAIRED_LATE)
    unavailable = fate is Fate.UNAVAILABLE
    seconds = _draw(key, "seconds", *key[1].seconds)
    if timed_out:
        seconds = TIMEOUT_SECONDS + _draw(key, "over", 1, 6)
    elif unavailable:
        seconds = _draw(key, "gone", 3, 9)
    passed = fate in (None, Fate.COST_UNKNOWN)
    rounds = 1 if unavailable else max(3, seconds // _draw(key, "pace", 9, 16))
    usage = None if timed_out else _usage(key, rounds, answered=not unavailable)
    if usage is not None and fate is Fate.COST_UNKNOWN:
        usage = usage._replace(cost_usd=None)
    held = (passed, passed, passed)
    if fate is Fate.FAILED:
        held = (True, _draw(key, "restart", 0, 1) == 1, False)
    return Trial(
        *key,
        started,
        started + timedelta(seconds=seconds + _draw(key, "check", 35, 80)),
        seconds,
        evaluated=not unavailable,
        passed=passed,
        late=fate is Fate.REPAIRED_LATE if timed_out else None,
        category=None if mishap is None else mishap.category,
        failure=None if mishap is None else mishap.failure,
        phases=held,
        usage=usage,
        recording=_recording(key, seconds, rounds, answered=not unavailable),
    )


def _usage(key: _Key, rounds: int, *, answered: bool) -> Usage:
    system = key[0]
    fresh = rounds * _draw(key, "input", 700, 1500)
    cached = (rounds - 1) * _draw(key, "cached", 4_000, 9_000)
    output = rounds * _draw(key, "output", 90, 260) if answered else 0
    price, cached_price, output_price = system.prices
    worth = (fresh * price + cached * cached_price + output * output_price) / _MILLION
    return Usage(
        fresh,
        cached,
        fresh // 3 if answered else 0,
        output,
        output * 2 // 5 if system.subscription else None,
        None if system.subscription else worth,
        worth if system.subscription else None,
    )


def _recording(key: _Key, seconds: int, rounds: int, *, answered: bool) -> Recording:
    total = seconds * 1000 - _draw(key, "total", 100, 900)
    calls = rounds * 3 // 2 if answered else 0
    return Recording(
        rounds,
        calls,
        total,
        total * _draw(key, "model", 45, 70) // 100,
        calls * _draw(key, "tool", 60, 900),
        _draw(key, "first", 2_000, 11_000) if answered else None,
    )


def _draw(key: _Key, what: str, low: int, high: int) -> int:
    """Return a number from *low* to *high* that depends on nothing but its arguments."""
    system, drill, number = key
    name = f"{system.model} {system.effort} {drill.id} {drill.version} {number} {what}"
    return low + int.from_bytes(sha256(name.encode())[:8]) % (high - low + 1)
