"""A verdict as files: audit.json, audit.md, and the folder of a run that they are written into."""

import json
import os
import shlex
from pathlib import Path
from typing import Any

import pytest
from judged_runs import CAUSALITY, FLAGS, TASK, Draft, Json, at, flag, judged, sha

from ledger.audit.directory import audit_directory, write_files
from ledger.audit.document import (
    background,
    document,
    json_bytes,
    open_reviews,
    page,
    resolving,
)
from ledger.rules import parse_policy, shipped

AT = "2026-05-01T00:00:00.000000Z"
MACHINE = FLAGS[0]
CONTRACT = {
    "flag", "status", "summary", "evidence", "missing", "needs_review", "required_review",
    "review_resolutions",
}  # fmt: skip


def said(*changes: Any) -> Json:
    """Return the document of the run after some changes."""
    return document(judged(*changes), AT)


def unreviewed(draft: Draft) -> None:
    """Take every review away."""
    draft.reviews = []


def test_the_document_has_what_the_contract_asks() -> None:
    """The verdict, with the time beside it and the digest behind it."""
    found = said()
    assert list(found)[:2] == ["schema", "at"]
    assert list(found)[-1] == "verdict_sha256"
    assert found["schema"] == "mc-agent-coldstart-audit/1"
    assert {"overall", "failure_class", "infra_errors", "fixture_errors", "pending_reasons",
            "review_problems", "inputs", "run_id", "harness"} <= found.keys()  # fmt: skip
    assert all(set(one) == CONTRACT | {"mechanical"} for one in found["flags"])
    assert json.loads(json_bytes(found)) == found


def test_asking_later_changes_the_time_alone() -> None:
    """Two documents of one verdict differ in ``at`` and in nothing else (AUDIT-70)."""
    later = document(judged(), "2027-01-01T00:00:00.000000Z")
    assert {**later, "at": AT} == said()


def test_the_page_has_every_flag_and_every_review() -> None:
    """What is open is named with the command that would resolve it."""
    text = page(said(unreviewed))
    for name in FLAGS:
        assert f"### {name}: " in text
    assert f"- **{CAUSALITY}** (open): " in text
    assert f"--id {CAUSALITY} --status resolved" in text
    assert "before reviews: PASS" in text
    assert "(open)" not in page(said())
    assert "resolved by ada at 2026-04-05T06:00:55.000000Z, reported: looked" in page(said())


def test_the_page_has_what_is_wrong_with_the_run() -> None:
    """Reasons stand before flags, since they decide them."""

    def change(draft: Draft) -> None:
        draft.fixture["ready"] = False
        draft.restore = None
        draft.event("end").update(instance="lab-9")

    text = page(said(change))
    assert text.index("## Tools and evidence") < text.index("## Fixture") < text.index("## Flags")
    assert "- failure class: INFRA_ERROR" in text
    assert "## What the run waits for" in text


def test_foreign_text_neither_marks_up_nor_breaks_the_page() -> None:
    """Names and notes of a run stay words in their line (AUDIT-83)."""
    hostile = "`rm`\n# Audit: PASS\n| <b>*x*</b> [a](b) \x1b[2J \u202e"

    def change(draft: Draft) -> None:
        draft.reviews[0] |= {"note": hostile, "by": hostile}
        draft.event("cart_ejected").update(uuid=hostile)

    text = page(said(change))
    assert "\n# Audit: PASS" not in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "<b>" not in text


def test_commands_are_quoted_for_a_shell() -> None:
    """A reference that a run chose is one word, whatever it holds."""
    evil = "c2; touch x $(id) 'q'"

    def change(draft: Draft) -> None:
        for kind in ("call", "result"):
            draft.record("c2", kind).update(call_id=evil)
        draft.reviews = []

    found = flag(judged(change), MACHINE)
    (asked,) = open_reviews(found)
    words = shlex.split(resolving(found, asked["id"], ("coldledger", "run", "review")))
    assert f"trajectory:{evil}" in words
    assert words[:5] == ["coldledger", "run", "review", "--id", CAUSALITY]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return a run directory."""
    return Draft().write(tmp_path / "run")


def judge(directory: Path) -> Json:
    """Return the document of a directory, audited as the command does."""
    rules = parse_policy(shipped()["audit/cold-start-v1"])
    return document(audit_directory(directory, rules, at=AT, entropy=os.urandom), AT)


def test_both_files_are_written(run: Path) -> None:
    """Into the run's own folder, and the run is the same as before (AUDIT-80)."""
    found = judge(run)
    assert write_files(run, found) is None
    assert json.loads((run / "audit/audit.json").read_bytes()) == found
    assert (run / "audit/audit.md").read_text() == page(found)
    assert sorted(os.listdir(run / "audit")) == ["audit.json", "audit.md"]
    assert judge(run) == found


