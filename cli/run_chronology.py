"""``coldledger run chronology``: what happened in a run, in the order of time."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import AsOf, Json
from .runs import ledger_of
from .text import count, emit, line, shown

if TYPE_CHECKING:
    from ledger.audit.order import Dated

_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


def chronology(
    target: Annotated[
        str, typer.Argument(metavar="D|RUN", help="A run directory, or a run of a ledger.")
    ],
    ledger: Annotated[
        Path | None,
        typer.Option(
            "--ledger",
            metavar="PATH",
            help="The ledger that has the run; where RUN is no folder, by default COLDLEDGER or"
            " coldledger.db.",
        ),
    ] = None,
    as_of: AsOf = None,
    json: Json = False,
) -> int:
    """Tell what happened in a run in the order of time, from all of its streams.

    Trajectory, test side and agent's logger side by side. Nothing is numbered anew: each record
    keeps its stream, its line there and the name that reviews refer to it by. A record without a
    time stands behind the one before it in its file.
    """
    held = ledger_of(target, ledger, as_of)
    records = _of_directory(Path(target)) if held is None else _of_ledger(target, held, as_of)
    if json:
        emit([_document(one) for one in records])
        return 0
    from .tables import Column, table

    table(
        [
            Column("time", whole=True),
            Column("tick", right=True, whole=True),
            Column("line", right=True, whole=True),
            Column("what"),
            Column("reference"),
        ],
        [
            [_time(one), shown(one.tick), str(one.line), f"{one.stream}: {one.what}", one.ref]
            for one in records
        ],
    )
    line(count(len(records), "record"))
    return 0


def _of_directory(directory: Path) -> "list[Dated]":
    from ledger.audit.chronology import chronology as in_order
    from ledger.runs.directory import Directory

    return in_order(Directory(directory))


def _of_ledger(run: str, path: Path, as_of: int | None) -> "list[Dated]":
    from ledger.audit.chronology import chronology as in_order
    from ledger.audit.held_runs import run_names
    from ledger.errors import RunUnknown
    from ledger.naming import near_or_few
    from ledger.runs.intake.committed import Committed
    from ledger.runs.intake.held import Held
    from ledger.store import Ledger

    from .ledgers import check_size

    with Ledger.open(path) as opened, opened.snapshot():
        check_size(opened, as_of)
        held = Held(Committed(opened), run, as_of)
        if not held.known:
            expected = near_or_few(run, run_names(opened)) or f"a run of {path}"
            raise RunUnknown("run", repr(run), expected)
        return in_order(held)


def _time(one: "Dated") -> str:
    if one.at is None:
        return "—"
    # Cut to microseconds; a finer time keeps its place in the order.
    moment = _BEGINNING + timedelta(microseconds=int(one.at // 1))
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def _document(one: "Dated") -> dict[str, object]:
    return {
        "stream": one.stream,
        "line": one.line,
        "ref": one.ref,
        "what": one.what,
        "at": None if one.at is None else _time(one),
        "tick": one.tick,
        "session": one.domain,
        "seq": one.seq,
    }
