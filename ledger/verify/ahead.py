"""Reading ahead on several cores: what needs only an entry and its own record.

Other processes capture the parts of entries, hash leaves, open commitments and read records again.
The one machine that judges takes what they found in its own order, and judges by itself whatever
they did not find to be right. So the verdict is the one of a single process, to the letter.

Processes are spawned: nothing of this one is shared with them. Little waits at a time, so that
memory does not grow with the log.
"""

import marshal
import os
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from types import TracebackType
from typing import NamedTuple, Self, TypeAlias

from canon import leaf_hash
from canon.digest import commitment
from canon.refusal import Refusal
from ledger.entry import Entry, read_entry, read_event
from ledger.errors import ExtractionMismatch
from ledger.events import RECORD, AttemptReported, ReleaseReported, SourceImported
from ledger.importers import Context, reader_of
from ledger.pattern import AttemptPattern, Captured

from .extraction import compare

WAITING_BYTES = 8 * 2**20
LONGEST_RECORD_BYTES = 2**20

Record: TypeAlias = tuple[int, bytes, bytes]
"""A disclosed record: the place of its entry among those sent along, salt and bytes."""


class Origin(NamedTuple):
    """What the records of a file are read with.

    Attributes:
        importer: Which importer reads them.
        envelope: The release's own record; None where it was not disclosed before.
    """

    importer: str
    envelope: bytes | None


class Seen(NamedTuple):
    """What another process made of an entry.

    Attributes:
        captured: Its parts, None where it must be read item by item.
        leaf: Its leaf, 32 bytes.
    """

    captured: Captured | None
    leaf: bytes


class Found:
    """What was found in some entries and their records.

    Attributes:
        seen: Of each entry.
        agreeing: Places of the entries whose record opens its commitment and gives its fields.
        origin: What the records were read with.
    """

    def __init__(self, seen: list[Seen], agreeing: frozenset[int], origin: Origin | None) -> None:
        self.seen, self.agreeing, self.origin = seen, agreeing, origin


class Reading:
    """Entries that another process reads."""

    def __init__(self, future: "Future[bytes] | None", origin: Origin | None) -> None:
        self._future, self._origin = future, origin

    def found(self) -> Found | None:
        """Wait, and return what was found; None where it must be found out here."""
        if self._future is None:
            return None
        try:
            seen, agreeing = marshal.loads(self._future.result())  # noqa: S302 - our own process
        except Exception:  # whatever it is, reading here says what is wrong
            return None
        return Found([Seen(*one) for one in seen], frozenset(agreeing), self._origin)


class Readers:
    """Processes that read ahead, and what they need to know of the files in the log.

    Attributes:
        most: How many readings may wait.
    """

    def __init__(self, jobs: int) -> None:
        """Prepare *jobs* processes; 0 means one for every core that may be used."""
        count = jobs or _cores()
        self.most = 2 * count
        self._pool = ProcessPoolExecutor(count, get_context("spawn"), _begin)
        self._importers: dict[int, str] = {}
        self._origin: Origin | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    def read(self, first: int, entries: Sequence[bytes], records: Sequence[Record]) -> Reading:
        """Let entries and the records that were disclosed with them be read.

        Args:
            first: Number that the first entry has, if all is well.
            entries: Their bytes.
            records: Of any of them, ascending.
        """
        envelopes = {place: data for place, _, data in records}
        for place, data in enumerate(entries):
            self._note(first + place, data, envelopes.get(place))
        try:
            future = self._pool.submit(read, list(entries), list(records), self._origin)
        except RuntimeError:  # a process was killed: everything is read here then
            return Reading(None, None)
        return Reading(future, self._origin)

    def _note(self, seq: int, data: bytes, record: bytes | None) -> None:
        """Keep account of the file whose rows follow; guesses, which the judge holds to its own."""
        if SourceImported.wire.encode() not in data and ReleaseReported.wire.encode() not in data:
            return
        try:
            event = read_event(read_entry(data))
        except Refusal:
            return  # the judge comes to it
        if isinstance(event, SourceImported):
            self._importers = {seq: event.importer}
            self._origin = Origin(event.importer, None)
        elif isinstance(event, ReleaseReported) and event.source in self._importers:
            self._origin = Origin(self._importers[event.source], record)


def read(entries: list[bytes], records: list[Record], origin: Origin | None) -> bytes:
    """Read entries and records, in a process of its own; return what ``Reading`` understands."""
    pattern, found = _patterns[0], [(_patterns[0].capture(data)) for data in entries]
    agreeing = []
    for place, salt, data in records:
        captured = found[place]
        event = None if captured is None or origin is None else pattern.made(captured)
        if event is not None and origin is not None and _agrees(*event, salt, data, origin):
            agreeing.append(place)
    seen = [(captured, leaf_hash(data)) for captured, data in zip(found, entries, strict=True)]
    return marshal.dumps((seen, agreeing))


_patterns = (AttemptPattern(after=0),)
_contexts: deque[tuple[Origin, Context | None]] = deque(maxlen=1)


def _begin() -> None:
    """Leave Ctrl-C to the process that judges."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _agrees(
    entry: Entry, event: AttemptReported, salt: bytes, data: bytes, origin: Origin
) -> bool:
    """Tell whether a record opens its commitment and gives the fields of its entry."""
    assert isinstance(event.blobs, dict), "the pattern wants a record"  # noqa: S101
    try:
        if commitment(salt, data) != event.blobs[RECORD]:
            return False
        compare(entry, reader_of(origin.importer), data, _context(origin))
    except (Refusal, ExtractionMismatch):
        return False
    return True


def _context(origin: Origin) -> Context | None:
    """Return what the rows of a file share; the newest is remembered."""
    if not _contexts or _contexts[0][0] != origin:
        reader, envelope = reader_of(origin.importer), origin.envelope
        _contexts.append((origin, None if envelope is None else reader.context(envelope)))
    return _contexts[0][1]


def _cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


__all__ = ["Found", "Origin", "Reading", "Readers", "Record", "Seen", "Iterator"]
