"""The files that a document of a run names, each with the bytes that name it (KEEP-4).

What is kept of each is exactly what stands in the document, so a reader who was shown one of them
can look for it there.
"""

import json
from collections.abc import Iterator
from json.scanner import make_scanner
from typing import Any

from msgspec import Struct

from .json_text import read_document
from .layout import MAX_DOCUMENT_BYTES, MAX_NAMED, SLOTS, Role

LISTS: dict[Role, tuple[str, ...]] = {
    "manifest": ("imports", "artifacts"),
    "visibility": ("files",),
    "withheld": ("files",),
}
"""Documents whose arrays of these names list files."""

_SPACE = " \t\n\r"
_SLOTS = frozenset((*SLOTS, "review"))


class Named(Struct, frozen=True):
    """What names a file.

    Attributes:
        slot: Of evidence: its slot; else null.
        raw: The bytes of the JSON value that names it.
    """

    slot: str | None
    raw: bytes


def declared(role: Role, data: bytes) -> list[Named]:
    """Return what names files in a document, in its order; nothing where it cannot be read."""
    if (role not in LISTS and role != "evidence") or len(data) > MAX_DOCUMENT_BYTES:
        return []
    said, _ = read_document(data)
    if not isinstance(said, dict):
        return []
    lists = [said.get(key) for key in LISTS.get(role, ())]
    if sum(len(listed) for listed in lists if isinstance(listed, list)) > MAX_NAMED:
        return []
    text = data.decode("utf-8-sig")
    found = []
    for key, start, end in _members(text):
        if role == "evidence":
            if key in _SLOTS and said.get(key) is not None:
                found.append(Named(key, _raw(text, start, end)))
        elif key in LISTS[role] and isinstance(said.get(key), list):
            found += [Named(None, _raw(text, *span)) for span in _elements(text, start)]
    return found


# Any number is read as its text: only where values end is asked.
_decoder: Any = json.JSONDecoder(parse_float=str, parse_int=str)
_scan: Any = make_scanner(_decoder)


def _members(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield key, start and end of each value of the object that a valid text is."""
    at = _after_space(text, _after_space(text, 0) + 1)
    while text[at] != "}":
        key, at = _scan(text, at)
        start = _after_space(text, _after_space(text, at) + 1)
        _, end = _scan(text, start)
        yield key, start, end
        at = _after_comma(text, end)


def _elements(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield where each element of the array at *start* begins and ends."""
    at = _after_space(text, start + 1)
    while text[at] != "]":
        _, end = _scan(text, at)
        yield at, end
        at = _after_comma(text, end)


def _after_comma(text: str, at: int) -> int:
    at = _after_space(text, at)
    return _after_space(text, at + 1) if text[at] == "," else at


def _after_space(text: str, at: int) -> int:
    while text[at] in _SPACE:
        at += 1
    return at


def _raw(text: str, start: int, end: int) -> bytes:
    return text[start:end].encode()
