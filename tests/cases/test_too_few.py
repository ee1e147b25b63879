"""One lucky trial that reads like a rate.

A measure of reliability over two trials was printed as 0 for a run of one, and a single success as
100 %: neither had been measured. Here fewer than three attempts of a system at a task are a smoke
run. They count as what they are, a fraction with its two numbers, and the flag says the rest.
"""

from cases.desk import Desk, flags_of
from cases.releases import release, three


def test_fewer_than_three_attempts_say_so_wherever_they_stand(desk: Desk) -> None:
    """1 of 1 is shown as a fraction, never as a share, and flagged by import, cell and system."""
    report = desk.take(release("20260302.0.0", three("repaired"), attempts=1))[0]
    assert flags_of(report) == {"fewer_than_3_attempts": 1}
    board = desk.board()
    for row in (board["totals"], board["by_model"][0], board["by_scenario_model"][0]):
        assert (row["pass_rate"], row["flags"]) == ("1/1", ["fewer_than_3_attempts"])
    desk.stands()


def test_lost_attempts_do_not_make_three(desk: Desk) -> None:
    """Three were run and one was evaluated: that is another flag."""
    rows = three("repaired", "unavailable", "unavailable")
    for lost in rows[1:]:
        lost["usage"] = None
    desk.take(release("20260302.0.0", rows))
    totals = desk.totals()
    assert (totals["pass_rate"], totals["flags"]) == ("1/1", ["fewer_than_3_evaluated"])
