"""Raw files that records were translated from: copied into a run once, and named (RUN-83)."""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from ledger.errors import FileUnwritable
from ledger.runs.fields import digest

from .changing import enter, listed
from .keeping import copy_in, digest_of, folder_in, safe_name, source_name

IMPORTS = "imports"
_DIGITS = 8
"""Of a digest, in the name of a file whose own name is taken."""


def known_raw(run_dir: Path, sha256: bytes) -> Mapping[str, Any] | None:
    """Return the entry of run.json for the bytes of this digest, None where it has none."""
    for entry in listed(run_dir, IMPORTS):
        if isinstance(entry, dict) and digest(entry.get("sha256")) == sha256:
            return entry
    return None


def copied_raw(run_dir: Path, source: Path, undo: ExitStack | None = None) -> Path:
    """Copy a file into the run, or find the copy that an import left which was broken off.

    *undo* takes a new copy off again.

    Raises:
        FileUnwritable: It cannot be copied, or other files have both of the names it may have.
    """
    folder, name = folder_in(run_dir, IMPORTS, undo), safe_name(source.name)
    made, _ = digest_of(source)
    for target in (folder / name, folder / f"{made.hex()[:_DIGITS]}-{name}"):
        try:
            copy_in(source, target)
        except FileExistsError:
            if target.is_symlink() or not target.is_file() or digest_of(target)[0] != made:
                continue
        else:
            if undo is not None:
                undo.callback(target.unlink, missing_ok=True)
        return target
    raise FileUnwritable(f"{IMPORTS}/{name}", "a file of that name", "a name that is free")


def name_raw(
    run_dir: Path, copy: Path, *, source: Path, cwd: Path, records: int, at: str
) -> Mapping[str, Any]:
    """Name a copy in run.json, and return its entry.

    Args:
        run_dir: The run directory.
        copy: What :func:`copied_raw` gave.
        source: Where it came from; a path outside of *cwd* is kept as a name alone.
        cwd: Where *source* starts.
        records: How many records stand in it.
        at: When it was taken in.
    """
    made, size = digest_of(copy)
    entry = {
        "source": source_name(source, cwd),
        "path": f"{IMPORTS}/{copy.name}",
        "sha256": made.hex(),
        "size": size,
        "records": records,
        "imported_at": at,
    }
    enter(run_dir, IMPORTS, entry)
    return entry
