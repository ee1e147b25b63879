"""Endpoints answer, or they do not: real ones, over HTTP."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from canon import sha256

One = Callable[..., dict[str, Any]]


class Endpoint(BaseHTTPRequestHandler):
    """Answers by the path that is asked for."""

    def do_GET(self) -> None:
        """Answer 200, another status, another place, too much, or nothing in time."""
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/good")
            self.end_headers()
            return
        if self.path == "/silent":
            time.sleep(5)
            return
        if self.path == "/drips":
            self.send_response(200)
            self.end_headers()
            for _ in range(50):
                self.wfile.write(b".")
                time.sleep(0.1)
            return
        status = {"/missing": 404, "/broken": 500, "/empty": 204}.get(self.path, 200)
        body = b"x" * 3_000_000 if self.path == "/long" else b"here it is"
        self.send_response(status)
        self.end_headers()
        if status != 204:
            try:
                self.wfile.write(body)
            except OSError:
                self.close_connection = True  # it asked for less than all

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[str]:
    """Yield the address of a server of HTTP."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_endpoints_that_answer_pass(one: One, site: str, tmp_path: Path) -> None:
    """PRE-24: redirections are followed, and what was said is kept."""
    check = one("source_fetch", fetch_urls=[f"{site}/good", f"{site}/moved"])
    assert (check["status"], check["detail"]) == ("PASS", "2 of 2 answered")
    for entry in check["evidence"]:
        data = (tmp_path / "out" / entry["stdout_path"]).read_bytes()
        assert (entry["kind"], entry["http_status"], data) == ("fetch", 200, b"here it is")
        assert entry["stdout_sha256"] == sha256(data).hex()


def test_of_a_long_answer_a_mebibyte_is_kept(one: One, site: str, tmp_path: Path) -> None:
    """PRE-24: that it answers is to be known, not all that it says."""
    (entry,) = one("source_fetch", fetch_urls=[f"{site}/long"])["evidence"]
    assert (tmp_path / "out" / entry["stdout_path"]).stat().st_size == 2**20


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/missing", 404, "status 404, not 200"),
        ("/broken", 500, "status 500, not 200"),
        ("/empty", 204, "status 204, not 200"),
        ("/silent", None, "no whole answer within 2 s"),
        ("/drips", 200, "no whole answer within 2 s"),
    ],
)
def test_an_endpoint_that_does_not_answer_with_200_fails(
    one: One, site: str, path: str, status: int | None, said: str
) -> None:
    """PRE-24: one of two is enough to fail."""
    urls = [f"{site}/good", f"{site}{path}"]
    check = one("source_fetch", fetch_urls=urls, timeouts={"fetch": 2})
    assert check["status"] == "FAIL"
    assert said in check["detail"] or "timed out" in check["detail"]
    assert [entry["http_status"] for entry in check["evidence"]] == [200, status]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://127.0.0.1:{free}/", "Connection refused"),
        ("file:///etc/hostname", "no address of HTTP"),
        ("meta.example", "no address of HTTP"),
        ("http://[", "no address of HTTP"),
        ("http://127.0.0.1:notaport/", "nonnumeric port"),
    ],
)
def test_an_address_where_nobody_is_fails(
    one: One, free_ports: Callable[[int], list[int]], url: str, said: str
) -> None:
    """PRE-24: a file of this machine is no endpoint."""
    check = one("source_fetch", fetch_urls=[url.replace("{free}", str(free_ports(1)[0]))])
    assert check["status"] == "FAIL"
    assert said in check["detail"]
    assert check["evidence"][0]["http_status"] is None


def test_a_check_of_no_endpoint_fails(one: One) -> None:
    """PRE-24: a check over nothing proves nothing."""
    check = one("source_fetch")
    assert (check["status"], check["detail"]) == ("FAIL", "no endpoint is configured")


@pytest.mark.skipif(find_spec("pip") is None, reason="this environment has no pip to ask with")
def test_packages_are_fetched_as_wheels(one: One, site: str, tmp_path: Path) -> None:
    """PRE-24: by the real pip, from a folder here; what is not there fails."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    with ZipFile(folder / "here_now-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("here_now.py", "")
        info = "here_now-1.0.dist-info"
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: here-now\nVersion: 1.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    keys: dict[str, Any] = {
        "fetch_urls": [f"{site}/good"],
        "env": {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder)},
    }
    check = one("source_fetch", build={"pip_packages": ["here-now"]}, **keys)
    assert check["status"] == "PASS", check
    assert list((tmp_path / "out/probes/source_fetch/pip").iterdir())
    check = one("source_fetch", build={"pip_packages": ["here-now", "not-here"]}, **keys)
    assert check["status"] == "FAIL"
    assert "pip could not fetch here-now, not-here: exit code 1" in check["detail"]


def test_a_secret_in_an_address_is_not_in_a_message(one: One) -> None:
    """PRE-41: also where the system's own words have it."""
    check = one("source_fetch", fetch_urls=["http://me:pass-word@127.0.0.1:1/?api_key=k-789"])
    text = json.dumps(check)
    assert "pass-word" not in text
    assert "k-789" not in text
