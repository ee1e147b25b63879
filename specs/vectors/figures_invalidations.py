"""Vectors: versions of tasks that are invalidated, and sources that are withdrawn."""

from figures_events import (
    OTHER_KEY,
    corrected,
    excluded,
    invalidated,
    release,
    row,
    source,
    unavailable,
    withdrawn,
)
from figures_vector import CELL, TOTAL, Vector, at, everywhere, rows, vector

_OTHER = "system/claux+n/task/s@1/"
_OTHER_TASK = "system/claux+m/task/t@1/"


def invalidations() -> list[Vector]:
    """Return the vectors of this part."""
    return [*_tasks(), *_sources(), *_reinstated(), *_conditions(), *_counts(), *_reasons()]


def _tasks() -> list[Vector]:
    first = row(1, cost="1"), unavailable(2, cost="2")
    gone = {"attempts": 2, "excluded": 2, "invalidated": 2, "withdrawn": 0, "passed": 0,
            "evaluated": 0, "unavailable": 0, "excluded_spend_usd": "3",
            "evaluated_spend_usd": None, "unavailable_spend_usd": None}  # fmt: skip
    return [
        vector("invalidated-before", 50, "Attempts that were reported before do not count.",
               rows(*first, invalidated()), figures=everywhere(**gone)),
        vector("invalidated-after", 50, "Attempts that are reported afterwards do not either.",
               rows(invalidated(), *first), figures=everywhere(**gone)),
        vector("invalidated-between", 50, "It does not matter where among them it was decided.",
               rows(first[0], invalidated(), first[1]), figures=everywhere(**gone)),
        vector("invalidated-for-all", 50, "It is of every system, whoever passed.",
               rows(row(1), row(2, model="n", reward=0), invalidated()),
               figures=at(CELL, invalidated=1, passed=0) | at(_OTHER, invalidated=1, failed=0)
               | at(TOTAL, attempts=2, excluded=2, invalidated=2)),
        vector("invalidated-alone", 50, "Other tasks, and other versions of it, count as before.",
               rows(row(1, cost="1"), row(2, cost="2", scenario="t"),
                    row(3, cost="4", scenario_version=2), invalidated()),
               figures=at(CELL, invalidated=1, passed=0)
               | at(_OTHER_TASK, invalidated=0, passed=1, evaluated_spend_usd="2")
               | at("system/claux+m/task/s@2/", invalidated=0, passed=1)
               | at(TOTAL, attempts=3, passed=2, excluded=1, evaluated_spend_usd="6")),
        vector("invalidated-twice", 50, "An invalidation of what is invalid changes nothing.",
               rows(row(1), invalidated(), invalidated()),
               figures=everywhere(attempts=1, excluded=1, invalidated=1)),
        vector("invalidated-pending", 50, "What is invalid is not pending.",
               rows(unavailable(1), invalidated()), policy={"words.unavailable": ["lost"]},
               figures=everywhere(attempts=1, pending=0, excluded=1)),
        vector("invalidated-and-corrected", 50, "A correction does not make it count.",
               rows(row(1, 0), invalidated(), corrected(1, "reward", 0, 1)),
               figures=everywhere(attempts=1, passed=0, excluded=1)),
    ]  # fmt: skip


def _sources() -> list[Vector]:
    one = rows(row(1, cost="1"), row(2, cost="2"))
    two = [*one, source("w"), release("w", 4), row(1, 0, cost="8", release="w", source=4)]
    return [
        vector("withdrawn", 51, "What only withdrawn sources report does not count.",
               [*one, withdrawn(0)],
               figures=everywhere(attempts=2, excluded=2, withdrawn=2, invalidated=0, passed=0,
                                  excluded_spend_usd="3", evaluated_spend_usd=None)),
        vector("withdrawn-selected", 51, "Nor where its release is selected.",
               [*one, withdrawn(0)], releases=["v"],
               figures=everywhere(attempts=2, excluded=2, withdrawn=2)),
        vector("withdrawn-newer", 51, "Another report governs, though it is older.",
               [*two, withdrawn(4)],
               figures=everywhere(attempts=2, excluded=0, passed=2, evaluated_spend_usd="3")),
        vector("withdrawn-older", 51, "The newer report governs, as before.",
               [*two, withdrawn(0)],
               figures=everywhere(attempts=2, excluded=1, withdrawn=1, passed=0, failed=1,
                                  evaluated_spend_usd="8", excluded_spend_usd="2")),
        vector("withdrawn-here-only", 51, "In the release that it is of, nothing else reports it.",
               [*two, withdrawn(4)], releases=["w"],
               figures=everywhere(attempts=1, excluded=1, withdrawn=1, excluded_spend_usd="8")),
        vector("withdrawn-no-source", 2, "It withdraws a report of a release.",
               [*one, withdrawn(1)], code="E_SOURCE_UNKNOWN"),
    ]  # fmt: skip


