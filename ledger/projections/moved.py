"""Which attempts count as something else in a second view of one ledger."""

from collections.abc import Collection
from typing import TypeAlias

from .judged import Judged
from .measures import Contribution, contribution, measures_of
from .paths import Group
from .view import View

Pair: TypeAlias = tuple[Judged | None, Judged | None]
"""An attempt as it counts in the old view and in the new one; None where it does not."""

Moved: TypeAlias = dict[Group, dict[str, Pair]]
"""Cell to attempt to what it counts as there."""


def moved_between(old: View, new: View, since: int) -> Moved:
    """Return cell to the attempts that do not count there as the same thing in both views."""
    only = _touched(old, new, since)
    result: Moved = {}
    for cell in old.cells | new.cells:
        before = {one.attempt: one for one in old.judged(cell, only=only)}
        after = {one.attempt: one for one in new.judged(cell, only=only)}
        moved = {
            attempt: (before.get(attempt), after.get(attempt))
            for attempt in before.keys() | after.keys()
            if before.get(attempt) != after.get(attempt)
        }
        if moved:
            result[cell] = moved
    return result


def _touched(old: View, new: View, since: int) -> Collection[str] | None:
    """Return the attempts that events since the old size are about; None where others moved too.

    The old state is what the new one was, so an attempt that nothing happened to counts as the
    same as before, unless other releases were selected or cohorts have other labels.
    """
    labels = new.label_of
    same = all(labels.get(release) == label for release, label in old.label_of.items())
    if old.selected != new.selected or old.labels != new.labels or not same:
        return None
    state = new.state
    found = set(state.rows.attempt[len(old.state.rows) :])
    for decided in (state.changes, state.exclusions):
        found.update(attempt for attempt, made in decided.items() if made[-1].seq >= since)
    changed = [
        place.source in state.superseded
        or place.source in state.withdrawals
        or place.source in state.reinstated
        or (place.scenario, place.version) in state.invalidations
        for place in old.state.places.values
    ]
    if any(changed):
        found.update(
            attempt
            for row, attempt in enumerate(old.state.rows.attempt)
            if changed[state.rows.link(row)[0]]
        )
    return found


def wandering(moved: Moved) -> dict[str, set[str]]:
    """Return cohort to the attempts that moved in several of its cells at once."""
    seen: dict[str, set[str]] = {}
    result: dict[str, set[str]] = {}
    for cell, attempts in moved.items():
        known = seen.setdefault(cell.cohort, set())
        result.setdefault(cell.cohort, set()).update(known & attempts.keys())
        known.update(attempts)
    return result


def differing(pair: Pair) -> set[str]:
    """Return the measures to which an attempt does not add the same as before."""
    before, after = (_added(one) for one in pair)
    return {
        measure
        for measure in before.keys() | after.keys()
        if before.get(measure) != after.get(measure)
    }


def _added(attempt: Judged | None) -> dict[str, Contribution]:
    if attempt is None:
        return {}
    return {measure: contribution(measure, attempt) for measure in measures_of(attempt.verdict)}
