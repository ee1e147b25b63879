"""Heads and strings that are plain are read at once, and right; whatever else, by the long way."""

import io

import pytest

from canon.errors import Frame, Limit, Truncated
from canon.heads import Heads, array_head, bytes_item, head, text_item, uint_item
from canon.scan import ARRAY, BYTES, MAJOR_NAMES, TEXT

LENGTHS = (0, 1, 22, 23, 24, 25, 254, 255, 256, 257, 511, 512, 65_535)
NUMBERS = (0, 1, 23, 24, 255, 256, 2**16 - 1, 2**16, 2**32 - 1, 2**32, 2**63 - 1)


def _heads(data: bytes) -> tuple[Heads, list[bytes]]:
    tapped: list[bytes] = []
    return Heads(io.BytesIO(data), tapped.append), tapped


@pytest.mark.parametrize("length", [length for length in LENGTHS if length < 65_535])
def test_a_plain_string_takes_the_short_way(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing asks for its head by itself (CANON-20); what was consumed is shown."""
    item = bytes_item(b"x" * length)
    heads, tapped = _heads(item + text_item("y" * length) + bytes(2))
    heads.at_end()  # which fills the block
    monkeypatch.setattr(Heads, "_head", None)
    assert heads.bytes(length) == b"x" * length
    assert heads.offset == len(item)
    assert heads.text(length) == "y" * length
    assert b"".join(tapped) == item + text_item("y" * length)


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("behind", [0, 1, 2, 3])
def test_a_string_at_the_end_of_a_block(length: int, behind: int) -> None:
    """However few bytes follow it, and however far into a block it begins (CANON-20)."""
    item = bytes_item(bytes(length))
    for first in (0, 1, 65_526, 65_530, 65_531, 65_532):
        ahead = bytes_item(bytes(first))
        heads, tapped = _heads(ahead + item + bytes(behind))
        assert heads.bytes(first) == bytes(first)
        assert heads.offset == len(ahead)
        assert heads.bytes(length) == bytes(length)
        assert heads.offset == len(ahead) + len(item)
        assert [heads.uint() for _ in range(behind)] == [0] * behind
        assert heads.at_end()
        assert b"".join(tapped) == ahead + item + bytes(behind)


@pytest.mark.parametrize("length", [length for length in LENGTHS if length])
def test_a_string_over_its_limit_is_not_read(length: int) -> None:
    """Nor taken for one that is within it; the place is that of its head (CANON-22)."""
    heads, _ = _heads(b"\x00" + bytes_item(bytes(length)) + bytes(4))
    heads.uint()
    with pytest.raises(Limit) as refused:
        heads.bytes(length - 1)
    assert refused.value.offset == 1


@pytest.mark.parametrize("major", range(8))
@pytest.mark.parametrize("number", [0, 5, 23, 24, 200, 300])
def test_another_item_is_no_string(major: int, number: int) -> None:
    """Each kind is asked for by itself (CANON-20)."""
    data = head(major, number) if major < 7 else b"\xf4"
    for wanted, read in ((BYTES, Heads.bytes), (TEXT, Heads.text)):
        if major == wanted:
            continue
        heads, _ = _heads(data + bytes(400))
        heads.at_end()
        with pytest.raises(Frame) as refused:
            read(heads, 1_000)
        assert refused.value.offset == 0
    if major != ARRAY:
        heads, _ = _heads(data + bytes(400))
        with pytest.raises(Frame) as refused:
            heads.array()
        assert refused.value.got.startswith(MAJOR_NAMES[major])


@pytest.mark.parametrize("number", NUMBERS)
def test_heads_are_the_shortest(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In writing, and no other in reading; one byte is read without asking more (CANON-20)."""
    item = uint_item(number)
    width = len(item) - 1
    assert width == (0 if number < 24 else next(w for w in (1, 2, 4, 8) if number < 256**w))
    heads, _ = _heads(item)
    assert heads.uint() == number
    assert _heads(array_head(number))[0].array() == number
    for longer in (w for w in (1, 2, 4, 8) if w > width):
        info = {1: 24, 2: 25, 4: 26, 8: 27}[longer]
        data = bytes([info]) + number.to_bytes(longer, "big")
        with pytest.raises(Frame) as refused:
            _heads(data)[0].uint()
        assert refused.value.offset == 0
    if width == 0:
        heads, _ = _heads(item)
        heads.at_end()
        monkeypatch.setattr(Heads, "at_end", None)
        assert heads.uint() == number


@pytest.mark.parametrize("length", [1, 24, 300, 70_000])
def test_the_end_inside_a_string(length: int) -> None:
    """Is named by the place of its head, wherever it comes (CANON-21)."""
    item = bytes_item(bytes(length))
    for end in {1, 2, 3, len(item) // 2, len(item) - 1}:
        if end >= len(item):
            continue
        heads, _ = _heads(b"\x00" + item[:end])
        heads.uint()
        with pytest.raises(Truncated) as refused:
            heads.bytes(length)
        assert refused.value.offset == 1
