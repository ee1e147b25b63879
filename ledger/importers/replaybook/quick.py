"""Rows as nearly all of them are, read in one step.

``read_row`` says what a row means, field by field, and names the first fault in it. Most rows
have no fault and nothing rare, and those are read here several times as fast. None is the answer
for every other row: it is always right, and ``read_row`` then looks closely. A test holds the two
against each other.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import repeat
from operator import is_, itemgetter
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import astuple

from canon.refusal import Refusal
from ledger.events import AfterTimeout, Phases, Recording, Usage
from ledger.events.fields import Count
from ledger.importers.reading import in_full, is_plain, is_plain_word, is_whole_second, quantity
from ledger.importers.source_json import Number

from .notes import Notes
from .row import Read, assemble

_Count: TypeAlias = Count | UnsetType | None
_Text: TypeAlias = str | UnsetType | None
_Truth: TypeAlias = bool | UnsetType | None
_Quantity: TypeAlias = Any
"""An integer, the literal of another number as text, or what `_quantities` refuses."""


class _Recording(Struct, forbid_unknown_fields=True, gc=False):
    tool_calls: _Count = UNSET
    model_rounds: _Count = UNSET
    tool_duration_seconds: _Quantity = UNSET
    model_duration_seconds: _Quantity = UNSET
    total_duration_seconds: _Quantity = UNSET
    first_non_read_only_tool_seconds: _Quantity = UNSET
    post_first_non_read_only_seconds: _Quantity = UNSET


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


class _Shape(NamedTuple):
    """What rows with the same members have in common.

    Attributes:
        absent: Optional members that are not there, sorted, as ``shape_of`` names them.
        members: How many there are, in all objects together.
        values: From the values of the optional members, and None, to the same with None for
            what is absent; None where nothing is.
    """

    absent: list[str]
    members: int
    values: Callable[[tuple[Any, ...]], tuple[Any, ...]] | None


_REQUIRED = 10
_REQUIRED_TEXTS = 7
_OPTIONAL_TEXTS = 5
_PARTS = (
    ("recording.", _Recording),
    ("usage.", _Usage),
    ("verification.", _Verification),
    ("verification.after_agent_timeout.", _After),
)
_NO_RECORDING, _NO_USAGE, _NO_PHASES, _NO_AFTER = (
    (None,) * len(struct.__struct_fields__) for _, struct in _PARTS
)
_SHAPES, _NAMES = 256, 4_096

# `str` keeps the literal of a number that is no integer as it is written.
_decode = msgspec.json.Decoder(_Row, float_hook=str).decode
_DECIMAL = r"(?:0|[1-9][0-9]{0,17})\.[0-9]{0,20}[1-9]"
_are_decimals = re.compile(rf"{_DECIMAL}(?: {_DECIMAL})*+").fullmatch


def quick_row(raw: bytes) -> Read | None:
    """Return what ``read_row`` makes of a row's bytes, or None if the row may not be ordinary."""
    try:
        return _read(raw, _decode(raw))
    except (msgspec.DecodeError, RecursionError, Refusal):
        return None


def _read(raw: bytes, row: _Row) -> Read | None:
    members = astuple(row)
    agent, number, finished, model, reward, run_id, scenario, version, started, status = members[
        :_REQUIRED
    ]
    recording, usage, phases = members[-3:]
    in_phases = astuple(phases) if phases else _NO_PHASES
    after = in_phases[-1]
    optional = (
        *members[_REQUIRED:],
        *(astuple(recording) if recording else _NO_RECORDING),
        *(astuple(usage) if usage else _NO_USAGE),
        *in_phases,
        *(astuple(after) if after else _NO_AFTER),
    )
    there = bool(recording), bool(usage), bool(phases), bool(after)
    shape = _shape(tuple(map(is_, optional, repeat(UNSET))), there)
    if shape.values is not None:
        optional = shape.values((*optional, None))
    (
        duration, timeout, failure, category, effort, _, _, _,
        calls, rounds, in_tools, in_model, in_all, till_write, from_write,
        cost, tokens_in, tokens_out, reasoning, cached, created, subscription,
        reboot, at_once, restart, _,
        repair, late_failure, late_category,
    ) = optional  # fmt: skip
    texts = (failure, category, effort, late_failure, late_category)
    many = _REQUIRED_TEXTS + _OPTIONAL_TEXTS - texts.count(None)
    # Every key and every text has two marks. Where there are more, a key stood twice, a text has
    # a mark inside, or stands where a number should.
    if raw.count(b'"') != 2 * (shape.members + many):
        return None
    if not (
        is_whole_second(started)
        and is_whole_second(finished)
        and is_plain(run_id)
        and _are_names(agent, model, scenario)
        and _are_words(category, effort, late_category)
    ):
        return None
    duration, timeout, cost, subscription, *seconds = _quantities(
        (duration, timeout, cost, subscription, in_tools, in_model, in_all, till_write, from_write)
    )
    if (cost and cost[0] == "-") or (subscription and subscription[0] == "-"):
        return None
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
            tool_duration_seconds=seconds[0],
            model_duration_seconds=seconds[1],
            total_duration_seconds=seconds[2],
            first_non_read_only_tool_seconds=seconds[3],
            post_first_non_read_only_seconds=seconds[4],
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


def _quantities(values: Sequence[_Quantity]) -> list[str | None]:
    """Return numbers as canonical text, and null as None.

    Raises:
        Refusal: One of them is no number that a field can hold.
    """
    if _are_decimals(" ".join([value for value in values if type(value) is str])):
        return [
            value if value is None or type(value) is str else quantity(value, "")
            for value in values
        ]
    return [
        value if value is None else quantity(Number(value) if type(value) is str else value, "")
        for value in values
    ]


@lru_cache(_NAMES)
def _are_names(*names: str) -> bool:
    return all(map(is_plain, names))


@lru_cache(_NAMES)
def _are_words(*words: str | None) -> bool:
    return all(word is None or is_plain_word(word) for word in words)


@lru_cache(_SHAPES)
def _shape(unset: tuple[bool, ...], there: tuple[bool, ...]) -> _Shape:
    """Return the shape of a row.

    Args:
        unset: For each optional member of the row, and each of its parts, whether it is absent.
        there: Whether the row has each of the parts.
    """
    groups = [("", _Row.__struct_fields__[_REQUIRED:], True)]
    for (prefix, struct), is_there in zip(_PARTS, there, strict=True):
        groups.append((prefix, struct.__struct_fields__, is_there))
    names = [prefix + name for prefix, fields, _ in groups for name in fields]
    absent = [name for name, gone in zip(names, unset, strict=True) if gone]
    members = _REQUIRED + sum(len(fields) for _, fields, is_there in groups if is_there)
    values = None
    if absent:
        values = itemgetter(*(len(names) if gone else at for at, gone in enumerate(unset)))
    return _Shape(sorted(absent), members - len(absent), values)
