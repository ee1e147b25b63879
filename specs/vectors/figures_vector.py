"""The form of a vector about figures."""

from collections.abc import Sequence
from typing import Any

from figures_events import Event, release, source

Vector = dict[str, Any]

CELL = "system/claux+m/task/s@1/"
SYSTEM = "system/claux+m/task/*/"
TOTAL = "system/*/task/*/"


def vector(name: str, clause: int, comment: str, events: Sequence[Event], **fields: Any) -> Vector:
    """Return a vector; with ``code`` it is to be refused."""
    code = fields.pop("code", None)
    start = {
        "name": name,
        "comment": comment,
        "clause": f"FIG-{clause}",
        "expect": "refuse" if code else "accept",
        "code": code,
    }
    rest = {"releases": [], "policy": {}, "events": list(events)} | fields
    return start | rest


def rows(*events: Event) -> list[Event]:
    """Return *events* after a source and its release, which are events 0 and 1."""
    return [source(), release(), *events]


def at(prefix: str, **values: Any) -> dict[str, Any]:
    """Return paths to values, by name."""
    return {prefix + name: value for name, value in values.items()}


def everywhere(**values: Any) -> dict[str, Any]:
    """Return paths to values of the cell, the system and the total."""
    return at(CELL, **values) | at(SYSTEM, **values) | at(TOTAL, **values)
