"""``lab_management``: a server is made, started, asked by RCON, and stopped (PRE-29).

The commands are those of the configuration. They learn ports, name and folder from ``{game}``,
``{rcon}``, ``{name}`` and ``{lab}`` in their words, and all of it, the password too, from their
environment: a password on a command line could be read by everybody on the machine.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from . import rcon
from .bench import Bench, Outcome, filled, first_line, shortened
from .ports import taken
from .running import Ended, Process, started, stopwatch, why

_ASK_SECONDS = 5.0
_PAUSE_SECONDS = 0.1
_PASSWORD_BYTES = 16
_FREE_SECONDS = 5.0


class _Told(Struct):
    """What the server did, as ``lab.json`` has it."""

    ready_ms: int | None = None
    answer: str | None = None
    stopped: bool = False
    exit_code: int | None = None
    fault: str | None = None


class _Lab:
    """The server of one check."""

    def __init__(self, bench: Bench) -> None:
        """Choose its folder and its password."""
        self.bench, self.lab = bench, bench.config.lab
        self.folder = Path(self.lab.dir).absolute() if self.lab.dir else bench.folder / "lab"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.password = self.lab.rcon_password or bench.random(_PASSWORD_BYTES).hex()
        bench.hide(self.password)
        self.values = {
            "game": self.lab.ports.game,
            "rcon": self.lab.ports.rcon,
            "name": self.lab.name,
            "lab": self.folder.absolute(),
        }

    @property
    def more(self) -> dict[str, str]:
        """The variables of the environment that its commands have."""
        named = {f"LAB_{name.upper()}": str(value) for name, value in self.values.items()}
        return {**named, "LAB_RCON_PASSWORD": self.password}

    def words(self, words: Sequence[str]) -> list[str]:
        """Return a command with the values of this server in it."""
        return filled(words, self.values)

    def run(self, name: str, words: Sequence[str], seconds: int) -> Ended:
        """Run a command in the folder of the server."""
        return self.bench.run(name, self.words(words), seconds, folder=self.folder, more=self.more)


def lab_management(bench: Bench) -> Outcome:
    """List the servers, make one, start it, ask it, stop it."""
    lab, timeouts = bench.config.lab, bench.config.timeouts
    if not lab.enabled:
        return Outcome("SKIP", "`lab.enabled` is false")
    place = _Lab(bench)
    steps = [("list", lab.list_command, timeouts.command)]
    if lab.provision:
        steps.append(("provision", lab.provision_command, timeouts.provision))
    for name, words, seconds in steps:
        if not words and not lab.start:
            continue  # nothing is proved without a start, whatever is listed or made
        if not words:
            return Outcome("FAIL", f"`lab.{name}_command` is not configured")
        ended = place.run(name, words, seconds)
        if not ended.ok:
            return Outcome("FAIL", f"`lab.{name}_command` failed: {ended.how}")
    if not lab.start:
        return Outcome("SKIP", "`lab.start` is false: no server was started")
    if not lab.start_command:
        return Outcome("FAIL", "`lab.start_command` is not configured")
    if not rcon.is_there():
        return Outcome("FAIL", f"no RCON client is installed: install {rcon.EXTRA}")
    return _lived(place)


def _lived(place: _Lab) -> Outcome:
    """Let the server live once, and tell of it in ``lab.json``."""
    bench, lab = place.bench, place.lab
    busy = [port for port in (lab.ports.game, lab.ports.rcon) if taken(port) is not None]
    if busy:
        return Outcome("FAIL", f"port {busy[0]} is taken before the server starts")
    took, told, words = stopwatch(), _Told(), place.words(lab.start_command)
    problem, output = None, b""
    try:
        with started(words, place.folder, bench.environ(place.more), bench.folder) as process:
            _live(place, process, told)
            problem = None if told.stopped else told.fault
            process.kill()
            output = process.read()
    except (OSError, ValueError) as fault:
        told.fault = problem = f"not runnable: {why(fault)}"
    ended = Ended(exit_code=told.exit_code, milliseconds=took(), output=output, problem=problem)
    console = bench.keep_command("console", words, ended)
    if told.fault is None and (port := _still_taken(place)) is not None:
        told.fault = f"port {port} is still taken after the server stopped"
    _tell(place, told, console)
    versions = {"serverPort": lab.ports.game, "rconPort": lab.ports.rcon}
    if told.fault is not None:
        return Outcome("FAIL", told.fault, versions)
    said = first_line(told.answer or "") or "nothing, in good order"
    return Outcome("PASS", f"`{lab.question}` was answered: {said}", versions)


def _live(place: _Lab, process: Process, told: _Told) -> None:
    """Wait until the server answers, then stop it."""
    lab, timeouts = place.lab, place.bench.config.timeouts
    until = time.monotonic() + timeouts.lab_start
    took = stopwatch()
    try:
        told.answer = _answer(place, process, min(lab.wait, timeouts.lab_start))
    except rcon.Refused:
        told.fault = "the server does not take the password of `lab.rcon_password`"
        return
    if told.answer is None:
        told.exit_code = process.exit_code
        told.stopped = told.exit_code is not None
        told.fault = (
            f"the server ended before it answered: exit code {told.exit_code}"
            if told.stopped
            else f"no answer by RCON at port {lab.ports.rcon} within {lab.wait} s"
        )
        return
    told.ready_ms = took()
    rcon.ask(lab.ports.rcon, place.password, lab.stop, _ASK_SECONDS)
    left = min(timeouts.lab_stop, max(0.0, until - time.monotonic()))
    problem = process.wait(left)
    if problem is not None:
        told.fault = f"the server did not stop when it was told to: {problem}"
        return
    told.stopped, told.exit_code = True, process.exit_code
    if told.exit_code != 0:
        told.fault = f"the server stopped with exit code {told.exit_code}"


def _answer(place: _Lab, process: Process, seconds: int) -> str | None:
    """Ask again and again until somebody answers, the server ends, or the time is over."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        asked = min(_ASK_SECONDS, left)
        answer = rcon.ask(place.lab.ports.rcon, place.password, place.lab.question, asked)
        if answer is not None:
            return answer
        if process.exit_code is not None or process.too_much:
            return None
        time.sleep(_PAUSE_SECONDS)
    return None


def _still_taken(place: _Lab) -> int | None:
    """Return a port that is not free soon after the end."""
    until = time.monotonic() + _FREE_SECONDS
    while True:
        ports = (place.lab.ports.game, place.lab.ports.rcon)
        busy = next((port for port in ports if taken(port) is not None), None)
        if busy is None or time.monotonic() > until:
            return busy
        time.sleep(_PAUSE_SECONDS)


def _tell(place: _Lab, told: _Told, console: dict[str, Any]) -> None:
    """Write ``lab.json``, and leave its digest as evidence."""
    lab = place.lab
    document = {
        "name": lab.name,
        "folder": str(place.folder),
        "serverPort": lab.ports.game,
        "rconPort": lab.ports.rcon,
        "question": lab.question,
        "answer": None if told.answer is None else shortened(told.answer),
        "ready_ms": told.ready_ms,
        "stopped": told.stopped,
        "exit_code": told.exit_code,
        "problem": told.fault,
        "console": console["stdout_path"],
        "console_sha256": console["stdout_sha256"],
    }
    place.bench.keep_document("lab.json", document)
