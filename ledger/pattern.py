"""Entries that report an attempt, read in one match of a regular expression.

Nearly every entry of a log is of this one shape, and reading it strictly, item by item, is most
of what verifying costs. The pattern below accepts exactly the canonical bytes of the shape, as
far as they are plain: ASCII, one record, no amount below zero, texts that are not long. Whatever
it does not match is no fault: ``read_entry`` and ``read_event`` read it, and have the last word.
A test holds the two ways to the same answer.

The pattern works on the bytes as Latin-1 text, which is the same characters, so that what it
captures is text at once.
"""

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from canon import decode
from canon.refusal import Refusal

from .entry import Entry
from .events import AfterTimeout, AttemptReported, Phases, Recording, Usage
from .events.fields import (
    MAX_CATEGORY_BYTES,
    Amount,
    Category,
    Count,
    Identifier,
    Instant,
    Quantity,
)
from .events.observed import RowFlag

Read = Callable[[str], tuple[Any, ...]]
Match = Callable[[str], re.Match[str] | None]
Captured = tuple[Any, ...]
"""The parts of an entry that are read apart: texts, and None where an optional part is null."""

ENTRIES_BEFORE = 256
"""Compiling costs as much as reading some hundred entries the other way."""

_MEMORY = 4_096
_LATIN = "latin-1"
_HEADED_BYTES = 24
_LONGEST_TEXT = 120


class Seen(NamedTuple):
    """What needs only an entry's own bytes, and can be found out in any process.

    Attributes:
        captured: Its parts, None where it must be read item by item.
        leaf: Its leaf, 32 bytes.
    """

    captured: Captured | None
    leaf: bytes


class _Strange(Exception):
    """A value that matched and is not plain; the other way of reading judges it."""


def _head(major: int, count: int) -> str:
    """Return the head of an item as Latin-1 text."""
    first = major << 5
    return chr(first | count) if count < _HEADED_BYTES else chr(first | 24) + chr(count)


def _lengths(least: int, most: int, head: Callable[[int], str]) -> str:
    return "|".join(f"{re.escape(head(count))}.{{{count}}}" for count in range(least, most + 1))


def _map(members: Mapping[str, str], together: Sequence[type[Struct]] = ()) -> str:
    """Return the pattern of a map with exactly these members, which stand in canonical order.

    Args:
        members: Name to the pattern of its item.
        together: Structs whose fields are neighbours here, and are captured as one.
    """
    pairs = {name: re.escape(_head(3, len(name)) + name) + item for name, item in members.items()}
    for span in together:
        first, last = span.__struct_fields__[0], span.__struct_fields__[-1]
        pairs[first] = f"(?P<{first}>{pairs[first]}"
        pairs[last] = f"{pairs[last]})"
    return re.escape(_head(5, len(members))) + "".join(pairs.values())


# Every alternative begins with another character, so no match is tried twice. A text says its own
# length; what it is made of is looked at afterwards.
_SHORT = _lengths(1, _HEADED_BYTES - 1, lambda count: _head(3, count))
_ANY_TEXT = f"{_SHORT}|x(?:{_lengths(_HEADED_BYTES, _LONGEST_TEXT, chr)})"
_ANY_WORD = f"{_SHORT}|x(?:{_lengths(_HEADED_BYTES, MAX_CATEGORY_BYTES, chr)})"
_SMALL = "\x00-\x17"
_LARGE = "\x18[\x18-\xff]|\x19[\x01-\xff].|\x1a(?!\x00\x00).{4}|\x1b(?!\x00{4})[\x00-\x7f].{7}"
# The length that an amount says it has is found by looking back: digits are no heads.
_AMOUNT_LENGTHS = "|".join(
    f"(?<={_head(3, count)}[0-9.]{{{count}}})" for count in range(1, _HEADED_BYTES)
)
_AMOUNT = rf"[a-w]((?>0|[1-9][0-9]*+)(?>\.[0-9]++(?<!0))?+)(?:{_AMOUNT_LENGTHS})"
_DIGEST = r"X\x20(.{32})"
_ITEMS: dict[Any, str] = {
    Identifier: f"(?:{_ANY_TEXT})",
    Identifier | None: f"(?:\xf6|{_ANY_TEXT})",
    Category | None: f"(?:\xf6|{_ANY_WORD})",
    Count: f"(?:[{_SMALL}]|{_LARGE})",
    Count | None: f"(?:[{_SMALL}\xf6]|{_LARGE})",
    Amount | None: f"(?:\xf6|{_AMOUNT})",
    Quantity | None: f"(?:\xf6|{_AMOUNT})",
    Instant: r"x\x1b([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z)",
    bool: "[\xf4\xf5]",
    bool | None: "[\xf4-\xf6]",
    Literal[0, 1]: "[\x00\x01]",
    Literal["evaluated", "unavailable"]: "(?:ievaluated|kunavailable)",
    # Where a list ends is tried, so the bound keeps a hostile entry from making that long.
    list[Identifier]: "(?:\x80|[\x81-\x97][\x18-~]{1,511})",
    list[RowFlag]: "(?:\x80|[\x81-\x97][\x18-~]{1,511})",
}


