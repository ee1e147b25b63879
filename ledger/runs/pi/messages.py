"""The second pass over a session: messages of the active branch become records of a run."""

from collections.abc import Container, Iterator
from typing import Any

from msgspec import Struct

from canon.excerpt import excerpt
from canon.refusal import Refusal
from ledger.errors import (
    PiCallTwice,
    PiClock,
    PiEntryInvalid,
    PiLineLong,
    PiResultTwice,
    PiResultUncalled,
    PiResultUnnamed,
    PiText,
    PiTime,
    PiUnanswered,
    PiUserCommand,
)
from ledger.importers.source_json import Json, kind_of
from ledger.runs.json_text import text_of

from .lines import Line, Object
from .pairs import Pairs
from .report import MAX_UNANSWERED, Report, Unanswered, name_of
from .results import Attachment, content_of
from .texts import Values
from .times import time_of
from .usage import Spent

SOURCE = "import:pi"
"""What records say of where they come from."""

_RESULT_ROLES = ("toolResult", "tool")
_LONG_LINE, _LONG_ARGUMENTS = 2**21, 15 * 2**20
"""Bytes of a line from which on its arguments are measured, and bytes of what a record can hold.

As JSON text of ours, which has spaces, and U+FFFD for single bytes, they may be three times longer.
"""
_WHOLE_TURNS = ("stop", "toolUse")
"""How a turn ends that ran to its end; what another one called may never have run."""


class Manner(Struct, frozen=True):
    """What a session does not say of its records.

    Attributes:
        phase: Phase of the run that they belong to.
        actor: Who made the calls.
        max_text: From how many characters on the text of a result is cut, at least 1.
        now: Time of what has none, as canonical text.
    """

    phase: str
    actor: str
    max_text: int
    now: str


class Imported(Struct, frozen=True):
    """A record, and what belongs to it.

    Attributes:
        record: Fields of the record; the recorder adds schema, run and seq.
        line: Where it stands in the session.
        attachment: What has to be stored before the record, if anything.
    """

    record: dict[str, Any]
    line: int
    attachment: Attachment | None = None


class _Entry(Struct, frozen=True):
    """An entry with a message, and where it stands."""

    said: Object
    message: Object
    line: int
    place: str
    on_branch: bool
    long: bool


