"""A preflight from its configuration to its report (PRE-10 to PRE-15, PRE-50 to PRE-52)."""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from ledger.errors import FileUnwritable, LedgerExists
from ledger.files import whole_file

from .bench import Setting
from .checks import Made, made
from .config import Configured
from .redaction import Redactor, secrets_among, secrets_of
from .report import Report, check_document, report_of
from .running import why

REPORT, TEXT, PROBES = "preflight.json", "preflight.md", "probes"

_STARTED = "started.json"


class Surroundings(Struct, frozen=True, kw_only=True):
    """What a preflight takes from outside.

    Attributes:
        clock: Returns the present time as canonical text.
        entropy: Returns that many random bytes.
        environ: The environment of the commands that are run.
        folder: The present folder, in which they run.
        python: The interpreter that the package index is asked with.
        environment: What the report says of the program's own environment.
    """

    clock: Callable[[], str]
    entropy: Callable[[int], bytes]
    environ: Mapping[str, str]
    folder: Path
    python: str
    environment: Mapping[str, Any]


def preflight(
    configured: Configured,
    out: Path,
    names: Sequence[str],
    around: Surroundings,
    tell: Callable[[Made], None] | None = None,
) -> Report:
    """Make the checks and write the report.

    Args:
        configured: What they are made with.
        out: The folder of the report; an earlier one of a preflight there is replaced.
        names: The checks, in their order.
        around: What is taken from outside.
        tell: Is called with each check when it was made.

    Raises:
        LedgerExists: Something else stands where the report is to go (PRE-52).
        FileUnwritable: The folder cannot be made or written.
    """
    out = out.absolute()
    redactor = Redactor(
        secrets_of(configured.effective)
        | secrets_of(configured.written)
        | secrets_among(around.environ)
    )
    setting = Setting(
        config=configured.config,
        out=out,
        folder=around.folder,
        environ=around.environ,
        python=around.python,
        redactor=redactor,
        entropy=around.entropy,
    )
    started_at = around.clock()
    _clear(out)
    checks = []
    try:
        _write(out / PROBES / _STARTED, {"started_at": started_at, "checks": list(names)})
        for name in names:
            check = made(name, setting)
            # At once, so that a preflight that is cut short leaves what it knew.
            _write(out / PROBES / f"{name}.json", check_document(check))
            checks.append(check)
            if tell is not None:
                tell(check)
    except OSError as fault:
        raise FileUnwritable(str(out), why(fault), "a folder to write evidence to") from fault
    report = report_of(configured, checks, redactor, around.environment, started_at, around.clock())
    write(out / TEXT, report.text.encode(), around.entropy)
    write(out / REPORT, report.data, around.entropy)
    return report


def write(path: Path, data: bytes, entropy: Callable[[int], bytes]) -> None:
    """Write a file whole or not at all, where nothing is yet."""
    with whole_file(path, entropy) as beside:
        beside.write_bytes(data)


def _clear(out: Path) -> None:
    """Make the folder, and take away what an earlier preflight left in it (PRE-52)."""
    ours = (out / PROBES / _STARTED).is_file()
    paths = [out / name for name in (PROBES, REPORT, TEXT)]
    for path in paths:
        if not ours and (path.exists() or path.is_symlink()):
            raise LedgerExists(str(path), "what no preflight left there", "a new or empty folder")
    try:
        for path in paths:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
        (out / PROBES).mkdir(parents=True)
    except OSError as fault:
        raise FileUnwritable(str(out), why(fault), "a folder to write evidence to") from fault


def _write(path: Path, document: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
