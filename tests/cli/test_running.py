"""``run``: a run recorded from the command line, and what it says when it refuses."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from cli_place import Run
from run_made import RUN_ID, digest, entropy, lines_of

from cli.run_evidence import Slot
from cli.runs import Actor, Phase
from ledger.runs.layout import ACTORS, PHASES, SLOTS
from ledger.runs.recording import withhold

R = ("--run-dir", "run")


def last(place: Path) -> Any:
    """Return the last record of the run that is being recorded."""
    return lines_of(place / "run/trajectory.jsonl")[-1]


def test_a_run_is_opened(place: Path, run: Run) -> None:
    """With what is visible, and without a path of the machine in it (RUN-91 to RUN-95)."""
    ran = run(
        "run", "init", "--run-dir", place / "runs/second", "--task-file", place / "task.md",
        "--harness", "pi", "--model", "m", "--provider", "p", "--harness-version", "1",
        "--visible", place / "notes", "--visible", "gone", "--exclude", ".git", "--note", "one",
        "--note", "two", "--player-uuid", "u", "--config", "plain.toml", "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert (ran.json["run_id"], ran.json["visible"]) == ("second", 1)
    assert ran.json["task_sha256"] == digest(place / "task.md")
    assert "warning: not visible, since it cannot be read: gone (no such file)" in ran.err
    manifest = json.loads((place / "runs/second/run.json").read_text())
    assert manifest["notes"] == ["one", "two"]
    assert (manifest["task"]["source"], manifest["task"]["player_uuid"]) == ("task.md", "u")
    written = [path for path in (place / "runs").rglob("*.json*") if path.parent.name == "second"]
    assert len(written) == 4
    assert not [path for path in written if str(place) in path.read_text()]
    assert (place / "runs/second/preflight/config.toml").read_bytes() == (
        place / "plain.toml"
    ).read_bytes()
    assert run("run", "validate", "--run-dir", "runs/second").out == "runs/second: valid\n"


def test_the_repository_is_named_without_its_place(
    place: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its commit is what a preflight is compared with (RUN-92)."""
    found = {"root": str(place), "commit": "a" * 40, "branch": "main", "dirty_entries": 2}
    monkeypatch.setattr("ledger.preflight.repository", lambda *_: found)
    ran = run("run", "init", "--run-dir", "new", "--task-file", "task.md", "--json")
    assert ran.json["repo"] == {**found, "root": ".", "name": "place"}
    monkeypatch.setattr("ledger.preflight.repository", lambda *_: {"root": None})
    ran = run("run", "init", "--run-dir", "newer", "--task-file", "task.md", "--json")
    assert ran.json["repo"] is None


def test_a_configuration_with_secrets_is_not_kept(place: Path, run: Run) -> None:
    """And no run is opened (RUN-96)."""
    (place / "secret.toml").write_text(
        (place / "plain.toml").read_text() + '\n[env]\nAPI_KEY = "hunter22"\n'
    )
    ran = run(
        "run", "init", "--run-dir", "new", "--task-file", "task.md", "--config", "secret.toml",
        "--json",
    )  # fmt: skip
    assert (ran.code, ran.json["error"]["code"]) == (1, "E_RUN_FIELD")
    assert not (place / "new").exists()


def test_calls_and_results_are_recorded(place: Path, run: Run) -> None:
    """Numbers as they are written, plain text as a result too (RUN-76, RUN-78)."""
    ran = run(
        "run", "call", *R, "--call-id", "c2", "--tool", "bridge", "--arguments", '{"n": 1.50}',
        "--instance", "lab-a", "--dimension", "d", "--tick", 7, "--note", "n", "--json",
    )  # fmt: skip
    assert ran.code == 0
    assert (ran.json["seq"], ran.json["record"], ran.json["call_id"]) == (3, "call", "c2")
    assert '"arguments": {"n": 1.50}' in (place / "run/trajectory.jsonl").read_text()
    assert (last(place)["tick"], last(place)["dimension"]) == (7, "d")
    assert run("run", "result", *R, "--call-id", "c1", "--status", "ok").out == "4  result  c1 ok\n"
    ran = run(
        "run", "result", *R, "--call-id", "c2", "--status", "error", "--result", "not: JSON",
        "--error", "e", "--duration-ms", 5, "--tool-name", "t", "--phase", "agent",
    )  # fmt: skip
    assert ran.code == 0
    assert last(place)["result"] == {"text": "not: JSON"}
    assert (last(place)["duration_ms"], last(place)["error"]) == (5, "e")
    assert run("run", "validate", *R).code == 0


