"""One attempt as figures count it: the governing row, the decisions about it, and the policy."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Literal, TypeAlias

from msgspec import Struct

from ledger.rules.status import StatusRules

from .attempts import Attempts, Change
from .columns import NONE, Outcome

State: TypeAlias = Literal["valid", "excluded", "pending"]

# A flag is about what a source reported. Where a decision replaced what it is about, it is settled.
_SETTLED_BY = {
    "category_not_a_word": frozenset({"failure_category"}),
    "reward_contradicts_phases": frozenset({"reward", "status"}),
    "unavailable_after_progress": frozenset({"status"}),
}
# These say something about a row that is said again about the attempt, as it stands now.
_SAID_ANEW = {"failed_without_category", "spend_on_unavailable", "unavailable_without_category"}


class Verdict(Struct, frozen=True, gc=False):
    """What attempts count as that ended the same way; without costs, which differ.

    Attributes:
        standing: evaluated, unavailable or pending.
        passed: Whether it is a verified repair.
        reason: Which rule says so.
        status, reward, category: As corrected.
        late_repair: Whether a repair completed after the agent's time.
        usage: Whether tokens or money are reported at all.
        flags: What is odd, sorted; ``spend_on_unavailable`` apart, which depends on the cost.
    """

    standing: Literal["evaluated", "unavailable", "pending"]
    passed: bool
    reason: str
    status: str
    reward: int
    category: str | None
    late_repair: bool
    usage: bool
    flags: tuple[str, ...]


class Judged(Struct, frozen=True, gc=False):
    """An attempt as figures count it.

    Attributes:
        attempt: Its identity.
        row: The row that governs.
        release: The release that the row stands in.
        state: valid, excluded or pending.
        verdict: What it counts as, were it not excluded.
        flags: What is odd about it, sorted.
        cost, subscription: US dollars, or None where unknown.
        duration: Seconds, or None where unknown.
        input_tokens, output_tokens, cache_read_tokens: As reported, or None.
    """

    attempt: str
    row: int
    release: str
    state: State
    verdict: Verdict
    flags: tuple[str, ...]
    cost: Decimal | None
    subscription: Decimal | None
    duration: Decimal | None
    input_tokens: int | None
    output_tokens: int | None
    cache_read_tokens: int | None


class Judge:
    """Judges the attempts of one state under one policy, and remembers what repeats."""

    def __init__(self, state: Attempts, rules: StatusRules) -> None:
        """Prepare; the state must not be advanced while the judge is in use."""
        self._state, self._rules = state, rules
        self._verdicts: dict[int, Verdict] = {}
        self._durations = [Decimal(text) for text in state.durations.values]
        self._decided = (
            state.changes.keys() | state.exclusions.keys() | state.differing
        )

    def judge(self, row: int, *, decided: bool = True) -> Judged:
        """Return the attempt that *row* reports, as figures count it.

        Args:
            row: The row that governs.
            decided: Whether corrections and exclusions apply; without them it is as reported.
        """
        state, rows = self._state, self._state.rows
        attempt = rows.attempt[row]
        numbers = rows.read(row)
        _, _, place_number, outcome, duration, _, tokens_in, tokens_out, tokens_read = numbers
        place = state.places.values[place_number]
        verdict = self._verdicts.get(outcome)
        if verdict is None:
            verdict = _verdict(state.outcomes.values[outcome], (), self._rules)
            self._verdicts[outcome] = verdict
        condition: State = "pending" if verdict.standing == "pending" else "valid"
        flags = verdict.flags
        cost_text, subscription_text = rows.cost[row], rows.subscription[row]
        cost = None if cost_text is None else Decimal(cost_text)
        if attempt in self._decided:
            changes = state.changes.get(attempt) if decided else None
            if changes:
                verdict = _verdict(state.outcomes.values[outcome], changes, self._rules)
                flags = verdict.flags
                condition = "pending" if verdict.standing == "pending" else "valid"
            if decided and attempt in state.exclusions:
                condition = "excluded"
            if attempt in state.differing:
                flags = (*flags, "repeat_differs")
        if place.source in state.superseded:
            flags = (*flags, "dropped_by_source")
        if cost is not None and cost > 0 and verdict.standing == "unavailable":
            flags = (*flags, "spend_on_unavailable")
        return Judged(
            attempt,
            row,
            place.release,
            condition,
            verdict,
            flags,
            cost,
            None if subscription_text is None else Decimal(subscription_text),
            None if duration == NONE else self._durations[duration],
            None if tokens_in == NONE else tokens_in,
            None if tokens_out == NONE else tokens_out,
            None if tokens_read == NONE else tokens_read,
        )


def _verdict(outcome: Outcome, changes: Iterable[Change], rules: StatusRules) -> Verdict:
    """Return what *rules* make of *outcome* once *changes*, oldest first, replaced its fields."""
    status, reward, category = outcome.status, outcome.reward, outcome.category
    changed = set()
    for change in changes:
        changed.add(change.field)
        match change.field, change.now:
            case "status", str(word):
                status = word
            case "reward", int(number):
                reward = number
            case "failure_category", str() | None as word:
                category = word
            case _:
                pass  # the state refuses a correction that could come here
    late = outcome.phases is not None and outcome.phases.after_agent_timeout
    late_repair = bool(late and late.durable_repair)
    judgement = rules.judge(
        status=status,
        reward=reward,
        after_progress="unavailable_after_progress" in outcome.flags and "status" not in changed,
        late_repair=late_repair,
    )
    flags = {
        flag
        for flag in outcome.flags
        if flag not in _SAID_ANEW and not changed & _SETTLED_BY.get(flag, frozenset())
    }
    if category is None and judgement.standing == "unavailable":
        flags.add("unavailable_without_category")
    if category is None and judgement.standing == "evaluated" and not judgement.passed:
        flags.add("failed_without_category")
    return Verdict(
        judgement.standing,
        judgement.passed,
        judgement.reason,
        status,
        reward,
        category,
        late_repair,
        outcome.usage,
        tuple(sorted(flags)),
    )
