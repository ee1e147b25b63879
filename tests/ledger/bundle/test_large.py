"""What small vectors cannot hold: many chunks, parts of a mebibyte, the limits on documents."""

import io
from pathlib import Path

import pytest
from bundle_vector import ROW, SOURCE, lean
from bundle_world import root
from forge import Draft, Row, seeded
from made_rows import identity_of

from canon import leaf_hash, root_of
from canon.errors import Frame, Limit
from canon.heads import array_head, bytes_item, head, text_item, uint_item
from ledger.bundle import Chunk, Disclosure, read_items
from ledger.bundle.reader import Core
from ledger.events import MAX_RECORD_BYTES
from ledger.restore import restore
from ledger.store import Ledger
from ledger.verify.bundle import verify_bundle
from ledger.verify.question import Question
from signing.checkpoint import Checkpoint

MIB = 2**20


def long(count: int) -> Draft:
    """Return a lean draft with *count* more attempts."""
    draft = lean()
    honest = draft.rows[ROW]
    draft.rows[SOURCE].says["rows"] += count
    for number in range(count):
        says = {**honest.says, "number": number + 2, "index": number + 1}
        says["attempt"] = identity_of(says)
        salted = (seeded(f"salt {number}", 32), b"note %d" % number)
        blobs = {"note": salted, "record": (seeded(f"pepper {number}", 32), b"{}")}
        draft.add(Row(honest.type, says, blobs=blobs))
    return draft


def verified(data: bytes, **asked: object) -> str | None:
    """Verify *data* and return the code of the error, if there is one."""
    verdict, _ = verify_bundle(io.BytesIO(data), Question([root().data], **asked))  # type: ignore[arg-type]
    return None if verdict.error is None else verdict.error.code


@pytest.mark.parametrize("size", [255, 256, 257, 512, 600])
def test_chunks_are_full_but_the_last(size: int) -> None:
    """Around every multiple of 256 entries (BUNDLE-6)."""
    made = long(size - len(lean().rows)).made()
    chunks = [item for item in read_items(io.BytesIO(made.data), Core()) if isinstance(item, Chunk)]
    assert [chunk.first for chunk in chunks] == list(range(0, size, 256))
    assert [entry for chunk in chunks for entry in chunk.entries] == made.entries
    assert verified(made.data) is None


def test_a_chunk_after_a_short_one_and_a_chunk_cut_otherwise_are_refused() -> None:
    """The same entries in other chunks are another file, and refused (BUNDLE-6)."""
    draft = long(300)
    draft.chunks = lambda entries: [(0, entries[:255]), (255, entries[255:])]
    assert verified(draft.made().data) == "E_FRAME"
    draft.chunks = lambda entries: [(0, entries[:256]), (257, entries[257:])]
    assert verified(draft.made().data) == "E_FRAME"


def test_a_disclosure_stands_after_the_chunk_of_its_entry(tmp_path: Path) -> None:
    """Not one chunk later, although it would still ascend (BUNDLE-13)."""
    draft = long(300)
    draft.disclose = lambda slot: slot == "note"
    good = draft.made().data
    assert verified(good) is None
    items = draft.made()
    kinds = list(read_items(io.BytesIO(good), Core()))
    late = next(
        place for place, item in enumerate(kinds) if isinstance(item, Chunk) and item.first == 256
    )
    assert isinstance(kinds[late - 1], Disclosure)

    def moved(items: list[bytes]) -> list[bytes]:
        return [*items[: late - 1], items[late], items[late - 1], *items[late + 1 :]]

    draft.items = moved
    assert verified(draft.made().data) == "E_DISCLOSURE"
    path = tmp_path / "many.db"
    verdict = restore(
        io.BytesIO(items.data),
        Question([root().data]),
        path,
        at="2026-01-01T00:00:00.000000Z",
        entropy=lambda length: seeded("restore", length),
    )
    assert verdict.ok
    with Ledger.open(path) as ledger:
        assert [entry for _, entry in ledger.entries()] == items.entries


