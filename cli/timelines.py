"""``timeline``: the life of an attempt, a task, a system, a source, an edition or a run."""

from typing import Annotated, Any

import typer

from .errors import check_text
from .options import DEFAULT_LEDGER, AsOf, Json, LedgerPath
from .text import count, emit, line, minute, pairs, safe, shown

_SHOWN = ("state", "outcome", "exclusion", "failure_category", "corrected", "flags")


def timeline(
    name: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            help="An attempt (or its beginning, RELEASE#ROW, its run's name), TASK@VERSION, a"
            " system, the number of a source, a release, an edition or a run.",
        ),
    ],
    ledger: LedgerPath = DEFAULT_LEDGER,
    as_of: AsOf = None,
    json: Json = False,
) -> int:
    """Tell the life of a result, event by event.

    Who reported it and reported it again, what was corrected, excluded, invalidated, withdrawn
    and redacted, which editions it is in, and how it stands; of a run, its files, verdicts and
    signed reviews. Where one name is that of several things, put the kind before it:
    edition:NAME.
    """
    from ledger.report.timeline import timeline as life
    from ledger.things import thing_of

    from .ledgers import digests, replayed

    check_text(name, "ID")
    with replayed(ledger, as_of=as_of) as (opened, replay):
        thing = thing_of(replay, name, lambda: opened.entries(0, replay.size))
        document = life(replay, thing, opened.entry, digests(opened))
        size = replay.size
    if json:
        emit(document)
        return 0
    from .tables import Column, table

    line(f"{document['kind']} {safe(document['id'])}, as of size {size:,}")
    line()
    events: Any = document["events"]
    table(
        [
            Column("seq", right=True, whole=True),
            Column("at (claimed)", whole=True),
            Column("actor", whole=True),
            Column("what"),
        ],
        [[str(one["seq"]), minute(one["at"]), one["actor"], one["what"]] for one in events],
    )
    line()
    state: Any = document["state"]
    names = [key for key in _SHOWN if key in state] if document["kind"] == "attempt" else state
    pairs([(key, _value(state[key])) for key in names])
    line(count(len(events), "event"))
    return 0


def _value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(safe(one) for one in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return shown(value)
