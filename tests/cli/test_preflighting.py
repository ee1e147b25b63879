"""Commands of ``preflight``: the cases of a harness's environment, from the command line."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_place import Ran, Run

from ledger.preflight import CHECKS

REPO = Path(__file__).resolve().parents[2]
SAMPLE = REPO / "samples" / "preflight" / "plain.toml"
FAST = ("--checks", "harness_identity,terminal,filesystem")
HARNESS = {
    "name": "pi",
    "command": sys.executable,
    "shell": [sys.executable, "-c", "print('ready')"],
}

Preflight = Callable[..., Ran]


@pytest.fixture
def preflight(run: Run, place: Path) -> Preflight:
    """Return a function that runs a preflight of a configuration in the prepared folder."""

    def command(*args: object, config: Any = HARNESS, out: str = "checked") -> Ran:
        (place / "harness.json").write_text(json.dumps(config), encoding="utf-8")
        return run("preflight", "run", "--config", "harness.json", "--out", out, *args)

    return command


@pytest.fixture
def opened(run: Run, place: Path) -> Path:
    """Return the directory of a run that was just opened."""
    (place / "ask.md").write_text("Find out what the machine does.\n")
    ran = run("run", "init", "--run-dir", "opened", "--task-file", "ask.md", "--harness", "pi")
    assert ran.code == 0, ran.err
    return place / "opened"


def trajectory(run_dir: Path) -> list[dict[str, Any]]:
    """Return the records of a run."""
    return [json.loads(text) for text in (run_dir / "trajectory.jsonl").read_text().splitlines()]


def test_the_checks_are_listed_in_their_order(run: Run) -> None:
    """PRE-10: case H3."""
    ran = run("preflight", "list")
    assert (ran.code, ran.err) == (0, "")
    assert [line.split()[0] for line in ran.out.splitlines()] == list(CHECKS)
    assert "lab_management" in ran.out
    listed = run("preflight", "list", "--json").json["checks"]
    assert [one["id"] for one in listed] == list(CHECKS)


def test_a_harness_of_this_machine_passes(preflight: Preflight, place: Path) -> None:
    """PRE-53: case H1, and the report on stdout is the one in the folder."""
    ran = preflight(*FAST, "--json")
    assert (ran.code, ran.err) == (0, "")
    report = ran.json
    assert report["overall"] == "PASS"
    assert [check["status"] for check in report["checks"]] == ["PASS", "PASS", "PASS"]
    assert report == json.loads((place / "checked" / "preflight.json").read_text())
    assert report["environment"]["cwd"] == str(place)
    assert report["environment"]["executable"] == sys.executable


def test_it_is_told_to_people_check_by_check(preflight: Preflight) -> None:
    """Status first, then what it is about; where the report is comes last."""
    ran = preflight(*FAST)
    first, *_ = lines = ran.out.splitlines()
    assert first.startswith("PASS  harness_identity  pi: Python 3.")
    assert lines[1].split() == ["PASS", "terminal", "ready"]
    assert "overall" in ran.out
    assert "checked/preflight.json" in ran.out


def test_a_harness_that_there_is_not_fails(preflight: Preflight) -> None:
    """PRE-53: case H2, and PRE-13: the command has no exit code."""
    ran = preflight("--checks", "harness_identity", "--json", "--set", "command=/no/such/pi")
    assert ran.code == 1
    assert ran.json["overall"] == "FAIL"
    assert ran.json["checks"][0]["evidence"][0]["exit_code"] is None


def test_nothing_but_skip_fails(preflight: Preflight) -> None:
    """PRE-11: nothing was proved."""
    ran = preflight("--checks", "bridge_mcp,lab_management", "--json")
    assert [check["status"] for check in ran.json["checks"]] == ["SKIP", "SKIP"]
    assert (ran.code, ran.json["overall"]) == (1, "FAIL")


def test_checks_can_be_left_out(preflight: Preflight) -> None:
    """PRE-10: --skip takes away from what --checks asks for."""
    ran = preflight(*FAST, "--skip", "terminal, filesystem", "--json")
    assert [check["id"] for check in ran.json["checks"]] == ["harness_identity"]


@pytest.mark.parametrize(
    ("words", "code", "exit_code"),
    [
        (("--checks", "terminl"), "E_PREFLIGHT_CHECK", 64),
        (("--skip", "terminl"), "E_PREFLIGHT_CHECK", 64),
        (("--checks", ""), "E_PREFLIGHT_CHECK", 64),
        (("--checks", "terminal", "--skip", "terminal"), "E_PREFLIGHT_CHECK", 64),
        (("--set", "no.such=key"), "E_PREFLIGHT_SET", 64),
        (("--set", "build.min_java=new"), "E_PREFLIGHT_SET", 64),
        (("--set", "build.min_java"), "E_PREFLIGHT_SET", 64),
        (("--ledger", "coldledger.db"), "E_USAGE", 64),
        (("--run-dir", "some", "--out", "some/preflight"), "E_USAGE", 64),
        (("--run-dir", "some", "--out", "some/more/../preflight"), "E_USAGE", 64),
        (("--run-dir", "no-such-run"), "E_RUN_MISSING", 1),
    ],
)
def test_wrong_usage_is_told_before_anything_runs(
    preflight: Preflight, place: Path, words: tuple[str, ...], code: str, exit_code: int
) -> None:
    """PRE-53 and PRE-65: with the one document, and no folder is made."""
    ran = preflight(*words, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (exit_code, code)
    assert not (place / "checked").exists()


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("missing.json", None, "E_UNREADABLE"),
        ("bad.toml", b"name = ", "E_PREFLIGHT_SYNTAX"),
        ("bad.json", b"{", "E_PREFLIGHT_SYNTAX"),
        ("keys.json", b'{"name": "a", "command": "b", "x": 1}', "E_PREFLIGHT_KEY"),
        ("none.json", b"{}", "E_PREFLIGHT_MISSING"),
        ("kinds.json", b'{"name": 1, "command": "b"}', "E_PREFLIGHT_VALUE"),
    ],
)
def test_a_configuration_that_is_none_is_refused(
    run: Run, place: Path, name: str, data: bytes | None, code: str
) -> None:
    """PRE-53: the input is at fault, not the command line."""
    if data is not None:
        (place / name).write_bytes(data)
    ran = run("preflight", "run", "--config", name, "--out", "checked", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, code)
    assert not (place / "checked").exists()


def test_a_folder_of_somebody_else_is_not_touched(preflight: Preflight, place: Path) -> None:
    """PRE-52: the command says which file stands there."""
    (place / "checked").mkdir()
    (place / "checked" / "preflight.json").write_text("mine")
    ran = preflight(*FAST, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, "E_EXISTS")
    assert (place / "checked" / "preflight.json").read_text() == "mine"


def test_the_sample_passes_where_there_are_sh_and_python3(
    run: Run, place: Path, tmp_path: Path
) -> None:
    """What the help says of it is so; its ports are set to free ones, as others test here too."""
    import socket

    with socket.socket() as one, socket.socket() as two:
        for listener in (one, two):
            listener.bind(("127.0.0.1", 0))
        api, mod = (listener.getsockname()[1] for listener in (one, two))
    ran = run(
        *("preflight", "run", "--config", SAMPLE, "--out", tmp_path / "out", "--json"),
        *("--checks", "harness_identity,terminal,filesystem,ports"),
        *("--set", f"ports.api={api}", "--set", f"ports.mod={mod}"),
        *("--set", "ports.range=[1, 65535]"),
    )
    assert ran.code == 0, ran.out
    assert [check["status"] for check in ran.json["checks"]] == ["PASS"] * 4
    assert "samples/preflight/plain.toml" in run("preflight", "run", "--help").out


def test_a_secret_beside_the_file_is_printed_nowhere(preflight: Preflight, place: Path) -> None:
    """PRE-41: not on the terminal, in the report or in a transcript."""
    shell = [sys.executable, "-c", "import os; print(os.environ['A_TOKEN'])"]
    words = (*FAST, "--set", "env.A_TOKEN=t-456-xyz", "--set", "lab.rcon_password=pass-word-1")
    for more in ((), ("--json",)):
        ran = preflight(*words, *more, config=HARNESS | {"shell": shell})
        assert ran.code == 0
        assert "t-456-xyz" not in ran.out + ran.err
        assert "<redacted>" in ran.out
    for path in (place / "checked").rglob("*"):
        assert path.is_dir() or b"t-456-xyz" not in path.read_bytes()


def test_a_secret_of_the_environment_is_printed_nowhere(
    preflight: Preflight, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PRE-43: by the end of its name; what else is in the environment may be shown."""
    monkeypatch.setenv("MAKER_API_KEY", "sk-abcdefgh")
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "parallel")
    names = "['MAKER_API_KEY', 'TOKENIZERS_PARALLELISM']"
    shell = [sys.executable, "-c", f"import os; print(*(os.environ[n] for n in {names}))"]
    ran = preflight("--checks", "terminal", "--json", config=HARNESS | {"shell": shell})
    assert ran.json["checks"][0]["evidence"][0]["stdout_excerpt"] == "<redacted> parallel\n"
    for path in (place / "checked").rglob("*"):
        assert path.is_dir() or b"sk-abcdefgh" not in path.read_bytes()


