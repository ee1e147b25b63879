"""``review``: signed answers to what a verdict on a run left to people."""

import json
from pathlib import Path
from typing import Any

import pytest
from audited_runs import CAUSALITY, INDEPENDENCE, QUESTIONS, RUN, RUNNING
from cli_place import KEY, RUNS, Ran, Run

from ledger.audit import conclude
from ledger.errors import LedgerReadOnly
from ledger.rules import Policy
from ledger.store import Ledger

LEDGER = ("--ledger", RUNS)
SEEN = ("--evidence", "trajectory:c2", "--evidence", "testmod:seq3")


@pytest.fixture
def review(run: Run) -> Any:
    """Return a function that signs a review of the run."""

    def command(*more: object, review: str = CAUSALITY, status: str = "resolved") -> Ran:
        words = ("--run", RUN, "--id", review, "--status", status, "--note", "watched the replay")
        return run("review", *LEDGER, *words, "--key", KEY, *more)

    return command


def plain(text: str) -> str:
    """Return text with its lines joined."""
    return " ".join(text.split())


def newest(run: Run, type_: str) -> int:
    """Return the newest event of a type."""
    rows = run("log", *LEDGER, "--type", type_, "--json").json["events"]
    return int(rows[-1]["seq"])


def test_a_review_says_what_it_does(run: Run, review: Any) -> None:
    """The number, what it binds, and what the next audit comes to."""
    verdict = newest(run, "audit.concluded")
    done = review(*SEEN, "--json")
    assert done.code == 0
    said = done.json
    assert said["seq"] == newest(run, "review.decided")
    assert (said["run"], said["review"], said["status"]) == (RUN, CAUSALITY, "resolved")
    assert (said["verdict"], said["counts"], said["why"]) == (verdict, True, None)
    assert [one["ref"] for one in said["evidence"]] == ["trajectory:c2", "testmod:seq3"]
    assert [len(one["events"]) for one in said["evidence"]] == [2, 1]
    assert said["affected"] == {
        "attempts": [],
        "editions": [],
        "runs": [RUN],
        "flag": "machine_operated",
        "flag_status": "PASS",
        "overall": "PENDING",
        "failure_class": None,
    }
    event = run("show", said["seq"], *LEDGER, "--json").json
    assert event["slots"]["evidence"]["text"] == "trajectory:c2\ntestmod:seq3"
    assert event["slots"]["reason"]["text"] == "watched the replay"
    assert run("replay", "--check", *LEDGER).code == 0


def test_it_is_told_in_words(review: Any) -> None:
    """For people: each reference with its events, and how the flag stands."""
    done = review(*SEEN, "--by", "Ada")
    assert done.code == 0
    assert f"resolved {CAUSALITY} of run {RUN}, by event" in done.out
    assert "machine_operated PASS, overall PENDING" in done.out
    assert "trajectory:c2" in done.out
    assert "testmod:seq3" in done.out
    assert f"`coldledger audit {RUN} --ledger {RUNS}`" in plain(done.err)
    rejected = review(status="rejected")
    assert rejected.code == 0
    assert "machine_operated FAIL, overall FAIL, AGENT_FAIL" in rejected.out


def test_a_run_passes_once_all_are_answered(review: Any) -> None:
    """Each without another audit in between: they answer one verdict."""
    results = [review(*SEEN, "--json", review=one).json["affected"] for one in QUESTIONS]
    assert [one["overall"] for one in results] == ["PENDING", "PENDING", "PASS"]


def test_a_review_that_is_late_says_that_it_does_not_count(
    place: Path, run: Run, review: Any
) -> None:
    """It answers the verdict that was read; the run is another since."""
    path = place / "judged" / "trajectory.jsonl"
    text = path.read_text().replace('"c2"', '"c2-again"')
    path.write_text(text)
    assert run("import", "judged", *LEDGER).code == 0
    done = review("--evidence", "testmod:seq3", "--json")
    assert (done.code, done.json["counts"]) == (0, False)
    assert done.json["why"] == "it answers another state of the flag than this one"
    shown = review("--evidence", "testmod:seq3")
    assert "audit the run again, and answer that verdict" in plain(shown.err)


@pytest.mark.parametrize(
    ("options", "code", "exits"),
    [
        ({"status": "fine"}, "E_USAGE", 64),
        ({"review": "machine_operated.ordering", "more": SEEN}, "E_REVIEW_UNASKED", 1),
        ({"more": ("--evidence", "trajectory:c9")}, "E_REF", 1),
        ({"more": ("--evidence", "testmod:seq3", "--verdict", "3")}, "E_VERDICT_NONE", 1),
        ({"more": ("--evidence", "testmod:seq3", "--key", "keys/log.key")}, "E_KEY_UNKNOWN", 1),
        ({"more": ("--evidence", " ")}, "E_REF", 1),
        ({}, "E_REASON", 1),
    ],
)
def test_what_is_refused(
    run: Run, review: Any, options: dict[str, Any], code: str, exits: int
) -> None:
    """Nothing is signed, and the message says what to do."""
    before = run("status", *LEDGER, "--json").json["size"]
    named = {name: value for name, value in options.items() if name != "more"}
    refused = review(*options.get("more", ()), "--json", **named)
    assert (refused.json["error"]["code"], refused.code) == (code, exits)
    assert refused.json["error"]["hint"]
    assert run("status", *LEDGER, "--json").json["size"] == before


def test_a_ledger_without_the_run_names_near_ones(run: Run) -> None:
    """By the names that it holds; a ledger with none has nothing to name."""
    words = ("--id", RUNNING, "--status", "pending", "--note", "x", "--key", KEY, "--json")
    refused = run("review", "--run", "run-02", *words, *LEDGER).json["error"]
    assert (refused["code"], refused["expected"]) == ("E_RUN_UNKNOWN", RUN)
    refused = run("review", "--run", "run-02", *words).json["error"]
    assert refused["code"] == "E_RUN_UNKNOWN"


