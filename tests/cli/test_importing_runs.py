"""``import`` of run directories: what is told, and when it exits 1."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from cli_place import RELEASE, Run


@pytest.fixture
def made(place: Path, run: Run) -> Path:
    """Return a run directory of two records, and a ledger to import it into."""
    folder = place / "mine"
    folder.mkdir()
    files: dict[str, Any] = {
        "run.json": {"run_id": "first", "created_at": "2026-01-01T00:00:00Z"},
        "visibility.json": {"files": []},
        "evidence.json": {"answer": {"path": "answer.json"}},
        "answer.json": {"carts": []},
    }
    for name, said in files.items():
        (folder / name).write_text(json.dumps(said))
    (folder / "task.md").write_text("Do it.\n")
    (folder / "trajectory.jsonl").write_text('{"record": "header"}\n{"record": "mark"}\n')
    run("init", "--ledger", "mine.db", "--keys", "mine-keys")
    return folder


def imported(run: Run, *arguments: object, code: int = 0) -> dict[str, Any]:
    """Import, and return the document."""
    ran = run("import", "--ledger", "mine.db", *arguments, "--json")
    assert ran.code == code
    document: dict[str, Any] = json.loads(ran.out)
    return document


def test_a_run_directory_is_imported(made: Path, run: Run) -> None:
    """The report has the fields of every import."""
    (source,) = imported(run, made)["sources"]
    assert (source["name"], source["format"]) == ("first", "cold-start-run/1")
    assert (source["path"], source["new"], source["known"]) == (str(made), 3, 0)
    assert (source["events"], source["quarantined"], source["superseded"]) == (9, 0, 0)
    assert len(source["sha256"]) == 64
    status = json.loads(run("status", "--ledger", "mine.db", "--json").out)
    assert (status["runs"], status["events"]["trajectory.recorded/1"]) == (1, 2)


def test_importing_again_adds_nothing(made: Path, run: Run) -> None:
    """Nor does a dry run; both say what there is."""
    dry = imported(run, made, "--dry-run")["sources"][0]
    assert (dry["events"], dry["new"], dry["seq"], dry["dry_run"]) == (9, 3, None, True)
    imported(run, made)
    again = imported(run, made)["sources"][0]
    assert (again["events"], again["new"], again["known"]) == (0, 0, 3)
    said = run("import", "--ledger", "mine.db", made).out
    assert said.splitlines()[0] == f"known already: {made}: run first, cold-start-run/1"


def test_what_is_new_and_what_is_missing_is_said(made: Path, run: Run) -> None:
    """In lines for people."""
    said = run("import", "--ledger", "mine.db", made).out
    assert said == (
        f"imported {made}: run first, cold-start-run/1\n  9 events, 3 new, 0 known, 0 set aside\n"
    )
    (made / "answer.json").unlink()
    with (made / "trajectory.jsonl").open("a") as out:
        out.write('{"record": "call", "tool": "e\u0301"}\nnonsense\n')
    ran = run("import", "--ledger", "mine.db", made)
    assert ran.code == 1
    assert ran.out.splitlines()[1:] == [
        "  4 events, 2 new, 3 known, 1 set aside",
        "  2 files changed since, kept beside what was there",
        "  absent: answer.json",
        "  flag unfit:tool: 1, first at trajectory.jsonl:3",
    ]
    assert "problem[not_json]: trajectory.jsonl:4: got text that is not JSON" in ran.err
    assert "hint: look at the text" in ran.err
    assert run("import", "--ledger", "mine.db", made).code == 1


def test_files_and_runs_are_imported_together(made: Path, run: Run) -> None:
    """Each is refused by itself."""
    shutil.copytree(made, made.parent / "other")
    (made.parent / "other" / "run.json").write_text('{"run_id": "first", "created_at": "later"}')
    empty = made.parent / "empty"
    empty.mkdir()
    document = imported(run, made, "results.json", "other", empty, code=1)
    assert [one["name"] for one in document["sources"]] == ["first", RELEASE]
    codes = [one["error"]["code"] if "error" in one else one["code"] for one in document["refused"]]
    assert codes == ["E_RUN_OTHER", "E_SOURCE_DIRECTORY"]


@pytest.mark.parametrize("name", ["run.json", None])
def test_a_run_without_a_name_is_refused(made: Path, run: Run, name: str | None) -> None:
    """It says what to do, and nothing is appended."""
    if name is None:
        (made / "run.json").unlink()
    else:
        (made / name).write_text("{")
    ran = run("import", "--ledger", "mine.db", made)
    assert ran.code == 1
    assert ran.err.startswith("error[E_RUN_UNNAMED]: run.json: got ")
    assert json.loads(run("status", "--ledger", "mine.db", "--json").out)["runs"] == 0


def test_the_format_can_be_given(made: Path, run: Run) -> None:
    """Then a folder is read as one, whatever it looks like."""
    assert imported(run, made, "--format", "cold-start-run/1")["sources"][0]["new"] == 3
    (made / "run.json").unlink()
    (made / "trajectory.jsonl").unlink()
    ran = run("import", "--ledger", "mine.db", "--format", "cold-start-run/1", made)
    assert (ran.code, "E_RUN_UNNAMED" in ran.err) == (1, True)
    ran = run("import", "--ledger", "mine.db", "--format", "replaybook-release/1", made)
    assert (ran.code, "E_SOURCE_DIRECTORY" in ran.err) == (1, True)
    ran = run("import", "--ledger", "mine.db", "--format", "cold-start-run/1", "results.json")
    assert ran.code == 1


def test_a_folder_that_is_no_run_is_told_what_one_is(place: Path, run: Run) -> None:
    """It is neither a file nor a run, and the hint says what would make it one."""
    (place / "plain").mkdir()
    ran = run("import", "plain")
    assert (ran.code, "a folder that is no run" in ran.err) == (1, True)
    assert "run.json" in " ".join(ran.err.split())
