"""A preflight in the run that begins with it: copies, and a mark in the trajectory (PRE-60 ff.)."""

import json
from collections.abc import Callable, Mapping
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

    Nothing that the run has is lost: an earlier report goes into a folder that its digest names
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
    try:
        folder.mkdir(exist_ok=True)
        _put_aside(folder)
        if not begun:
            _put_aside_others(folder, data)
        kept = _place(folder, name, data)
    except OSError as fault:
        raise FileUnwritable(str(folder), why(fault), "a folder to write copies to") from fault
    if not kept.path.exists():
        write(kept.path, data, entropy)
    write(folder / TEXT, report.text.encode(), entropy)
    write(folder / REPORT, report.data, entropy)
    mark(
        PREFLIGHT_MARK,
        {
            "overall": report.overall,
            "report": f"{PREFLIGHT_FOLDER}/{REPORT}",
            "report_sha256": report.sha256.hex(),
            "config_sha256": configured.config_sha256.hex(),
            "effective_sha256": configured.effective_sha256.hex(),
            "checks": report.statuses,
        },
    )
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


def _put_aside_others(folder: Path, data: bytes) -> None:
    """Move configurations that nothing was done under into folders that their digests name."""
    for name in _CONFIGURATIONS:
        path = folder / name
        if path.exists() and path.read_bytes() != data:
            aside = folder / _EARLIER / sha256(path.read_bytes()).hex()[:_DIGITS]
            aside.mkdir(parents=True, exist_ok=True)
            path.replace(aside / name)


def _put_aside(folder: Path) -> None:
    """Move the files of an earlier report into a folder that its digest names."""
    if not (folder / REPORT).exists():
        return
    digest = sha256((folder / REPORT).read_bytes()).hex()
    aside = folder / _EARLIER / digest[:_DIGITS]
    aside.mkdir(parents=True, exist_ok=True)
    for name in (TEXT, REPORT):
        if (folder / name).exists():
            (folder / name).replace(aside / name)
