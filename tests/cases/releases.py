"""Small made-up releases: a few rows of a few systems, each said in one line."""

import copy
import json
from datetime import datetime, timedelta
from typing import Any

START = datetime.fromisoformat("2026-03-02T09:00:00+00:00")
TASK = "101-stuck-queue"
MODEL = "maker/first"

Row = dict[str, Any]
Release = dict[str, Any]


def row(number: int, outcome: str = "repaired", **changed: Any) -> Row:
    """Return a row: one attempt that began *number* hours after the start.

    Args:
        number: The attempt number.
        outcome: ``repaired``, ``failed`` or ``unavailable``.
        changed: Fields that are other than they would be; ``cost`` sets the cost in US dollars,
            ``begins`` the hours after the start.
    """
    begins = START + timedelta(hours=changed.pop("begins", number))
    cost = changed.pop("cost", 0.25)
    repaired = outcome == "repaired"
    made: Row = {
        "scenario": TASK,
        "scenario_version": 1,
        "agent": "walker",
        "model": MODEL,
        "reasoning_effort": None,
        "attempt": number,
        "started_at": _text(begins),
        "finished_at": _text(begins + timedelta(seconds=200)),
        "agent_duration_seconds": 180,
        "agent_timeout_seconds": 600,
        "reward": 1 if repaired else 0,
        "trial_status": "unavailable" if outcome == "unavailable" else "evaluated",
        "failure": None if repaired else f"what went wrong in {number}",
        "failure_category": {
            "repaired": None,
            "failed": "service_not_restored",
            "unavailable": "provider_unavailable",
        }[outcome],
        "usage": {"input_tokens": 1000, "output_tokens": 100, "cost_usd": cost},
        "verification": {
            "immediate_http": repaired,
            "service_restart": repaired,
            "host_reboot": repaired,
            "after_agent_timeout": None,
        },
    }
    made |= changed
    made["run_id"] = f"{made['scenario']}-{made['model']}-{number}"
    return made


def three(*outcomes: str, **changed: Any) -> list[Row]:
    """Return the rows of one cell, numbered from 1, one for each outcome."""
    return [row(number, outcome, **changed) for number, outcome in enumerate(outcomes, start=1)]


def release(version: str, rows: list[Row], **conditions: Any) -> Release:
    """Return a release of *rows* under the same conditions as any other, but for those given."""
    return {
        "schema_version": 1,
        "version": version,
        "title": "Made up",
        "compatibility": {
            "suite": "drill",
            "harness_version": 7,
            "attempts": 3,
            "agent_timeout_seconds": 600,
            "agent": {"name": "walker", "adapter": "builtin", "payload": None},
            "agent_harness": {"id": "walker", "version": "1.4.0", "provider": "maker"},
            **conditions,
        },
        "sources": [{"source": "matrix-a"}],
        "runs": copy.deepcopy(rows),
    }


def written(made: Release) -> bytes:
    """Return a release as a file; NaN stands in it bare, as Python writes it."""
    return json.dumps(made, indent=1).encode()


def _text(when: datetime) -> str:
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")
