"""A run that was resumed with another configuration, under its old name.

Caches and resumed runs were found by a name that left out part of the configuration: a changed
prompt, model or limit met results of the old one, and the table held both as if they were one run.
Here a table holds rows of one set of conditions only. What was run under others, be it under the
same name, stands in a table of its own, and the import says what changed.
"""

from cases.desk import Desk, flags_of
from cases.releases import release, row, three

FIRST = three("repaired", "failed", "failed")
RESUMED = [FIRST[0], row(2, begins=30), row(3, begins=31)]
NAME = "20260302.0.0"


def test_the_same_name_under_another_limit_is_another_table(desk: Desk) -> None:
    """The two failures under the old limit are not put beside repairs under the new one."""
    desk.take(release(NAME, FIRST))
    report = desk.take(release(NAME, RESUMED, agent_timeout_seconds=1200))[0]
    changed = {one["field"]: (one["old"], one["new"]) for one in report["conditions"]}
    assert changed["timeout_s"] == ("600", "1200")
    assert set(changed) == {"timeout_s", "comparability"}
    assert len(report["dropped"]) == 2

    board = desk.board()
    assert (board["totals"], board["by_model"]) == (None, [])
    cohorts = {part["cohort"]: part["totals"] for part in board["cohorts"]}
    old, new = (changed["comparability"][side][:12] for side in (0, 1))
    assert set(cohorts) == {old, new}
    assert (cohorts[old]["pass_rate"], cohorts[new]["pass_rate"]) == ("0/2", "3/3")
    assert cohorts[old]["flags"] == ["dropped_by_source", "fewer_than_3_attempts"]
    assert desk.rate("--edition", NAME) == "3/3"
    assert "dropped_by_source" in desk.totals("--edition", NAME)["flags"]
    desk.stands()


def test_a_trial_that_is_said_to_have_run_under_both_is_flagged(desk: Desk) -> None:
    """One trial cannot have had two limits: whoever repeats it under another says so."""
    desk.take(release(NAME, FIRST))
    report = desk.take(release("20260303.0.0", RESUMED, agent_timeout_seconds=1200))[0]
    (changed,) = report["changed"]
    assert [one["field"] for one in changed["fields"]] == ["comparability"]
    cohorts = {part["totals"]["pass_rate"]: part for part in desk.board()["cohorts"]}
    assert set(cohorts) == {"1/3", "3/3"}
    for part in cohorts.values():
        assert part["totals"]["flags"] == ["conditions_differ"]
    flagged = [one for one in desk.attempts() if "conditions_differ" in one["flags"]]
    assert [one["releases"] for one in flagged] == [[NAME, "20260303.0.0"]]


def test_rows_that_contradict_their_own_release_are_flagged(desk: Desk) -> None:
    """Some rows of one file ran under the new limit, and the file states the old one."""
    rows = three("repaired", "failed", "repaired")
    rows[2]["agent_timeout_seconds"] = 1200
    report = desk.take(release(NAME, rows))[0]
    assert flags_of(report) == {"conditions_contradicted": 1}
    assert report["flags"][0]["pointer"] == "/runs/2"


def test_every_condition_makes_a_table_of_its_own(desk: Desk) -> None:
    """Another version of the harness, another adapter, more attempts: none share a table."""
    changes = (
        {},
        {"harness_version": 8},
        {"agent": {"name": "walker", "adapter": "other", "payload": None}},
        {"agent_harness": {"id": "walker", "version": "1.5.0", "provider": "maker"}},
        {"attempts": 4},
    )
    for day, conditions in enumerate(changes, start=1):
        rows = three("repaired", "failed", "failed")
        for one in rows:
            one["started_at"] = one["started_at"].replace("2026-03-02", f"2026-02-0{day}")
        desk.take(release(f"2026030{day}.0.0", rows, **conditions))
    assert [part["totals"]["pass_rate"] for part in desk.board()["cohorts"]] == ["1/3"] * 5
