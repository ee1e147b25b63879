"""Events as people write them: JSON or TOML, with bytes as hexadecimal text (``specs/events.md``).

Numbers stay exact: none goes through a binary float. A field that may be null may be left out. A
number of an event may be written ``@0``, which is the first event of the same document.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any, NoReturn, TypeAlias

from msgspec import Struct

from canon.excerpt import excerpt

from .entry import is_actor
from .errors import AppendedByCommand, EventsMalformed, EventTypeUnknown, ShapeInvalid
from .events import DECISIONS, OBSERVATIONS
from .naming import near_names
from .report.schema import BY_COMMAND
from .shapes import Leaf, Many, Tuple, shape_of
from .written_values import HEX, Misfit, read_fields, read_value, said

BESIDE = ("type", "slots", "actor", "until", "target")
"""What a document gives beside an event's own fields; a field of such a name is the event's own."""

FileOf: TypeAlias = Callable[[str], bytes]
"""Gives the bytes of a file that a slot names."""

_TARGET = Many(
    Tuple((Leaf("count", "a number of an event", int), Leaf("digest", "32 bytes", bytes)))
)


class Written(Struct, frozen=True):
    """One event of a document; checked, but for what its place in a log decides.

    Attributes:
        wire: Its type.
        values: Its fields as they were written.
        slots: Slot to bytes.
        actor: Who records an observation, or None.
        until: Last position at which a decision may stand, or None.
        target: What a decision was made in view of, or None.
        place: Names it in messages.
    """

    wire: str
    values: dict[str, Any]
    slots: dict[str, bytes]
    actor: str | None
    until: int | None
    target: list[Any] | None
    place: str

    @property
    def is_decision(self) -> bool:
        """Whether it has to be signed."""
        return self.wire in DECISIONS

    def fields(self, first: int) -> dict[str, Any]:
        """Return its fields as an entry has them, where the document's first event is *first*."""
        return read_fields(shape_of(self.wire), self.values, (), first)

    def seen(self, first: int) -> Any:
        """Return what it says that it was made in view of, or None."""
        return None if self.target is None else read_value(_TARGET, self.target, ("target",), first)


def read_events(
    data: bytes,
    name: str,
    wire: str | None,
    slots: Mapping[str, bytes],
    file_of: FileOf,
) -> list[Written]:
    """Read a document with an event, or with a list of them under ``events``.

    Args:
        data: JSON, or TOML where *name* ends in ``.toml``.
        name: Names the document in messages.
        wire: Type of each event that does not state its own.
        slots: Slot to bytes, of the only event.
        file_of: Reads files that slots name.

    Raises:
        EventsMalformed: It is no JSON or TOML, or holds no event.
        EventTypeUnknown: No such type.
        AppendedByCommand: A command appends events of the type, with what belongs to them.
        ShapeInvalid: A field is missing, unknown, or has a value that it cannot have.
    """
    text, value = _parsed(data, name)
    listed = _listed(value, name)
    if slots and len(listed) != 1:
        got = f"--blob, and {len(listed)} events"
        raise EventsMalformed(name, got, "`slots` in each event of a list")
    found = []
    for number, one in enumerate(listed):
        place = name if len(listed) == 1 else f"{name}, event {number}"
        found.append(_event(one, place, wire, slots, file_of, _Lines(text, number, len(listed))))
    for number, event in enumerate(found):
        _check(event, len(found), _Lines(text, number, len(listed)))
    return found


def _event(
    one: Any,
    place: str,
    wire: str | None,
    slots: Mapping[str, bytes],
    file_of: FileOf,
    lines: "_Lines",
) -> Written:
    if not isinstance(one, dict):
        raise EventsMalformed(place, said(one), "an event: fields and their values")
    named = one.get("type", wire)
    if named is None:
        raise EventsMalformed(place, "no type", "TYPE, or a field `type` in each event")
    if wire is not None and named != wire:
        raise EventsMalformed(f"{place}, type", said(named), f"{wire}, as the command says")
    check_type(str(named), place)
    if named in BY_COMMAND:
        by = BY_COMMAND[named]
        raise AppendedByCommand(place, named, f"what {by} appends", remedy=f"use {by}")
    given = {**_slots(one.get("slots", {}), place, str(named), file_of, lines), **slots}
    own = shape_of(str(named)).of
    values = {key: value for key, value in one.items() if key in own or key not in BESIDE}
    actor = None if "actor" in own else one.get("actor")
    is_decision = named in DECISIONS
    for key in ("actor",) if is_decision else ("until", "target"):
        if key in one:
            why = "the role that decides" if is_decision else "nothing: nobody signs an observation"
            _refuse(Misfit((key,), said(one[key]), why), place, str(named), lines)
    return Written(str(named), values, given, actor, one.get("until"), one.get("target"), place)


