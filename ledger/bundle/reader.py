"""Reading a bundle item by item, in bounded memory, in the one order that is allowed.

Framing and limits only: what the items say is for verifying to judge (``specs/verify.md`` steps
1 and 2). The digest of the core is taken from the very bytes that are returned.
"""

import hashlib
from collections.abc import Callable, Iterator
from typing import BinaryIO

from canon.digest import SALT_BYTES, commitment_of
from canon.errors import Frame, Limit, Trailing
from canon.heads import Heads, array_head, uint_item
from canon.refusal import Refusal
from ledger.entry import MAX_ENTRY_BYTES

from . import items
from .items import Checkpoint, Chunk, Disclosure, Document, Header, Item, ManifestItem, Seal

# What may follow what: the format is a fixed sequence with two loops in it.
_FOLLOWS: dict[int, frozenset[int]] = {
    items.HEADER: frozenset({items.MANIFEST}),
    items.MANIFEST: frozenset({items.DOCUMENT}),
    items.DOCUMENT: frozenset({items.DOCUMENT, items.CHUNK}),
    items.CHUNK: frozenset({items.CHUNK, items.DISCLOSURE, items.CHECKPOINT}),
    items.DISCLOSURE: frozenset({items.CHUNK, items.DISCLOSURE, items.CHECKPOINT}),
    items.CHECKPOINT: frozenset({items.SEAL}),
    items.SEAL: frozenset(),
}


class Core:
    """The digest of the core, complete once the checkpoint was read.

    Attributes:
        update: Takes more bytes of the core.
    """

    def __init__(self) -> None:
        self._state = hashlib.sha256()
        # What hashes each entry is the method itself, not one that calls it.
        self.update: Callable[[bytes], None] = self._state.update

    def digest(self) -> bytes:
        """Return SHA-256 of what was taken, 32 bytes."""
        return self._state.digest()


def read_items(
    stream: BinaryIO, core: Core, *, keep_bytes: int = items.MAX_BLOB_BYTES
) -> Iterator[Item]:
    """Yield the items of a bundle, in order, up to its exact end.

    Args:
        stream: The bundle.
        core: Takes what belongs to the core.
        keep_bytes: How long a disclosed blob may be for its bytes to be kept; of longer ones only
            the commitment is made, part by part.

    Raises:
        Frame: Something else stands where an item must.
        Truncated: The file ends inside an item.
        Limit: An item announces more than it may hold.
        Trailing: Bytes follow the seal.
    """
    heads = Heads(stream)
    allowed = frozenset({items.HEADER})
    documents_bytes = 0
    while allowed:
        kind, offset = _kind(heads, core, allowed)
        allowed = _FOLLOWS[kind]
        item: Item
        if kind == items.DISCLOSURE:
            item = _disclosure(heads, offset, keep_bytes)
        else:
            item = _READERS[kind](heads, offset)
        if type(item) is Document:
            documents_bytes += len(item.data)
            if documents_bytes > items.MAX_DOCUMENTS_BYTES:
                raise Limit(
                    "documents", "more", f"{items.MAX_DOCUMENTS_BYTES} bytes", offset=offset
                )
        heads.tap = None
        yield item
        if type(item) is Chunk and item.broken is not None:
            raise item.broken
    if not heads.at_end():
        raise Trailing(
            f"byte {heads.offset}", "more bytes", "the end of the file", offset=heads.offset
        )


def _kind(heads: Heads, core: Core, allowed: frozenset[int]) -> tuple[int, int]:
    """Read the head of an item and its kind; from here on the core takes what belongs to it."""
    offset = heads.offset
    length = heads.array()
    kind = heads.uint()
    if kind not in allowed:
        got = items.NAMES[kind] if kind < len(items.NAMES) else f"kind {kind}"
        expected = " or ".join(items.NAMES[k] for k in sorted(allowed))
        raise Frame(f"byte {offset}", got, expected, offset=offset)
    if length != items.LENGTHS[kind]:
        raise Frame(
            f"byte {offset}",
            f"{length} parts",
            f"a {items.NAMES[kind]} of {items.LENGTHS[kind]} parts",
            offset=offset,
        )
    if kind in items.CORE:
        core.update(array_head(length) + uint_item(kind))  # heads are the shortest, or refused
        heads.tap = core.update
    return kind, offset


