"""What changed between two sets of figures, and which events changed it."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from ledger.projections import Comparison, Value, View

Row: TypeAlias = dict[str, object]


def changed(
    old: Mapping[str, Value],
    new: Mapping[str, Value],
    causes: Callable[[str], Sequence[int]],
) -> dict[str, list[Row]]:
    """Return ``added``, ``removed`` and ``changed`` figures, each with old, new and ``because``.

    Args:
        old: Path to value before.
        new: Path to value after.
        causes: Numbers of the events that changed the figure at a path.
    """
    result: dict[str, list[Row]] = {"added": [], "removed": [], "changed": []}
    for path in sorted(old.keys() | new.keys()):
        if path not in old:
            kind = "added"
        elif path not in new:
            kind = "removed"
        elif _same(old[path], new[path]):
            continue
        else:
            kind = "changed"
        result[kind].append(
            {
                "figure": path,
                "old": old.get(path),
                "new": new.get(path),
                "because": list(causes(path)),
            }
        )
    return result


def diff(old: View, new: View, since: int) -> dict[str, list[Row]]:
    """Return what changed between two views of one ledger, the first over *since* entries."""
    return changed(old.figures(), new.figures(), Comparison(old, new, since).causes)


def _same(one: Value, two: Value) -> bool:
    """Tell whether two values are the same; to Python alone, true is 1."""
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(_same, one, two))
    return type(one) is type(two) and one == two
