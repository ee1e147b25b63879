"""Each check proves what it says, with real programs, files, ports and endpoints."""

import json
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from canon import sha256
from ledger.errors import CheckUnknown
from ledger.preflight import CHECKS, Made, Report, checks, overall, selected
from ledger.preflight.bench import Bench, Outcome, filled, seconds_text, shortened

One = Callable[..., dict[str, Any]]
ORDER = [
    "harness_identity", "terminal", "filesystem", "ports", "source_fetch", "build_install",
    "bridge_cli", "bridge_mcp", "bridge_smoke", "lab_management",
]  # fmt: skip


def says(text: str) -> list[str]:
    """Return a command that runs a piece of Python."""
    return [sys.executable, "-c", text]


def test_there_are_ten_checks_in_their_order() -> None:
    """PRE-10: as the page has them, whatever order they are asked for in."""
    assert list(CHECKS) == ORDER == selected(None, ())
    assert selected(["ports", "terminal", "ports"], ()) == ["terminal", "ports"]
    assert selected(None, ["lab_management", "ports"]) == [
        name for name in ORDER if name not in ("lab_management", "ports")
    ]


@pytest.mark.parametrize(
    ("only", "without", "place"),
    [
        (["terminl"], [], "--checks"),
        (None, ["terminl"], "--skip"),
        ([""], [], "--checks"),
        (["terminal"], ["terminal"], "--checks and --skip"),
        (None, ORDER, "--checks and --skip"),
    ],
)
def test_names_that_are_none_and_no_check_at_all_are_refused(
    only: list[str] | None, without: list[str], place: str
) -> None:
    """PRE-10: and the message lists the names that there are."""
    with pytest.raises(CheckUnknown) as refused:
        selected(only, without)
    assert refused.value.place == place


@pytest.mark.parametrize(
    ("statuses", "whole"),
    [
        (["PASS"], "PASS"),
        (["PASS", "SKIP"], "PASS"),
        (["SKIP"], "FAIL"),
        (["PASS", "FAIL"], "FAIL"),
        (["FAIL", "SKIP"], "FAIL"),
        ([], "FAIL"),
    ],
)
def test_skip_counts_as_nothing(statuses: list[Any], whole: str) -> None:
    """PRE-11: something has to be proved."""
    assert overall(Made("x", status, "", [], {}) for status in statuses) == whole


def test_a_probe_that_crashes_fails_alone(
    checked: Callable[..., Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    """PRE-12: the check fails, with what it had found, and the next one is made."""

    def crash(bench: Bench) -> Outcome:
        bench.run("before", says("print('before')"), 20)
        raise RuntimeError("no idea")

    broken = {**CHECKS, "terminal": CHECKS["terminal"]._replace(make=crash)}
    monkeypatch.setattr(checks, "CHECKS", broken)
    first, second = checked("terminal", "filesystem").document["checks"]
    assert (first["status"], first["detail"]) == (
        "FAIL",
        "the probe crashed: RuntimeError: no idea",
    )
    assert first["evidence"][0]["stdout_excerpt"] == "before\n"
    assert second["status"] == "PASS"


def test_a_transcript_has_all_and_the_report_its_ends(one: One, tmp_path: Path) -> None:
    """PRE-15: the digest is that of the file."""
    text = "print('begin', 'x' * 5000, 'end')"
    (entry,) = one("terminal", shell=says(text))["evidence"]
    data = (tmp_path / "out" / entry["stdout_path"]).read_bytes()
    assert data == f"begin {'x' * 5000} end\n".encode()
    assert entry["stdout_sha256"] == sha256(data).hex()
    excerpt = entry["stdout_excerpt"]
    assert excerpt.startswith("begin xxx")
    assert excerpt.endswith("xxx end\n")
    assert "\n… 3011 characters left out …\n" in excerpt


def test_what_is_short_is_shown_whole() -> None:
    """PRE-15: 2,000 characters are, one more is not."""
    assert shortened("x" * 2_000) == "x" * 2_000
    assert shortened("x" * 2_001).count("x") == 2_000


def test_output_that_is_no_text_is_kept_as_it_is(one: One, tmp_path: Path) -> None:
    """PRE-15: the report shows what can be shown."""
    shell = says("import sys; sys.stdout.buffer.write(bytes([255, 0, 65]))")
    (entry,) = one("terminal", shell=shell)["evidence"]
    assert (tmp_path / "out" / entry["stdout_path"]).read_bytes() == b"\xff\x00A"
    assert entry["stdout_excerpt"] == "\N{REPLACEMENT CHARACTER}\x00A"


def test_seconds_are_decimal_text() -> None:
    """PRE-51: three places, and no float on the way."""
    assert [seconds_text(ms) for ms in (0, 7, 1_000, 61_234)] == [
        "0.000",
        "0.007",
        "1.000",
        "61.234",
    ]


def test_only_words_in_braces_that_have_a_value_are_replaced() -> None:
    """A command may have braces of its own."""
    assert filled(["{api}", 'x{api}{b}{"a": {api}}'], {"api": 5}) == ["5", 'x5{b}{"a": 5}']


def test_a_harness_that_answers_is_identified(one: One) -> None:
    """PRE-20: its version is recorded."""
    check = one("harness_identity", command="python3")
    assert check["status"] == "PASS"
    assert check["versions"]["harness"].startswith("Python 3.")


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"command": "/no/such/harness"}, "not runnable: No such file or directory"),
        ({"command": says("exit(2)"), "version_args": []}, "exit code 2"),
        ({"command": says("0"), "version_args": []}, "said nothing"),
        ({"command": ""}, "`command` is not configured"),
        ({"command": []}, "`command` is not configured"),
        ({"command": says("import time; time.sleep(60)"), "timeouts": {"command": 1}},
         "no end within 1 s"),
    ],
)  # fmt: skip
def test_a_harness_that_does_not_answer_fails(one: One, keys: dict[str, Any], said: str) -> None:
    """PRE-20: case H2, and PRE-13: what has no exit code has null."""
    check = one("harness_identity", **keys)
    assert check["status"] == "FAIL"
    assert said in check["detail"]
    if "not runnable" in said or "no end" in said:
        assert check["evidence"][0]["exit_code"] is None


