"""Rows as nearly all of them are, read in one step.

``read_row`` says what a row means, field by field, and names the first fault in it. Most rows
have no fault and nothing rare, and those are read here several times as fast. None is the answer
for every other row: it is always right, and ``read_row`` then looks closely. A test holds the two
against each other.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter
from types import NoneType
from typing import Any, Literal, NamedTuple, TypeAlias, get_type_hints

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import astuple

from canon.refusal import Refusal
from ledger.events.fields import Count
from ledger.identity import attempt_id
from ledger.importers.reading import in_full, is_plain, is_plain_word, quantity

from .notes import Notes
from .oddities import judge
from .row import Read
from .trial import Trial

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
        marks: How many quotation marks their keys and texts have around them; -1 where a number
            is to be and none is.
        values: Takes the values of the optional members, and None behind them, to the same with
            None for what is absent.
        literals: Takes those to the literals among them.
        is_common: Whether no quantity but the row's own seconds is an integer.
    """

    absent: list[str]
    marks: int
    values: _Choose
    literals: _Choose
    is_common: bool


_REQUIRED, _REQUIRED_TEXTS, _OWN_SECONDS = 10, 7, 2
_PARTS = (
    ("", _Row, _Row.__struct_fields__[_REQUIRED:]),
    ("recording.", _Recording, _Recording.__struct_fields__),
    ("usage.", _Usage, _Usage.__struct_fields__),
    ("verification.", _Verification, _Verification.__struct_fields__),
    ("verification.after_agent_timeout.", _After, _After.__struct_fields__),
)
_NO_RECORDING, _NO_USAGE, _NO_PHASES, _NO_AFTER = ((None,) * len(part[2]) for part in _PARTS[1:])
_NUMBERS = (int, str, NoneType, UnsetType)
_SHAPES, _NAMES = 4_096, 4_096
_DAY = r"20[0-9][0-9]-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
_SECOND = rf"{_DAY}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z\n"
# No literal begins with a zero that could be left out: JSON has none.
_DECIMAL = r"[0-9]{1,18}\.[0-9]{0,20}[1-9]\n"
# Two times, a name, and literals that are canonical as they stand, each on its line.
_are_plain = re.compile(rf"{_SECOND}{_SECOND}[ -~]{{1,256}}\n(?:{_DECIMAL})*+").fullmatch

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
    lines = "\n".join((started, finished, run_id, *shape.literals(optional), ""))
    if not (
        _are_plain(lines)
        and _are_names(agent, model, scenario)
        and _are_words(category, effort, late_category)
    ):
        return None
    if type(duration) is int:
        duration = quantity(duration, "")
    if type(timeout) is int:
        timeout = quantity(timeout, "")
    if not shape.is_common:
        cost, subscription, in_tools, in_model, in_all, till_write, from_write = (
            quantity(value, "") if type(value) is int else value
            for value in (cost, subscription, in_tools, in_model, in_all, till_write, from_write)
        )
        if (cost and cost[0] == "-") or (subscription and subscription[0] == "-"):
            return None
    started_at, finished_at, notes = in_full(started), in_full(finished), Notes()
    of_usage = (cost, tokens_in, tokens_out, reasoning, cached, created, subscription)
    of_phases = (reboot, at_once, restart)
    of_recording = (calls, rounds, in_tools, in_model, in_all, till_write, from_write)
    judge(
        notes, status, reward, category, started_at, finished_at, duration, timeout,
        of_usage if usage else None,
        of_phases if phases else None,
        of_recording if recording else None,
    )  # fmt: skip
    trial = Trial(
        agent=agent,
        flags=notes.sorted_flags(),
        model=model,
        absent=shape.absent,
        number=number,
        reward=reward,
        run_id=run_id,
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
        failed_text=bool(failure),
        finished_at=finished_at,
        agent_timeout_s=timeout,
        agent_duration_s=duration,
        failure_category=category,
        reasoning_effort=effort,
        scenario_version=version,
        usage=of_usage if usage else None,
        phases=of_phases if phases else None,
        after=(repair, late_category) if after else None,
        recording=of_recording if recording else None,
    )
    return Read(trial, tuple(notes.problems), ())


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
    quantities = [at for at, hint in enumerate(hints) if hint is _Quantity]
    literals = [at for at in quantities if types[at] is str]
    texts = _REQUIRED_TEXTS + types.count(str) - len(literals)
    members = _REQUIRED - len(absent)
    members += sum(len(fields) for _, struct, fields in _PARTS if struct is _Row or struct in types)
    are_numbers = all(types[at] in _NUMBERS for at in quantities)
    places = range(len(names))
    return _Shape(
        sorted(names[at] for at in absent),
        2 * (members + texts) if are_numbers else -1,
        _choose([len(names) if at in absent else at for at in places]),
        _choose(literals),
        int not in [types[at] for at in quantities[_OWN_SECONDS:]],
    )


def _choose(places: Sequence[int]) -> _Choose:
    """Return what takes a tuple to its values at *places*."""
    if len(places) > 1:
        return itemgetter(*places)
    return lambda values: tuple(values[at] for at in places)
