"""Versions of a run's files in a ledger: which is the newest, and where its lines stand.

A version that kept records of the one before it holds only the new ones, so its lines are those of
a chain of versions. Events are found through the index of identities, which is made from the log.
"""

from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager
from typing import Protocol

from msgspec import Struct

from ledger.entry import read_entry, read_event
from ledger.events import CONTENT, DIGEST, LINE, PATH, STREAM_ROLES, FileObserved
from ledger.identities import file_key, files_of, run_key
from ledger.runs.layout import Role


class Kept(Protocol):
    """Bytes behind a commitment."""

    @property
    def seq(self) -> int:
        """The event that commits to them."""

    @property
    def slot(self) -> str:
        """Their slot."""

    @property
    def salt(self) -> bytes:
        """Their salt, 32 bytes."""

    @property
    def data(self) -> bytes:
        """The bytes."""


class Holdings(Protocol):
    """What is asked of a ledger that holds runs."""

    @property
    def size(self) -> int:
        """Sequence number of the next event."""

    def seq_of(self, key: str) -> int | None:
        """Return the event that has an identity."""

    def under(self, start: str) -> Iterator[tuple[str, int]]:
        """Yield the identities that begin so, with their events."""

    def entry(self, seq: int) -> bytes | None:
        """Return the bytes of an entry."""

    def entries(self, start: int = ..., stop: int | None = ...) -> Iterator[tuple[int, bytes]]:
        """Yield numbers and bytes of entries, ascending."""

    def blob(self, seq: int, slot: str) -> Kept | None:
        """Return what a slot holds, None where that is withheld."""

    def blobs(self, start: int = ..., stop: int | None = ...) -> Iterator[Kept]:
        """Yield what slots hold, by event and slot."""

    def count_blobs(self, slot: str, start: int, stop: int) -> int:
        """Return how many of these events keep a slot."""

    def snapshot(self) -> AbstractContextManager[object]:
        """Hold one state while it is read."""


class Version(Struct, frozen=True):
    """A file of a run as it was seen once.

    Attributes:
        seq: The event that says so.
        event: What it says.
        path: As the run named it; None where that is withheld.
    """

    seq: int
    event: FileObserved
    path: str | None

    @property
    def first(self) -> int:
        """The event of its first new record."""
        return self.seq + 1

    @property
    def end(self) -> int:
        """The event after its last record."""
        return self.seq + 1 + self.event.records - self.event.kept


class Span(Struct, frozen=True):
    """Records that stand in a row.

    Attributes:
        line: Place of the first in its file, from 0.
        start, stop: Its event, and the event after the last.
    """

    line: int
    start: int
    stop: int


class Versions:
    """The versions of one run's files, as of some size of the ledger."""

    def __init__(self, ledger: Holdings, run: str, as_of: int | None = None) -> None:
        """Look at *run* in *ledger*.

        Args:
            ledger: The ledger.
            run: The run's own name for itself.
            as_of: Number of events that count; all, if not given.
        """
        self._ledger, self.run = ledger, run
        self._size = ledger.size if as_of is None else min(as_of, ledger.size)

    @property
    def known(self) -> bool:
        """Whether the ledger has anything of the run."""
        seq = self._ledger.seq_of(run_key(self.run))
        return seq is not None and seq < self._size

    def newest(self, role: Role, path: str) -> Version | None:
        """Return the newest version of a file; of a role that has one file, whatever its path."""
        seq = self._ledger.seq_of(file_key(self.run, role, path_bytes(path)))
        return next(self._line(seq), None)

    def all_of(self, role: Role, path: str) -> Iterator[Version]:
        """Yield the versions of a file, the newest first."""
        newest = self.newest(role, path)
        return self._line(None if newest is None else newest.seq)

    def named(self) -> Iterator[Version]:
        """Yield the newest version of every file that was ever looked at, by role and path."""
        for _, seq in self._ledger.under(files_of(self.run)):
            version = next(self._line(seq), None)
            if version is not None:
                yield version

    def spans(self, version: Version) -> list[Span]:
        """Return where the records of a version stand, in their order."""
        found, needed = [], version.event.records
        for one in self._line(version.seq):
            if one.event.kept < needed:
                stop = one.first + needed - one.event.kept
                found.append(Span(one.event.kept, one.first, stop))
                needed = one.event.kept
            if not needed:
                break
        return found[::-1]

    def records(self, version: Version) -> Generator[tuple[int, bytes | None], None, None]:
        """Yield the events of a version's records and their bytes, None where withheld."""
        for span in self.spans(version):
            seq = span.start
            for blob in self._ledger.blobs(span.start, span.stop):
                if blob.slot == LINE:
                    yield from ((gap, None) for gap in range(seq, blob.seq))
                    yield blob.seq, blob.data
                    seq = blob.seq + 1
            yield from ((gap, None) for gap in range(seq, span.stop))

    def first_withheld(self, version: Version) -> tuple[int, int | None] | None:
        """Return the event, and the line from 0, of the first bytes of a file not at hand."""
        if version.event.role not in STREAM_ROLES:
            missing = self._ledger.blob(version.seq, CONTENT) is None
            return (version.seq, None) if missing else None
        for span in self.spans(version):
            if self._ledger.count_blobs(LINE, span.start, span.stop) < span.stop - span.start:
                there = {
                    blob.seq
                    for blob in self._ledger.blobs(span.start, span.stop)
                    if blob.slot == LINE
                }
                seq = next(seq for seq in range(span.start, span.stop) if seq not in there)
                return seq, span.line + seq - span.start
        return None

    def text(self, version: Version, slot: str) -> str | None:
        """Return what a slot of a version's event says, None where that is withheld."""
        found = self._ledger.blob(version.seq, slot)
        return None if found is None else path_text(found.data)

    def digest(self, version: Version, slot: str = DIGEST) -> bytes | None:
        """Return a digest of a version, None where there is none or it is withheld."""
        found = self._ledger.blob(version.seq, slot)
        return None if found is None else found.data

    def content(self, version: Version) -> bytes | None:
        """Return the bytes of a file that is not read line by line."""
        found = self._ledger.blob(version.seq, CONTENT)
        return None if found is None else found.data

    def at(self, seq: int) -> Version:
        """Return the version of an event that is known to be one.

        Raises:
            LookupError: It is not.
        """
        data = self._ledger.entry(seq)
        event = None if data is None else read_event(read_entry(data, seq))
        if not isinstance(event, FileObserved):
            raise LookupError(f"event {seq} is no version of a file")
        named = self._ledger.blob(seq, PATH)
        return Version(seq, event, None if named is None else path_text(named.data))

    def _line(self, seq: int | None) -> Iterator[Version]:
        """Yield a version, and those that it supersedes, as far as they are whole in time."""
        while seq is not None:
            version = self.at(seq)
            if version.end <= self._size:
                yield version
            older = version.event.supersedes
            # What a version supersedes stands before it, so this ends whatever entries say.
            seq = older if older is not None and older < seq else None


def path_bytes(path: str) -> bytes:
    """Return a path, or a sentence, as the bytes that are kept of it, whatever text it is."""
    return path.encode("utf-8", "surrogatepass")


def path_text(data: bytes) -> str:
    """Return what :func:`path_bytes` was given; of bytes that it never gave, what can be read."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "backslashreplace")
