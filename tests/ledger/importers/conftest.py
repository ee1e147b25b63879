"""Made-up releases, and a ledger to import them into."""

import copy
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.entry import read_entry
from ledger.importers import SourceReport, import_file
from ledger.store import Ledger

AT = "2026-03-01T00:00:00.000000Z"
Document = dict[str, Any]

_MODELS = ("maker/first", "maker/second")
_SCENARIOS = (("101-stuck-queue", 1), ("102-full-disk", 3))


def entropy(count: int) -> bytes:
    """Return salts that a test can do without being random."""
    return bytes(count)


class Shelf:
    """A ledger with what tests ask of it."""

    def __init__(self, ledger: Ledger, folder: Path) -> None:
        self.ledger, self.folder = ledger, folder

    def write(self, document: Document | bytes, name: str = "release.json") -> Path:
        """Write a file as the source lays its files out."""
        path = self.folder / name
        data = document if isinstance(document, bytes) else json.dumps(document, indent=2).encode()
        path.write_bytes(data)
        return path

    def take(self, document: Document | bytes | Path, **options: Any) -> SourceReport:
        """Import a file."""
        path = document if isinstance(document, Path) else self.write(document)
        return import_file(self.ledger, path, at=AT, entropy=entropy, **options)

    def bodies(self, type_: str = "") -> list[dict[str, Any]]:
        """Return the bodies of the entries whose type starts with *type_*."""
        entries = (read_entry(data) for _, data in self.ledger.entries())
        return [dict(entry.body) for entry in entries if entry.type.startswith(type_)]

    def types(self) -> list[str]:
        """Return the types of the entries."""
        return [read_entry(data).type for _, data in self.ledger.entries()]

    def entries(self) -> bytes:
        """Return the bytes of all entries."""
        return b"".join(data for _, data in self.ledger.entries())

    def blob(self, seq: int, slot: str) -> bytes | None:
        """Return the bytes in a slot."""
        found = self.ledger.blob(seq, slot)
        return None if found is None else found.data


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an empty ledger to copy, which is quicker than to make one."""
    path = tmp_path_factory.mktemp("empty") / "empty.db"
    Ledger.create(path, "example.org/test", bytes(32)).close()
    return path


@pytest.fixture
def shelf(empty: Path, tmp_path: Path) -> Iterator[Shelf]:
    """Return an empty ledger that is not durable, for speed."""
    path = tmp_path / "test.db"
    shutil.copyfile(empty, path)
    with Ledger.open(path, write=True) as ledger:
        ledger.connection.execute("PRAGMA synchronous = OFF")
        yield Shelf(ledger, tmp_path)


@pytest.fixture
def release() -> Document:
    """Return a release of two models, two scenarios and three attempts, all sound."""
    return make_release()


@pytest.fixture
def old_release() -> Document:
    """Return the same release as the source's first months wrote it."""
    document = make_release()
    for name in ("tier", "input_mode", "reproduction_command"):
        del document[name]
    for part in (document["compatibility"], *document["sources"]):
        for name in ("harness_versions", "agent_harness", "reasoning_efforts", "benchmark_tier"):
            del part[name]
        del part["execution_snapshot"], part["scenario_packs"]
    for row in document["runs"]:
        del row["reasoning_effort"], row["recording"], row["verification"]["after_agent_timeout"]
    for table in (document["by_model"], document["by_scenario_model"], [document["totals"]]):
        for stored in table:
            for name in list(stored):
                if "recording" in name or (name.startswith("median_") and "duration_" not in name):
                    del stored[name]
            for name in ("durable_repairs_after_timeout", "unavailable_categories"):
                del stored[name]
            stored.pop("median_model_duration_seconds", None)
            stored.pop("median_tool_duration_seconds", None)
            stored.pop("reasoning_effort", None)
    return document


@pytest.fixture
def changed(release: Document) -> Callable[..., Document]:
    """Return a function that changes the row with an index: ``changed(3, reward=2)``."""

    def change(index: int, **fields: Any) -> Document:
        document = copy.deepcopy(release)
        document["runs"][index].update(fields)
        return document

    return change


def make_release() -> Document:
    """Return the same release each time."""
    rows = [
        _row(system, task, attempt)
        for task in range(len(_SCENARIOS))
        for system in range(len(_MODELS))
        for attempt in (1, 2, 3)
    ]
    models = [
        _sums([row for row in rows if row["model"] == model], model=model, reasoning_effort="low")
        for model in _MODELS
    ]
    cells = [
        _sums(
            [row for row in rows if (row["model"], row["scenario"]) == (model, scenario)],
            model=model,
            reasoning_effort="low",
            scenario=scenario,
            scenario_version=version,
        )
        for model in _MODELS
        for scenario, version in _SCENARIOS
    ]
    conditions = _conditions()
    return {
        "schema_version": 1,
        "version": "20260301.0.0",
        "title": "TITLE MARKER of a cohort",
        "description": "DESCRIPTION MARKER about the cohort",
        "model_labels": {_MODELS[0]: "LABEL MARKER First"},
        "model_order": list(_MODELS),
        "scenario_labels": {},
        "observations": ["OBSERVATION MARKER: both were slow"],
        "notes": ["NOTE MARKER: the second host was warm"],
        "corrections": [],
        "compatibility": conditions,
        "sources": [_source(conditions)],
        "totals": _sums(rows),
        "by_model": models,
        "by_scenario_model": cells,
        "runs": rows,
        "tier": "core",
        "input_mode": "text",
        "reproduction_command": "run --adapter /home/somebody/COMMAND-MARKER.sh",
    }


