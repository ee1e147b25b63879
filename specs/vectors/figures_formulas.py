"""Vectors: the value of each figure."""

from typing import Any

from figures_events import corrected, excluded, late, release, row, source, unavailable
from figures_vector import CELL, TOTAL, Vector, at, everywhere, rows, vector

_EXAMPLE = [
    row(1, cost="0.020543522999999998", agent_duration_s="91"),
    row(2, 0, agent_duration_s="904"),
    unavailable(3, cost="0.3045576000000001", agent_duration_s="329"),
]
_EXAMPLE_FIGURES: dict[str, Any] = {
    "attempts": 3,
    "excluded": 0,
    "invalidated": 0,
    "withdrawn": 0,
    "pending": 0,
    "evaluated": 2,
    "unavailable": 1,
    "passed": 1,
    "failed": 1,
    "pass_rate": [1, 2],
    "failure_categories": [["<null>", 1]],
    "unavailable_categories": [["provider_unavailable", 1]],
    "repairs_after_timeout": 0,
    "evaluated_spend_usd": "0.020543522999999998",
    "evaluated_cost_reported": 1,
    "evaluated_cost_missing": 1,
    "cost_status": "lower_bound",
    "unavailable_spend_usd": "0.3045576000000001",
    "unavailable_cost_missing": 0,
    "excluded_spend_usd": None,
    "excluded_cost_missing": 0,
    "price_per_durable_repair_usd": "0.020543522999999998",
    "price_is_lower_bound": True,
    "median_evaluated_duration_s": "497.5",
    "subscription_usage_usd": None,
    "subscription_usage_reported": 0,
    "usage_reported": 3,
    "input_tokens": None,
    "output_tokens": None,
    "cache_read_tokens": None,
    "flags": [
        "cost_lower_bound",
        "failed_without_category",
        "fewer_than_3_evaluated",
        "spend_on_unavailable",
    ],
}


def formulas() -> list[Vector]:
    """Return the vectors of this part."""
    return [*_counts(), *_money(), *_known(), *_others(), *_flags()]


def _counts() -> list[Vector]:
    nothing = {name: 0 for name, value in _EXAMPLE_FIGURES.items() if type(value) is int}
    nulls = dict.fromkeys(
        name
        for name in _EXAMPLE_FIGURES
        if name.endswith(("_usd", "_s", "_tokens")) or name in ("pass_rate", "price_is_lower_bound")
    )
    empty = nothing | nulls | {"failure_categories": [], "unavailable_categories": []}
    flags = ["fewer_than_3_attempts", "nothing_evaluated"]
    empty |= {"cost_status": "unknown", "flags": flags}
    return [
        vector(
            "example", 12, "Every figure of one cell, its system and the total.",
            rows(*_EXAMPLE), figures=everywhere(**_EXAMPLE_FIGURES), complete=True,
        ),
        vector(
            "nothing", 12, "Nothing counts: the total has every figure, and proves nothing.",
            [], figures=at(TOTAL, **empty), complete=True,
        ),
        vector(
            "pair-not-quotient", 22, "A rate is never divided: two of four is no half.",
            rows(row(1), row(2), row(3, 0), row(4, 0)), figures=everywhere(pass_rate=[2, 4]),
        ),
        vector(
            "nothing-evaluated", 22, "Three unavailable attempts have no rate, price or median.",
            rows(*(unavailable(n, cost="1", agent_duration_s="5") for n in (1, 2, 3))),
            figures=everywhere(
                pass_rate=None, price_per_durable_repair_usd=None, price_is_lower_bound=None,
                median_evaluated_duration_s=None, evaluated=0, cost_status="unknown",
                flags=["fewer_than_3_evaluated", "nothing_evaluated", "spend_on_unavailable"],
            ),
        ),
        vector(
            "null-category", 23, "Missing categories are counted, ascending among the others.",
            rows(row(1, 0, failure_category="b"), row(2, 0), row(3, 0, failure_category="<a"),
                 row(4, 0, failure_category="b"), unavailable(5, failure_category=None)),
            figures=everywhere(
                failure_categories=[["<a", 1], ["<null>", 1], ["b", 2]],
                unavailable_categories=[["<null>", 1]],
            ),
        ),
        vector(
            "null-category-word", 23, "The word for a missing category is the policy's.",
            rows(row(1, 0)), policy={"words.no_category": "none"},
            figures=everywhere(failure_categories=[["none", 1]]),
        ),
    ]  # fmt: skip


