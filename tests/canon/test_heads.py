"""Frames of a CBOR sequence: read in pieces of any size, tapped, and bounded."""

import io
import tracemalloc

import cbor2
import pytest
from hypothesis import given
from hypothesis import strategies as st

import canon
from canon import Heads


class Dripping(io.RawIOBase):
    """A stream that gives a few bytes at a time, as a pipe does."""

    def __init__(self, data: bytes, step: int) -> None:
        self.rest, self.step = data, step

    def read(self, size: int = -1) -> bytes:
        """Return at most *step* bytes."""
        piece = self.rest[: min(size, self.step)]
        self.rest = self.rest[len(piece) :]
        return piece


LONG = bytes(range(250)) * 4
FRAMES = st.lists(
    st.tuples(st.just("array"), st.integers(0, 2**32))
    | st.tuples(st.just("uint"), st.integers(0, 2**63 - 1))
    | st.tuples(st.just("bytes"), st.binary(max_size=30) | st.sampled_from([LONG, LONG[:256]]))
    | st.tuples(st.just("text"), st.text(st.characters(max_codepoint=0x17F), max_size=40)),
    max_size=8,
)
WRITERS = {
    "array": canon.array_head,
    "uint": canon.uint_item,
    "bytes": canon.bytes_item,
    "text": canon.text_item,
}
LIMIT = 1000


def read(heads: Heads, kind: str) -> int | bytes | str:
    """Read one frame of this kind."""
    return getattr(heads, kind)(*([LIMIT] if kind in ("bytes", "text") else []))


@given(FRAMES, st.integers(1, 9) | st.just(10**6))
def test_round_trip(frames: list[tuple[str, object]], step: int) -> None:
    """What was written is read, however the stream is cut, and the tap sees each byte once."""
    data = b"".join(WRITERS[kind](value) for kind, value in frames)
    tapped: list[bytes] = []
    heads = Heads(Dripping(data, step), tapped.append)
    for kind, value in frames:
        assert not heads.at_end()
        assert read(heads, kind) == value
        assert b"".join(tapped) == data[: heads.offset]
    assert heads.at_end()
    assert heads.at_end(), "asking does not consume"
    assert heads.offset == len(data)


@given(FRAMES, st.data())
def test_every_cut_is_noticed(frames: list[tuple[str, object]], data: st.DataObject) -> None:
    """A sequence that ends early ends between two frames, or is refused as truncated."""
    pieces = [WRITERS[kind](value) for kind, value in frames]
    whole = b"".join(pieces)
    cut = data.draw(st.integers(0, len(whole)))
    heads = Heads(io.BytesIO(whole[:cut]))
    done = 0
    for (kind, value), piece in zip(frames, pieces, strict=True):
        if done + len(piece) > cut:
            with pytest.raises(canon.Truncated) as caught:
                read(heads, kind)
            assert caught.value.offset == done
            return
        assert read(heads, kind) == value
        done += len(piece)
    assert heads.at_end()


@given(st.binary(max_size=40), st.sampled_from(sorted(WRITERS)))
def test_any_bytes_are_read_or_refused(data: bytes, kind: str) -> None:
    """A frame that is accepted is the one that the writer makes of its value."""
    heads = Heads(io.BytesIO(data))
    fault = None
    try:
        value = read(heads, kind)
    except canon.Refusal as refusal:
        fault = refusal
    if fault is None:
        assert WRITERS[kind](value) == data[: heads.offset]
    else:
        assert fault.offset == 0


@given(st.integers(0, 2**64 - 1))
def test_head_is_that_of_cbor2(number: int) -> None:
    """Heads are the shortest, as a peer writes them."""
    assert canon.head(0, number) == cbor2.dumps(number)


def test_tap_can_be_switched() -> None:
    """Only what is read while a tap is set goes through it."""
    heads = Heads(io.BytesIO(bytes.fromhex("01024103")))
    tapped: list[bytes] = []
    heads.uint()
    heads.tap = tapped.append
    heads.uint()
    heads.tap = None
    heads.bytes(1)
    assert b"".join(tapped) == b"\x02"


def test_stated_length_allocates_nothing() -> None:
    """A string that is stated within the limit, but missing, costs what is there."""
    data = canon.head(2, 2**28) + b"x" * 100
    tracemalloc.start()
    try:
        with pytest.raises(canon.Truncated) as caught:
            Heads(io.BytesIO(data)).bytes(2**28)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert caught.value.got == f"100 of {2**28} bytes"
    assert peak < 100_000


@pytest.mark.parametrize("length", [3, 300, 70_000])
def test_over_the_limit_nothing_is_read(length: int) -> None:
    """The limit is compared with the head: no byte of the string reaches the tap."""
    tapped: list[bytes] = []
    heads = Heads(io.BytesIO(canon.uint_item(0) + canon.bytes_item(b"a" * length)))
    heads.uint()
    heads.tap = tapped.append
    with pytest.raises(canon.Limit) as caught:
        heads.bytes(length - 1)
    assert caught.value.got == f"{length} bytes"
    assert b"".join(tapped) == canon.head(2, length)


@pytest.mark.parametrize("length", [255, 65_535])
def test_long_heads_are_refused_everywhere(length: int) -> None:
    """A head of three bytes for 255, or of five for 65,535, is not the shortest."""
    data = {255: b"\x59\x00\xff", 65_535: b"\x5a\x00\x00\xff\xff"}[length] + b"a" * length
    heads = Heads(io.BytesIO(canon.uint_item(0) + data))
    heads.uint()
    with pytest.raises(canon.Frame) as caught:
        heads.bytes(length)
    assert caught.value.offset == 1


def test_long_strings_cross_blocks() -> None:
    """A string of many blocks comes out whole."""
    data = bytes(range(256)) * 1024
    heads = Heads(io.BytesIO(canon.bytes_item(data) + canon.text_item("end")))
    assert heads.bytes(len(data)) == data
    assert heads.text(3) == "end"


@pytest.mark.parametrize("number", [-1, 2**63])
def test_writer_refuses_what_the_reader_would(number: int) -> None:
    """An integer of a frame is unsigned and below 2^63."""
    with pytest.raises(canon.Frame):
        canon.uint_item(number)


def test_writer_refuses_text_that_is_not_canonical() -> None:
    """Text of a frame keeps the rules of all text."""
    with pytest.raises(canon.CborNfc):
        canon.text_item("e\u0301")
