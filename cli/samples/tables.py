"""Trials as rows of a release, and the sums that a release stores beside its rows."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from statistics import median
from typing import NamedTuple, TypeAlias

from .trials import Recording, Trial, Usage
from .world import AGENT, TIMEOUT_SECONDS

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

_WHOLE_SECONDS = "%Y-%m-%dT%H:%M:%SZ"


class Era(NamedTuple):
    """What the rows of a release have, by the time it was made in.

    Attributes:
        efforts: Reasoning efforts.
        recordings: Rounds, tool calls and their times, and what was found after the agent's time.
        subscriptions: What tokens would have cost, in the sums too.
        cached_apart: Whether cached tokens are no part of the input tokens.

    """

    efforts: bool
    recordings: bool
    subscriptions: bool
    cached_apart: bool


def row(trial: Trial, era: Era) -> dict[str, Json]:
    """Return *trial* as one element of ``runs``."""
    at_once, after_restart, after_reboot = trial.phases
    verification: dict[str, Json] = {
        "immediate_http": at_once,
        "service_restart": after_restart,
        "host_reboot": after_reboot,
    }
    found: dict[str, Json] = {
        "run_id": run_id(trial),
        "agent": AGENT,
        "model": trial.system.model,
        "scenario": trial.drill.id,
        "scenario_version": trial.drill.version,
        "attempt": trial.number,
        "started_at": trial.started.strftime(_WHOLE_SECONDS),
        "finished_at": trial.finished.strftime(_WHOLE_SECONDS),
        "agent_duration_seconds": trial.seconds,
        "agent_timeout_seconds": TIMEOUT_SECONDS,
        "trial_status": "evaluated" if trial.evaluated else "unavailable",
        "reward": int(trial.passed),
        "failure": trial.failure,
        "failure_category": trial.category,
        "usage": None if trial.usage is None else _usage(trial.usage, era),
        "verification": verification,
    }
    if era.efforts:
        found["reasoning_effort"] = trial.system.effort
    if era.recordings:
        verification["after_agent_timeout"] = _late(trial)
        if trial.recording is not None:
            found["recording"] = _recording(trial.recording)
    return found


def run_id(trial: Trial) -> str:
    """Return the source's name of a trial, which other releases may use too."""
    system = trial.system
    model = system.model.replace("/", "-")
    effort = "" if system.effort is None else f"-reasoning-{system.effort}"
    return f"{trial.drill.id}-{model}{effort}-{trial.number}"


def totals(trials: Sequence[Trial], era: Era) -> dict[str, Json]:
    """Return the sums over *trials*, each of which follows from their rows."""
    evaluated = [trial for trial in trials if trial.evaluated]
    passed = [trial for trial in evaluated if trial.passed]
    costs = [trial.usage.cost_usd for trial in trials if trial.usage is not None]
    found: dict[str, Json] = {
        "trials": len(trials),
        "evaluated": len(evaluated),
        "unavailable": len(trials) - len(evaluated),
        "passed": len(passed),
        "failed": len(evaluated) - len(passed),
        "pass_rate": len(passed) / len(evaluated) if evaluated else None,
        "median_duration_seconds": _median(trial.seconds for trial in evaluated),
        "known_cost_usd": _sum(costs),
        "cost_reported_trials": _reported(costs),
        "failure_categories": _words(trial for trial in evaluated if not trial.passed),
        **_tokens(trials, era),
    }
    if era.recordings:
        found["unavailable_categories"] = _words(trial for trial in trials if not trial.evaluated)
        found["durable_repairs_after_timeout"] = sum(trial.late is True for trial in trials)
        found |= _recorded(trials)
    if era.subscriptions:
        worth = [trial.usage.subscription_usd for trial in trials if trial.usage is not None]
        found["subscription_usage_usd"] = _sum(worth)
        found["subscription_usage_reported_trials"] = _reported(worth)
    return found


def by_model(trials: Sequence[Trial], era: Era) -> list[Json]:
    """Return the sums of each system."""
    return [
        {**_system(group[0], era), **totals(group, era)}
        for group in _groups(trials, lambda trial: trial.system)
    ]


