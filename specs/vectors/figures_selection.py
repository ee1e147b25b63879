"""Vectors: which attempts count, in which group, and which of their rows governs."""

from figures_events import KEY, NEAR_KEY, OTHER_KEY, Event, release, row, source
from figures_vector import CELL, TOTAL, Vector, at, everywhere, rows, vector


def _second(
    name: str, *events: Event, key: str = KEY, supersedes: int | None = None
) -> list[Event]:
    """Return another source of a release, whose rows name it by number themselves."""
    return [source(name, supersedes), release(name, 4, key), *events]


def selection() -> list[Vector]:
    """Return the vectors of this part."""
    first = rows(row(1, cost="1"), row(2, 0, cost="2", failure_category="a"))
    replaced = [*first, *_second("v", row(1, cost="1", source=4), supersedes=0)]
    other = [*first, *_second("w", row(3, cost="4", release="w", source=4))]
    apart = [*first, *_second("w", row(3, cost="4", release="w", source=4), key=OTHER_KEY)]
    near = [*first, *_second("w", row(3, cost="4", release="w", source=4), key=NEAR_KEY)]
    stranger = row(3, cost="4", release="w w", source=4)
    unstated = [*first, source("w w"), stranger]
    return [*_selected(first, replaced, other), *_cohorts(apart, near, unstated), *_groups()]


def _selected(first: list[Event], replaced: list[Event], other: list[Event]) -> list[Vector]:
    same = [*first, *_second("w", row(1, cost="1", release="w", source=4))]
    differing = [*first, *_second("w", row(1, cost="7", release="w", source=4))]
    third = [*replaced, source("w"), release("w", 7), row(2, 1, release="w", source=7)]
    shuffled = [
        source("w"), release("w"), row(3, cost="4", release="w"),
        source("v"), release("v", 3), row(1, cost="1", source=3),
        row(2, 0, cost="2", failure_category="a", source=3),
    ]  # fmt: skip
    both = everywhere(attempts=3, passed=2, evaluated_spend_usd="7", flags=[])
    return [
        vector("one-release", 5, "Only what the selected release reports.", other, releases=["w"],
               figures=everywhere(attempts=1, evaluated_spend_usd="4")),
        vector("two-releases", 5, "Named twice or in another order, it is the same selection.",
               other, releases=["w", "v", "w"], figures=both),
        vector("unknown-release", 5, "Nothing reports it.", other, releases=["v", "x"],
               code="E_RELEASE_UNKNOWN"),
        vector("dropped-from-release", 6, "The newest source leaves an attempt out.", replaced,
               releases=["v"],
               figures=everywhere(attempts=1, failed=0, evaluated_spend_usd="1",
                                  flags=["dropped_by_source", "fewer_than_3_attempts"])),
        vector("dropped-with-its-task", 6, "A task that lost its only attempt has no group.",
               [*rows(row(1, cost="1"), row(2, cost="1", scenario="t")),
                *_second("v", row(1, cost="1", source=4), supersedes=0)],
               releases=["v"], absent=["system/claux+m/task/t@1/attempts"],
               figures=at(CELL, attempts=1, flags=["fewer_than_3_attempts"])
               | at(TOTAL, attempts=1, flags=["dropped_by_source", "fewer_than_3_attempts"])),
        vector("dropped-from-ledger", 7, "In the whole ledger it still counts.", replaced,
               figures=everywhere(attempts=2, failed=1, evaluated_spend_usd="3",
                                  flags=["dropped_by_source", "fewer_than_3_attempts"])),
        vector("repeated", 8, "One attempt in two releases is one attempt.", same,
               figures=everywhere(attempts=2, evaluated_spend_usd="3",
                                  flags=["fewer_than_3_attempts"])),
        vector("newest-governs", 8, "Of two reports the newest governs.", differing,
               figures=everywhere(attempts=2, evaluated_spend_usd="9")),
        vector("current-governs", 8, "A row of a replaced source gives way to one that stands.",
               [*first, *_second("w", row(2, 1, cost="5", release="w", source=4)),
                source("w", 4), release("w", 7)],
               figures=everywhere(attempts=2, passed=1, failed=1, evaluated_spend_usd="3")),
        vector("selected-governs", 8, "Of the rows in the selection the newest governs.",
               differing, releases=["v"], figures=everywhere(evaluated_spend_usd="3")),
        vector("repeat-differs", 9, "Two rows report different costs; each release is flagged.",
               differing, releases=["v"],
               figures=everywhere(flags=["fewer_than_3_attempts", "repeat_differs"])),
        vector("repeat-alike", 9, "Only where the row stands, and its flags, differ.",
               [*first, *_second("w", row(1, cost="1", release="w", source=4, matrix="x", index=7,
                                          absent=["recording"], flags=["source_ambiguous"]))],
               figures=everywhere(flags=["fewer_than_3_attempts", "source_ambiguous"])),
        vector("edited-in-place", 9, "A source that replaces a row by another is flagged too.",
               [*rows(row(1, cost="1")), source("v", 0), release("v", 3),
                row(1, cost="2", source=3)],
               figures=everywhere(flags=["fewer_than_3_attempts", "repeat_differs"])),
        vector("moved", 8, "An attempt that moved to another release counts there.", third,
               figures=everywhere(attempts=2, passed=2, failed=0)),
        vector("in-this-order", 13, "Two sources that share no attempt.", other, figures=both),
        vector("in-that-order", 13, "The same two the other way round.", shuffled, figures=both),
    ]  # fmt: skip


