"""``source_fetch``: every endpoint of sources and dependencies answers (PRE-24)."""

import threading
import time
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from .bench import Bench, Outcome, seconds_text
from .running import stopwatch, why

OK = 200
MAX_BODY_BYTES = 2**20
"""Of an answer, at most: that it answers is to be known, not all that it says."""

_PIECE = 65_536


class Answer(Struct):
    """What came back from an endpoint.

    Attributes:
        status: Of HTTP; None where nothing came.
        body: Its first bytes.
        problem: Why nothing came, or not the whole, or None.
    """

    status: int | None = None
    body: bytes = b""
    problem: str | None = None


def source_fetch(bench: Bench) -> Outcome:
    """Fetch every endpoint, and every package that must be there to install."""
    config = bench.config
    faults = []
    if not config.fetch_urls:
        faults.append("no endpoint is configured")
    for number, url in enumerate(config.fetch_urls, 1):
        answer = _kept(bench, number, url)
        if answer.problem is not None:
            faults.append(f"{url}: {answer.problem}")
        elif answer.status != OK:
            faults.append(f"{url}: status {answer.status}, not {OK}")
    if config.build.pip_packages:
        fault = _ask_the_index(bench)
        if fault is not None:
            faults.append(fault)
    if faults:
        return Outcome("FAIL", "; ".join(faults))
    return Outcome("PASS", f"{len(config.fetch_urls)} of {len(config.fetch_urls)} answered")


def _kept(bench: Bench, number: int, url: str) -> Answer:
    """Fetch an endpoint, and keep the beginning of what it said."""
    took = stopwatch()
    answer = fetched(url, bench.config.timeouts.fetch)
    bench.note(
        "fetch",
        url=url,
        http_status=answer.status,
        seconds=seconds_text(took()),
        **bench.keep(f"endpoint-{number}.txt", answer.body),
        problem=answer.problem,
    )
    return answer


def fetched(url: str, seconds: int) -> Answer:
    """Return what an endpoint answers within *seconds*, redirections followed.

    The limit is for all of it: one who sends a byte a second does not hold it up, since nobody
    waits for the thread that listens to him.
    """
    if not _is_http(url):
        return Answer(problem="no address of HTTP")
    answer = Answer()
    thread = threading.Thread(target=_fetch, args=(url, seconds, answer), daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        return Answer(status=answer.status, problem=f"no whole answer within {seconds} s")
    return answer


def _is_http(url: str) -> bool:
    try:
        return urlsplit(url).scheme in ("http", "https")
    except ValueError:  # such as a bracket that nothing closes
        return False


def _fetch(url: str, seconds: int, answer: Answer) -> None:
    from urllib.error import HTTPError, URLError  # slow to load, and only this check fetches
    from urllib.request import Request, urlopen

    until = time.monotonic() + seconds
    request = Request(url, headers={"User-Agent": "coldledger-preflight"})  # noqa: S310 - checked
    try:
        with urlopen(request, timeout=seconds) as response:  # noqa: S310 - HTTP only, as checked
            answer.status = response.status
            answer.body = _read(response, until)
    except HTTPError as fault:
        with fault:
            answer.status = fault.code
            answer.body = _read(fault, until)
    except URLError as fault:
        reason = fault.reason
        answer.problem = why(reason) if isinstance(reason, BaseException) else str(reason)
    except Exception as fault:  # whatever a stranger's answer sets off is about his endpoint
        answer.problem = f"{type(fault).__name__}: {why(fault)}"


def _read(response: Any, until: float) -> bytes:
    """Read a body to its end, or as much of it as is kept."""
    body = b""
    while len(body) < MAX_BODY_BYTES and time.monotonic() < until:
        piece = response.read(min(_PIECE, MAX_BODY_BYTES - len(body)))
        if not piece:
            break
        body += piece
    return body


def _ask_the_index(bench: Bench) -> str | None:
    """Fetch packages as wheels, which runs nothing of theirs; return what was wrong."""
    packages = bench.config.build.pip_packages
    words = [
        *(bench.python, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"),
        *("--disable-pip-version-check", "--no-input", "--dest", str(bench.folder / "pip")),
        *("--", *packages),
    ]
    ended = bench.run("pip", words, bench.config.timeouts.fetch * (1 + len(packages)))
    return None if ended.ok else f"pip could not fetch {', '.join(packages)}: {ended.how}"