def _money() -> list[Vector]:
    tenth = "0.1" + "0" * 37 + "1"
    return [
        vector(
            "sum-as-written", 20, "As floats these would sum to 0.30000000000000004.",
            rows(row(1, cost="0.1"), row(2, cost="0.2")),
            figures=everywhere(evaluated_spend_usd="0.3", price_per_durable_repair_usd="0.15"),
        ),
        vector(
            "sum-of-many-digits", 20, "A sum needs more digits than the usual 28.",
            rows(row(1, cost="123456789012345678901234567890"), row(2, cost="0.0000000001")),
            figures=everywhere(evaluated_spend_usd="123456789012345678901234567890.0000000001"),
        ),
        vector(
            "sum-beyond-40-digits", 20, "A sum with more than 40 digits is a pair.",
            rows(row(1, cost=tenth), row(2, cost="100")),
            figures=everywhere(
                evaluated_spend_usd=["1001" + "0" * 37 + "1", "1" + "0" * 39]
            ),
        ),
        vector(
            "price-that-does-not-end", 20, "A price that does not end is a pair.",
            rows(row(1, cost="1"), row(2), row(3)),
            figures=everywhere(price_per_durable_repair_usd=[1, 3], price_is_lower_bound=True),
        ),
        vector(
            "unknown-is-not-zero", 21, "Nobody reports a cost.",
            rows(row(1, usage=None), row(2)),
            figures=everywhere(
                evaluated_spend_usd=None, unavailable_spend_usd=None, excluded_spend_usd=None,
                price_per_durable_repair_usd=None, evaluated_cost_missing=2, cost_status="unknown",
                usage_reported=1, subscription_usage_usd=None, input_tokens=None,
            ),
        ),
        vector(
            "zero-is-known", 24, "A free preview reports 0, and that is a cost.",
            rows(row(1, cost="0"), row(2, cost="0")),
            figures=everywhere(
                evaluated_spend_usd="0", cost_status="zero", price_per_durable_repair_usd="0",
                price_is_lower_bound=False,
            ),
        ),
        vector(
            "zero-and-missing", 24, "A sum of 0 that a cost is missing from is a lower bound.",
            rows(row(1, cost="0"), row(2)), figures=everywhere(cost_status="lower_bound"),
        ),
        vector(
            "complete", 24, "Every evaluated attempt reports a cost; an unavailable one need not.",
            rows(row(1, cost="0"), row(2, cost="0.5"), unavailable(3)),
            figures=everywhere(cost_status="complete", evaluated_cost_reported=2),
        ),
        vector(
            "price-per-repair", 25, "Failures are paid for by the repairs.",
            rows(row(1, cost="1"), row(2, 0, cost="1"), unavailable(3, cost="8")),
            figures=everywhere(
                price_per_durable_repair_usd="2", price_is_lower_bound=False,
                unavailable_spend_usd="8",
            ),
        ),
        vector(
            "no-repair", 25, "Without a repair there is no price, whatever was spent.",
            rows(row(1, 0, cost="1")),
            figures=everywhere(
                price_per_durable_repair_usd=None, price_is_lower_bound=None,
                evaluated_spend_usd="1",
            ),
        ),
        vector(
            "price-over-unavailable", 25, "A policy can divide the spend on unavailable ones too.",
            rows(row(1, cost="1"), unavailable(2, cost="8")),
            policy={"price.spend": ["evaluated", "unavailable"]},
            figures=everywhere(price_per_durable_repair_usd="9", evaluated_spend_usd="1"),
        ),
        vector(
            "price-per-evaluated", 25, "A policy can divide by evaluated attempts.",
            rows(row(1, 0, cost="1"), row(2, 0, cost="2")), policy={"price.per": "evaluated"},
            figures=everywhere(price_per_durable_repair_usd="1.5"),
        ),
        vector(
            "bound-over-unavailable", 26, "A missing cost counts if the policy counts its class.",
            rows(row(1, cost="1"), unavailable(2)),
            policy={"price.spend": ["evaluated", "unavailable"]},
            figures=everywhere(price_is_lower_bound=True, cost_status="complete"),
        ),
        vector(
            "bound-of-official", 26, "An unavailable attempt's missing cost is not in the price.",
            rows(row(1, cost="1"), unavailable(2)), figures=everywhere(price_is_lower_bound=False),
        ),
        vector(
            "subscription-apart", 28, "Subscription usage is no cost.",
            rows(row(1, subscription="0.25"), row(2, subscription="0.5")),
            figures=everywhere(
                subscription_usage_usd="0.75", subscription_usage_reported=2,
                evaluated_spend_usd=None, price_per_durable_repair_usd=None, cost_status="unknown",
            ),
        ),
    ]  # fmt: skip