def _struct(kind: type[Struct], *, capture: Container[str] = (), **others: str) -> dict[str, str]:
    """Return the pattern of each field of a struct; *others* overrule the items of some fields."""
    items = {
        name: others.get(name) or _ITEMS[kind.__annotations__[name]]
        for name in kind.__struct_fields__
    }
    return {name: f"({item})" if name in capture else item for name, item in items.items()}


# What repeats from entry to entry is captured together, read once by the exact reader, and
# remembered: most of reading an entry is looking these up. Each begins with a key of its own.
_TOGETHER = (
    ("agent",),
    ("flags",),
    ("model",),
    ("absent", "matrix", "number", "phases", "reward"),
    ("source", "status"),
    ("release", "scenario"),
    ("failure_category", "reasoning_effort", "scenario_version"),
)


def _body(spans: Sequence[type[Struct]]) -> str:
    """Return the pattern of the event."""
    tokens = [name for name in Usage.__struct_fields__ if "tokens" in name]
    recording = _map(_struct(Recording, capture=("tool_calls", "model_rounds")))
    after = _map(_struct(AfterTimeout, failure_category=f"(?:\xf6|{_ANY_WORD})"))
    phases = _map(_struct(Phases, after_agent_timeout=f"(?:\xf6|{after})"))
    items = _struct(
        AttemptReported,
        capture=("index", "run_id", "failed_text"),
        attempt=r"x\$(att-[0-9a-f]{32})",
        blobs=_map({"record": _DIGEST}),
        phases=f"(?:\xf6|{phases})",
        recording=f"(?:\xf6|{recording})",
        usage=f"(?:\xf6|{_map(_struct(Usage, capture=tokens))})",
    )
    return _map(items, spans)


@cache
def _grammar() -> tuple[Match, dict[int, Read]]:
    """Return what matches an entry, and for each group captured together what reads it."""
    claims = msgspec.defstruct("Claims", [("at", Identifier), ("log", Identifier)])
    actor = msgspec.defstruct("Actor", [("actor", Identifier)])
    kinds = AttemptReported.__annotations__
    spans = [
        msgspec.defstruct("Span", [(name, kinds[name]) for name in names]) for names in _TOGETHER
    ]
    items = {
        "v": "\x01",
        "at": "x\x1b.{27}",
        "log": _ITEMS[Identifier],
        "seq": f"({_ITEMS[Count]})",
        "body": _body(spans),
        "prev": _DIGEST,
        "type": re.escape(_head(3, len(AttemptReported.wire)) + AttemptReported.wire),
        "actor": _ITEMS[Identifier],
    }
    entry = re.compile(_map(items, (claims, actor)), re.DOTALL)
    readers = {
        entry.groupindex[span.__struct_fields__[0]] - 1: _reader(span)
        for span in (claims, *spans, actor)
    }
    return entry.fullmatch, readers


def _text(raw: str) -> str:
    """Return the text of an item whose length was matched."""
    text = raw[2:] if raw[0] == "x" else raw[1:]
    if text.isascii() and text.isprintable():
        return text
    raise _Strange


def _reader(span: type[Struct]) -> Read:
    """Return what reads the members of a span the other way."""
    head = _head(5, len(span.__struct_fields__))

    def read(raw: str) -> tuple[Any, ...]:
        try:
            value = decode((head + raw).encode(_LATIN))
            return astuple(msgspec.convert(value, span, builtin_types=(bytes,)))
        except (Refusal, msgspec.ValidationError):
            raise _Strange from None

    return read


_NULL = "\xf6"
_SHORT_NUMBERS: dict[str | None, int | None] = {
    None: None,
    _NULL: None,
    **{_head(0, number): number for number in range(256)},
}
_MASKS = {1 + width: (1 << 8 * width) - 1 for width in (2, 4, 8)}


def _numbers(*items: Any) -> list[Any]:
    """Return unsigned integers; no item is null too."""
    short, masks, whole = _SHORT_NUMBERS, _MASKS, int.from_bytes
    return [
        short[item] if item in short else whole(item.encode(_LATIN), "big") & masks[len(item)]
        for item in items
    ]


