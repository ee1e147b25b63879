"""``run import-pi``: a session of the coding agent pi, taken into a run."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .edge import Progress, now
from .options import Json
from .runs import RunDir, SomePhase, WatchingLedger, following
from .text import count, emit, line, note, pairs, safe, short

if TYPE_CHECKING:
    from ledger.runs.pi import Added, Report, SessionProblem

_SHOWN_LINES = 10


def import_pi(
    run_dir: RunDir,
    session: Annotated[
        Path, typer.Option("--session", metavar="F", help="The session file that pi wrote.")
    ],
    phase: SomePhase = "agent",
    actor: Annotated[
        str, typer.Option("--actor", metavar="A", help="Who made the calls of the session.")
    ] = "agent",
    max_text: Annotated[
        int,
        typer.Option(
            "--max-text",
            metavar="N",
            min=1,
            max=1_000_000,
            help="Cut results of so many characters or more; the whole is kept beside.",
        ),
    ] = 20_000,
    ledger: WatchingLedger = None,
    json: Json = False,
) -> int:
    """Import a session of pi: its file is kept, its calls and results are recorded, each once.

    Only the active branch is recorded, and nothing that was said or thought. Import the session
    again when it has grown. Exit 1 if a line of it cannot be read; all others are imported then.
    """
    from ledger.runs.pi import add_session

    with following(run_dir, ledger) as follow:
        with Progress(f"importing {safe(session.name)}") as progress:
            added = add_session(
                run_dir,
                session,
                phase=phase,
                actor=actor,
                max_text=max_text,
                clock=now,
                cwd=Path.cwd(),
                progress=progress.report,
            )
        follow()
    if json:
        emit(added.document())
    else:
        _print(added, session.name)
    return 1 if added.report.unread else 0


def _print(added: "Added", name: str) -> None:
    report = added.report
    did = "known already:" if added.same_file else "imported"
    line(f"{did} {safe(name)}: {safe(added.path)}  {short(report.sha256)}")
    new = f"{count(added.added, 'record')} new, {added.known:,} known"
    gone = f", {added.gone:,} that its branch does not have" if added.gone else ""
    rows = [
        ("session", f"{safe(report.session)}, version {report.version or 'unknown'}"),
        ("records", new + gone),
        ("calls", f"{report.calls:,}, {report.unanswered_count:,} without a result"),
        ("results", f"{report.results:,}, {report.errors:,} failed, {report.truncated:,} cut"),
        ("left out", _left_out(report)),
        ("cost", _cost(report)),
    ]
    pairs(rows)
    _print_problems(report)


def _left_out(report: "Report") -> str:
    aside = report.aside
    parts = [count(report.prose, "text"), f"{report.thinking:,} of reasoning"]
    if aside.entries:
        calls = count(aside.calls, "call")
        parts.append(f"{count(aside.entries, 'entry', 'entries')} of other branches with {calls}")
    return ", ".join(parts)


def _cost(report: "Report") -> str:
    spent = report.spent
    if spent.cost_usd is None:
        return "unknown"
    unpriced = f", and {count(spent.unpriced, 'turn')} without a cost" if spent.unpriced else ""
    return f"{spent.cost_usd} USD{unpriced}"


def _print_problems(report: "Report") -> None:
    """Say each kind of problem once, with the lines where it is met."""
    by_code: dict[str, list[SessionProblem]] = {}
    for problem in report.problems.kept:
        by_code.setdefault(problem.code, []).append(problem)
    for code, found in by_code.items():
        note(f"problem[{code}]: {safe(found[0].message)}")
        more = report.problems.counts[code] - 1
        if more:
            lines = list(dict.fromkeys(str(problem.line) for problem in found[1:]))
            known = ", ".join(lines[:_SHOWN_LINES])
            rest = "…" if len(lines) > _SHOWN_LINES or more >= len(found) else ""
            note(f"and {more:,} more: {'line' if len(lines) == 1 else 'lines'} {known}{rest}")
        note(f"hint: {safe(found[0].hint)}")
    if report.unread:
        note(f"{count(report.unread, 'line')} cannot be read; the copy has all of them.")
