"""The list of attempts: what was reported, what the rules propose, what it counts as."""

from typing import Any

from made_rows import OTHER_KEY, Made, row

from ledger.projections import empty, fold
from ledger.report import attempts
from ledger.rules import parse_policy, shipped

POLICY = parse_policy(shipped()["status/replaybook"])


def listed(made: Made, *releases: str) -> list[dict[str, Any]]:
    """Return the list of a whole history."""
    rows: list[dict[str, Any]] = attempts(fold(empty(), made.events), releases, POLICY)
    return rows


def test_fields() -> None:
    """A row has every field, and null with a state beside it for what is unknown."""
    made = Made()
    made.imported("v", [row(1, cost="0.5", duration="210", late=False)])
    (one,) = listed(made)
    assert one == {
        "attempt": row(1).attempt,
        "source": "v#0",
        "seq": 2,
        "task": "s@1",
        "system": "claux+m",
        "outcome": "repaired",
        "strict_pass": True,
        "rewards": {"reward": 1},
        "exception": None,
        "failure_category": None,
        "proposed": {
            "class": "evaluated",
            "rule": "status/replaybook@1",
            "reason": "the source's word 'evaluated' counts as evaluated",
        },
        "state": "valid",
        "exclusion": None,
        "corrected": [],
        "cost": {"state": "reported", "usd": "0.5"},
        "phases": {
            "environment_setup": None,
            "agent_setup": None,
            "agent_execution": "210",
            "verifier": None,
        },
        "verification": {
            "immediate_http": False,
            "service_restart": False,
            "host_reboot": False,
            "after_agent_timeout": {"durable_repair": False},
        },
        "flags": [],
        "releases": ["v"],
    }


def test_outcomes() -> None:
    """Repaired, failed, unavailable; only what was evaluated passed or did not."""
    made = Made()
    lost = row(3, reward=0, status="unavailable", category="provider_unavailable", cost="1")
    made.imported("v", [row(1), row(2, reward=0, cost="0"), lost])
    rows = listed(made)
    assert [one["outcome"] for one in rows] == ["repaired", "failed", "unavailable"]
    assert [one["strict_pass"] for one in rows] == [True, False, None]
    assert [one["exception"] for one in rows] == [None, None, "provider_unavailable"]
    assert [one["cost"]["state"] for one in rows] == ["unknown", "zero", "reported"]
    assert [one["flags"] for one in rows] == [
        [],
        ["failed_without_category"],
        ["spend_on_unavailable"],
    ]


def test_decisions() -> None:
    """What the rules propose stays beside what was decided; the excluded keep their cost."""
    made = Made()
    made.imported("v", [row(1, cost="3"), row(2, reward=0, status="unavailable")])
    made.excluded(row(1).attempt, "provider")
    made.corrected(row(2).attempt, status="evaluated", reward=1)
    one, two = listed(made)
    assert (one["state"], one["exclusion"], one["strict_pass"]) == ("excluded", "provider", True)
    assert one["cost"] == {"state": "reported", "usd": "3"}
    assert (two["state"], two["outcome"], two["rewards"]) == ("valid", "repaired", {"reward": 1})
    assert two["proposed"]["class"] == "unavailable"
    assert two["corrected"] == ["reward", "status"]


def test_pending() -> None:
    """A corrected word that the rules do not know leaves the attempt to someone's decision."""
    made = Made()
    made.imported("v", [row(1)])
    made.corrected(row(1).attempt, status="disputed")
    (one,) = listed(made)
    assert (one["state"], one["outcome"], one["strict_pass"]) == ("pending", "pending", None)
    assert one["proposed"]["class"] == "evaluated"


def test_once_in_two_cohorts() -> None:
    """An attempt in two cohorts is listed once, by its newest row, with both releases."""
    made = Made()
    made.imported("v", [row(1), row(2)])
    made.imported("w", [row(1)], key=OTHER_KEY)
    rows = listed(made)
    assert [(one["source"], one["releases"]) for one in rows] == [
        ("v#1", ["v"]),
        ("w#0", ["v", "w"]),
    ]


def test_dropped() -> None:
    """An attempt that its source reports no more is listed in the ledger, not in the release."""
    made = Made()
    source = made.imported("v", [row(1), row(2)])
    made.imported("v", [row(1)], supersedes=source)
    assert [one["releases"] for one in listed(made)] == [[], ["v"]]
    assert listed(made)[0]["flags"] == ["dropped_by_source"]
    assert [one["attempt"] for one in listed(made, "v")] == [row(1).attempt]
