"""A timeout that has a reward all the same.

An agent that runs out of time is still verified, so a trial can carry a timeout and a real reward.
Other harnesses threw such trials out as errors, which forgave whoever was slow: one repair and two
timeouts scored like three repairs. Here running out of time is an outcome of the agent: it counts
as what was verified within the limit, it is flagged, and what was repaired only later is recorded
and never scored.
"""

from cases.desk import Desk, counts, flags_of
from cases.releases import Row, release, three


def _late(row: Row) -> Row:
    after = {"durable_repair": True, "failure": None, "failure_category": None}
    return row["verification"] | {"after_agent_timeout": after}


def test_a_timeout_counts_as_what_was_verified(desk: Desk) -> None:
    """One repair and two timeouts are 1 of 3, and not 1 of 1."""
    rows = three("repaired", "failed", "failed")
    for slow in rows[1:]:
        slow |= {"agent_duration_seconds": 600, "failure_category": "agent_timeout"}
    desk.take(release("20260302.0.0", rows))
    totals = desk.totals()
    assert counts(totals) == (3, 3, 0, 0, 0)
    assert desk.rate() == "1/3"
    assert totals["failure_categories"] == {"agent_timeout": 2}
    desk.stands()


def test_a_repair_at_the_limit_is_one_and_over_it_is_flagged(desk: Desk) -> None:
    """The reward stands as reported; that the agent took longer than it may is said beside it."""
    rows = three("repaired", "repaired", "repaired")
    rows[1]["agent_duration_seconds"] = 600
    rows[2]["agent_duration_seconds"] = 601
    report = desk.take(release("20260302.0.0", rows))[0]
    assert flags_of(report) == {"duration_over_timeout": 1}
    assert desk.rate() == "3/3"
    assert [attempt["flags"] for attempt in desk.attempts()] == [[], [], ["duration_over_timeout"]]


def test_a_repair_after_the_time_is_recorded_and_not_scored(desk: Desk) -> None:
    """It has a count of its own; only under another rule would it be a repair."""
    rows = three("repaired", "failed", "failed")
    rows[1]["verification"] = _late(rows[1])
    desk.take(release("20260302.0.0", rows))
    totals = desk.totals()
    assert (totals["pass_rate"], totals["repairs_after_timeout"]) == ("1/3", 1)
    assert desk.under("pass_rate", repair={"after_timeout": "scored"}) == [2, 3]
    desk.stands()


def test_a_reward_for_a_repair_after_the_time_is_flagged(desk: Desk) -> None:
    """The source gives 1, and says that the repair was late: it counts as reported, and is odd."""
    rows = three("repaired", "failed", "failed")
    rows[0]["verification"] = _late(rows[0])
    desk.take(release("20260302.0.0", rows))
    assert desk.rate() == "1/3"
    assert desk.attempts()[0]["flags"] == ["late_repair_scored"]
    assert desk.totals()["flags"] == ["late_repair_scored"]
