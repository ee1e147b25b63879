"""The vectors of the Merkle tree, from the recursive definitions of RFC 9162 section 2.1."""

import hashlib
from typing import Any

Vector = dict[str, Any]

_ENTRIES = [bytes([number]) * number for number in range(11)]


def _sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def _leaf(entry: bytes) -> bytes:
    return _sha256(b"\x00" + entry)


def _root(entries: list[bytes]) -> bytes:
    """MTH, section 2.1.1."""
    if not entries:
        return _sha256(b"")
    if len(entries) == 1:
        return _leaf(entries[0])
    split = _split(len(entries))
    return _sha256(b"\x01" + _root(entries[:split]) + _root(entries[split:]))


def _path(index: int, entries: list[bytes]) -> list[bytes]:
    """PATH, section 2.1.3.1."""
    if len(entries) == 1:
        return []
    split = _split(len(entries))
    if index < split:
        return [*_path(index, entries[:split]), _root(entries[split:])]
    return [*_path(index - split, entries[split:]), _root(entries[:split])]


def _subproof(first: int, entries: list[bytes], known: bool = True) -> list[bytes]:
    """SUBPROOF, section 2.1.4.1."""
    if first == len(entries):
        return [] if known else [_root(entries)]
    split = _split(len(entries))
    if first <= split:
        return [*_subproof(first, entries[:split], known), _root(entries[split:])]
    return [*_subproof(first - split, entries[split:], known=False), _root(entries[:split])]


def _split(count: int) -> int:
    """Return the largest power of two below *count*."""
    split = 1
    while split * 2 < count:
        split *= 2
    return split


def _hex(value: object) -> object:
    if isinstance(value, bytes):
        return value.hex()
    return [_hex(item) for item in value] if isinstance(value, list) else value


def _vector(
    kind: str, name: str, clause: int, comment: str, code: str | None, fields: dict[str, Any]
) -> Vector:
    verdict = {"expect": "refuse" if code else "accept", "code": code}
    start = {"name": name, "comment": comment, "clause": f"CANON-{clause}", **verdict, "kind": kind}
    return start | {key: _hex(value) for key, value in fields.items()}


def trees() -> list[Vector]:
    """Return the vectors of CANON-26 to CANON-31."""
    return [*_hashes(), *_inclusion(), *_consistency()]


def _hashes() -> list[Vector]:
    leaf = {"entry": b"entry", "output": _leaf(b"entry")}
    vectors = [_vector("leaf", "leaf", 26, "One entry, with 00 in front.", None, leaf)]
    for size in (0, 1, 2, 3, 7, 8, 11):
        fields = {
            "leaves": [_leaf(entry) for entry in _ENTRIES[:size]],
            "output": _root(_ENTRIES[:size]),
        }
        vectors.append(
            _vector("root", f"root-of-{size}", 26, f"A tree of {size} leaves.", None, fields)
        )
    return vectors


def _inclusion() -> list[Vector]:
    def proof(index: int, size: int) -> dict[str, Any]:
        entries = _ENTRIES[:size]
        return {
            "leaf": _leaf(entries[index]),
            "index": index,
            "size": size,
            "path": _path(index, entries),
            "root": _root(entries),
        }

    def make(name: str, clause: int, comment: str, code: str | None, **changes: Any) -> Vector:
        fields = proof(5, 7) | changes
        return _vector("inclusion", f"inclusion-{name}", clause, comment, code, fields)

    good = proof(5, 7)
    path, root = good["path"], good["root"]
    other = _sha256(b"another")
    nodes = [_root(_ENTRIES[0:2]), _root(_ENTRIES[2:4]), _root(_ENTRIES[4:6]), _root(_ENTRIES[6:8])]
    interior = {"leaf": nodes[1], "index": 1, "size": 8, "root": _root(_ENTRIES[:8])}
    shape, inclusion = "E_PROOF_SHAPE", "E_INCLUSION"
    return [
        *(
            make(f"{index}-of-{size}", 30, "As the log gives it.", None, **proof(index, size))
            for index, size in ((0, 1), (0, 2), (1, 2), (2, 3), (5, 7), (6, 7), (3, 8), (10, 11))
        ),
        make("index-negative", 27, "Index -1.", shape, index=-1),
        make("index-of-64-bits", 27, "Index 2^63.", shape, index=2**63),
        make("size-of-64-bits", 27, "Size 2^63.", shape, size=2**63),
        make("path-of-64", 27, "64 hashes.", shape, path=[other] * 64),
        make("path-too-long", 27, "One hash more.", shape, path=[*path, other]),
        make("path-too-short", 27, "One hash less.", shape, path=path[:-1]),
        make("path-hash-short", 27, "A hash of 31 bytes.", shape, path=[path[0][:31], *path[1:]]),
        make("path-hash-empty", 27, "A hash of no bytes.", shape, path=[b"", *path[1:]]),
        make("leaf-long", 27, "A leaf of 33 bytes.", shape, leaf=good["leaf"] + b"\0"),
        make("root-short", 27, "A root of 31 bytes.", shape, root=root[:31]),
        make("node-as-leaf", 27, "A node as leaf 1 of 8.", shape, path=[nodes[0]], **interior),
        make("size-0", 28, "A tree without leaves.", "E_PROOF_SIZE", index=0, size=0, path=[]),
        make("index-is-size", 29, "Index 7 of 7.", "E_INDEX", index=7),
        make("other-leaf", 30, "The hash of another entry.", inclusion, leaf=_leaf(b"another")),
        make("other-root", 30, "Another root.", inclusion, root=other),
        make("other-index", 30, "The index of the sibling.", inclusion, index=4),
        make("path-changed", 30, "Another hash.", inclusion, path=[path[0], other, *path[2:]]),
        make("path-swapped", 30, "Order.", inclusion, path=[path[1], path[0], *path[2:]]),
        make(
            "entry-as-node",
            30,
            "The hash of the two leaves of a node, joined as an entry.",
            inclusion,
            leaf=_leaf(_leaf(_ENTRIES[0]) + _leaf(_ENTRIES[1])),
            index=0,
            size=2,
            path=[nodes[1]],
            root=_root(_ENTRIES[:4]),
        ),
    ]


