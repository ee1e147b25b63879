"""The list of attempts: what was reported of each, what it counts as, and why."""

from collections.abc import Iterable
from typing import NamedTuple

from ledger.identity import system_id, task_id
from ledger.projections import Attempts, View
from ledger.projections.columns import NONE, Outcome
from ledger.projections.judged import Judged, Verdict
from ledger.projections.sources import STANDS, rank
from ledger.rules import Policy

from .rows import Row

TASK_INVALIDATED, SOURCE_WITHDRAWN = "task_invalidated", "source_withdrawn"
"""Why attempts are excluded that nobody excluded one by one."""


def attempts(state: Attempts, releases: Iterable[str], policy: Policy) -> list[Row]:
    """Return a row for every attempt of the selection, in the order in which they were reported.

    ``proposed`` is what the rules alone make of the report; ``state`` and ``outcome`` are what it
    counts as after every decision. Excluded attempts are listed with their cost.

    Raises:
        ReleaseUnknown: Nothing reports one of the releases.
    """
    view = View(state, releases, policy)
    found: dict[str, tuple[Judged, Judged]] = {}
    for judged, reported in view.attempts():
        known = found.get(judged.attempt)
        # An attempt in two cohorts is listed once: the newest row tells, of sources that stand.
        if judged.verdict.state != "dropped" and (known is None or _newer(judged, known[0])):
            found[judged.attempt] = judged, reported
    listing = _Listing(view)
    ordered = sorted(found.values(), key=lambda pair: pair[0].row)
    return [listing.row(judged, reported) for judged, reported in ordered]


def _newer(one: Judged, two: Judged) -> bool:
    return (not one.verdict.withdrawn, one.row) > (not two.verdict.withdrawn, two.row)


class _Place(NamedTuple):
    """What rows have in common that stand in one place."""

    release: str
    task: str
    system: str
    releases: list[str]


class _Standing(NamedTuple):
    """What rows have in common that count as the same."""

    outcome: str
    strict_pass: bool | None
    rewards: Row
    exception: str | None
    flags: list[str]


class _Listing:
    """Writes rows; what many of them have in common is made once, and is one object in all."""

    def __init__(self, view: View) -> None:
        self._state, self._rule = view.state, view.policy.label
        state = view.state
        self._places = [
            _Place(
                place.release,
                task_id(place.scenario, place.version),
                system_id(place.agent, place.model, place.effort),
                [place.release] if rank(state, place.source) == STANDS else [],
            )
            for place in state.places.values
        ]
        self._verification = [_verification(outcome) for outcome in state.outcomes.values]
        self._phases = [_phases(seconds) for seconds in state.durations.values]
        self._no_phases = _phases(None)
        self._no_cost: Row = {"state": "unknown", "usd": None}
        self._undecided: list[str] = []
        # By identity: the attempts that are listed keep their verdicts alive meanwhile.
        self._standings: dict[int, _Standing] = {}
        self._proposals: dict[int, Row] = {}

    def row(self, judged: Judged, reported: Judged) -> Row:
        """Return the row of an attempt, as it counts and as it was reported."""
        state, verdict, attempt = self._state, judged.verdict, judged.attempt
        seq, index, place_number, outcome, duration, *_ = state.rows.unpack(judged.row)
        place, standing = self._places[place_number], self._standing(verdict)
        exclusions, changes = state.exclusions.get(attempt), state.changes.get(attempt)
        flags = standing.flags
        if verdict.standing == "unavailable" and judged.cost is not None and judged.cost > 0:
            flags = sorted({*flags, "spend_on_unavailable"})
        return {
            "attempt": attempt,
            "source": f"{place.release}#{index}",
            "seq": seq,
            "task": place.task,
            "system": place.system,
            "outcome": standing.outcome,
            "strict_pass": standing.strict_pass,
            "rewards": standing.rewards,
            "exception": standing.exception,
            "failure_category": verdict.category,
            "proposed": self._proposal(reported.verdict),
            "state": verdict.state,
            "exclusion": exclusions[-1].cause if exclusions else _wider_cause(verdict),
            "corrected": sorted({one.field for one in changes}) if changes else self._undecided,
            "cost": self._cost(judged),
            "phases": self._no_phases if duration == NONE else self._phases[duration],
            "verification": self._verification[outcome],
            "flags": flags,
            "releases": self._releases(attempt),
        }

    def _standing(self, verdict: Verdict) -> _Standing:
        known = self._standings.get(id(verdict))
        if known is None:
            is_evaluated = verdict.standing == "evaluated"
            known = self._standings[id(verdict)] = _Standing(
                verdict.outcome,
                verdict.passed if is_evaluated else None,
                {"reward": verdict.reward},
                None if is_evaluated else verdict.category,
                [*verdict.flags],
            )
        return known

    def _proposal(self, verdict: Verdict) -> Row:
        known = self._proposals.get(id(verdict))
        if known is None:
            known = self._proposals[id(verdict)] = {
                "class": verdict.standing,
                "rule": self._rule,
                "reason": verdict.reason,
            }
        return known

    def _cost(self, judged: Judged) -> Row:
        if judged.cost is None:
            return self._no_cost
        usd = self._state.rows.cost[judged.row]
        return {"state": "reported" if judged.cost else "zero", "usd": usd}

    def _releases(self, attempt: str) -> list[str]:
        """Return the releases that report an attempt now, by name."""
        place, row = self._state.rows.link(self._state.latest[attempt])
        if row == NONE:
            return self._places[place].releases
        found = set(self._places[place].releases)
        while row != NONE:
            place, row = self._state.rows.link(row)
            found.update(self._places[place].releases)
        return sorted(found)


def _wider_cause(verdict: Verdict) -> str | None:
    """Return what excludes attempts beside a decision about each: of their task, or source."""
    if verdict.invalidated:
        return TASK_INVALIDATED
    return SOURCE_WITHDRAWN if verdict.withdrawn else None


def _phases(agent_execution: str | None) -> Row:
    return {
        "environment_setup": None,
        "agent_setup": None,
        "agent_execution": agent_execution,
        "verifier": None,
    }


def _verification(outcome: Outcome) -> Row | None:
    phases = outcome.phases
    if phases is None:
        return None
    late = phases.after_agent_timeout
    return {
        "immediate_http": phases.immediate_http,
        "service_restart": phases.service_restart,
        "host_reboot": phases.host_reboot,
        "after_agent_timeout": None if late is None else {"durable_repair": late.durable_repair},
    }