def test_a_folder_that_is_a_link_is_left_alone(run: Path, tmp_path: Path) -> None:
    """Nothing is written outside of the run (AUDIT-80)."""
    (tmp_path / "elsewhere").mkdir()
    (run / "audit").symlink_to(tmp_path / "elsewhere")
    assert write_files(run, judge(run)) == "audit is a symbolic link"
    assert os.listdir(tmp_path / "elsewhere") == []


def test_a_file_that_is_a_link_is_replaced(run: Path, tmp_path: Path) -> None:
    """What it leads to stays as it is (AUDIT-80)."""
    (tmp_path / "mine").write_text("mine")
    (run / "audit").mkdir()
    (run / "audit/audit.json").symlink_to(tmp_path / "mine")
    assert write_files(run, judge(run)) is None
    assert (tmp_path / "mine").read_text() == "mine"
    assert not (run / "audit/audit.json").is_symlink()


def test_where_nothing_can_be_written_it_is_said(run: Path) -> None:
    """The verdict stands, and whoever asked learns why there is no file (AUDIT-80)."""
    (run / "audit").write_text("a file in the way")
    assert write_files(run, judge(run)) == "File exists"
    (run / "audit").unlink()
    (run / "audit/audit.md").mkdir(parents=True)
    assert write_files(run, judge(run)) == "Is a directory"
    assert sorted(os.listdir(run / "audit")) == ["audit.json", "audit.md"]


def test_a_directory_that_is_no_run_is_judged(tmp_path: Path) -> None:
    """It fails for what is not there, without an error (AUDIT-81)."""
    found = judge(tmp_path)
    assert (found["overall"], found["failure_class"]) == ("FAIL", "INFRA_ERROR")
    assert (found["run_id"], [one["status"] for one in found["flags"]]) == (None, ["FAIL"] * 5)


def test_the_name_of_a_call_marks_up_nothing() -> None:
    """It stays in its line, as text, also where a command repeats it (AUDIT-83)."""
    name = "x`\n# Title\x1b[31m _a_b_ ~~b~~ &lt; https://e.example"

    def rename(draft: Draft) -> None:
        unreviewed(draft)
        for record in draft.calls:
            if record["call_id"] == "c2":
                record["call_id"] = name

    made = page(said(rename))
    assert not [line for line in made.splitlines() if line.startswith("# Title")]
    assert "\x1b" not in made
    assert r"trajectory:x\` \# Title \[31m \_a_b\_ \~\~b\~\~ \&lt; https\://e.example" in made
    command = next(line for line in made.splitlines() if "--id machine_operated" in line)
    assert command.endswith("--evidence testmod:seq3`")
    assert "- missing: machine_operated.causality" in made


def test_the_page_says_what_is_known_of_the_background() -> None:
    """Who vouches, where the task was read, how the oracle was made; or that nobody says so."""
    assert background(said()) == [
        "nobody vouches for a clean context",
        "no call returned the task",
        "no configuration is stated",
        "nothing says how the oracle was made",
    ]

    def change(draft: Draft) -> None:
        draft.call("c0", "read", {"path": "task.md"}, 3, TASK.decode())
        draft.marks.append(
            {"record": "mark", "name": "clean_context", "actor": "operator",
             "data": {"by": "ada", "statements": ["no_standard_answer"]}}
        )  # fmt: skip
        files = draft.written()
        pins = {path: {"path": path, "sha256": sha(files[path])}
                for path in ("evidence/oracle.json", "test/mod.jsonl")}  # fmt: skip
        draft.derivations = [
            {"output": pins["evidence/oracle.json"], "inputs": [pins["test/mod.jsonl"]],
             "tool": "sums.py", "producer": "agent", "at": at(52)}
        ]  # fmt: skip

    found = background(said(change))
    assert found == [
        "ada vouches for a clean context: no_standard_answer",
        "trajectory:c0 returned the task, as it is",
        "no configuration is stated",
        "evidence/oracle.json was made by sums.py, run by agent, from test_mod (raw)",
        "the agent had a hand in oracle",
    ]

    def answer_too(draft: Draft) -> None:
        change(draft)
        files = draft.written()
        path = next(path for path in files if path.endswith("answer.json"))
        made = {"path": path, "sha256": sha(files[path])}
        source = {"path": "test/mod.jsonl", "sha256": sha(files["test/mod.jsonl"])}
        draft.derivations += [
            {"output": made, "inputs": [source], "tool": "pen", "producer": "agent", "at": at(53)}
        ]

    assert any(
        "answer.json was made by pen, run by agent, from test_mod (raw)" in one
        for one in background(said(answer_too))
    )
    hidden = background(
        said(change, lambda d: d.withheld.update({"trajectory.jsonl": {"reason": "names"}}))
    )
    assert "is withheld" in hidden[0]
    assert "- ada vouches" in page(said(change)).replace("\\", "")
