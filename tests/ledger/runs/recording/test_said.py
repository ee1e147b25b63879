"""What is said about a run: evidence, reviews, attestations, derivations, what is withheld."""

import os
from pathlib import Path
from typing import Any

import pytest
from run_made import (
    TRAJECTORY,
    change,
    digest,
    document,
    entropy,
    last,
    lines_of,
    moment,
    put,
    recorder,
)

from canon.refusal import Refusal
from ledger.audit.unresolved import unresolved
from ledger.errors import (
    AttestationEmpty,
    FileUnwritable,
    RecordField,
    ReviewInvalid,
    RunMissing,
    RunPath,
    RunUnreadable,
    RunWord,
)
from ledger.runs.directory import Directory
from ledger.runs.recording import withhold
from ledger.runs.records import line_digest
from ledger.runs.structure import problems, withheld

REF = "trajectory:c1"


def test_evidence_is_declared_with_its_digest(run: Path, tmp_path: Path) -> None:
    """The mark keeps what was declared before (RUN-81)."""
    view = put(run / "agent/norm.jsonl", [{}])
    log = put(run / "agent/log.jsonl", [{}, {}])
    with recorder(run, 10) as recording:
        first = recording.declare("answer", "answer.json", cwd=tmp_path)
        assert first == {"path": "answer.json", "sha256": digest(run / "answer.json")}
        put(run / "answer.json", {"carts": [1]})
        recording.declare("answer", str(run / "answer.json"), cwd=tmp_path, note="a new one")
        assert last(run)["data"] == {
            "slot": "answer", "path": "answer.json", "sha256": digest(run / "answer.json"),
            "note": "a new one", "replaces": first,
        }  # fmt: skip
        recording.declare(
            "agent_logger", "run/agent/log.jsonl", normalized="agent/norm.jsonl", cwd=tmp_path
        )
    assert document(run, "evidence.json")["agent_logger"] == {
        "path": "agent/log.jsonl", "sha256": digest(log),
        "normalized": "agent/norm.jsonl", "normalized_sha256": digest(view),
    }  # fmt: skip
    assert problems(Directory(run)) == []


@pytest.mark.parametrize(
    ("slot", "path", "kind"),
    [
        ("pockets", "answer.json", RunWord),
        ("answer", "nothing.json", RunPath),
        ("answer", "../outside.json", RunPath),
        ("answer", "/etc/hostname", RunPath),
        ("answer", "agent", RunPath),
        ("answer", "link.json", RunPath),
        ("answer", "", RunPath),
    ],
)
def test_what_cannot_be_declared_is_refused(
    slot: str, path: str, kind: type[Refusal], run: Path, tmp_path: Path
) -> None:
    """Nothing is changed (RUN-81)."""
    put(tmp_path / "outside.json", {})
    (run / "agent").mkdir()
    (run / "link.json").symlink_to(run / "answer.json")
    before = (run / "evidence.json").read_bytes(), (run / TRAJECTORY).read_bytes()
    with recorder(run, 10) as recording, pytest.raises(kind):
        recording.declare(slot, path, cwd=tmp_path)
    assert ((run / "evidence.json").read_bytes(), (run / TRAJECTORY).read_bytes()) == before


def test_only_a_log_has_a_normalized_view(run: Path, tmp_path: Path) -> None:
    """No other slot does (RUN-81)."""
    with recorder(run, 10) as recording, pytest.raises(RunWord):
        recording.declare("answer", "answer.json", normalized="answer.json", cwd=tmp_path)


def test_evidence_without_a_document_is_refused(run: Path, tmp_path: Path) -> None:
    """It is not made up (RUN-75)."""
    (run / "evidence.json").unlink()
    with recorder(run, 10) as recording, pytest.raises(RunMissing):
        recording.declare("answer", "answer.json", cwd=tmp_path)


