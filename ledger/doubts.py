"""What is doubtful about a correction that is allowed: said when it is made, never a refusal."""

from collections.abc import Mapping

from .authority import Value
from .projections.attempts import Attempts
from .spelling import skeleton

_CATEGORY = "failure_category"
_NEAR = 0.7


def doubts(state: Attempts, attempt: str, changes: Mapping[str, Value]) -> list[str]:
    """Return a sentence for each thing that *changes* would leave contradictory or unlikely.

    Args:
        state: Before the correction.
        attempt: The attempt.
        changes: Field to new value.
    """
    fields = ("status", "reward", "failure_category")
    stands = {
        field: changes[field] if field in changes else state.value_of(attempt, field)
        for field in fields
    }
    status, reward, category = (stands[field] for field in fields)
    found = []
    if "failure_category" in changes and isinstance(category, str):
        found += _unseen(state, category)
    if status == "unavailable":
        if "reward" in changes:
            found.append(f"reward {reward} has no effect: the attempt counts as unavailable")
        elif reward == 1:
            found.append("reward 1 counts no longer: the attempt counts as unavailable now")
    elif reward == 1 and category is not None:
        found.append(
            f"a repair has no failure category, and {category!r} stands;"
            " --set failure_category=null takes it away"
        )
    elif reward == 0 and category is None:
        found.append("the failure has no category; --set failure_category=WORD gives it one")
    exclusions = state.exclusions.get(attempt)
    if exclusions:
        found.append(
            f"the attempt is excluded by event {exclusions[-1].seq}, so no count changes by this"
        )
    elif (wider := _excluded_with_others(state, attempt)) is not None:
        found.append(f"{wider}, so no count changes by this")
    return found


def _excluded_with_others(state: Attempts, attempt: str) -> str | None:
    """Say by what an attempt is excluded together with others, if it is."""
    row = state.newest_report(attempt)
    if row is None:
        return None
    place = state.places.values[state.rows.link(row)[0]]
    invalidations = state.invalidations.get((place.scenario, place.version))
    if invalidations:
        return f"its task is invalid by event {invalidations[-1].seq}"
    withdrawals = state.withdrawals.get(place.source)
    if withdrawals:
        return f"its source is withdrawn by event {withdrawals[-1].seq}"
    return None


def _unseen(state: Attempts, word: str) -> list[str]:
    """Return a doubt about a category that nothing in the ledger has used."""
    seen = {outcome.category for outcome in state.outcomes.values}
    seen |= {
        change.now
        for changes in state.changes.values()
        for change in changes
        if change.field == "failure_category" and isinstance(change.now, str)
    }
    if word in seen:
        return []
    from difflib import get_close_matches  # only a new word needs near ones

    words, bare = sorted(filter(None, seen)), skeleton(word, _CATEGORY)
    # The same word in capitals, or with other separators, shares few letters with it.
    same = [one for one in words if skeleton(one, _CATEGORY) == bare]
    near = same or get_close_matches(word, words, n=2, cutoff=_NEAR)
    like = f"; near it are {', '.join(map(repr, near))}" if near else ""
    return [f"the failure category {word!r} is new to this ledger{like}"]
