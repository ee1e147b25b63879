"""Strings in a stream: of every form of head, wherever the stream breaks off."""

import io

import pytest

from canon.errors import Frame, Limit, Truncated
from canon.heads import Heads, bytes_item
from canon.refusal import Refusal

LENGTHS = [0, 1, 22, 23, 24, 25, 255, 256, 257, 300, 511, 65_535, 65_536]
BEHIND = bytes(range(256)) * 8


class Drip(io.RawIOBase):
    """A stream that gives one byte at a time, so that nothing is there at once."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def read(self, size: int = -1) -> bytes:
        """Return the next byte."""
        piece = self._data[self._at : self._at + 1]
        self._at += 1
        return piece


def read(data: bytes, limit: int = 70_000, *, drip: bool = False) -> tuple[bytes, int, bytes]:
    """Read one string; return it, the offset behind it, and what the tap saw."""
    seen = bytearray()
    heads = Heads(Drip(data) if drip else io.BytesIO(data))  # type: ignore[arg-type]
    heads.tap = seen.extend
    found = heads.bytes(limit)
    return found, heads.offset, bytes(seen)


def outcome(data: bytes, *, drip: bool) -> tuple[str, str, int | None] | tuple[bytes, int, bytes]:
    """Return what reading gives, or the code, place and offset of the refusal."""
    try:
        return read(data, drip=drip)
    except Refusal as refusal:
        return refusal.code, refusal.place, refusal.offset


@pytest.mark.parametrize("drip", [False, True])
@pytest.mark.parametrize("length", LENGTHS)
def test_a_string_ends_where_its_head_says(length: int, drip: bool) -> None:
    """Whatever follows it, and however it arrives (CANON-20, CANON-22)."""
    if drip and length > 300:
        length = 300
    string = (BEHIND * 33)[:length]
    item = bytes_item(string)
    for behind in (b"", b"\0", BEHIND):
        found, offset, seen = read(item + behind, drip=drip)
        assert (found, offset) == (string, len(item))
        assert seen == item


@pytest.mark.parametrize("length", [0, 23, 24, 255, 256, 300])
def test_a_limit_is_the_last_length_that_is_taken(length: int) -> None:
    """At the limit, and one above it (CANON-22)."""
    item = bytes_item(bytes(length)) + BEHIND
    assert read(item, length)[0] == bytes(length)
    if length:
        with pytest.raises(Limit) as caught:
            read(item, length - 1)
        assert caught.value.offset == 0


@pytest.mark.parametrize("drip", [False, True])
@pytest.mark.parametrize(
    "head",
    ["5800", "5817", "590000", "5900ff", "5a0000ffff", "5b00000000ffffffff", "4f", "5f", "5c"],
)
def test_a_head_that_is_not_the_shortest_is_refused(head: str, drip: bool) -> None:
    """Also where all that it states is there; 4f is a shortest head (CANON-20)."""
    data = bytes.fromhex(head) + BEHIND
    if head == "4f":
        assert read(data, drip=drip)[0] == BEHIND[:15]
        return
    with pytest.raises(Frame) as caught:
        read(data, drip=drip)
    assert caught.value.offset == 0


@pytest.mark.parametrize("length", [1, 23, 24, 30, 255, 256, 260])
def test_a_string_cut_anywhere_is_truncated(length: int) -> None:
    """In its head or behind it; nothing of what is missing is made up (CANON-21)."""
    item = bytes_item(b"x" * length)
    for cut in range(len(item)):
        with pytest.raises(Truncated) as caught:
            read(item[:cut])
        assert caught.value.offset == 0


def test_both_ways_of_reading_agree() -> None:
    """All that is there at once or byte by byte, for every pair of first bytes."""
    for first in range(256):
        for second in (0, 1, 15, 23, 24, 25, 200, 255):
            data = bytes((first, second)) + BEHIND[:300]
            assert outcome(data, drip=False) == outcome(data, drip=True), (first, second)