def _cohorts(apart: list[Event], near: list[Event], unstated: list[Event]) -> list[Vector]:
    one, two = "cohort/000000000000/", "cohort/111111111111/"
    whole, almost = f"cohort/{KEY}/", f"cohort/{NEAR_KEY}/"
    rekeyed = [*apart, source("w", 4), release("w", 7), row(3, release="w", source=7)]
    return [
        vector("two-cohorts", 10, "Different keys never share a table, and have no total.", apart,
               figures=at(one + TOTAL, attempts=2) | at(two + TOTAL, attempts=1)
               | at(one + CELL, evaluated_spend_usd="3") | at(two + CELL, evaluated_spend_usd="4"),
               absent=[TOTAL + "attempts", CELL + "attempts"]),
        vector("one-of-two-cohorts", 10, "Where one key is selected, there is one table.", apart,
               releases=["w"], figures=everywhere(attempts=1), absent=[two + TOTAL + "attempts"]),
        vector("newest-key", 10, "A release's newest report says what it compares with.", rekeyed,
               figures=everywhere(attempts=3), absent=[one + TOTAL + "attempts"]),
        vector("empty-cohort", 10, "A release without attempts makes no cohort.",
               [*rows(row(1)), source("w"), release("w", 3, OTHER_KEY)],
               figures=everywhere(attempts=1), absent=[one + TOTAL + "attempts"]),
        vector("attempt-in-two-cohorts", 10, "It counts once in each.",
               [*rows(row(1, cost="1")), source("w"), release("w", 3, OTHER_KEY),
                row(1, cost="1", release="w", source=3)],
               figures=at(one + TOTAL, attempts=1) | at(two + TOTAL, attempts=1)),
        vector("replaced-under-other-conditions", 35,
               "The first row is told anew; the second ran under the old key only.",
               [*rows(row(1, cost="1"), row(2, 0, cost="2")), source("v", 0),
                release("v", 4, OTHER_KEY), row(1, cost="1", source=4)],
               figures=at(one + TOTAL, attempts=1, failed=1,
                          flags=["dropped_by_source", "failed_without_category",
                                 "fewer_than_3_attempts"])
               | at(two + TOTAL, attempts=1, passed=1,
                    flags=["conditions_differ", "fewer_than_3_attempts"]),
               absent=[TOTAL + "attempts"]),
        vector("replaced-and-selected", 35, "In its release it does not count at all.",
               [*rows(row(1), row(2, 0)), source("v", 0), release("v", 4, OTHER_KEY),
                row(1, cost="1", source=4)],
               releases=["v"], absent=[one + TOTAL + "attempts"],
               figures=everywhere(attempts=1, failed=0,
                                  flags=["conditions_differ", "dropped_by_source",
                                         "fewer_than_3_attempts", "repeat_differs"])),
        vector("conditions-differ", 36, "One trial, said to have run under two keys.",
               [*rows(row(1, cost="1")), source("w"), release("w", 3, OTHER_KEY),
                row(1, cost="1", release="w", source=3)],
               figures=at(one + TOTAL, flags=["conditions_differ", "fewer_than_3_attempts"])
               | at(two + TOTAL, flags=["conditions_differ", "fewer_than_3_attempts"])),
        vector("keys-that-begin-alike", 11, "Twelve digits do not tell them apart.", near,
               figures=at(whole + TOTAL, attempts=2) | at(almost + TOTAL, attempts=1)),
        vector("unstated", 11, "A release that states no conditions stands alone.", unstated,
               figures=at("cohort/unstated-w%20w/" + TOTAL, attempts=1)
               | at(one + TOTAL, attempts=2)),
    ]  # fmt: skip


def _groups() -> list[Vector]:
    return [
        vector("groups", 12, "Two systems at two tasks, one cell of four empty.",
               rows(row(1), row(2, model="n"), row(3, model="n", scenario="t")),
               figures=at(TOTAL, attempts=3) | at("system/claux+m/task/*/", attempts=1)
               | at("system/claux+n/task/*/", attempts=2)
               | at("system/claux+n/task/t@1/", attempts=1),
               absent=["system/claux+m/task/t@1/attempts", "system/*/task/s@1/attempts"]),
        vector("components", 12, "Names are encoded twice: as names, then as components.",
               rows(row(1, model="a/b+c%d", reasoning_effort="x:y", scenario="s@*")),
               figures=at("system/claux+a%2Fb%252Bc%2525d+x%3Ay/task/s%2540%2A@1/", attempts=1)),
    ]  # fmt: skip
