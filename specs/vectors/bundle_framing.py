"""Forged bundles whose frames, order, limits or documents are wrong (BUNDLE-1 to BUNDLE-6)."""

from collections.abc import Callable
from functools import partial

from bundle_vector import Asked, Vector, lean
from forge import Draft, Item

from canon import encode
from canon.digest import sha256
from canon.heads import array_head, bytes_item, head, text_item, uint_item

_FRAME, _LIMIT, _DOCUMENT = "E_FRAME", "E_LIMIT", "E_DOCUMENT"
_HEADER, _MANIFEST, _ROOT_DOCUMENT, _POLICY_DOCUMENT, _CHUNK, _CHECKPOINT, _SEAL = range(7)
_MANY = 2**63 - 1


def framing() -> list[Vector]:
    """Return the vectors."""
    return [*_order(), *_ends(), *_chunks(), *_parts(), *_limits(), *_documents()]


def _items(change: Callable[[list[Item]], list[Item]], *, disclose: bool = False) -> Draft:
    draft = lean()
    draft.items = change
    if disclose:
        draft.disclose = lambda slot: slot == "record"
    return draft


def _replaced(number: int, item: Item) -> Draft:
    return _items(lambda items: [*items[:number], item, *items[number + 1 :]])


def _changed(number: int, change: Callable[[Item], Item]) -> Draft:
    return _items(lambda items: [*items[:number], change(items[number]), *items[number + 1 :]])


def _without(number: int) -> Draft:
    return _items(lambda items: items[:number] + items[number + 1 :])


def _order() -> list[Vector]:
    rows = [
        ("header-of-version-2", "The format says version 2.",
         _replaced(_HEADER, encode([0, "coldledger/bundle/2"]))),
        ("no-header", "The file begins with the manifest.", _without(_HEADER)),
        ("no-documents", "Entries follow the manifest at once.",
         _items(lambda items: [*items[:2], *items[4:]])),
        ("documents-before-manifest", "Two kinds of item have changed places.",
         _items(lambda items: [items[0], items[2], items[1], *items[3:]])),
        ("no-chunk", "The checkpoint follows the documents.", _without(_CHUNK)),
        ("unknown-kind", "An item of kind 7 before the seal.",
         _items(lambda items: [*items[:-1], encode([7, b""]), items[-1]])),
        ("checkpoint-of-3-parts", "A part more than a checkpoint has.",
         _changed(_CHECKPOINT, lambda item: b"\x83" + item[1:] + b"\xf6")),
        ("seal-with-timestamp", "Version 1 has no timestamps.",
         _changed(_SEAL, lambda item: item[:-1] + encode([b"time"]))),
        ("log-signature-of-67-bytes", "A byte is missing.",
         _changed(_SEAL, lambda item: item[:2] + bytes_item(item[4:71]) + item[72:])),
        ("long-head", "The chunk states its count in two bytes, where one is enough.",
         _changed(_CHUNK, lambda item: item[:3] + b"\x98\x06" + item[4:])),
        ("tag-before-item", "A tag stands before the checkpoint.",
         _changed(_CHECKPOINT, lambda item: b"\xd9\xd9\xf7" + item)),
    ]  # fmt: skip
    return [
        Vector(name, "BUNDLE-1", comment, draft, _FRAME, "framing") for name, comment, draft in rows
    ]


def _ends() -> list[Vector]:
    cut = "E_TRUNCATED"
    rows: list[tuple[str, str, Callable[[bytes], bytes], str]] = [
        ("empty-file", "Nothing at all.", lambda _: b"", cut),
        ("cut-by-a-byte", "The last byte is missing.", lambda data: data[:-1], cut),
        ("cut-inside-an-entry", "The file ends inside the first entry.",
         lambda data: data[: data.index(b"trust.adopted/1")], cut),
        ("trailing-byte", "A byte follows the seal.", lambda data: data + b"\0", "E_TRAILING"),
    ]  # fmt: skip
    made = lean().made().data
    vectors = [
        Vector(name, "BUNDLE-4", comment, lean(), code, "framing", data=change(made))
        for name, comment, change, code in rows
    ]
    comment = "The file ends cleanly before its seal."
    return [*vectors, Vector("no-seal", "BUNDLE-4", comment, _without(_SEAL), cut, "framing")]


def _chunks() -> list[Vector]:
    rows = [
        ("two-short-chunks", "Six entries as 3 and 3.",
         lambda entries: [(0, entries[:3]), (3, entries[3:])]),
        ("empty-chunk", "A chunk without entries comes first.",
         lambda entries: [(0, []), (0, entries)]),
        ("chunk-begins-at-1", "The first chunk says that it begins at 1.",
         lambda entries: [(1, entries)]),
    ]  # fmt: skip
    vectors = []
    for name, comment, split in rows:
        draft = lean()
        draft.chunks = split
        vectors.append(Vector(name, "BUNDLE-6", comment, draft, _FRAME, "framing"))
    begun = lean()
    begun.chunks = lambda entries: [(1, entries)]
    asked = Asked(trust=[begun.root[:-1]])
    comment = "The first chunk says that it begins at 1, and the trust root cannot be read."
    return [
        *vectors,
        Vector("begun-at-1-with-no-root", "VERIFY-17", comment, begun, _FRAME, "framing",
               asked=asked),
    ]  # fmt: skip


