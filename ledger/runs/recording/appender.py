"""Appends records to a trajectory, and none that would not be valid (RUN-70 to RUN-79)."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from canon.excerpt import excerpt
from canon.refusal import Refusal
from ledger.errors import (
    CallRepeated,
    RecordAhead,
    RecordEarly,
    RecordField,
    RecordLong,
    RecordTime,
    ResultRepeated,
    ResultUncalled,
    RunForeign,
    RunWord,
)
from ledger.runs.fields import text
from ledger.runs.json_text import text_of
from ledger.runs.layout import (
    ACTORS,
    FIXED,
    KINDS,
    MAX_LINE_BYTES,
    PHASES,
    STATUSES,
    TRAJECTORY_SCHEMA,
)
from ledger.runs.problems import shown
from ledger.runs.records import recorded
from ledger.runs.times import Instant, instant
from ledger.runs.trajectory import Walk

from .changing import manifest_in
from .sink import Sink

_PATIENCE_SECONDS = 5.0
_MOST_AHEAD = 5 * 60 * 10**6
"""Microseconds by which the clock of whoever gives a time may go before that of the recorder."""

_PAUSE_SECONDS = 0.01
_RECORDED = tuple(kind for kind in KINDS if kind != "header")


class Appender:
    """Appends to the trajectory of one run; :class:`.recorder.Recorder` is what one uses.

    What others append in the meantime is read before each record; nothing is read twice.

    Attributes:
        run_dir: The run directory.
        run_id: Of the run, as run.json says.
    """

    def __init__(
        self,
        run_dir: Path,
        *,
        clock: Callable[[], str],
        on_append: Callable[[], object] | None = None,
        lenient: bool = False,
    ) -> None:
        """Prepare to append.

        Args:
            run_dir: A directory that ``coldledger run init`` made.
            clock: Returns the present time, RFC 3339 in UTC.
            on_append: Is called when records are on the disk, while the run is still held, so that
                it sees just these. What it raises undoes nothing.
            lenient: Take calls, results and times also where they make the run invalid. What is
                recorded as it happens can be refused, and done otherwise; what an import finds is
                evidence, and whoever validates the run has to see it (PI-21).

        Raises:
            RunMissing: There is no run.
            RunUnreadable: run.json does not say which run it is.
        """
        self.run_dir = run_dir
        self.run_id: str = manifest_in(run_dir)["run_id"]
        self._clock, self._on_append, self._lenient = clock, on_append, lenient
        self._sink = Sink(run_dir / FIXED["trajectory"], FIXED["trajectory"])
        self._walk = Walk(FIXED["trajectory"], self.run_id)
        self._depth, self._untold = 0, False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the trajectory."""
        self._sink.close()

    def call(
        self,
        call_id: str,
        tool: str,
        arguments: Any,
        *,
        phase: str | None = "agent",
        actor: str | None = "agent",
        at: str | None = None,
        **more: Any,
    ) -> Mapping[str, Any]:
        """Record that a tool was called; *more* may be instance, dimension, tick or note."""
        said = {"record": "call", "call_id": call_id, "tool": tool, "arguments": arguments}
        return self._one(said, phase=phase, actor=actor, at=at, **more)

    def result(
        self,
        call_id: str,
        status: str,
        *,
        result: Any = None,
        phase: str | None = None,
        actor: str | None = "agent",
        at: str | None = None,
        **more: Any,
    ) -> Mapping[str, Any]:
        """Record what a call came to; *more* may be error, duration_ms, tool_name or source."""
        said = {"record": "result", "call_id": call_id, "status": status}
        return self._one(said, result=result, phase=phase, actor=actor, at=at, **more)

    def phase(
        self,
        phase: str,
        actor: str,
        *,
        evidence: Sequence[str] = (),
        at: str | None = None,
        **more: Any,
    ) -> Mapping[str, Any]:
        """Record that a phase began; *more* may be instance or note."""
        said = {"record": "phase", "phase": phase, "actor": actor, "evidence": list(evidence)}
        return self._one(said, at=at, **more)

    def mark(
        self,
        name: str,
        data: Mapping[str, Any] | None = None,
        *,
        actor: str | None = "operator",
        phase: str | None = None,
        at: str | None = None,
        **more: Any,
    ) -> Mapping[str, Any]:
        """Record a fact about the run beside its calls."""
        said = {"record": "mark", "name": name}
        data = {} if data is None else data
        return self._one(said, phase=phase, actor=actor, data=data, at=at, **more)

    def record(self, said: Mapping[str, Any]) -> Mapping[str, Any]:
        """Record an object as it is; run_id, schema, at and seq are filled in."""
        return self.record_all([said])[0]

    def record_all(self, said: Iterable[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        """Record several objects, all or none, with one write; return them as they stand."""
        made: list[Mapping[str, Any]] = []
        lines: list[bytes] = []
        with self.held():
            self._catch_up()
            try:
                for number, one in enumerate(said, 1):
                    try:
                        record, line = self._made(one)
                    except Refusal as fault:
                        if isinstance(said, Sequence) and len(said) > 1:
                            raise _of_record(fault, number) from fault
                        raise
                    self._take(line)
                    made.append(record)
                    lines.append(line)
                if lines:
                    self._sink.append(b"".join(lines))
                    self._untold = True
            except BaseException:
                self._sink.reread()  # what was taken into account never came to stand there
                raise
        return made

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the run for this recorder alone, so that files and records go together."""
        with self._sink.locked():
            if not self._depth:
                self._catch_up()
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
            if self._depth or not self._untold:
                return
            self._untold = False
            if self._on_append is not None:
                self._on_append()

    @contextmanager
    def together(self) -> Iterator[ExitStack]:
        """Hold the run while files of it change with records: all of that stays, or none (RUN-88).

        What is given takes the steps that undo what was done to the files; none of them may need
        room on the disk. Records go by themselves.
        """
        with self.held(), ExitStack() as undo:
            undo.callback(self._forget, self._sink.size(), self._untold)
            yield undo
            undo.pop_all()

    def moment(self) -> str:
        """Return the present time; where a clock was set back a little, that is waited for."""
        give_up = time.monotonic() + _PATIENCE_SECONDS
        while True:
            now = self._clock()
            if not self._is_early(instant(now)) or time.monotonic() > give_up:
                return now
            time.sleep(_PAUSE_SECONDS)

    def checked_time(self, given: Any = None) -> Any:
        """Return the time for the next record: the one given, or now; the run must be held.

        A lenient recorder takes whatever is given.

        Raises:
            RecordTime: It is no time.
            RecordEarly: It is before that of the last record.
            RecordAhead: It is more than five minutes after the clock.
        """
        at = self.moment() if given is None else given
        if self._lenient:
            return at
        if given is not None:
            self.check_not_ahead(given)
        read = instant(at)
        if read is None:
            raise RecordTime("at", shown(at), "a time")
        if self._is_early(read):
            raise RecordEarly("at", shown(at), "a time no earlier than that of the last record")
        return at

    def check_not_ahead(self, at: Any) -> None:
        """Refuse a time that has not come yet.

        Raises:
            RecordAhead: It is more than five minutes after the clock.
        """
        read, now = instant(at), self._clock()
        present = instant(now)
        if read is not None and present is not None and read > present + _MOST_AHEAD:
            raise RecordAhead("at", shown(at), f"a time at most five minutes after {now}")

    def _one(self, said: Mapping[str, Any], **more: Any) -> Mapping[str, Any]:
        given = {name: value for name, value in more.items() if value is not None}
        return self.record({**said, **given})

    def _forget(self, size: int, untold: bool) -> None:
        """Take records off again that were appended behind the first *size* bytes."""
        self._sink.cut(size)
        self._untold = untold

    def _catch_up(self) -> None:
        if self._sink.starts_over():
            self._walk = Walk(FIXED["trajectory"], self.run_id)
        for line in self._sink.appended():
            self._take(line)

    def _take(self, line: bytes) -> None:
        for _ in self._walk.take(self._walk.records + 1, recorded(line)):
            pass  # what is wrong with what stands there is for validation to say

    def _is_early(self, at: Instant | None) -> bool:
        return at is not None and self._walk.last_at is not None and at < self._walk.last_at

    def _made(self, said: Mapping[str, Any]) -> tuple[Mapping[str, Any], bytes]:
        """Return a record as it is to stand in the file, with its line."""
        kind = _word("record", said.get("record"), _RECORDED)
        if "seq" in said:
            raise RecordField("seq", shown(said["seq"]), "no number: the recorder gives it")
        if said.get("schema") not in (None, TRAJECTORY_SCHEMA):
            raise RecordField("schema", shown(said["schema"]), TRAJECTORY_SCHEMA)
        for name in ("run_id", "runId"):
            if said.get(name) not in (None, self.run_id):
                raise RunForeign(name, shown(said[name]), shown(self.run_id))
        record = {"schema": TRAJECTORY_SCHEMA, "record": kind, "run_id": self.run_id, **said}
        record |= {"schema": TRAJECTORY_SCHEMA, "run_id": self.run_id}
        self._check_words(record, kind)
        if kind == "mark":
            _named(record, "name", "a name for the mark")
        elif not self._lenient:
            self._check_pair(record, kind)
        record["at"] = self.checked_time(said.get("at"))
        record["seq"] = self._walk.last_seq + 1
        return record, _line(record)

    def _check_words(self, record: Mapping[str, Any], kind: str) -> None:
        for name, words, needed in (
            ("phase", PHASES, kind == "phase"),
            ("actor", ACTORS, kind == "phase"),
            ("status", STATUSES, kind == "result"),
        ):
            if needed or record.get(name) is not None:
                _word(name, record.get(name), words)

    def _check_pair(self, record: Mapping[str, Any], kind: str) -> None:
        if kind == "call":
            self._check_call(record)
        elif kind == "result":
            self._check_result(record)

    def _check_call(self, record: Mapping[str, Any]) -> None:
        call_id = _named(record, "call_id")
        _named(record, "tool")
        if "arguments" not in record:
            raise RecordField("arguments", "nothing", "what the tool was called with, or null")
        call = self._walk.call(call_id)
        if call is not None and call.called:
            raise CallRepeated("call_id", excerpt(call_id), f"another than in line {call.called}")

    def _check_result(self, record: Mapping[str, Any]) -> None:
        call_id = _named(record, "call_id")
        call = self._walk.call(call_id)
        if call is None or not call.called:
            raise ResultUncalled("call_id", excerpt(call_id), "the name of a call in this run")
        if call.results:
            raise ResultRepeated(
                "call_id", excerpt(call_id), f"a call without a result, as line {call.results} is"
            )


def _of_record(fault: Refusal, number: int) -> Refusal:
    """Return what is wrong with one of several records, with its number."""
    place = f"record {number}, {fault.place}"
    return type(fault)(place, fault.got, fault.expected, remedy=fault.remedy)


def _line(record: Mapping[str, Any]) -> bytes:
    try:
        line = text_of(record).encode() + b"\n"
    except (TypeError, ValueError) as fault:
        raise RecordField("record", str(fault), "what JSON can hold") from fault
    if len(line) > MAX_LINE_BYTES:
        raise RecordLong("record", f"{len(line)} bytes", f"at most {MAX_LINE_BYTES}")
    return line


def _word(name: str, value: Any, words: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in words:
        raise RunWord(name, shown(value), " or ".join(words))
    return value


def _named(record: Mapping[str, Any], name: str, expected: str = "a text that is not empty") -> str:
    value = text(record.get(name))
    if value is None:
        raise RecordField(name, shown(record.get(name)), expected)
    return value