@pytest.mark.parametrize(
    ("given", "kept"),
    [('{"text": "a"}', {"text": "a"}), ('"a"', {"text": "a"}), ("[1]", [1]), ("null", None)],
)
def test_a_result_may_be_any_json(given: str, kept: Any, place: Path, run: Run) -> None:
    """A text alone is put where the audit looks for it (RUN-78)."""
    run("run", "result", *R, "--call-id", "c1", "--status", "ok", "--result", given)
    assert last(place).get("result") == kept


def test_phases_and_marks_are_recorded(place: Path, run: Run) -> None:
    """With what shows them, and with an object of particulars (RUN-58)."""
    ran = run("run", "mark", *R, "--name", "n", "--data", '{"a": 1}', "--phase", "agent", "--at",
              "2026-01-01T00:01:00Z", "--run-id", RUN_ID)  # fmt: skip
    assert ran.code == 0
    assert (last(place)["data"], last(place)["at"]) == ({"a": 1}, "2026-01-01T00:01:00Z")
    ran = run("run", "phase", *R, "--phase", "restore", "--actor", "restore", "--evidence", "a:b",
              "--evidence", "c:d", "--instance", "lab-a", "--note", "n")  # fmt: skip
    assert ran.code == 0
    assert last(place)["evidence"] == ["a:b", "c:d"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("call", "--call-id", "c1", "--tool", "t"), "E_RUN_CALL_TWICE"),
        (("call", "--call-id", "c2", "--tool", "t", "--run-id", "other"), "E_RUN_ID"),
        (("call", "--call-id", "c2", "--tool", "t", "--at", "soon"), "E_RUN_TIME"),
        (("call", "--call-id", "c2", "--tool", "t", "--at", "1"), "E_RUN_TIME_ORDER"),
        (("result", "--call-id", "c9", "--status", "ok"), "E_RUN_UNCALLED"),
        (("record", '{"record": "mark", "name": "n", "run_id": "other"}'), "E_RUN_ID"),
        (("record", '{"record": "mark", "name": "n", "seq": 3}'), "E_RUN_FIELD"),
        (("record", "--from", "nothing.jsonl"), "E_UNREADABLE"),
        (("record", "--from", "Logger.java"), "E_RUN_FIELD"),
        (("record", "--from", "empty"), "E_RUN_FIELD"),
        (("artifact", "--path", "nothing"), "E_UNREADABLE"),
        (("declare", "--slot", "answer", "--path", "../task.md"), "E_RUN_PATH"),
        (("review", "--id", "x.y", "--status", "resolved", "--by", "me"), "E_RUN_REVIEW"),
        (("review", "--id", "x.y", "--status", "resolved", "--evidence", "a:b"), "E_RUN_REVIEW"),
        (("attest", "--by", "me"), "E_RUN_ATTESTATION"),
        (("derive", "--output", "answer.json", "--input", "gone", "--tool", "t", "--producer",
          "agent"), "E_RUN_PATH"),
        (("withhold", "--path", "run.json", "--reason", "r"), "E_RUN_PATH"),
        (("init", "--task-file", "task.md"), "E_RUN_EXISTS"),
        (("init", "--task-file", "nothing"), "E_UNREADABLE"),
    ],
)  # fmt: skip
def test_what_is_refused_changes_nothing(
    words: tuple[str, ...], code: str, place: Path, run: Run
) -> None:
    """Case A23 and its kind: exit 1, one code, and the run as it was (RUN-76, RUN-90)."""
    (place / "empty").touch()
    before = {path: path.read_bytes() for path in (place / "run").rglob("*") if path.is_file()}
    ran = run("run", words[0], *R, *words[1:], "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, code)
    assert {p: p.read_bytes() for p in (place / "run").rglob("*") if p.is_file()} == before


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("call", "--call-id", "c2", "--tool", "t", "--arguments", "{"), "E_USAGE"),
        (("call", "--call-id", "c2", "--tool", "t", "--actor", "nobody"), "E_RUN_WORD"),
        (("result", "--call-id", "c1", "--status", "fine"), "E_RUN_WORD"),
        (("result", "--call-id", "c1", "--status", "ok", "--result", '{"a": '), "E_USAGE"),
        (("result", "--call-id", "c1", "--status", "ok", "--result", ' ["a", '), "E_USAGE"),
        (("result", "--call-id", "c1", "--status", "ok", "--result", "[1, 2"), "E_USAGE"),
        (("result", "--call-id", "c1", "--status", "ok", "--result", "["), "E_USAGE"),
        (("phase", "--phase", "party", "--actor", "test"), "E_RUN_WORD"),
        (("mark", "--name", "n", "--data", "[]"), "E_USAGE"),
        (("mark", "--name", "n", "--phase", "party"), "E_RUN_WORD"),
        (("record", "[]"), "E_USAGE"),
        (("record", "--from", "run/answer.json"), "E_RUN_WORD"),
        (("artifact", "--path", "Logger.java", "--phase", "party"), "E_RUN_WORD"),
        (("declare", "--slot", "pockets", "--path", "answer.json"), "E_RUN_WORD"),
        (("review", "--id", "x.y", "--status", "accepted"), "E_RUN_WORD"),
        (("import-pi", "--session", "session.jsonl", "--phase", "party"), "E_RUN_WORD"),
        (("derive", "--output", "answer.json", "--input", "answer.json", "--tool", "t",
          "--producer", "nobody"), "E_RUN_WORD"),
    ],
)  # fmt: skip
def test_a_word_of_no_list_is_wrong_usage(
    words: tuple[str, ...], code: str, place: Path, run: Run
) -> None:
    """And so is broken JSON: exit 64, and the run as it was (RUN-76)."""
    before = {path: path.read_bytes() for path in (place / "run").rglob("*") if path.is_file()}
    ran = run("run", words[0], *R, *words[1:], "--json")
    assert (ran.code, ran.json["error"]["code"]) == (64, code)
    assert {p: p.read_bytes() for p in (place / "run").rglob("*") if p.is_file()} == before