class Fields(Mapping[str, Any]):
    """An event's fields as they stand in its entry, made when somebody asks for them."""

    __slots__ = ("_event", "_made")

    def __init__(self, event: AttemptReported) -> None:
        self._event = event
        self._made: dict[str, Any] | None = None

    def _whole(self) -> dict[str, Any]:
        """Return all of them."""
        if self._made is None:
            self._made = msgspec.to_builtins(self._event, builtin_types=(bytes,))
        return self._made

    def __getitem__(self, name: str) -> Any:
        return self._whole()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())


class AttemptPattern:
    """Reads entries that report an attempt."""

    def __init__(self, after: int = ENTRIES_BEFORE) -> None:
        """Start before an entry; the first *after* entries are left to the other way."""
        self._left = after
        self._match: Match | None = None
        self._readers: dict[int, Read] = {}
        self._known: dict[str, tuple[Any, ...]] = {}

    def read(self, data: bytes) -> tuple[Entry, AttemptReported] | None:
        """Return what an entry says, or None where it must be read the other way.

        Every check of ``read_entry``, ``read_event`` and of the limits that no pattern states has
        then been made, but for those of ``at`` and ``actor``, which repeat.
        """
        return self.made(self.capture(data))

    def capture(self, data: bytes) -> Captured | None:
        """Return the parts of an entry, of which ``made`` makes the rest; None as ``read``."""
        match = self._match
        if match is None:
            if self._left:
                self._left -= 1
                return None
            match, _ = self._prepared()
        found = match(data.decode(_LATIN))
        return None if found is None else found.groups()

    def made(self, captured: Captured | None) -> tuple[Entry, AttemptReported] | None:
        """Return what an entry says whose parts another process may have captured."""
        if captured is None:
            return None
        try:
            try:
                return self._event(captured)
            except KeyError:
                self._learn(captured)
                return self._event(captured)
        except _Strange:
            return None

    def _prepared(self) -> tuple[Match, dict[int, Read]]:
        self._match, self._readers = _grammar()
        return self._match, self._readers

    def _learn(self, groups: Captured) -> None:
        """Read what is captured together, and remember it."""
        known = self._known
        if len(known) >= _MEMORY:
            known.clear()
        for place, read in (self._readers or self._prepared()[1]).items():
            known[groups[place]] = read(groups[place])

    def _event(self, groups: Captured) -> tuple[Entry, AttemptReported]:
        (
            claims, seq, agent, record, flags, index, model,
            cost, tokens_in, tokens_out, reasoning, cache_read, cache_creation, subscription,
            result, run_id, source, attempt, task, tool_calls, model_rounds, tools_s, models_s,
            total_s, first_s, post_s, started_at, failed_text, finished_at, timeout_s, duration_s,
            words, prev, actor,
        ) = groups  # fmt: skip
        known = self._known
        at, log = known[claims]
        (agent,), (flags,), (model,) = known[agent], known[flags], known[model]
        absent, matrix, number, phases, reward = known[result]
        source, status = known[source]
        release, scenario = known[task]
        category, effort, version = known[words]
        (actor,) = known[actor]
        has_usage, has_recording = tokens_in is not None, tool_calls is not None
        (
            seq, index, tokens_in, tokens_out, reasoning, cache_read, cache_creation, tool_calls,
            model_rounds,
        ) = _numbers(
            seq, index, tokens_in, tokens_out, reasoning, cache_read, cache_creation, tool_calls,
            model_rounds,
        )  # fmt: skip
        usage = recording = None
        if has_usage:
            usage = Usage(
                cost_usd=cost,
                input_tokens=tokens_in,
                output_tokens=tokens_out,
                reasoning_tokens=reasoning,
                cache_read_tokens=cache_read,
                cache_creation_tokens=cache_creation,
                subscription_usage_usd=subscription,
            )
        if has_recording:
            recording = Recording(
                tool_calls=tool_calls,
                model_rounds=model_rounds,
                tool_duration_seconds=tools_s,
                model_duration_seconds=models_s,
                total_duration_seconds=total_s,
                first_non_read_only_tool_seconds=first_s,
                post_first_non_read_only_seconds=post_s,
            )
        event = AttemptReported(
            agent=agent,
            blobs={"record": record.encode(_LATIN)},
            flags=flags,
            index=index,
            model=model,
            usage=usage,
            absent=absent,
            matrix=matrix,
            number=number,
            phases=phases,
            reward=reward,
            run_id=_text(run_id),
            source=source,
            status=status,
            attempt=attempt,
            release=release,
            scenario=scenario,
            recording=recording,
            started_at=started_at,
            failed_text=failed_text == "\xf5",
            finished_at=finished_at,
            agent_timeout_s=timeout_s,
            agent_duration_s=duration_s,
            failure_category=category,
            reasoning_effort=effort,
            scenario_version=version,
        )
        entry = Entry(
            log,
            seq,
            prev.encode(_LATIN),
            AttemptReported.wire,
            at,
            actor,
            Fields(event),
        )
        return entry, event