def _row(system: int, task: int, attempt: int) -> Document:
    model, (scenario, version) = _MODELS[system], _SCENARIOS[task]
    minute = 10 * task + 5 * system + attempt
    failed = (system, task, attempt) == (1, 1, 2)
    return {
        "run_id": f"{scenario}-{model.replace('/', '-')}-reasoning-low-{attempt}",
        "scenario": scenario,
        "scenario_version": version,
        "agent": "walker",
        "model": model,
        "reasoning_effort": "low",
        "attempt": attempt,
        "started_at": f"2026-02-28T10:{minute:02d}:00Z",
        "finished_at": f"2026-02-28T10:{minute:02d}:50Z",
        "agent_duration_seconds": 40 + attempt,
        "agent_timeout_seconds": 600,
        "reward": 0 if failed else 1,
        "trial_status": "evaluated",
        "failure": "FAILURE MARKER at /var/lib/secret" if failed else None,
        "failure_category": "disk_still_full" if failed else None,
        "usage": {
            "input_tokens": 1000 + attempt,
            "output_tokens": 200,
            "cache_read_tokens": 30,
            "cache_creation_tokens": 0,
            "cost_usd": 0.0125 * attempt,
        },
        "verification": {
            "immediate_http": not failed,
            "service_restart": not failed,
            "host_reboot": not failed,
            "after_agent_timeout": None,
        },
        "recording": {
            "total_duration_seconds": 39.5,
            "model_rounds": 4 + attempt,
            "model_duration_seconds": 30.125,
            "tool_calls": 6,
            "tool_duration_seconds": 2.0,
            "first_non_read_only_tool_seconds": None,
            "post_first_non_read_only_seconds": None,
        },
    }


def _median(values: list[float]) -> float | None:
    ordered = sorted(values)
    half = len(ordered) // 2
    if not ordered:
        return None
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _sums(rows: list[Document], **key: Any) -> Document:
    """Return an aggregate as the source stores it: sums in binary floating point."""
    done = [row for row in rows if row["trial_status"] == "evaluated"]
    failed = [row for row in done if not row["reward"]]
    words = [row["failure_category"] for row in failed]
    recordings = [row["recording"] for row in rows]
    return {
        **key,
        "trials": len(rows),
        "evaluated": len(done),
        "unavailable": len(rows) - len(done),
        "passed": len(done) - len(failed),
        "failed": len(failed),
        "pass_rate": (len(done) - len(failed)) / len(done),
        "median_duration_seconds": _median([row["agent_duration_seconds"] for row in done]),
        "known_cost_usd": sum(row["usage"]["cost_usd"] for row in rows),
        "cost_reported_trials": len(rows),
        "input_tokens": sum(row["usage"]["input_tokens"] for row in rows),
        "output_tokens": sum(row["usage"]["output_tokens"] for row in rows),
        "cache_read_tokens": sum(row["usage"]["cache_read_tokens"] for row in rows),
        "usage_reported_trials": len(rows),
        "failure_categories": {word: words.count(word) for word in sorted(set(words))},
        "unavailable_categories": {},
        "durable_repairs_after_timeout": 0,
        "recording_reported_trials": len(rows),
        "median_model_rounds": _median([recording["model_rounds"] for recording in recordings]),
        "median_model_duration_seconds": 30.125,
        "median_tool_calls": 6,
        "median_tool_duration_seconds": 2.0,
        "median_first_non_read_only_tool_seconds": None,
        "median_post_first_non_read_only_seconds": None,
    }


def _conditions() -> Document:
    pack = {"id": "makers/pack", "version": "20260201.0.0"}
    return {
        "suite": "walker-matrix-v1",
        "harness_version": 21,
        "harness_versions": [21],
        "scenario_packs": [pack],
        "scenarios": [
            {"id": scenario, "version": version, "pack": pack} for scenario, version in _SCENARIOS
        ],
        "benchmark_manifest": None,
        "benchmark_tier": None,
        "execution_snapshot": {
            "schema_version": 1,
            "host_harness_sha256": "ab" * 32,
            "agent_adapter_sha256": None,
            "agent_payload_sha256": None,
            "agent_env_sha256": None,
            "claux_binary_sha256": None,
            "benchmark_manifest_sha256": None,
            "scenario_packs": [pack],
            "selected_scenarios": [],
        },
        "attempts": 3,
        "agent_timeout_seconds": 600,
        "agent": {"name": "walker", "adapter": "builtin:walker", "payload": None},
        "claux_release": "v20260220.0.0",
        "reasoning_efforts": ["low"],
        "agent_harness": {
            "id": "walker",
            "label": "LABEL MARKER Walker",
            "version": "1.2",
            "provider": "Somewhere",
            "billing": "metered",
        },
    }


def _source(conditions: Document) -> Document:
    return {
        **copy.deepcopy(conditions),
        "source": "matrix-2026-02-28.aa11",
        "started_at": "2026-02-28T09:59:58.123456Z",
        "finished_at": "2026-02-28T10:59:59.999999Z",
        "replaybook_commit": "0" * 40,
        "models": list(_MODELS),
        "concurrency": 2,
    }
