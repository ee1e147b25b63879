"""The table of assigned code points, and that the verdict on a text is that of every Python."""

import hashlib
import sys
import unicodedata
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canon import CborNfc, CborUnassigned, CborUtf8, check_text
from canon.text import decode_text, is_canonical_text
from canon.unicode14 import _bounds, first_unassigned

# SHA-256 of what NFC makes of every assigned character, and of its combining class.
NFC_SHA256 = "a9bc6637ee817a4be38ec28d3a1440cb1fc5256ebe083bfc1959af1f9faf891c"


@cache
def assigned() -> set[int]:
    """Return every code point that the table calls assigned."""
    ends = [0, *_bounds()]
    runs = list(pairwise(ends))[::2]
    return {point for start, end in runs for point in range(start, end)}


def is_assigned(point: int) -> bool:
    """Tell whether this Python knows a character, which a surrogate is not."""
    return unicodedata.category(chr(point)) not in ("Cn", "Cs")


@pytest.mark.skipif(unicodedata.unidata_version != "14.0.0", reason="this Python is newer")
def test_table_is_unicode_14() -> None:
    """Where Python has Unicode 14.0 itself, the table says the same of every code point."""
    everything = range(sys.maxunicode + 1)
    assert assigned() == {at for at in everything if is_assigned(at)}


def test_what_is_assigned_stays_assigned() -> None:
    """No later Unicode takes a code point back, so the table needs no other version."""
    points = assigned()
    assert len(points) == 282_230
    assert all(map(is_assigned, points))


def test_nfc_of_what_is_assigned_is_the_same_everywhere() -> None:
    """Any supported Python normalizes the characters of Unicode 14.0 as Python 3.11 does."""
    state = hashlib.sha256()
    for letter in map(chr, sorted(assigned())):
        state.update(unicodedata.normalize("NFC", letter).encode())
        state.update(str(unicodedata.combining(letter)).encode())
    assert state.hexdigest() == NFC_SHA256


@given(st.text(st.characters(codec=None, categories=None), max_size=20))
def test_first_unassigned_is_the_first(text: str) -> None:
    """The index found is that of the first character outside the table."""
    points = assigned()
    expected = [index for index, letter in enumerate(text) if ord(letter) not in points]
    assert first_unassigned(text) == (expected[0] if expected else None)


@given(st.text(max_size=8) | st.text(st.characters(min_codepoint=0x300, max_codepoint=0x380)))
def test_check_and_question_agree(text: str) -> None:
    """What is canonical passes the check, and nothing else does."""
    try:
        check_text(text, "text")
    except (CborNfc, CborUnassigned, CborUtf8):
        assert not is_canonical_text(text)
    else:
        assert is_canonical_text(text)


def test_fault_says_which_character() -> None:
    """A code point that is not assigned is named with its place."""
    with pytest.raises(CborUnassigned) as caught:
        check_text("ab\U0001fae8", "label", 7)
    assert caught.value.got == "U+1FAE8 at character 2"
    assert (caught.value.place, caught.value.offset) == ("label", 7)


def test_fault_says_which_byte() -> None:
    """A byte that is not UTF-8 is named with its place."""
    with pytest.raises(CborUtf8) as caught:
        decode_text(b"ab\xff", "label")
    assert caught.value.got == "byte ff after 2 bytes of text"
