"""``audit``: exit codes, one document, a view for people, and what it writes."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from cli_place import KEY, RUNS, Run
from judged_runs import CAUSALITY, FLAGS, Draft, sha

from canon import decode, encode
from ledger.rules import shipped

ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture
def made(place: Path) -> Path:
    """Return a run that passes."""
    return Draft().write(place / "made")


def spoiled(folder: Path) -> Path:
    """Return a run whose agent operated nothing."""
    draft = Draft()
    draft.drop("input_processed")
    return draft.write(folder)


def waiting(folder: Path) -> Path:
    """Return a run that nobody reviewed."""
    draft = Draft()
    draft.reviews = []
    return draft.write(folder)


def test_exit_codes(run: Run, place: Path) -> None:
    """0 passes, 1 fails, 2 waits (AUDIT-82)."""
    assert run("audit", Draft().write(place / "a"), "--json").code == 0
    assert run("audit", spoiled(place / "b"), "--json").code == 1
    assert run("audit", waiting(place / "c"), "--json").code == 2


def test_one_document(run: Run, made: Path) -> None:
    """Its stdout has the document and nothing else, and the file is the same (AUDIT-80)."""
    ran = run("audit", made, "--json")
    assert ran.err == ""
    assert [one["flag"] for one in ran.json["flags"]] == list(FLAGS)
    assert json.loads((made / "audit/audit.json").read_bytes()) == ran.json


@pytest.mark.parametrize("broken", ["empty", "no-manifest", "garbage"])
def test_a_directory_that_is_no_run_gets_the_document(
    run: Run, place: Path, made: Path, broken: str
) -> None:
    """It fails with all five flags; there is no error (AUDIT-81)."""
    folder = made
    if broken == "empty":
        folder = place / "empty"
        folder.mkdir()
    elif broken == "no-manifest":
        (made / "run.json").unlink()
    else:
        for path in made.rglob("*"):
            if path.is_file():
                path.write_bytes(b"\xff\x00garbage")
    ran = run("audit", folder, "--json")
    assert (ran.code, ran.json["overall"], ran.json["failure_class"]) == (1, "FAIL", "INFRA_ERROR")
    assert len(ran.json["flags"]) == 5


def test_a_folder_that_is_not_there_is_wrong_usage(
    run: Run, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """64, never 2, and the message says what it can be; with a ledger here it is an unknown run."""
    assert run("audit", "nowhere", "--json").json["error"]["code"] == "E_RUN_UNKNOWN"
    (place / "bare").mkdir()
    monkeypatch.chdir(place / "bare")
    ran = run("audit", "nowhere", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (64, "E_USAGE")
    assert "nowhere" in ran.json["error"]["message"]


def test_nothing_is_written_where_nobody_wants_it(run: Run, made: Path) -> None:
    """The run stays as it is (AUDIT-80)."""
    assert run("audit", made, "--no-write").code == 0
    assert not (made / "audit").exists()


@pytest.mark.skipif(ROOT, reason="rights do not keep the superuser from writing")
def test_a_folder_that_cannot_be_written(run: Run, made: Path) -> None:
    """The verdict comes with a warning (AUDIT-80)."""
    made.chmod(0o555)
    try:
        ran = run("audit", made, "--json")
    finally:
        made.chmod(0o755)
    assert (ran.code, ran.json["overall"]) == (0, "PASS")
    assert "warning: no audit.json" in ran.err


def test_a_file_in_the_way(run: Run, made: Path) -> None:
    """The verdict comes with a warning, and the exit code is the verdict's (AUDIT-80)."""
    (made / "audit").write_text("in the way")
    ran = run("audit", made, "--json")
    assert (ran.code, ran.json["overall"]) == (0, "PASS")
    assert "warning: no audit.json" in ran.err


def test_the_view_says_what_is_open_and_how_to_close_it(run: Run, place: Path) -> None:
    """Each open review with its question, and the command that resolves it works."""
    folder = waiting(place / "c")
    ran = run("audit", folder)
    assert ran.code == 2
    assert "PENDING  machine_operated" in ran.out
    assert "PASS     agent_read_log" in ran.out
    (command,) = [line for line in ran.out.splitlines() if f"--id {CAUSALITY}" in line]
    words = [word.replace("'", "") for word in command.split("'YOUR NAME'")[0].split()]
    assert words[:3] == ["coldledger", "run", "review"]
    done = run(*words[1:], "ada", "--note", "saw it", "--evidence", "trajectory:c2")
    assert done.code == 0
    again = run("audit", folder, "--json").json
    assert again["flags"][0]["status"] == "PASS"


def test_the_view_of_a_failure(run: Run, place: Path) -> None:
    """Which class, which flag, and what is missing."""
    folder = spoiled(place / "b")
    (folder / "task.md").write_bytes(b"another task")
    ran = run("audit", folder)
    assert "FAIL, INFRA_ERROR" in ran.out
    assert "missing: input_processed" in ran.out
    assert "the tools or the evidence are inconsistent:" in ran.out


def test_foreign_text_cannot_steer_a_terminal(run: Run, place: Path) -> None:
    """Names of a run are shown, never obeyed (AUDIT-83)."""
    draft = Draft()
    draft.event("cart_ejected").update(uuid="\x1b[2J\x1b]0;x\x07\u202e")
    ran = run("audit", draft.write(place / "d"))
    assert ran.code == 1
    assert "\x1b" not in ran.out + ran.err
    assert "\u202e" not in ran.out + ran.err


