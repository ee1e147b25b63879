"""Files that appear whole or not at all, and never over another one."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import FileUnwritable, LedgerExists

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
    if path.exists() or path.is_symlink():
        raise LedgerExists(str(path), "a file that exists", "a path where nothing is")
    if not path.parent.is_dir():
        raise FileUnwritable(str(path), "no such folder", "a path in a folder that exists")
    beside = path.with_name(f".{path.name}.{entropy(4).hex()}.new")
    try:
        yield beside
        _sync(beside)
        _name(beside, path)
        _sync(path.parent)
    except OSError as fault:
        raise FileUnwritable(str(path), fault.strerror or str(fault), "a place to write") from fault
    finally:
        for side in _SQLITE_SIDES:
            beside.with_name(beside.name + side).unlink(missing_ok=True)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


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
