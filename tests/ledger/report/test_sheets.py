"""Reports as plain rows of text."""

from made_rows import OTHER_KEY, Made, row

from ledger.projections import View, empty, figures, fold
from ledger.report import (
    attempts,
    attempts_sheet,
    explanation,
    explanation_sheet,
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
    assert rows["claux gone"]["spend on unavailable, USD"] == "unknown"
    assert rows["all"]["spend on excluded, USD"] == "none"
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


def test_other_spends_are_bounds_too() -> None:
    """A spend on unavailable or excluded attempts that a cost is missing from is marked."""
    made = Made()
    lost = [row(n, status="unavailable", reward=0, cost=cost) for n, cost in ((1, "2"), (2, None))]
    made.imported("v", [*lost, row(3, cost="4"), row(4), row(5, cost="0.5")])
    for number in (3, 4):
        made.excluded(row(number).attempt)
    board = leaderboard(figures(fold(empty(), made.events), (), POLICY), POLICY)
    sheet = leaderboard_sheets(board)[0]
    total = dict(zip(sheet.headings, sheet.rows[-1], strict=True))
    assert total["spend, USD"] == "0.5"
    assert total["spend on unavailable, USD"] == "≥ 2"
    assert total["spend on excluded, USD"] == "≥ 4"


def test_flags_of_releases() -> None:
    """What is odd about a release as a whole stands in a sentence below the last table."""
    values = figures(fold(empty(), history().events), (), POLICY)
    flags: list[dict[str, object]] = [
        {"release": "v", "flag": "aggregate_mismatch", "count": 2, "first": "/totals/reward"},
        {"release": "v", "flag": "incomplete_rectangle", "count": 1, "first": ""},
    ]
    sheets = leaderboard_sheets(leaderboard(values, POLICY, release_flags=flags))
    assert [sheet.notes for sheet in sheets] == [
        (),
        (
            "Release v: aggregate_mismatch, 2 in all, the first at /totals/reward.",
            "Release v: incomplete_rectangle, 1 in all, the first at the file as a whole.",
        ),
    ]


def test_explanation_of_what_is_known_and_no_figure() -> None:
    """Tokens of several releases are not added up, and the explanation says why (FIG-29)."""
    made = Made()
    made.imported("v", [row(1, tokens=7)])
    made.imported("w", [row(2, tokens=8)])
    view = View(fold(empty(), made.events), (), POLICY)
    document = explanation(view, "system/*/task/*/input_tokens")
    assert (document["value"], document["shown"]) == (None, "unknown")
    assert "several releases" in document["withheld_because"]
    (note,) = explanation_sheet(document).notes
    assert note == f"No figure: {document['withheld_because']}."


def test_explanation() -> None:
    """The value stands above the events, what they add up to below them, and the exact value."""
    made = Made()
    made.imported("v", [row(number, cost=cost) for number, cost in enumerate(("1", "1", "0"))])
    path = "system/*/task/*/price_per_durable_repair_usd"
    view = View(fold(empty(), made.events), (), POLICY)
    sheet = explanation_sheet(explanation(view, path))
    assert sheet.title == f"{path} = 0.666666666667"
    assert [cells[0] for cells in sheet.rows] == ["0", "1", "2", "3", "4"]
    assert sheet.rows[2][2].endswith("row 0 of v, repaired; adds 1 repair, 1 USD")
    assert sheet.notes == (
        "Together: passed 3, evaluated_cost_usd 2, evaluated_cost_missing 0.",
        "Exactly: 2/3",
    )
    sheet = explanation_sheet(explanation(view, "system/*/task/*/flags"))
    assert sheet.notes[0].startswith("Together: attempts 3, evaluated 3,")
    assert explanation_sheet(explanation(view, "system/*/task/*/failed")).rows == ()


def test_attempts() -> None:
    """A row for each attempt, as wide as its headings."""
    sheet = attempts_sheet(attempts(fold(empty(), history().events), (), POLICY))
    assert len(sheet.rows) == 4
    assert {len(cells) for cells in sheet.rows} == {len(sheet.headings)}
    assert sheet.rows[0][1:] == ("claux+m", "s@1", "repaired", "valid", "", "2", "")
    assert sheet.rows[2][3:] == ("unavailable", "valid", "x", "unknown", "")
