"""Files kept in a run directory: where they are, what they are called, copied onto the disk."""

import hashlib
import os
import re
from contextlib import ExitStack, suppress
from pathlib import Path

from canon.excerpt import excerpt
from ledger.errors import FileUnwritable, RunMissing, RunPath
from ledger.runs.layout import MAX_FILE_BYTES
from ledger.runs.paths import EXPLAINED, find

_CHUNK_BYTES = 2**20
_NAME_CHARS = 80
_UNSAFE = re.compile(r"[^A-Za-z0-9._+@=-]")


def inside(run_dir: Path, name: str, *, missing: type[RunMissing | RunPath] = RunPath) -> Path:
    """Return where a file of the run is, by the path that the run has for it (RUN-20).

    Raises:
        RunPath: The path leads out of the run, or to no regular file.
    """
    found = find(run_dir, name)
    if found.path is not None:
        return found.path
    got = EXPLAINED[found.fault] if found.fault is not None else "no such file"
    kind = RunPath if found.fault is not None else missing
    raise kind(excerpt(name).strip("'"), got, "a file inside of the run")


def relative(run_dir: Path, given: str, cwd: Path) -> str:
    """Return a path as the run has it.

    Args:
        run_dir: The run directory.
        given: Relative to the run; or, where nothing is there, a path from *cwd* that leads into
            the run. What leads elsewhere comes back as it is, for :func:`inside` to refuse.
        cwd: Where the user is.
    """
    if not os.path.isabs(given) and os.path.lexists(run_dir / given):
        return given
    return _below(cwd / given, run_dir, cwd) or given


def write_new(path: Path, data: bytes) -> None:
    """Write a file where nothing is; when this returns, the disk has it and its name.

    Raises:
        FileExistsError: Something is there.
    """
    with open(path, "xb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    sync_folder(path.parent)


def digest_of(path: Path) -> tuple[bytes, int]:
    """Return the SHA-256 of a file, 32 bytes, and its size in bytes."""
    made, size = hashlib.sha256(), 0
    with open(path, "rb") as stream:
        while chunk := stream.read(_CHUNK_BYTES):
            made.update(chunk)
            size += len(chunk)
    return made.digest(), size


def copy_in(source: Path, target: Path) -> tuple[bytes, int]:
    """Copy a file to where nothing is, onto the disk; return its SHA-256 and its size in bytes.

    Raises:
        FileUnwritable: The file cannot be read, is too large to keep, or cannot be written.
    """
    made, size = hashlib.sha256(), 0
    try:
        with open(source, "rb") as old, open(target, "xb") as new:
            while chunk := old.read(_CHUNK_BYTES):
                made.update(chunk)
                size += len(chunk)
                if size > MAX_FILE_BYTES:
                    got = f"more than {MAX_FILE_BYTES} bytes"
                    raise FileUnwritable(str(source), got, "a file that can be kept")
                new.write(chunk)
            new.flush()
            os.fsync(new.fileno())
    except FileExistsError:
        raise
    except BaseException as fault:
        with suppress(OSError):
            target.unlink()
        if isinstance(fault, OSError):
            place = str(fault.filename or source)
            raise FileUnwritable(place, fault.strerror or str(fault), "a copy") from fault
        raise
    sync_folder(target.parent)
    return made.digest(), size


def sync_folder(path: Path) -> None:
    """Let a new name survive the loss of power, where the system syncs folders."""
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def safe_name(name: str) -> str:
    """Return a file name that every system takes and that is one part of a path."""
    stem, dot, ending = name.rpartition(".")
    cleaned = _UNSAFE.sub("_", name)
    if len(cleaned) > _NAME_CHARS:
        ending = _UNSAFE.sub("_", ending)[: _NAME_CHARS // 4] if dot and stem else ""
        cleaned = cleaned[: _NAME_CHARS - len(ending) - 1] + (f".{ending}" if ending else "")
    return cleaned.strip(".") or "file"


def source_name(source: Path, cwd: Path) -> str:
    """Return where a file came from as far as strangers may know: from *cwd*, or its name alone."""
    return _below(cwd / source, cwd, cwd) or source.name


def folder_in(run_dir: Path, name: str, undo: ExitStack | None = None) -> Path:
    """Return a folder of the run, made where it is missing; *undo* takes an empty one off again.

    Raises:
        RunPath: Something else stands there, such as a link that leads elsewhere.
    """
    folder = run_dir / name
    if undo is not None and not os.path.lexists(folder):
        undo.callback(_remove_folder, folder)
    folder.mkdir(exist_ok=True)
    if folder.is_symlink():
        raise RunPath(name, EXPLAINED["symlink"], "a folder inside of the run")
    return folder


def shorten(path: Path, size: int) -> None:
    """Take off what stands behind the first *size* bytes of a file; that needs no room."""
    os.truncate(path, size)


def _remove_folder(folder: Path) -> None:
    with suppress(OSError):  # somebody may have put a file there since
        folder.rmdir()


def _below(path: Path, top: Path, cwd: Path) -> str | None:
    """Return the path below a folder, as it is written; None where it leads elsewhere."""
    absolute = Path(os.path.normpath(cwd / path))
    above = Path(os.path.normpath(cwd / top))
    return absolute.relative_to(above).as_posix() if absolute.is_relative_to(above) else None
