"""Which run a run is: a name of its own, once and for ever (KEEP-7)."""

import json
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import RunOther, RunUnnamed
from ledger.runs.directory import Directory
from ledger.runs.intake.naming import is_name
from ledger.runs.intake.passing import taken_in

AT = "2026-03-01T00:00:00.000000Z"


@pytest.mark.parametrize(
    ("text", "got"),
    [
        (None, "no such file"),
        (b"{}", "no run_id"),
        (b"", "Expecting value: line 1 column 1"),
        (b"\xff\xfe", "byte 0 is not UTF-8"),
        (b'{"run_id": "a", "run_id": "b"}', "the name 'run_id' stands twice in one object"),
        (b'{"run_id": 5}', "'5'"),
        (b'{"run_id": ""}', "''"),
        (b'{"run_id": "a\\nb"}', r"'a\nb'"),
        (b'{"run_id": "\\ud800"}', r"'\ud800'"),
        (b'{"run_id": "e\\u0301"}', r"'e\u0301'"),
        (json.dumps({"run_id": "x" * 257}).encode(), "(257 characters)"),
        (b'["run-01"]', "no run_id"),
    ],
)
def test_a_run_without_a_name_is_refused(
    shelf: Any, run: Any, text: bytes | None, got: str
) -> None:
    """KEEP-7: nothing is appended of a run that nobody could ask for."""
    if text is None:
        (run.root / "run.json").unlink()
    else:
        run.write("run.json", text)
    before = shelf.ledger.head()
    with pytest.raises(RunUnnamed) as caught:
        shelf.take(run)
    assert got in caught.value.got
    assert caught.value.place == "run.json"
    assert shelf.ledger.head() == before


def test_an_empty_directory_is_no_run(shelf: Any, tmp_path: Path) -> None:
    """It says no name either."""
    with pytest.raises(RunUnnamed):
        shelf.take(tmp_path)


def test_a_run_without_a_name_can_be_judged_under_another(run: Any) -> None:
    """KEEP-15: whoever judges a directory as it stands gives the name."""
    (run.root / "run.json").unlink()
    options: dict[str, Any] = {"at": AT, "entropy": __import__("os").urandom}
    with taken_in(Directory(run.root), "a folder", **options) as (ledger, name):
        assert name == "a folder"
        assert ledger.seq_of("run:a folder") is not None
    with pytest.raises(Exception, match="closed"):
        ledger.count()


@pytest.mark.parametrize("field", ["created_at", "task", "harness"])
def test_two_runs_with_one_name_are_refused(shelf: Any, run: Any, field: str) -> None:
    """KEEP-7: a run that began otherwise is another run; nothing of it is appended."""
    shelf.take(run)
    before = shelf.ledger.head()
    run.edit("run.json", **{field: {"name": "another"}})
    run.append("trajectory.jsonl", {"record": "mark"})
    with pytest.raises(RunOther) as caught:
        shelf.take(run)
    assert caught.value.place == f"run.json, {field}"
    assert "run-01" in caught.value.expected
    assert shelf.ledger.head() == before


def test_what_a_run_adds_to_itself_is_a_new_version(shelf: Any, run: Any) -> None:
    """Status, notes, imports and artifacts may change, and numbers stay as they are written."""
    shelf.take(run)
    run.edit("run.json", status="closed", notes=["done"], repo={"commit": "00"})
    assert [one.role for one in shelf.take(run).changed] == ["manifest"]


def test_a_run_is_compared_with_how_it_began(shelf: Any, run: Any) -> None:
    """Not with the version before: names do not wander."""
    shelf.take(run)
    began = run.read("run.json")
    run.write("run.json", b"not JSON")
    shelf.take(run, run="run-01")
    run.write("run.json", began)
    shelf.take(run)
    run.edit("run.json", created_at="2027-01-01T00:00:00Z")
    with pytest.raises(RunOther):
        shelf.take(run)


def test_runs_of_different_names_stand_beside_each_other(shelf: Any, run: Any) -> None:
    """One ledger holds many runs, whatever their names have in them."""
    names = ["run-01", "run-01/trajectory", "run%2F01", "run", "räume"]
    for name in names:
        run.edit("run.json", run_id=name)
        assert shelf.take(run).events > 20
    for name in names:
        assert {file.state for file in shelf.held(run=name).files()} == {"present"}
    run.edit("run.json", run_id="run")
    assert shelf.take(run).events == 0


def test_a_clock_that_goes_back_changes_nothing(shelf: Any, run: Any) -> None:
    """Nothing is ordered by the time that an appender claims."""
    shelf.take(run)
    run.append("trajectory.jsonl", {"record": "mark", "at": "1999-01-01T00:00:00Z"})
    assert shelf.take(run, at="1970-01-01T00:00:00.000000Z").new == 1
    run.append("trajectory.jsonl", {"record": "mark"})
    assert shelf.take(run, at="2026-03-01T00:00:00.000000Z").new == 1
    assert len(shelf.text("trajectory").splitlines()) == 5


@pytest.mark.parametrize(
    ("name", "fits"),
    [("a", True), ("x" * 256, True), ("ä" * 128, True), ("ä" * 129, False), (None, False)],
)
def test_a_name_is_one_line_of_256_bytes(name: object, fits: bool) -> None:
    """Bytes are counted, not letters."""
    assert is_name(name) is fits