def test_whoever_ends_it_leaves_nothing_running(place: Path) -> None:
    """PRE-13: SIGTERM reaches the preflight, and the preflight ends what it started."""
    text = (
        "import os, time; print(os.getpid(), flush=True); open('pid', 'w').write(str(os.getpid()));"
    )
    shell = [sys.executable, "-c", f"{text} time.sleep(60)"]
    (place / "harness.json").write_text(json.dumps(HARNESS | {"shell": shell}))
    words = [sys.executable, "-c", "from cli.main import run; run()", "preflight", "run"]
    words += ["--config", "harness.json", "--out", "checked", "--checks", "terminal"]
    with subprocess.Popen(words, env={**os.environ, "PYTHONPATH": str(REPO)}) as command:
        until = time.monotonic() + 20
        while not (place / "pid").exists() or not (place / "pid").read_text():
            assert time.monotonic() < until
            time.sleep(0.02)
        command.send_signal(signal.SIGTERM)
        assert command.wait(20) == 143
    with pytest.raises(ProcessLookupError):
        os.kill(int((place / "pid").read_text()), 0)


def test_a_run_keeps_the_preflight_that_it_begins_with(
    preflight: Preflight, opened: Path, run: Run, place: Path
) -> None:
    """PRE-60 and PRE-61: the mark stands in the trajectory, and the run stays valid."""
    ran = preflight(*FAST, "--run-dir", "opened", "--json", out="checked")
    assert (ran.code, ran.err) == (0, "")
    mark = trajectory(opened)[-1]
    assert (mark["record"], mark["name"]) == ("mark", "harness_preflight")
    assert mark["data"]["checks"] == dict.fromkeys(
        ("harness_identity", "terminal", "filesystem"), "PASS"
    )
    assert mark["data"]["effective_sha256"] == ran.json["effective_sha256"]
    assert (opened / "preflight" / "preflight.json").read_bytes() == (
        place / "checked" / "preflight.json"
    ).read_bytes()
    assert (opened / "preflight" / "config.json").read_bytes() == (
        place / "harness.json"
    ).read_bytes()
    assert run("run", "validate", "--run-dir", "opened").code == 0


