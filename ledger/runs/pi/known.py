"""What a run has of a session already: its records, known by their entries and lines (PI-20)."""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from canon.excerpt import excerpt
from ledger.errors import PiCallTwice, PiClock
from ledger.runs.layout import FIXED
from ledger.runs.times import Instant, instant

from .lines import Counted, lines
from .messages import Imported
from .pairs import LISTED_CHARS
from .session import Session

_BEGAN_BEFORE = (
    "the session began before that record, and the run will not validate: open a run before its"
    " session, and import the session before anything later is recorded by hand"
)


class _Recorded(Struct, gc=False):
    """What of a record tells whether it is there."""

    record: Any = None
    call_id: Any = None
    at: Any = None
    created_at: Any = None
    origin: Any = None


class Known:
    """What a run has of a session already, counted while the session is read again.

    Attributes:
        added: Records of the session that are new.
        known: Records of it that the run has.
        early: New records that are earlier than the last one that the run had.
        of_session: Records of the run that say they are of the session.
        answered: Calls that have a result in the run, as their names are listed.
    """

    def __init__(self, run_dir: Path, session: str) -> None:
        """Look through the trajectory of a run for records of *session*."""
        self.added = self.known = self.early = self.of_session = 0
        self.answered: set[str] = set()
        self._session = session
        self._keys: set[bytes] = set()
        self._elsewhere: set[str] = set()
        self._repeated: list[tuple[int, str]] = []
        self._first_early: tuple[int, str] | None = None
        self._last: tuple[Instant, str] | None = None
        decoder = msgspec.json.Decoder(_Recorded)
        with open(run_dir / FIXED["trajectory"], "rb") as stream:
            for line in lines(Counted(stream)):
                try:
                    self._note(decoder.decode(line.data))
                except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                    continue  # what is wrong with a line is for validation to say

    def _note(self, said: _Recorded) -> None:
        # Nothing happened before the run was opened.
        text = said.created_at if said.at is None and said.record == "header" else said.at
        at = instant(text) if isinstance(text, str) else None
        if at is not None and (self._last is None or at > self._last[0]):
            self._last = (at, text)
        if not isinstance(said.call_id, str):
            return
        if said.record == "result":
            self.answered.add(said.call_id[:LISTED_CHARS])
        origin = said.origin if isinstance(said.origin, dict) else {}
        if origin.get("session") == self._session:
            self.of_session += 1
        elif said.record == "call":
            self._elsewhere.add(said.call_id)
        self._keys.update(_keys(said.record, said.call_id, origin))

    def new(self, records: Iterable[Imported]) -> Iterator[Imported]:
        """Yield the records that are not there, and count all of them."""
        for one in records:
            said = one.record
            if not self._keys.isdisjoint(
                _keys(said["record"], said["call_id"], said["origin"]) if self._keys else ()
            ):
                self.known += 1
                continue
            self.added += 1
            if said["record"] == "call" and said["call_id"] in self._elsewhere:
                self._repeated.append((one.line, said["call_id"]))
            self._look_at_time(one)
            yield one

    def _look_at_time(self, one: Imported) -> None:
        at = instant(one.record["at"])
        if self._last is not None and at is not None and at < self._last[0]:
            self.early += 1
            if self._first_early is None:
                self._first_early = (one.line, one.record["at"])

    def tell(self, session: Session, name: str) -> None:
        """Add to the report what only the run shows."""
        problems = session.report.problems
        for line, call_id in self._repeated:
            got = f"the id {excerpt(call_id)}, which the run has from elsewhere"
            problems.add(line, PiCallTwice(f"{name}, line {line}", got, "ids that differ"))
        if self._first_early is not None and self._last is not None:
            line, at = self._first_early
            expected = f"no time before {self._last[1]}, the last that the run had"
            fault = PiClock(f"{name}, line {line}", at, expected, remedy=_BEGAN_BEFORE)
            problems.add(line, fault)


def _keys(kind: Any, call_id: str, origin: Mapping[str, Any]) -> Iterator[bytes]:
    """Yield what a record is known again by: its entry, and its line (PI-20)."""
    entry, session, line = origin.get("entry"), origin.get("session"), origin.get("line")
    if isinstance(entry, str):
        yield _key(kind, call_id, "entry", entry)
    if isinstance(session, str) and isinstance(line, int):
        yield _key(kind, call_id, "line", session, line)


def _key(*parts: Any) -> bytes:
    return sha256(msgspec.json.encode(parts)).digest()[:16]
