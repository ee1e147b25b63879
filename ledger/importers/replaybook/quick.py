"""Rows as nearly all of them are, read in one step.

``read_row`` says what a row means, field by field, and names the first fault in it. Most rows
have no fault and nothing rare, and those are read here several times as fast. None is the answer
for every other row: it is always right, and ``read_row`` then looks closely. A test holds the two
against each other.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import repeat
from operator import attrgetter, is_
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from canon.refusal import Refusal
from ledger.events import AfterTimeout, Phases, Recording, Usage
from ledger.events.fields import Count
from ledger.importers.reading import in_full, is_plain, is_plain_word, is_whole_second, quantity
from ledger.importers.source_json import Number

from .notes import Notes
from .row import Read, assemble
from .shape import REQUIRED

_Count: TypeAlias = Count | UnsetType | None
_Text: TypeAlias = str | UnsetType | None
_Truth: TypeAlias = bool | UnsetType | None
_Quantity: TypeAlias = Any
"""A literal as text, a whole number, or what no quantity is: only `_quantities` knows."""


class _Usage(Struct, forbid_unknown_fields=True, gc=False):
    cost_usd: _Quantity = UNSET
    input_tokens: _Count = UNSET
    output_tokens: _Count = UNSET
    reasoning_tokens: _Count = UNSET
    cache_read_tokens: _Count = UNSET
    cache_creation_tokens: _Count = UNSET
    subscription_usage_usd: _Quantity = UNSET


class _After(Struct, forbid_unknown_fields=True, gc=False):
    durable_repair: _Truth = UNSET
    failure: _Text = UNSET
    failure_category: _Text = UNSET


class _Verification(Struct, forbid_unknown_fields=True, gc=False):
    host_reboot: _Truth = UNSET
    immediate_http: _Truth = UNSET
    service_restart: _Truth = UNSET
    after_agent_timeout: _After | UnsetType | None = UNSET


class _Recording(Struct, forbid_unknown_fields=True, gc=False):
    tool_calls: _Count = UNSET
    model_rounds: _Count = UNSET
    tool_duration_seconds: _Quantity = UNSET
    model_duration_seconds: _Quantity = UNSET
    total_duration_seconds: _Quantity = UNSET
    first_non_read_only_tool_seconds: _Quantity = UNSET
    post_first_non_read_only_seconds: _Quantity = UNSET


class _Row(Struct, forbid_unknown_fields=True, gc=False):
    agent: str
    attempt: Count
    finished_at: str
    model: str
    reward: Literal[0, 1]
    run_id: str
    scenario: str
    scenario_version: Count
    started_at: str
    trial_status: Literal["evaluated", "unavailable"]
    agent_duration_seconds: _Quantity = UNSET
    agent_timeout_seconds: _Quantity = UNSET
    failure: _Text = UNSET
    failure_category: _Text = UNSET
    reasoning_effort: _Text = UNSET
    recording: _Recording | UnsetType | None = UNSET
    usage: _Usage | UnsetType | None = UNSET
    verification: _Verification | UnsetType | None = UNSET


class _Part:
    """The members of one object in a row, in order; None for each where there is no object."""

    def __init__(self, struct: type[Struct], prefix: str = "") -> None:
        fields = struct.__struct_fields__
        self.read: Any = attrgetter(*fields)
        self.names = tuple(prefix + name for name in fields)
        self.nothing = (None,) * len(fields)


class _Shape(NamedTuple):
    """What rows with the same members have in common.

    Attributes:
        absent: Optional members that are not there, sorted, as ``shape_of`` names them.
        members: How many there are in all objects together.
    """

    absent: list[str]
    members: int


# `str` keeps the literal of a number that is no integer as it is written.
_decode = msgspec.json.Decoder(_Row, float_hook=str).decode
_ROW = _Part(_Row)
_RECORDING = _Part(_Recording, "recording.")
_USAGE = _Part(_Usage, "usage.")
_VERIFICATION = _Part(_Verification, "verification.")
_AFTER = _Part(_After, "verification.after_agent_timeout.")
_PARTS = (_RECORDING, _USAGE, _VERIFICATION, _AFTER)
_REQUIRED, _REQUIRED_TEXTS = len(REQUIRED), 7
_SHAPES, _NAMES = 256, 4_096
_decimal = r"(?:0|[1-9][0-9]{0,17})\.[0-9]{0,20}[1-9]"
_are_decimals = re.compile(rf"(?:{_decimal}(?: {_decimal})*)?").fullmatch


def quick_row(raw: bytes) -> Read | None:
    """Return what ``read_row`` makes of a row's bytes, or None if the row may not be ordinary."""
    try:
        return _read(raw, _decode(raw))
    except (msgspec.DecodeError, RecursionError, Refusal):
        return None


