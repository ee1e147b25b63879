"""What changed as plain rows of text."""

from typing import Any

from made_rows import OTHER_KEY, Made, row

from ledger.projections import View, empty, fold
from ledger.report import Sheet, changes_sheets, diff
from ledger.rules import parse_policy, shipped

POLICY = parse_policy(shipped()["status/replaybook"])
CELL = "system/claux+a%2Fb+high/task/s@1/"
SYSTEM = "system/claux+a%2Fb+high/task/*/"
TOTAL = "system/*/task/*/"
COSTS = ("0.16620000001", "0.00000000017", "0.00000000002")


def history() -> Made:
    """Return three repairs, so that a price is a fraction of them."""
    made = Made()
    made.imported(
        "v", [row(n, model="a/b", effort="high", cost=cost) for n, cost in enumerate(COSTS)]
    )
    return made


def sheets_of(made: Made, size: int, **options: Any) -> list[Sheet]:
    """Return what events from *size* on changed."""
    old = View(fold(empty(), made.events[:size]), (), POLICY)
    return changes_sheets(diff(old, View(fold(empty(), made.events), (), POLICY), size), **options)


def by_figure(sheet: Sheet) -> dict[str, tuple[str, ...]]:
    """Return path to the other cells."""
    return {cells[2]: (*cells[:2], cells[3]) for cells in sheet.rows}


def test_groups_and_causes() -> None:
    """Totals come first, a path stands whole in its row, and each cause is told once below."""
    made = history()
    size = made.size
    attempt = row(0, model="a/b", effort="high").attempt
    made.corrected(attempt, reward=0, failure_category="x")
    total, system, cell, causes = sheets_of(made, size)
    assert [one.title for one in (total, system, cell, causes)] == [
        "every system, every task",
        "claux a/b high, every task",
        "claux a/b high, s@1",
        "causes",
    ]
    for sheet, prefix in ((total, TOTAL), (system, SYSTEM), (cell, CELL)):
        assert by_figure(sheet)[f"{prefix}pass_rate"] == ("3/3 → 2/3", str(size), "")
        assert sheet.unbroken == ("figure", "exactly")
        assert {len(cells) for cells in sheet.rows} == {len(sheet.headings)}
    assert by_figure(total)[f"{TOTAL}price_per_durable_repair_usd"] == (
        "0.0554 → 0.0831",
        str(size),
        "831000001/15000000000 → 0.0831000001",
    )
    assert by_figure(total)[f"{TOTAL}failure_categories"] == ("none → x 1", str(size), "")
    assert causes.rows == (
        (str(size), f"corrected {attempt[:12]}: failure_category is x, reward is 0"),
    )


def test_totals_only() -> None:
    """Only the totals, and how much is left out; nothing is said of causes of the rest."""
    made = history()
    size = made.size
    made.imported("w", [row(9, model="other", reward=0)])
    total, rest, causes = sheets_of(made, size, totals_only=True)
    assert total.title == "every system, every task"
    assert rest.notes == (f"{31 * 2} figures by system and task changed too.",)
    assert [cells[0] for cells in causes.rows] == [str(size + 2)]


def test_small_differences_show() -> None:
    """An amount has as many places as its difference needs, and what is not 0 is never 0."""
    made = history()
    size = made.size
    made.excluded(row(1, model="a/b", effort="high").attempt)
    rows = by_figure(sheets_of(made, size)[0])
    change, _, exactly = rows[f"{TOTAL}evaluated_spend_usd"]
    assert change == "0.1662000002 → 0.1662"
    assert exactly == "0.1662000002 → 0.16620000003"
    assert rows[f"{TOTAL}excluded_spend_usd"][0] == "none → 0.0000000002"
    assert rows[f"{TOTAL}excluded_spend_usd"][2] == "none → 0.00000000017"


def test_added_and_removed() -> None:
    """A figure that came or went has one value, and a word for what became of it."""
    made = history()
    size = made.size
    made.imported("w", [row(5, scenario="t")], key=OTHER_KEY)
    sheets = sheets_of(made, size)
    cells = {figure: cells for sheet in sheets[:-1] for figure, cells in by_figure(sheet).items()}
    assert cells[f"{TOTAL}passed"][0] == "removed: 3"
    assert cells[f"cohort/000000000000/{TOTAL}passed"][0] == "added: 3"
    assert cells[f"cohort/010101010101/{TOTAL}evaluated_spend_usd"][0] == "added: unknown"
    titles = [sheet.title for sheet in sheets]
    assert "every system, every task, cohort 010101010101" in titles
    assert titles[-1] == "causes"


def test_many_causes() -> None:
    """Rows of a release share a line, and numbers that follow each other a span."""
    made = history()
    size = made.size
    made.imported("w", [row(n, model="other") for n in range(6)])
    for number in (0, 2, 4):
        made.excluded(row(number, model="other").attempt)
    *_, causes = sheets_of(made, size)
    first = size + 2
    assert causes.rows[0] == (f"{first}–{first + 5}", "6 rows of w")
    assert len(causes.rows) == 4
    total = by_figure(sheets_of(made, size)[0])
    assert total[f"{TOTAL}attempts"][1] == f"{first}–{first + 8}"
    assert total[f"{TOTAL}excluded"][1] == (
        f"{first}, {first + 2}, {first + 4}, {first + 6}–{first + 8}"
    )
    made.excluded(row(1, model="other").attempt)
    made.excluded(row(1, model="a/b", effort="high").attempt)
    total = by_figure(sheets_of(made, size)[0])
    assert total[f"{TOTAL}excluded"][1] == (
        f"{first}–{first + 2}, {first + 4}, {first + 6}–{first + 10}"
    )


def test_nothing_changed() -> None:
    """Two equal sets of figures have no table."""
    made = history()
    assert sheets_of(made, made.size) == []
