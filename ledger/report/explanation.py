"""One figure with the events that it comes from."""

import msgspec

from ledger.projections import View
from ledger.projections.exact import exact
from ledger.projections.measures import Tally
from ledger.projections.reasons import reasons

from .rows import Row
from .wording import Wording, exact_text


def explanation(view: View, path: str) -> Row:
    """Return a figure, and from which events it comes, so that it can be computed by hand.

    Beside ``figure``, ``value`` and ``events`` stand the value as people read it (``shown``), how
    much of it is known (``state``), its ``unit``, why there is none although something is known
    (``withheld_because``), the exact quantity as one text (``exact``), and
    in ``totals`` each measure that it is made of. An event has ``seq``, ``type``, ``why``, and the
    ``contribution`` of the attempt that it reports: measure to what it adds (FIG-43); null of an
    event that reports no attempt.

    Raises:
        FigureUnknown: There is no figure of that path; the message lists near ones.
    """
    group, figure = view.definition(path)
    tally = view.measured(group)
    values = {group.prefix + name: one.value(tally) for name, one in view.table.items()}
    worded = Wording(values, view.policy).worded(path)
    return {
        "figure": path,
        "value": worded.plain,
        "shown": worded.shown,
        "state": worded.state,
        "exact": worded.exact,
        "unit": worded.unit,
        "withheld_because": figure.withheld(tally),
        "totals": _totals(figure.measures, tally),
        "events": [
            {"contribution": None, **one} for one in msgspec.to_builtins(reasons(view, path))
        ],
    }


def _totals(measures: tuple[str, ...], tally: Tally) -> Row:
    """Return the counts and sums that a formula is applied to; a sum of nothing is null."""
    totals: Row = {}
    for name in measures:
        if name in tally.counts:
            totals[name] = tally.counts[name]
        elif name in tally.sums:
            part = tally.sums[name]
            totals[name] = exact_text(exact(part.value)) if part.known else None
    return totals