def _consistency() -> list[Vector]:
    def proof(first: int, second: int) -> dict[str, Any]:
        return {
            "first": first,
            "second": second,
            "first_root": _root(_ENTRIES[:first]),
            "second_root": _root(_ENTRIES[:second]),
            "path": _subproof(first, _ENTRIES[:second]),
        }

    def make(name: str, clause: int, comment: str, code: str | None, **changes: Any) -> Vector:
        fields = proof(6, 11) | changes
        return _vector("consistency", f"consistency-{name}", clause, comment, code, fields)

    good = proof(6, 11)
    path, first_root, second_root = good["path"], good["first_root"], good["second_root"]
    other = _sha256(b"another")
    empty = _sha256(b"")
    shape, size, broken = "E_PROOF_SHAPE", "E_PROOF_SIZE", "E_CONSISTENCY"
    return [
        *(
            make(f"{first}-to-{second}", 31, "As the log gives it.", None, **proof(first, second))
            for first, second in ((1, 1), (1, 2), (2, 3), (3, 7), (4, 8), (6, 8), (7, 11), (11, 11))
        ),
        make("first-negative", 27, "Size -1.", shape, first=-1),
        make("second-of-64-bits", 27, "Size 2^63.", shape, second=2**63),
        make("path-of-64", 27, "64 hashes.", shape, path=[other] * 64),
        make("path-too-long", 27, "One hash more.", shape, path=[*path, other]),
        make("path-too-short", 27, "One hash less.", shape, path=path[:-1]),
        make("path-empty", 27, "No hash.", shape, path=[]),
        make("path-hash-long", 27, "A hash of 33 bytes.", shape, path=[path[0] + b"\0", *path[1:]]),
        make("first-root-short", 27, "A root of 31 bytes.", shape, first_root=first_root[:31]),
        make(
            "equal-with-path", 27, "11 to 11 with a path.", shape, **proof(11, 11) | {"path": path}
        ),
        make("from-0", 28, "Size 0.", size, first=0, first_root=empty, path=[]),
        make(
            "from-0-to-0",
            28,
            "Size 0 twice.",
            size,
            first=0,
            second=0,
            first_root=empty,
            second_root=empty,
            path=[],
        ),
        make(
            "backwards",
            28,
            "11 to 6.",
            size,
            first=11,
            second=6,
            first_root=second_root,
            second_root=first_root,
        ),
        make("first-root", 31, "Another first root.", broken, first_root=other),
        make("second-root", 31, "Another second root.", broken, second_root=other),
        make(
            "roots-swapped",
            31,
            "The roots exchanged.",
            broken,
            first_root=second_root,
            second_root=first_root,
        ),
        make(
            "equal-other-root",
            31,
            "11 to 11, other roots.",
            broken,
            **proof(11, 11) | {"first_root": other},
        ),
        make("path-left", 31, "A hash of the first tree changed.", broken, path=[other, *path[1:]]),
        make(
            "path-right",
            31,
            "A hash after the first tree changed.",
            broken,
            path=[path[0], other, *path[2:]],
        ),
    ]
