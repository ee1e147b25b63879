"""Why a figure changed between two states: the events since then on what it rests on (FIG-41)."""

from collections.abc import Iterable

from ledger.rules.policy import Policy

from .attempts import Attempts
from .reasons import decisions, reports
from .view import View


class Comparison:
    """Two views of one ledger, the second of a later size."""

    def __init__(self, old: View, new: View, since: int) -> None:
        """Compare *old* with *new*; *since* is the size that the old view covers."""
        self._old, self._new, self._since = old, new, since
        # Judging the new state by the old rules tells what events did from what rules did.
        self._same_rules = new
        if old.policy != new.policy:
            self._same_rules = View(new.state, new.selected, old.policy)
        self._conditions = self._new_conditions()

    def causes(self, path: str) -> list[int]:
        """Return the numbers of the events since the old size that changed the figure, ascending.

        They are the events on attempts that add something else to it than before, the freeze of
        the policy if that alone changes it too, and the reports of conditions that put its
        attempts into another cohort.
        """
        state = self._new.state
        before = self._old.contributions(path)
        after = self._same_rules.contributions(path)
        found: set[int] = set()
        for attempt in before.keys() | after.keys():
            if before.get(attempt) != after.get(attempt):
                found.update(one.seq for one in decisions(state, attempt))
                found.update(one.seq for one in reports(state, attempt))
        if bool(before) != bool(after):
            found |= self._conditions
        if self._old.policy != self._new.policy and self._rules_matter(path):
            name = self._new.policy.name
            found.update(frozen.seq for frozen in state.policies.get(name, ()))
        return sorted(seq for seq in found if seq >= self._since)

    def _rules_matter(self, path: str) -> bool:
        if self._same_rules.contributions(path) != self._new.contributions(path):
            return True
        return self._same_rules.lookup(path) != self._new.lookup(path)

    def _new_conditions(self) -> set[int]:
        """Return the reports of releases that made a cohort, or put a release into another."""
        old = {
            version: made[-1].comparability for version, made in self._old.state.releases.items()
        }
        keys = set(old.values())
        return {
            report.seq
            for version, made in self._new.state.releases.items()
            for report in made
            if report.comparability != old.get(version, report.comparability)
            or report.comparability not in keys
        }


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
