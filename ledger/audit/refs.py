"""What oracles and reviewers cite, and whether a run has it (AUDIT-35 to AUDIT-38)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from ledger.runs.records import line_digest

from .items import as_json

Side: TypeAlias = Literal[
    "testmod", "logger", "trajectory", "fixture", "restore", "preflight", "answer"
]

PREFIXES: dict[str, Side] = {
    "testmod": "testmod",
    "test_mod": "testmod",
    "auditmod": "testmod",
    "test": "testmod",
    "logger": "logger",
    "agent_logger": "logger",
    "trajectory": "trajectory",
    "fixture": "fixture",
    "restore": "restore",
    "preflight": "preflight",
    "answer": "answer",
}
"""Prefix of a reference to what it refers into."""

DIGEST_DIGITS = 12
_MOST_DIGITS = 19


class Ref(Struct, frozen=True):
    """A reference, ``prefix:name``.

    Attributes:
        prefix: As written, trimmed and in lower case.
        side: What it refers into; None where nobody knows the prefix.
        name: What stands behind the first colon, trimmed.
    """

    prefix: str
    side: Side | None
    name: str


def parse(text: str) -> Ref:
    """Read a reference as somebody wrote it."""
    prefix, _, name = text.partition(":")
    prefix = prefix.strip().lower()
    return Ref(prefix, PREFIXES.get(prefix), name.strip())


class Sought:
    """The lines and calls that references ask for, so that one pass finds them all.

    Attributes:
        found: Side and name of each that was met.
    """

    def __init__(self, refs: Iterable[str]) -> None:
        """Look for what *refs* cite."""
        self.found: set[tuple[Side, str]] = set()
        self._names: dict[Side, set[str]] = {}
        for ref in map(parse, refs):
            if ref.side is not None:
                self._names.setdefault(ref.side, set()).add(_plain(ref))
        self._hashed = {
            side: any(_is_digest(name) for name in names) for side, names in self._names.items()
        }

    def hashes(self, side: Side) -> bool:
        """Tell whether anything cites a line of *side* by its digest."""
        return self._hashed.get(side, False)

    def met(self, side: Side, name: str) -> None:
        """Note what a pass comes by."""
        if name in self._names.get(side, ()):
            self.found.add((side, name))

    def met_event(self, side: Side, seq: int | None, line: bytes) -> None:
        """Note an event of a stream: by its number, and by its digest if anything cites one."""
        if seq is not None:
            self.met(side, seq_name(seq))
        if self.hashes(side):
            self.met(side, line_digest(line).hex()[:DIGEST_DIGITS])

    def has(self, ref: Ref) -> bool:
        """Tell whether a line or call was met."""
        return ref.side is not None and (ref.side, _plain(ref)) in self.found

    def forget(self, side: Side) -> None:
        """Forget what was met in a file that turned out not to count."""
        self.found = {one for one in self.found if one[0] != side}


def seq_name(seq: int) -> str:
    """Return the name of the line with that number."""
    return f"seq{seq}"


def _plain(ref: Ref) -> str:
    """Return a name as lines are known by it: numbers without zeros before them."""
    digits = ref.name.removeprefix("seq")
    numbered = ref.side in ("testmod", "logger") and ref.name.startswith("seq")
    if numbered and digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS:
        return seq_name(int(digits))
    return ref.name


def _is_digest(name: str) -> bool:
    return len(name) == DIGEST_DIGITS and not set(name) - set("0123456789abcdef")


def holds(document: Any, name: str) -> bool:
    """Tell whether a document has *name* as a key, or as the text of a scalar, at any depth."""
    return bool(name) and any(one == name for one in _names(document))


def _names(document: Any) -> Iterator[str]:
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            yield from value
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        else:
            yield value if isinstance(value, str) else as_json(value).strip('"')
