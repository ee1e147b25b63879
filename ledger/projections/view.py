"""A selection of the state: which attempts stand in which group, and which row of each governs.

Without a selection every attempt counts. With one, an attempt counts if a source that was not
replaced reports it in one of the releases. Releases of different comparability keys never share a
group: where there are several keys, each is a cohort of its own, without a total over them.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from ledger.errors import ReleaseUnknown
from ledger.identity import path_component
from ledger.rules.policy import Policy, status_rules

from .attempts import Attempts
from .columns import NONE, Place
from .judged import Judge, Judged
from .measures import Tally, join, tally
from .near import near
from .paths import TOTAL, Group, System, Task, group_of
from .table import Value, table

DROPPED = "dropped_by_source"
_LABEL_HEX = 12


class _Spot(Struct):
    """What a place means within the selection.

    Attributes:
        cohort: Label of its cohort.
        members: Rows that govern an attempt here.
        dropped: Rows whose attempt the source reports no more, and which do not count.
        current: Whether no other source replaced the one that reports here.
    """

    cohort: str
    members: "array[int]"
    dropped: "array[int]"
    current: bool


class View:
    """The groups of one state under one policy and selection.

    Attributes:
        rules: The rules of the policy.
        cohorts: Label to comparability key, 32 bytes, or None where the release states none; more
            than one label means that there is no group over all of them.
    """

    def __init__(self, state: Attempts, releases: Iterable[str], policy: Policy) -> None:
        """Sort every attempt into its cell.

        Args:
            state: Not to be advanced while the view is in use.
            releases: Versions of releases; none selects the whole ledger.
            policy: Of the family ``status``.

        Raises:
            ReleaseUnknown: Nothing reports one of the releases.
            PolicyKind: The policy is of another family.
        """
        self.state, self.policy = state, policy
        self.rules = status_rules(policy)
        self.selected = frozenset(releases)
        for release in sorted(self.selected - state.releases.keys()):
            raise ReleaseUnknown(
                "selection", f"release {release!r}", near(release, state.releases) or "an imported one"
            )
        self._table = table(self.rules)
        self._judge = Judge(state, self.rules)
        labels = _labels(state, self.selected)
        self.cohorts = {label: key for label, key in sorted(labels.values())}
        several = len(self.cohorts) > 1
        self._cells: dict[Group, tuple[array[int], array[int]]] = {}
        self._spots = [
            self._spot(place, labels[place.release][0] if several else "")
            if place.release in labels
            else None
            for place in state.places.values
        ]
        self._sort_rows()
        self._cells = {cell: rows for cell, rows in self._cells.items() if rows[0] or rows[1]}

    def figures(self) -> dict[str, Value]:
        """Return path to value of every figure (FIG-2)."""
        prefixes = [f"{group.prefix}" for group in ()]
        del prefixes
        result: dict[str, Value] = {}
        for group, measured in self._tallies().items():
            for name, figure in self._table.items():
                result[group.prefix + name] = figure.value(measured)
        return result