def test_a_shell_command_runs_or_fails(one: One, tmp_path: Path) -> None:
    """PRE-21: in the present folder, with the variables of the configuration."""
    text = "import os; print(os.environ['GREETING'], os.getcwd())"
    check = one("terminal", shell=says(text), env={"GREETING": "hello"})
    assert (check["status"], check["detail"]) == ("PASS", f"hello {tmp_path / 'present'}")


@pytest.mark.parametrize(
    ("shell", "said"), [([], "not configured"), (says("exit(1)"), "exit code 1")]
)
def test_a_shell_that_fails_fails(one: One, shell: list[str], said: str) -> None:
    """PRE-21: and one that is not configured."""
    check = one("terminal", shell=shell)
    assert check["status"] == "FAIL"
    assert said in check["detail"]


def test_files_keep_their_bytes(one: One, tmp_path: Path) -> None:
    """PRE-22: line ends and all, and the file is there to look at."""
    check = one("filesystem")
    (entry,) = check["evidence"]
    data = (tmp_path / "out" / entry["path"]).read_bytes()
    assert check["status"] == "PASS"
    assert entry["written_sha256"] == entry["read_sha256"] == sha256(data).hex()
    assert b"\r\n" in data
    assert len(data) == entry["size_bytes"] > 4_096


def test_files_that_change_fail(one: One, monkeypatch: pytest.MonkeyPatch) -> None:
    """PRE-22: as on a system that takes them for text."""
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda self: read(self).replace(b"\r\n", b"\n"))
    check = one("filesystem")
    assert check["status"] == "FAIL"
    (entry,) = check["evidence"]
    assert entry["written_sha256"] != entry["read_sha256"]


def test_free_ports_pass(one: One, free_ports: Callable[[int], list[int]]) -> None:
    """PRE-23: those of the bridge, and of the laboratory where there is one."""
    api, mod, last = free_ports(3)
    ports = {"api": api, "mod": mod, "range": [api, last]}
    check = one("ports", ports=ports)
    assert (check["status"], check["versions"]) == ("PASS", {"api": api, "mod": mod})
    assert [entry["free"] for entry in check["evidence"]] == [True, True]


def test_the_ports_of_the_laboratory_are_reserved(
    one: One, free_ports: Callable[[int], list[int]], taken_port: int
) -> None:
    """PRE-23: a laboratory that is enabled needs its own."""
    api, mod, game = free_ports(3)
    lab = {"enabled": True, "ports": {"game": game, "rcon": taken_port}}
    ports = {"api": api, "mod": mod, "range": [1, 65_535]}
    assert one("ports", ports=ports, lab=lab)["detail"].startswith(f"rcon {taken_port}: ")


@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_a_port_that_is_taken_fails(
    one: One, free_ports: Callable[[int], list[int]], family: socket.AddressFamily
) -> None:
    """PRE-23: at any address of the machine, also one of the other family."""
    (other,) = free_ports(1)
    with socket.socket(family) as listener:
        try:
            listener.bind(("::1" if family == socket.AF_INET6 else "127.0.0.1", 0))
        except OSError:
            pytest.skip("this machine has no such address")
        listener.listen()
        port = listener.getsockname()[1]
        check = one("ports", ports={"api": port, "mod": other, "range": [1, 65_535]})
    assert check["status"] == "FAIL"
    assert check["detail"] == f"api {port}: address already in use"
    assert [entry["free"] for entry in check["evidence"]] == [False, True]


