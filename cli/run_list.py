"""``coldledger run list``: the runs of a ledger, and how each stands."""

from typing import TYPE_CHECKING

from .options import DEFAULT_LEDGER, Json, LedgerPath
from .text import count, emit, line, safe

if TYPE_CHECKING:
    from ledger.audit.held_runs import HeldRun


def list_(ledger: LedgerPath = DEFAULT_LEDGER, json: Json = False) -> int:
    """List the runs of a ledger: what it has of each, and the newest verdict.

    What is open is what that verdict still asks of reviewers; reviews that were signed since are
    taken in by the next audit.
    """
    from ledger.audit.held_runs import held_runs
    from ledger.store import Ledger

    with Ledger.open(ledger) as opened, opened.snapshot():
        runs = list(held_runs(opened))
        origin = opened.origin
    if json:
        emit({"origin": origin, "runs": [one.document() for one in runs]})
        return 0
    from .tables import Column, table

    if runs:
        table(
            [
                Column("run"),
                Column("files", right=True, whole=True),
                Column("records", right=True, whole=True),
                Column("verdict"),
                Column("open"),
            ],
            [
                [one.run, f"{one.files:,}", f"{one.records:,}", _verdict(one), _open(one)]
                for one in runs
            ],
        )
        line()
    line(f"{count(len(runs), 'run')} in {safe(origin)}")
    return 0


def _verdict(one: "HeldRun") -> str:
    if one.verdict is None:
        return "none"
    said = one.overall if one.failure_class is None else f"{one.overall}, {one.failure_class}"
    return f"{said}, event {one.verdict}"


def _open(one: "HeldRun") -> str:
    return "withheld" if one.open is None else ", ".join(one.open) or "—"
