"""The list of attempts: what was reported of each, what it counts as, and why."""

from collections.abc import Iterable
from typing import TypeAlias

from ledger.identity import system_id, task_id
from ledger.projections import Attempts, View
from ledger.projections.columns import NONE, Outcome
from ledger.projections.judged import Judged
from ledger.rules import Policy

Row: TypeAlias = dict[str, object]
"""A JSON object: what is unknown is null, with a state beside it."""


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
        # An attempt in two cohorts is listed once: the newest row tells.
        if judged.verdict.state != "dropped" and (known is None or known[0].row < judged.row):
            found[judged.attempt] = judged, reported
    ordered = sorted(found.values(), key=lambda pair: pair[0].row)
    return [_row(view, judged, reported) for judged, reported in ordered]


def _row(view: View, judged: Judged, reported: Judged) -> Row:
    state, verdict = view.state, judged.verdict
    numbers = state.rows.read(judged.row)
    place, outcome = state.places.values[numbers.place], state.outcomes.values[numbers.outcome]
    duration = None if numbers.duration == NONE else state.durations.values[numbers.duration]
    evaluated = verdict.standing == "evaluated"
    exclusions = state.exclusions.get(judged.attempt)
    flags = set(verdict.flags)
    if judged.cost is not None and judged.cost > 0 and verdict.standing == "unavailable":
        flags.add("spend_on_unavailable")
    return {
        "attempt": judged.attempt,
        "source": f"{place.release}#{numbers.row_index}",
        "seq": numbers.seq,
        "task": task_id(place.scenario, place.version),
        "system": system_id(place.agent, place.model, place.effort),
        "outcome": "repaired" if verdict.passed else "failed" if evaluated else verdict.standing,
        "strict_pass": verdict.passed if evaluated else None,
        "rewards": {"reward": verdict.reward},
        "exception": None if evaluated else verdict.category,
        "failure_category": verdict.category,
        "proposed": {
            "class": reported.verdict.standing,
            "rule": view.policy.label,
            "reason": reported.verdict.reason,
        },
        "state": verdict.state,
        "exclusion": exclusions[-1].cause if exclusions else None,
        "corrected": sorted({change.field for change in state.changes.get(judged.attempt, ())}),
        "cost": _cost(judged, state.rows.cost[judged.row]),
        "phases": {
            "environment_setup": None,
            "agent_setup": None,
            "agent_execution": duration,
            "verifier": None,
        },
        "verification": _verification(outcome),
        "flags": sorted(flags),
        "releases": _releases(state, state.latest[judged.attempt]),
    }


def _cost(judged: Judged, text: str | None) -> Row:
    if judged.cost is None:
        return {"state": "unknown", "usd": None}
    return {"state": "reported" if judged.cost else "zero", "usd": text}


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


def _releases(state: Attempts, row: int) -> list[str]:
    """Return the releases that report an attempt now, by name, from its newest row on."""
    found = set()
    while row != NONE:
        place_number, row = state.rows.link(row)
        place = state.places.values[place_number]
        if place.source not in state.superseded:
            found.add(place.release)
    return sorted(found)
