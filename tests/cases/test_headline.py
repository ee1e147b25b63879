"""A headline that the rows do not give.

A published table led with a rate of a hundred and thirty trials that nobody could find; another
printed a rate while the results of its single cases, in the same repository, gave a far lower one.
Here figures come from rows alone. What a release says of itself is compared with its rows, and each
sum that they do not give is counted, in the import and beside the table.
"""

from cases.desk import Desk, counts, flags_of
from cases.releases import release, three


def test_figures_come_from_rows_and_the_headline_is_flagged(desk: Desk) -> None:
    """58 of 130 are claimed, and there are three rows."""
    made = release("20260302.0.0", three("repaired", "failed", "failed"))
    made["totals"] = {"trials": 130, "passed": 58, "pass_rate": 0.446}
    report = desk.take(made)[0]
    assert flags_of(report) == {"aggregate_mismatch": 3}
    totals = desk.totals()
    assert (counts(totals), totals["pass_rate"]) == ((3, 3, 0, 0, 0), "1/3")
    assert desk.board()["release_flags"] == [
        {
            "release": "20260302.0.0",
            "flag": "aggregate_mismatch",
            "count": 3,
            "first": "/totals/trials",
        }
    ]
    desk.stands()


def test_a_system_without_a_row_is_not_in_the_table(desk: Desk) -> None:
    """A line for a model that ran nowhere is a claim, and nothing else."""
    made = release("20260302.0.0", three("repaired", "failed", "failed"))
    made["by_model"] = [
        {"model": "maker/first", "trials": 3, "passed": 1},
        {"model": "maker/awaited", "trials": 3, "passed": 3},
    ]
    report = desk.take(made)[0]
    assert [(flag["flag"], flag["pointer"]) for flag in report["flags"]] == [
        ("aggregate_mismatch", "/by_model/1")
    ]
    assert [system["model"] for system in desk.board()["by_model"]] == ["maker/first"]


def test_a_table_that_is_not_whole_says_so(desk: Desk) -> None:
    """A system that skipped a task it would fail is compared with one that did not."""
    rows = [
        *three("repaired", "repaired", "repaired"),
        *three("failed", "failed", "failed", scenario="102-lost-key"),
        *three("repaired", "repaired", "repaired", model="maker/second"),
    ]
    report = desk.take(release("20260302.0.0", rows))[0]
    assert flags_of(report) == {"incomplete_rectangle": 1}
    board = desk.board()
    assert [(one["model"], one["pass_rate"]) for one in board["by_model"]] == [
        ("maker/second", "3/3"),
        ("maker/first", "3/6"),
    ]
    assert [one["flag"] for one in board["release_flags"]] == ["incomplete_rectangle"]
