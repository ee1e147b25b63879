"""A ledger file: the one place that reads and writes its tables."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self

from canon import Frontier, ProofShape, leaf_hash, parse_instant
from ledger.errors import LedgerCorrupt, LedgerStale

from .batch import Batch, Entropy
from .connection import connect, create, faults

HASH_BYTES = 32


class Blob(NamedTuple):
    """Bytes behind a commitment."""

    seq: int
    slot: str
    salt: bytes
    data: bytes


class Ledger:
    """An open ledger file. A context manager: leaving it closes the file.

    Several processes may have the same file open and append at once; each batch takes the write
    lock first and continues from the head it then finds.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection, self.path = connection, path
        with faults(path):
            row = connection.execute("SELECT origin FROM head").fetchone()
        if row is None:
            raise LedgerCorrupt(str(path), "no head row", "a ledger that was founded")
        self.origin: str = row[0]

    @classmethod
    def create(cls, path: Path, origin: str, genesis: bytes) -> Self:
        """Make an empty ledger whose first entry will follow *genesis*, 32 bytes."""
        connection = create(path)
        with faults(path):
            connection.execute("INSERT INTO head VALUES (0, ?, 0, ?, x'')", (origin, genesis))
        return cls(connection, path)

    @classmethod
    def open(cls, path: Path, *, write: bool = False) -> Self:
        """Open an existing ledger, for reading unless *write*.

        Raises:
            LedgerMissing, NotALedger, LedgerReadOnly, LedgerLocked, LedgerCorrupt: As they say.
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
    def connection(self) -> sqlite3.Connection:
        """The connection, for the views of this package."""
        return self._connection

    @property
    def size(self) -> int:
        """Number of events."""
        return int(self._one("SELECT coalesce(max(seq), -1) + 1 FROM events")[0])

    def count(self) -> int:
        """Return the number of rows of events, at whatever numbers they stand."""
        return int(self._one("SELECT count(*) FROM events")[0])

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
            LedgerCorrupt: The head row and the events disagree.
        """
        parse_instant(at)
        with faults(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
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
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def snapshot(self) -> Iterator[int]:
        """Hold one consistent state while it is read; gives its size."""
        with faults(self.path):
            self._connection.execute("BEGIN")
            try:
                yield self.size
            finally:
                self._connection.execute("ROLLBACK")

    def entries(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Yield (seq, entry) in order from *start* up to, not including, *stop*."""
        end = 2**63 - 1 if stop is None else stop
        with faults(self.path):
            yield from self._connection.execute(
                "SELECT seq, entry FROM events WHERE seq >= ? AND seq < ? ORDER BY seq",
                (start, end),
            )

    def entry(self, seq: int) -> bytes | None:
        """Return one entry's bytes, or None."""
        row = self._row("SELECT entry FROM events WHERE seq = ?", (seq,))
        return None if row is None else row[0]

    def blobs(self, start: int = 0, stop: int | None = None) -> Iterator[Blob]:
        """Yield blobs in order of (seq, slot)."""
        end = 2**63 - 1 if stop is None else stop
        with faults(self.path):
            for row in self._connection.execute(
                "SELECT seq, slot, salt, bytes FROM blobs WHERE seq >= ? AND seq < ?"
                " ORDER BY seq, slot",
                (start, end),
            ):
                yield Blob(*row)

    def blob(self, seq: int, slot: str) -> Blob | None:
        """Return the bytes behind one commitment, or None where they are not kept."""
        row = self._row(
            "SELECT seq, slot, salt, bytes FROM blobs WHERE seq = ? AND slot = ?", (seq, slot)
        )
        return None if row is None else Blob(*row)

    def document(self, digest: bytes) -> bytes | None:
        """Return the document of that digest, or None."""
        row = self._row("SELECT bytes FROM documents WHERE digest = ?", (digest,))
        return None if row is None else row[0]

    def documents(self) -> Iterator[tuple[bytes, bytes]]:
        """Yield (digest, bytes) of every document, by digest."""
        with faults(self.path):
            yield from self._connection.execute(
                "SELECT digest, bytes FROM documents ORDER BY digest"
            )

    def identities(self, kind: str | None = None) -> Iterator[tuple[str, int]]:
        """Yield (key, seq) of the identity index, by key: all, or those of one *kind*."""
        where, values = "", []
        if kind is not None:
            where, values = "WHERE key >= ? AND key < ?", [f"{kind}:", f"{kind};"]
        with faults(self.path):
            yield from self._connection.execute(
                f"SELECT key, seq FROM identities {where} ORDER BY key",  # noqa: S608 - our own
                values,
            )

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
        row = self._row("SELECT seq FROM identities WHERE key = ?", (key,))
        return None if row is None else row[0]

    def head(self) -> tuple[int, bytes, bytes]:
        """Return what the head row claims: size, leaf of the newest event, tree root."""
        size, leaf, frontier = self._head()
        return size, leaf, frontier.root()

    def backup(self, path: Path) -> None:
        """Write a consistent copy to *path*, an SQLite file that does not exist yet."""
        with faults(path):
            target = sqlite3.connect(path, isolation_level=None)
            try:
                self._connection.backup(target)
            finally:
                target.close()

    def forget_pages(self) -> None:
        """After a redaction: leave no deleted bytes in free pages or in the WAL."""
        with faults(self.path):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _head(self) -> tuple[int, bytes, Frontier]:
        size, leaf, packed = self._one("SELECT size, leaf, frontier FROM head")
        hashes = [packed[i : i + HASH_BYTES] for i in range(0, len(packed), HASH_BYTES)]
        try:
            return size, leaf, Frontier(size, hashes)
        except ProofShape as refusal:
            raise LedgerCorrupt(str(self.path), refusal.message, "a head that fits") from refusal

    def _check_head(self, size: int, leaf: bytes) -> None:
        last = self._row("SELECT seq, entry FROM events ORDER BY seq DESC LIMIT 1", ())
        events = 0 if last is None else last[0] + 1
        if events != size or (last is not None and leaf_hash(last[1]) != leaf):
            raise LedgerCorrupt(
                str(self.path), f"a head for {size} events", f"the head of its {events} events"
            )

    def _one(self, sql: str) -> Sequence[Any]:
        row = self._row(sql, ())
        if row is None:
            raise LedgerCorrupt(str(self.path), "no head row", "a ledger that was founded")
        return row

    def _row(self, sql: str, values: Sequence[object]) -> Sequence[Any] | None:
        with faults(self.path):
            row: Sequence[Any] | None = self._connection.execute(sql, values).fetchone()
            return row
