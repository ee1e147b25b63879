"""``leaderboard``, ``attempts``, ``explain``, ``diff``: figures, and what they come from."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .edge import Progress, opened
from .errors import UsageInvalid
from .options import DEFAULT_LEDGER, AsOf, Edition, Json, LedgerPath, TrustDigest, TrustFiles
from .text import complain, emit, line, safe

if TYPE_CHECKING:
    from ledger.verify.question import Question
    from ledger.verify.verdict import Verdict
    from ledger.verify.verified import VerifiedBundle

STATES = ("valid", "excluded", "pending")


def leaderboard(
    ledger: LedgerPath = DEFAULT_LEDGER,
    edition: Edition = None,
    as_of: AsOf = None,
    tasks: Annotated[
        bool, typer.Option("--tasks", help="A table by task and system too; --json has it.")
    ] = False,
    json: Json = False,
) -> int:
    """Show repairs, costs and prices by system.

    What they are counted over is said below. What is not known is shown as unknown, never as 0;
    ≥ marks what some missing cost leaves short.
    """
    from ledger.report import leaderboard as board

    from .selection import selected

    with selected(ledger, edition, as_of) as selection:
        document = board(selection.figures(), selection.policy)
    if json:
        emit({**selection.document(), **document})
        return 0
    from .boards import print_board

    line(safe(selection.heading()))
    line()
    print_board(document, tasks=tasks)
    return 0


def attempts(
    ledger: LedgerPath = DEFAULT_LEDGER,
    edition: Edition = None,
    as_of: AsOf = None,
    state: Annotated[
        str | None,
        typer.Option("--state", metavar="S", help=f"Only those that are {' or '.join(STATES)}."),
    ] = None,
    json: Json = False,
) -> int:
    """List every attempt: what it counts as, and why.

    Excluded attempts stay listed, with their cost.
    """
    from ledger.report import attempts as listing

    from .selection import selected

    if state is not None and state not in STATES:
        raise UsageInvalid(f"Invalid value for '--state': {state!r} is not {' or '.join(STATES)}")
    with selected(ledger, edition, as_of) as selection:
        rows = listing(selection.replay.attempts, selection.releases, selection.policy)
    rows = [row for row in rows if state in (None, row["state"])]
    if json:
        emit(rows)
        return 0
    from .boards import print_attempts

    line(safe(selection.heading()))
    line()
    print_attempts(rows)
    return 0


def explain(
    figure: Annotated[
        str,
        typer.Argument(metavar="FIGURE", help="PATH or EDITION:PATH, as leaderboard and diff say."),
    ],
    ledger: LedgerPath = DEFAULT_LEDGER,
    as_of: AsOf = None,
    json: Json = False,
) -> int:
    """List the events that a figure comes from.

    PATH is system/SYSTEM/task/TASK/NAME, with * for every system or every task.
    """
    from ledger.projections import parse_figure_id
    from ledger.report import explanation

    from .selection import selected

    edition, path = parse_figure_id(figure)
    with selected(ledger, edition, as_of) as selection:
        document: dict[str, Any] = explanation(selection.view(), path)
    if json:
        emit({**document, "figure": figure, **selection.document()})
        return 0
    from .boards import print_events, value_text

    line(f"{safe(figure)} = {safe(value_text(document['value']))}")
    line(safe(selection.heading()))
    line()
    print_events(document["events"])
    return 0


def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="A bundle.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="A later bundle of the same log.")],
    trust: TrustFiles,
    trust_sha256: TrustDigest = None,
    json: Json = False,
) -> int:
    """Say which figures changed between two editions, and why.

    Both bundles are verified first, and that NEW continues the log of OLD. Exit 0 when the
    figures are the same, 1 when they differ.
    """
    from ledger.edition.state import status_policy
    from ledger.projections import View
    from ledger.report import diff as compare

    from .questions import question

    asked = question(trust, trust_sha256=trust_sha256)
    refused, before = _verify(old, asked)
    if before is None:
        return _refuse(old, refused, json)
    asked.since = before.head
    refused, after = _verify(new, asked)
    if after is None:
        return _refuse(new, refused, json)
    views = [
        View(one.replay.attempts, one.frozen.releases, status_policy(one.replay))
        for one in (before, after)
    ]
    document = compare(views[0], views[1], before.manifest.size)
    differs = any(document[kind] for kind in ("added", "removed", "changed"))
    if json:
        emit({"old": _named(before), "new": _named(after), "same": not differs, **document})
    else:
        from .boards import print_changes

        for name, one in (("old", before), ("new", after)):
            line(f"  {name}  {safe(one.manifest.edition)}, as of size {one.manifest.size:,}")
        line()
        print_changes(document)
    return 1 if differs else 0


def _verify(path: Path, asked: "Question") -> "tuple[Verdict, VerifiedBundle | None]":
    from ledger.verify.bundle import verify_bundle

    with opened(path, "a bundle") as stream, Progress(f"verifying {safe(path.name)}") as progress:
        return verify_bundle(stream, asked, progress=progress.report)


def _refuse(path: Path, verdict: "Verdict", json: bool) -> int:
    """Print why a bundle was refused; nothing is compared with what does not verify."""
    fault = verdict.document()["error"]
    if json:
        emit({"error": {**fault, "bundle": str(path)}})
    else:
        complain({**fault, "message": f"{path}: {fault['message']}"})
    return 1


def _named(bundle: "VerifiedBundle") -> dict[str, Any]:
    manifest = bundle.manifest
    return {"edition": manifest.edition, "size": manifest.size, "root": manifest.root.hex()}
