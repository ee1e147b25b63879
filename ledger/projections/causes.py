"""Why a figure changed between two states: the events since then on what it rests on (FIG-42)."""

from collections.abc import Iterable, Mapping
from functools import cached_property

from ledger.events import EditionFrozen
from ledger.rules.policy import Policy

from .attempts import Attempts
from .moved import Pair, differing, moved_between, wandering
from .paths import Group, parse_path
from .reasons import Reason, decisions, reports
from .sources import conditions_of
from .view import View


class Comparison:
    """Two views of one ledger, the second of a later size."""

    def __init__(self, old: View, new: View, since: int, freeze: int | None = None) -> None:
        """Compare *old* with *new*.

        Args:
            old: Of the state that the first *since* events give.
            new: Of a state that continues it.
            since: Number of events that the old view covers.
            freeze: Number of the event that chose the new view's releases, if one did.
        """
        self._old, self._new, self._since = old, new, since
        self._freeze = freeze if old.selected != new.selected else None
        # Judging the new state by the old rules tells what events did from what rules did.
        self._same_rules = new
        self._by_rules: set[str] = set()
        if old.policy != new.policy:
            self._same_rules = View(new.state, new.selected, old.policy)
            before, after = self._same_rules.figures(), new.figures()
            self._by_rules = {
                path for path in before.keys() | after.keys() if before.get(path) != after.get(path)
            }
        self._came_or_went = old.figures().keys() ^ self._same_rules.figures().keys()
        self._told: dict[int, Reason] = {}
        self._named: set[int] = set()
        self._moved = moved_between(old, self._same_rules, since)
        self._wandering = wandering(self._moved)
        self._by_cell = {cell: self._tell(cell, moved) for cell, moved in self._moved.items()}
        self._cohorts = self._splits()

    def causes(self, path: str) -> list[int]:
        """Return the numbers of the events since the old size that changed the figure (FIG-42).

        They are the events on attempts that add something else to it than before, the freezes of
        the policy if that alone changes it too, and where its group came or went, the events on
        every attempt in it and the reports of conditions that made or unmade cohorts. What only
        another choice of releases changed is told by the event that chose them.
        """
        parsed = parse_path(path)
        if parsed is None or parsed[1] not in self._new.table:
            return []
        group, name = parsed
        came_or_went = path in self._came_or_went
        found: set[int] = set()
        for cell in {*self._old.groups.get(group, ()), *self._same_rules.groups.get(group, ())}:
            by_name = self._by_cell.get(cell, {})
            found |= by_name.get("" if came_or_went else name, set())
        for attempt, (then, now) in self._wanderers(group).items():
            differs = self._old.parts(name, then) != self._same_rules.parts(name, now)
            if came_or_went or differs:
                found |= self._events(attempt, (then, now))
        if came_or_went:
            found |= self._cohorts
        if path in self._by_rules:
            for frozen in self._new.state.policies.get(self._new.policy.name, ()):
                why = f"puts rules of {self._new.policy.name} in force"
                self._note(found, Reason(frozen.seq, frozen.wire, why))
        if not found and self._freeze is not None and self._differs(path):
            self._blame_choice(found)
        self._named |= found
        return sorted(found)

    def told(self) -> list[Reason]:
        """Return what each event is that :meth:`causes` named so far, ascending."""
        return [self._told[seq] for seq in sorted(self._named)]

    def _tell(self, cell: Group, moved: Mapping[str, Pair]) -> dict[str, set[int]]:
        """Return figure to the events that changed what a cell adds to it; all of them at ""."""
        result: dict[str, set[int]] = {"": set()}
        wandering = self._wandering.get(cell.cohort, ())
        for attempt, pair in moved.items():
            if attempt in wandering:
                continue
            events = self._events(attempt, pair)
            result[""] |= events
            resting = (self._resting.get(measure, ()) for measure in differing(pair))
            for name in set().union(*resting):
                result.setdefault(name, set()).update(events)
        return result

    @cached_property
    def _resting(self) -> dict[str, set[str]]:
        """Measure to the figures that rest on it."""
        result: dict[str, set[str]] = {}
        for name, figure in self._same_rules.table.items():
            for measure in figure.measures:
                result.setdefault(measure, set()).add(name)
        return result

    def _events(self, attempt: str, pair: Pair) -> set[int]:
        """Return the events since the old size on an attempt."""
        state = self._same_rules.state
        found: set[int] = set()
        for reason in (*decisions(state, attempt), *reports(state, attempt)):
            self._note(found, reason)
        came_or_went = None in pair and attempt in self._old.state.latest
        if came_or_went or not found:
            self._blame_choice(found)
        return found

    def _differs(self, path: str) -> bool:
        came_or_went = path in self._came_or_went
        return came_or_went or self._old.lookup(path) != self._new.lookup(path)

    def _note(self, found: set[int], reason: Reason) -> None:
        """Add an event to *found*, unless the old view covers it."""
        if reason.seq >= self._since:
            found.add(reason.seq)
            self._told.setdefault(reason.seq, reason)

    def _blame_choice(self, found: set[int]) -> None:
        if self._freeze is not None:
            old, new = (
                ", ".join(sorted(view.selected)) or "every release"
                for view in (self._old, self._new)
            )
            why = f"freezes an edition of {new}; before, {old}"
            self._note(found, Reason(self._freeze, EditionFrozen.wire, why))

    def _wanderers(self, group: Group) -> dict[str, Pair]:
        """Return the attempts that moved between cells of a group, each as one pair."""
        found: dict[str, Pair] = {}
        for attempt in self._wandering.get(group.cohort, ()):
            for cell in (*self._old.groups.get(group, ()), *self._same_rules.groups.get(group, ())):
                then, now = self._moved.get(cell, {}).get(attempt, (None, None))
                before, after = found.get(attempt, (None, None))
                found[attempt] = before or then, after or now
        return found

    def _splits(self) -> set[int]:
        """Return the events since the old size that made cohorts come or go.

        They are the reports of releases with a new key or a changed one, and the withdrawals of
        such reports. Where there is none, a cohort that was known came with its first attempt, or
        went with its last.
        """
        old, new = self._old, self._same_rules
        labels = old.labels ^ new.labels
        if not labels:
            return set()
        keys = {version: _key(old.state, version) for version in old.state.releases}
        known = set(keys.values())
        found: set[int] = set()
        for version, made in new.state.releases.items():
            for report in made:
                if report.comparability not in known or report.comparability != keys.get(version):
                    self._note(
                        found, Reason(report.seq, report.wire, f"states conditions of {version}")
                    )
            if version in keys and _key(new.state, version) != keys[version]:
                for report in made:
                    for withdrawal in new.state.withdrawals.get(report.source, ()):
                        why = f"withdraws conditions of {version}"
                        self._note(found, Reason(withdrawal.seq, withdrawal.wire, why))
        if found:
            return found
        for view in (old, new):
            for cell in view.cells:
                if (cell.cohort or next(iter(view.labels), "")) in labels:
                    for attempt in self._moved.get(cell, ()):
                        for reason in reports(new.state, attempt):
                            self._note(found, reason)
        # Without any, it is the selection that changed, which is no event on an attempt.
        return set(sorted(found)[:1])


def _key(state: Attempts, release: str) -> bytes | None:
    report = conditions_of(state, release)
    return None if report is None else report.comparability


def causes(
    old: Attempts,
    new: Attempts,
    old_releases: Iterable[str],
    new_releases: Iterable[str],
    old_policy: Policy,
    new_policy: Policy,
    path: str,
    since: int,
) -> list[int]:
    """Return why the figure at *path* changed; see :meth:`Comparison.causes`."""
    comparison = Comparison(
        View(old, old_releases, old_policy), View(new, new_releases, new_policy), since
    )
    return comparison.causes(path)