def test_pending_needs_no_evidence(review: Any) -> None:
    """Somebody looks at it, and has not decided."""
    done = review("--json", review=INDEPENDENCE, status="pending").json
    assert (done["affected"]["flag_status"], done["evidence"]) == ("PENDING", [])


def test_a_verdict_and_a_review_can_be_read(run: Run, review: Any) -> None:
    """``show`` says flag by flag what was concluded, and ``log`` what it came to."""
    done = review(*SEEN, "--json").json
    assert run("audit", RUN, *LEDGER).code == 2
    shown = plain(run("show", newest(run, "audit.concluded"), *LEDGER).out)
    assert "PENDING logger_armed_before_activation: waits for review" in shown
    assert "PASS machine_operated" in shown
    assert f"review {CAUSALITY}: resolved by" in shown
    assert "signed, counts" in shown
    shown = plain(run("show", done["seq"], *LEDGER).out)
    assert "trajectory:c2" in shown
    listed = run("log", *LEDGER, "--type", "audit.concluded").out
    assert f"{RUN}: PENDING, 3 of 5 flags passed" in plain(listed)


def test_the_same_audit_again_appends_nothing(run: Run, review: Any) -> None:
    """And the next one says which signed review does not count, and why."""
    assert review(*SEEN).code == 0
    first = run("audit", RUN, *LEDGER, "--json")
    again = run("audit", RUN, *LEDGER, "--json")
    assert (first.json["appended"], again.json["appended"]) == (True, False)
    assert first.json["event"] == again.json["event"]
    assert again.json["verdict_sha256"] == first.json["verdict_sha256"]
    path = Path("judged") / "trajectory.jsonl"
    path.write_text(path.read_text().replace('"execute use', '"execute  use'))
    assert run("import", "judged", *LEDGER).code == 0
    third = run("audit", RUN, *LEDGER)
    assert third.code == 2
    assert "does not count: event" in plain(third.err)
    earlier = run("audit", RUN, *LEDGER, "--as-of", first.json["event"], "--json").json
    assert earlier["verdict_sha256"] == first.json["verdict_sha256"]
    assert run("replay", "--check", *LEDGER, "--json").json["verdicts"] == {
        "of": 3, "recomputed": 3, "other_auditor": 0, "withheld": 0,
    }  # fmt: skip


def test_a_ledger_that_cannot_be_written_is_audited(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The verdict is told, and a message says that it was not recorded."""
    opened = Ledger.open

    def refuse(path: Path, *, write: bool = False) -> Ledger:
        if write:
            raise LedgerReadOnly(str(path), "read-only file system", "a file to append to")
        return opened(path)

    monkeypatch.setattr(Ledger, "open", refuse)
    done = run("audit", RUN, *LEDGER, "--json")
    assert done.code == 2
    assert (done.json["event"], done.json["appended"]) == (None, False)
    assert "not recorded" in done.err


def test_a_ledger_without_the_rules_says_how_to_audit(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older ledger: nothing is recorded, and without recording this program's rules do."""
    kept = conclude.frozen_rules

    def older(ledger: Ledger, name: str, as_of: int | None) -> Policy:
        return kept(ledger, f"{name}-none", as_of)

    monkeypatch.setattr(conclude, "frozen_rules", older)
    refused = run("audit", RUN, *LEDGER, "--json")
    assert (refused.code, refused.json["error"]["code"]) == (1, "E_AUDIT_RULES")
    assert "--dry-run" in refused.json["error"]["hint"]
    done = run("audit", RUN, *LEDGER, "--dry-run", "--json")
    assert (done.code, done.json["appended"]) == (2, False)
    assert "rules of this program" in done.err


def test_reported_reviews_of_the_question_are_said(place: Path, run: Run, review: Any) -> None:
    """What came in after the verdict that is answered, and what is overruled; then the audit."""
    lines = place / "judged" / "reviews.jsonl"
    said = {"id": CAUSALITY, "status": "rejected", "by": "eve", "at": "2026-02-01T10:00:50Z"}
    said |= {"note": "saw a lever", "evidence": []}
    with lines.open("a") as out:
        out.write(json.dumps(said) + "\n")
    assert run("import", "judged", *LEDGER).code == 0
    done = review(*SEEN)
    assert done.code == 0
    assert f"reports {CAUSALITY} as rejected, after the verdict that this answers" in plain(
        done.err
    )
    assert run("audit", RUN, *LEDGER, "--json").code == 2
    again = plain(review(*SEEN).err)
    assert f"reports {CAUSALITY} as rejected, before the verdict that this answers" in again
    shown = plain(run("audit", RUN, *LEDGER).out)
    assert "rejected by eve, reported, does not count: a signed review goes before it" in shown


def test_a_signer_is_shown_by_name(run: Run, review: Any) -> None:
    """The controller in the trust root, beside the first digits of the key; JSON has the key."""
    assert review(*SEEN, "--by", "Ada").code == 0
    ran = run("audit", RUN, *LEDGER)
    document = run("audit", RUN, *LEDGER, "--json").json
    (signed,) = [one for one in document["reviews"] if one["kind"] == "signed"]
    kid = signed["by"].rpartition(" ")[2]
    keys = run("trust", "show", *LEDGER, "--json").json["keys"]
    holder = next(one["controller"] for one in keys if one["kid"].startswith(kid))
    assert f"resolved by Ada by {holder}, key {kid}…, signed" in plain(ran.out)
