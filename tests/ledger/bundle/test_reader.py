"""Items are read with the place where each stands, up to their very limits (BUNDLE-1, BUNDLE-2)."""

import io
from collections.abc import Sequence

import pytest

from canon.digest import commitment
from canon.errors import Frame, Limit, Truncated
from canon.heads import array_head, bytes_item, text_item, uint_item
from ledger.bundle import items
from ledger.bundle.items import Chunk, Disclosure, Document, Item, Seal
from ledger.bundle.reader import Core, read_items

SALT = bytes(range(32))


def _item(kind: int, *parts: bytes) -> bytes:
    return array_head(1 + len(parts)) + uint_item(kind) + b"".join(parts)


def _document(data: bytes) -> bytes:
    return _item(items.DOCUMENT, bytes_item(bytes(32)), bytes_item(data))


def _disclosure(data: bytes) -> bytes:
    size = items.PART_BYTES
    parts = [data[at : at + size] for at in range(0, len(data), size)] or [b""]
    listed = array_head(len(parts)) + b"".join(map(bytes_item, parts))
    return _item(items.DISCLOSURE, uint_item(5), text_item("record"), bytes_item(SALT), listed)


def _chunk(*entries: bytes, first: int = 0) -> bytes:
    return _item(
        items.CHUNK, uint_item(first), array_head(len(entries)) + b"".join(map(bytes_item, entries))
    )


def _seal(cosignature: bytes = b"") -> bytes:
    cosigned = array_head(1) + cosignature if cosignature else array_head(0)
    log = bytes_item(bytes(items.LOG_SIGNATURE_BYTES))
    return _item(items.SEAL, log, array_head(0), cosigned, array_head(0))


HEADER = _item(items.HEADER, text_item(items.FORMAT))
MANIFEST = _item(items.MANIFEST, bytes_item(b"manifest"))
CHECKPOINT = _item(items.CHECKPOINT, bytes_item(b"checkpoint"))


def _read(parts: Sequence[bytes], **options: int) -> list[Item]:
    return list(read_items(io.BytesIO(b"".join(parts)), Core(), **options))


def test_every_item_says_where_it_stands() -> None:
    """At its own first byte; entries at theirs (BUNDLE-1)."""
    parts = [
        HEADER,
        MANIFEST,
        _document(b"one"),
        _document(b"two"),
        _chunk(b"entry 0", b"entry 1"),
        _disclosure(b"kept"),
        _disclosure(b"not kept"),
        _chunk(b"entry 2", first=2),
        CHECKPOINT,
        _seal(),
    ]
    read = _read(parts, keep_bytes=4)
    assert [item.offset for item in read] == [
        sum(map(len, parts[:number])) for number in range(len(parts))
    ]
    for item, part in zip(read, parts, strict=True):
        if isinstance(item, Chunk):
            whole = b"".join(parts)
            for entry, at in zip(item.entries, item.offsets, strict=True):
                assert whole[at:].startswith(bytes_item(entry))
            assert item.broken is None
            assert part.endswith(bytes_item(item.entries[-1]))


@pytest.mark.parametrize("keep", [0, 3, 4, 5, items.PART_BYTES - 1, items.PART_BYTES, 2**22])
@pytest.mark.parametrize(
    "size", [0, 3, 4, 5, 2**20 - 1, 2**20, 2**20 + 1, 2**21 - 1, 2**21, 2**21 + 1]
)
def test_a_blob_is_kept_up_to_its_limit(keep: int, size: int) -> None:
    """With its bytes or without, it opens the same commitment (CANON-24)."""
    data = bytes(size)
    parts = [HEADER, MANIFEST, _document(b""), _chunk(b"e"), _disclosure(data), CHECKPOINT, _seal()]
    (read,) = [item for item in _read(parts, keep_bytes=keep) if isinstance(item, Disclosure)]
    assert (read.seq, read.slot, read.salt) == (5, "record", SALT)
    assert read.offset == sum(map(len, parts[:4]))
    assert read.commitment() == commitment(SALT, data)
    assert read.data == (data if size <= keep else b"")
    assert (read.dropped is None) is (size <= keep)


def test_documents_are_limited_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """To the byte; the one that is too much is named by its place (BUNDLE-2)."""
    parts = [HEADER, MANIFEST, _document(b"12345"), _document(b"67890"), _chunk(b"e")]
    monkeypatch.setattr(items, "MAX_DOCUMENTS_BYTES", 10)
    read = _read([*parts, CHECKPOINT, _seal()])
    assert [item.data for item in read if isinstance(item, Document)] == [b"12345", b"67890"]
    monkeypatch.setattr(items, "MAX_DOCUMENTS_BYTES", 9)
    with pytest.raises(Limit) as refused:
        _read([*parts, CHECKPOINT, _seal()])
    assert refused.value.offset == sum(map(len, parts[:3]))


def test_entries_before_a_fault_come_first() -> None:
    """They are handed over with the place of their chunk, then the fault is (VERIFY-17)."""
    whole = b"".join([HEADER, MANIFEST, _document(b""), _chunk(b"entry 0", b"entry 1")])
    reading = read_items(io.BytesIO(whole[:-1]), Core())
    before = [next(reading) for _ in range(3)]
    chunk = next(reading)
    assert isinstance(chunk, Chunk)
    assert chunk.offset == sum(map(len, [HEADER, MANIFEST, _document(b"")]))
    assert (chunk.first, chunk.entries) == (0, [b"entry 0"])
    assert len(before) == 3
    with pytest.raises(Truncated) as refused:
        next(reading)
    assert refused.value is chunk.broken


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_cosignature_is_a_pair(count: int) -> None:
    """Of a name and its bytes, and of nothing else (BUNDLE-1)."""
    name, signature = text_item("witness"), bytes_item(bytes(items.COSIGNATURE_BYTES))
    parts = [HEADER, MANIFEST, _document(b""), _chunk(b"e"), CHECKPOINT]
    (seal,) = _read([*parts, _seal(array_head(2) + name + signature)])[-1:]
    assert isinstance(seal, Seal)
    assert seal.cosignatures == [("witness", bytes(items.COSIGNATURE_BYTES))]
    listed = b"".join([name, signature, signature][:count])
    with pytest.raises((Frame, Limit)) as refused:
        _read([*parts, _seal(array_head(count) + listed)])
    assert refused.value.offset is not None


@pytest.mark.parametrize("kind", [*range(len(items.NAMES)), len(items.NAMES), 2**40])
def test_nothing_else_may_come_first(kind: int) -> None:
    """What stands there is named by its kind, also one that there is not (BUNDLE-1)."""
    if kind == items.HEADER:
        return
    with pytest.raises(Frame) as refused:
        _read([_item(kind, bytes_item(b""))])
    known = kind < len(items.NAMES)
    assert refused.value.got == (items.NAMES[kind] if known else f"kind {kind}")
    assert (refused.value.expected, refused.value.offset) == ("header", 0)
