"""The vectors of inputs that would cost more than they weigh, in pieces that are repeated."""

from typing import Any

Pieces = list[tuple[str, int]]

_ITEMS = 2**20


def bombs() -> list[dict[str, Any]]:
    """Return the vectors of CANON-41 and CANON-42, and large ones of other clauses."""
    return [*_many_items(), *_many_keys(), *_others()]


def _many_items() -> list[dict[str, Any]]:
    over, last = "E_LIMIT", 5 + _ITEMS - 1
    full = _head(0x80, _ITEMS)
    return [
        _bomb("items-at-limit", 41, "An array and 2^20 - 1 in it.",
              [(_head(0x80, _ITEMS - 1), 1), ("80", _ITEMS - 1)]),
        _bomb("items-over-limit", 41, "One more.", [(full, 1), ("80", _ITEMS)], over, last),
        _bomb("items-16-mib", 41, "16 MiB of empty arrays, which would take 1.3 GiB.",
              [(_head(0x80, 2**24 - 5), 1), ("80", 2**24 - 5)], over, last),
        _bomb("items-of-a-map", 41, "A map with 2^19 keys, which count as their values do.",
              [(_head(0xA0, _ITEMS // 2), 1), ("6000", _ITEMS // 2)], over, last),
        _bomb("items-inside", 41, "Arrays in arrays, eight deep.",
              [(_head(0x80, _ITEMS // 8), 1), ("81" * 7 + "80", _ITEMS // 8)], over, last),
        _bomb("items-before-faults", 41, "A float comes first, but the limit is judged before it.",
              [(full, 1), ("f90000", 1), ("80", _ITEMS - 1)], over, last + 2),
        _bomb("items-behind-the-end", 41, "What stands behind an item does not count.",
              [("00", _ITEMS + 1)], "E_TRAILING", 1),
        _bomb("items-cut", 41, "Heads cannot be followed where they state more than there is.",
              [(_head(0x80, 2**32 - 1), 1), ("80", _ITEMS + 1)], "E_CBOR_TRUNCATED", 0),
    ]  # fmt: skip


def _many_keys() -> list[dict[str, Any]]:
    over, behind_64 = "E_LIMIT", 24 * 2 + 40 * 3
    hashed_alike = [(f"1b{key << 40:016x}00", 1) for key in range(1, 101)]
    minus = [("90" + "".join("21" if bit == "1" else "20" for bit in f"{n:016b}") + "00", 1)
             for n in range(65)]  # fmt: skip
    return [
        _bomb("keys-64", 42, "The integers from 0 to 63.", [("b840", 1), *_labels(64)]),
        _bomb("keys-65", 42, "And 64.", [("b841", 1), *_labels(65)], over, 2 + behind_64),
        _bomb("keys-65-of-text", 42, "Keys that are text may be more.",
              [("b841", 1), *((f"6261{key:02x}00", 1) for key in range(0x30, 0x30 + 65))]),
        _bomb("keys-65-inside", 42, "In the value of a key that is text.",
              [("a16161b841", 1), *_labels(65)], over, 5 + behind_64),
        _bomb("keys-65-last-of-text", 42, "The 65th is of another kind.",
              [("a16161b841", 1), *_labels(64), ("6000", 1)], "E_CBOR_KEY_TYPE", 5 + behind_64),
        _bomb("keys-hashed-alike", 42, "Integers that fall into one place of many tables.",
              [("b864", 1), *hashed_alike], over, 2 + 64 * 10),
        _bomb("keys-unsorted-before-limit", 42, "The lower offset is named.",
              [("b841", 1), ("0100", 1), ("0000", 1), *_labels(63)], "E_CBOR_KEY_ORDER", 4),
        _bomb("keys-of-arrays", 16, "Arrays of -1 and -2, which hash alike in CPython.",
              [("b841", 1), *minus], "E_CBOR_KEY_TYPE", 2),
    ]  # fmt: skip


def _others() -> list[dict[str, Any]]:
    return [
        _bomb("depth-100000", 8, "100,000 levels.", [("81", 100_000), ("80", 1)],
              "E_CBOR_DEPTH", 16),
        _bomb("depth-of-maps", 8, "100,000 levels of maps.", [("a100", 100_000), ("80", 1)],
              "E_CBOR_DEPTH", 32),
        _bomb("tags-100000", 10, "100,000 tags.", [("c1", 100_000), ("00", 1)], "E_CBOR_TAG", 0),
    ]  # fmt: skip


def _labels(count: int) -> Pieces:
    """Return pairs whose keys are the integers below *count*, at most 256 of them."""
    return [(f"{key:02x}00" if key < 24 else f"18{key:02x}00", 1) for key in range(count)]


def _head(major: int, number: int) -> str:
    return f"{major | 26:02x}{number:08x}"


def _bomb(
    name: str,
    clause: int,
    comment: str,
    pieces: Pieces,
    code: str | None = None,
    offset: int | None = None,
) -> dict[str, Any]:
    vector: dict[str, Any] = {"name": name, "comment": comment, "clause": f"CANON-{clause}"}
    vector |= {"expect": "refuse" if code else "accept", "code": code}
    vector["pieces"] = [list(piece) for piece in pieces]
    return vector | ({"offset": offset} if code else {})
