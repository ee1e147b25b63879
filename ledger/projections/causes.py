"""Why a figure changed between two states: the events since then on what it rests on (FIG-42)."""

from collections.abc import Iterable

from ledger.rules.policy import Policy

from .attempts import Attempts
from .judged import Judged
from .measures import Parts
from .paths import Group, parse_path
from .reasons import decisions, reports
from .view import View


class Comparison:
    """Two views of one ledger, the second of a later size."""

    def __init__(self, old: View, new: View, since: int) -> None:
        """Compare *old* with *new*; *since* is the size that the old view covers."""
        self._old, self._new, self._since = old, new, since
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
        self._moved = _moved(old, self._same_rules)
        self._cohorts = self._splits()

    def causes(self, path: str) -> list[int]:
        """Return the numbers of the events since the old size that changed the figure (FIG-42).

        They are the events on attempts that add something else to it than before, the freezes of
        the policy if that alone changes it too, and where its group came or went, the events on
        every attempt in it and the reports of conditions that made or unmade cohorts.
        """
        parsed = parse_path(path)
        if parsed is None or parsed[1] not in self._new.names:
            return []
        state = self._new.state
        found: set[int] = set()
        for attempt in self._attempts(path, *parsed):
            found.update(one.seq for one in decisions(state, attempt))
            found.update(one.seq for one in reports(state, attempt))
        if path in self._came_or_went:
            found |= self._cohorts
        if path in self._by_rules:
            policy = self._new.policy.name
            found.update(frozen.seq for frozen in state.policies.get(policy, ()))
        return sorted(seq for seq in found if seq >= self._since)

    def _attempts(self, path: str, group: Group, name: str) -> set[str]:
        """Return the attempts of a group whose events told on the figure *name*."""
        before: dict[str, Parts] = {}
        after: dict[str, Parts] = {}
        cells = {*self._old.groups.get(group, ()), *self._same_rules.groups.get(group, ())}
        for cell in cells:
            for then, now in self._moved.get(cell, ()):
                if then is not None:
                    before[then.attempt] = self._old.parts(name, then)
                if now is not None:
                    after[now.attempt] = self._same_rules.parts(name, now)
        attempts = before.keys() | after.keys()
        if path in self._came_or_went:
            return attempts
        return {attempt for attempt in attempts if before.get(attempt) != after.get(attempt)}

    def _splits(self) -> set[int]:
        """Return the events since the old size that made cohorts come or go.

        They are the reports of releases with a new key or a changed one. Where there is none, a
        cohort that was known came with its first attempt, or went with its last.
        """
        old, new = self._old, self._same_rules
        labels = old.labels ^ new.labels
        if not labels:
            return set()
        keys = {version: made[-1].comparability for version, made in old.state.releases.items()}
        known = set(keys.values())
        reported = {
            report.seq
            for version, made in new.state.releases.items()
            for report in made
            if report.seq >= self._since
            and (report.comparability not in known or report.comparability != keys.get(version))
        }
        if reported:
            return reported
        moved = {
            attempt
            for view in (old, new)
            for cell in view.cells
            if (cell.cohort or next(iter(view.labels), "")) in labels
            for pair in self._moved.get(cell, ())
            for attempt in {one.attempt for one in pair if one is not None}
        }
        seqs = {one.seq for attempt in moved for one in reports(new.state, attempt)}
        # Without any, it is the selection that changed, which is no event on an attempt.
        return set(sorted(seq for seq in seqs if seq >= self._since)[:1])


def _moved(old: View, new: View) -> dict[Group, list[tuple[Judged | None, Judged | None]]]:
    """Return cell to the attempts that do not count there as the same thing in both views."""
    result = {}
    for cell in old.cells | new.cells:
        before = {one.attempt: one for one in old.judged(cell)}
        after = {one.attempt: one for one in new.judged(cell)}
        result[cell] = [
            (before.get(attempt), after.get(attempt))
            for attempt in before.keys() | after.keys()
            if before.get(attempt) != after.get(attempt)
        ]
    return result


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
