"""Where clock, randomness and environment enter the program; nothing below reads them."""

import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from .errors import FileUnreadable

entropy = os.urandom
"""Returns that many random bytes."""

_QUIET_SECONDS = 0.5
_READ_LIMIT = 64 * 2**20
_HANDED_OVER = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")
_NOT_REGULAR = (
    "save it to a file first: only /dev/stdin, and what the shell opens for <(…), may be a pipe"
)


def now() -> str:
    """Return the present time as canonical text."""
    from canon import instant_text

    return instant_text(datetime.now(UTC))


def seconds() -> int:
    """Return the present time in seconds since 1970."""
    return int(time.time())


def environment(name: str) -> str | None:
    """Return a variable of the environment; one that is empty is none."""
    return os.environ.get(name) or None


def variables() -> dict[str, str]:
    """Return all variables of the environment, for programs that are started."""
    return dict(os.environ)


def interactive() -> bool:
    """Tell whether somebody can be asked."""
    return sys.stdin is not None and sys.stdin.isatty()


def read_file(path: Path, what: str) -> bytes:
    """Return the bytes of a file that a command names, at most 64 MiB.

    Args:
        path: The file.
        what: What it should be, for the message.

    Raises:
        FileUnreadable: It cannot be read, or is larger.
    """
    with opened(path, what) as stream:
        data = bytes(stream.read(_READ_LIMIT + 1))
    if len(data) > _READ_LIMIT:
        raise FileUnreadable(str(path), f"more than {_READ_LIMIT} bytes", what)
    return data


def readable_by_everybody(path: Path) -> bool:
    """Tell whether every user of the machine may read a file, where files have such rights."""
    return os.name == "posix" and bool(path.stat().st_mode & stat.S_IROTH)


@contextmanager
def opened(path: Path, what: str) -> Iterator[Any]:
    """Open a file for reading, with a refusal where it cannot be.

    Opening never waits. A pipe is read only where the shell opened it for this program: as
    ``/dev/stdin``, or as ``/dev/fd/63``, which is what ``<(…)`` stands for.

    Raises:
        FileUnreadable: It is missing, closed to us, or no regular file.
    """
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError) as fault:
        got = getattr(fault, "strerror", None) or str(fault)
        raise FileUnreadable(str(path), got, what) from fault
    kind = _unfit(handle, path)
    if kind is not None:
        os.close(handle)
        raise FileUnreadable(str(path), kind, what, remedy=_NOT_REGULAR)
    if os.name == "posix":
        os.set_blocking(handle, True)
    with open(handle, "rb") as stream:
        yield stream


def _unfit(handle: int, path: Path) -> str | None:
    """Return what was opened where it is nothing to read from, else None."""
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return None
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISFIFO(mode):
        return None if str(path).startswith(_HANDED_OVER) else "a named pipe"
    return "a terminal" if os.isatty(handle) else "a device or socket"


MOST_JOBS = 256
"""How many processes may be asked for."""


@contextmanager
def readers(jobs: int) -> Iterator[Any]:
    """Start *jobs* processes that read ahead, 0 for one on each core; None for 1, which is none."""
    if jobs == 1:
        yield None
        return
    from ledger.verify.ahead import Readers

    with Readers(jobs) as started:
        yield started


class Progress:
    """A bar on stderr for work that takes longer than half a second; silent off a terminal.

    A context manager whose value is called with how much is done.
    """

    def __init__(self, label: str, total: int | None = None) -> None:
        """Prepare a bar for *total* steps, or for an unknown number of them."""
        self._label, self._total = label, total
        self._start = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    @property
    def report(self) -> Callable[..., None] | None:
        """What a library call takes as its ``progress``; None where nobody looks."""
        return self.advance if sys.stderr.isatty() else None

    def advance(self, done: int, total: int | None = None) -> None:
        """Show that *done* steps are done, of *total* if that is known by now."""
        if self._bar is None:
            if time.monotonic() - self._start < _QUIET_SECONDS:
                return
            self._open()
        self._bar.update(self._task, completed=done, total=total or self._total)

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        self._bar = Bar(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True, no_color=bool(environment("NO_COLOR"))),
            transient=True,
        )
        self._task = self._bar.add_task(self._label, total=self._total)
        self._bar.start()
