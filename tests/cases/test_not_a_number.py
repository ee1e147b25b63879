"""A score that is no number.

A judge that crashes leaves NaN. Some tools let it spread until the mean of the whole run was NaN;
some left it out of sum and count, so that whoever crashed the judge on its worst answers scored
better; some compared it with the pass mark and called it a failure. Here a reward that is no number
is no reward: the row is set aside with its bytes and named, and no figure holds it.
"""

from cases.desk import Desk, counts, flags_of
from cases.releases import release, three

NAN, ENDLESS = float("nan"), float("inf")


def test_a_reward_that_is_no_number_is_set_aside_and_named(desk: Desk) -> None:
    """Neither passed nor failed; the import exits 1, and the table says that one row is missing."""
    rows = three("repaired", "failed", "repaired", "repaired")
    rows[1]["reward"] = NAN
    report = desk.take(release("20260302.0.0", rows, attempts=4), refused=True)[0]
    (problem,) = report["problems"]
    assert (problem["code"], problem["pointer"]) == ("E_NOT_FINITE", "/runs/1/reward")
    assert (report["new"], report["quarantined"]) == (3, 1)
    assert flags_of(report) == {"incomplete_rectangle": 1}
    totals = desk.totals()
    assert (counts(totals), totals["pass_rate"]) == ((3, 3, 0, 0, 0), "3/3")
    assert {"set_aside", "incomplete_rectangle"} == {
        one["flag"] for one in desk.board()["release_flags"]
    }
    desk.stands()


def test_a_cost_that_is_no_number_is_unknown(desk: Desk) -> None:
    """The trial counts; its cost does not, and the sum is a lower bound."""
    rows = three("repaired", "failed", "repaired")
    rows[0]["usage"]["cost_usd"], rows[1]["usage"]["cost_usd"] = NAN, ENDLESS
    report = desk.take(release("20260302.0.0", rows))[0]
    assert flags_of(report) == {"cost_not_finite": 2}
    assert {problem["code"] for problem in report["problems"]} == {"E_COST_NOT_FINITE"}
    totals = desk.totals()
    assert (totals["pass_rate"], totals["evaluated_spend_usd"]) == ("2/3", "0.25")
    assert (totals["cost_status"], totals["price_per_durable_repair_usd"]) == (
        "lower_bound",
        "0.125",
    )