def _check(event: Written, count: int, lines: "_Lines") -> None:
    """Read every field once, as if the document began at event 0."""
    try:
        read_fields(shape_of(event.wire), event.values, (), 0, count)
        if event.target is not None:
            read_value(_TARGET, event.target, ("target",), 0, count)
        if event.until is not None and (type(event.until) is not int or event.until < 0):
            raise Misfit(("until",), said(event.until), "a number from 0 on")
        if event.actor is not None and not (isinstance(event.actor, str) and is_actor(event.actor)):
            expected = "1 to 64 printable ASCII characters"
            raise Misfit(("actor",), said(event.actor), expected)
    except Misfit as misfit:
        _refuse(misfit, event.place, event.wire, lines)


def _refuse(misfit: Misfit, place: str, wire: str, lines: "_Lines") -> NoReturn:
    where = ", ".join([place, *lines.of(misfit.path), f"field {'.'.join(misfit.path)}"])
    remedy = f"see what it takes with `coldledger schema {wire}`"
    raise ShapeInvalid(where, misfit.got, misfit.expected, remedy=remedy) from None


def check_type(wire: str, place: str) -> None:
    """Refuse what is no type of event.

    Raises:
        EventTypeUnknown: It names near ones.
    """
    if wire not in OBSERVATIONS and wire not in DECISIONS:
        near = near_names(wire, [*OBSERVATIONS, *DECISIONS]) or "a type of event"
        remedy = "list the types with `coldledger schema`"
        raise EventTypeUnknown(place, f"type {excerpt(wire)}", near, remedy=remedy)


def _slots(value: Any, place: str, wire: str, file_of: FileOf, lines: "_Lines") -> dict[str, bytes]:
    """Return slots to bytes; each is text, or a map of ``text``, ``hex`` or ``file``."""
    made = {}
    try:
        if not isinstance(value, dict):
            raise Misfit(("slots",), said(value), "a map of slots")
        for slot, given in value.items():
            path = ("slots", slot)
            match given:
                case str():
                    made[slot] = given.encode()
                case {"text": str(text)} if len(given) == 1:
                    made[slot] = text.encode()
                case {"hex": str(text)} if len(given) == 1 and HEX.fullmatch(text):
                    made[slot] = bytes.fromhex(text)
                case {"file": str(name)} if len(given) == 1:
                    made[slot] = file_of(name)
                case _:
                    expected = "text, or a map of one of text, hex (lower case), file"
                    raise Misfit(path, said(given), expected)
    except UnicodeEncodeError:
        raise EventsMalformed(f"{place}, slots", "half a character", "Unicode text") from None
    except Misfit as misfit:
        _refuse(misfit, place, wire, lines)
    return made


def _listed(value: Any, name: str) -> list[Any]:
    if isinstance(value, dict) and set(value) == {"events"}:
        value = value["events"]
        if not isinstance(value, list):
            raise EventsMalformed(f"{name}, events", said(value), "a list of events")
    listed = value if isinstance(value, list) else [value]
    if not listed:
        raise EventsMalformed(name, "an empty list", "one event or more")
    return listed


def _parsed(data: bytes, name: str) -> tuple[str, Any]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        got = f"a byte {data[fault.start]:#04x} at {fault.start}"
        raise EventsMalformed(name, got, "UTF-8") from None
    return text, _toml(text, name) if name.lower().endswith(".toml") else _json(text, name)


def _toml(text: str, name: str) -> Any:
    import tomllib  # most documents are JSON

    try:
        return tomllib.loads(text, parse_float=_exact)
    except tomllib.TOMLDecodeError as fault:
        raise EventsMalformed(name, str(fault), "TOML 1.0") from None
    except (RecursionError, ValueError) as fault:
        raise EventsMalformed(name, str(fault), "TOML 1.0") from None


def _json(text: str, name: str) -> Any:
    try:
        return json.loads(
            text, parse_float=_exact, parse_constant=_constant, object_pairs_hook=_unique
        )
    except json.JSONDecodeError as fault:
        raise EventsMalformed(f"{name}, line {fault.lineno}", fault.msg, "JSON") from None
    except (RecursionError, ValueError) as fault:
        raise EventsMalformed(name, str(fault) or "too deep", "JSON") from None


def _exact(text: str) -> Decimal:
    value = Decimal(text.replace("_", ""))
    if not value.is_finite():
        raise ValueError(f"{text} is no number")
    return value


def _constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def _unique(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            raise ValueError(f"key {excerpt(key)!r} stands twice")
        made[key] = value
    return made


class _Lines:
    """Finds the line of a field, where its key stands as often as there are events."""

    def __init__(self, text: str, number: int, count: int) -> None:
        self._text, self._number, self._count = text, number, count

    def of(self, path: tuple[str, ...]) -> list[str]:
        """Return ``line N``, or nothing where it could be another."""
        keys = [key for key in path if not key.isdigit()]
        if not keys:
            return []
        key = re.escape(keys[-1])
        starts = [
            match.start()
            for match in re.finditer(
                rf'"{key}"\s*:|(?:^[ \t]*|[{{,]\s*)"?{key}"?\s*=', self._text, re.MULTILINE
            )
        ]
        if len(starts) not in (1, self._count):
            return []
        start = starts[0] if len(starts) == 1 else starts[self._number]
        return [f"line {self._text.count(chr(10), 0, start) + 1}"]
