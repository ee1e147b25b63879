"""Which texts may be names, for people, for notes and for logs."""

import pytest

from signing import parse_vkey
from signing.errors import VerifierKeyMalformed
from signing.names import is_key_name, is_name, is_note_name, is_origin


@pytest.mark.parametrize(
    "text", ["a", "Ann Example", "Ä", "a+b", "a#b", "x" * 256, "ä" * 128, "\ud7ff\ue000"]
)
def test_names_show_what_they_are(text: str) -> None:
    """Spaces, signs and other scripts are fine, up to 256 bytes."""
    assert is_name(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "x" * 257, "ä" * 129, "a\n", "\x00", "\x7f", "\x85"),
        *("a\u202eb", "\u2066", "\u200f", "\u061c", "\u2028", "\ufeff", "\ud800", "\udfff"),
    ],
)
def test_misleading_names_are_told(text: str) -> None:
    """Empty and long ones, controls, directional marks, a byte order mark, half a character."""
    assert not is_name(text)
    assert not is_key_name(text)
    assert not is_origin(text)


def test_half_a_character_names_no_key() -> None:
    """A lone surrogate has no bytes, so a key under such a name has no id (SIGN-35)."""
    with pytest.raises(VerifierKeyMalformed):
        parse_vkey("log\udcff+00000000+AWIhprP3h2WX8nB55TbC2xhIIQYuP+MwWgp/J200D+ui")


@pytest.mark.parametrize("text", ["a b", "a\u00a0b", "a\u2003b", "a\u3000b", "a+b"])
def test_key_names_have_no_space_and_no_plus(text: str) -> None:
    """They are names, but a note's line or a vkey could not be taken apart again."""
    assert is_name(text)
    assert not is_note_name(text)
    assert not is_key_name(text)


def test_an_origin_has_no_hash() -> None:
    """A key name may have one; in a subject it separates log and edition."""
    assert is_key_name("log.example/a#b")
    assert not is_origin("log.example/a#b")
    assert is_origin("log.example/a")


def test_other_peoples_notes_may_have_longer_names() -> None:
    """C2SP sets no limit, so that a line by a stranger never breaks a note."""
    assert is_note_name("x" * 300)
    assert not is_key_name("x" * 300)