def test_a_review_is_written_and_marked(run: Path) -> None:
    """The mark is a reviewer's, and numbers go up (RUN-82)."""
    with recorder(run, 10) as recording:
        recording.review("x.y", "pending")
        made = recording.review(
            "x.y", "resolved", by="me", note="seen", evidence=[REF], at=moment(2)
        )
    assert lines_of(run / "reviews.jsonl")[1] == made == {
        "id": "x.y", "status": "resolved", "by": "me", "at": moment(2), "note": "seen",
        "evidence": [REF], "seq": 2,
    }  # fmt: skip
    mark = last(run)
    assert (mark["name"], mark["actor"], mark["data"]["seq"]) == ("review", "reviewer", 2)
    assert problems(Directory(run)) == []


@pytest.mark.parametrize(
    "given",
    [
        {"question": " "},
        {"by": None},
        {"by": " "},
        {"evidence": []},
        {"evidence": [REF, " "]},
        {"at": "soon"},
        {"status": "rejected", "by": None},
    ],
)
def test_a_review_that_lacks_something_is_not_written(given: dict[str, Any], run: Path) -> None:
    """What it must have depends on its status (RUN-82)."""
    settings: dict[str, Any] = {"question": "x.y", "status": "resolved", "by": "me",
                                "evidence": [REF], **given}  # fmt: skip
    with recorder(run, 10) as recording, pytest.raises(ReviewInvalid):
        recording.review(**settings)
    assert not (run / "reviews.jsonl").exists()
    assert last(run)["record"] == "result"


def test_reviews_that_are_declared_stay_declared(run: Path, tmp_path: Path) -> None:
    """With another place, and with a digest that is brought up to date (RUN-82)."""
    put(run / "seen/by.jsonl", [])
    with recorder(run, 10) as recording:
        recording.declare("review", "seen/by.jsonl", cwd=tmp_path)
        recording.review("x.y", "pending")
        assert problems(Directory(run)) == []
        change(run / "evidence.json", review={"path": "../by.jsonl"})
        with pytest.raises(RunPath):
            recording.review("x.y", "pending")
    assert not (tmp_path / "by.jsonl").exists()
    assert len(lines_of(run / "seen/by.jsonl")) == 1


def test_references_that_lead_nowhere_are_found(run: Path, tmp_path: Path) -> None:
    """By number, by digest, by call, by key or value; what is withheld may have them (RUN-82)."""
    put(run / "test.jsonl", [{"seq": 3}, {"event": "end"}])
    put(run / "ready.json", {"deep": {"state": "ready", "count": 5}})
    by_digest = line_digest(b'{"event": "end"}').hex()[:12]
    with recorder(run, 10) as recording:
        recording.declare("test_mod", "test.jsonl", cwd=tmp_path)
        recording.declare("fixture", "ready.json", cwd=tmp_path)
    found = [REF, "testmod:seq3", f"testmod:{by_digest}", "fixture:state", "fixture:ready",
             "fixture:5"]  # fmt: skip
    lost = ["trajectory:c9", "testmod:seq4", "logger:seq3", "fixture:steady", "fixture:",
            "restore:ok", "answer", "hearsay:1", "x"]  # fmt: skip
    assert unresolved(Directory(run), [*found, *lost]) == lost
    withhold(run, "test.jsonl", "private", entropy=entropy)
    (run / "test.jsonl").unlink()
    assert unresolved(Directory(run), ["testmod:seq4", "x"]) == ["x"]


def test_a_clean_context_is_attested_statement_by_statement(run: Path) -> None:
    """What nobody states is listed as such (RUN-84)."""
    with recorder(run, 10) as recording:
        made = recording.attest("me", ["no_standard_answer"], note="fresh session")
        assert (made["name"], made["data"]) == (
            "clean_context",
            {"by": "me", "statements": ["no_standard_answer"], "note": "fresh session",
             "not_stated": ["no_design_discussion", "no_earlier_solution"]},
        )  # fmt: skip
        for by, stated, kind in (
            ("me", [], AttestationEmpty), (" ", ["no_standard_answer"], AttestationEmpty),
            ("me", ["no_idea"], RunWord),
        ):  # fmt: skip
            with pytest.raises(kind):
                recording.attest(by, stated)


