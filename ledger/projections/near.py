"""Names like one that was not found, for a message that helps."""

from collections.abc import Iterable
from difflib import get_close_matches

_SHOWN = 3


def near(name: str, names: Iterable[str]) -> str:
    """Return the closest of *names*, joined by commas; empty where none is close."""
    return ", ".join(get_close_matches(name, list(names), n=_SHOWN, cutoff=0.5))
