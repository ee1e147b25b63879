"""What changed between two sets of figures."""

from typing import Any

import msgspec
from made_rows import Made, row

from ledger.projections import Value, View, empty, fold
from ledger.report import Wording, changed, diff
from ledger.rules import parse_policy, shipped

POLICY = parse_policy(shipped()["status/replaybook"])


def causes(path: str) -> list[int]:
    """Return a number that tells the path."""
    return [len(path)]


def worded(**figures: Value) -> Wording:
    """Return figures as they are read."""
    return Wording(figures, POLICY)


def test_kinds() -> None:
    """Added, removed and changed figures are apart, each with both values and its causes."""
    old = worded(a=1, bb=None, pass_rate=[1, 2], same="x")
    new = worded(bb="0", pass_rate=[2, 2], dddd=True, same="x")

    def side(name: str, value: object, shown: str | None, state: str | None) -> dict[str, object]:
        return {name: value, f"{name}_shown": shown, f"{name}_state": state}

    assert changed(old, new, causes) == {
        "added": [
            {"figure": "dddd", "unit": ""}
            | side("old", None, None, None)
            | side("new", True, "yes", "known")
            | {"because": [4]}
        ],
        "removed": [
            {"figure": "a", "unit": ""}
            | side("old", 1, "1", "known")
            | side("new", None, None, None)
            | {"because": [1]}
        ],
        "changed": [
            {"figure": "bb", "unit": ""}
            | side("old", None, "unknown", "unknown")
            | side("new", "0", "0", "known")
            | {"because": [2]},
            {"figure": "pass_rate", "unit": "[passed, evaluated]"}
            | side("old", [1, 2], "1/2", "known")
            | side("new", [2, 2], "2/2", "known")
            | {"because": [9]},
        ],
    }


def test_true_is_not_one() -> None:
    """A value of another type is another value, also within lists."""
    document = changed(worded(a=1, b=[0], c=[[1]]), worded(a=True, b=[False], c=[[1]]), causes)
    assert [one["figure"] for one in document["changed"]] == ["a", "b"]


def test_fractions_are_text() -> None:
    """Both parts of a fraction are texts, however large they are; counts stay numbers."""
    small: dict[str, Value] = {"price_per_durable_repair_usd": [1, 3], "passed": 3}
    large: dict[str, Value] = {
        "price_per_durable_repair_usd": [7202249618666667337, 130000000000000000000],
        "passed": 4,
    }
    rows = {
        one["figure"]: one for one in changed(worded(**small), worded(**large), causes)["changed"]
    }
    price = rows["price_per_durable_repair_usd"]
    assert price["old"] == ["1", "3"]
    assert price["old_shown"] == "0.333333333333"
    assert price["new"] == ["7202249618666667337", "130000000000000000000"]
    assert (rows["passed"]["old"], rows["passed"]["new"]) == (3, 4)
    assert "7202249618666667337," not in msgspec.json.encode(rows).decode()


def test_none_is_not_unknown() -> None:
    """What nothing could cost is none, what nobody reports is unknown."""
    made = Made()
    made.imported("v", [row(1, cost="1"), row(2, cost="1"), row(3)])
    size = made.size
    made.excluded(row(3).attempt)
    made.excluded(row(2).attempt)
    rows = {one["figure"]: one for one in differences(made, size)["changed"]}
    spend = rows["system/*/task/*/excluded_spend_usd"]
    assert (spend["old"], spend["old_shown"], spend["old_state"]) == (None, "none", "none")
    assert (spend["new"], spend["new_shown"], spend["new_state"]) == ("1", "≥ 1", "lower_bound")
    spend = rows["system/*/task/*/evaluated_spend_usd"]
    assert (spend["old_shown"], spend["new_shown"]) == ("≥ 2", "1")
    made.excluded(row(1).attempt)
    rows = {one["figure"]: one for one in differences(made, made.size - 1)["changed"]}
    price = rows["system/*/task/*/price_per_durable_repair_usd"]
    assert (price["new"], price["new_shown"], price["new_state"]) == (None, "none", "none")


def differences(made: Made, size: int) -> Any:
    """Return what events from *size* on changed."""
    old = View(fold(empty(), made.events[:size]), ["v"], POLICY)
    return diff(old, View(fold(empty(), made.events), ["v"], POLICY), size)


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
    told = {one["seq"]: one["why"] for one in document["events"]}
    assert told == {
        correction: f"corrected {row(6).attempt}: failure_category is b",
        exclusion: f"excluded {row(1).attempt}: infrastructure",
    }
    by_path: dict[Any, Any] = {one["figure"]: one for one in document["changed"]}
    passed = by_path["system/*/task/*/passed"]
    assert (passed["old"], passed["new"], passed["because"]) == (4, 3, [exclusion])
    assert by_path["system/*/task/*/failure_categories"]["because"] == [correction]
    assert "system/*/task/*/attempts" not in by_path
    unchanged = diff(new, new, made.size)
    assert unchanged == {"added": [], "removed": [], "changed": [], "events": []}
