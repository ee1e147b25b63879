"""One figure with the events that it comes from."""

from typing import TypeAlias

import msgspec

from ledger.projections import View
from ledger.projections.reasons import reasons

Row: TypeAlias = dict[str, object]


def explanation(view: View, path: str) -> Row:
    """Return ``figure``, ``value`` and ``events``: each with ``seq``, ``type`` and ``why``.

    Raises:
        FigureUnknown: There is no figure of that path; the message lists near ones.
    """
    return {
        "figure": path,
        "value": view.figure(path),
        "events": msgspec.to_builtins(reasons(view, path)),
    }
