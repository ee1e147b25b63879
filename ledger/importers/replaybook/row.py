"""A row of a release as an attempt (IMPORT-25 to IMPORT-35)."""

from operator import itemgetter
from typing import Literal, NamedTuple

from canon.excerpt import excerpt
from canon.refusal import Refusal
from ledger.errors import (
    FieldInvalid,
    FieldMissing,
    IdentifierInvalid,
    NotFinite,
    RewardInvalid,
    StatusUnknown,
)
from ledger.events import AttemptReported, Phases, Recording, Usage
from ledger.identity import attempt_id
from ledger.importers.reading import (
    count,
    identifier,
    instant,
    quantity,
    quantity_or_null,
    record,
    word,
)
from ledger.importers.source_json import Json, NonFinite, Number, kind_of

from .notes import Notes
from .oddities import judge_category, judge_phases, judge_spend, judge_times
from .parts import read_category, read_phases, read_recording, read_usage
from .shape import REQUIRED, shape_of

UNPLACED = "unplaced"
"""Stands for the release's name until the row is placed in its release."""

_required = itemgetter(*REQUIRED)


class Read(NamedTuple):
    """What one row says by itself.

    Attributes:
        attempt: The attempt; ``source``, ``index``, ``release``, ``matrix`` and the flag
            ``source_ambiguous`` are not the row's to say, and stand empty.
        problems: What is wrong with it and does not keep it from being counted.
        unmapped: Pointers, relative to the row, to members that nobody reads.
    """

    attempt: AttemptReported
    problems: tuple[Refusal, ...]
    unmapped: tuple[str, ...]


def read_row(value: Json) -> Read:
    """Read a row; a refusal names its place relative to the row.

    Raises:
        FieldMissing: It lacks a field without which it cannot be counted.
        FieldInvalid, IdentifierInvalid, NotFinite: A field is not of its kind.
        NumberRange, InstantText, InstantNaive, InstantPrecision: The same, for canon's reasons.
        StatusUnknown: Its status is neither evaluated nor unavailable.
        RewardInvalid: Its reward is neither 0 nor 1.
    """
    row = record(value, "")
    try:
        agent, number, finished, model, reward, run_id, scenario, version, started, status = (
            _required(row)
        )
    except KeyError as missing:
        raise FieldMissing(f"/{missing.args[0]}", "no such field", "a value") from None
    get, notes, shape = row.get, Notes(), shape_of(row)
    agent, model = identifier(agent, "/agent"), identifier(model, "/model")
    effort = _effort(get("reasoning_effort"))
    scenario, version = identifier(scenario, "/scenario"), count(version, "/scenario_version")
    number = count(number, "/attempt")
    started_at, finished_at = instant(started, "/started_at"), instant(finished, "/finished_at")
    status, passed = _status(status), _reward(reward)
    usage = read_usage(get("usage"), notes)
    phases = read_phases(get("verification"), notes)
    recording = read_recording(get("recording"))
    category = read_category(get("failure_category"), "/failure_category", notes)
    duration = quantity_or_null(get("agent_duration_seconds"), "/agent_duration_seconds")
    timeout = quantity_or_null(get("agent_timeout_seconds"), "/agent_timeout_seconds")
    return assemble(
        agent=agent,
        model=model,
        effort=effort,
        scenario=scenario,
        version=version,
        number=number,
        started_at=started_at,
        finished_at=finished_at,
        status=status,
        reward=passed,
        run_id=identifier(run_id, "/run_id"),
        usage=usage,
        phases=phases,
        recording=recording,
        category=category,
        duration=duration,
        timeout=timeout,
        failed_text=_is_prose(get("failure")),
        absent=shape.absent,
        notes=notes,
        unmapped=shape.unmapped,
    )


def assemble(
    *,
    agent: str,
    model: str,
    effort: str | None,
    scenario: str,
    version: int,
    number: int,
    started_at: str,
    finished_at: str,
    status: Literal["evaluated", "unavailable"],
    reward: Literal[0, 1],
    run_id: str,
    usage: Usage | None,
    phases: Phases | None,
    recording: Recording | None,
    category: str | None,
    duration: str | None,
    timeout: str | None,
    failed_text: bool,
    absent: list[str],
    notes: Notes,
    unmapped: tuple[str, ...],
) -> Read:
    """Return a row whose fields were read, with its identity and its flags."""
    evaluated, passed = status == "evaluated", reward == 1
    judge_category(category, evaluated=evaluated, passed=passed, notes=notes)
    judge_times(started_at, finished_at, duration, timeout, notes)
    judge_phases(phases, passed=passed, notes=notes)
    judge_spend(usage, recording, evaluated=evaluated, notes=notes)
    attempt = AttemptReported(
        agent=agent,
        flags=sorted(set(notes.flags)) if notes.flags else [],
        index=0,
        model=model,
        usage=usage,
        absent=absent,
        matrix=None,
        number=number,
        phases=phases,
        reward=reward,
        run_id=run_id,
        source=0,
        status=status,
        attempt=attempt_id(
            agent=agent,
            model=model,
            effort=effort,
            scenario=scenario,
            version=version,
            number=number,
            started_at=started_at,
            finished_at=finished_at,
        ),
        release=UNPLACED,
        scenario=scenario,
        recording=recording,
        started_at=started_at,
        failed_text=failed_text,
        finished_at=finished_at,
        agent_timeout_s=timeout,
        agent_duration_s=duration,
        failure_category=category,
        reasoning_effort=effort,
        scenario_version=version,
    )
    return Read(attempt, tuple(notes.problems), unmapped)


def _effort(value: Json) -> str | None:
    """Read the reasoning effort, which is part of the identity: text that is no word is refused."""
    if value is None:
        return None
    effort = word(value, "/reasoning_effort")
    if effort is None:
        raise IdentifierInvalid("/reasoning_effort", kind_of(value), "a word of 1 to 64 bytes")
    return effort


def _status(value: Json) -> Literal["evaluated", "unavailable"]:
    if value == "evaluated":
        return "evaluated"
    if value == "unavailable":
        return "unavailable"
    if type(value) is str:
        raise StatusUnknown("/trial_status", excerpt(value), "evaluated or unavailable")
    raise FieldInvalid("/trial_status", kind_of(value), "evaluated or unavailable")


def _reward(value: Json) -> Literal[0, 1]:
    if type(value) is NonFinite:
        raise NotFinite("/reward", value.literal, "0 or 1")
    if type(value) is int or type(value) is Number:
        amount = quantity(value, "/reward")
        if amount == "1":
            return 1
        if amount == "0":
            return 0
    raise RewardInvalid("/reward", kind_of(value), "0 or 1")


def _is_prose(value: Json) -> bool:
    """Tell whether the row says in prose why it failed; what it says stays in the blob."""
    if value is None or type(value) is str:
        return bool(value)
    raise FieldInvalid("/failure", kind_of(value), "text or null")
