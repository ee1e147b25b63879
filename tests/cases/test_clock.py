"""A duration below zero, from two clocks.

Start and end were written by two machines whose clocks differed, and the negative time went into
the average as it was. Cutting it off at 0 would have been another invention. Here the row is kept
as reported and flagged, the import names it as a problem, and what counts is no less true for it:
a median, which one wrong clock does not move far.
"""

from cases.desk import Desk, flags_of
from cases.releases import release, three


def test_a_negative_time_is_flagged_and_not_mended(desk: Desk) -> None:
    """The flag reaches attempt, system and total; the repair is a repair."""
    rows = three("repaired", "repaired", "failed")
    rows[0]["agent_duration_seconds"] = -50
    rows[1]["finished_at"] = "2026-03-02T08:00:00Z"
    report = desk.take(release("20260302.0.0", rows))[0]
    assert flags_of(report) == {"finished_before_started": 2}
    assert [problem["code"] for problem in report["problems"]] == ["E_FINISHED_BEFORE_STARTED"] * 2
    assert desk.attempts()[0]["phases"]["agent_execution"] == "-50"
    totals = desk.totals()
    assert (totals["pass_rate"], totals["median_evaluated_duration_s"]) == ("2/3", "180")
    assert totals["flags"] == ["finished_before_started"]
    desk.stands()
