"""Laws of canonical CBOR: round trip, one encoding, and a reader that nothing can upset."""

import tracemalloc
from typing import Any
from unicodedata import normalize
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canon import Refusal, cbor, decode, encode, head
from canon.scan import scan
from canon.text import is_canonical_text

INT64 = st.integers(-(2**63), 2**63 - 1)
TEXT = (
    st.text(max_size=12).map(lambda text: normalize("NFC", text)).filter(is_canonical_text)
    | st.text(st.characters(max_codepoint=127), max_size=40)
    | st.sampled_from(["é", "Å", "κόσμε", "각", "🫠", "\U0010fffd", "क़"])
)
SCALARS = INT64 | st.binary(max_size=30) | TEXT | st.booleans() | st.none()
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(TEXT, inner, max_size=5)
        | st.dictionaries(st.integers(0, 2**63 - 1), inner, max_size=4)
    ),
    max_leaves=20,
)
# Pieces that meet the rules of the profile more often than random bytes do.
PIECES = st.sampled_from(
    [
        *(bytes([initial]) for initial in range(256)),
        *map(
            bytes.fromhex,
            (
                *("1818", "1800", "3818", "4100", "6161", "6162", "61ff", "62c3a9", "6365cc81"),
                *("62cdb8", "c24101", "d81c", "d81d", "d9d9f7", "f820", "f93c00"),
                *("fb3ff0000000000000", "1b7fffffffffffffff", "1b8000000000000000"),
                *("3b7fffffffffffffff", "3b8000000000000000", "5b7fffffffffffffff"),
                *("9b00000000ffffffff", "bbffffffffffffffff", "a16161", "a2616100", "a200000100"),
            ),
        ),
    ]
)
HOSTILE = st.lists(PIECES, max_size=24).map(b"".join) | st.binary(max_size=64)


@st.composite
def mutated(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """Draw a canonical item, and the same with one byte changed, inserted or removed."""
    data = encode(draw(VALUES))
    at = draw(st.integers(0, len(data) - 1))
    match draw(st.sampled_from(["change", "insert", "remove"])):
        case "change":
            other = bytes([data[at] ^ draw(st.integers(1, 255))])
            return data, data[:at] + other + data[at + 1 :]
        case "insert":
            return data, data[:at] + bytes([draw(st.integers(0, 255))]) + data[at:]
        case _:
            return data, data[:at] + data[at + 1 :]


def typed(value: Any) -> Any:
    """Return *value* with its types: in Python, True equals 1."""
    if isinstance(value, dict):
        return {(type(key), key): typed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [typed(item) for item in value]
    return type(value), value


class Reached(Exception):
    """The quick way did not accept."""


def agree(data: bytes) -> bool:
    """Check that the quick way accepts *data* just if the scanner does; tell whether they do."""
    exact, fault = [], None
    try:
        exact = [scan(data)]
    except Refusal as refusal:
        fault = refusal
    assert fault is None or (fault.offset is not None and 0 <= fault.offset <= len(data))
    try:
        with patch.object(cbor, "scan", side_effect=Reached):
            quick = [decode(data)]
    except Reached:
        quick = []
    assert typed(quick) == typed(exact)
    return bool(exact)


@given(VALUES)
def test_round_trip(value: Any) -> None:
    """Decoding returns what was encoded, by both readers, with the types it had."""
    data = encode(value)
    assert agree(data)
    assert typed(decode(data)) == typed(value)


@given(VALUES)
def test_order_in_memory_does_not_matter(value: Any) -> None:
    """A value with its keys turned round has the same encoding."""

    def turned(inner: Any) -> Any:
        if isinstance(inner, dict):
            return {key: turned(item) for key, item in reversed(inner.items())}
        return tuple(map(turned, inner)) if isinstance(inner, list) else inner

    assert encode(turned(value)) == encode(value)


@given(mutated())
def test_mutation_is_refused_or_another_value(pair: tuple[bytes, bytes]) -> None:
    """No two inputs have one value: what still decodes is its own and only encoding."""
    data, other = pair
    if other != data and agree(other):
        assert encode(decode(other)) == other
        assert typed(decode(other)) != typed(decode(data))


@given(HOSTILE)
def test_hostile_bytes_are_read_or_refused(data: bytes) -> None:
    """Any bytes give a value that encodes to them, or a refusal with code and offset."""
    if agree(data):
        assert encode(decode(data)) == data


@given(HOSTILE, st.integers(1, 15))
def test_hostile_bytes_deep_inside(data: bytes, depth: int) -> None:
    """The same below some levels of arrays."""
    agree(b"\x81" * depth + data)


@given(
    st.sampled_from([2, 3, 4, 5]),
    st.integers(2**20, 2**64 - 1),
    st.integers(0, 15),
    st.binary(max_size=40),
)
def test_stated_lengths_allocate_nothing(major: int, length: int, depth: int, rest: bytes) -> None:
    """What a bomb makes the readers allocate depends on its own length alone."""
    data = b"\x81" * depth + head(major, length) + rest
    for read in (scan, decode):
        tracemalloc.start()
        try:
            with pytest.raises(Refusal) as caught:
                read(data)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert caught.value.code == "E_CBOR_TRUNCATED"
        assert caught.value.offset == depth
        assert peak < 131_072, "cbor2 takes 64 KiB for any string, the scanner nothing"


@pytest.mark.parametrize("byte", [b"\x80", b"\xa0", b"\x00", b"\xf6", b"\x60"])
def test_memory_is_linear(byte: bytes) -> None:
    """The widest item for its length costs a constant number of bytes for each of its own."""
    count = 20_000
    data = head(4, count) + byte * count
    for read in (scan, decode):
        tracemalloc.start()
        try:
            read(data)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < 65_536 + 100 * len(data)


@pytest.mark.parametrize("opening", [b"\x81", b"\xa1\x00", b"\xd8\x1c\x81", b"\xc1", b"\x9f"])
def test_nesting_ends_early(opening: bytes) -> None:
    """A hundred thousand levels are refused at once, never recursed into."""
    with pytest.raises(Refusal) as caught:
        decode(opening * 100_000)
    assert caught.value.offset is not None
    assert caught.value.offset <= 16 * len(opening)
