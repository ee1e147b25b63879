"""Rows as nearly all of them are, read in one step.

``read_row`` says what a row means, field by field, and names the first fault in it. Most rows
have no fault and nothing rare, and those are read here several times as fast. None is the answer
for every other row: it is always right, and ``read_row`` then looks closely. A test holds the two
against each other.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, Literal, NamedTuple, TypeAlias, get_type_hints

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import astuple

from canon.refusal import Refusal
from ledger.events import AfterTimeout, Phases, Recording, Usage
from ledger.events.fields import Count
from ledger.importers.reading import (
    in_full,
    is_plain,
    is_plain_word,
    is_whole_second,
    quantity,
    quantity_or_null,
)
from ledger.importers.source_json import Number

from .notes import Notes
from .row import Read, assemble

_Count: TypeAlias = Count | UnsetType | None
_Text: TypeAlias = str | UnsetType | None
_Truth: TypeAlias = bool | UnsetType | None
_Quantity: TypeAlias = Any
"""An integer, the literal of another number as text, or what is no number at all."""

_Choose: TypeAlias = Callable[[tuple[Any, ...]], tuple[Any, ...]]


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
    """What rows have in common whose members are there, or not, and of the same types.

    Attributes:
        absent: Optional members that are not there, sorted, as ``shape_of`` names them.
        marks: How many quotation marks their keys and texts have around them.
        values: Takes the values of the optional members, and None behind them, to the same with
            None for what is absent.
        literals: Takes those to the literals among them.
    """

    absent: list[str]
    marks: int
    values: _Choose
    literals: _Choose


_REQUIRED, _REQUIRED_TEXTS = 10, 7
_PARTS = (
    ("", _Row, _Row.__struct_fields__[_REQUIRED:]),
    ("recording.", _Recording, _Recording.__struct_fields__),
    ("usage.", _Usage, _Usage.__struct_fields__),
    ("verification.", _Verification, _Verification.__struct_fields__),
    ("verification.after_agent_timeout.", _After, _After.__struct_fields__),
)
_NO_RECORDING, _NO_USAGE, _NO_PHASES, _NO_AFTER = ((None,) * len(part[2]) for part in _PARTS[1:])
_SHAPES, _NAMES = 4_096, 4_096
_SAFE_DIGITS = 40

# `str` keeps the literal of a number that is no integer as it is written.
_decode = msgspec.json.Decoder(_Row, float_hook=str).decode


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
    optional: tuple[Any, ...] = (
        *members[_REQUIRED:],
        *(astuple(recording) if recording else _NO_RECORDING),
        *(astuple(usage) if usage else _NO_USAGE),
        *in_phases,
        *(astuple(after) if after else _NO_AFTER),
    )
    shape = _shape(tuple(map(type, optional)))
    # Where there are more marks, a key stood twice, a text has a mark inside, or stands where a
    # number should.
    if raw.count(b'"') != shape.marks:
        return None
    optional = shape.values((*optional, None))
    (
        duration, timeout, failure, category, effort, _, _, _,
        calls, rounds, in_tools, in_model, in_all, till_write, from_write,
        cost, tokens_in, tokens_out, reasoning, cached, created, subscription,
        reboot, at_once, restart, _,
        repair, _, late_category,
    ) = optional  # fmt: skip
    if not (
        is_whole_second(started)
        and is_whole_second(finished)
        and is_plain(run_id)
        and _are_names(agent, model, scenario)
        and _are_words(category, effort, late_category)
    ):
        return None
    spell = _as_written if _are_canonical(shape.literals(optional)) else _spelt_out
    duration, timeout, cost, subscription, *seconds = map(
        spell,
        (duration, timeout, cost, subscription, in_tools, in_model, in_all, till_write, from_write),
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


def _are_canonical(literals: tuple[str, ...]) -> bool:
    """Tell whether literals of numbers that are no integers are canonical text as they stand."""
    joined = " ".join(literals) + " "
    return not (
        "0 " in joined
        or "e" in joined
        or "E" in joined
        or "-" in joined
        or max(map(len, literals), default=0) > _SAFE_DIGITS
    )


def _as_written(value: _Quantity) -> str | None:
    return value if value is None or type(value) is str else quantity(value, "")


def _spelt_out(value: _Quantity) -> str | None:
    return quantity_or_null(Number(value) if type(value) is str else value, "")


@lru_cache(_NAMES)
def _are_names(*names: str) -> bool:
    return all(map(is_plain, names))


@lru_cache(_NAMES)
def _are_words(*words: str | None) -> bool:
    return all(word is None or is_plain_word(word) for word in words)


@lru_cache(_SHAPES)
def _shape(types: tuple[type, ...]) -> _Shape:
    """Return the shape of rows whose optional members have these types, part by part."""
    names = [prefix + field for prefix, _, fields in _PARTS for field in fields]
    hints = [hint for _, struct, _ in _PARTS for hint in get_type_hints(struct).values()]
    hints = hints[_REQUIRED:]
    absent = [at for at, kind in enumerate(types) if kind is UnsetType]
    literals = [at for at, kind in enumerate(types) if kind is str and hints[at] is _Quantity]
    texts = _REQUIRED_TEXTS + types.count(str) - len(literals)
    members = _REQUIRED - len(absent)
    members += sum(len(fields) for _, struct, fields in _PARTS if struct is _Row or struct in types)
    places = range(len(names))
    return _Shape(
        sorted(names[at] for at in absent),
        2 * (members + texts),
        _choose([len(names) if at in absent else at for at in places]),
        _choose(literals),
    )


def _choose(places: Sequence[int]) -> _Choose:
    """Return what takes a tuple to its values at *places*."""
    if len(places) > 1:
        return itemgetter(*places)
    return lambda values: tuple(values[at] for at in places)
