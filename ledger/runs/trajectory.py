"""The order and the pairs of a trajectory, one record after the other (RUN-50 to RUN-59).

One small entry is kept for each call, nothing else, so the file may be of any length. Validating
and recording both walk with this: one names what is wrong, the other refuses to write it.
"""

import hashlib
from collections.abc import Iterator

from canon.excerpt import excerpt

from .layout import ACTORS, KINDS, PHASES, STATUSES, TRAJECTORY_SCHEMA
from .problems import LINE_GOT, Problem, shown
from .records import Recorded
from .times import Instant, instant


class Call:
    """What is remembered of a call id: lines are counted from 1, and 0 where there is none."""

    __slots__ = ("at", "called", "early", "excerpt", "results")

    def __init__(self, call_id: str) -> None:
        """Remember a part of *call_id* that is short enough for a message."""
        self.excerpt = excerpt(call_id)
        self.called = 0
        self.results = 0
        self.early: int = 0
        self.at: Instant | None = None


class Walk:
    """A trajectory as far as it has been read.

    Attributes:
        last_seq: The highest number so far; 0 before the first.
        last_at: The latest time so far.
    """

    def __init__(self, path: str, run_id: str | None) -> None:
        """Begin with no record.

        Args:
            path: As the run names the file.
            run_id: Of the run; None where run.json does not say it, then the header's counts.
        """
        self._path, self._run_id = path, run_id
        self._calls: dict[bytes, Call] = {}
        self._before: tuple[Instant, int] | None = None
        self._number_before: int | None = None
        self.records = 0
        self.last_seq = 0
        self.last_at: Instant | None = None

    def call(self, call_id: str) -> Call | None:
        """Return what is remembered of a call id."""
        return self._calls.get(_key(call_id))

    def take(self, line: int, record: Recorded) -> Iterator[Problem]:
        """Go on with the record of a line, and yield what is wrong with it."""
        first = not self.records
        self.records += 1
        if record.fault is not None:
            expected = "a record"
            yield Problem(self._path, line, record.fault, LINE_GOT[record.fault], expected)
            return
        yield from self._kind(line, record, first=first)
        yield from self._belongs(line, record)
        yield from self._number(line, record)
        yield from self._time(line, record)
        yield from self._words(line, record)
        if record.record == "call":
            yield from self._called(line, record)
        elif record.record == "result":
            yield from self._returned(line, record)
        elif record.record == "mark" and record.name is None:
            yield self._problem(line, "name", record, "name", "a name")

    def end(self) -> Iterator[Problem]:
        """Yield what only the end of the file shows: calls and results that stand alone."""
        if not self.records:
            yield Problem(self._path, None, "empty_file", "an empty file", "a header, then records")
        for call in self._calls.values():
            if not call.called:
                yield Problem(
                    self._path, call.early, "result_without_call", f"a result of {call.excerpt}",
                    "a call before it",
                )  # fmt: skip
            elif call.early:
                yield Problem(
                    self._path, call.early, "result_before_call", f"a result of {call.excerpt}",
                    f"its call before it, not in line {call.called}",
                )  # fmt: skip
            elif not call.results:
                yield Problem(
                    self._path, call.called, "call_without_result", f"a call {call.excerpt}",
                    "a result of it further down",
                )  # fmt: skip

    def _kind(self, line: int, record: Recorded, *, first: bool) -> Iterator[Problem]:
        if record.record not in KINDS:
            got = shown(record.raw.get("record"))
            yield Problem(self._path, line, "kind", got, " or ".join(KINDS))
        if first and record.record != "header":
            got = "no header"
            yield Problem(self._path, line, "header_missing", got, "the header as the first record")
        if not first and record.record == "header":
            got = "a header"
            yield Problem(self._path, line, "header_repeated", got, "one header, in line 1")
        schema = record.raw.get("schema")
        if schema != TRAJECTORY_SCHEMA and (first or schema is not None):
            yield Problem(self._path, line, "schema", shown(schema), TRAJECTORY_SCHEMA)

    def _belongs(self, line: int, record: Recorded) -> Iterator[Problem]:
        if record.record == "header" and self._run_id is None:
            self._run_id = record.run_id
        named = [name for name in ("run_id", "runId") if record.raw.get(name) is not None]
        if record.record == "header" and not named:
            expected = self._run_id or "a run id"
            yield Problem(self._path, line, "run_id", "no run id", expected)
        for name in named:
            if record.raw[name] != self._run_id:
                expected = shown(self._run_id)
                yield Problem(self._path, line, "run_id", shown(record.raw[name]), expected)

    def _number(self, line: int, record: Recorded) -> Iterator[Problem]:
        seq = record.raw.get("seq")
        if type(seq) is not int:  # a truth value is none, nor is a text of digits
            got = "a text" if isinstance(seq, str) else shown(seq)
            yield Problem(self._path, line, "seq", got, "an integer")
            return
        if self._number_before is not None and seq <= self._number_before:
            expected = f"a number above {shown(self._number_before)}"
            yield Problem(self._path, line, "seq_order", shown(seq), expected)
        self._number_before = seq
        self.last_seq = max(self.last_seq, seq)

    def _time(self, line: int, record: Recorded) -> Iterator[Problem]:
        at = record.at
        if "at" in record.malformed:
            yield self._problem(line, "time", record, "at", "a time")
        if record.record == "header":
            opened = instant(record.raw.get("created_at"))
            if opened is None and record.raw.get("created_at") is not None:
                yield self._problem(line, "time", record, "created_at", "a time")
            at = opened if at is None else at  # nothing happened before the run was opened
        if at is None:
            return
        if self._before is not None and at < self._before[0]:
            yield Problem(
                self._path, line, "time_order", shown(record.raw.get("at")),
                f"a time no earlier than that in line {self._before[1]}",
            )  # fmt: skip
        self._before = at, line
        self.last_at = at if self.last_at is None else max(self.last_at, at)

    def _words(self, line: int, record: Recorded) -> Iterator[Problem]:
        of_phase, of_result = record.record == "phase", record.record == "result"
        for name, words, needed in (
            ("phase", PHASES, of_phase),
            ("actor", ACTORS, of_phase),
            ("status", STATUSES, of_result),
        ):
            value = record.raw.get(name)
            if value is None and not needed:
                continue
            if not isinstance(value, str) or value not in words:
                yield self._problem(line, name, record, name, " or ".join(words))

    def _called(self, line: int, record: Recorded) -> Iterator[Problem]:
        if record.tool is None:
            yield self._problem(line, "tool", record, "tool", "the name of a tool")
        if "arguments" not in record.raw:
            yield self._problem(line, "arguments", record, "arguments", "any JSON")
        if record.call_id is None:
            yield self._problem(line, "call_id", record, "call_id", "a text that is not empty")
            return
        call = self._calls.setdefault(_key(record.call_id), Call(record.call_id))
        if call.called:
            yield Problem(
                self._path, line, "call_repeated", f"a second call {call.excerpt}",
                f"one, which is in line {call.called}",
            )  # fmt: skip
            return
        call.called, call.at = line, record.at

    def _returned(self, line: int, record: Recorded) -> Iterator[Problem]:
        if record.call_id is None:
            yield self._problem(line, "call_id", record, "call_id", "the name of a call")
            return
        call = self._calls.setdefault(_key(record.call_id), Call(record.call_id))
        if call.results:
            yield Problem(
                self._path, line, "result_repeated", f"a second result of {call.excerpt}",
                f"one, which is in line {call.results}",
            )  # fmt: skip
            return
        call.results = line
        if not call.called:
            call.early = line
        elif call.at is not None and record.at is not None and record.at < call.at:
            yield Problem(
                self._path, line, "result_before_call", shown(record.raw["at"]),
                f"a time no earlier than that of the call in line {call.called}",
            )  # fmt: skip

    def _problem(self, line: int, code: str, record: Recorded, name: str, expected: str) -> Problem:
        value = record.raw.get(name)
        got = f"no {name}" if value is None else f"{name} {shown(value)}"
        return Problem(self._path, line, code, got, expected)


def _key(call_id: str) -> bytes:
    """Return 16 bytes for a call id of any length."""
    return hashlib.sha256(call_id.encode(errors="surrogatepass")).digest()[:16]
