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
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from types import TracebackType
from typing import NamedTuple, Self, TypeAlias

from canon import leaf_hash
from canon.digest import commitment
from canon.refusal import Refusal
from ledger.entry import Entry, read_entry, read_event
from ledger.events import RECORD, AttemptReported, ReleaseReported, SourceImported
from ledger.importers import Context, reader_of
from ledger.pattern import AttemptPattern, Seen

from .extraction import Origin, compare

WAITING_BYTES = 4 * 2**20
LONGEST_RECORD_BYTES = 2**20
_PATIENCE_S = 0.1


class Record(NamedTuple):
    """The disclosed record of an entry.

    Attributes:
        key: By which its disclosure is known again.
        place: Of the entry, among those it comes with.
        salt, data: The bytes, and what they were committed to with.
    """

    key: int
    place: int
    salt: bytes
    data: bytes


Batches: TypeAlias = list[tuple[Origin, list[Record]]]


class Found(NamedTuple):
    """What was found in some entries and their records.

    Attributes:
        seen: Of each entry.
        agreed: Keys of the records that open their commitment and give the fields of their entry,
            each with what it was read with.
    """

    seen: list[Seen]
    agreed: dict[int, Origin]


class Reading:
    """Entries that another process reads."""

    def __init__(self, future: "Future[bytes] | None", origins: Mapping[int, Origin]) -> None:
        self._future, self._origins = future, origins

    def found(self) -> Found | None:
        """Wait, and return what was found; None where it must be found out here."""
        if self._future is None:
            return None
        try:
            seen, agreed = marshal.loads(self._future.result())  # noqa: S302 - our own process
        except Exception:  # whatever it is, reading here says what is wrong
            return None
        return Found([Seen(*one) for one in seen], {key: self._origins[key] for key in agreed})


class Readers:
    """Processes that read ahead, for one verification after the other.

    Attributes:
        count: How many.
    """

    def __init__(self, count: int) -> None:
        """Prepare *count* processes; 0 means one for every core that may be used."""
        self.count = count or _cores()
        self._pool = ProcessPoolExecutor(self.count, get_context("spawn"), _begin)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _end(self._pool)

    def submit(self, entries: Sequence[bytes], batches: Batches) -> "Future[bytes] | None":
        """Let entries and records be read; None where a process was killed."""
        try:
            return self._pool.submit(read, list(entries), batches)
        except RuntimeError:
            return None


def _end(pool: ProcessPoolExecutor) -> None:
    """End a pool, also one of which a process was killed.

    The thread that hands work over then waits for a pipe whose other end this process holds open
    too. Python closes that end by itself from 3.11.6 on (python/cpython#94777); before, to end the
    pool could take for ever.
    """
    manager = getattr(pool, "_executor_manager_thread", None)
    reader = getattr(getattr(pool, "_call_queue", None), "_reader", None)
    pool.shutdown(wait=False, cancel_futures=True)
    while manager is not None and manager.is_alive():
        manager.join(_PATIENCE_S)
        if reader is not None and getattr(pool, "_broken", False):
            reader.close()


class Ahead:
    """What must be known of the files of one log, so that their records can be read."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers
        self._importers: dict[int, str] = {}
        self._origin: Origin | None = None

    def read(self, first: int, entries: Sequence[bytes], records: Sequence[Record]) -> Reading:
        """Let entries and the records that were disclosed with them be read.

        Args:
            first: Number that the first entry has, if all is well.
            entries: Their bytes.
            records: Of any of them.
        """
        raw = {record.place: record.data for record in records}
        origins: dict[int, Origin] = {}
        for place, data in enumerate(entries):
            if _SOURCE in data or _RELEASE in data:
                self._note(first + place, data, raw.get(place))
            if self._origin is not None:
                origins[place] = self._origin
        batches: dict[Origin, list[Record]] = {}
        for record in records:
            # No other entry has a pattern, so nothing that is found out of its record counts.
            if record.place in origins and _ROW in entries[record.place]:
                batches.setdefault(origins[record.place], []).append(record)
        if not batches:  # handing over what was captured takes as long as capturing it here
            return Reading(None, {})
        keys = {record.key: origin for origin, batch in batches.items() for record in batch}
        return Reading(self._readers.submit(entries, list(batches.items())), keys)

    def _note(self, seq: int, data: bytes, record: bytes | None) -> None:
        """Keep account of the file whose rows follow: a guess, held to by the judge."""
        try:
            event = read_event(read_entry(data))
        except Refusal:
            return  # the judge comes to it
        if isinstance(event, SourceImported):
            self._importers = {seq: event.importer}
        elif isinstance(event, ReleaseReported) and event.source in self._importers:
            self._origin = Origin(self._importers[event.source], record)


def read(entries: list[bytes], batches: Batches) -> bytes:
    """Read entries and records, in a process of its own; return what ``Reading`` understands."""
    (pattern,) = _patterns
    captured = [pattern.capture(data) for data in entries]
    agreed = []
    for origin, records in batches:
        for key, place, salt, data in records:
            read = pattern.made(captured[place])
            if read is not None and _agrees(*read, salt, data, origin):
                agreed.append(key)
    seen = [(one, leaf_hash(data)) for one, data in zip(captured, entries, strict=True)]
    return marshal.dumps((seen, agreed))


_SOURCE, _RELEASE = SourceImported.wire.encode(), ReleaseReported.wire.encode()
_ROW = AttemptReported.wire.encode()
_patterns = (AttemptPattern(after=0),)
_contexts: dict[Origin, Context | None] = {}


def _begin() -> None:
    """Leave Ctrl-C to the process that judges, and end when it has ended, however it did."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    judge = parent_process()
    if judge is not None:
        Thread(target=_end_with, args=(judge.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def _agrees(entry: Entry, event: AttemptReported, salt: bytes, data: bytes, origin: Origin) -> bool:
    """Tell whether a record opens its commitment and gives the fields of its entry."""
    assert isinstance(event.blobs, dict), "the pattern wants a record"  # noqa: S101
    try:
        if commitment(salt, data) != event.blobs[RECORD]:
            return False
        compare(entry, event, reader_of(origin.importer), data, _context(origin))
    except Refusal:
        return False
    return True


def _context(origin: Origin) -> Context | None:
    """Return what the rows of a file share; the newest is remembered."""
    if origin not in _contexts:
        _contexts.clear()
        reader, envelope = reader_of(origin.importer), origin.envelope
        _contexts[origin] = None if envelope is None else reader.context(envelope)
    return _contexts[origin]


def _cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
