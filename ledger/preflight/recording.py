"""A preflight in the run that begins with it: copies, and a mark in the trajectory (PRE-60 ff.)."""

import json
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from canon import sha256
from ledger.errors import FileUnwritable
from ledger.runs.layout import CONFIGURATIONS, FIXED, PREFLIGHT_FOLDER, PREFLIGHT_MARK
from ledger.runs.records import recorded

from .config import Configured
from .procedure import REPORT, TEXT, write
from .redaction import redacted
from .report import Report
from .running import why

_EARLIER = "earlier"
_REDACTED = "config.redacted.json"
_CONFIGURATIONS = (*(Path(path).name for path in CONFIGURATIONS), _REDACTED)
_DIGITS = 16
"""Of a digest, in the name of what it is the digest of."""

Marking: TypeAlias = Callable[[str, Mapping[str, Any]], object]
"""Appends a mark to the trajectory: its name, and its data."""


class Kept(NamedTuple):
    """What a run has of a configuration.

    Attributes:
        path: Where it stands.
        another: Whether the run has another one too, which an audit objects to.
    """

    path: Path
    another: bool


def record(
    report: Report,
    configured: Configured,
    run_dir: Path,
    mark: Marking,
    entropy: Callable[[int], bytes],
    *,
    begun: bool = True,
) -> Kept:
    """Copy a report and its configuration into a run, and mark the trajectory.

    Where that fails, the mark included, the files of the run are as before (RUN-88). Nothing that
    the run has is lost: an earlier report goes into a folder that its digest names
    (PRE-62), and so does an earlier configuration while the agent has not begun; afterwards it
    stays where it is (PRE-64).

    Args:
        report: The report.
        configured: What it is about.
        run_dir: The directory of the run.
        mark: Appends the mark.
        entropy: Returns that many random bytes.
        begun: Whether the agent has made a call in this run.

    Raises:
        FileUnwritable: The files cannot be written.
    """
    folder = run_dir / PREFLIGHT_FOLDER
    name, data = _configuration(configured)
    with ExitStack() as undo:
        try:
            _make(folder, undo)
            _put_aside(folder, undo)
            if not begun:
                _put_aside_others(folder, data, undo)
            kept = _place(folder, name, data)
        except OSError as fault:
            raise FileUnwritable(str(folder), why(fault), "a folder to write copies to") from fault
        copies = [(folder / TEXT, report.text.encode()), (folder / REPORT, report.data)]
        if not kept.path.exists():
            copies.insert(0, (kept.path, data))
        for path, copy in copies:
            write(path, copy, entropy)
            undo.callback(path.unlink, missing_ok=True)
        mark(PREFLIGHT_MARK, _marked(report, configured))
        undo.pop_all()
    return kept


def has_begun(run_dir: Path) -> bool:
    """Tell whether the agent has made a call in a run, so that its configuration is fixed.

    Raises:
        FileUnwritable: The trajectory cannot be read.
    """
    try:
        with open(run_dir / FIXED["trajectory"], "rb") as lines:
            return any(
                one.record == "call" and one.actor == "agent" for one in map(recorded, lines)
            )
    except OSError as fault:
        raise FileUnwritable(str(run_dir), why(fault), "a run whose trajectory is there") from fault


def is_redacted(configured: Configured) -> bool:
    """Tell whether a configuration file holds secrets, so that only a copy without them is kept."""
    return bool(redacted(configured.written) != configured.written)


def _marked(report: Report, configured: Configured) -> dict[str, Any]:
    return {
        "overall": report.overall,
        "report": f"{PREFLIGHT_FOLDER}/{REPORT}",
        "report_sha256": report.sha256.hex(),
        "config_sha256": configured.config_sha256.hex(),
        "effective_sha256": configured.effective_sha256.hex(),
        "checks": report.statuses,
    }


def _configuration(configured: Configured) -> tuple[str, bytes]:
    """Return name and bytes of the copy of a configuration (PRE-63)."""
    if not is_redacted(configured):
        return f"config{configured.suffix}", configured.data
    document = {
        "note": "secrets were taken out: the file itself has the digest below",
        "sha256": configured.config_sha256.hex(),
        "config": redacted(configured.written),
    }
    return _REDACTED, json.dumps(document, indent=1).encode() + b"\n"


def _place(folder: Path, name: str, data: bytes) -> Kept:
    """Return where a configuration goes: beside another one, and nowhere if it is there."""
    others = [one for one in _CONFIGURATIONS if (folder / one).exists()]
    if not others:
        return Kept(folder / name, another=False)
    if name in others and (folder / name).read_bytes() == data:
        return Kept(folder / name, another=len(others) > 1)
    return Kept(folder / f"{sha256(data).hex()[:_DIGITS]}.{name}", another=True)


def _put_aside_others(folder: Path, data: bytes, undo: ExitStack) -> None:
    """Move configurations that nothing was done under into folders that their digests name."""
    for name in _CONFIGURATIONS:
        path = folder / name
        if path.exists() and path.read_bytes() != data:
            digest = sha256(path.read_bytes()).hex()
            _move(path, folder / _EARLIER / digest[:_DIGITS], undo)


def _put_aside(folder: Path, undo: ExitStack) -> None:
    """Move the files of an earlier report into a folder that its digest names."""
    if not (folder / REPORT).exists():
        return
    digest = sha256((folder / REPORT).read_bytes()).hex()
    for name in (TEXT, REPORT):
        if (folder / name).exists():
            _move(folder / name, folder / _EARLIER / digest[:_DIGITS], undo)


def _move(path: Path, aside: Path, undo: ExitStack) -> None:
    """Move a file into a folder; a copy of the same report that is there stays what it was."""
    _make(aside.parent, undo)
    _make(aside, undo)
    moved = aside / path.name
    if moved.exists():
        old = moved.read_bytes()
        undo.callback(moved.write_bytes, old)
    path.replace(moved)
    undo.callback(moved.replace, path)


def _make(folder: Path, undo: ExitStack) -> None:
    """Make a folder where it is missing; *undo* takes it off again, if nothing is in it."""
    if not folder.exists():
        folder.mkdir()
        undo.callback(_remove, folder)


def _remove(folder: Path) -> None:
    with suppress(OSError):  # somebody may have put a file there since
        folder.rmdir()
