"""The family ``status``: what a reported attempt counts as (``specs/policies.md``, Format).

Evaluated or unavailable is a rule with a version, not a fact: the source's word is kept as it was
reported, and what it counts as is derived again under a named policy.
"""

from typing import Annotated, Literal, NamedTuple, TypeAlias

from msgspec import Meta, Struct

from ledger.events.fields import Category

Standing: TypeAlias = Literal["evaluated", "unavailable", "pending"]
"""Whether an attempt judges the system, does not, or waits for someone to decide."""

SpendClass: TypeAlias = Literal["evaluated", "unavailable", "excluded"]
"""Attempts whose cost can be part of the price."""

_Words: TypeAlias = Annotated[tuple[Category, ...], Meta(min_length=1)]


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """The source's words.

    Attributes:
        evaluated: Status words of attempts that judge the system.
        unavailable: Status words of attempts that do not.
        no_category: Stands in counts for a failure without a category.
    """

    evaluated: _Words
    unavailable: _Words
    no_category: Category


class Status(Struct, frozen=True, forbid_unknown_fields=True):
    """When the standing differs from the source's word.

    Attributes:
        after_progress: What an attempt counts as that the source calls unavailable although the
            model had made progress: as reported, or evaluated.
    """

    after_progress: Literal["as_reported", "evaluated"]


class Repair(Struct, frozen=True, forbid_unknown_fields=True):
    """What a verified repair is.

    Attributes:
        rewards: Rewards of an evaluated attempt that repaired.
        after_timeout: Whether a repair that completes after the agent's time is scored too.
    """

    rewards: Annotated[tuple[Literal[0, 1], ...], Meta(min_length=1)]
    after_timeout: Literal["recorded", "scored"]


class CostWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Words for how much of the evaluated cost is known.

    Attributes:
        complete: Every evaluated attempt reports one.
        lower_bound: Some do.
        unknown: None does.
        zero: Every one does, and their sum is 0.
    """

    complete: Category
    lower_bound: Category
    unknown: Category
    zero: Category


class Price(Struct, frozen=True, forbid_unknown_fields=True):
    """The price per durable repair.

    Attributes:
        spend: Classes of attempts whose cost is divided.
        per: What it is divided by: verified repairs, or evaluated attempts.
    """

    spend: Annotated[tuple[SpendClass, ...], Meta(min_length=1)]
    per: Literal["repair", "evaluated"]


class Minimum(Struct, frozen=True, forbid_unknown_fields=True):
    """How many attempts a comparison needs.

    Attributes:
        attempts: For each system and task; fewer are a smoke run.
    """

    attempts: Annotated[int, Meta(ge=1, le=1_000_000)]


class Median(Struct, frozen=True, forbid_unknown_fields=True):
    """How the median of an even number of values is taken.

    Attributes:
        even: The mean of the middle two, or the lower or the upper one of them.
    """

    even: Literal["mean", "lower", "upper"]


class Display(Struct, frozen=True, forbid_unknown_fields=True):
    """How a quotient that does not end is shown; it is never rounded otherwise.

    Attributes:
        places: Decimal places, at least 12.
        mode: To the nearest decimal, or towards 0.
    """

    places: Annotated[int, Meta(ge=12, le=64)]
    mode: Literal["half-even", "down"]


class Judgement(NamedTuple):
    """What an attempt counts as.

    Attributes:
        standing: Whether it judges the system.
        passed: Whether it is a verified repair.
        reason: Which rule says so, for people.
    """

    standing: Standing
    passed: bool
    reason: str


class StatusRules(Struct, frozen=True, forbid_unknown_fields=True):
    """All that turns reported attempts into figures."""

    words: Words
    status: Status
    repair: Repair
    cost: CostWords
    price: Price
    minimum: Minimum
    median: Median
    display: Display

    def contradiction(self) -> tuple[str, str] | None:
        """Return (got, expected) of the first rule that contradicts another; None if none does."""
        both = set(self.words.evaluated) & set(self.words.unavailable)
        if both:
            return f"{min(both)!r} both evaluated and unavailable", "one meaning for each word"
        lists = {
            "words.evaluated": self.words.evaluated,
            "words.unavailable": self.words.unavailable,
            "repair.rewards": self.repair.rewards,
            "price.spend": self.price.spend,
        }
        for name, values in lists.items():
            if len(set(values)) < len(values):
                return f"a value twice in {name}", "each value once"
        cost = self.cost
        if len({cost.complete, cost.lower_bound, cost.unknown, cost.zero}) < 4:
            return "one word for two states of cost", "four different words"
        return None

    def judge(
        self, *, status: str, reward: int, after_progress: bool, late_repair: bool
    ) -> Judgement:
        """Return what an attempt counts as (POLICY-10 to POLICY-13).

        Args:
            status: The source's word, or the one that a correction put in its place.
            reward: 0 or 1.
            after_progress: Whether the source calls it unavailable after the model had progressed.
            late_repair: Whether a repair completed after the agent's time.
        """
        if status in self.words.evaluated:
            standing: Standing = "evaluated"
            reason = f"the source's word {status!r} counts as evaluated"
        elif status not in self.words.unavailable:
            return Judgement("pending", False, f"no rule says what the word {status!r} counts as")
        elif after_progress and self.status.after_progress == "evaluated":
            standing = "evaluated"
            reason = f"the source's word is {status!r}, but the model had made progress"
        else:
            standing = "unavailable"
            reason = f"the source's word {status!r} counts as unavailable"
        scored = reward in self.repair.rewards or (
            late_repair and self.repair.after_timeout == "scored"
        )
        return Judgement(standing, standing == "evaluated" and scored, reason)
