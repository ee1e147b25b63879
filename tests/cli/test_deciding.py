"""``correct``, ``exclude``, ``redact``: decisions, and who may not make them."""

from pathlib import Path

import pytest
from cli_place import KEY, TRUST, Run, attempts_of


@pytest.fixture
def failed(place: Path) -> str:
    """Return an attempt that failed."""
    return attempts_of(place / "coldledger.db", "failed")[0]


def decisions(attempt: str) -> dict[str, list[str]]:
    """Return one command of each kind, without its key."""
    why = ["--reason", "because"]
    return {
        "correct": ["correct", "--target", attempt, "--set", "failure_category=other", *why],
        "exclude": [
            "exclude", "--target", attempt, "--class", "provider", "--evidence", "a ticket", *why,
        ],
        "redact": ["redact", "--slot", "6/record", "--ground", "privacy", *why],
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["correct", "exclude", "redact"])
def test_a_decision_is_one_event(kind: str, failed: str, run: Run) -> None:
    """The document has its number and what it affects, and the ledger grew by it."""
    size = run("status", "--json").json["size"]
    ran = run(*decisions(failed)[kind], "--key", KEY, "--json")
    assert (ran.code, ran.json["seq"]) == (0, size)
    assert ran.json["affected"]["attempts"] == ([] if kind == "redact" else [failed])
    assert ran.json["affected"]["editions"] == ["later", "spring"]
    assert run("status", "--json").json["size"] == size + 1
    assert run("replay", "--check").code == 0


@pytest.mark.parametrize("kind", ["correct", "exclude", "redact"])
def test_a_stranger_decides_nothing(kind: str, failed: str, run: Run) -> None:
    """A key that the trust root does not name is refused, and the ledger stays as it is."""
    run("key", "new", "stranger.key")
    before = run("status", "--json").json
    ran = run(*decisions(failed)[kind], "--key", "stranger.key", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, "E_KEY_UNKNOWN")
    assert run("status", "--json").json == before


def test_frozen_editions_are_said_to_stand(failed: str, run: Run) -> None:
    """People are told on stderr which editions the decision does not reach."""
    ran = run(*decisions(failed)["correct"], "--key", KEY)
    assert ran.out.startswith(f"corrected {failed}, by event ")
    assert "standing as they were: later, spring" in ran.err


def test_an_attempt_can_be_named_by_its_beginning(failed: str, run: Run) -> None:
    """What the list of attempts shows is enough; less is refused."""
    words = ("--set", "failure_category=other", "--reason", "x", "--key", KEY, "--json")
    assert run("correct", "--target", failed[:12], *words).json["affected"]["attempts"] == [failed]
    error = run("correct", "--target", failed[:5], *words).json["error"]
    assert error["code"] == "E_ATTEMPT_UNKNOWN"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--set", "status=lost"], "E_CORRECTION"),
        (["--set", "reward=2"], "E_CORRECTION"),
        (["--set", "agent=other"], "E_CORRECTION"),
        (["--set", "reward=0", "--reason", " "], "E_REASON"),
        (["--set", "reward=0", "--set", "reward=1"], "E_USAGE"),
    ],
    ids=str,
)
def test_a_wrong_correction_is_refused(words: list[str], code: str, failed: str, run: Run) -> None:
    """Only fields that can be corrected, to values that they can have, with a reason."""
    given = ["correct", "--target", failed, "--key", KEY, "--json", *words]
    if "--reason" not in words:
        given += ["--reason", "x"]
    assert run(*given).json["error"]["code"] == code


def test_an_exclusion_needs_a_known_class(failed: str, run: Run) -> None:
    """That the agent failed is no class, and misuse is no verdict."""
    ran = run(
        "exclude", "--target", failed, "--class", "agent_failed", "--reason", "x",
        "--evidence", "y", "--key", KEY,
    )  # fmt: skip
    assert ran.code == 64
    assert "infrastructure" in ran.err


def test_evidence_is_kept(failed: str, run: Run) -> None:
    """Attempts and numbers of events are evidence by number, everything else in prose."""
    seq = run(
        "exclude", "--target", failed, "--class", "provider", "--reason", "x",
        "--evidence", failed, "--evidence", "7", "--evidence", "ticket 12", "--key", KEY, "--json",
    ).json["seq"]  # fmt: skip
    found = run("show", seq, "--json").json
    report = next(row["seq"] for row in run("attempts", "--json").json if row["attempt"] == failed)
    assert found["body"]["evidence"] == sorted({7, report})
    assert run("show", seq, "--slot", "evidence").out == "ticket 12"


def test_redacted_bytes_are_gone_from_the_file(place: Path, run: Run) -> None:
    """Neither the ledger file nor what stands beside it holds them any more."""
    record = run("show", 5, "--slot", "record").out.encode()
    assert record in (place / "coldledger.db").read_bytes()
    assert run(*decisions("")["redact"][:1], "--slot", "5/record", "--ground", "privacy",
               "--reason", "a name", "--key", KEY).code == 0  # fmt: skip
    for path in place.glob("coldledger.db*"):
        assert record not in path.read_bytes()
    again = ["redact", "--slot", "5/record", "--ground", "x", "--reason", "y", "--key", KEY]
    assert run(*again, "--json").json["error"]["code"] == "E_REDACTION"


@pytest.mark.parametrize("slot", ["5/nothing", "9000/record"])
def test_only_what_is_there_can_be_redacted(slot: str, run: Run) -> None:
    """A slot or an event that does not exist is named."""
    words = ["redact", "--slot", slot, "--ground", "x", "--reason", "y", "--key", KEY, "--json"]
    assert run(*words).json["error"]["code"] in ("E_REDACTION", "E_EVENT_UNKNOWN")


@pytest.mark.parametrize(("answer", "more"), [(False, 0), (True, 1)])
def test_a_terminal_is_asked_before_bytes_go(
    answer: bool, more: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody at stdin can still say no, or has said ``--yes``."""
    monkeypatch.setattr("cli.deciding.interactive", lambda: True)
    monkeypatch.setattr("typer.confirm", lambda *_, **__: answer)
    size = run("status", "--json").json["size"]
    words = ["redact", "--slot", "5/record", "--ground", "x", "--reason", "y", "--key", KEY]
    assert run(*words).code == 1 - more
    assert run("status", "--json").json["size"] == size + more
    words[2] = "6/record"
    assert run(*words, "--yes").code == 0


def test_an_edition_after_a_redaction_verifies(run: Run) -> None:
    """Figures stand without the bytes, and the verdict counts what was redacted."""
    run("redact", "--slot", "5/record", "--ground", "x", "--reason", "y", "--key", KEY)
    run("edition", "freeze", "after", "--key", KEY)
    for name in ("after", "spring"):
        exported = run("edition", "export", name, "-o", f"{name}.new", "--key", KEY)
        assert exported.code == 0
        verdict = run("verify", f"{name}.new", "--trust", TRUST, "--json").json
        assert verdict["ok"] is True
        assert verdict["redacted"] == (1 if name == "after" else 0)
