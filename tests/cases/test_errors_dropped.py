"""Errors that leave the denominator without a trace.

Other harnesses divided by the samples that happened to succeed. Where ten of a hundred died on
the way, the rate that they printed was over ninety, and nothing beside it said so. Here an attempt
that could not be evaluated is a row like any other: the rate says what it is over, the number of
those that are not in it stands next to it, and a record that could not even be read is named.
"""

from cases.desk import Desk, counts, flags_of
from cases.releases import release, row, three


def test_what_was_not_evaluated_is_counted_beside_the_rate(desk: Desk) -> None:
    """Two of five were lost: the rate is over three, and says so; all five are there."""
    rows = three("repaired", "failed", "repaired", "unavailable", "unavailable")
    for lost in rows[3:]:
        lost["usage"] = None
    desk.take(release("20260302.0.0", rows, attempts=5))
    totals = desk.totals()
    assert counts(totals) == (5, 3, 2, 0, 0)
    assert desk.rate() == "2/3"
    assert totals["unavailable_categories"] == {"provider_unavailable": 2}
    assert (totals["unavailable_spend_usd"], totals["unavailable_cost_status"]) == (None, "unknown")
    outcomes = [attempt["outcome"] for attempt in desk.attempts()]
    assert outcomes == ["repaired", "failed", "repaired", "unavailable", "unavailable"]
    shown = desk.run("leaderboard").out
    assert "Repairs are counted over 3 evaluated of 5 attempts; 2 unavailable" in shown
    desk.stands()


def test_an_error_after_progress_can_be_counted_in(desk: Desk) -> None:
    """It is flagged, and under the other rule for it the rate is over all; neither is hidden."""
    report = desk.take(release("20260302.0.0", three("repaired", "unavailable", "repaired")))[0]
    assert flags_of(report) == {"spend_on_unavailable": 1, "unavailable_after_progress": 1}
    assert desk.explain("pass_rate")["value"] == [2, 2]
    assert desk.under("pass_rate", status={"after_progress": "evaluated"}) == [2, 3]
    assert desk.totals()["flags"] == [
        "fewer_than_3_evaluated",
        "spend_on_unavailable",
        "unavailable_after_progress",
    ]


def test_an_exclusion_leaves_the_rate_and_stays_in_sight(desk: Desk) -> None:
    """Who takes an attempt out signs for it; it stays counted, with what it cost."""
    desk.take(release("20260302.0.0", three("repaired", "failed", "repaired")))
    failed = desk.attempts()[1]["attempt"]
    desk.decide(
        "exclude", "--target", failed, "--class", "infrastructure", "--evidence", "host journal"
    )
    totals = desk.totals()
    assert counts(totals) == (3, 2, 0, 1, 0)
    assert (totals["pass_rate"], totals["excluded_spend_usd"]) == ("2/2", "0.25")
    assert [attempt["state"] for attempt in desk.attempts()] == ["valid", "excluded", "valid"]
    desk.stands()


def test_a_record_that_cannot_be_read_is_named(desk: Desk) -> None:
    """It is no attempt, so no figure counts it; the import and every table say that it is there."""
    odd = row(3, trial_status="crashed")
    made = release("20260302.0.0", [*three("repaired", "failed"), odd])
    report = desk.take(made, refused=True)[0]
    assert (report["new"], report["quarantined"]) == (2, 1)
    assert [problem["code"] for problem in report["problems"]] == ["E_STATUS_UNKNOWN"]
    assert counts(desk.totals()) == (2, 2, 0, 0, 0)
    set_aside = {
        "release": "20260302.0.0",
        "flag": "set_aside",
        "count": 1,
        "first": "/runs/2/trial_status",
    }
    assert set_aside in desk.board()["release_flags"]
    assert "set_aside, 1 in all, the first at /runs/2/trial_status" in desk.run("leaderboard").out
