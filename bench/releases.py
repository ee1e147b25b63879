"""Made-up releases of any size: the fields, and the spread of values, of real ones.

Row *n* is the same in every run, so that runs can be compared. Nothing here is a result of any
system; the models and scenarios do not exist.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ROWS_PER_RELEASE = 10_000

_MODELS = tuple(
    f"{maker}/{kind}-{version}"
    for maker in ("alder", "birch-labs", "cypress.example")
    for kind, version in (("small", "1.5"), ("medium-instruct", "2"), ("large-thinking", "3.7"))
)
_SCENARIOS = tuple(
    f"{number:03d}-{name}"
    for number, name in enumerate(
        (
            "nginx-502-host",
            "sidekiq-poison-pill",
            "interrupted-deploy",
            "topology-drift",
            "postgres-wal-full",
            "dns-split-horizon",
            "expired-intermediate",
            "cron-double-fire",
            "stale-read-replica",
            "oom-on-boot",
        ),
        start=1,
    )
)
_FAILURES = ("release_not_converged", "durable_repair_failed", "agent_timeout", "wrong_host")
_OUTAGES = ("provider_interrupted", "agent_runtime_error")
_CELLS = len(_MODELS) * len(_SCENARIOS)
_START = datetime(2026, 1, 5, 6, 0, tzinfo=UTC)
_PROSE = "The service answered again after the first restart, and was down after the reboot."


def rows(first: int, count: int) -> Iterator[dict[str, Any]]:
    """Yield the rows *first* to *first* + *count* - 1."""
    for number in range(first, first + count):
        yield _row(number)


def write_releases(folder: Path, count: int) -> list[Path]:
    """Write releases with *count* rows in all into *folder*, and return their paths."""
    paths = []
    for first in range(0, count, ROWS_PER_RELEASE):
        version = f"2026{first // ROWS_PER_RELEASE + 101:04d}.0.0"
        path = folder / f"{version}.json"
        _write(path, version, first, min(ROWS_PER_RELEASE, count - first))
        paths.append(path)
    return paths


def _write(path: Path, version: str, first: int, count: int) -> None:
    """Write one release row by row, laid out as the source lays its files out."""
    envelope = json.dumps(_envelope(version), indent=2)
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.write(envelope.removesuffix("\n}") + ',\n  "runs": [')
        separator = "\n    "
        for row in rows(first, count):
            out.write(separator + json.dumps(row, indent=2).replace("\n", "\n    "))
            separator = ",\n    "
        out.write("\n  ]\n}\n")


def _row(number: int) -> dict[str, Any]:
    cell, trial = number % _CELLS, number // _CELLS + 1
    model, scenario = _MODELS[cell % len(_MODELS)], _SCENARIOS[cell // len(_MODELS)]
    evaluated, passed = _draw(number, 1) % 20 != 0, _draw(number, 2) % 5 < 3
    passed = passed and evaluated
    seconds = 30 + _draw(number, 3) % 840
    started = _START + timedelta(seconds=37 * number)
    return {
        "agent": "claux",
        "agent_duration_seconds": seconds,
        "agent_timeout_seconds": 900,
        "attempt": trial,
        "failure": None if passed else _PROSE,
        "failure_category": _category(number, evaluated=evaluated, passed=passed),
        "finished_at": f"{started + timedelta(seconds=seconds + 14):%Y-%m-%dT%H:%M:%SZ}",
        "model": model,
        "reasoning_effort": "high",
        "recording": _recording(number, seconds),
        "reward": int(passed),
        "run_id": f"{scenario}-{model.replace('/', '-')}-reasoning-high-{trial}",
        "scenario": scenario,
        "scenario_version": 1,
        "started_at": f"{started:%Y-%m-%dT%H:%M:%SZ}",
        "trial_status": "evaluated" if evaluated else "unavailable",
        "usage": _usage(number),
        "verification": {
            "after_agent_timeout": None,
            "host_reboot": passed,
            "immediate_http": passed or _draw(number, 4) % 2 == 0,
            "service_restart": passed,
        },
    }


def _category(number: int, *, evaluated: bool, passed: bool) -> str | None:
    if passed:
        return None
    words = _FAILURES if evaluated else _OUTAGES
    return words[_draw(number, 5) % len(words)]


def _recording(number: int, seconds: int) -> dict[str, Any]:
    first = 1_500 + _draw(number, 6) % 8_000
    total = seconds * 1_000 - _draw(number, 7) % 9_000
    tools = _draw(number, 8) % 20_000
    return {
        "first_non_read_only_tool_seconds": first / 1_000,
        "model_duration_seconds": (total - tools) / 1_000,
        "model_rounds": 5 + _draw(number, 9) % 60,
        "post_first_non_read_only_seconds": (total - first) / 1_000,
        "tool_calls": 8 + _draw(number, 10) % 90,
        "tool_duration_seconds": tools / 1_000,
        "total_duration_seconds": total / 1_000,
    }


def _usage(number: int) -> dict[str, Any]:
    return {
        "cache_creation_tokens": 0,
        "cache_read_tokens": _draw(number, 11) % 1_200_000,
        "cost_usd": _draw(number, 12) % 5_000_000 / 10_000_000,
        "input_tokens": _draw(number, 13) % 60_000,
        "output_tokens": 500 + _draw(number, 14) % 9_000,
    }


def _envelope(version: str) -> dict[str, Any]:
    pack = {"id": "example/infra-pack", "version": "20260105.0.0"}
    conditions = {
        "agent": {"adapter": "builtin:claux", "name": "claux", "payload": None},
        "agent_timeout_seconds": 900,
        "attempts": None,
        "benchmark_manifest": None,
        "benchmark_tier": None,
        "claux_release": "v20260101.0.0",
        "harness_version": 23,
        "reasoning_efforts": ["high"],
        "scenario_packs": [pack],
        "scenarios": [{"id": name, "pack": pack, "version": 1} for name in _SCENARIOS],
        "suite": "example-host-matrix",
    }
    return {
        "schema_version": 1,
        "version": version,
        "title": "Made-up rows for measuring speed",
        "description": "No system was run for these rows.",
        "input_mode": "text",
        "tier": "unclassified",
        "compatibility": conditions,
        "model_labels": {},
        "model_order": list(_MODELS),
        "scenario_labels": {},
        "notes": ["Made up."],
        "observations": [],
        "corrections": [],
        "sources": [
            {
                **conditions,
                "source": "runs/example/matrix.json",
                "models": list(_MODELS),
                "started_at": "2026-01-05T06:00:00Z",
                "finished_at": "2027-01-05T06:00:00Z",
            }
        ],
    }


def _draw(number: int, salt: int) -> int:
    """Return a number of 32 bits that looks random and is the same in every run."""
    mixed = (number * 0x9E3779B1 + salt * 0x85EBCA6B) & 0xFFFFFFFF
    mixed = ((mixed ^ mixed >> 15) * 0xC2B2AE35) & 0xFFFFFFFF
    return mixed ^ mixed >> 13
