"""A real server is made, started, asked by RCON, and stopped."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from canon import sha256
from ledger.preflight.ports import taken

Lab = Callable[..., dict[str, Any]]


@pytest.fixture
def lab(
    one: Callable[..., dict[str, Any]],
    script: Callable[[str, str], list[str]],
    server: list[str],
    free_ports: Callable[[int], list[int]],
) -> Lab:
    """Return a function that makes the check with a server which behaves in some manner."""

    def make(manner: str = "well", timeouts: dict[str, int] | None = None, **keys: Any) -> Any:
        game, rcon = free_ports(2)
        listing = script("list.py", "print('one server')")
        making = script(
            "make.py",
            "import os, sys\n"
            "open('server.properties', 'w').write(f'port={sys.argv[1]}')\n"
            "print('made in', os.getcwd())\n",
        )
        settings = {
            "enabled": True,
            "name": "small",
            "list_command": listing,
            "provision_command": [*making, "{game}"],
            "start_command": [*server, manner],
            "ports": {"game": game, "rcon": rcon},
            "wait": 20,
            **keys,
        }
        limits = {"lab_stop": 20, **(timeouts or {})}
        return one("lab_management", lab=settings, timeouts=limits)

    return make


def test_a_server_lives_and_tells_of_it(lab: Lab, tmp_path: Path) -> None:
    """PRE-29: it answers, stops by itself, and leaves ``lab.json`` and the console behind."""
    check = lab()
    assert check["status"] == "PASS", check["detail"]
    assert "There are 0 of a max of 20 players online" in check["detail"]
    ports = check["versions"]
    assert set(ports) == {"serverPort", "rconPort"}
    assert [taken(port) for port in ports.values()] == [None, None]
    listed, made, console, document = check["evidence"]
    assert (listed["stdout_excerpt"], listed["exit_code"]) == ("one server\n", 0)
    folder = tmp_path / "out" / "probes" / "lab_management"
    assert made["stdout_excerpt"] == f"made in {folder / 'lab'}\n"
    assert (folder / "lab" / "server.properties").read_text() == f"port={ports['serverPort']}"
    told = json.loads((folder / "lab.json").read_text())
    assert document["sha256"] == sha256((folder / "lab.json").read_bytes()).hex()
    assert (told["stopped"], told["exit_code"], told["problem"]) == (True, 0, None)
    assert told["serverPort"] == ports["serverPort"]
    assert told["ready_ms"] >= 0
    said = (folder / "console.txt").read_text()
    assert told["console_sha256"] == console["stdout_sha256"] == sha256(said.encode()).hex()
    assert said.splitlines()[-3:] == ["[list]", "[stop]", "stopped"]


def test_a_password_that_nobody_gave_is_nowhere(lab: Lab, tmp_path: Path) -> None:
    """PRE-41: the server prints it, and the transcript does not have it."""
    lab()
    said = (tmp_path / "out/probes/lab_management/console.txt").read_text()
    assert said.startswith("starting small with password <redacted>\n")


def test_a_password_of_the_configuration_is_used_and_nowhere(lab: Lab, tmp_path: Path) -> None:
    """PRE-41: the server takes it, and no file of the report has it."""
    assert lab(rcon_password="correct horse")["status"] == "PASS"
    written = [path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert len(written) > 5
    assert not any(b"correct horse" in data for data in written)


@pytest.mark.parametrize(
    ("manner", "timeouts", "keys", "said"),
    [
        ("dies", {}, {}, "ended before it answered: exit code 4"),
        ("mute", {}, {"wait": 1}, "no answer by RCON"),
        ("mute", {"lab_start": 1}, {}, "no answer by RCON"),
        ("deaf", {"lab_stop": 1}, {}, "did not stop when it was told to: no end within 1 s"),
        ("cross", {}, {}, "stopped with exit code 3"),
        ("strict", {}, {}, "does not take the password"),
    ],
)
def test_a_server_that_misbehaves_fails(
    lab: Lab, tmp_path: Path, manner: str, timeouts: dict[str, int], keys: Any, said: str
) -> None:
    """PRE-29: whatever goes wrong is a failure, is told, and nothing of the server is left."""
    check = lab(manner, timeouts, **keys)
    assert check["status"] == "FAIL"
    assert said in check["detail"]
    told = json.loads((tmp_path / "out/probes/lab_management/lab.json").read_text())
    assert told["problem"] == check["detail"]
    assert [taken(port) for port in check["versions"].values()] == [None, None]


def test_a_server_that_leaves_a_child_on_its_port_fails(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PRE-29: the ports must be free again; a child that left the group is not killed."""
    monkeypatch.setattr("ledger.preflight.lab._FREE_SECONDS", 0.5)
    check = lab("orphan")
    assert check["status"] == "FAIL"
    assert "is still taken after the server stopped" in check["detail"]


