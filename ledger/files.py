"""Files that appear whole or not at all, and never over another one by accident."""

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from .errors import FileUnwritable, LedgerExists, LedgerLocked

BUSY_SECONDS = 30.0
_PAUSE_SECONDS = 0.02
# A name may have 255 bytes; so much of it tells whose the file is, whatever the letters.
_NAME_CHARS = 40
_SQLITE_SIDES = ("", "-wal", "-shm", "-journal")


@contextmanager
def whole_file(path: Path, entropy: Callable[[int], bytes]) -> Iterator[Path]:
    """Give a path beside *path* to write to; when the block ends well, that file gets the name.

    Args:
        path: Where nothing is yet.
        entropy: Returns that many random bytes.

    Raises:
        LedgerExists: Something is at *path*, before or after the block.
        FileUnwritable: The folder is missing or cannot be written.
    """
    beside = path.with_name(f".{path.name[:_NAME_CHARS]}.{entropy(4).hex()}.new")
    try:
        if os.path.lexists(path):
            raise LedgerExists(str(path), "a file that exists", "a path where nothing is")
        if not path.parent.is_dir():
            raise FileUnwritable(str(path), "no such folder", "a path in a folder that exists")
        yield beside
        _sync(beside)
        _name(beside, path)
        _sync_folder(path.parent)
    except OSError as fault:
        raise FileUnwritable(str(path), fault.strerror or str(fault), "a place to write") from fault
    finally:
        for side in _SQLITE_SIDES:
            with suppress(OSError):  # what ended the block matters more
                beside.with_name(beside.name + side).unlink(missing_ok=True)


@contextmanager
def replaced_file(path: Path) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Give the file at *path* to read and one to write, which takes its place in the end.

    A symbolic link stays one: the file that it leads to is replaced. The new file has the mode,
    and where we may give it the owner, of the old one (STORE-24).

    Raises:
        FileUnwritable: It is no regular file, or the folder cannot be written.
        LedgerLocked: Somebody else is replacing it, for half a minute now.
    """
    try:
        real = Path(os.path.realpath(path, strict=True))
        with _locked(real, path) as old:
            beside = real.with_name(f".{real.name[:_NAME_CHARS]}.replaced")
            # One name for all, since the lock lets one write at a time: what stands there was
            # left by somebody who was killed.
            beside.unlink(missing_ok=True)
            try:
                # Closed to others until it has the mode of the old one.
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
                with open(os.open(beside, flags, 0o600), "wb") as new:
                    yield old, new
                    new.flush()
                    _take_after(new.fileno(), os.fstat(old.fileno()))
                    os.fsync(new.fileno())
            except BaseException:
                beside.unlink(missing_ok=True)
                raise
            try:
                beside.replace(real)
            except OSError:
                beside.unlink(missing_ok=True)
                raise
            # From here on the next one may be at work under the same name.
            _sync_folder(real.parent)
    except OSError as fault:
        got = fault.strerror or str(fault)
        raise FileUnwritable(str(path), got, "a file that can be replaced") from fault


@contextmanager
def _locked(real: Path, named: Path) -> Iterator[BinaryIO]:
    """Open the file that stands at *real* and hold a lock on it that others look for too."""
    give_up = time.monotonic() + BUSY_SECONDS
    while True:
        handle = os.open(real, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with open(handle, "rb") as stream:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                raise FileUnwritable(str(named), "no regular file", "a file that can be replaced")
            # Whoever held the lock before may have put another file here: then begin with that.
            if _lock(handle) and os.path.samestat(found, os.stat(real)):
                yield stream
                return
        if time.monotonic() > give_up:
            raise LedgerLocked(str(named), "a file in use", "a lock within half a minute")
        time.sleep(_PAUSE_SECONDS)


def _lock(handle: int) -> bool:
    """Lock an open file for this handle alone; False where somebody else has the lock."""
    try:
        import fcntl
    except ImportError:
        return True  # this system replaces no file that is open, which comes to the same
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _take_after(handle: int, old: os.stat_result) -> None:
    if os.name == "posix":
        if (os.geteuid(), os.getegid()) != (old.st_uid, old.st_gid):
            with suppress(PermissionError):
                os.fchown(handle, old.st_uid, old.st_gid)
        os.fchmod(handle, stat.S_IMODE(old.st_mode))


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sync_folder(path: Path) -> None:
    """Let a new name survive the loss of power, where the system can say so of a folder."""
    try:
        _sync(path)
    except OSError as fault:
        # A folder may be written and not read; and some file systems sync no folders.
        if fault.errno not in (errno.EACCES, errno.EINVAL, errno.ENOTSUP):
            raise


def _name(beside: Path, path: Path) -> None:
    """Give the finished file its name: a link fails where a rename would overwrite."""
    try:
        os.link(beside, path)
    except FileExistsError:
        raise LedgerExists(str(path), "a file that exists", "a free path") from None
    except OSError:
        # Some file systems have no links; there a race with another writer stays possible.
        if path.exists():
            raise LedgerExists(str(path), "a file that exists", "a free path") from None
        beside.rename(path)
