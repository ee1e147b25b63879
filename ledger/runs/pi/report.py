"""What became of a session: everything counted, what is left out as well as what is imported."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from canon.refusal import Refusal

from .usage import Spent

_KEPT = 50
"""How many problems of one code are told one by one; all are counted."""

_WORD_CHARS = 64
_MAX_WORDS = 100

MAX_UNANSWERED = 1_000
"""How many calls without a result are listed; all are counted."""


class Tally(Counter[str]):
    """Counts of words that a session chooses: short ones, and not too many of them.

    Words beyond the hundredth are counted together, as ``…``.
    """

    def note(self, word: str) -> None:
        """Count a word."""
        self[name_of(self, word)] += 1


def name_of(rows: Mapping[str, Any], word: str) -> str:
    """Return under which name a word is counted in *rows*: its own, as long as there is room."""
    word = word if len(word) <= _WORD_CHARS else f"{word[:_WORD_CHARS]}…"
    return word if word in rows or len(rows) < _MAX_WORDS else "…"


class SessionProblem(Struct, frozen=True):
    """Something about a session that a person should see.

    Attributes:
        line: Where, from 1.
        code: Of the refusal that says it.
        message: Place, got, expected.
        hint: What to do.
    """

    line: int
    code: str
    message: str
    hint: str


class Problems:
    """Problems by code; of each code the first fifty are kept, all are counted."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._kept: list[SessionProblem] = []

    def add(self, line: int, fault: Refusal) -> None:
        """Note a problem at a line."""
        self.counts[fault.code] += 1
        if self.counts[fault.code] <= _KEPT:
            self._kept.append(SessionProblem(line, fault.code, fault.message, fault.remedy))

    def copy(self) -> "Problems":
        """Return the same problems, to add others to them."""
        made = Problems()
        made.counts = self.counts.copy()
        made._kept = list(self._kept)
        return made

    @property
    def kept(self) -> list[SessionProblem]:
        """Those that are told, by line."""
        return sorted(self._kept, key=lambda problem: problem.line)

    @property
    def left_out(self) -> int:
        """How many are only counted."""
        return self.counts.total() - len(self._kept)


class Unanswered(Struct, frozen=True):
    """A call that has no result.

    Attributes:
        line: Where it stands.
        call_id: Its id.
        tool: What it called.
        stop_reason: How the turn ended, as pi says it.
    """

    line: int
    call_id: str
    tool: str
    stop_reason: str | None


class Aside(Struct):
    """What stands on branches that the session left: it happened, and is not imported.

    Attributes:
        entries: Entries of any type.
        calls: Calls of tools.
        results: Results of tools.
        spent: What they used.
    """

    entries: int = 0
    calls: int = 0
    results: int = 0
    spent: Spent = field(default_factory=Spent)


class Report(Struct):
    """What was found in a session, on its active branch where nothing else is said.

    Attributes:
        session: The id in its header, or what it is called without one.
        version: Of the format, None where nothing says it.
        lines: Of the file, blank ones included.
        size_bytes: Of the file.
        sha256: Of the file, 64 hexadecimal digits.
        unread: Lines that cannot be read, of the whole file.
        entries: By type, of the whole file; the header counts.
        messages: By role.
        calls: Calls that are imported.
        results: Results that are imported.
        errors: How many results say that their tool failed.
        truncated: How many results are cut in the record.
        images: How many images stand in results.
        thinking: Parts of private reasoning, none of which is imported.
        prose: Parts of text of users and of assistants, none of which is imported.
        other_parts: Parts of messages of another type, by type; not imported.
        stop_reasons: How turns of the assistant ended.
        providers: Turns by provider.
        models: Turns by provider and model, with what they cost.
        unanswered: Calls without a result, the first thousand of them.
        unanswered_count: All of them.
        spent: What was used.
        aside: What stands on other branches.
        problems: What a person should see.
    """

    session: str
    version: int | None
    lines: int
    size_bytes: int
    sha256: str
    problems: Problems
    unread: int = 0
    entries: Tally = field(default_factory=Tally)
    messages: Tally = field(default_factory=Tally)
    calls: int = 0
    results: int = 0
    errors: int = 0
    truncated: int = 0
    images: int = 0
    thinking: int = 0
    prose: int = 0
    other_parts: Tally = field(default_factory=Tally)
    stop_reasons: Tally = field(default_factory=Tally)
    providers: Tally = field(default_factory=Tally)
    models: dict[str, Spent] = field(default_factory=dict)
    unanswered: list[Unanswered] = field(default_factory=list)
    unanswered_count: int = 0
    spent: Spent = field(default_factory=Spent)
    aside: Aside = field(default_factory=Aside)

    def document(self) -> dict[str, Any]:
        """Return the report as a JSON value; amounts are decimal text."""
        return {
            "session": self.session,
            "version": self.version,
            "lines": self.lines,
            "size_bytes": self.size_bytes,
            "sha256": self.sha256,
            "unread": self.unread,
            "entries": _sorted(self.entries),
            "messages": _sorted(self.messages),
            "calls": self.calls,
            "results": self.results,
            "errors": self.errors,
            "truncated": self.truncated,
            "images": self.images,
            "left_out": {
                "thinking": self.thinking,
                "prose": self.prose,
                "other_parts": _sorted(self.other_parts),
                "other_branches": {
                    "entries": self.aside.entries,
                    "calls": self.aside.calls,
                    "results": self.aside.results,
                    **_spent(self.aside.spent),
                },
            },
            "stop_reasons": _sorted(self.stop_reasons),
            "providers": _sorted(self.providers),
            "models": {name: _spent(spent) for name, spent in sorted(self.models.items())},
            "usage": _spent(self.spent),
            "unanswered": [
                {
                    "line": one.line,
                    "call_id": one.call_id,
                    "tool": one.tool,
                    "stop_reason": one.stop_reason,
                }
                for one in self.unanswered
            ],
            "unanswered_count": self.unanswered_count,
            "problem_counts": _sorted(self.problems.counts),
            "problems": [
                {
                    "line": one.line,
                    "code": one.code,
                    "message": one.message,
                    "hint": one.hint,
                }
                for one in self.problems.kept
            ],
            "problems_left_out": self.problems.left_out,
        }


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return {name: times for name, times in sorted(counts.items()) if times}


def _spent(spent: Spent) -> dict[str, Any]:
    return {
        "turns": spent.turns,
        "unpriced": spent.unpriced,
        "cost_usd": spent.cost_usd,
        **spent.tokens,
    }
