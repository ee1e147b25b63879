"""One transaction of appended events: all of them, or none."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from canon import Frontier, commitment, encode, leaf_hash
from canon.digest import SALT_BYTES
from canon.errors import Limit
from ledger.bundle.items import MAX_BLOB_BYTES, MAX_DOCUMENT_BYTES
from ledger.entry import (
    MAX_ENTRY_BYTES,
    Signed,
    entry_bytes,
    entry_prefix,
    entry_tail,
    read_entry,
    read_event,
)
from ledger.events import AttemptReported, Observation
from ledger.identities import Key, attempt_key, keys_of

FLUSH_EVENTS = 1_000
FLUSH_BYTES = 16 * 2**20
"""Bytes of blobs that wait for their events at most, and one blob more (STORE-26)."""

RECORDER = "recorder"
"""The role that appends observations, where nobody names another."""

Entropy = Callable[[int], bytes]
Salted = tuple[bytes, bytes]
"""A blob's salt and its bytes."""


class Batch:
    """Appends events after the head that it found; made by ``Ledger.batch``.

    Attributes:
        size: Sequence number of the next event.
        leaf: Leaf of the newest event; of an empty log, the genesis digest.
        last: Bytes of the newest entry appended here.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        *,
        origin: str,
        size: int,
        leaf: bytes,
        frontier: Frontier,
        at: str,
        entropy: Entropy,
    ) -> None:
        self.size, self.leaf, self.last = size, leaf, b""
        self._connection, self._frontier, self._entropy = connection, frontier, entropy
        self._origin = origin
        self._prefix = entry_prefix(origin, at)
        self._tails: dict[tuple[str, str], bytes] = {}
        self._entries: list[tuple[int, bytes]] = []
        self._leaves: list[bytes] = []
        self._blobs: list[tuple[int, str, bytes, bytes]] = []
        self._blob_bytes = 0
        self._first: dict[str, int] = {}
        self._newest: dict[str, int] = {}

    def append(
        self,
        event: Observation,
        blobs: Mapping[str, bytes] | None = None,
        *,
        actor: str = RECORDER,
    ) -> int:
        """Append an observation and return its sequence number.

        Args:
            event: Without ``blobs``: the commitments are made here, each with a salt of its own.
            blobs: Slot to bytes.
            actor: Who records it.

        Raises:
            Limit: The entry is longer than 65,535 bytes, or a blob than 256 MiB.
        """
        if blobs:
            salted = {slot: (self._entropy(SALT_BYTES), data) for slot, data in blobs.items()}
            event = msgspec.structs.replace(event, blobs=self._commit(salted))
        body = encode(msgspec.to_builtins(event, builtin_types=(bytes,)))
        seq = self._append(event.wire, actor, body)
        self._index(seq, event, blobs or {})
        return seq

    def append_signed(
        self,
        type_: str,
        role: str,
        decision: bytes,
        signatures: Sequence[bytes],
        blobs: Mapping[str, Salted],
    ) -> int:
        """Append a decision that was judged against this very size, and return its number."""
        self._commit(blobs)
        body = encode({"decision": decision, "signatures": list(signatures)})
        seq = self._append(type_, role, body)
        self._index(seq, read_event(read_entry(self.last, seq)), {})
        return seq

    def put_document(self, digest: bytes, data: bytes) -> None:
        """Keep a document under its digest; the same one twice is one.

        Raises:
            Limit: It is larger than a bundle can hold.
        """
        if len(data) > MAX_DOCUMENT_BYTES:
            raise Limit("document", f"{len(data)} bytes", f"at most {MAX_DOCUMENT_BYTES}")
        self._connection.execute("INSERT OR IGNORE INTO documents VALUES (?, ?)", (digest, data))

    def delete_blob(self, seq: int, slot: str) -> None:
        """Delete a blob for good, and what the index of identities has from nothing else.

        Its commitment stays in the entry.
        """
        before = self._keys(seq)
        self._connection.execute("DELETE FROM blobs WHERE seq = ? AND slot = ?", (seq, slot))
        for key in before.difference(self._keys(seq)):
            self._forget(key, seq)

    def seq_of(self, key: str) -> int | None:
        """Return the event that has the identity *key*, of this batch or of the ledger."""
        found = self._newest.get(key)
        if found is not None:
            return found
        row = self._connection.execute(
            "SELECT seq FROM identities WHERE key = ?", (key,)
        ).fetchone()
        return self._first.get(key) if row is None else row[0]

    def root(self) -> bytes:
        """Return the tree root over everything before the next event, 32 bytes."""
        self._grow()
        return self._frontier.root()

    def flush(self) -> None:
        """Write what is pending, so that the ledger finds it within this transaction."""
        self._flush()

    def finish(self) -> None:
        """Write what is pending and the new head; the ledger commits."""
        self._flush()
        self._connection.execute(
            "UPDATE head SET size = ?, leaf = ?, frontier = ?",
            (self.size, self.leaf, b"".join(self._frontier.hashes)),
        )

    def restore(self, entry: bytes, event: Observation | Signed) -> int:
        """Append an entry that was verified elsewhere, byte for byte."""
        seq = self.size
        self._take(entry)
        self._index(seq, event, {})
        return seq

    def restore_blob(
        self, seq: int, slot: str, salt: bytes, data: bytes, event: Observation | Signed
    ) -> None:
        """Keep a blob of *event* that was verified against its commitment."""
        self._keep(seq, slot, salt, data)
        # Only what the bytes themselves add: a blob comes after newer events were indexed.
        known = set(keys_of(event, _nothing))
        for key in keys_of(event, {slot: data}.get):
            if not key.newest:
                self._first.setdefault(key.text, seq)
            elif key not in known:
                self._newest[key.text] = seq  # blobs come in the order of their events

    def _index(self, seq: int, event: Observation | Signed, blobs: Mapping[str, bytes]) -> None:
        if type(event) is AttemptReported:  # nearly every event, and the same as `keys_of` says
            self._first.setdefault(attempt_key(event.attempt, event.started_at), seq)
            return
        for text, newest in keys_of(event, blobs.get):
            if newest:
                self._newest[text] = seq
            else:
                self._first.setdefault(text, seq)

    def _keys(self, seq: int) -> set[Key]:
        """Return the identities that an event of the ledger has by what is kept of it."""
        event = self._event(seq)
        return set() if event is None else set(keys_of(event, partial(self._bytes, seq)))

    def _forget(self, key: Key, seq: int) -> None:
        """Take an identity from an event; the newest one before it that has it gets it back."""
        self._connection.execute(
            "DELETE FROM identities WHERE key = ? AND seq = ?", (key.text, seq)
        )
        older = getattr(self._event(seq), "supersedes", None)
        while key.newest and older is not None and older < seq:
            if key in self._keys(older):
                self._connection.execute(
                    "INSERT OR IGNORE INTO identities VALUES (?, ?)", (key.text, older)
                )
                return
            seq, older = older, getattr(self._event(older), "supersedes", None)

    def _event(self, seq: int) -> Observation | Signed | None:
        row = self._connection.execute("SELECT entry FROM events WHERE seq = ?", (seq,)).fetchone()
        return None if row is None else read_event(read_entry(row[0], seq))

    def _bytes(self, seq: int, slot: str) -> bytes | None:
        row = self._connection.execute(
            "SELECT bytes FROM blobs WHERE seq = ? AND slot = ?", (seq, slot)
        ).fetchone()
        return None if row is None else bytes(row[0])

    def _commit(self, salted: Mapping[str, Salted]) -> dict[str, bytes]:
        made = {}
        for slot, (salt, data) in salted.items():
            if len(data) > MAX_BLOB_BYTES:
                raise Limit(f"blob `{slot}`", f"{len(data)} bytes", f"{MAX_BLOB_BYTES}")
            self._keep(self.size, slot, salt, data)
            made[slot] = commitment(salt, data)
        if len(made) > 1:
            return dict(sorted(made.items(), key=lambda item: (len(item[0]), item[0])))
        return made

    def _keep(self, seq: int, slot: str, salt: bytes, data: bytes) -> None:
        self._blobs.append((seq, slot, salt, data))
        self._blob_bytes += len(data)
        if self._blob_bytes >= FLUSH_BYTES:
            self._flush()

    def _append(self, type_: str, actor: str, body: bytes) -> int:
        tail = self._tails.get((type_, actor))
        if tail is None:
            tail = self._tails[(type_, actor)] = entry_tail(type_, actor)
        seq = self.size
        self._take(entry_bytes(self._prefix, seq, body, self.leaf, tail))
        return seq

    def _take(self, entry: bytes) -> None:
        if len(entry) > MAX_ENTRY_BYTES:
            raise Limit(f"event {self.size}", f"{len(entry)} bytes", f"{MAX_ENTRY_BYTES}")
        self._entries.append((self.size, entry))
        self.last, self.leaf = entry, leaf_hash(entry)
        self._leaves.append(self.leaf)
        self.size += 1
        if len(self._entries) >= FLUSH_EVENTS:
            self._flush()

    def _grow(self) -> None:
        self._frontier.extend(self._leaves)
        self._leaves.clear()

    def _flush(self) -> None:
        self._grow()
        many: Any = self._connection.executemany
        many("INSERT INTO events VALUES (?, ?)", self._entries)
        many("INSERT INTO blobs VALUES (?, ?, ?, ?)", self._blobs)
        # In the order of the index, so that each of its pages is sought once.
        many("INSERT OR IGNORE INTO identities VALUES (?, ?)", sorted(self._first.items()))
        many("INSERT OR REPLACE INTO identities VALUES (?, ?)", list(self._newest.items()))
        for pending in (self._entries, self._blobs, self._first, self._newest):
            pending.clear()
        self._blob_bytes = 0


def _nothing(_: str) -> None:
    """Hold no bytes."""