class Messages:
    """Translates entries, one after the other, and counts in a report what becomes of them."""

    def __init__(self, name: str, report: Report, manner: Manner) -> None:
        """Begin at the start of a session, whose file messages call *name*."""
        self._name, self._report, self._manner = name, report, manner
        self._values = Values()
        self._pairs = Pairs()
        self._last_time: str | None = None

    def entry(self, said: Object, at: Line, place: str, on_branch: bool) -> Iterator[Imported]:
        """Yield the records that an entry makes."""
        line = at.number
        if said.get("type") != "message":
            self._spend(said.get("usage"), place, on_branch, said)
            self._tick(time_of(said.get("timestamp")), line, place, on_branch)
            return
        message = said.get("message")
        if type(message) is not dict:
            self._invalid(line, f"{place}, message", kind_of(message), "an object")
            return
        self._spend(message.get("usage"), place, on_branch, message)
        entry = _Entry(said, message, line, place, on_branch, at.size_bytes > _LONG_LINE)
        role = message.get("role")
        if not on_branch:
            self._set_aside(entry)
            return
        self._report.messages.note(role if type(role) is str else kind_of(role))
        time = self._time(entry)
        replaced = self._values.replaced
        if role == "assistant":
            yield from self._assistant(entry, time)
        elif role in _RESULT_ROLES:
            yield from self._result(entry, time)
        else:
            self._other(entry)
        if self._values.replaced > replaced:
            got = f"{self._values.replaced - replaced} characters or numbers out of range"
            self._problem(line, PiText(place, got, "Unicode text, and numbers of JavaScript's"))

    def finish(self, answered: Container[str] = ()) -> None:
        """Say which calls were never answered, by the session or in the run (PI-13)."""
        waiting = self._pairs.unanswered()
        self._report.unanswered = waiting[:MAX_UNANSWERED]
        self._report.unanswered_count = len(waiting)
        for call in waiting:
            if call.call_id in answered:
                continue
            place = f"{self._name}, line {call.line}, call {excerpt(call.call_id)}"
            ended = f"; its turn ended with {call.stop_reason}" if call.stop_reason else ""
            self._problem(call.line, PiUnanswered(place, f"no result{ended}", "one result"))

    def _assistant(self, entry: _Entry, time: str) -> Iterator[Imported]:
        message, report = entry.message, self._report
        provider = self._word(message.get("provider"))
        model = self._word(message.get("model"))
        stop = self._word(message.get("stopReason"))
        report.stop_reasons.note(stop or "none")
        report.providers.note(provider or "none")
        content = message.get("content")
        if type(content) is str:
            content = [{"type": "text", "text": content}]
        if type(content) is not list:
            self._invalid(entry.line, f"{entry.place}, content", kind_of(content), "an array")
            return
        base = {"source": SOURCE, "model": model, "provider": provider}
        if stop is not None and stop not in _WHOLE_TURNS:
            base["note"] = f"the turn ended with {stop}"
        for index, part in enumerate(content):
            kind = part.get("type") if type(part) is dict else None
            match kind:
                case "toolCall":
                    yield self._call(entry, part, index, time, base, stop)  # type: ignore[arg-type]
                case "text":
                    report.prose += 1
                case "thinking":
                    report.thinking += 1
                case _:
                    report.other_parts.note(kind if type(kind) is str else kind_of(part))

    def _call(
        self,
        entry: _Entry,
        part: Object,
        index: int,
        time: str,
        base: dict[str, str | None],
        stop: str | None,
    ) -> Imported:
        where = f"{entry.place}, content/{index}"
        tool, call_id = self._word(part.get("name")), self._word(part.get("id"))
        if tool is None:
            self._invalid(entry.line, f"{where}/name", kind_of(part.get("name")), "a tool's name")
        if call_id is None:
            call_id = f"import-{entry.line}" + (f"-{index}" if index else "")
        if self._pairs.call(call_id, Unanswered(entry.line, call_id, tool or "", stop)):
            fault = PiCallTwice(where, f"the id {excerpt(call_id)} again", "ids that differ")
            self._problem(entry.line, fault)
        self._report.calls += 1
        record = {
            "record": "call",
            "call_id": call_id,
            "tool": tool or "",
            "arguments": self._arguments(entry, part.get("arguments", {}), where),
            "phase": self._manner.phase,
            "actor": self._manner.actor,
            "at": time,
            **{name: value for name, value in base.items() if value is not None},
            "origin": self._origin(entry),
        }
        return Imported(record, entry.line)

    def _arguments(self, entry: _Entry, said: Json, where: str) -> Any:
        """Return what a tool was called with, null where that is too much for a record."""
        arguments = self._values.value(said)
        if not entry.long:
            return arguments
        size = len(text_of(arguments).encode())
        if size <= _LONG_ARGUMENTS:
            return arguments
        fault = PiLineLong(f"{where}/arguments", f"{size} bytes", f"at most {_LONG_ARGUMENTS}")
        self._problem(entry.line, fault)
        return None

    def _result(self, entry: _Entry, time: str) -> Iterator[Imported]:
        message, report = entry.message, self._report
        call_id = self._word(message.get("toolCallId"))
        if call_id is None:
            got = kind_of(message.get("toolCallId"))
            where = f"{entry.place}, toolCallId"
            self._problem(entry.line, PiResultUnnamed(where, got, "the id of a call"))
            return
        odd, named = self._pairs.result(call_id), f"a result of {excerpt(call_id)}"
        if odd == "twice":
            twice = PiResultTwice(entry.place, f"{named} again", "one result of a call")
            self._problem(entry.line, twice)
        elif odd == "uncalled":
            expected = "a call before it on the branch"
            self._problem(entry.line, PiResultUncalled(entry.place, named, expected))
        failed = message.get("isError", False)
        if type(failed) is not bool and failed is not None:
            self._invalid(entry.line, f"{entry.place}, isError", kind_of(failed), "true or false")
        content = content_of(message.get("content"), self._values, self._manner.max_text)
        report.results += 1
        report.errors += bool(failed)
        report.truncated += content.attachment is not None
        report.images += content.images
        report.thinking += content.thinking
        record = {
            "record": "result",
            "call_id": call_id,
            "status": "error" if failed else "ok",
            "tool_name": self._word(message.get("toolName")),
            "result": content.body,
            "phase": self._manner.phase,
            "actor": self._manner.actor,
            "at": time,
            "source": SOURCE,
            "origin": self._origin(entry),
        }
        if record["tool_name"] is None:
            del record["tool_name"]
        yield Imported(record, entry.line, content.attachment)

    def _other(self, entry: _Entry) -> None:
        """Count a message that is neither the agent's nor a tool's: what people and pi say."""
        content, role = entry.message.get("content"), entry.message.get("role")
        if role == "bashExecution":
            got = "a command that a person ran"
            self._problem(entry.line, PiUserCommand(entry.place, got, "calls of the agent only"))
        for part in content if type(content) is list else [content]:
            kind = part.get("type") if type(part) is dict else None
            if kind == "thinking":
                self._report.thinking += 1
            elif kind == "text" or type(part) is str:
                self._report.prose += 1
            elif part is not None:
                self._report.other_parts.note(kind if type(kind) is str else kind_of(part))

    def _set_aside(self, entry: _Entry) -> None:
        """Count what stands on another branch: it happened, so that it must be visible (PI-2)."""
        content, aside = entry.message.get("content"), self._report.aside
        aside.results += entry.message.get("role") in _RESULT_ROLES
        if entry.message.get("role") == "assistant" and type(content) is list:
            aside.calls += sum(
                type(part) is dict and part.get("type") == "toolCall" for part in content
            )

    def _spend(self, usage: Json, place: str, on_branch: bool, said: Object) -> None:
        if type(usage) is not dict:
            return
        report = self._report
        spent = report.spent if on_branch else report.aside.spent
        for fault in spent.add(usage, place):
            self._problem(int(place.rpartition(" ")[2]), fault)
        model = self._word(said.get("model"))
        if model is not None and on_branch:
            name = f"{self._word(said.get('provider')) or 'none'}/{model}"
            report.models.setdefault(name_of(report.models, name), Spent()).add(usage, place)

    def _time(self, entry: _Entry) -> str:
        """Return when a message was, with a problem where the session does not say (PI-15)."""
        said = entry.said.get("timestamp")
        time = time_of(said)
        if time is None:
            fallback = time_of(entry.message.get("timestamp"))
            if said is not None or fallback is None:
                taken = f"a time that can be read ({fallback or self._manner.now} is taken)"
                fault = PiTime(f"{entry.place}, timestamp", kind_of(said), taken)
                self._problem(entry.line, fault)
            time = fallback
        self._tick(time, entry.line, entry.place, entry.on_branch)
        return time or self._manner.now

    def _tick(self, time: str | None, line: int, place: str, on_branch: bool) -> None:
        if time is None or not on_branch:
            return
        if self._last_time is not None and time < self._last_time:
            self._problem(line, PiClock(place, time, f"no time before {self._last_time}"))
        self._last_time = time

    def _origin(self, entry: _Entry) -> dict[str, Any]:
        """Return where a record stands in its session, by which it is known again (PI-18)."""
        name = entry.said.get("id")
        origin: dict[str, Any] = {"session": self._report.session, "line": entry.line}
        return origin | {"entry": self._values.text(name)} if type(name) is str else origin

    def _word(self, value: Json) -> str | None:
        """Return a text that is not empty, None for anything else."""
        return self._values.text(value) or None if type(value) is str else None

    def _invalid(self, line: int, where: str, got: str, expected: str) -> None:
        self._problem(line, PiEntryInvalid(where, got, expected))

    def _problem(self, line: int, fault: Refusal) -> None:
        self._report.problems.add(line, fault)
