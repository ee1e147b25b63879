"""A harness that has everything passes all ten checks."""

import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from ledger.preflight import CHECKS, Report


class _Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"[]")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def address() -> Iterator[str]:
    """Yield the address of an endpoint that answers."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v2/versions"
        server.shutdown()


@pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is on PATH to build with")
def test_all_ten_checks_pass(
    checked: Callable[..., Report],
    script: Callable[[str, str], list[str]],
    server: list[str],
    free_ports: Callable[[int], list[int]],
    address: str,
) -> None:
    """PRE-11: with real programs, ports, an endpoint, a JDK, and a server that speaks RCON."""
    api, mod, game, rcon = free_ports(4)
    bridge = script(
        "bridge.py",
        "import socket, sys\n"
        "for port in map(int, filter(str.isdigit, sys.argv)):\n"
        "    socket.create_server(('127.0.0.1', port)).close()\n"
        "print('usage: bridge')\n",
    )
    keys: dict[str, Any] = {
        "name": "whole",
        "model": "some-model",
        "provider": "some-provider",
        "shell": [sys.executable, "-c", "print('ready')"],
        "fetch_urls": [address],
        "build": {"min_java": 8},
        "bridge": {"command": bridge, "smoke_command": [*bridge, "{api}", "{mod}"]},
        "ports": {"api": api, "mod": mod, "range": [api, rcon]},
        "lab": {
            "enabled": True,
            "list_command": script("list.py", "print('none yet')"),
            "provision_command": script("make.py", "open('world', 'w').close()"),
            "start_command": server,
            "ports": {"game": game, "rcon": rcon},
        },
    }
    report = checked(**keys)
    assert report.statuses == dict.fromkeys(CHECKS, "PASS"), report.text
    assert report.overall == "PASS"
    assert report.document["checks"][-1]["versions"] == {"serverPort": game, "rconPort": rcon}