def _known() -> list[Vector]:
    spends = ("evaluated_spend_usd", "unavailable_spend_usd", "excluded_spend_usd")
    rest = ("pass_rate", "median_evaluated_duration_s", "input_tokens", "subscription_usage_usd")
    price = ("price_per_durable_repair_usd", "price_is_lower_bound")

    def states(names: tuple[str, ...], state: str) -> dict[str, str]:
        return {CELL + name: state for name in names}

    return [
        vector("missing-in-each-class", 34, "One cost of each class is missing, and none is all.",
               rows(row(1, cost="1"), row(2), unavailable(3, cost="2"), unavailable(4),
                    row(5, cost="4"), row(6), excluded(5), excluded(6)),
               figures=everywhere(
                   evaluated_spend_usd="1", evaluated_cost_missing=1, unavailable_spend_usd="2",
                   unavailable_cost_missing=1, excluded_spend_usd="4", excluded_cost_missing=1),
               states=states((*spends, price[0]), "lower_bound")),
        vector("complete-in-each-class", 34, "No cost is missing, though some are 0.",
               rows(row(1, cost="1"), unavailable(2, cost="0"), row(3, cost="0"), excluded(3)),
               figures=everywhere(unavailable_cost_missing=0, excluded_cost_missing=0),
               states=states((*spends, *price, "pass_rate", "cost_status", "flags"), "known")),
        vector("unknown-in-each-class", 34, "Each class has an attempt, and nobody reports any.",
               rows(row(1, usage=None), unavailable(2, usage=None), row(3, usage=None),
                    excluded(3)),
               figures=everywhere(unavailable_cost_missing=1, excluded_cost_missing=1,
                                  evaluated_spend_usd=None, excluded_spend_usd=None),
               states=states((*spends, *price, *rest[1:]), "unknown")),
        vector("none-in-each-class", 34, "There is no attempt that could cost anything.",
               [],
               figures=at(TOTAL, unavailable_cost_missing=0, excluded_cost_missing=0),
               states={TOTAL + name: "none" for name in (*spends, *price, *rest)}),
        vector("no-repair-no-price", 34, "Without a repair there is no price that were unknown.",
               rows(row(1, 0), unavailable(2)),
               states=states(price, "none") | states(spends[:2], "unknown")
               | states(spends[2:], "none")),
        vector("price-per-evaluated", 34, "Divided by evaluated attempts it is only not known.",
               rows(row(1, 0)), policy={"price.per": "evaluated"},
               states=states(price, "unknown")),
    ]  # fmt: skip


