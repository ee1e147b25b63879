"""A run directory audited as a ledger would hold it, and what the audit writes into it."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ledger.rules import Policy
from ledger.runs.directory import Directory
from ledger.runs.intake.held import Held
from ledger.runs.intake.passing import taken_in

from .document import JSON_NAME, PAGE_NAME, json_bytes, page
from .judge import bind
from .verdict import Verdict, audit

_FOLDER = "audit"
_UNNAMED = "run"


def audit_directory(
    directory: Path, rules: Policy, *, at: str, entropy: Callable[[int], bytes]
) -> Verdict:
    """Judge a run directory: taken into a ledger that nobody keeps, then audited there.

    Args:
        directory: The run.
        rules: What it is judged by.
        at: Time to claim in that ledger, canonical; no verdict has it.
        entropy: Returns that many random bytes.

    Raises:
        RunChanged: A file changed while it was read.
    """
    bound, contents = bind(rules), Directory(directory)
    with taken_in(contents, _UNNAMED, at=at, entropy=entropy, policies={}) as (ledger, run):
        return audit(Held(ledger, run), bound)


def write_files(directory: Path, said: Mapping[str, Any]) -> str | None:
    """Write ``audit.json`` and ``audit.md`` into a run; return why that cannot be, or None.

    A folder ``audit`` that is a link leads out of the run and is left alone.
    """
    folder = directory / _FOLDER
    if folder.is_symlink():
        return f"{_FOLDER} is a symbolic link"
    try:
        folder.mkdir(exist_ok=True)
        for name, data in ((JSON_NAME, json_bytes(said)), (PAGE_NAME, page(said).encode())):
            _replace(directory / name, data)
    except OSError as fault:
        return fault.strerror or type(fault).__name__
    return None


def _replace(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; a link of its name is replaced, never followed."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    beside.unlink(missing_ok=True)
    handle = os.open(beside, flags, 0o644)
    try:
        with open(handle, "wb") as stream:
            stream.write(data)
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
