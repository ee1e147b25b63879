"""What the agent could read when a run was opened: an inventory, no sandbox (RUN-93 to RUN-95)."""

import fnmatch
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ledger.errors import FileUnwritable
from ledger.runs.layout import VISIBILITY_SCHEMA

from .keeping import copy_in, digest_of, safe_name

MOST_COPIED_BYTES = 5 * 2**20
"""A file that is larger is kept by its digest alone."""

COPIES = "visibility/files"
_EXTERNAL = "_external"


def visibility(
    roots: Sequence[Path],
    *,
    exclude: Sequence[str],
    cwd: Path,
    run_dir: Path,
    leave_out: Path,
    created_at: str,
) -> dict[str, Any]:
    """Copy what is visible into the run, and return visibility.json.

    Args:
        roots: Files, and folders with all that is below them.
        exclude: Patterns of what is left out, as a shell has them: of a path, or of one of its
            parts. They are written down, so that a reader knows what the inventory is silent on.
        cwd: Where the agent works; what lies elsewhere is named by its digest.
        run_dir: The run that is being opened; nothing of it is visible.
        leave_out: Where it will be in the end.
        created_at: When.
    """
    files: list[dict[str, Any]] = []
    missing: list[dict[str, str]] = []
    known: set[Path] = set()
    for root in roots:
        for path, why in _below(cwd / root, exclude, cwd, (run_dir, leave_out)):
            if path in known:
                continue
            known.add(path)
            try:
                if why is None:
                    files.append(_entry(path, cwd, run_dir))
            except FileUnwritable as fault:
                why = fault.got
            except OSError as fault:
                why = fault.strerror or "unreadable"
            if why is not None:
                missing.append(_gone(path, cwd, why))
    return {
        "schema": VISIBILITY_SCHEMA,
        "created_at": created_at,
        "cwd": ".",
        "roots": [_name(cwd / root, cwd) or safe_name(root.name) for root in roots],
        "exclude": list(exclude),
        "file_count": len(files),
        "files": files,
        "missing": missing,
    }


def _below(
    root: Path, exclude: Sequence[str], cwd: Path, without: Sequence[Path]
) -> Iterator[tuple[Path, str | None]]:
    """Yield the files at and below *root*, each with why it cannot be listed, if it cannot."""
    root = Path(os.path.normpath(root))
    if not root.is_dir():
        yield root, None if root.is_file() else _absence(root)
        return
    faults: list[OSError] = []
    for folder, folders, names in os.walk(root, onerror=faults.append):
        here = Path(folder)
        folders[:] = sorted(
            name
            for name in folders
            if not _left_out(here / name, exclude, cwd)
            and not any(_same(here / name, one) for one in without)
        )
        for name in folders:
            if (here / name).is_symlink():  # followed, it could lead round and round
                yield here / name, "a link to a folder"
        for name in sorted(names):
            path = here / name
            if not _left_out(path, exclude, cwd):
                yield path, None if path.is_file() else _absence(path)
    for fault in faults:
        yield Path(str(fault.filename)), fault.strerror or "unreadable"


def _entry(path: Path, cwd: Path, run_dir: Path) -> dict[str, Any]:
    name = _name(path, cwd)
    size = path.stat().st_size
    if size > MOST_COPIED_BYTES:
        made, size = digest_of(path)
        copy, note = None, f"over {MOST_COPIED_BYTES} bytes: by its digest alone"
    else:
        made, size, copy, note = *_copied(path, name, run_dir), None
    if name is None:
        name = _external(path, made)
    entry: dict[str, Any] = {"path": name, "size": size, "sha256": made.hex(), "copy": copy}
    return entry if note is None else {**entry, "note": note}


def _copied(path: Path, name: str | None, run_dir: Path) -> tuple[bytes, int, str]:
    made, _ = digest_of(path)
    copy = f"{COPIES}/{name or _external(path, made)}"
    target = run_dir / copy
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():  # two paths outside, one name and one content
        return made, path.stat().st_size, copy
    # What is copied is what is hashed: the file may change under our hands.
    kept, size = copy_in(path, target)
    return kept, size, copy


def _name(path: Path, cwd: Path) -> str | None:
    """Return a path from *cwd* if a run can have it; None where it leads out, or is odd."""
    absolute = Path(os.path.normpath(path))
    above = Path(os.path.normpath(cwd))
    if not absolute.is_relative_to(above):
        return None
    name = absolute.relative_to(above).as_posix()
    plain = name.isprintable() and "\\" not in name and not name.startswith(_EXTERNAL)
    return name if plain and name[1:2] != ":" else None


def _external(path: Path, made: bytes) -> str:
    """Return the name of what lies elsewhere: no path of this machine is given away."""
    return f"{_EXTERNAL}/{made.hex()[:16]}_{safe_name(path.name)}"


def _gone(path: Path, cwd: Path, why: str) -> dict[str, str]:
    return {"path": _name(path, cwd) or f"{_EXTERNAL}/{safe_name(path.name)}", "note": why}


def _absence(path: Path) -> str:
    return "no regular file" if os.path.lexists(path) else "no such file"


def _left_out(path: Path, exclude: Sequence[str], cwd: Path) -> bool:
    name = _name(path, cwd) or path.name
    return any(
        fnmatch.fnmatchcase(name, pattern) or fnmatch.fnmatchcase(path.name, pattern)
        for pattern in exclude
    )


def _same(path: Path, other: Path) -> bool:
    return os.path.realpath(path) == os.path.realpath(other)