def test_a_derivation_names_digests_as_they_are(run: Path, tmp_path: Path) -> None:
    """Of what was made and of what from; and who had it made (RUN-85)."""
    put(run / "raw.jsonl", [{}])
    with recorder(run, 10) as recording:
        made = recording.derive("answer.json", ["raw.jsonl", "task.md"], tool="sum.py",
                                producer="agent", cwd=tmp_path, note="n")  # fmt: skip
        assert made["inputs"][0] == {"path": "raw.jsonl", "sha256": digest(run / "raw.jsonl")}
        assert lines_of(run / "derivations.jsonl") == [made]
        assert (last(run)["name"], last(run)["actor"]) == ("derive", "agent")
        assert problems(Directory(run)) == []
        for output, inputs, tool, producer, kind in (
            ("answer.json", [], "t", "agent", RecordField),
            ("answer.json", ["raw.jsonl"], " ", "agent", RecordField),
            ("answer.json", ["raw.jsonl"], "t", "nobody", RunWord),
            ("gone.json", ["raw.jsonl"], "t", "agent", RunPath),
            ("answer.json", ["../raw.jsonl"], "t", "agent", RunPath),
        ):  # fmt: skip
            with pytest.raises(kind):
                recording.derive(output, inputs, tool=tool, producer=producer, cwd=tmp_path)
    assert len(lines_of(run / "derivations.jsonl")) == 1


def test_withholding_names_a_file_and_touches_no_other(run: Path) -> None:
    """With its digest while it is there; the last reason counts (RUN-86)."""
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    held = digest(run / "answer.json")
    entry = withhold(run, "answer.json", "private", entropy=entropy)
    assert entry == {"path": "answer.json", "sha256": held, "reason": "private"}
    withhold(run, "gone.json", "lost", entropy=entropy, sha256="ab" * 32)
    withhold(run, "answer.json", "names of players", entropy=entropy)
    assert [one["reason"] for one in document(run, "withheld.json")["files"]] == [
        "lost", "names of players"
    ]  # fmt: skip
    assert {path: path.read_bytes() for path in before} == before
    assert problems(Directory(run)) == []
    with recorder(run, 10) as recording:
        recording.declare("answer", "answer.json", cwd=run)
    (run / "answer.json").unlink()
    assert [(one.path, one.why) for one in withheld(Directory(run))] == [
        ("answer.json", "names of players")
    ]
    assert problems(Directory(run)) == []


@pytest.mark.parametrize(
    ("path", "reason", "sha256", "kind"),
    [
        ("../a", "r", None, RunPath),
        ("", "r", None, RunPath),
        ("run.json", "r", None, RunPath),
        ("a", " ", None, RecordField),
        ("a", "r", "no digest", RecordField),
    ],
)
def test_what_cannot_be_withheld_is_refused(
    path: str, reason: str, sha256: str | None, kind: type[Refusal], run: Path
) -> None:
    """A path that leads out, no reason, no digest (RUN-86)."""
    with pytest.raises(kind):
        withhold(run, path, reason, entropy=entropy, sha256=sha256)
    assert not (run / "withheld.json").exists()


def test_what_is_withheld_is_added_to_a_list_that_is_one(run: Path) -> None:
    """Anything else there is left as it is (RUN-75)."""
    put(run / "withheld.json", {"files": {}})
    with pytest.raises(RunUnreadable):
        withhold(run, "answer.json", "private", entropy=entropy)
    assert document(run, "withheld.json") == {"files": {}}


def test_documents_are_replaced_whole(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader sees the old one or the new one; a failure leaves the old one (RUN-75)."""
    before = (run / "evidence.json").read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with recorder(run, 10) as recording:
        monkeypatch.setattr(Path, "replace", fail)
        with pytest.raises(FileUnwritable):
            recording.declare("answer", "answer.json", cwd=run)
        monkeypatch.undo()
    assert (run / "evidence.json").read_bytes() == before
    assert [name for name in os.listdir(run) if name.startswith(".")] == []