@pytest.mark.parametrize("text", ["[12:00:01] [Server thread/INFO] done", "[ok] built", "built {}"])
def test_a_line_of_a_log_is_no_broken_json(text: str, place: Path, run: Run) -> None:
    """It is kept as the text that it is, and so is a JSON text that looks like an object."""
    words = ("run", "result", *R, "--call-id", "c1", "--status", "ok", "--result", text)
    assert run(*words).code == 0
    assert last(place)["result"] == {"text": text}


def test_of_several_records_the_wrong_one_is_named(place: Path, run: Run) -> None:
    """By its number; of one it goes without saying (RUN-79)."""
    good = '{"record": "mark", "name": "n"}'
    ran = run("run", "record", *R, good, '{"record": "mark"}')
    assert (ran.code, "record 2, name: got nothing" in ran.err) == (1, True)
    ran = run("run", "record", *R, '{"record": "dance"}', good)
    assert "record 1, record: got 'dance'" in ran.err
    assert "error[E_USAGE]: record 2 is no JSON" in run("run", "record", *R, good, "{").err
    assert last(place)["seq"] == 2


def test_a_file_to_keep_is_named_as_it_was_given(place: Path, run: Run) -> None:
    """No path of the machine is told (RUN-92)."""
    ran = run("run", "artifact", *R, "--path", "nothing")
    assert (ran.code, str(place) in ran.err) == (1, False)
    assert "nothing: got No such file or directory, expected a file to keep" in ran.err


def test_records_come_from_a_file(place: Path, run: Run) -> None:
    """All or none, blank lines passed over (RUN-79)."""
    lines = [
        {"record": "call", "call_id": "c2", "tool": "t", "arguments": {}},
        {"record": "result", "call_id": "c2", "status": "ok"},
    ]
    (place / "two.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n\n")
    ran = run("run", "record", *R, "--from", "two.jsonl", "--json")
    assert ran.json == {"records": 2, "first_seq": 3, "last_seq": 4}
    assert run("run", "record", *R, "--from", "two.jsonl").code == 1
    assert last(place)["seq"] == 4


@pytest.mark.parametrize("words", [(), ("{}", "--from", "records.jsonl")])
def test_records_come_from_one_place(words: tuple[str, ...], run: Run) -> None:
    """Neither or both is wrong usage."""
    assert run("run", "record", *R, *words).code == 64


def test_a_torn_line_is_repaired(place: Path, run: Run) -> None:
    """Validation names it, recording refuses it, repair keeps its bytes (RUN-48, RUN-74)."""
    with (place / "run/trajectory.jsonl").open("ab") as stream:
        stream.write(b'{"record": "mar')
    ran = run("run", "validate", *R)
    assert ran.code == 1
    assert "trajectory.jsonl:3: got half a record" in ran.out
    assert "hint: run `coldledger run repair`" in ran.out
    ran = run("run", "mark", *R, "--name", "n")
    assert (ran.code, "E_RUN_TORN" in ran.err) == (1, True)
    ran = run("run", "repair", *R, "--json")
    assert ran.json == {"repaired": [
        {"file": "trajectory.jsonl", "torn_bytes": 15, "kept": "trajectory.jsonl.torn-1"}
    ]}  # fmt: skip
    assert run("run", "repair", *R).out == "nothing is torn\n"
    assert run("run", "mark", *R, "--name", "n").code == 0


