"""``preflight``: can a harness reach all that its agent will need, before a model is spent?"""

import platform
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .edge import entropy, now, read_file, variables
from .errors import UsageInvalid
from .options import Json
from .runs import WatchingLedger, recording
from .text import emit, line, note, pairs, safe, warn

if TYPE_CHECKING:
    from ledger.preflight import Made, Report, Surroundings

_WIDTH = 18


def list_(json: Json = False) -> int:
    """List the checks in the order in which they are made, and what each proves."""
    from ledger.preflight import CHECKS

    if json:
        emit({"checks": [{"id": name, "proves": check.proves} for name, check in CHECKS.items()]})
    else:
        pairs([(name, check.proves) for name, check in CHECKS.items()])
    return 0


def run(
    config: Annotated[
        Path,
        typer.Option("--config", metavar="C", help="What the harness is: JSON, or TOML by name."),
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="O", help="Folder for the report and its evidence.")
    ],
    checks: Annotated[
        str | None,
        typer.Option("--checks", metavar="A,B", help="Only these checks; else all ten."),
    ] = None,
    skip: Annotated[
        str | None, typer.Option("--skip", metavar="A,B", help="All but these checks.")
    ] = None,
    run_dir: Annotated[
        Path | None,
        typer.Option(
            "--run-dir", metavar="D", help="A run: it keeps a copy, and a mark in its trajectory."
        ),
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="K=V",
            help="Set a value beside the file, as build.java=/opt/jdk/bin/java; may be repeated.",
        ),
    ] = None,
    ledger: WatchingLedger = None,
    json: Json = False,
) -> int:
    """Check the environment of a harness, and write a report with evidence.

    Exit 0 when every check that was made passes, 1 when one fails or none passes. SKIP proves
    nothing. Commands of the configuration are really run, servers really started; after --skip
    lab_management none is. To begin, copy samples/preflight/plain.toml: where there are sh and
    python3, --checks harness_identity,terminal,filesystem,ports passes as it stands.
    specs/preflight.md has every key.
    """
    from ledger.preflight import (
        has_begun,
        is_redacted,
        preflight,
        read_config,
        record,
        selected,
    )
    from ledger.runs.layout import PREFLIGHT_FOLDER

    configured = read_config(
        read_file(config, "the configuration of a harness"), config.name, values or ()
    )
    names = selected(_names(checks), _names(skip) or [])
    if run_dir is None and ledger is not None:
        raise UsageInvalid("--ledger takes in a run: give --run-dir too")
    if run_dir is not None and out.resolve() == (run_dir / PREFLIGHT_FOLDER).resolve():
        raise UsageInvalid(f"--out {out} is where the run keeps its copy: give another folder")
    if run_dir is not None:
        with recording(run_dir, None) as recorder, recorder.held():
            recorder.checked_time()  # what cannot be marked is refused before it is made
    around = _surroundings(run_dir)
    report = preflight(configured, out, names, around, None if json else _print_check)
    if run_dir is not None:
        with recording(run_dir, ledger) as recorder, recorder.held():
            mark = partial(recorder.mark, actor="operator")
            begun = has_begun(run_dir)
            kept = record(report, configured, run_dir, mark, entropy, begun=begun)
        if is_redacted(configured):
            note(
                "The configuration holds secrets: the run keeps a copy without them, and the digest"
                " of the file."
            )
        if kept.another:
            warn("the run has another configuration than this one: an audit will object to it")
    if json:
        emit(report.document)
    else:
        _print_end(report, out, run_dir)
    return 0 if report.overall == "PASS" else 1


def _names(listed: str | None) -> list[str] | None:
    return None if listed is None else [name.strip() for name in listed.split(",")]


def _surroundings(run_dir: Path | None) -> "Surroundings":
    """Return what a preflight takes from this machine, and what its report says of it."""
    from ledger.preflight import Surroundings, repository

    folder, environ = Path.cwd(), variables()
    return Surroundings(
        clock=now,
        entropy=entropy,
        environ=environ,
        folder=folder,
        python=sys.executable,
        environment={
            "python": platform.python_version(),
            "executable": sys.executable,
            "platform": platform.platform(),
            "cwd": str(folder),
            "repo": repository(folder, environ),
            "run_dir": None if run_dir is None else str(run_dir),
        },
    )


def _print_check(check: "Made") -> None:
    line(f"{check.status}  {check.id:<{_WIDTH}}{safe(check.detail)}")


def _print_end(report: "Report", out: Path, run_dir: Path | None) -> None:
    from ledger.preflight import REPORT

    line()
    pairs(
        [
            ("overall", report.overall),
            ("report", safe(out / REPORT)),
            ("sha256", report.sha256.hex()),
            ("configuration", report.document["config_sha256"]),
            ("as it was used", report.document["effective_sha256"]),
            *([("run", safe(run_dir))] if run_dir is not None else []),
        ]
    )