def test_a_port_that_is_taken_fails_before_anything_starts(
    lab: Lab, taken_port: int, free_ports: Callable[[int], list[int]], tmp_path: Path
) -> None:
    """PRE-29: what answers there would be another server."""
    check = lab(ports={"game": free_ports(1)[0], "rcon": taken_port})
    assert (check["status"], check["versions"]) == ("FAIL", {})
    assert f"port {taken_port} is taken" in check["detail"]
    assert not (tmp_path / "out/probes/lab_management/console.txt").exists()


@pytest.mark.parametrize("key", ["list_command", "provision_command"])
def test_a_command_that_fails_or_is_not_there_fails(lab: Lab, key: str) -> None:
    """PRE-29: listing and making come first, and have to go well."""
    assert lab(**{key: [sys.executable, "-c", "exit(2)"]})["detail"] == (
        f"`lab.{key}` failed: exit code 2"
    )


@pytest.mark.parametrize("key", ["list_command", "provision_command", "start_command"])
def test_a_command_that_is_not_configured_fails(lab: Lab, key: str) -> None:
    """PRE-29: a laboratory that is enabled has its commands."""
    check = lab(**{key: []})
    assert (check["status"], check["detail"]) == ("FAIL", f"`lab.{key}` is not configured")


def test_a_command_that_cannot_be_run_fails(lab: Lab) -> None:
    """PRE-13: the console is empty, and has no exit code."""
    check = lab(start_command=["/no/such/server"])
    assert check["status"] == "FAIL"
    assert "not runnable: No such file or directory" in check["detail"]
    console = check["evidence"][2]
    assert (console["exit_code"], console["stdout_excerpt"]) == (None, "")


def test_a_server_that_is_not_started_proves_nothing(lab: Lab) -> None:
    """PRE-29: case H6: listing and making went well, and the check is SKIP all the same."""
    check = lab(start=False)
    assert (check["status"], len(check["evidence"])) == ("SKIP", 2)
    assert "rconPort" not in check["versions"]


def test_a_server_that_is_not_started_needs_no_commands(lab: Lab) -> None:
    """PRE-29: case H6 of a laboratory that names none; SKIP proves nothing either way."""
    check = lab(start=False, list_command=[], provision_command=[])
    assert (check["status"], check["evidence"]) == ("SKIP", [])


def test_a_server_that_is_not_started_may_still_fail(lab: Lab) -> None:
    """PRE-29: SKIP is for what was left out, not for what went wrong."""
    check = lab(start=False, provision_command=["/no/such/maker"])
    assert check["status"] == "FAIL"


def test_without_a_laboratory_nothing_runs(lab: Lab) -> None:
    """PRE-29: SKIP, and no evidence."""
    check = lab(enabled=False)
    assert (check["status"], check["evidence"]) == ("SKIP", [])


def test_without_the_client_it_says_what_to_install(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PRE-29: the library is an extra; where it is missing the check fails and names it."""
    monkeypatch.setattr("ledger.preflight.rcon._LIBRARY", "no_such_library")
    check = lab()
    assert check["status"] == "FAIL"
    assert "coldledger[lab]" in check["detail"]
