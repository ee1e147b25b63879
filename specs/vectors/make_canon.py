"""Write the vectors of ``specs/canon.md`` to ``specs/vectors/canon``, the same at every run.

Nothing of the implementation is used: bytes and verdicts are spelled out, and tree hashes come
from the recursive definitions of RFC 9162. A file holds ``{about, vectors}``.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from canon_bombs import bombs
from canon_items import items
from canon_quantities import quantities, times
from canon_trees import trees

FOLDER = Path(__file__).resolve().parent / "canon"

Vector = dict[str, Any]

_SHA256_OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def files() -> dict[str, dict[str, Any]]:
    """Return the content of every file by its name."""
    content = {
        "items": ("one canonical item each", list(items())),
        "bombs": ("items that would cost more than they weigh, in pieces", bombs()),
        "values": ("maps to encode, with keys in any order", _values()),
        "frames": ("items of a CBOR sequence, read head by head", _frames()),
        "digests": ("labelled digests, commitments and digests of files", _digests()),
        "trees": ("leaf hashes, roots and proofs", trees()),
        "quantities": ("decimals, JSON numbers and quotients", quantities()),
        "times": ("canonical and foreign times", times()),
    }
    return {name: {"about": about, "vectors": made} for name, (about, made) in content.items()}


def _vector(
    name: str, clause: int, comment: str, code: str | None = None, **fields: object
) -> Vector:
    start = {"name": name, "comment": comment, "clause": f"CANON-{clause}"}
    return start | {"expect": "refuse" if code else "accept", "code": code} | fields


def _values() -> list[Vector]:
    rows = [
        ("sorted", ["a", "b"], "a2 6161 00 6162 00"),
        ("unsorted", ["b", "a"], "a2 6161 00 6162 00"),
        ("length-first", ["aa", "b", ""], "a3 60 00 6162 00 626161 00"),
        ("length-in-bytes", ["é", "zz", "z"], "a3 617a 00 627a7a 00 62c3a9 00"),
        ("integers", [256, 0, 24, 1], "a4 00 00 01 00 1818 00 190100 00"),
        ("empty", [], "a0"),
    ]
    return [
        _vector(f"keys-{name}", 40, "The order in memory does not matter.", keys=keys,
                output_hex=hexa.replace(" ", ""))
        for name, keys, hexa in rows
    ]  # fmt: skip


def _frames() -> list[Vector]:
    frame, cut, over = "E_FRAME", "E_TRUNCATED", "E_LIMIT"
    array, string, text = "an array head", "a byte string", "text"
    rows: list[tuple[str, int, str, str, str, int, str | None]] = [
        ("array", 20, array, "array", "83", 0, None),
        ("array-of-256", 20, array, "array", "99 0100", 0, None),
        ("uint-largest", 20, "2^63-1", "uint", "1b 7fffffffffffffff", 0, None),
        ("bytes", 20, string, "bytes", "43 010203", 3, None),
        ("bytes-empty", 20, string, "bytes", "40", 0, None),
        ("text", 20, text, "text", "63 61c3a9", 3, None),
        ("uint-too-large", 20, "2^63", "uint", "1b 8000000000000000", 0, frame),
        ("uint-negative", 20, "-1", "uint", "20", 0, frame),
        ("bytes-for-text", 20, "bytes where text belongs", "text", "41 61", 9, frame),
        ("text-for-bytes", 20, "text where bytes belong", "bytes", "61 61", 9, frame),
        ("map-for-array", 20, "a map where an array belongs", "array", "a0", 0, frame),
        ("tag-in-front", 20, "a tag before the array", "array", "c1 80", 0, frame),
        ("null-for-bytes", 20, "null where bytes belong", "bytes", "f6", 9, frame),
        ("long-head-of-array", 20, "a count in two bytes", "array", "98 03", 0, frame),
        ("long-head-of-uint", 20, "24 in three bytes", "uint", "19 0018", 0, frame),
        ("long-head-of-bytes", 20, "a length in nine bytes", "bytes", "5b 0000000000000001 00", 9,
         frame),
        ("indefinite-array", 20, "a count left open", "array", "9f", 0, frame),
        ("indefinite-bytes", 20, "bytes in pieces", "bytes", "5f 40 ff", 9, frame),
        ("reserved", 20, "additional information 28", "bytes", "5c", 9, frame),
        ("clean-end", 21, "nothing is left", "end", "", 0, None),
        ("nothing-for-array", 21, "the end instead of an item", "array", "", 0, cut),
        ("cut-in-head", 21, "one of two bytes of a count", "array", "99 01", 0, cut),
        ("cut-in-uint", 21, "seven of eight bytes", "uint", "1b 01000000000000", 0, cut),
        ("cut-in-bytes", 21, "two of three bytes", "bytes", "43 0102", 3, cut),
        ("cut-after-head", 21, "no byte of the text", "text", "61", 3, cut),
        ("bytes-at-limit", 22, "three of three bytes", "bytes", "43 010203", 3, None),
        ("bytes-over-limit", 22, "three bytes, two allowed", "bytes", "43 010203", 2, over),
        ("text-over-limit", 22, "three bytes, two allowed", "text", "63 616263", 2, over),
        ("bytes-bomb", 22, "2^63-1 bytes stated, none there", "bytes", "5b 7fffffffffffffff", 2**20,
         over),
        ("text-not-utf8", 17, "a frame of text that is none", "text", "61 ff", 9, "E_CBOR_UTF8"),
        ("text-not-nfc", 19, "a frame of text", "text", "63 65cc81", 9, "E_CBOR_NFC"),
    ]  # fmt: skip
    vectors = []
    for name, clause, comment, read, hexa, limit, code in rows:
        fields: Vector = {"read": read, "limit": limit, "input_hex": hexa.replace(" ", "")}
        if code:
            fields["offset"] = 0
        vectors.append(_vector(name, clause, comment, code, **fields))
    return vectors


def _digests() -> list[Vector]:
    salt = bytes(range(32))
    vectors = [
        _vector(
            f"label-{label.split('/')[1]}",
            23,
            "The label, a zero byte, the input.",
            label=label,
            input_hex=b"abc".hex(),
            output_hex=hashlib.sha256(label.encode() + b"\0abc").hexdigest(),
        )
        for label in ("coldledger/blob/1", "coldledger/genesis/1", "coldledger/figures/1")
    ]
    for name, data in (("commitment", b"raw record"), ("commitment-to-nothing", b"")):
        made = hashlib.sha256(b"coldledger/blob/1\0" + salt + data).hexdigest()
        fields = {"label": "coldledger/blob/1", "salt_hex": salt.hex(), "input_hex": data.hex()}
        vectors.append(_vector(name, 24, "Salted.", **fields, output_hex=made))
    for length in (0, 31, 33):
        fields = {"label": "coldledger/blob/1", "salt_hex": "00" * length, "input_hex": "00"}
        comment = f"A salt of {length} bytes."
        vectors.append(_vector(f"salt-of-{length}", 24, comment, "E_SALT", **fields))
    plain = {"label": None, "input_hex": b"abc".hex(), "output_hex": _SHA256_OF_ABC}
    return [*vectors, _vector("file", 25, "The example of FIPS 180-2, without label.", **plain)]


def main() -> None:
    """Rewrite every file."""
    FOLDER.mkdir(exist_ok=True)
    for name, content in files().items():
        text = json.dumps(content, indent=1, ensure_ascii=True)
        (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
