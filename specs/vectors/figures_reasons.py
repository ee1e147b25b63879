"""Vectors: the events behind a figure, the events behind a change, and paths of no figure."""

from figures_events import (
    OTHER_KEY,
    corrected,
    edition,
    excluded,
    frozen,
    release,
    reported_correction,
    row,
    source,
    unavailable,
)
from figures_vector import CELL, TOTAL, Vector, rows, vector

# SHA-256 of the document of specs/policies/status/replaybook.toml, version 1.
_SHIPPED = "6a2ea101826d2e06ca5581d538802809208d5ffac61cdc5e02d3041e7653d7d9"


def reasons() -> list[Vector]:
    """Return the vectors of this part."""
    return [*_paths(), *_explanations(), *_contributions(), *_causes(), *_choices()]


def _paths() -> list[Vector]:
    wrong = {
        "another-name": CELL + "repairs",
        "another-system": "system/claux+n/task/*/passed",
        "another-cohort": "cohort/000000000000/" + TOTAL + "passed",
        "no-path": "passed",
        "unencoded": "system/claux+m/task/s@1/x/passed",
        "trailing-newline": CELL + "passed\n",
    }
    return [
        vector(name, 40, "There is no such figure.", rows(row(1)), explain={path: []},
               code="E_FIGURE_UNKNOWN")
        for name, path in wrong.items()
    ]  # fmt: skip


def _explanations() -> list[Vector]:
    story = rows(
        row(1, cost="1"),
        row(2, 0, cost="2", failure_category="a"),
        unavailable(3),
        reported_correction(2),
        corrected(2, "reward", 0, 1),
        excluded(1),
    )
    return [
        vector("explain-passed", 41, "Who passes, who would without the exclusion, and why.", story,
               explain={CELL + "passed": [0, 1, 2, 3, 5, 6, 7], TOTAL + "passed":
                        [0, 1, 2, 3, 5, 6, 7]}),
        vector("explain-unavailable", 41, "Decisions about others do not bear on it.", story,
               explain={CELL + "unavailable": [0, 1, 4]}),
        vector("explain-nothing", 41, "Nothing adds to it, so nothing explains it.", story,
               explain={CELL + "repairs_after_timeout": []}),
        vector("explain-policy", 41, "The freeze of the policy that the figure is under.",
               [frozen(_SHIPPED), source(), release(origin=1), row(1, source=1)],
               explain={CELL + "failed": [0], CELL + "passed": [0, 1, 2, 3]}),
    ]  # fmt: skip


def _contributions() -> list[Vector]:
    story = rows(
        row(1, cost="1", agent_duration_s="30"),
        row(2, 0, cost="0.5", failure_category="a", subscription="0.25"),
        unavailable(3, tokens=7),
        row(4, agent_duration_s="90", flags=["duration_over_timeout"]),
        excluded(1),
        corrected(2, "reward", 0, 1),
    )
    return [
        vector("adds-counts", 43, "A rate is made of two counts; the excluded one adds nothing.",
               story, adds={
                   CELL + "pass_rate": {"2": {}, "3": {"evaluated": 1, "passed": 1},
                                        "5": {"evaluated": 1, "passed": 1}},
                   CELL + "unavailable": {"4": {"unavailable": 1}}}),
        vector("adds-money", 43, "A price is made of repairs, costs, and costs that are missing.",
               story, adds={
                   CELL + "price_per_durable_repair_usd": {
                       "2": {}, "3": {"passed": 1, "evaluated_cost_usd": "0.5"},
                       "5": {"passed": 1, "evaluated_cost_missing": 1}},
                   CELL + "excluded_spend_usd": {"2": {"excluded_cost_usd": "1"}},
                   TOTAL + "subscription_usage_usd": {"3": {"subscription_usage_usd": "0.25"}}}),
        vector("adds-others", 43, "Durations, words, and tokens with the release they stand in.",
               story, adds={
                   CELL + "median_evaluated_duration_s": {"2": {},
                                                          "5": {"evaluated_duration_s": "90"}},
                   CELL + "unavailable_categories": {
                       "4": {"unavailable_categories": ["provider_unavailable"]}},
                   CELL + "input_tokens": {
                       "2": {}, "3": {"releases": ["v"]}, "5": {"releases": ["v"]},
                       "4": {"input_tokens": 7, "releases": ["v"]}}}),
        vector("adds-no-category", 43, "A missing category is told as the policy's word for it.",
               rows(row(1, 0)), policy={"words.no_category": "none"},
               adds={CELL + "failure_categories": {"2": {"failure_categories": ["none"]}}}),
        vector("adds-a-class", 43, "What the price is made of is the policy's.",
               rows(row(1, 0, cost="2"), unavailable(2, cost="8")),
               policy={"price.per": "evaluated", "price.spend": ["unavailable"]},
               adds={CELL + "price_per_durable_repair_usd": {
                   "2": {"evaluated": 1}, "3": {"unavailable_cost_usd": "8"}}}),
    ]  # fmt: skip


