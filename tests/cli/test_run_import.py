"""``run import-pi``: what it prints, what it changes, and how it ends."""

import json
from pathlib import Path

import pytest
from cli_place import Run
from pi_sessions import Made, call, text, thought, usage


@pytest.fixture
def opened(place: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a run that was opened before the sessions of the tests began."""
    (place / "task.md").write_text("Look around.\n")
    monkeypatch.setattr("cli.running.now", lambda: "2026-01-01T00:00:00.000000Z")
    assert run("run", "init", "--run-dir", "r", "--task-file", "task.md").code == 0
    return place / "r"


def write(place: Path, made: Made) -> None:
    """Write the session."""
    (place / "s.jsonl").write_bytes(made.data())


def test_a_session_is_imported_and_the_run_validates(place: Path, opened: Path, run: Run) -> None:
    """Case P1: two calls, two results, a copy with its digest; and then nothing is wrong."""
    write(place, Made().calls("c1", "c2").result("c1").result("c2", isError=True))
    ran = run("run", "import-pi", "--run-dir", "r", "--session", "s.jsonl", "--json")
    assert ran.code == 0
    assert (ran.json["calls"], ran.json["results"], ran.json["errors"]) == (2, 2, 1)
    assert (ran.json["added"], ran.json["problems"]) == (4, [])
    (entry,) = json.loads((opened / "run.json").read_bytes())["imports"]
    assert entry["sha256"] == ran.json["sha256"]
    assert run("run", "validate", "--run-dir", "r").code == 0


def test_an_open_call_is_imported_and_the_run_does_not_validate(
    place: Path, opened: Path, run: Run
) -> None:
    """Case P2: importing is no judgement; validating is."""
    write(place, Made().calls("c1", "c2").result("c1"))
    ran = run("run", "import-pi", "--run-dir", "r", "--session", "s.jsonl")
    assert ran.code == 0
    assert "2, 1 without a result" in ran.out
    assert "problem[E_PI_UNANSWERED]: s.jsonl, line 2, call 'c2'" in ran.err
    assert "hint: the run will not validate: record the result; with the status open" in ran.err
    assert run("run", "validate", "--run-dir", "r").code == 1
    assert opened.is_dir()


def test_a_call_that_got_its_result_by_hand_is_no_problem_any_more(
    place: Path, opened: Path, run: Run
) -> None:
    """The session is as it was, the run is not (PI-13)."""
    write(place, Made().calls("c1", "c2").result("c1"))
    words = ("run", "import-pi", "--run-dir", "r", "--session", "s.jsonl")
    assert "E_PI_UNANSWERED" in run(*words).err
    said = ("--call-id", "c2", "--status", "open")
    assert run("run", "result", "--run-dir", "r", *said).code == 0
    assert "E_PI_UNANSWERED" not in run(*words).err
    assert run("run", "validate", "--run-dir", "r").code == 0
    assert opened.is_dir()


def test_what_is_printed(place: Path, opened: Path, run: Run) -> None:
    """What was left out, and what it cost, stand there; no text of the session does."""
    made = Made().user("A secret.").turn(thought("Hm."), text("Well."), call("c0"), stop="toolUse")
    made.result("c0").back("a1").calls("c1", usage=usage(0.25)).result("c1", "x" * 40)
    write(place, made.turn(text("Done."), stop="stop", usage=usage(None)))
    ran = run("run", "import-pi", "--run-dir", "r", "--session", "s.jsonl", "--max-text", 20)
    assert ran.code == 0
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert lines[0].startswith("imported s.jsonl: imports/s.jsonl ")
    assert lines[1:] == [
        "session s1, version 3",
        "records 2 records new, 0 known",
        "calls 1, 0 without a result",
        "results 1, 0 failed, 1 cut",
        "left out 2 texts, 0 of reasoning, 2 entries of other branches with 1 call",
        "cost 0.25 USD, and 1 turn without a cost",
    ]
    assert not ran.err
    assert len(list((opened / "imports" / "results").iterdir())) == 1


def test_a_line_that_cannot_be_read(place: Path, opened: Path, run: Run) -> None:
    """All others are imported; the exit code says that one was not."""
    made = Made().calls("c1").result("c1").line('{"type":"mess').line("[]").line("[]")
    write(place, made)
    ran = run("run", "import-pi", "--run-dir", "r", "--session", "s.jsonl")
    assert ran.code == 1
    assert "2 records new" in ran.out
    assert "problem[E_JSON_TRUNCATED]: s.jsonl, line 4" in ran.err
    assert "problem[E_PI_ENTRY]: s.jsonl, line 5" in ran.err
    assert "and 1 more: line 6" in ran.err
    assert "3 lines cannot be read" in ran.err
    again = run("run", "import-pi", "--run-dir", "r", "--session", "s.jsonl")
    assert again.code == 1
    assert again.out.startswith("known already: s.jsonl: ")
    assert opened.is_dir()


def test_a_session_is_taken_into_a_ledger_too(place: Path, opened: Path, run: Run) -> None:
    """With --ledger the run is in the ledger when the command ends."""
    write(place, Made().calls("c1").result("c1"))
    ran = run(
        "run", "import-pi", "--run-dir", "r", "--session", "s.jsonl", "--ledger", "coldledger.db"
    )
    assert ran.code == 0
    assert "appended to coldledger.db" in ran.err
    checked = run("run", "validate", "--run-dir", "r", "--ledger", "coldledger.db")
    assert checked.code == 0, checked.out
    assert opened.is_dir()


@pytest.mark.parametrize(
    ("options", "exit_code", "code"),
    [
        (["--session", "none.jsonl"], 1, "E_SOURCE_MISSING"),
        (["--session", "keys"], 1, "E_SOURCE_DIRECTORY"),
        (["--session", "results.json"], 1, "E_PI_SESSION"),
        (["--session", "session.jsonl", "--phase", "lunch"], 64, "E_RUN_WORD"),
        (["--session", "session.jsonl", "--actor", "me"], 64, "E_RUN_WORD"),
        (["--session", "session.jsonl", "--max-text", "0"], 64, "E_USAGE"),
    ],
)
def test_what_is_refused(
    options: list[str], exit_code: int, code: str, opened: Path, run: Run
) -> None:
    """Each with its own code, and nothing of the run is changed."""
    before = {path: path.read_bytes() for path in opened.rglob("*") if path.is_file()}
    ran = run("run", "import-pi", "--run-dir", "r", *options, "--json")
    assert ran.code == exit_code
    assert ran.json["error"]["code"] == code
    assert {path: path.read_bytes() for path in opened.rglob("*") if path.is_file()} == before
