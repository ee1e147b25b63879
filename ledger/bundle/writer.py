"""Writing a bundle in one pass, with the digest of its core."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import BinaryIO

from canon.heads import array_head, bytes_item, text_item, uint_item

from . import items


class BundleWriter:
    """Writes items in the order of the format; the caller keeps that order.

    Attributes:
        core: Running SHA-256 of the core (``specs/bundle.md`` BUNDLE-3).
    """

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self.core = hashlib.sha256()

    def header(self) -> None:
        """Write the header."""
        self._core(items.HEADER, text_item(items.FORMAT))

    def manifest(self, data: bytes) -> None:
        """Write the manifest."""
        self._core(items.MANIFEST, bytes_item(data))

    def document(self, digest: bytes, data: bytes) -> None:
        """Write a document; the caller goes in ascending order of digests."""
        self._core(items.DOCUMENT, bytes_item(digest), bytes_item(data))

    def chunk(self, first: int, entries: Sequence[bytes]) -> None:
        """Write up to 256 entries that start at number *first*."""
        self._core(
            items.CHUNK,
            uint_item(first),
            array_head(len(entries)),
            *(bytes_item(entry) for entry in entries),
        )

    def disclosure(self, seq: int, slot: str, salt: bytes, data: bytes) -> None:
        """Write the bytes of a slot in parts of 1 MiB; nothing is one empty part."""
        size = items.PART_BYTES
        parts = [data[i : i + size] for i in range(0, len(data), size)] or [b""]
        self.disclosure_of(seq, slot, salt, len(parts), parts)

    def disclosure_of(
        self, seq: int, slot: str, salt: bytes, count: int, parts: Iterable[bytes]
    ) -> None:
        """Write the bytes of a slot as they come, in *count* parts of 1 MiB, the last as it is."""
        self._out.write(
            _item(
                items.DISCLOSURE,
                uint_item(seq),
                text_item(slot),
                bytes_item(salt),
                array_head(count),
            )
        )
        for part in parts:
            self._out.write(bytes_item(part))

    def checkpoint(self, body: bytes) -> None:
        """Write the checkpoint's body, which ends the core."""
        self._core(items.CHECKPOINT, bytes_item(body))

    def seal(
        self,
        log_signature: bytes,
        editions: Iterable[bytes],
        cosignatures: Iterable[tuple[str, bytes]],
    ) -> None:
        """Write the seal; signatures come sorted."""
        self._out.write(seal_item(log_signature, editions, cosignatures))

    def _core(self, kind: int, *parts: bytes) -> None:
        data = _item(kind, *parts)
        self.core.update(data)
        self._out.write(data)


def seal_item(
    log_signature: bytes, editions: Iterable[bytes], cosignatures: Iterable[tuple[str, bytes]]
) -> bytes:
    """Return the bytes of a seal."""
    signatures, witnesses = list(editions), list(cosignatures)
    return _item(
        items.SEAL,
        bytes_item(log_signature),
        array_head(len(signatures)),
        *(bytes_item(signature) for signature in signatures),
        array_head(len(witnesses)),
        *(array_head(2) + text_item(name) + bytes_item(data) for name, data in witnesses),
        array_head(0),
    )


def _item(kind: int, *parts: bytes) -> bytes:
    return b"".join((array_head(items.LENGTHS[kind]), uint_item(kind), *parts))
