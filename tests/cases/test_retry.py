"""A retry that takes the place of a failure.

Harnesses ran failed trials again and kept the newest result of each, or the best: what was printed
as a rate of first attempts was one of the best of several. Where the failure is gone from the file,
nobody can see it. Here a row that its source reports no more stays in the ledger with its failure
and its cost, the import names it, and both the table of the release and that of the ledger say that
something was dropped.
"""

import copy

from cases.desk import Desk, counts
from cases.releases import release, row, three

FIRST = three("repaired", "failed", "repaired")
NAME = "20260302.0.0"


def test_a_failure_that_was_replaced_stays_in_the_ledger(desk: Desk) -> None:
    """Under the old name the second trial is another one now, and passed."""
    desk.take(release(NAME, FIRST))
    failed = desk.attempts()[1]["attempt"]
    desk.freeze("before")
    again = [FIRST[0], row(2, "repaired", begins=9), FIRST[2]]
    report = desk.take(release(NAME, again))[0]
    assert (report["superseded"], report["new"], report["known"]) == (1, 1, 2)
    assert (report["dropped"], report["editions"]) == ([failed], ["before"])
    assert "no longer reported: 1 attempt" in _told(desk, again)

    newest = desk.totals("--edition", NAME)
    assert (newest["pass_rate"], newest["flags"]) == ("3/3", ["dropped_by_source"])
    ledger = desk.totals()
    assert counts(ledger) == (4, 4, 0, 0, 0)
    assert (ledger["pass_rate"], ledger["evaluated_spend_usd"]) == ("3/4", "1")
    assert ledger["flags"] == ["dropped_by_source"]
    (dropped,) = (one for one in desk.attempts() if one["attempt"] == failed)
    assert (dropped["outcome"], dropped["flags"], dropped["releases"]) == (
        "failed",
        ["dropped_by_source"],
        [],
    )
    assert desk.rate("--edition", "before") == "2/3"
    desk.stands()


def test_a_failure_that_was_rewritten_is_told_field_by_field(desk: Desk) -> None:
    """The same trial, now a repair: the newest report governs, and says that it did not always."""
    desk.take(release(NAME, FIRST))
    rewritten = copy.deepcopy(FIRST)
    rewritten[1] |= {"reward": 1, "failure": None, "failure_category": None}
    report = desk.take(release(NAME, rewritten))[0]
    assert [change["attempt"] for change in report["changed"]] == [desk.attempts()[1]["attempt"]]
    assert {"field": "reward", "old": 0, "new": 1} in report["changed"][0]["fields"]
    assert desk.attempts()[1]["flags"] == ["repeat_differs", "reward_contradicts_phases"]
    assert desk.totals()["flags"] == ["repeat_differs", "reward_contradicts_phases"]


def test_a_failure_that_is_only_left_out_is_dropped_too(desk: Desk) -> None:
    """Two of two is less than was planned, and the third is not forgotten."""
    desk.take(release(NAME, FIRST))
    desk.take(release(NAME, [FIRST[0], FIRST[2]]))
    newest = desk.totals("--edition", NAME)
    assert desk.rate("--edition", NAME) == "2/2"
    assert newest["flags"] == ["dropped_by_source", "fewer_than_3_attempts"]
    assert desk.rate() == "2/3"


def test_a_failure_that_a_later_release_leaves_out_is_counted(desk: Desk) -> None:
    """Under a name of its own it repeats two trials, and has another in place of the third."""
    later = [FIRST[0], row(2, "repaired", begins=9), FIRST[2]]
    report = desk.take(release(NAME, FIRST), release("20260303.0.0", later))[1]
    assert (report["superseded"], report["dropped"]) == (0, [])
    selected = ("--edition", "20260303.0.0")
    assert desk.rate(*selected) == "3/3"
    assert desk.board(*selected)["release_flags"] == [
        {"release": "20260303.0.0", "flag": "repeats_in_part", "count": 1, "first": ""}
    ]
    assert desk.rate() == "3/4"
    assert desk.board("--edition", NAME)["release_flags"] == []


def test_a_release_that_repeats_whole_cells_leaves_nothing_out(desk: Desk) -> None:
    """Another task, a system less, more attempts: all that it repeats it repeats in full."""
    other = three("failed", "failed", "failed", model="maker/second")
    more = [*FIRST, row(4, "failed"), *three("failed", "failed", "failed", scenario="102-lost-key")]
    desk.take(release(NAME, [*FIRST, *other]), release("20260303.0.0", more))
    assert desk.board()["release_flags"] == []


def _told(desk: Desk, rows: list[dict[str, object]]) -> str:
    """Return what people are told when the file is taken into a ledger that has the first."""
    made = release(NAME, FIRST)
    made["title"] = "as at first"
    desk.take(made)
    made = release(NAME, rows)
    made["title"] = "once more"
    desk.write(made)
    return str(desk.run("import", f"{NAME}.json").out)
