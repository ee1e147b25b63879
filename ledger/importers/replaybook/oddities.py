"""The flags that follow from what a row says (IMPORT-35); the row is kept as it is."""

from decimal import Decimal

from ledger.errors import TimesReversed
from ledger.events import Phases, Recording, Usage

from .notes import Notes


def judge_category(category: str | None, *, evaluated: bool, passed: bool, notes: Notes) -> None:
    """Note a failed or unavailable row that names no category."""
    if category is not None or "category_not_a_word" in notes.flags:
        return
    if not evaluated:
        notes.add("unavailable_without_category")
    elif not passed:
        notes.add("failed_without_category")


def judge_times(
    started: str, finished: str, duration: str | None, timeout: str | None, notes: Notes
) -> None:
    """Note times that cannot be, and a duration over the limit.

    Args:
        started: Canonical time.
        finished: Canonical time.
        duration: Seconds of the agent, as decimal text.
        timeout: Limit on them, as decimal text.
        notes: Takes the flags.
    """
    if finished < started:
        problem = TimesReversed("/finished_at", finished, f"a time not before {started}")
        notes.add("finished_before_started", problem)
    if duration is None:
        return
    if duration[0] == "-":
        problem = TimesReversed("/agent_duration_seconds", duration, "0 or more seconds")
        notes.add("finished_before_started", problem)
    if timeout is not None and _exceeds(duration, timeout):
        notes.add("duration_over_timeout")


def judge_phases(phases: Phases | None, *, passed: bool, notes: Notes) -> None:
    """Note a reward that the three phases contradict; phases that are null say nothing."""
    if phases is None:
        return
    held = (phases.host_reboot, phases.immediate_http, phases.service_restart)
    if (False in held) if passed else held == (True, True, True):
        notes.add("reward_contradicts_phases")


def judge_spend(
    usage: Usage | None, recording: Recording | None, *, evaluated: bool, notes: Notes
) -> None:
    """Note spend and progress of an unavailable row, and a zero that may mean missing."""
    if not evaluated and recording is not None and recording.model_rounds and recording.tool_calls:
        notes.add("unavailable_after_progress")
    if usage is None:
        return
    if usage.cost_usd == "0" and not (
        usage.input_tokens
        or usage.output_tokens
        or usage.reasoning_tokens
        or usage.cache_read_tokens
        or usage.cache_creation_tokens
    ):
        notes.add("zero_cost_nothing_ran")
    if not evaluated:
        if usage.output_tokens:
            notes.add("unavailable_after_progress")
        if usage.cost_usd is not None and usage.cost_usd != "0":
            notes.add("spend_on_unavailable")


def _exceeds(duration: str, timeout: str) -> bool:
    if duration.isdigit() and timeout.isdigit():
        return int(duration) > int(timeout)
    # Comparing decimals is exact whatever the context says.
    return Decimal(duration) > Decimal(timeout)
