"""A ledger file: the one place that reads and writes its tables."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import NoneType
from typing import NamedTuple, Self

from canon import Frontier, ProofShape, leaf_hash, parse_instant
from ledger.bundle.items import PART_BYTES
from ledger.errors import (
    DeletionUnfinished,
    LedgerCorrupt,
    LedgerLocked,
    LedgerMoved,
    LedgerStale,
    StorageFailed,
    StorageFull,
)

from .batch import Batch, Entropy
from .connection import Connection, begin, connect, create, is_at
from .faults import OF_SQLITE, faults
from .rows import Row, checked, in_order

HASH_BYTES = 32
_END = 2**63 - 1
_AFTER_TEXT = "\U0010ffff"
_PAGES_AT_ONCE = 1_024
_BLOB = (int, str, bytes, bytes)
_DOCUMENT = (bytes, bytes)
_IDENTITY = (str, int)


class Blob(NamedTuple):
    """Bytes behind a commitment."""

    seq: int
    slot: str
    salt: bytes
    data: bytes


class Within(NamedTuple):
    """A blob whose bytes are there unless they are long."""

    seq: int
    slot: str
    salt: bytes
    data: bytes | None


class Ledger:
    """An open ledger file. A context manager: leaving it closes the file.

    Several processes may have the same file open and append at once; each batch takes the write
    lock first and continues from the head it then finds.
    """

    def __init__(self, connection: Connection, path: Path) -> None:
        self._connection, self.path = connection, path
        try:
            self.origin: str = self._one("SELECT origin FROM head", (str,))[0]
        except BaseException:
            connection.close()
            raise

    @classmethod
    def create(cls, path: Path, origin: str, genesis: bytes) -> Self:
        """Make an empty ledger whose first entry will follow *genesis*, 32 bytes."""
        connection = create(path)
        try:
            with faults(path):
                connection.execute("INSERT INTO head VALUES (0, ?, 0, ?, x'')", (origin, genesis))
        except BaseException:
            connection.close()
            path.unlink(missing_ok=True)
            raise
        return cls(connection, path)

    @classmethod
    def open(cls, path: Path, *, write: bool = False) -> Self:
        """Open an existing ledger, for reading unless *write*.

        Raises:
            LedgerMissing, NotALedger, LedgerVersion, LedgerSchema: It is no ledger.
            LedgerReadOnly, LedgerLocked, LedgerCorrupt, StorageFailed: As they say.
        """
        return cls(connect(path, write=write), path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @property
    def connection(self) -> Connection:
        """The connection, for the views of this package."""
        return self._connection

    @property
    def size(self) -> int:
        """Number of events."""
        last = self._row("SELECT seq FROM events ORDER BY seq DESC LIMIT 1", ())
        return 0 if last is None else max(int(last[0]) + 1, 0)

    def count(self) -> int:
        """Return the number of rows of events, at whatever numbers they stand."""
        return int(self._one("SELECT count(*) FROM events", (int,))[0])

    def root(self) -> bytes:
        """Return the tree root that the head row claims for its size, 32 bytes."""
        return self._head()[2].root()

    @contextmanager
    def batch(
        self, *, at: str, entropy: Entropy, expected_size: int | None = None
    ) -> Iterator[Batch]:
        """Hold the write lock while events are appended; commit when the block ends well.

        Args:
            at: The time the appender claims, ``YYYY-MM-DDTHH:MM:SS.ffffffZ``.
            entropy: Returns that many random bytes.
            expected_size: Refuse when the ledger has another size.

        Raises:
            InstantText: *at* is no time, which would make every entry unreadable.
            LedgerStale: The ledger has not the expected size.
            LedgerMoved: The path leads to another file by now, or to none.
            LedgerCorrupt: The head row and the events disagree.
        """
        parse_instant(at)
        with faults(self.path, OF_SQLITE):
            begin(self._connection)
            try:
                self._check_place()
                size, leaf, frontier = self._head()
                self._check_head(size, leaf)
                if expected_size is not None and size != expected_size:
                    raise LedgerStale(str(self.path), f"size {size}", f"size {expected_size}")
                batch = Batch(
                    self._connection,
                    origin=self.origin,
                    size=size,
                    leaf=leaf,
                    frontier=frontier,
                    at=at,
                    entropy=entropy,
                )
                yield batch
                batch.finish()
                self._check_place()
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def snapshot(self) -> Iterator[int]:
        """Hold one consistent state while it is read; gives its size."""
        with faults(self.path, OF_SQLITE):
            self._connection.execute("BEGIN")
            try:
                yield self.size
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def entries(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Yield (seq, entry) in order from *start* up to, not including, *stop*."""
        end = _END if stop is None else min(stop, _END)
        with faults(self.path):
            for row in self._connection.execute(
                "SELECT seq, entry FROM events WHERE seq >= ? AND seq < ? ORDER BY seq",
                (start, end),
            ):
                if type(row[1]) is not bytes:
                    checked(self.path, "events", row, (int, bytes))
                yield row

    def entry(self, seq: int) -> bytes | None:
        """Return one entry's bytes, or None."""
        row = self._row("SELECT seq, entry FROM events WHERE seq = ?", (seq,))
        return None if row is None else checked(self.path, "events", row, (int, bytes))[1]

    def blobs(self, start: int = 0, stop: int | None = None) -> Iterator[Blob]:
        """Yield blobs in order of (seq, slot)."""
        end = _END if stop is None else min(stop, _END)
        with faults(self.path):
            rows = self._connection.execute(
                "SELECT seq, slot, salt, bytes FROM blobs WHERE seq >= ? AND seq < ?"
                " ORDER BY seq, slot",
                (start, end),
            )
            yield from (Blob(*row) for row in in_order(self.path, "blobs", rows, _BLOB, key=2))

    def blobs_within(
        self, most_bytes: int, start: int = 0, stop: int | None = None
    ) -> Iterator[Within]:
        """Yield blobs in order of (seq, slot), longer ones than *most_bytes* without their bytes.

        Those are for :meth:`pieces`, so that however long a blob is, it is never held (STORE-26).
        """
        end = _END if stop is None else min(stop, _END)
        with faults(self.path):
            rows = self._connection.execute(
                "SELECT seq, slot, salt, CASE WHEN length(bytes) <= ? THEN bytes END FROM blobs"
                " WHERE seq >= ? AND seq < ? ORDER BY seq, slot",
                (most_bytes, start, end),
            )
            for row in in_order(self.path, "blobs", rows, (*_BLOB[:3], (bytes, NoneType)), key=2):
                yield Within(*row)

    def pieces(self, seq: int, slot: str) -> Iterator[bytes]:
        """Yield the bytes of a blob a MiB at a time; none where it is not kept."""
        found = self._row("SELECT rowid FROM blobs WHERE seq = ? AND slot = ?", (seq, slot))
        if found is None:
            return
        with (
            faults(self.path),
            self._connection.blobopen("blobs", "bytes", found[0], readonly=True) as stored,
        ):
            while piece := stored.read(PART_BYTES):
                yield piece

    def blob(self, seq: int, slot: str) -> Blob | None:
        """Return the bytes behind one commitment, or None where they are not kept."""
        row = self._row(
            "SELECT seq, slot, salt, bytes FROM blobs WHERE seq = ? AND slot = ?", (seq, slot)
        )
        return None if row is None else Blob(*checked(self.path, "blobs", row, _BLOB))

    def document(self, digest: bytes) -> bytes | None:
        """Return the document of that digest, or None."""
        row = self._row("SELECT digest, bytes FROM documents WHERE digest = ?", (digest,))
        return None if row is None else checked(self.path, "documents", row, _DOCUMENT)[1]

    def documents(self) -> Iterator[tuple[bytes, bytes]]:
        """Yield (digest, bytes) of every document, by digest."""
        with faults(self.path):
            rows = self._connection.execute("SELECT digest, bytes FROM documents ORDER BY digest")
            yield from in_order(self.path, "documents", rows, _DOCUMENT)

    def identities(self, kind: str | None = None) -> Iterator[tuple[str, int]]:
        """Yield (key, seq) of the identity index, by key: all, or those of one *kind*."""
        where, values = "", []
        if kind is not None:
            where, values = "WHERE key >= ? AND key < ?", [f"{kind}:", f"{kind};"]
        with faults(self.path):
            rows = self._connection.execute(
                f"SELECT key, seq FROM identities {where} ORDER BY key",  # noqa: S608 - our own
                values,
            )
            yield from in_order(self.path, "identities", rows, _IDENTITY)

    def under(self, start: str) -> Iterator[tuple[str, int]]:
        """Yield (key, seq) of the identities whose keys begin with *start*, by key."""
        with faults(self.path):
            rows = self._connection.execute(
                "SELECT key, seq FROM identities WHERE key >= ? AND key < ? ORDER BY key",
                (start, start + _AFTER_TEXT),
            )
            yield from in_order(self.path, "identities", rows, _IDENTITY)

    def count_blobs(self, slot: str, start: int, stop: int) -> int:
        """Return how many of the events from *start* up to, not including, *stop* keep a slot."""
        sql = "SELECT count(*) FROM blobs WHERE slot = ? AND seq >= ? AND seq < ?"
        row = self._row(sql, (slot, start, stop))
        return 0 if row is None else int(row[0])

    def known(self, keys: Sequence[str]) -> dict[str, int]:
        """Return which of a few hundred identities there are, each with its event."""
        marks = ", ".join("?" * len(keys))
        with faults(self.path):
            return dict(
                self._connection.execute(
                    f"SELECT key, seq FROM identities WHERE key IN ({marks})",  # noqa: S608
                    keys,
                )
            )

    def seq_of(self, key: str) -> int | None:
        """Return the event that has the identity *key*, or None."""
        row = self._row("SELECT key, seq FROM identities WHERE key = ?", (key,))
        return None if row is None else checked(self.path, "identities", row, _IDENTITY)[1]

    def head(self) -> tuple[int, bytes, bytes]:
        """Return what the head row claims: size, leaf of the newest event, tree root."""
        size, leaf, frontier = self._head()
        return size, leaf, frontier.root()

    def backup(self, path: Path) -> None:
        """Write a consistent copy to *path*, an SQLite file that does not exist yet.

        Raises:
            LedgerExists: Something is at *path*.
            StorageFull, StorageFailed, LedgerReadOnly, LedgerLocked: As they say.
        """
        # The snapshot fixes the state that is copied, however many steps it takes.
        with self.snapshot(), faults(path):
            target = sqlite3.connect(path, isolation_level=None)
            try:
                self._connection.backup(target, pages=_PAGES_AT_ONCE, progress=_let_signals_in)
            finally:
                target.close()

    def forget_pages(self) -> None:
        """After a redaction: leave no deleted bytes in free pages or in the WAL (STORE-12).

        What was deleted is overwritten with zeros when it is deleted, so that the file is free of
        it even where there is no room to write the file anew.

        Raises:
            DeletionUnfinished: There is no room, or a reader keeps the WAL from being cut.
        """
        self._truncate_wal()
        with suppress(StorageFull, StorageFailed), faults(self.path):
            self._connection.execute("VACUUM")
        self._truncate_wal()

    def _truncate_wal(self) -> None:
        got = "readers of what was deleted"
        try:
            with faults(self.path):
                busy = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except (LedgerLocked, StorageFailed, StorageFull) as refusal:
            busy, got = 1, refusal.got
        if busy:
            raise DeletionUnfinished(str(self.path), got, "room, and nobody else reading")

    def _check_place(self) -> None:
        """Refuse to append to a file that nobody would find again (STORE-21)."""
        if not is_at(self._connection, self.path):
            raise LedgerMoved(str(self.path), "another file or none", "the file that was opened")

    def _head(self) -> tuple[int, bytes, Frontier]:
        size, leaf, packed = self._one("SELECT size, leaf, frontier FROM head", (int, bytes, bytes))
        hashes = [packed[i : i + HASH_BYTES] for i in range(0, len(packed), HASH_BYTES)]
        try:
            return size, leaf, Frontier(size, hashes)
        except ProofShape as refusal:
            raise LedgerCorrupt(str(self.path), refusal.message, "a head that fits") from refusal

    def _check_head(self, size: int, leaf: bytes) -> None:
        last = self._row("SELECT seq, entry FROM events ORDER BY seq DESC LIMIT 1", ())
        if last is not None:
            checked(self.path, "events", last, (int, bytes))
        events = 0 if last is None else last[0] + 1
        if events != size or (last is not None and leaf_hash(last[1]) != leaf):
            raise LedgerCorrupt(
                str(self.path), f"a head for {size} events", f"the head of its {events} events"
            )

    def _one(self, sql: str, kinds: tuple[type, ...]) -> Row:
        row = self._row(sql, ())
        if row is None:
            raise LedgerCorrupt(str(self.path), "no head row", "a ledger that was founded")
        return checked(self.path, "head", row, kinds)

    def _row(self, sql: str, values: Sequence[object]) -> Row | None:
        with faults(self.path):
            try:
                row: Row | None = self._connection.execute(sql, values).fetchone()
            except (UnicodeEncodeError, OverflowError):
                return None  # no row has a key that SQLite cannot hold
            return row


def _let_signals_in(*_: int) -> None:
    """Give the interpreter a moment between pages, so that Ctrl-C ends a long copy."""