def _header(heads: Heads, offset: int) -> Header:
    name = heads.text(items.MAX_NAME_BYTES)
    if name != items.FORMAT:
        raise Frame(f"byte {offset}", f"format {name!r}", repr(items.FORMAT), offset=offset)
    return Header(offset)


def _manifest(heads: Heads, offset: int) -> ManifestItem:
    return ManifestItem(offset, heads.bytes(items.MAX_MANIFEST_BYTES))


def _document(heads: Heads, offset: int) -> Document:
    digest = _exact(heads, 32)
    return Document(offset, digest, heads.bytes(items.MAX_DOCUMENT_BYTES))


def _chunk(heads: Heads, offset: int) -> Chunk:
    first = heads.uint()
    count = _count(heads, 1, items.CHUNK_ENTRIES)
    entries: list[bytes] = []
    offsets: list[int] = []
    try:
        for _ in range(count):
            at = heads.offset
            entries.append(heads.bytes(MAX_ENTRY_BYTES))
            offsets.append(at)
    except Refusal as refusal:
        if not entries:
            raise
        # An entry before the fault may be at fault itself, and is judged first (VERIFY-17).
        return Chunk(offset, first, entries, offsets, refusal)
    return Chunk(offset, first, entries, offsets)


def _disclosure(heads: Heads, offset: int, keep_bytes: int) -> Disclosure:
    seq = heads.uint()
    slot = heads.text(items.MAX_SLOT_BYTES)
    salt = _exact(heads, SALT_BYTES)
    count = _count(heads, 1, items.MAX_PARTS)
    parts = _parts(heads, count)
    if count <= keep_bytes // items.PART_BYTES + 1:
        data = b"".join(parts)
        if len(data) <= keep_bytes:
            return Disclosure(offset, seq, slot, salt, data)
        parts = iter((data,))
    return Disclosure(offset, seq, slot, salt, b"", commitment_of(salt, parts))


def _parts(heads: Heads, count: int) -> Iterator[bytes]:
    """Yield the parts of a blob, each of which must be full but the last."""
    for number in range(count):
        at = heads.offset
        part = heads.bytes(items.PART_BYTES)
        last = number == count - 1
        if not (len(part) == items.PART_BYTES or (last and (part or count == 1))):
            raise Frame(f"byte {at}", f"a part of {len(part)} bytes", "1 MiB", offset=at)
        yield part


def _checkpoint(heads: Heads, offset: int) -> Checkpoint:
    return Checkpoint(offset, heads.bytes(items.MAX_CHECKPOINT_BYTES))


def _seal(heads: Heads, offset: int) -> Seal:
    log_signature = _exact(heads, items.LOG_SIGNATURE_BYTES)
    editions = [
        heads.bytes(items.MAX_ENVELOPE_BYTES) for _ in range(_count(heads, 0, items.MAX_SIGNATURES))
    ]
    cosignatures = []
    for _ in range(_count(heads, 0, items.MAX_SIGNATURES)):
        _count(heads, 2, 2)
        name = heads.text(items.MAX_NAME_BYTES)
        cosignatures.append((name, _exact(heads, items.COSIGNATURE_BYTES)))
    _count(heads, 0, 0)
    return Seal(offset, log_signature, editions, cosignatures)


def _exact(heads: Heads, length: int) -> bytes:
    at = heads.offset
    data = heads.bytes(length)
    if len(data) != length:
        raise Frame(f"byte {at}", f"{len(data)} bytes", f"{length} bytes", offset=at)
    return data


def _count(heads: Heads, least: int, most: int) -> int:
    at = heads.offset
    count = heads.array()
    if count != least == most:
        raise Frame(f"byte {at}", f"{count} items", f"{most} items", offset=at)
    if count > most:
        raise Limit(f"byte {at}", f"{count} items", f"at most {most}", offset=at)
    if count < least:
        raise Frame(f"byte {at}", f"{count} items", f"at least {least}", offset=at)
    return count


_READERS: dict[int, Callable[[Heads, int], Item]] = {
    items.HEADER: _header,
    items.MANIFEST: _manifest,
    items.DOCUMENT: _document,
    items.CHUNK: _chunk,
    items.CHECKPOINT: _checkpoint,
    items.SEAL: _seal,
}