def _reinstated() -> list[Vector]:
    first = rows(row(1, cost="1"), row(2, cost="2"))
    again = [source("v", 0), release("v", 4), row(1, 0, cost="8", source=4)]
    both = [*first, *again]
    third = [source("v", 4), release("v", 8), row(2, 0, cost="16", source=8)]
    return [
        vector("withdrawn-replacing", 52, "What it had replaced does not come back by itself.",
               [*both, withdrawn(4)], releases=["v"],
               figures=everywhere(attempts=1, excluded=1, withdrawn=1, excluded_spend_usd="8")),
        vector("withdrawn-replacing-all", 52, "Nor in the whole ledger; what it had dropped stays.",
               [*both, withdrawn(4)],
               figures=everywhere(attempts=2, excluded=1, withdrawn=1, passed=1,
                                  evaluated_spend_usd="2", excluded_spend_usd="8")),
        vector("reinstated", 52, "It counts again, since the decision says so.",
               [*both, withdrawn(4, 0)], releases=["v"],
               figures=everywhere(attempts=2, excluded=0, withdrawn=0, passed=2,
                                  evaluated_spend_usd="3")),
        vector("reinstated-later", 52, "A second withdrawal says so.",
               [*both, withdrawn(4), withdrawn(4, 0)], releases=["v"],
               figures=everywhere(attempts=2, excluded=0, passed=2)),
        vector("reinstated-and-replaced", 52, "A new source of the name replaces it too.",
               [*both, withdrawn(4, 0), *third], releases=["v"],
               figures=everywhere(attempts=1, excluded=0, passed=0, failed=1,
                                  evaluated_spend_usd="16",
                                  flags=["dropped_by_source", "failed_without_category",
                                         "fewer_than_3_attempts", "repeat_differs"])),
        vector("replaced-and-withdrawn", 51, "What a replaced source alone reported is withdrawn.",
               [*first, source("v", 0), release("v", 4), row(1, cost="4", source=4), withdrawn(0)],
               figures=everywhere(attempts=2, excluded=1, withdrawn=1, passed=1,
                                  evaluated_spend_usd="4", excluded_spend_usd="2")),
    ]  # fmt: skip


def _conditions() -> list[Vector]:
    first = rows(row(1), row(2))
    other = [source("v", 0), release("v", 4, OTHER_KEY), row(1, source=4)]
    return [
        vector("withdrawn-conditions", 53, "The report of a source that stands states the key.",
               [*first, *other, withdrawn(4, 0), source("w"), release("w", 8),
                row(3, release="w", source=8)],
               figures=at(TOTAL, attempts=3, passed=3)),
        vector("withdrawn-all-conditions", 53, "With none that stands, the newest does.",
               [*rows(row(1)), withdrawn(0), source("w"), release("w", 4, OTHER_KEY),
                row(2, release="w", source=4)],
               figures={"cohort/000000000000/" + TOTAL + "withdrawn": 1,
                        "cohort/111111111111/" + TOTAL + "passed": 1},
               absent=[TOTAL + "attempts"]),
    ]  # fmt: skip


def _counts() -> list[Vector]:
    return [
        vector("excluded-for-all-three", 54, "One attempt, excluded once and counted under each.",
               rows(row(1), row(2), excluded(1), invalidated(), withdrawn(0)),
               figures=everywhere(attempts=2, excluded=2, invalidated=2, withdrawn=2)),
        vector("excluded-only", 54, "An exclusion of one attempt is neither.",
               rows(row(1), excluded(1)),
               figures=everywhere(excluded=1, invalidated=0, withdrawn=0)),
    ]  # fmt: skip


def _reasons() -> list[Vector]:
    first = rows(row(1, cost="1"), row(2, scenario="t"))
    two = [*first, source("w"), release("w", 4), row(1, 0, release="w", source=4)]
    return [
        vector("explain-invalidation", 41, "It bears on what it takes away and adds to.",
               [*first, invalidated()],
               explain={CELL + "passed": [0, 1, 2, 4], CELL + "excluded": [0, 1, 2, 4],
                        _OTHER_TASK + "passed": [0, 1, 3]}),
        vector("explain-withdrawal", 41, "It bears on an attempt that another row governs now.",
               [*two, withdrawn(4)], explain={CELL + "passed": [0, 1, 2, 7]}),
        vector("cause-invalidation", 42, "It is why figures of its task changed, and no others.",
               [*first, invalidated()],
               diff={"since": 4, "because": {
                   CELL + "passed": [4], TOTAL + "passed": [4], CELL + "invalidated": [4]},
                     "same": [_OTHER_TASK + "passed", CELL + "attempts"]}),
        vector("cause-withdrawal", 42, "It is why another row governs.",
               [*two, withdrawn(4)],
               diff={"since": 7, "because": {CELL + "passed": [7], CELL + "failed": [7]},
                     "same": [CELL + "attempts", CELL + "excluded"]}),
        vector("cause-reinstatement", 42, "It is why what was dropped counts again.",
               [*rows(row(1), row(2)), source("v", 0), release("v", 4), row(1, source=4),
                withdrawn(4, 0)], releases=["v"],
               diff={"since": 7, "releases": ["v"], "because": {CELL + "attempts": [7]},
                     "same": [CELL + "failed"]}),
        vector("cause-withdrawn-conditions", 42, "It is why tables are one again.",
               [*rows(row(1)), source("w"), release("w", 3), row(2, release="w", source=3),
                source("w", 3), release("w", 6, OTHER_KEY), row(2, release="w", source=6),
                withdrawn(6, 3)],
               diff={"since": 9, "because": {TOTAL + "passed": [9]}, "same": []}),
        vector("adds-invalidated", 43, "It adds to the counts of what is excluded, and its cost.",
               [*first, invalidated()],
               adds={CELL + "invalidated": {"2": {"invalidated": 1}},
                     CELL + "excluded_spend_usd": {"2": {"excluded_cost_usd": "1"}}}),
    ]  # fmt: skip