def test_a_run_of_a_ledger(run: Run) -> None:
    """The verdict is an event, once; the same again is none (AUDIT-101)."""
    first = run("audit", "run-01", "--ledger", RUNS, "--json")
    assert (first.code, first.json["overall"]) == (2, "PENDING")
    assert first.json["appended"] is False
    assert first.json["event"] is not None
    tried = run("audit", "run-01", "--ledger", RUNS, "--dry-run", "--json")
    assert tried.json["event"] is None
    assert tried.json["verdict_sha256"] == first.json["verdict_sha256"]
    assert "the same verdict stands already" in run("audit", "run-01", "--ledger", RUNS).err


def test_directory_and_ledger_agree(run: Run, place: Path, made: Path) -> None:
    """Both come to the same verdict (AUDIT-70)."""
    assert run("import", made, "--ledger", RUNS).code == 0
    held = run("audit", "night-7", "--ledger", RUNS, "--json")
    assert held.json["appended"] is True
    at_hand = run("audit", made, "--json")
    assert held.json["verdict_sha256"] == at_hand.json["verdict_sha256"]
    size = held.json["size"]
    before = run("audit", "night-7", "--ledger", RUNS, "--as-of", size, "--json")
    assert before.json["verdict_sha256"] == held.json["verdict_sha256"]
    assert run("audit", "night-7", "--ledger", RUNS, "--as-of", 2, "--json").code == 1


def test_the_ledger_of_the_environment(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is no folder is looked for where COLDLEDGER says."""
    monkeypatch.setenv("COLDLEDGER", RUNS)
    assert run("audit", "run-01", "--json").code == 2


def test_an_unknown_run(run: Run) -> None:
    """It is refused, with names that come near."""
    ran = run("audit", "run-02", "--ledger", RUNS, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, "E_RUN_UNKNOWN")
    assert "run-01" in ran.json["error"]["message"]


def test_rules_from_a_file(run: Run, place: Path, made: Path) -> None:
    """Other rules, as TOML or as the document itself, and a verdict that names them."""
    said: Any = decode(shipped()["audit/cold-start-v1"])
    said["policy"] = "audit/mine"
    said["rules"]["flags"] = said["rules"]["flags"][2:4]
    (place / "mine.cbor").write_bytes(encode(said))
    ran = run("audit", made, "--policy", "mine.cbor", "--json")
    assert [one["flag"] for one in ran.json["flags"]] == list(FLAGS[2:4])
    assert ran.json["rules"]["policy"] == "audit/mine"
    assert ran.json["rules"]["sha256"] == sha(encode(said))
    source = Path(__file__).resolve().parents[2] / "specs/policies/audit/cold-start-v1.toml"
    shutil.copy(source, place / "copy.toml")
    ran = run("audit", made, "--policy", "copy.toml", "--json")
    assert ran.json["rules"]["sha256"] == sha(shipped()["audit/cold-start-v1"])
    assert run("audit", made, "--policy", "audit/cold-start-v1").code == 0


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[rules", "E_POLICY_SOURCE"),
        ("", "E_POLICY_SHAPE"),
        (None, "E_UNREADABLE"),
    ],
)
def test_rules_that_are_none(
    run: Run, place: Path, made: Path, text: str | None, code: str
) -> None:
    """They are refused by what is wrong with them."""
    if text is not None:
        (place / "rules.toml").write_text(text)
    ran = run("audit", made, "--policy", "rules.toml", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, code)


def test_rules_that_are_not_in_the_ledger(run: Run, place: Path) -> None:
    """A verdict by them is shown, and never appended."""
    said: Any = decode(shipped()["audit/cold-start-v1"])
    (place / "mine.cbor").write_bytes(encode(said | {"policy": "audit/mine"}))
    ran = run("audit", "run-01", "--ledger", RUNS, "--policy", "mine.cbor", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, "E_AUDIT_RULES")
    ran = run("audit", "run-01", "--ledger", RUNS, "--policy", "mine.cbor", "--dry-run", "--json")
    assert (ran.code, ran.json["rules"]["policy"]) == (2, "audit/mine")
    ran = run("audit", "run-01", "--ledger", RUNS, "--policy", "audit/none", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, "E_AUDIT_RULES")


def test_files_that_were_replaced_are_said(run: Run, place: Path) -> None:
    """By the events of both, beside the verdict and not in it (AUDIT-105)."""
    path = place / "judged" / "trajectory.jsonl"
    path.write_text(path.read_text().replace('"c2"', '"c2-again"'))
    assert run("import", "judged", "--ledger", RUNS).code == 0
    shown = run("audit", "run-01", "--ledger", RUNS, "--dry-run")
    said = run("audit", "run-01", "--ledger", RUNS, "--json").json
    (one,) = [one for one in said["replaced"] if one["role"] == "trajectory"]
    assert (one["path"], one["before"] < one["now"]) == ("trajectory.jsonl", True)
    assert f"trajectory.jsonl, event {one['before']}, by event {one['now']}" in shown.out
    assert (said["run"], said["not_held"]) == ("run-01", None)


def test_what_a_ledger_has_not_is_not_recorded(run: Run) -> None:
    """The run keeps its name, and the newest verdict stays (AUDIT-106)."""
    first = run("audit", "run-01", "--ledger", RUNS, "--json").json
    events = run("log", "--ledger", RUNS, "--type", "file.observed", "--all", "--json").json
    seq = next(one["seq"] for one in events["events"] if ": manifest" in one["about"])
    words = ("--slot", f"{seq}/content", "--ground", "privacy", "--reason", "names", "--key", KEY)
    assert run("redact", *words, "--yes", "--ledger", RUNS).code == 0
    ran = run("audit", "run-01", "--ledger", RUNS)
    assert ran.out.startswith("run run-01: ")
    assert "the verdict was not recorded: this ledger does not have" in " ".join(ran.err.split())
    again = run("audit", "run-01", "--ledger", RUNS, "--json").json
    assert (again["event"], again["appended"], again["before"]) == (None, False, first["event"])
