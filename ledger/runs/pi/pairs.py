"""Which calls of a session have results: a byte and a name for each call, nothing else (PI-13)."""

from typing import Literal, TypeAlias

from msgspec.structs import replace

from .lines import short
from .report import Unanswered

Fault: TypeAlias = Literal["twice", "uncalled"]

_CALLED, _ANSWERED = 1, 2
LISTED_CHARS = 200
"""Of a name, in what is listed for people."""


class Pairs:
    """Calls and results so far."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}
        self._open: dict[str, Unanswered] = {}

    def call(self, call_id: str, call: Unanswered) -> bool:
        """Take a call; tell whether another one had its id."""
        key = short(call_id)
        seen = self._seen.get(key, 0)
        self._seen[key] = seen | _CALLED
        if not seen:
            # What is listed for people need not be whole where it has thousands of letters.
            self._open[key] = replace(
                call, call_id=call.call_id[:LISTED_CHARS], tool=call.tool[:LISTED_CHARS]
            )
        return bool(seen & _CALLED)

    def result(self, call_id: str) -> Fault | None:
        """Take a result; return what is odd about it."""
        key = short(call_id)
        seen = self._seen.get(key, 0)
        self._seen[key] = seen | _ANSWERED
        self._open.pop(key, None)
        if seen & _ANSWERED:
            return "twice"
        return None if seen & _CALLED else "uncalled"

    def unanswered(self) -> list[Unanswered]:
        """Return the calls without a result, by line."""
        return sorted(self._open.values(), key=lambda call: call.line)
