"""What becomes of misuse, refusals, faults and interruptions: exit codes and messages."""

import errno
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_place import TRUST, Run

from cli.errors import FileUnreadable
from cli.failing import failed

MISUSE = [
    ["frobnicate"],
    ["status", "--frobnicate"],
    ["show"],
    ["log", "--limit", "many"],
    ["log", "--all", "--from", "3"],
    ["attempts", "--state", "lost"],
    ["edition", "freeze", "x"],
    ["edition", "freeze", "", "--key", "keys/root.key"],
    ["edition", "freeze", "a\nb", "--key", "keys/root.key"],
    ["edition", "freeze", "x", "--status", "golden", "--key", "keys/root.key"],
    ["edition", "export", "spring", "-o", "x", "--disclose", "some", "--key", "keys/root.key"],
    ["correct", "--target", "x", "--set", "reward", "--reason", "y", "--key", "keys/root.key"],
    ["redact", "--slot", "x", "--ground", "y", "--reason", "z", "--key", "keys/root.key"],
    ["redact", "--slot", "5/record", "--ground", "", "--reason", "z", "--key", "keys/root.key"],
    ["redact", "--slot", "5/record", "--ground", "a b", "--reason", "z", "--key", "keys/root.key"],
    ["correct", "--target", "x", "--set", "reward=0", "--reason", "\udcff", "--key", "root.key"],
    ["replay", "--check", "--as-of", "3"],
    ["checkpoint"],
    ["show", "spring.bundle", "--slot", "record"],
    ["verify"],
    ["verify", "spring.bundle"],
    ["verify", "spring.bundle", "--trust", TRUST, "--frobnicate"],
    ["verify", "spring.bundle", "--trust", TRUST, "--json=yes"],
    ["verify", "spring.bundle", "--trust"],
    ["verify", "spring.bundle", "later.bundle", "--trust", TRUST],
    ["verify", "spring.bundle", "--trust", TRUST, "--trust-sha256", "abc"],
]  # fmt: skip


@pytest.mark.parametrize("words", MISUSE, ids=" ".join)
def test_misuse_exits_64(words: list[str], run: Run) -> None:
    """Wrong usage is never taken for a verdict: 64, a message and a hint on stderr."""
    ran = run(*words)
    assert ran.code == 64
    assert not ran.out
    first, blank, hint = ran.err.splitlines()
    assert first.startswith("error[E_USAGE]: ")
    assert (blank, hint[:6]) == ("", "hint: ")


def test_misuse_is_a_document_with_json(run: Run) -> None:
    """With ``--json`` the error is on stdout, and stderr is silent."""
    ran = run("status", "--frobnicate", "--json")
    assert ran.code == 64
    assert ran.json["error"]["code"] == "E_USAGE"
    assert set(ran.json["error"]) >= {"code", "message", "hint"}
    assert not ran.err


def test_a_missing_log_key_names_both_ways(run: Run) -> None:
    """``--log-key`` is one, and ``--key`` beside which the log's key lies the other."""
    ran = run("checkpoint")
    assert "'--log-key'" in ran.err
    assert "'--key'" in ran.err


def test_a_typing_slip_gets_a_suggestion(run: Run) -> None:
    """A command that is nearly right is guessed."""
    assert "'status'" in run("statsu").err


def test_a_refusal_says_place_got_expected_and_a_hint(run: Run) -> None:
    """Refused is 1, and the message stands on stderr."""
    ran = run("status", "--ledger", "absent.db")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == (
        "error[E_LEDGER_MISSING]: absent.db: got no such file, expected a ledger\n\n"
        "hint: give the path with --ledger or COLDLEDGER, or make one with `coldledger init`\n"
    )


def test_a_refusal_is_a_document_with_json(run: Run) -> None:
    """The same with ``--json``, with place, got and expected apart."""
    ran = run("status", "--ledger", "absent.db", "--json")
    error = ran.json["error"]
    assert (ran.code, ran.err) == (1, "")
    assert (error["code"], error["place"]) == ("E_LEDGER_MISSING", "absent.db")
    assert (error["got"], error["expected"]) == ("no such file", "a ledger")


def test_an_internal_fault_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the program's own exits 70, without a traceback."""
    monkeypatch.setattr("cli.looking._status", _raises(ZeroDivisionError("a\nb")))
    ran = run("status")
    assert ran.code == 70
    assert ran.err.splitlines()[0] == "error[E_INTERNAL]: ZeroDivisionError: a"
    assert "Traceback" not in ran.err


def test_debugging_shows_the_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """COLDLEDGER_DEBUG adds where it happened, on stderr."""
    monkeypatch.setenv("COLDLEDGER_DEBUG", "1")
    monkeypatch.setattr("cli.looking._status", _raises(ZeroDivisionError("x")))
    ran = run("status", "--json")
    assert ran.json["error"]["code"] == "E_INTERNAL"
    assert "Traceback" in ran.err


def test_the_operating_system_refusing_is_no_internal_fault(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk or missing right is told with the path, and exits 1."""
    fault = OSError(errno.ENOSPC, "No space left on device", "here")
    monkeypatch.setattr("cli.looking._status", _raises(fault))
    ran = run("status")
    assert ran.code == 1
    assert "error[E_SYSTEM]: here: got No space left on device" in ran.err


@pytest.mark.parametrize(("fault", "code"), [(KeyboardInterrupt(), 130), (BrokenPipeError(), 141)])
def test_signals_end_it_quietly(
    fault: BaseException, code: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C and a reader that went away leave no traceback and no document."""
    monkeypatch.setattr("cli.looking._status", _raises(fault))
    ran = run("status", "--json")
    assert ran.code == code
    assert not ran.out
    assert ran.err in ("", "interrupted\n")


def test_json_behind_two_dashes_is_no_option(run: Run) -> None:
    """What follows ``--`` is an argument, also where it looks like the option."""
    ran = run("show", "--", "--json")
    assert (ran.code, ran.out) == (1, "")


def test_messages_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Escape sequences in what was refused are shown, not obeyed."""
    code = failed(FileUnreadable("a\x1b[31mb", "\u202ex", "y"), as_json=False)
    assert code == 1
    assert "a\\x1b[31mb: got \\u202ex" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["status", "leaderboard", "attempts", "log", "replay"])
def test_the_ledger_can_be_named_by_the_environment(
    name: str, place: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """COLDLEDGER stands where ``--ledger`` does not."""
    (place / "coldledger.db").rename(place / "other.db")
    assert run(name).code == 1
    monkeypatch.setenv("COLDLEDGER", "other.db")
    assert json.loads(run(name, "--json").out) is not None
    assert run(name, "--ledger", "absent.db").code == 1


def _raises(fault: BaseException) -> Callable[..., None]:
    def refuse(*_: object) -> None:
        raise fault

    return refuse
