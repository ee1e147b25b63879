"""A row of a release as an attempt (IMPORT-25 to IMPORT-35)."""

from operator import itemgetter
from typing import Literal

from msgspec import Struct

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
from .oddities import judge
from .parts import read_category, read_phases, read_recording, read_usage
from .shape import REQUIRED, shape_of
from .trial import Trial

_required = itemgetter(*REQUIRED)


class Read(Struct, frozen=True):
    """What one row says by itself.

    Attributes:
        trial: Its fields.
        problems: What is wrong with it and does not keep it from being counted.
        unmapped: Pointers, relative to the row, to members that nobody reads.
    """

    trial: Trial
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
    phases, after = read_phases(get("verification"), notes)
    recording = read_recording(get("recording"))
    category = read_category(get("failure_category"), "/failure_category", notes)
    duration = quantity_or_null(get("agent_duration_seconds"), "/agent_duration_seconds")
    timeout = quantity_or_null(get("agent_timeout_seconds"), "/agent_timeout_seconds")
    judge(
        notes, status, passed, category, started_at, finished_at,
        duration, timeout, usage, phases, recording,
    )  # fmt: skip
    trial = Trial(
        agent=agent,
        flags=notes.sorted_flags(),
        model=model,
        absent=shape.absent,
        number=number,
        reward=passed,
        run_id=identifier(run_id, "/run_id"),
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
        scenario=scenario,
        started_at=started_at,
        failed_text=_is_prose(get("failure")),
        finished_at=finished_at,
        agent_timeout_s=timeout,
        agent_duration_s=duration,
        failure_category=category,
        reasoning_effort=effort,
        scenario_version=version,
        usage=usage,
        phases=phases,
        after=after,
        recording=recording,
    )
    return Read(trial, tuple(notes.problems), shape.unmapped)


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