def test_a_failed_preflight_is_kept_by_the_run_too(preflight: Preflight, opened: Path) -> None:
    """PRE-61: what did not hold is a fact like any other."""
    ran = preflight("--checks", "bridge_cli", "--run-dir", "opened")
    assert ran.code == 1
    assert trajectory(opened)[-1]["data"]["overall"] == "FAIL"


def test_another_configuration_in_the_run_is_warned_of(
    preflight: Preflight, opened: Path, run: Run
) -> None:
    """PRE-64: the one that stands when the agent begins stays; until then it may be mended."""
    assert preflight(*FAST, "--run-dir", "opened").code == 0
    mended = preflight(*FAST, "--run-dir", "opened", config=HARNESS | {"model": "mended"})
    assert "another configuration" not in mended.err
    first = (opened / "preflight" / "config.json").read_bytes()
    assert b"mended" in first
    called = ("--call-id", "c1", "--tool", "bash", "--arguments", "{}")
    assert run("run", "call", "--run-dir", "opened", *called).code == 0
    ran = preflight(*FAST, "--run-dir", "opened", config=HARNESS | {"model": "another"})
    assert ran.code == 0
    assert "another configuration" in ran.err
    assert (opened / "preflight" / "config.json").read_bytes() == first


def test_a_run_with_secrets_in_its_configuration_says_what_it_keeps(
    preflight: Preflight, opened: Path
) -> None:
    """PRE-63: no file of the run has the secret."""
    config = HARNESS | {"env": {"A_TOKEN": "t-456-xyz"}}
    ran = preflight(*FAST, "--run-dir", "opened", config=config)
    assert ran.code == 0
    assert "without them" in ran.err
    for path in opened.rglob("*"):
        assert path.is_dir() or b"t-456-xyz" not in path.read_bytes()


def test_a_ledger_takes_the_run_in(preflight: Preflight, opened: Path, run: Run) -> None:
    """With --ledger what was recorded is in the log as well."""
    before = run("status", "--json").json["size"]
    ran = preflight(*FAST, "--run-dir", "opened", "--ledger", "coldledger.db")
    assert ran.code == 0, ran.err
    assert run("status", "--json").json["size"] > before