def by_scenario_model(trials: Sequence[Trial], era: Era) -> list[Json]:
    """Return the sums of each system at each drill."""
    return [
        {
            "scenario": group[0].drill.id,
            "scenario_version": group[0].drill.version,
            **_system(group[0], era),
            **totals(group, era),
        }
        for group in _groups(trials, lambda trial: (trial.drill, trial.system))
    ]


def _groups(trials: Sequence[Trial], key: Callable[[Trial], object]) -> list[list[Trial]]:
    groups: dict[object, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(key(trial), []).append(trial)
    return list(groups.values())


def _system(trial: Trial, era: Era) -> dict[str, Json]:
    named: dict[str, Json] = {"model": trial.system.model}
    return named | ({"reasoning_effort": trial.system.effort} if era.efforts else {})


def _usage(usage: Usage, era: Era) -> dict[str, Json]:
    cached = 0 if era.cached_apart else usage.cache_read_tokens
    found: dict[str, Json] = {
        "input_tokens": usage.input_tokens + cached,
        "output_tokens": usage.output_tokens,
        "cache_read_tokens": usage.cache_read_tokens,
        "cache_creation_tokens": usage.cache_creation_tokens,
        "cost_usd": _number(usage.cost_usd),
    }
    if usage.subscription_usd is not None:
        found["reasoning_tokens"] = usage.reasoning_tokens
        found["subscription_usage_usd"] = _number(usage.subscription_usd)
    return found


def _late(trial: Trial) -> Json:
    if trial.late is None:
        return None
    return {
        "durable_repair": trial.late,
        "failure": None if trial.late else trial.failure,
        "failure_category": None if trial.late else "volume_still_full",
    }


def _recording(recording: Recording) -> dict[str, Json]:
    first = recording.first_write_ms
    return {
        "model_rounds": recording.rounds,
        "tool_calls": recording.tool_calls,
        "total_duration_seconds": recording.total_ms / 1000,
        "model_duration_seconds": recording.model_ms / 1000,
        "tool_duration_seconds": recording.tool_ms / 1000,
        "first_non_read_only_tool_seconds": None if first is None else first / 1000,
        "post_first_non_read_only_seconds": (
            None if first is None else (recording.total_ms - first) / 1000
        ),
    }


def _tokens(trials: Sequence[Trial], era: Era) -> dict[str, Json]:
    usages = [_usage(trial.usage, era) for trial in trials if trial.usage is not None]
    names = ("input_tokens", "output_tokens", "cache_read_tokens")
    sums: dict[str, Json] = {name: sum(_int(usage[name]) for usage in usages) for name in names}
    return sums | {"usage_reported_trials": len(usages)}


def _recorded(trials: Sequence[Trial]) -> dict[str, Json]:
    kept = [_recording(trial.recording) for trial in trials if trial.recording is not None]
    names = (
        "model_rounds",
        "tool_calls",
        "model_duration_seconds",
        "tool_duration_seconds",
        "first_non_read_only_tool_seconds",
        "post_first_non_read_only_seconds",
    )
    found: dict[str, Json] = {"recording_reported_trials": len(kept)}
    for name in names:
        values = [each[name] for each in kept]
        found[f"median_{name}"] = _median(
            value for value in values if isinstance(value, int | float)
        )
    return found


def _words(trials: Iterable[Trial]) -> dict[str, Json]:
    counted = Counter(trial.category for trial in trials if trial.category is not None)
    return dict(counted.items())


def _median(values: Iterable[float]) -> float | None:
    ordered = list(values)
    return median(ordered) if ordered else None


def _sum(amounts: Sequence[Decimal | None]) -> float:
    # The format has 0 where nothing is known; whoever reads it must not believe that.
    return float(sum((amount for amount in amounts if amount is not None), Decimal(0)))


def _reported(amounts: Sequence[Decimal | None]) -> int:
    return sum(amount is not None for amount in amounts)


def _number(amount: Decimal | None) -> float | None:
    return None if amount is None else float(amount)


def _int(value: Json) -> int:
    assert isinstance(value, int)  # noqa: S101  # tokens are counts
    return value