def test_case_r1(place: Path, run: Run) -> None:
    """A review is written and marked by a reviewer, and the run stays valid (RUN-82)."""
    ran = run("run", "review", "--run-dir", "whole", "--id", "machine_operated.causality",
              "--status", "resolved", "--by", "me", "--note", "n", "--evidence", "trajectory:c2",
              "--evidence", "testmod:seq99", "--json")  # fmt: skip
    assert (ran.code, ran.json["seq"]) == (0, 3)
    assert "warning: the run has nothing like testmod:seq99" in ran.err
    assert "trajectory:c2" not in ran.err
    mark = lines_of(place / "whole/trajectory.jsonl")[-1]
    assert (mark["name"], mark["actor"]) == ("review", "reviewer")
    assert run("run", "validate", "--run-dir", "whole").code == 0


@pytest.mark.parametrize("given", [("--by", "YOUR NAME"), ("--note", "WHAT YOU SAW")])
def test_what_an_audit_prints_to_be_filled_in_is_no_review(
    given: tuple[str, ...], place: Path, run: Run
) -> None:
    """It is wrong usage (RUN-82)."""
    words = ("run", "review", *R, "--id", "machine_operated.causality", "--status", "pending")
    assert run(*words, *given).code == 64
    assert not (place / "run/reviews.jsonl").exists()


def test_a_question_that_nobody_asks_is_warned_of(run: Run) -> None:
    """With those that are asked (RUN-82)."""
    words = ("run", "review", *R, "--status", "pending", "--id")
    ran = run(*words, "machine_operated.casuality")
    assert ran.code == 0
    assert "warning: the rules have no question machine_operated.casuality; they ask " in ran.err
    assert "agent_read_log.linkage," in ran.err
    assert not run(*words, "machine_operated.causality").err


def test_what_withholding_does_not_do_is_said(run: Run) -> None:
    """A path that the run does not name, and bytes that the trajectory quotes (RUN-86)."""
    words = ("run", "withhold", "--run-dir", "whole", "--reason", "r", "--path")
    assert "warning: the run names no file nothing.txt" in run(*words, "nothing.txt").err
    assert "The trajectory may quote" in run(*words, "agent/logger.jsonl").err


def test_no_run_is_opened_inside_of_another(place: Path, run: Run) -> None:
    """Its files would be the other one's too (RUN-90)."""
    ran = run("run", "init", "--run-dir", "run/deep/new", "--task-file", "task.md", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, "E_RUN_EXISTS")
    assert not (place / "run/deep").exists()


def test_case_f1(place: Path, run: Run) -> None:
    """An artifact is kept; its copy, once changed, is a problem (RUN-45, RUN-80)."""
    ran = run("run", "artifact", "--run-dir", "whole", "--path", "Logger.java", "--json")
    assert (ran.json["label"], ran.json["path"]) == ("Logger.java", "artifacts/002-Logger.java")
    assert run("run", "validate", "--run-dir", "whole").code == 0
    (place / "whole/artifacts/002-Logger.java").write_text("class Other {}\n")
    ran = run("run", "validate", "--run-dir", "whole", "--json")
    assert ran.code == 1
    assert ran.json["schema"] == "mc-agent-coldstart-validation/1"
    (problem,) = ran.json["problems"]
    assert (problem["file"], problem["line"], problem["code"]) == (
        "artifacts/002-Logger.java", None, "hash_differs"
    )  # fmt: skip


def test_what_nobody_states_is_said(run: Run) -> None:
    """Statement by statement (RUN-84)."""
    ran = run("run", "attest", *R, "--by", "me", "--no-standard-answer", "--json")
    assert (ran.json["no_standard_answer"], ran.json["no_earlier_solution"]) == (True, False)
    assert "warning: nobody states no_design_discussion" in ran.err


def test_a_withheld_file_is_shown_as_not_judged(place: Path, run: Run) -> None:
    """And a run without it is not called valid as a whole (RUN-62, RUN-63)."""
    ran = run("run", "withhold", "--run-dir", "whole", "--path", "oracle.json", "--reason", "r")
    assert "still there" in ran.err
    (place / "whole/oracle.json").unlink()
    ran = run("run", "validate", "--run-dir", "whole")
    assert ran.out == (
        "oracle.json: withheld, not judged: r\nwhole: what is here of it is valid\n"
    )  # fmt: skip
    assert run("run", "validate", "--run-dir", "whole", "--json").json["withheld"][0]["path"] == (
        "oracle.json"
    )
    withhold(place / "whole", "trajectory.jsonl", "r", entropy=entropy)