def _read(raw: bytes, row: _Row) -> Read | None:
    members = _ROW.read(row)
    recording, usage, phases = members[-3:]
    in_recording = _RECORDING.read(recording) if recording else _RECORDING.nothing
    in_usage = _USAGE.read(usage) if usage else _USAGE.nothing
    in_phases = _VERIFICATION.read(phases) if phases else _VERIFICATION.nothing
    after = in_phases[-1]
    in_after = _AFTER.read(after) if after else _AFTER.nothing
    optional = (*members[_REQUIRED:], *in_recording, *in_usage, *in_phases, *in_after)
    parts = bool(recording), bool(usage), bool(phases), bool(after)
    shape = _shape(tuple(map(is_, optional, repeat(UNSET))), parts)
    if shape.absent:
        optional = tuple([None if value is UNSET else value for value in optional])
    agent, number, finished, model, reward, run_id, scenario, version, started, status = members[
        :_REQUIRED
    ]
    (
        duration, timeout, failure, category, effort, _, _, _,
        calls, rounds, in_tools, in_model, in_all, till_write, from_write,
        cost, tokens_in, tokens_out, reasoning, cached, created, subscription,
        reboot, at_once, restart, _,
        repair, late_failure, late_category,
    ) = optional  # fmt: skip
    words = [category, effort, late_category]
    texts = _REQUIRED_TEXTS + 5 - [failure, late_failure, *words].count(None)
    # Each key and text has two marks. More marks are a key that stood twice, a mark inside a
    # text, or a text where a number should be.
    if raw.count(b'"') != 2 * (shape.members + texts):
        return None
    if not (
        _are_plain(agent, model, scenario)
        and is_plain(run_id)
        and is_whole_second(started)
        and is_whole_second(finished)
        and all([word is None or is_plain_word(word) for word in words])
    ):
        return None
    (
        duration, timeout, cost, subscription, in_tools, in_model, in_all, till_write, from_write
    ) = _quantities(
        (duration, timeout, cost, subscription,
         in_tools, in_model, in_all, till_write, from_write)
    )  # fmt: skip
    if (cost is not None and cost[0] == "-") or (
        subscription is not None and subscription[0] == "-"
    ):
        return None
    late = phases and after
    return assemble(
        agent=agent,
        model=model,
        effort=effort,
        scenario=scenario,
        version=version,
        number=number,
        started_at=in_full(started),
        finished_at=in_full(finished),
        status=status,
        reward=reward,
        run_id=run_id,
        usage=Usage(
            cost_usd=cost,
            input_tokens=tokens_in,
            output_tokens=tokens_out,
            reasoning_tokens=reasoning,
            cache_read_tokens=cached,
            cache_creation_tokens=created,
            subscription_usage_usd=subscription,
        )
        if usage
        else None,
        phases=Phases(
            host_reboot=reboot,
            immediate_http=at_once,
            service_restart=restart,
            after_agent_timeout=AfterTimeout(durable_repair=repair, failure_category=late_category)
            if after
            else None,
        )
        if phases
        else None,
        recording=Recording(
            tool_calls=calls,
            model_rounds=rounds,
            tool_duration_seconds=in_tools,
            model_duration_seconds=in_model,
            total_duration_seconds=in_all,
            first_non_read_only_tool_seconds=till_write,
            post_first_non_read_only_seconds=from_write,
        )
        if recording
        else None,
        category=category,
        duration=duration,
        timeout=timeout,
        failed_text=bool(failure),
        absent=shape.absent,
        notes=Notes(),
        unmapped=(),
    )


def _quantities(values: Sequence[_Quantity]) -> Sequence[str | None]:
    """Return numbers as canonical text, and null as None.

    Raises:
        Refusal: One of them is no number that a field can hold.
    """
    literals = [value for value in values if type(value) is str]
    if len(" ".join(literals)) and _are_decimals(" ".join(literals)):
        return [
            value if value is None or type(value) is str else quantity(value, "")
            for value in values
        ]
    return [
        None if value is None else quantity(Number(value) if type(value) is str else value, "")
        for value in values
    ]


@lru_cache(_NAMES)
def _are_plain(*names: str) -> bool:
    return all(map(is_plain, names))


@lru_cache(_SHAPES)
def _shape(unset: tuple[bool, ...], parts: tuple[bool, ...]) -> _Shape:
    """Return the shape of a row.

    Args:
        unset: For each member of the row that is optional, and of its parts, whether it is absent.
        parts: Whether the row has each of its parts.
    """
    names = list(_ROW.names[_REQUIRED:])
    at = len(names)
    absent = [name for name, gone in zip(names, unset, strict=False) if gone]
    members = _REQUIRED + len(names)
    for part, is_there in zip(_PARTS, parts, strict=True):
        if is_there:
            members += len(part.names)
            absent += [n for n, gone in zip(part.names, unset[at:], strict=False) if gone]
        at += len(part.names)
    return _Shape(sorted(absent), members - len(absent))
