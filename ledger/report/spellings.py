"""Names in a table that may be one name in several spellings (``specs/figures.md``, Reports)."""

from collections.abc import Iterable, Mapping

from ledger.projections import Attempts
from ledger.spelling import alike

from .rows import Row

_KINDS = {
    "agent": "agent",
    "model": "model",
    "reasoning_effort": "reasoning effort",
    "scenario": "scenario",
    "failure_category": "category",
}


def names_alike(names: Mapping[str, Iterable[str]]) -> list[Row]:
    """Return ``kind`` and ``names`` of each group of names that are alike, by kind and name.

    Args:
        names: Kind (agent, model, reasoning_effort, scenario, failure_category) to names.
    """
    return [
        {"kind": kind, "names": group}
        for kind in _KINDS
        for group in alike(names.get(kind, ()), kind)
    ]


def names_of(state: Attempts) -> dict[str, set[str]]:
    """Return every name that a ledger's rows use, by kind; what decisions put in their place too.

    Args:
        state: Of all attempts.
    """
    places, outcomes = state.places.values, state.outcomes.values
    corrected = (
        change.now
        for changes in state.changes.values()
        for change in changes
        if change.field == "failure_category" and isinstance(change.now, str)
    )
    reported = (outcome.category for outcome in outcomes if outcome.category is not None)
    return {
        "agent": {place.agent for place in places},
        "model": {place.model for place in places},
        "reasoning_effort": {place.effort for place in places if place.effort is not None},
        "scenario": {place.scenario for place in places},
        "failure_category": {*reported, *corrected},
    }


def spelling_notes(rows: Iterable[Mapping[str, object]]) -> tuple[str, ...]:
    """Return a sentence for each group of names that are alike."""
    return tuple(
        f"These may be one {_KINDS[str(row['kind'])]}, and are counted apart: {_listed(row)}."
        for row in rows
    )


def _listed(row: Mapping[str, object]) -> str:
    names = row["names"]
    return ", ".join(map(repr, names)) if isinstance(names, list) else ""
