"""One attempt as figures count it: the governing row, the decisions about it, and the policy."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ledger.rules.status import Standing, StatusRules

from .attempts import Attempts, Change
from .columns import NONE, Outcome

State: TypeAlias = Literal["valid", "excluded", "pending", "dropped"]
"""Dropped: its source reports it no more, in a selection that counts what sources report."""

DROPPED = "dropped_by_source"
WITHDRAWN = "source_withdrawn"

# A flag is about what a source reported. Where a decision replaced what it is about, it is settled.
_SETTLED_BY = {
    "category_not_a_word": frozenset({"failure_category"}),
    "reward_contradicts_phases": frozenset({"reward", "status"}),
    "unavailable_after_progress": frozenset({"status"}),
}
# These say of a row what is said again of its attempt, or of a group, as it stands now.
_SAID_ANEW = {"failed_without_category", "spend_on_unavailable", "unavailable_without_category"}


class Verdict(Struct, frozen=True, gc=False):
    """What attempts count as that ended the same way; their costs and durations still differ.

    Attributes:
        state: Whether they count.
        standing: evaluated, unavailable or pending, were they not excluded.
        passed: Whether they are verified repairs.
        reason: Which rule says so.
        status, reward, category: As corrected.
        late_repair: Whether a repair completed after the agent's time.
        usage: Whether tokens or money are reported at all.
        flags: What is odd about them, sorted.
        invalidated: Whether the version of their task is invalidated.
        withdrawn: Whether only withdrawn sources report them.
    """

    state: State
    standing: Standing
    passed: bool
    reason: str
    status: str
    reward: int
    category: str | None
    late_repair: bool
    usage: bool
    flags: tuple[str, ...]
    invalidated: bool = False
    withdrawn: bool = False

    @property
    def outcome(self) -> str:
        """How they ended: repaired or failed, else unavailable or pending."""
        if self.standing == "evaluated":
            return "repaired" if self.passed else "failed"
        return self.standing


class Judged(Struct, frozen=True, gc=False):
    """An attempt as figures count it.

    Attributes:
        attempt: Its identity.
        row: The row that governs.
        release: The release that the row stands in.
        verdict: What it counts as; one object for all that count as the same.
        cost, subscription: US dollars, or None where unknown.
        duration: Seconds, or None where unknown.
        input_tokens, output_tokens, cache_read_tokens: As reported, or None.
    """

    attempt: str
    row: int
    release: str
    verdict: Verdict
    cost: Decimal | None
    subscription: Decimal | None
    duration: Decimal | None
    input_tokens: int | None
    output_tokens: int | None
    cache_read_tokens: int | None


class Judge:
    """Judges the attempts of one state under one policy, and remembers what repeats."""

    def __init__(self, state: Attempts, rules: StatusRules, *, dropped_count: bool) -> None:
        """Prepare; the state must not be advanced while the judge is in use.

        Args:
            state: Of all attempts.
            rules: Of the status policy.
            dropped_count: Whether attempts count that their source reports no more.
        """
        self._state, self._rules, self._dropped_count = state, rules, dropped_count
        self._verdicts: dict[int, Verdict] = {}
        self._durations = [Decimal(text) for text in state.durations.values]
        self._releases = [place.release for place in state.places.values]
        places = state.places.values
        self._superseded = [place.source in state.superseded for place in places]
        self._withdrawn = [place.source in state.withdrawals for place in places]
        self._invalidated = [
            (place.scenario, place.version) in state.invalidations for place in places
        ]
        together = zip(self._superseded, self._withdrawn, self._invalidated, strict=True)
        self._peculiar = list(map(any, together))
        self._singular = state.changes.keys() | state.exclusions.keys() | state.differing
        self._singular |= state.rekeyed

    def is_decided(self, row: int) -> bool:
        """Tell whether a decision is about the attempt that *row* reports, its task or source."""
        attempt = self._state.rows.attempt[row]
        if attempt in self._state.changes or attempt in self._state.exclusions:
            return True
        place, _ = self._state.rows.link(row)
        return self._withdrawn[place] or self._invalidated[place]

    def judge(self, chosen: Iterable[int], *, decided: bool = True) -> Iterator[Judged]:
        """Yield the attempts that rows report, as figures count them.

        Args:
            chosen: The rows that govern.
            decided: Whether decisions apply; without them it is as reported.
        """
        # Every attempt of a ledger comes through this loop, so what it needs is looked up before.
        rows, verdicts, singular = self._state.rows, self._verdicts, self._singular
        attempts, costs, subscriptions, unpack = (
            rows.attempt,
            rows.cost,
            rows.subscription,
            rows.unpack,
        )
        releases, peculiar, durations = self._releases, self._peculiar, self._durations
        for row in chosen:
            attempt, cost, subscription = attempts[row], costs[row], subscriptions[row]
            _, _, place, outcome, duration, _, tokens_in, tokens_out, tokens_read = unpack(row)
            verdict = verdicts.get(outcome)
            if verdict is None:
                verdict = _verdict(self._state.outcomes.values[outcome], (), self._rules)
                verdicts[outcome] = verdict
            if peculiar[place] or attempt in singular:
                verdict = self._judge_alone(attempt, place, outcome, verdict, decided)
            yield Judged(
                attempt,
                row,
                releases[place],
                verdict,
                None if cost is None else Decimal(cost),
                None if subscription is None else Decimal(subscription),
                None if duration == NONE else durations[duration],
                None if tokens_in == NONE else tokens_in,
                None if tokens_out == NONE else tokens_out,
                None if tokens_read == NONE else tokens_read,
            )

    def _judge_alone(
        self, attempt: str, place: int, outcome: int, verdict: Verdict, decided: bool
    ) -> Verdict:
        """Return what an attempt counts as that something in particular is known about."""
        state = self._state
        if decided and attempt in state.changes:
            changes = state.changes[attempt]
            verdict = _verdict(state.outcomes.values[outcome], changes, self._rules)
        flags = set(verdict.flags)
        if attempt in state.differing:
            flags.add("repeat_differs")
        if attempt in state.rekeyed:
            flags.add("conditions_differ")
        condition = verdict.state
        invalidated = decided and self._invalidated[place]
        withdrawn = decided and self._withdrawn[place]
        if invalidated or withdrawn or (decided and attempt in state.exclusions):
            condition = "excluded"
        if withdrawn:
            flags.add(WITHDRAWN)
        if self._superseded[place]:
            flags.add(DROPPED)
            if not self._dropped_count:
                condition, flags = "dropped", {DROPPED}
        return replace(
            verdict,
            state=condition,
            flags=tuple(sorted(flags)),
            invalidated=invalidated,
            withdrawn=withdrawn,
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
    if late_repair and judgement.passed and rules.repair.after_timeout == "recorded":
        flags.add("late_repair_scored")
    if category is None and judgement.standing == "unavailable":
        flags.add("unavailable_without_category")
    if category is None and judgement.standing == "evaluated" and not judgement.passed:
        flags.add("failed_without_category")
    return Verdict(
        "pending" if judgement.standing == "pending" else "valid",
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