def test_validation_of_nothing_is_a_verdict(place: Path, run: Run) -> None:
    """Of an empty folder it names what is missing (RUN-10, RUN-62); no folder is an error."""
    ran = run("run", "validate", "--run-dir", "nowhere", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, "E_RUN_MISSING")
    (place / "nowhere").mkdir()
    ran = run("run", "validate", "--run-dir", "nowhere", "--json")
    assert (ran.code, ran.json["valid"]) == (1, False)
    assert [one["file"] for one in ran.json["problems"]] == [
        "run.json", "task.md", "visibility.json", "evidence.json", "trajectory.jsonl"
    ]  # fmt: skip


def test_a_hint_is_given_once_for_each_word(place: Path, run: Run) -> None:
    """However many problems there are of it (RUN-40)."""
    with (place / "run/trajectory.jsonl").open("a") as stream:
        stream.write('\x1b[31m\n{"record": "\\u001b[31m"}\n{"record": "dance"}\n')
    ran = run("run", "validate", *R)
    assert ran.out.count("hint: record it as one of") == 1
    assert "\x1b" not in ran.out
    assert ran.out.splitlines()[-1].startswith("run: ")


@pytest.mark.parametrize("environment", [True, False])
def test_a_ledger_looks_on_only_where_it_is_named(
    environment: bool, place: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The variable that other commands read says nothing here (RUN-87)."""
    if environment:
        monkeypatch.setenv("COLDLEDGER", "coldledger.db")
    before = run("status", "--ledger", "coldledger.db", "--json").json
    assert run("run", "mark", *R, "--name", "n").code == 0
    assert run("status", "--ledger", "coldledger.db", "--json").json == before
    assert place.is_dir()


def test_a_ledger_follows_a_run(place: Path, run: Run) -> None:
    """After each record it is what the run is; a change behind its back is named (RUN-87)."""
    watching = (*R, "--ledger", "coldledger.db")
    for words in (
        ("mark", "--name", "one"), ("artifact", "--path", "Logger.java"),
        ("declare", "--slot", "answer", "--path", "answer.json"),
        ("review", "--id", "x.y", "--status", "pending"), ("mark", "--name", "two"),
    ):  # fmt: skip
        ran = run("run", words[0], *watching, *words[1:])
        assert ran.code == 0, ran.err
        assert "events appended to coldledger.db" in ran.err
        compared = run("run", "validate", *watching, "--json").json["problems"]
        assert {one["code"] for one in compared} <= {"call_without_result"}
    path = place / "run/trajectory.jsonl"
    path.write_text(path.read_text().replace('"two"', '"2"'))
    ran = run("run", "validate", *watching, "--json")
    assert [(one["file"], one["line"], one["code"]) for one in ran.json["problems"]][-1] == (
        "trajectory.jsonl", 7, "line_changed"
    )  # fmt: skip


def test_a_run_is_opened_before_the_eyes_of_a_ledger(run: Run) -> None:
    """The first thing that the ledger has is its header (RUN-87)."""
    words = ("--run-dir", "new", "--ledger", "coldledger.db")
    assert run("run", "init", *words, "--task-file", "task.md").code == 0
    assert run("run", "validate", *words).out == "new: valid\n"


def test_a_ledger_that_is_none_is_refused_first(place: Path, run: Run) -> None:
    """Nothing is recorded (RUN-87)."""
    before = last(place)
    ran = run("run", "mark", *R, "--name", "n", "--ledger", "nothing.db", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, "E_LEDGER_MISSING")
    assert last(place) == before


def test_what_is_recorded_stays_though_the_ledger_refuses(place: Path, run: Run) -> None:
    """And it is said that it is there, and what to do (RUN-87)."""
    words = ("--run-dir", "other", "--ledger", "coldledger.db")
    run("run", "mark", *R, "--name", "n", "--ledger", "coldledger.db")
    run("run", "init", "--run-dir", "other", "--task-file", "task.md", "--run-id", RUN_ID)
    ran = run("run", "mark", *words, "--name", "n")
    assert ran.code == 1
    assert "It is recorded in the run, and not yet in the ledger" in ran.err
    assert lines_of(place / "other/trajectory.jsonl")[-1]["name"] == "n"


def test_words_that_help_lists_are_those_that_are_taken() -> None:
    """Phases, actors and slots stand in the options that ask for them."""
    for option, words in ((Phase, PHASES), (Actor, ACTORS), (Slot, (*SLOTS, "review"))):
        said = re.findall(r"\b[a-z_]+\b", get_args(option)[1].help)
        assert [word for word in said if word not in ("of", "and", "or")] == list(words)