def _choices() -> list[Vector]:
    two = [*rows(row(1, cost="1"), row(2, 0, failure_category="a")),
           source("w"), release("w", 4), row(3, cost="4", release="w", source=4)]  # fmt: skip
    late = [*rows(row(1, cost="1")), row(2), source("w"), release("w", 4),
            row(3, release="w", source=4)]  # fmt: skip
    return [
        vector("cause-choice", 42, "Nothing happened, but the newer edition is of another release.",
               [*two, edition(7, ["w"])], releases=["w"],
               diff={"since": 7, "releases": ["v"], "freeze": 7, "because": {
                   CELL + "attempts": [7], CELL + "failed": [7],
                   TOTAL + "evaluated_spend_usd": [7]}, "same": [CELL + "excluded"]}),
        vector("cause-choice-and-more", 42, "One more release, and an exclusion in the other.",
               [*two, excluded(2), edition(8, ["v", "w"])], releases=["v", "w"],
               diff={"since": 7, "releases": ["v"], "freeze": 8, "because": {
                   CELL + "passed": [8], CELL + "failed": [7], CELL + "excluded": [7],
                   CELL + "pass_rate": [7, 8]}, "same": []}),
        vector("cause-rows-not-choice", 42, "A release that came since is told by its rows.",
               [*late, edition(7, ["v", "w"])], releases=["v", "w"],
               diff={"since": 4, "releases": ["v"], "freeze": 7, "because": {
                   CELL + "passed": [6], CELL + "attempts": [6]}, "same": [CELL + "failed"]}),
        vector("cause-choice-of-cohorts", 42, "Tables split because more was selected.",
               [*rows(row(1)), source("w"), release("w", 3, OTHER_KEY),
                row(2, release="w", source=3), edition(6, ["v", "w"])], releases=["v", "w"],
               diff={"since": 6, "releases": ["v"], "freeze": 6, "because": {
                   CELL + "passed": [6], "cohort/000000000000/" + CELL + "passed": [6],
                   "cohort/111111111111/" + CELL + "flags": [6]}, "same": []}),
    ]  # fmt: skip


def _causes() -> list[Vector]:
    before = rows(row(1, cost="1"), row(2, 0, cost="2", failure_category="a"), unavailable(3))
    return [
        vector("cause-exclusion", 42, "An exclusion changes what it takes away, and no more.",
               [*before, excluded(1)],
               diff={"since": 5, "because": {
                   CELL + "passed": [5], CELL + "pass_rate": [5], TOTAL + "excluded": [5],
                   TOTAL + "evaluated_spend_usd": [5]},
                     "same": [CELL + "failed", CELL + "attempts"]}),
        vector("cause-correction", 42, "Each change is told by its own correction.",
               [*before, corrected(2, "failure_category", "a", "b"), excluded(1)],
               diff={"since": 5, "because": {
                   CELL + "failure_categories": [5], CELL + "passed": [6]}, "same": []}),
        vector("cause-row", 42, "A new attempt is told by its row.",
               [*before, source("w"), release("w", 5), row(4, release="w", source=5)],
               diff={"since": 5, "because": {CELL + "passed": [7], TOTAL + "attempts": [7]},
                     "same": [CELL + "failed"]}),
        vector("cause-earlier-events", 42, "Only events since then are told.",
               [*before, corrected(1, "reward", 1, 0), excluded(1)],
               diff={"since": 6, "because": {CELL + "failed": [6]}, "same": [CELL + "passed"]}),
        vector("cause-dropped", 42, "An attempt that a source dropped is told by that source.",
               [*before, source("v", 0), release("v", 5), row(2, 0, cost="2", source=5,
                failure_category="a"), unavailable(3, source=5)],
               releases=["v"],
               diff={"since": 5, "because": {CELL + "passed": [5], CELL + "attempts": [5]},
                     "same": [CELL + "failed"]}),
        vector("cause-cohort", 42, "A release of another key splits the tables.",
               [*before, source("w"), release("w", 5, OTHER_KEY), row(4, release="w", source=5)],
               diff={"since": 5, "because": {
                   CELL + "passed": [6], "cohort/000000000000/" + CELL + "passed": [6],
                   "cohort/111111111111/" + CELL + "passed": [6, 7]}, "same": []}),
        vector("cause-policy", 42, "Other rules, and no other events.",
               [*before, frozen("33" * 32)], policy={"median.even": "mean"},
               diff={"since": 5, "policy": {"price.spend": ["evaluated", "unavailable"],
                                            "minimum.attempts": 4},
                     "because": {CELL + "flags": [5], TOTAL + "flags": [5]},
                     "same": [CELL + "passed", CELL + "price_per_durable_repair_usd"]}),
    ]  # fmt: skip
