"""Reports as plain rows of text."""

from typing import Any

from made_rows import OTHER_KEY, Made, row

from ledger.projections import empty, figures, fold
from ledger.report import (
    attempts,
    attempts_sheet,
    changed,
    changes_sheet,
    leaderboard,
    leaderboard_sheets,
)
from ledger.rules import parse_policy, shipped

POLICY = parse_policy(shipped()["status/replaybook"])


def history() -> Made:
    """Return three systems: with a bound, with nothing known, with nothing evaluated."""
    made = Made()
    made.imported(
        "v",
        [
            row(1, cost="2", duration="9"),
            row(2, model="dear"),
            row(3, model="gone", status="unavailable", reward=0, category="x"),
            row(4),
        ],
    )
    return made


def test_leaderboard() -> None:
    """Unknown is a word and never 0; what does not exist is none; a bound is marked."""
    board = leaderboard(figures(fold(empty(), history().events), (), POLICY), POLICY)
    systems, tasks = leaderboard_sheets(board)
    assert (systems.title, tasks.title) == ("systems", "tasks")
    rows = {cells[0]: dict(zip(systems.headings, cells, strict=True)) for cells in systems.rows}
    assert list(rows) == ["claux dear", "claux m", "claux gone", "all"]
    assert rows["claux m"]["repairs"] == "2/2"
    assert rows["claux m"]["USD per repair"] == "≥ 1"
    assert rows["claux m"]["spend, USD"] == "≥ 2"
    assert rows["claux dear"]["USD per repair"] == "unknown"
    assert rows["claux dear"]["spend, USD"] == "unknown"
    assert rows["claux dear"]["median, s"] == "unknown"
    assert rows["claux gone"]["repairs"] == "0/0"
    assert rows["claux gone"]["USD per repair"] == "none"
    assert rows["claux gone"]["spend, USD"] == "none"
    assert rows["claux gone"]["median, s"] == "none"
    assert "nothing_evaluated" in rows["claux gone"]["flags"]
    assert [cells[:2] for cells in tasks.rows] == [
        ("s@1", "claux dear"),
        ("s@1", "claux gone"),
        ("s@1", "claux m"),
    ]


def test_cohorts() -> None:
    """Each cohort has tables of its own, named after it."""
    made = history()
    made.imported("w", [row(5, effort="high")], key=OTHER_KEY)
    board = leaderboard(figures(fold(empty(), made.events), (), POLICY), POLICY)
    titles = [sheet.title for sheet in leaderboard_sheets(board)]
    assert titles == [
        "systems, cohort 000000000000",
        "tasks, cohort 000000000000",
        "systems, cohort 010101010101",
        "tasks, cohort 010101010101",
    ]
    assert leaderboard_sheets(board)[2].rows[0][0] == "claux m high"


def test_attempts() -> None:
    """A row for each attempt, as wide as its headings."""
    sheet = attempts_sheet(attempts(fold(empty(), history().events), (), POLICY))
    assert len(sheet.rows) == 4
    assert {len(cells) for cells in sheet.rows} == {len(sheet.headings)}
    assert sheet.rows[0][1:] == ("claux+m", "s@1", "repaired", "valid", "", "2", "")
    assert sheet.rows[2][3:] == ("unavailable", "valid", "x", "unknown", "")


def test_changes() -> None:
    """What was added has no old value, what was removed no new one."""
    document: dict[str, Any] = changed({"a": 1, "c": 1}, {"b": 2, "c": None}, lambda path: [7, 9])
    assert changes_sheet(document).rows == (
        ("a", "1", "", "7, 9"),
        ("b", "", "2", "7, 9"),
        ("c", "1", "unknown", "7, 9"),
    )