def _others() -> list[Vector]:
    durations = rows(
        *(row(n, agent_duration_s=s) for n, s in enumerate(["9", "10", "1", "2.5"], 1))
    )
    two = [
        source("v"), release("v"), row(1, tokens=5),
        source("w"), release("w", 3), row(2, tokens=7, release="w", source=3),
    ]  # fmt: skip
    return [
        vector("median-odd", 27, "The middle one.", durations[:5],
               figures=everywhere(median_evaluated_duration_s="9")),
        vector("median-mean", 27, "The mean of the middle two.", durations,
               figures=everywhere(median_evaluated_duration_s="5.75")),
        vector("median-lower", 27, "The lower one of the middle two.", durations,
               policy={"median.even": "lower"},
               figures=everywhere(median_evaluated_duration_s="2.5")),
        vector("median-upper", 27, "The upper one of the middle two.", durations,
               policy={"median.even": "upper"},
               figures=everywhere(median_evaluated_duration_s="9")),
        vector("tokens", 29, "Tokens of one release are summed, unavailable attempts' too.",
               rows(row(1, tokens=5), unavailable(2, tokens=2), row(3)),
               figures=everywhere(input_tokens=7, output_tokens=7, cache_read_tokens=7)),
        vector("tokens-beyond-an-integer", 20, "A sum that no integer of a manifest holds is text.",
               rows(row(1, tokens=2**63 - 1), row(2, tokens=1)),
               figures=everywhere(input_tokens="9223372036854775808")),
        vector("tokens-of-the-largest", 20, "The largest integer is one.",
               rows(row(1, tokens=2**63 - 2), row(2, tokens=1)),
               figures=everywhere(input_tokens=9223372036854775807)),
        vector("tokens-of-two-releases", 29, "Across releases their unit is not known.", two,
               figures=everywhere(input_tokens=None, attempts=2)),
        vector("tokens-of-one-selected", 29, "One of the two is selected.", two, releases=["w"],
               figures=everywhere(input_tokens=7, attempts=1)),
        vector("late-repair", 30, "A repair after the agent's time is recorded, never scored.",
               rows(late(1)), figures=everywhere(repairs_after_timeout=1, passed=0, failed=1)),
        vector("late-repair-scored", 30, "A policy can score it.", rows(late(1)),
               policy={"repair.after_timeout": "scored"},
               figures=everywhere(repairs_after_timeout=1, passed=1, failed=0)),
    ]  # fmt: skip


def _flags() -> list[Vector]:
    odd = ["category_not_a_word", "failed_without_category", "reward_contradicts_phases"]
    return [
        vector("smoke", 31, "Fewer than three attempts are a smoke run.",
               rows(row(1, cost="1"), row(2, cost="1")),
               figures=everywhere(flags=["fewer_than_3_attempts"])),
        vector("minimum", 31, "How many are needed is the policy's.",
               rows(row(1, cost="1"), unavailable(2)), policy={"minimum.attempts": 2},
               figures=everywhere(flags=["fewer_than_2_evaluated"])),
        vector("enough-in-total", 31, "A total can have enough where its cells have not.",
               rows(*(row(n, cost="1", scenario=f"s{n}") for n in (1, 2, 3))),
               figures=at(TOTAL, flags=[])
               | at("system/claux+m/task/s1@1/", flags=["fewer_than_3_attempts"])),
        vector("unknown-cost", 31, "Unknown and lower bound are different flags.",
               rows(row(1), row(2), row(3)), figures=everywhere(flags=["cost_unknown"])),
        vector("row-flags", 32, "A group has the flags of its valid attempts, each once.",
               rows(row(1, cost="1", flags=["duration_over_timeout"]),
                    row(2, cost="1", flags=["duration_over_timeout", "source_ambiguous"]),
                    row(3, cost="1", flags=["finished_before_started"]), excluded(3)),
               figures=at(CELL, flags=["duration_over_timeout", "fewer_than_3_evaluated",
                                       "source_ambiguous"])),
        vector("settled-category", 32, "A corrected category settles what was odd about it.",
               rows(row(1, 0, cost="1", flags=odd), corrected(1, "failure_category", None, "x")),
               figures=at(CELL, flags=["fewer_than_3_attempts", "reward_contradicts_phases"])),
        vector("settled-reward", 32, "A corrected reward settles its contradiction.",
               rows(row(1, 0, cost="1", flags=["reward_contradicts_phases"]),
                    corrected(1, "reward", 0, 1)),
               figures=at(CELL, flags=["fewer_than_3_attempts"])),
        vector("category-lost", 33, "A failure that a correction made has no category.",
               rows(row(1, 1, cost="1"), corrected(1, "reward", 1, 0)),
               figures=at(CELL, flags=["failed_without_category", "fewer_than_3_attempts"])),
        vector("spend-no-more-unavailable", 33, "Once evaluated, its cost is no longer odd.",
               rows(row(1, 0, cost="1", status="unavailable", failure_category="x",
                        flags=["spend_on_unavailable"]),
                    corrected(1, "status", "unavailable", "evaluated")),
               figures=at(CELL, flags=["fewer_than_3_attempts"], evaluated_spend_usd="1")),
    ]  # fmt: skip
