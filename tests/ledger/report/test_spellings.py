"""Names that may be one name in several spellings, as a table and a whole ledger show them."""

from typing import Any

from made_rows import Made, row

from ledger.projections import empty, figures, fold
from ledger.report import leaderboard, names_alike, names_of, spelling_notes
from ledger.rules import parse_policy, shipped

POLICY = parse_policy(shipped()["status/replaybook"])


def made() -> Made:
    """Return two releases that spell a model, a scenario, an effort and a category twice."""
    found = Made()
    found.imported("v", [row(1, model="maker/first", effort="high", reward=0, category="not_up")])
    found.imported(
        "w",
        [
            row(1, model="First", effort="High", scenario="S", reward=0, category="Not up"),
            row(2, model="second", effort="high"),
        ],
    )
    return found


ALIKE = [
    {"kind": "model", "names": ["First", "maker/first"]},
    {"kind": "reasoning_effort", "names": ["High", "high"]},
    {"kind": "scenario", "names": ["S", "s"]},
    {"kind": "failure_category", "names": ["Not up", "not_up"]},
]


def test_a_ledger_names_them_of_every_kind() -> None:
    """By kind and name; releases that do not share a file are looked at together."""
    assert names_alike(names_of(fold(empty(), made().events))) == ALIKE


def test_a_table_names_those_that_stand_in_it() -> None:
    """They are systems of their own all the same, and what is not selected is not named."""
    state = fold(empty(), made().events)

    def board(*releases: str) -> dict[str, Any]:
        return leaderboard(figures(state, releases, POLICY), POLICY)

    assert board()["names_alike"] == ALIKE
    assert len(board()["by_model"]) == 3
    assert board("v")["names_alike"] == []
    assert board("w")["names_alike"] == ALIKE[1:3]


def test_people_read_a_sentence_for_each_group() -> None:
    """With every spelling in quotation marks."""
    assert spelling_notes(ALIKE[:2]) == (
        "These may be one model, and are counted apart: 'First', 'maker/first'.",
        "These may be one reasoning effort, and are counted apart: 'High', 'high'.",
    )
