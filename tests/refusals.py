"""What every refusal must say, whatever its code."""

import re

from canon.refusal import Refusal

_NOTHING = re.compile(r"^None|: got (None)?,|expected (None)?$")


def assert_said(refusal: Refusal) -> None:
    """Place, got, expected and remedy are texts that say something, and the place is a place."""
    for part in (refusal.place, refusal.got, refusal.expected, refusal.remedy):
        assert isinstance(part, str)
        assert part
    assert "None" not in refusal.place


def assert_told(message: str, hint: str) -> None:
    """The message of a fault names a place, what was got and what was expected; a hint follows."""
    assert _NOTHING.search(message) is None
    assert ": got " in message
    assert ", expected " in message
    assert hint