def test_a_port_that_was_closed_a_moment_ago_is_free(
    one: One, free_ports: Callable[[int], list[int]]
) -> None:
    """PRE-23: a connection that lingers keeps no server from starting."""
    (mod,) = free_ports(1)
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)), listener.accept()[0] as served:
            served.shutdown(socket.SHUT_RDWR)
    check = one("ports", ports={"api": port, "mod": mod, "range": [1, 65_535]})
    assert check["status"] == "PASS", check["detail"]


@pytest.mark.parametrize(
    ("ports", "said"),
    [
        ({"api": 0}, "api 0: outside 27190–27199"),
        ({"api": 0, "range": [0, 27199]}, "0–27199 is no range of ports"),
        ({"api": 27189}, "api 27189: outside 27190–27199"),
        ({"mod": 27200}, "mod 27200: outside 27190–27199"),
        ({"api": -1, "range": [-5, 27199]}, "-5–27199 is no range"),
        ({"api": 70_000, "range": [27190, 80_000]}, "27190–80000 is no range"),
        ({"range": [27199, 27190]}, "27199–27190 is no range"),
        ({"api": 27191}, "mod and api are both 27191"),
    ],
)
def test_ports_that_cannot_be_reserved_fail(one: One, ports: dict[str, Any], said: str) -> None:
    """PRE-23: port 0 is no port, and the range holds."""
    check = one("ports", ports=ports)
    assert check["status"] == "FAIL"
    assert said in check["detail"]


def test_a_bridge_that_answers_passes(one: One, script: Callable[[str, str], list[str]]) -> None:
    """PRE-26 and PRE-27: each side is asked for its help."""
    bridge = {"command": script("bridge.py", "import sys; print(sys.argv[1:])")}
    for name, arguments in (("bridge_cli", "['--help']"), ("bridge_mcp", "['mcp', '--help']")):
        check = one(name, bridge=bridge)
        assert check["status"] == "PASS"
        assert check["evidence"][0]["stdout_excerpt"] == f"{arguments}\n"


@pytest.mark.parametrize("command", ["", "/no/such/bridge", says("exit(2)")])
def test_a_bridge_that_does_not_answer_fails(one: One, command: Any) -> None:
    """PRE-26: the command line is the required surface."""
    assert one("bridge_cli", bridge={"command": command})["status"] == "FAIL"


@pytest.mark.parametrize("command", ["", "/no/such/bridge", says("exit(2)")])
def test_a_bridge_without_mcp_is_no_fault(one: One, command: Any) -> None:
    """PRE-27: SKIP, which proves nothing."""
    assert one("bridge_mcp", bridge={"command": command})["status"] == "SKIP"


def test_a_smoke_test_runs_in_its_folder_on_the_reserved_ports(
    one: One, script: Callable[[str, str], list[str]], tmp_path: Path
) -> None:
    """PRE-28: it learns them from its words."""
    smoke = script("smoke.py", "import os, sys; print(os.getcwd(), *sys.argv[1:])")
    bridge = {
        "smoke_command": [*smoke, "{api}", "{mod}", "{wait}", "{other}"],
        "siblings_root": str(tmp_path),
    }
    check = one("bridge_smoke", bridge=bridge, timeouts={"smoke": 7})
    assert check["status"] == "PASS"
    assert check["evidence"][0]["stdout_excerpt"] == f"{tmp_path} 27190 27191 7 {{other}}\n"


@pytest.mark.parametrize(
    ("bridge", "status"),
    [
        ({"smoke": False}, "SKIP"),
        ({"smoke": False, "smoke_command": says("exit(1)")}, "SKIP"),
        ({}, "FAIL"),
        ({"smoke_command": says("exit(1)")}, "FAIL"),
        ({"smoke_command": says("0"), "siblings_root": "/no/such/folder"}, "FAIL"),
    ],
)
def test_a_smoke_test_that_does_not_end_well_fails(
    one: One, bridge: dict[str, Any], status: str
) -> None:
    """PRE-28: it is left out only by saying so."""
    assert one("bridge_smoke", bridge=bridge)["status"] == status


def test_a_secret_that_a_command_prints_is_nowhere(one: One, tmp_path: Path) -> None:
    """PRE-41: whether a program prints it plainly, as JSON, or is called with it."""
    secret = 'corr"ect horse'
    text = "import json, os; s = os.environ['BRIDGE_TOKEN']; print(s, json.dumps(s))"
    shell = [*says(text), "--password", "batt-ery", secret]
    check = one("terminal", shell=shell, env={"BRIDGE_TOKEN": secret})
    assert check["status"] == "PASS"
    written = [path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()]
    for form in (secret, json.dumps(secret)[1:-1], "batt-ery"):
        assert not any(form.encode() in data for data in written)
    assert check["evidence"][0]["command"][3:] == ["--password", "<redacted>", "<redacted>"]
    assert check["evidence"][0]["stdout_excerpt"] == '<redacted> "<redacted>"\n'