def test_a_kept_checkpoint_of_every_size_is_met() -> None:
    """At chunk borders too: each true root is accepted, each false one refused (CHAIN-8)."""
    made = long(300).made()
    leaves = [leaf_hash(entry) for entry in made.entries]
    log = "log.example/drills"
    for size in (1, 2, 255, 256, 257, len(leaves) - 1, len(leaves)):
        true = Checkpoint(log, size, root_of(leaves[:size]))
        assert verified(made.data, since=true) is None
        false = Checkpoint(log, size, bytes(32))
        code = "E_SPLIT_VIEW" if size == len(leaves) else "E_CONSISTENCY"
        assert verified(made.data, since=false) == code


@pytest.mark.parametrize("size", [0, 1, MIB - 1, MIB, MIB + 1, 2 * MIB])
def test_parts_are_a_mebibyte_but_the_last(size: int) -> None:
    """Around every multiple of a mebibyte (BUNDLE-14)."""
    draft = lean()
    draft.rows[SOURCE].blobs["path"] = (bytes(32), b"x" * size)
    draft.disclose = lambda slot: slot == "path"
    assert verified(draft.made().data) is None


def test_an_empty_part_after_a_full_one_is_refused() -> None:
    """A blob of a mebibyte is one part (BUNDLE-14)."""
    draft = lean()
    whole = b"x" * MIB
    draft.rows[SOURCE].blobs["path"] = (bytes(32), whole)
    draft.disclose = lambda slot: slot == "path"
    one = array_head(1) + bytes_item(whole)
    two = array_head(2) + bytes_item(whole) + bytes_item(b"")
    draft.items = lambda items: [item.replace(one, two) for item in items]
    assert verified(draft.made().data) == "E_FRAME"


def test_a_record_over_the_limit_is_not_parsed() -> None:
    """No importer keeps records of more than 16 MiB, so none is read again (BUNDLE-2)."""
    draft = lean()
    draft.rows[ROW].blobs["record"] = (bytes(32), b"[" * (MAX_RECORD_BYTES + 1))
    draft.disclose = lambda slot: slot == "record"
    verdict, _ = verify_bundle(io.BytesIO(draft.made().data), Question([root().data]))
    assert verdict.error is not None
    assert (verdict.error.code, verdict.error.step) == ("E_LIMIT", "limits")


def test_documents_together_have_a_limit() -> None:
    """Five documents within their own limit are too much together (BUNDLE-2)."""
    start = array_head(2) + uint_item(0) + text_item("coldledger/bundle/1")
    start += array_head(2) + uint_item(1) + bytes_item(b"manifest")
    document = array_head(3) + uint_item(2) + bytes_item(bytes(32)) + head(2, 16 * MIB)

    class Stream:
        """Five documents of zeros, made while they are read."""

        def __init__(self) -> None:
            self.parts = [start, *[document, *[bytes(MIB)] * 16] * 5]
            self.read_bytes = 0

        def read(self, size: int, /) -> bytes:
            if not self.parts:
                return b""
            part = self.parts.pop(0)
            if len(part) > size:
                self.parts.insert(0, part[size:])
            self.read_bytes += len(part[:size])
            return part[:size]

    with pytest.raises(Limit):
        list(read_items(Stream(), Core()))  # type: ignore[arg-type]


def test_a_promise_is_refused_before_anything_is_read() -> None:
    """The head alone is enough: nothing behind it is asked for (BUNDLE-2)."""
    start = array_head(2) + uint_item(0) + text_item("coldledger/bundle/1")
    bomb = start + array_head(2) + uint_item(1) + head(2, 2**63 - 1)
    with pytest.raises(Limit) as refused:
        list(read_items(io.BytesIO(bomb), Core()))
    assert refused.value.offset == len(start) + 2
    with pytest.raises(Frame):
        list(read_items(io.BytesIO(b"\x81\x00"), Core()))
