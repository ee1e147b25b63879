"""A real JDK builds a probe; what is no JDK, or too old, does not pass."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

One = Callable[..., dict[str, Any]]

JAVAC = shutil.which("javac")
SAYS_17 = """test "$1" = -version && echo 'openjdk version "17.0.1" 2021-10-19'"""
"""What a JDK in a shell script says of its version; asked for more, it fails."""

needs_jdk = pytest.mark.skipif(JAVAC is None, reason="no JDK is on PATH to build with")


@pytest.fixture(scope="module")
def major() -> int:
    """Return the version of the JDK on this machine."""
    said = subprocess.run([str(JAVAC), "-version"], capture_output=True, check=True, text=True)
    found = re.search(r"javac (?:1\.)?(\d+)", said.stdout + said.stderr)
    assert found is not None
    return int(found[1])


@needs_jdk
def test_a_jdk_builds_installs_and_runs(one: One, major: int, tmp_path: Path) -> None:
    """PRE-25: the jar that is installed is the one that was built, and it runs."""
    check = one("build_install", build={"min_java": major})
    assert check["status"] == "PASS", check["detail"]
    assert check["versions"]["java"].startswith((str(major), f"1.{major}"))
    kinds = [entry["kind"] for entry in check["evidence"]]
    assert kinds == ["command", "command", "command", "file", "command"]
    installed = check["evidence"][3]
    assert installed["written_sha256"] == installed["read_sha256"]
    assert (tmp_path / "out" / installed["path"]).read_bytes().startswith(b"PK")
    nonce = check["evidence"][4]["stdout_excerpt"].split()[-1]
    assert nonce in (tmp_path / "out/probes/build_install/Probe.java").read_text()


@needs_jdk
def test_the_java_of_the_configuration_is_used(one: One, major: int, tmp_path: Path) -> None:
    """PRE-25: its compiler is the one beside it, or beside what a link leads to."""
    real = Path(os.path.realpath(Path(str(JAVAC)).with_name("java")))
    link = tmp_path / "java"
    link.symlink_to(real)
    build = {"min_java": major, "java": str(link)}
    check = one("build_install", build=build, env={"PATH": "/none"})
    assert check["status"] == "PASS", check["detail"]
    assert check["evidence"][1]["command"][0] == str(real.with_name("javac"))


@needs_jdk
def test_a_jdk_that_is_too_old_fails_on_purpose(one: One, major: int) -> None:
    """PRE-25: and says which version it is."""
    check = one("build_install", build={"min_java": major + 1})
    assert check["status"] == "FAIL"
    assert f"`build.min_java` is {major + 1}" in check["detail"]
    assert len(check["evidence"]) == 1
    assert check["versions"]["java"].startswith((str(major), f"1.{major}"))


@needs_jdk
def test_a_runtime_without_a_compiler_fails_in_clear_words(
    one: One, major: int, tmp_path: Path
) -> None:
    """PRE-25: building takes a JDK."""
    alone = tmp_path / "runtime" / "java"
    alone.parent.mkdir()
    alone.write_text(f'#!/bin/sh\nexec "{Path(str(JAVAC)).with_name("java")}" "$@"\n')
    alone.chmod(0o755)
    check = one("build_install", build={"min_java": major, "java": str(alone)})
    assert check["status"] == "FAIL"
    assert f"no `javac` beside {alone}" in check["detail"]
    assert "JDK" in check["detail"]


def test_without_java_it_says_so(one: One) -> None:
    """PRE-25: neither on PATH nor in the configuration."""
    check = one("build_install", env={"PATH": "/none"})
    assert (check["status"], check["evidence"]) == ("FAIL", [])
    assert "no `java` on PATH" in check["detail"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#!/bin/sh\nexit 1\n", "exit code 1"),
        ("#!/bin/sh\necho hello\n", "it does not say its version"),
        (None, "not runnable"),
    ],
)
def test_a_java_that_does_not_answer_fails(
    one: One, tmp_path: Path, text: str | None, said: str
) -> None:
    """PRE-25: whatever stands where a JDK should."""
    path = tmp_path / "java"
    if text is not None:
        path.write_text(text)
        path.chmod(0o755)
    check = one("build_install", build={"java": str(path)})
    assert check["status"] == "FAIL"
    assert said in check["detail"]


@pytest.mark.parametrize(
    ("tools", "said"),
    [
        ({"javac": "exit 1"}, "to compile the probe failed: exit code 1"),
        ({"jar": "exit 1"}, "to package the probe failed: exit code 1"),
        ({"java": f"{SAYS_17} || exit 1"}, "the installed jar does not run: exit code 1"),
        ({"java": f"{SAYS_17} || echo another"}, "the installed jar says something else"),
        ({"jar": None}, "no `jar` beside {folder}/java: that is a runtime"),
    ],
)
def test_tools_that_do_not_do_their_work_fail(
    one: One, tmp_path: Path, tools: dict[str, str | None], said: str
) -> None:
    """PRE-25: each step is looked at, and the jar is really run."""
    for tool, line in {"java": SAYS_17, "javac": "exit 0", "jar": 'echo > "$2"', **tools}.items():
        if line is not None:
            (tmp_path / tool).write_text(f"#!/bin/sh\n{line}\n")
            (tmp_path / tool).chmod(0o755)
    build = {"min_java": 17, "java": str(tmp_path / "java")}
    check = one("build_install", build=build)
    assert check["status"] == "FAIL"
    assert check["detail"].startswith(said.replace("{folder}", str(tmp_path)))
    assert check["versions"] == {"java": "17.0.1"}
