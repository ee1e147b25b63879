"""A command run to its end, or to the end of its time, with everything that it started.

A command writes into a file without a name, not into a pipe: a child of it that lives on and keeps
its output open can make nobody wait. It leads a process group of its own, and whatever of that
group is left when it ends, or when its time is over, is killed (PRE-13, PRE-14).
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

MAX_OUTPUT_BYTES = 2**26
_LOOK_SECONDS = 0.2


class Ended(Struct, frozen=True, kw_only=True):
    """How a command ended.

    Attributes:
        exit_code: What it returned, negative for the number of a signal; None where its time was
            over, it wrote too much or it could not be run.
        milliseconds: How long it took.
        output: What it wrote to stdout and stderr, in that order of time.
        problem: Why there is no exit code, or None.
    """

    exit_code: int | None
    milliseconds: int
    output: bytes
    problem: str | None = None

    @property
    def ok(self) -> bool:
        """Whether it returned 0."""
        return self.exit_code == 0

    @property
    def text(self) -> str:
        """What it wrote, as text."""
        return self.output.decode("utf-8", "replace")

    @property
    def how(self) -> str:
        """How it ended, in a few words."""
        return self.problem or f"exit code {self.exit_code}"


class Process:
    """A command that runs, the leader of a group of processes."""

    def __init__(self, popen: "subprocess.Popen[bytes]", output: BinaryIO) -> None:
        """Take the command and the file that it writes to."""
        self._popen, self._output = popen, output

    @property
    def exit_code(self) -> int | None:
        """What it returned; None while it runs."""
        return self._popen.poll()

    def wait(self, seconds: float) -> str | None:
        """Wait until it ends, at most *seconds*; return why it did not end by itself, or None."""
        until = time.monotonic() + seconds
        while True:
            left = until - time.monotonic()
            try:
                self._popen.wait(timeout=max(0.0, min(_LOOK_SECONDS, left)))
            except subprocess.TimeoutExpired:
                if left <= 0:
                    return f"no end within {seconds:g} s"
                if self.too_much:
                    return f"more than {MAX_OUTPUT_BYTES} bytes of output"
            else:
                return None

    @property
    def too_much(self) -> bool:
        """Whether it wrote more than 64 MiB."""
        return os.fstat(self._output.fileno()).st_size > MAX_OUTPUT_BYTES

    def read(self) -> bytes:
        """Return what it wrote, at most 64 MiB.

        For after its end only: while it runs it shares the place in the file.
        """
        self._output.seek(0)
        return self._output.read(MAX_OUTPUT_BYTES)

    def kill(self) -> None:
        """Kill it and all of its group."""
        if os.name == "nt":
            tree = ["taskkill", "/T", "/F", "/PID", str(self._popen.pid)]
            with suppress(OSError):
                subprocess.run(tree, capture_output=True, check=False)  # noqa: S603 - our own child
        else:
            # Its number stays that of the group for as long as anything of it is left.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, signal.SIGKILL)
        with suppress(OSError):
            self._popen.kill()
        self._popen.wait()


@contextmanager
def started(
    words: Sequence[str], folder: Path, environ: Mapping[str, str], scratch: Path
) -> Iterator[Process]:
    """Start a command; nothing of its group is left after the block.

    Args:
        words: The program and what it is called with.
        folder: Where it runs.
        environ: Its whole environment.
        scratch: A folder on the disk that takes what it writes.

    Raises:
        OSError, ValueError: It cannot be run.
    """
    with tempfile.TemporaryFile(dir=scratch) as output:
        popen = subprocess.Popen(  # noqa: S603 - what the configuration names is to be run
            _found(words, environ),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=dict(environ),
            start_new_session=True,
        )
        process = Process(popen, output)
        try:
            yield process
        finally:
            process.kill()


def _found(words: Sequence[str], environ: Mapping[str, str]) -> list[str]:
    """Return the words of a command; Windows finds ``pi.cmd`` and its like by their path only."""
    program, *rest = words
    if os.name == "nt":
        program = shutil.which(program, path=environ.get("PATH")) or program
    return [program, *rest]


def run(
    words: Sequence[str],
    seconds: int,
    folder: Path,
    environ: Mapping[str, str],
    scratch: Path,
) -> Ended:
    """Run a command to its end, for at most *seconds*; other arguments as of :func:`started`."""
    took = stopwatch()
    try:
        with started(words, folder, environ, scratch) as process:
            problem = process.wait(seconds)
            code = process.exit_code if problem is None else None
            process.kill()
            return Ended(
                exit_code=code, milliseconds=took(), output=process.read(), problem=problem
            )
    except (OSError, ValueError) as fault:
        return Ended(
            exit_code=None, milliseconds=took(), output=b"", problem=f"not runnable: {why(fault)}"
        )


def stopwatch() -> Callable[[], int]:
    """Return what tells the milliseconds since now."""
    start = time.monotonic_ns()
    return lambda: (time.monotonic_ns() - start) // 1_000_000


def why(fault: BaseException) -> str:
    """Return what the system said, without the path, which stands beside it."""
    return getattr(fault, "strerror", None) or str(fault) or type(fault).__name__
