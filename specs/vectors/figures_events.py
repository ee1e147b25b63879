"""Events as the vectors of figures write them: JSON, with byte strings as ``{"bytes": hex}``."""

from collections.abc import Sequence
from typing import Any

Body = dict[str, Any]
Event = dict[str, Any]

KEY = "00" * 32
OTHER_KEY = "11" * 32
NEAR_KEY = "00" * 31 + "01"
ATTEMPT = "att-"


def source(name: str = "v", supersedes: int | None = None) -> Event:
    """Return a file that was read."""
    return {
        "type": "source.imported/1",
        "body": {
            "name": name,
            "rows": 0,
            "format": "replaybook-release/1",
            "sha256": None,
            "importer": "replaybook/1",
            "size_bytes": 1,
            "supersedes": supersedes,
        },
    }


def release(name: str = "v", origin: int = 0, key: str = KEY) -> Event:
    """Return what the source at *origin* says of a release."""
    return {
        "type": "release.reported/1",
        "body": {
            "tier": None,
            "agent": ["claux", None, None],
            "flags": [],
            "packs": [],
            "suite": None,
            "source": origin,
            "harness": None,
            "release": name,
            "matrices": [],
            "per_cell": 3,
            "timeout_s": "900",
            "input_mode": "text",
            "comparability": {"bytes": key},
            "adapter_release": None,
            "harness_versions": [11],
        },
    }


def row(number: int, reward: int = 1, *, cost: str | None = None, **fields: Any) -> Event:
    """Return the row of the attempt of that number; *fields* stand beside or instead of others.

    ``usage=None`` is a row without tokens and money; ``tokens`` and ``subscription`` stand in it.
    """
    tokens = fields.pop("tokens", None)
    usage = {
        "cost_usd": cost,
        "input_tokens": tokens,
        "output_tokens": tokens,
        "reasoning_tokens": None,
        "cache_read_tokens": tokens,
        "cache_creation_tokens": None,
        "subscription_usage_usd": fields.pop("subscription", None),
    }
    body = {
        "agent": "claux",
        "flags": [],
        "index": number - 1,
        "model": "m",
        "usage": usage,
        "absent": [],
        "matrix": None,
        "number": number,
        "phases": None,
        "reward": reward,
        "run_id": f"s-m-{number}",
        "source": 0,
        "status": "evaluated",
        "attempt": f"{ATTEMPT}{number}",
        "release": "v",
        "scenario": "s",
        "recording": None,
        "started_at": "2026-08-10T16:30:04.000000Z",
        "failed_text": False,
        "finished_at": "2026-08-10T16:31:46.000000Z",
        "agent_timeout_s": "900",
        "agent_duration_s": None,
        "failure_category": None,
        "reasoning_effort": None,
        "scenario_version": 1,
    }
    return {"type": "attempt.reported/1", "body": body | fields}


def unavailable(number: int, *, cost: str | None = None, **fields: Any) -> Event:
    """Return the row of an attempt that its source calls unavailable."""
    category = {"failure_category": "provider_unavailable"} | fields
    return row(number, 0, cost=cost, status="unavailable", **category)


def late(number: int) -> Event:
    """Return the row of an attempt that repaired after the agent's time."""
    after = {"durable_repair": True, "failure_category": None}
    phases = {
        "host_reboot": False,
        "immediate_http": False,
        "service_restart": False,
        "after_agent_timeout": after,
    }
    return row(number, 0, phases=phases, failure_category="agent_timeout")


def reported_correction(number: int) -> Event:
    """Return what a source says that it corrected."""
    return {
        "type": "correction.reported/1",
        "body": {
            "index": 0,
            "author": None,
            "fields": ["failure_category"],
            "run_id": f"s-m-{number}",
            "source": 0,
            "attempt": f"{ATTEMPT}{number}",
            "release": "v",
            "category": ["a", "b"],
            "decided_at": None,
        },
    }


def quarantined() -> Event:
    """Return a record that could not be read."""
    body = {"code": "E_ROW", "source": 0, "pointer": "/runs/0"}
    return {"type": "record.quarantined/1", "body": body}


def corrected(number: int, field: str, before: Any, now: Any) -> Event:
    """Return the correction of one field of an attempt."""
    return _decided(
        "attempt.corrected/1", attempt=f"{ATTEMPT}{number}", changes=[[field, before, now]]
    )


def excluded(number: int) -> Event:
    """Return the exclusion of an attempt."""
    return _decided(
        "attempt.excluded/1", cause="infrastructure", attempt=f"{ATTEMPT}{number}", evidence=[]
    )


def invalidated(scenario: str = "s", version: int = 1) -> Event:
    """Return the invalidation of a version of a task."""
    return _decided("task.invalidated/1", evidence=[], scenario=scenario, scenario_version=version)


def withdrawn(origin: int, reinstates: int | None = None) -> Event:
    """Return the withdrawal of the source at *origin*."""
    return _decided("source.withdrawn/1", source=origin, reinstates=reinstates)


def frozen(digest: str) -> Event:
    """Return the freeze of the status policy whose document has that digest."""
    return _decided("policy.frozen/1", doc={"bytes": digest}, policy="status/replaybook")


def adopted() -> Event:
    """Return the adoption of a trust root."""
    return _decided("trust.adopted/1", doc={"bytes": "00" * 32})


def edition(size: int, releases: Sequence[str] = ("v",)) -> Event:
    """Return the freeze of an edition of *releases*."""
    digest, chosen = {"bytes": "00" * 32}, [*releases]
    return _decided(
        "edition.frozen/1", root=digest, size=size, edition="e", manifest=digest, releases=chosen
    )


def redacted() -> Event:
    """Return the redaction of a blob."""
    return _decided("disclosure.redacted/1", slots=[[0, "path"]], ground="personal")


def _decided(wire: str, **fields: Any) -> Event:
    common = {
        "v": 1,
        "log": "example.org/log",
        "type": wire,
        "nonce": {"bytes": "00" * 16},
        "target": [],
    }
    return {"type": wire, "body": common | fields}
