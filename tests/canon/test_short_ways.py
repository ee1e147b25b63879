"""What is plain takes the short way, and what takes it is right: no second look is needed.

Reading and writing canonical bytes have a quick way and an exact one behind it. If the quick one
gave up too early nothing would be wrong, only slow; so here the exact one is taken away.
"""

from typing import Any

import pytest
from cbor_items import items_of

from canon import bounds, cbor, decode, encode
from canon.errors import Limit
from canon.refusal import Refusal

LEAST, MOST = -(2**63), 2**63 - 1


def _nested(depth: int, *, inside: Any = 0) -> Any:
    """Return lists and maps by turns, *depth* of them around a value."""
    for level in range(depth):
        inside = [inside] if level % 2 else {"k": inside}
    return inside


PLAIN: list[Any] = [
    LEAST,
    MOST,
    [b"", "", None, True, False, 0, -1],
    [b"bytes first", "then text", [LEAST, MOST], {"a": LEAST, "b": MOST}],
    _nested(16),
    [_nested(15), _nested(15)],
    {"a": _nested(15), "b": _nested(15)},
    dict.fromkeys(range(64), 0),
    {0: 1, MOST: 2},
    {"b": 1, "aa": 2, "ab": 3},
    "é" * 100,
    [[], {}, [{}], [[]]],
]
LONG: list[Any] = [
    b"x" * 24,
    b"x" * 255,
    "y" * 256,
    b"z" * 70_000,
    ["y" * 30] * 40,
    [b"x" * 300] * 300,
    [[None] * 30] * 30,
    [None] * 70_000,
    {f"{number:04d}": number for number in range(300)},
    {f"{number:04d}": {"a": [number], "b": "c" * 40} for number in range(30)},
    {"k" * 30: [1] * 40, "l" * 30: {"m": [None] * 24}},
    dict.fromkeys(range(64), "v" * 24),
    [{key: [1, 2] for key in range(24)}, {f"{number:02d}": b"" for number in range(70)}],
    {f"{number:02d}": {f"{inner:02d}": inner for inner in range(70)} for number in range(70)},
]


@pytest.mark.parametrize("value", PLAIN + LONG)
def test_canonical_bytes_are_not_scanned(value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decoding them never asks what is wrong with them (CANON-1 to CANON-19)."""
    data = encode(value)
    monkeypatch.setattr(cbor, "scan", None)
    assert decode(data) == value


@pytest.mark.parametrize("value", PLAIN + LONG)
def test_what_is_in_order_is_not_sorted(value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Encoding it does not arrange it again (CANON-14)."""
    monkeypatch.setattr(cbor, "_arranged", None)
    assert decode(encode(value)) == value


@pytest.mark.parametrize("value", PLAIN + LONG)
def test_the_look_ahead_sees_wholeitems_of(value: Any) -> None:
    """It vouches for all of them, at any length, and for nothing shorter or longer (CANON-41)."""
    data = encode(value)
    assert bounds.are_kept(data)
    assert not bounds.are_kept(data + b"\x00")
    ends = (
        range(len(data)) if len(data) < 2_000 else [*range(300), *range(len(data) - 300, len(data))]
    )
    for end in ends:
        assert not bounds.are_kept(data[:end]), end


@pytest.mark.parametrize("value", LONG)
def test_the_look_ahead_counts_every_item(value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exactly as many as there are is within the limit (CANON-41)."""
    items = items_of(value)
    data = encode(value)
    monkeypatch.setattr(bounds, "ITEMS_LIMIT", items)
    assert bounds.are_kept(data)
    if items > 1:
        monkeypatch.setattr(bounds, "ITEMS_LIMIT", items - 1)
        with pytest.raises(Limit) as refused:
            bounds.are_kept(data)
        assert refused.value.offset is not None
        monkeypatch.setattr(bounds, "ITEMS_LIMIT", items)
        assert bounds.are_kept(data[: refused.value.offset]) is False


@pytest.mark.parametrize(
    ("data", "kept"),
    [
        (b"\x5b" + (1).to_bytes(8, "big") + b"a", True),
        (b"\x5a" + (1).to_bytes(4, "big") + b"a", True),
        (b"\x9b" + (1).to_bytes(8, "big") + b"\x00", True),
        (b"\x58", False),
        (b"\x78", False),
        (b"\x59\x00", False),
        (b"\x5f", False),
        (b"\x9f", False),
        (b"\x5c" + bytes(16), False),
        (b"\x9c" + bytes(16), False),
        (b"\xbe" + bytes(64), False),
    ],
)
def test_the_look_ahead_follows_every_head(data: bytes, kept: bool) -> None:
    """Of whatever length, and none whose length is reserved or comes later (CANON-41)."""
    assert bounds.are_kept(data) is kept


@pytest.mark.parametrize("count", [63, 64, 65])
def test_so_many_keys_may_be_integers(count: int) -> None:
    """64 and no more, in reading ahead, in reading and in writing (CANON-42)."""
    data = b"\xb8" + bytes([count])
    data += b"".join(encode(key) + encode(None) for key in range(count))
    assert bounds.are_kept(data) is (count <= 64)
    if count <= 64:
        assert decode(data) == dict.fromkeys(range(count))
    else:
        with pytest.raises(Refusal):
            decode(data)


def test_a_map_of_many_texts_may_not_end_before_a_key() -> None:
    """Nor be taken for whole there (CANON-42)."""
    value = {f"{number:02d}": number for number in range(70)}
    data = encode(value)
    for end in range(2, len(data)):
        assert not bounds.are_kept(data[:end])


def test_what_no_reader_accepts_is_not_written() -> None:
    """At the limit on items, and one beyond (CANON-41)."""
    fits = [None] * (bounds.ITEMS_LIMIT - 1)
    assert decode(encode(fits)) == fits
    with pytest.raises(Limit):
        encode([*fits, None])


@pytest.mark.parametrize("wrap", [list, tuple])
def test_seventeen_levels_are_too_many(wrap: Any) -> None:
    """Whichever of arrays and maps is at the bottom (CANON-8)."""
    empty: tuple[Any, Any] = ({}, [])
    for inside in empty:
        assert encode(_nested(15, inside=inside))
        for value in (_nested(16, inside=inside), wrap([_nested(15, inside=inside)])):
            with pytest.raises(Refusal):
                encode(value)


def test_more_keys_that_are_integers_are_not_written() -> None:
    """Whatever else stands in the value; the limit itself is written (CANON-42)."""
    fits = dict.fromkeys(range(64), "é")
    assert decode(encode([fits, {"b": 1, "a": 2}])) == [fits, {"b": 1, "a": 2}]
    many: dict[int, int] = dict.fromkeys(range(65), 0)
    for value in (many, {"b": [many], "a": 0}):
        with pytest.raises(Limit) as refused:
            encode(value)
        assert refused.value.place.startswith("keys of value")
        assert refused.value.got == "65 keys"


@pytest.mark.parametrize("keys", [{0: 1, MOST: 2}, {MOST: 1, 0: 2}, {"b": 1, "a": 2}, {}])
def test_a_fault_beside_maps_is_the_one_that_is_named(keys: dict[Any, Any]) -> None:
    """Keys at the edge of what is allowed are not taken for it (CANON-2, CANON-42)."""
    for wrong in (0.5, LEAST - 1, MOST + 1, object()):
        with pytest.raises(Refusal) as refused:
            encode([None, True, b"", LEAST, MOST, keys, wrong])
        assert refused.value.place == "value at '/6'"
