"""Paths that a run's own documents give: relative, inside of the run, through no link."""

import os
import re
import stat
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

PathFault: TypeAlias = Literal[
    "empty", "absolute", "climbs", "symlink", "not_a_file", "unreadable", "too_large"
]
"""Why a path is not followed, or what it leads to not read (RUN-20)."""

EXPLAINED: dict[PathFault, str] = {
    "empty": "no path",
    "absolute": "an absolute path",
    "climbs": "a path that climbs out of the run with `..`",
    "symlink": "a path through a symbolic link",
    "not_a_file": "something that is no regular file",
    "unreadable": "a file that cannot be read",
    "too_large": "a file that is too large to keep",
}

_DRIVE = re.compile(r"[A-Za-z]:")


class Found(Struct, frozen=True):
    """What a path leads to.

    Attributes:
        path: Where, if it may be read.
        fault: Why not, if it may not; None and no path: nothing is there.
    """

    path: Path | None = None
    fault: PathFault | None = None


def fault_of(name: str) -> PathFault | None:
    """Return what is wrong with a path as it is written, whatever is on the disk."""
    parts = _parts(name)
    if name.startswith(("/", "\\")) or _DRIVE.match(name):
        return "absolute"
    if ".." in parts:
        return "climbs"
    if not parts or "\0" in name:
        return "empty"
    return None


def find(root: Path, name: str) -> Found:
    """Follow a path that a run gives, from its directory; backslashes divide it too.

    Args:
        root: The run directory; it may itself be a link.
        name: The path as the run gives it.
    """
    fault = fault_of(name)
    if fault is not None:
        return Found(fault=fault)
    path = root
    mode = 0
    for part in _parts(name):
        path = path / part
        try:
            mode = os.lstat(path).st_mode
        except (FileNotFoundError, NotADirectoryError):
            return Found()
        except (OSError, ValueError):
            return Found(fault="unreadable")
        if stat.S_ISLNK(mode):
            return Found(fault="symlink")
    return Found(path=path) if stat.S_ISREG(mode) else Found(fault="not_a_file")


def _parts(name: str) -> list[str]:
    return [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
