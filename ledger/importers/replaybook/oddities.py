"""The flags that follow from what a row says (IMPORT-35); the row is kept as it is."""

from decimal import Decimal

from ledger.errors import TimesReversed

from .notes import Notes
from .trial import OfPhases, OfRecording, OfUsage

_ALL_HELD = (True, True, True)


def judge(
    notes: Notes,
    status: str,
    reward: int,
    category: str | None,
    started: str,
    finished: str,
    duration: str | None,
    timeout: str | None,
    usage: OfUsage | None,
    phases: OfPhases | None,
    recording: OfRecording | None,
) -> None:
    """Note what is odd about a row.

    Args:
        notes: Takes the flags.
        status: ``evaluated`` or ``unavailable``.
        reward: 0 or 1.
        category: Why it failed, or was unavailable.
        started: Canonical time.
        finished: Canonical time.
        duration: Seconds of the agent, as decimal text.
        timeout: Limit on them, as decimal text.
        usage: Tokens and money.
        phases: Whether the repair held; phases that are null say nothing.
        recording: Rounds and tool calls.
    """
    if category is None and "category_not_a_word" not in notes.flags:
        if status != "evaluated":
            notes.add("unavailable_without_category")
        elif not reward:
            notes.add("failed_without_category")
    if finished < started:
        problem = TimesReversed("/finished_at", finished, f"a time not before {started}")
        notes.add("finished_before_started", problem)
    if duration is not None:
        if duration[0] == "-":
            problem = TimesReversed("/agent_duration_seconds", duration, "0 or more seconds")
            notes.add("finished_before_started", problem)
        if timeout is not None and _exceeds(duration, timeout):
            notes.add("duration_over_timeout")
    if phases is not None and ((False in phases) if reward else phases == _ALL_HELD):
        notes.add("reward_contradicts_phases")
    # A zero may mean missing.
    if usage is not None and usage[0] == "0" and not any(usage[1:-1]):
        notes.add("zero_cost_nothing_ran")
    if status != "evaluated":
        _judge_missing(usage, recording, notes)


def _judge_missing(usage: OfUsage | None, recording: OfRecording | None, notes: Notes) -> None:
    """Note spend and progress of an unavailable row."""
    if recording is not None:
        calls, rounds, *_ = recording
        if calls and rounds:
            notes.add("unavailable_after_progress")
    if usage is not None:
        cost, _, tokens_out, *_ = usage
        if tokens_out:
            notes.add("unavailable_after_progress")
        if cost is not None and cost != "0":
            notes.add("spend_on_unavailable")


def _exceeds(duration: str, timeout: str) -> bool:
    if duration.isdigit() and timeout.isdigit():
        return int(duration) > int(timeout)
    # Comparing decimals is exact whatever the context says.
    return Decimal(duration) > Decimal(timeout)
