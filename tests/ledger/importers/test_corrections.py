"""Corrections that a release reports."""

import json
from typing import Any

import pytest

Document = dict[str, Any]


def correction(release: Document, **fields: Any) -> Document:
    """Return a correction of the row that failed."""
    return {
        "run_id": release["runs"][10]["run_id"],
        "original": {"failure": "before", "failure_category": "agent_error"},
        "changes": {"failure": "after", "failure_category": "disk_still_full"},
        "reason": "because",
        **fields,
    }


def test_a_correction_is_reported_with_its_original(shelf: Any, release: Document) -> None:
    """It carries no author and no date, and none is made up."""
    release["corrections"] = [correction(release)]
    report = shelf.take(release)
    (body,) = shelf.bodies("correction.reported")
    assert body.pop("blobs").keys() == {"record"}
    assert body == {
        "index": 0,
        "author": None,
        "fields": ["failure", "failure_category"],
        "run_id": release["runs"][10]["run_id"],
        "source": 0,
        "attempt": shelf.bodies("attempt.reported")[10]["attempt"],
        "release": "20260301.0.0",
        "category": ["agent_error", "disk_still_full"],
        "decided_at": None,
    }
    assert json.loads(shelf.blob(14, "record")) == release["corrections"][0]
    assert report.events == 15


def test_a_correction_repeated_is_reported_twice(shelf: Any, release: Document) -> None:
    """The source said it twice."""
    release["corrections"] = [correction(release), correction(release)]
    shelf.take(release)
    assert [body["index"] for body in shelf.bodies("correction.reported")] == [0, 1]


@pytest.mark.parametrize("name", ["of-nobody", "twice"])
def test_a_correction_of_no_single_row_names_no_attempt(
    shelf: Any, release: Document, name: str
) -> None:
    """A run_id that no row or that two rows have is no identity."""
    release["runs"][0]["run_id"] = release["runs"][1]["run_id"] = "twice"
    release["corrections"] = [correction(release, run_id=name)]
    shelf.take(release)
    assert shelf.bodies("correction.reported")[0]["attempt"] is None


@pytest.mark.parametrize(
    ("fields", "category"),
    [
        ({"original": None}, [None, "disk_still_full"]),
        ({"changes": {"failure": None}}, ["agent_error", None]),
        ({"changes": {"failure_category": "two\nlines"}}, ["agent_error", None]),
    ],
)
def test_a_correction_may_say_little(
    shelf: Any, release: Document, fields: Document, category: list[str | None]
) -> None:
    """What it does not say, or not in a word, is null."""
    release["corrections"] = [correction(release, **fields)]
    assert shelf.take(release).quarantined == 0
    assert shelf.bodies("correction.reported")[0]["category"] == category


@pytest.mark.parametrize(
    ("broken", "code", "pointer"),
    [
        ({"changes": {"reward": 1}}, "E_CORRECTION_FIELD", "/changes"),
        ({"changes": []}, "E_FIELD", "/changes"),
        ({"changes": {"failure": 3}}, "E_FIELD", "/changes/failure"),
        ({"original": "x"}, "E_FIELD", "/original"),
        ({"run_id": "two\nlines"}, "E_IDENTIFIER", "/run_id"),
    ],
)
def test_a_correction_that_cannot_be_read_is_set_aside(
    shelf: Any, release: Document, broken: Document, code: str, pointer: str
) -> None:
    """Like a row, with its bytes and the reason."""
    release["corrections"] = [correction(release), correction(release, **broken)]
    report = shelf.take(release)
    assert [(problem.code, problem.pointer) for problem in report.problems] == [
        (code, f"/corrections/1{pointer}")
    ]
    assert (report.new, report.quarantined, report.events) == (12, 1, 16)
    assert json.loads(shelf.blob(15, "record")) == release["corrections"][1]


@pytest.mark.parametrize("field", ["run_id", "changes"])
def test_a_correction_of_nothing_is_set_aside(shelf: Any, release: Document, field: str) -> None:
    """Without a row or a change there is nothing to report."""
    release["corrections"] = [correction(release)]
    del release["corrections"][0][field]
    report = shelf.take(release)
    assert [problem.code for problem in report.problems] == ["E_FIELD_MISSING"]
