"""Errors of the harness that score 0, as if the agent had failed.

Where a trial died before it was verified, other harnesses wrote a score of 0 and averaged it in:
an outage of the provider and a wrong repair became the same number. Here the reward of a trial that
was not evaluated counts nowhere, whatever it is; and a maintainer who finds an evaluated one that
was no failure of the agent's can take it out, with a reason and evidence.
"""

from cases.desk import Desk, counts
from cases.releases import release, three


def test_the_zero_of_a_trial_that_was_not_evaluated_is_no_failure(desk: Desk) -> None:
    """Its reward says 0, and it is neither failed nor in the rate."""
    rows = three("repaired", "unavailable", "repaired", usage=None)
    desk.take(release("20260302.0.0", rows))
    totals = desk.totals()
    assert counts(totals) == (3, 2, 1, 0, 0)
    assert (totals["pass_rate"], totals["failed"]) == ("2/2", 0)
    lost = desk.attempts()[1]
    assert (lost["outcome"], lost["strict_pass"], lost["rewards"]) == (
        "unavailable",
        None,
        {"reward": 0},
    )
    desk.stands()


def test_nor_is_its_one_a_repair(desk: Desk) -> None:
    """Whoever writes 1 beside an outage gains nothing by it."""
    rows = three("failed", "unavailable", "repaired", usage=None)
    rows[1]["reward"] = 1
    desk.take(release("20260302.0.0", rows))
    assert desk.rate() == "1/2"
    assert desk.explain("passed")["value"] == 1


def test_an_outage_that_was_scored_is_taken_out_by_a_decision(desk: Desk) -> None:
    """The source says evaluated and 0; a signed correction says what it was, and both stay."""
    rows = three("repaired", "failed", "repaired")
    rows[1]["failure_category"] = "agent_runtime_error"
    desk.take(release("20260302.0.0", rows))
    failed = desk.attempts()[1]["attempt"]
    done = desk.decide("correct", "--target", failed, "--set", "status=unavailable")
    totals = desk.totals()
    assert (totals["pass_rate"], totals["unavailable"]) == ("2/2", 1)
    listed = desk.attempts()[1]
    assert (listed["proposed"]["class"], listed["outcome"]) == ("evaluated", "unavailable")
    assert done["seq"] in [event["seq"] for event in desk.explain("unavailable")["events"]]
    desk.stands()
