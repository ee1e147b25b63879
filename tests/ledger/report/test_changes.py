"""What changed between two sets of figures."""

from typing import Any

from made_rows import Made, row

from ledger.projections import Value, View, empty, fold
from ledger.report import changed, diff
from ledger.rules import parse_policy, shipped

POLICY = parse_policy(shipped()["status/replaybook"])


def causes(path: str) -> list[int]:
    """Return a number that tells the path."""
    return [len(path)]


def test_kinds() -> None:
    """Added, removed and changed figures are apart, each with both values and its causes."""
    old: dict[str, Value] = {"a": 1, "bb": None, "ccc": [1, 2], "same": "x"}
    new: dict[str, Value] = {"bb": "0", "ccc": [2, 2], "dddd": True, "same": "x"}
    assert changed(old, new, causes) == {
        "added": [{"figure": "dddd", "old": None, "new": True, "because": [4]}],
        "removed": [{"figure": "a", "old": 1, "new": None, "because": [1]}],
        "changed": [
            {"figure": "bb", "old": None, "new": "0", "because": [2]},
            {"figure": "ccc", "old": [1, 2], "new": [2, 2], "because": [3]},
        ],
    }


def test_true_is_not_one() -> None:
    """A value of another type is another value, also within lists."""
    old: dict[str, Value] = {"a": 1, "b": [0], "c": [[1]]}
    new: dict[str, Value] = {"a": True, "b": [False], "c": [[1]]}
    assert [one["figure"] for one in changed(old, new, causes)["changed"]] == ["a", "b"]


def test_correction_and_exclusion() -> None:
    """The total of repairs falls by one, and the exclusion is its cause."""
    made = Made()
    repaired = [row(number) for number in range(1, 5)]
    failed = [row(number, reward=0, category="a") for number in range(5, 8)]
    made.imported("v", repaired + failed)
    size = made.size
    correction = made.corrected(row(6).attempt, failure_category="b")
    exclusion = made.excluded(row(1).attempt)
    old = View(fold(empty(), made.events[:size]), ["v"], POLICY)
    new = View(fold(empty(), made.events), ["v"], POLICY)
    document = diff(old, new, size)
    assert (document["added"], document["removed"]) == ([], [])
    by_path: dict[Any, Any] = {one["figure"]: one for one in document["changed"]}
    passed = by_path["system/*/task/*/passed"]
    assert (passed["old"], passed["new"], passed["because"]) == (4, 3, [exclusion])
    assert by_path["system/*/task/*/failure_categories"]["because"] == [correction]
    assert "system/*/task/*/attempts" not in by_path
    unchanged = diff(new, new, made.size)
    assert unchanged == {"added": [], "removed": [], "changed": []}
