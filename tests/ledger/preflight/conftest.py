"""Preflights of small configurations, with real programs on this machine."""

import json
import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from ledger.preflight import Report, Surroundings, preflight, read_config, selected

HERE = Path(__file__).parent
AT = "2026-01-02T03:04:05.000006Z"


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reach endpoints of this machine directly, whatever stands between it and others."""
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, "127.0.0.1,localhost")


@pytest.fixture
def around(tmp_path: Path) -> Surroundings:
    """Return surroundings in which the clock stands still and commands run in a new folder."""
    folder = tmp_path / "present"
    folder.mkdir()
    return Surroundings(
        clock=lambda: AT,
        entropy=os.urandom,
        environ=dict(os.environ),
        folder=folder,
        python=sys.executable,
        environment={
            "python": "3",
            "executable": sys.executable,
            "platform": "some system",
            "cwd": str(folder),
            "repo": dict.fromkeys(("root", "commit", "branch", "dirty_entries")),
            "run_dir": None,
        },
    )


@pytest.fixture
def checked(tmp_path: Path, around: Surroundings) -> Callable[..., Report]:
    """Return a function that makes checks with a configuration of a few keys."""

    def make(*names: str, **keys: Any) -> Report:
        document = {"name": "plain", "command": sys.executable, **keys}
        configured = read_config(json.dumps(document).encode(), "harness.json")
        return preflight(configured, tmp_path / "out", selected(names or None, ()), around)

    return make


@pytest.fixture
def one(checked: Callable[..., Report]) -> Callable[..., dict[str, Any]]:
    """Return a function that makes one check and returns what the report says of it."""

    def make(name: str, **keys: Any) -> dict[str, Any]:
        check: dict[str, Any] = checked(name, **keys).document["checks"][0]
        assert check["id"] == name
        return check

    return make


@pytest.fixture
def free_ports() -> Callable[[int], list[int]]:
    """Return a function that finds ports which nobody listens at."""

    def find(count: int) -> list[int]:
        with ExitStack() as stack:
            listeners = [stack.enter_context(socket.socket()) for _ in range(count)]
            for listener in listeners:
                listener.bind(("127.0.0.1", 0))
            return sorted(listener.getsockname()[1] for listener in listeners)

    return find


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str, str], list[str]]:
    """Return a function that writes a Python script and returns the command that runs it."""

    def write(name: str, text: str) -> list[str]:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return [sys.executable, str(path)]

    return write


@pytest.fixture
def server() -> list[str]:
    """Return the command of a server that speaks RCON."""
    return [sys.executable, str(HERE / "rcon_server.py")]


@pytest.fixture
def taken_port() -> Iterator[int]:
    """Yield a port at which somebody listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]
