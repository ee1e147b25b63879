"""Scores of two versions of a task in one column.

A task was mended and kept its name: scores from before and after stood in one column, some of them
off by half. Here a version is part of a task's name. Rows of two versions are never one cell, and a
release that has both has a gap for each system that ran only one.
"""

from cases.desk import Desk, flags_of
from cases.releases import release, three


def test_two_versions_are_two_tasks(desk: Desk) -> None:
    """Each version has a cell of its own; the gaps are counted."""
    rows = [
        *three("failed", "failed", "failed"),
        *three("repaired", "repaired", "failed", scenario_version=2, model="maker/second"),
    ]
    report = desk.take(release("20260302.0.0", rows))[0]
    assert flags_of(report) == {"incomplete_rectangle": 2}
    cells = {
        (cell["scenario_version"], cell["model"]): cell["pass_rate"]
        for cell in desk.board()["by_scenario_model"]
    }
    assert cells == {(1, "maker/first"): "0/3", (2, "maker/second"): "2/3"}
    desk.stands()
