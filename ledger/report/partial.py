"""Releases that repeat some trials of an earlier one and leave out others beside them.

A failure can be made to vanish without touching the file that it stands in: a later release, under
a name of its own, repeats what went well and has a new trial in place of what did not.
"""

from collections import Counter
from collections.abc import Iterator

from ledger.projections import Attempts
from ledger.projections.columns import NONE


def left_out(state: Attempts) -> dict[str, int]:
    """Return release to the attempts that it leaves out of cells that it repeats in part.

    A cell is a system at a task. Where several earlier releases have the cell, the one counts of
    which most is left out. Releases under other conditions are no earlier ones, and neither are
    sources that were replaced or withdrawn.

    Args:
        state: Of all attempts.
    """
    shared = Counter(_repeats(state))
    if not shared:
        return {}
    sizes = Counter(place for place, _ in map(state.rows.link, range(len(state.rows))))
    most: dict[int, int] = {}
    for (newer, older), repeated in shared.items():
        most[newer] = max(most.get(newer, 0), sizes[older] - repeated)
    found: Counter[str] = Counter()
    for newer, missing in most.items():
        found[state.places.values[newer].release] += missing
    return {release: missing for release, missing in found.items() if missing}


def _repeats(state: Attempts) -> Iterator[tuple[int, int]]:
    """Yield for each attempt its place in a release, and the one in an earlier release."""
    places, link = state.places.values, state.rows.link
    if len(state.rows) == len(state.latest):
        return  # nothing is reported twice
    stands = [
        place.source not in state.superseded and place.source not in state.withdrawals
        for place in places
    ]
    keys = [state.key_of(place) for place in places]
    for row in state.latest.values():
        newer, previous = link(row)
        while previous != NONE:
            before = previous
            while before != NONE:
                older, before = link(before)
                if (
                    stands[newer]
                    and stands[older]
                    and keys[newer] == keys[older]
                    and places[newer].release != places[older].release
                ):
                    yield newer, older
            newer, previous = link(previous)
