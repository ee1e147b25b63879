"""What a row says by itself, in plain values: quick to make, to keep and to read again."""

from typing import Literal, TypeAlias

from msgspec import Struct

from ledger.events import AfterTimeout, AttemptReported, Phases, Recording, Usage
from ledger.events.observed import RowFlag

OfUsage: TypeAlias = tuple[
    str | None, int | None, int | None, int | None, int | None, int | None, str | None
]
"""Values of a ``Usage``, in the order of its fields."""

OfPhases: TypeAlias = tuple[bool | None, bool | None, bool | None]
"""Values of ``Phases`` up to what happened after the agent's time."""

OfAfter: TypeAlias = tuple[bool | None, str | None]
"""Values of an ``AfterTimeout``."""

OfRecording: TypeAlias = tuple[
    int | None, int | None, str | None, str | None, str | None, str | None, str | None
]
"""Values of a ``Recording``."""


class Trial(Struct, frozen=True, array_like=True):
    """The fields of an attempt that its row determines, under the names of the event's fields.

    Attributes:
        flags: Those that follow from the row alone.
    """

    agent: str
    flags: list[RowFlag]
    model: str
    absent: list[str]
    number: int
    reward: Literal[0, 1]
    run_id: str
    status: Literal["evaluated", "unavailable"]
    attempt: str
    scenario: str
    started_at: str
    failed_text: bool
    finished_at: str
    agent_timeout_s: str | None
    agent_duration_s: str | None
    failure_category: str | None
    reasoning_effort: str | None
    scenario_version: int
    usage: OfUsage | None
    phases: OfPhases | None
    after: OfAfter | None
    recording: OfRecording | None


def attempt_of(
    trial: Trial,
    *,
    source: int,
    index: int,
    release: str,
    matrix: str | None,
    flags: list[RowFlag],
) -> AttemptReported:
    """Return the event that *trial* becomes in its place."""
    return AttemptReported(
        agent=trial.agent,
        flags=flags,
        index=index,
        model=trial.model,
        usage=None if trial.usage is None else _usage(*trial.usage),
        absent=trial.absent,
        matrix=matrix,
        number=trial.number,
        phases=None if trial.phases is None else _phases(*trial.phases, trial.after),
        reward=trial.reward,
        run_id=trial.run_id,
        source=source,
        status=trial.status,
        attempt=trial.attempt,
        release=release,
        scenario=trial.scenario,
        recording=None if trial.recording is None else _recording(*trial.recording),
        started_at=trial.started_at,
        failed_text=trial.failed_text,
        finished_at=trial.finished_at,
        agent_timeout_s=trial.agent_timeout_s,
        agent_duration_s=trial.agent_duration_s,
        failure_category=trial.failure_category,
        reasoning_effort=trial.reasoning_effort,
        scenario_version=trial.scenario_version,
    )


def _usage(
    cost: str | None,
    tokens_in: int | None,
    tokens_out: int | None,
    reasoning: int | None,
    cached: int | None,
    created: int | None,
    subscription: str | None,
) -> Usage:
    return Usage(
        cost_usd=cost,
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        reasoning_tokens=reasoning,
        cache_read_tokens=cached,
        cache_creation_tokens=created,
        subscription_usage_usd=subscription,
    )


def _phases(
    reboot: bool | None, at_once: bool | None, restart: bool | None, after: OfAfter | None
) -> Phases:
    return Phases(
        host_reboot=reboot,
        immediate_http=at_once,
        service_restart=restart,
        after_agent_timeout=None
        if after is None
        else AfterTimeout(durable_repair=after[0], failure_category=after[1]),
    )


def _recording(
    calls: int | None,
    rounds: int | None,
    in_tools: str | None,
    in_model: str | None,
    in_all: str | None,
    till_write: str | None,
    from_write: str | None,
) -> Recording:
    return Recording(
        tool_calls=calls,
        model_rounds=rounds,
        tool_duration_seconds=in_tools,
        model_duration_seconds=in_model,
        total_duration_seconds=in_all,
        first_non_read_only_tool_seconds=till_write,
        post_first_non_read_only_seconds=from_write,
    )
