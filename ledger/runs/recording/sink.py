"""Lines at the end of a file, one at a time, whoever else appends (RUN-70 to RUN-74).

The file itself is locked, so nothing is left over when a recorder dies. Where the system has no
such locks, a file beside it stands for the lock, and has to be deleted by hand after a crash.
"""

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ledger.errors import FileUnwritable, RunLocked, RunMissing, RunTorn

BUSY_SECONDS = 30.0
_PAUSE_SECONDS = 0.005
_STEP_BYTES = 2**16
_FLAGS = os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)


class Sink:
    """A file of lines that several processes append to.

    Attributes:
        path: Where it is.
        name: What messages call it.
    """

    def __init__(self, path: Path, name: str) -> None:
        """Take down where the file is; it is opened when it is first locked."""
        self.path, self.name = path, name
        self._handle: int | None = None
        self._end = 0
        self._held = False

    def close(self) -> None:
        """Close the file."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the file for this process alone; a second time inside of that is free.

        Raises:
            RunMissing: There is no file.
            RunLocked: Somebody else holds it for too long.
            FileUnwritable: It cannot be written.
        """
        if self._held:
            yield
            return
        try:
            unlock = self._lock()
        except FileNotFoundError as fault:
            raise RunMissing(str(self.path), "no such file", "a run that was opened") from fault
        except OSError as fault:
            got = fault.strerror or str(fault)
            raise FileUnwritable(str(self.path), got, "a file to append to") from fault
        self._held = True
        try:
            yield
        finally:
            self._held = False
            unlock()

    def reread(self) -> None:
        """Begin with the first line when lines are read again."""
        self._end = 0

    def starts_over(self) -> bool:
        """Tell whether what is read next is the first line: it may have been read before."""
        if os.fstat(self._opened()).st_size < self._end:
            self._end = 0
        return not self._end

    def appended(self) -> Iterator[bytes]:
        """Yield the whole lines that stand behind what was read so far.

        The file must be held, and :meth:`starts_over` have been asked.

        Raises:
            RunTorn: The last line has no end.
        """
        with open(os.dup(self._opened()), "rb") as stream:
            stream.seek(self._end)
            for line in stream:
                if not line.endswith(b"\n"):
                    got = f"{len(line)} bytes without a line end"
                    raise RunTorn(self.name, got, "a whole line", offset=self._end)
                self._end += len(line)
                yield line

    def append(self, lines: bytes) -> None:
        """Append whole lines with one write, and return when the disk has them.

        The file must be held, and all of it have been read.

        Raises:
            FileUnwritable: The disk is full or the file cannot be written; it is as before then.
        """
        handle = self._opened()
        before = os.fstat(handle).st_size
        try:
            if os.write(handle, lines) < len(lines):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(handle)
        except OSError as fault:
            with suppress(OSError):  # then the next recorder finds a torn line, and says so
                os.ftruncate(handle, before)
            got = fault.strerror or str(fault)
            raise FileUnwritable(str(self.path), got, "a file to append to") from fault
        self._end += len(lines)

    def size(self) -> int:
        """Return how many bytes the file has."""
        return os.fstat(self._opened()).st_size

    def cut(self, size: int) -> None:
        """Take off what stands behind the first *size* bytes, if anything does.

        This needs no room on the disk. Lines are read again from the first.
        """
        if self.size() > size:
            self.shorten(self.size() - size)
        self.reread()

    def torn(self) -> bytes:
        """Return what stands behind the last line end; nothing, in a file that is whole."""
        size = self.size()
        tail = b""
        with open(os.dup(self._opened()), "rb") as stream:
            while size and b"\n" not in tail:
                step = min(size, _STEP_BYTES)
                size -= step
                stream.seek(size)
                tail = stream.read(step) + tail
        return tail.rpartition(b"\n")[2]

    def shorten(self, count: int) -> None:
        """Take *count* bytes off the end of the file, and return when the disk has it so."""
        handle = self._opened()
        os.ftruncate(handle, self.size() - count)
        os.fsync(handle)

    def _opened(self) -> int:
        if self._handle is None:
            self._handle = os.open(self.path, _FLAGS)
            self._end = 0
        return self._handle

    def _lock(self) -> "_Unlock":
        give_up = time.monotonic() + BUSY_SECONDS
        while True:
            unlock = _try_lock(self._opened(), self.path)
            if unlock is not None:
                # Whoever moved or restored the file left this one without its name.
                if os.path.samestat(os.fstat(self._opened()), os.stat(self.path)):
                    return unlock
                unlock()
                self.close()
            if time.monotonic() > give_up:
                raise RunLocked(
                    str(self.path), "a run in use", "a lock within half a minute",
                    remedy=_left_behind(self.path),
                )  # fmt: skip
            time.sleep(_PAUSE_SECONDS)


class _Unlock:
    """Gives a lock back when it is called."""

    def __init__(self, handle: int | None, beside: Path | None = None) -> None:
        self._handle, self._beside = handle, beside

    def __call__(self) -> None:
        if self._beside is not None:
            self._beside.unlink(missing_ok=True)
        elif self._handle is not None:
            import fcntl

            fcntl.flock(self._handle, fcntl.LOCK_UN)


def _try_lock(handle: int, path: Path) -> _Unlock | None:
    try:
        import fcntl
    except ImportError:
        return _lock_beside(path)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return None
    return _Unlock(handle)


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.lock")


def _left_behind(path: Path) -> str | None:
    """Return what to do about a file that stands for a lock, where there is one."""
    beside = _beside(path)
    if not beside.exists():
        return None
    return f"wait for the other recorder to finish; if none runs any more, delete {beside}"


def _lock_beside(path: Path) -> _Unlock | None:
    """Make the file that stands for the lock where the system has none of its own."""
    beside = _beside(path)
    try:
        os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return None
    return _Unlock(None, beside)