def _parts() -> list[Vector]:
    swapped = _items(lambda items: [*items[:5], items[6], items[5], *items[7:]], disclose=True)
    twice = _items(lambda items: [*items[:6], *items[5:]], disclose=True)
    vectors = [
        Vector("disclosures-swapped", "BUNDLE-13", "Two disclosures have changed places.", swapped,
               _FRAME, "framing"),
        Vector("disclosure-twice", "BUNDLE-13", "One slot is disclosed twice.", twice, _FRAME,
               "framing"),
    ]  # fmt: skip
    for name, comment, parts in (
        ("short-part", "A part that is not the last has 2 bytes.", [b"ab", b"c"]),
        ("two-empty-parts", "Nothing is one empty part, not two.", [b"", b""]),
        ("empty-last-part", "The last part is empty though it is not the only one.", [b"ab", b""]),
    ):
        draft = lean()
        _, row = draft.row("source.imported/1")
        row.blobs["path"] = (row.blobs["path"][0], b"".join(parts))
        draft.disclose = lambda slot: slot == "path"
        draft.items = partial(_split, parts)
        vectors.append(Vector(name, "BUNDLE-14", comment, draft, _FRAME, "framing"))
    return vectors


def _split(parts: list[bytes], items: list[Item]) -> list[Item]:
    """Write the only disclosure with other parts."""
    whole = items[_CHUNK + 1]
    one = array_head(1) + bytes_item(b"".join(parts))
    made = whole.removesuffix(one) + array_head(len(parts)) + b"".join(map(bytes_item, parts))
    return [*items[: _CHUNK + 1], made, *items[_CHUNK + 2 :]]


def _limits() -> list[Vector]:
    """Bombs: heads that promise more than may be there, with nothing behind them."""
    bomb = head(2, _MANY)
    chunk = array_head(3) + uint_item(3) + uint_item(0)
    disclosed = array_head(5) + uint_item(4) + uint_item(4)
    slot = disclosed + text_item("record") + bytes_item(bytes(32))
    seal = array_head(5) + uint_item(6) + bytes_item(bytes(68))

    def instead(number: int, item: Item) -> Draft:
        return _items(lambda items: [*items[:number], item])

    rows = [
        ("manifest-over-16-mib", "Its head states a byte more.", _MANIFEST,
         array_head(2) + uint_item(1) + head(2, 16 * 2**20 + 1)),
        ("manifest-bomb", "Its head states 2^63 - 1 bytes.", _MANIFEST,
         array_head(2) + uint_item(1) + bomb),
        ("document-bomb", "Its head states 2^63 - 1 bytes.", _ROOT_DOCUMENT,
         array_head(3) + uint_item(2) + bytes_item(bytes(32)) + bomb),
        ("chunk-of-257", "One entry more than a chunk holds.", _CHUNK, chunk + array_head(257)),
        ("chunk-bomb", "A chunk of 2^63 - 1 entries.", _CHUNK, chunk + head(4, _MANY)),
        ("entry-of-65536", "An entry of a byte more.", _CHUNK,
         chunk + array_head(1) + head(2, 65_536)),
        ("slot-of-33-bytes", "The name of a slot is too long.", _CHUNK + 1,
         disclosed + text_item("s" * 33)),
        ("257-parts", "A blob of more than 256 MiB.", _CHUNK + 1, slot + array_head(257)),
        ("part-over-1-mib", "A part of a byte more.", _CHUNK + 1,
         slot + array_head(1) + head(2, 2**20 + 1)),
        ("checkpoint-over-1-kib", "A body of a byte more.", _CHECKPOINT,
         array_head(2) + uint_item(5) + head(2, 1_025)),
        ("65-edition-signatures", "One more than a seal holds.", _SEAL, seal + array_head(65)),
        ("edition-signature-over-8-kib", "An envelope of a byte more.", _SEAL,
         seal + array_head(1) + head(2, 8_193)),
        ("65-cosignatures", "One more than a seal holds.", _SEAL,
         seal + array_head(0) + array_head(65)),
    ]  # fmt: skip
    return [
        Vector(name, "BUNDLE-2", comment, instead(number, item), _LIMIT, "limits")
        for name, comment, number, item in rows
    ]


def _documents() -> list[Vector]:
    stranger = b"\xa0"
    rows = [
        ("document-missing", "One of two documents is left out.", lambda docs: docs[:1]),
        ("document-changed", "A document has another last byte.",
         lambda docs: [docs[0], (docs[1][0], docs[1][1][:-1] + b"\0")]),
        ("document-renamed", "A document stands under the digest of what it is.",
         lambda docs: [docs[0], (sha256(stranger), stranger)]),
        ("documents-swapped", "Two documents have changed places.", lambda docs: docs[::-1]),
        ("document-too-many", "A document that the manifest does not list.",
         lambda docs: [*docs, (sha256(stranger), stranger)]),
    ]  # fmt: skip
    vectors = []
    for name, comment, change in rows:
        draft = lean()
        draft.attached = change
        vectors.append(Vector(name, "BUNDLE-5", comment, draft, _DOCUMENT, "documents"))
    return vectors
