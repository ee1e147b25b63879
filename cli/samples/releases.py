"""Three made-up releases: an old one, one with everything that goes wrong, and one that repeats.

The second and the third share their conditions, so their rows may stand in one table; nine trials
of the second are in the third again. The first is of another era and compares with neither.
"""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from canon import sha256

from . import world
from .tables import Era, Json, by_model, by_scenario_model, row, run_id, totals
from .trials import Trial, play
from .world import AGENT, TIMEOUT_SECONDS, Drill, System

_SUITE = "breakwater-host-drills-v1"
_PACK = "breakwater/host-drills"
_MADE_UP = "Everything in this file is made up: no such model, agent or drill exists."
_FIRST_ERA = Era(efforts=False, recordings=False, subscriptions=False, cached_apart=False)
_NOW = Era(efforts=True, recordings=True, subscriptions=True, cached_apart=True)
_OLD_DRILLS = (world.QUEUE, world.VOLUME_1)
_DRILLS = (world.QUEUE, world.VOLUME, world.CERTIFICATE)


class Run(NamedTuple):
    """Trials that were made in one go.

    Attributes:
        name: Of the source matrix.
        trials: In the order in which they were made.
        harness: Version of the host harness.
        pack: Version of the pack of drills.

    """

    name: str
    trials: list[Trial]
    harness: int
    pack: str


def files() -> dict[str, bytes]:
    """Return the sample files, by name."""
    releases = (_march(), _april(), _may())
    return {f"{release['version']}.json": _bytes(release) for release in releases}


def _march() -> dict[str, Json]:
    """Two systems, two drills; no reasoning efforts, recordings, tier or digests yet."""
    run = _run((world.OLD_FERN, world.OLD_BASALT), _OLD_DRILLS, world.MARCH, (2025, 3, 4), 2)
    return _release(
        "20250304.0.0",
        "First drills",
        "Two models at two drills, three attempts each.",
        [run],
        run.trials,
        _FIRST_ERA,
    )


def _april() -> dict[str, Json]:
    """Three systems, three drills, and one of each thing that can go wrong."""
    run = _april_run()
    return _release(
        "20250408.0.0",
        "Three systems, three drills",
        "Fern 2 at two efforts and Basalt 70B, three attempts each at three drills.",
        [run],
        run.trials,
        _NOW,
    )


def _may() -> dict[str, Json]:
    """Nine trials of April again, nine new ones under a subscription, and a correction."""
    april = _april_run()
    run = _run((world.GANNET,), _DRILLS, world.MAY, (2025, 5, 13), 4)
    again = [trial for trial in april.trials if trial.system == world.FERN_HIGH]
    amended = run.trials[0]
    correction: Json = {
        "run_id": run_id(amended),
        "original": {"failure": "bad gateway", "failure_category": "agent_runtime_error"},
        "changes": {"failure": amended.failure, "failure_category": amended.category},
        "reason": "The kept log shows that the provider went away in the middle of the repair.",
    }
    return _release(
        "20250513.0.0",
        "Gannet 1 beside Fern 2",
        "Gannet 1 under a subscription, beside the nine trials of Fern 2 from 20250408.0.0.",
        [april._replace(trials=again), run],
        [*again, *run.trials],
        _NOW,
        [correction],
    )


def _april_run() -> Run:
    systems = (world.FERN_HIGH, world.FERN_LOW, world.BASALT)
    return _run(systems, _DRILLS, world.APRIL, (2025, 4, 8), 4)


def _run(
    systems: Sequence[System],
    drills: Sequence[Drill],
    plan: world.Plan,
    day: tuple[int, int, int],
    harness: int,
) -> Run:
    begins = datetime(*day, 8, tzinfo=UTC)
    name = f"drills-{begins:%Y-%m-%d}.{_hex('run', f'{begins:%Y%m%d}')[:6]}"
    pack = "20250301.0.0" if harness == 2 else "20250405.0.0"
    return Run(name, play(systems, drills, plan, begins + timedelta(seconds=12)), harness, pack)


def _release(
    version: str,
    title: str,
    description: str,
    runs: Sequence[Run],
    trials: Sequence[Trial],
    era: Era,
    corrections: Sequence[Json] = (),
) -> dict[str, Json]:
    systems = list(dict.fromkeys(trial.system for trial in trials))
    drills = list(dict.fromkeys(trial.drill for trial in trials))
    found: dict[str, Json] = {
        "schema_version": 1,
        "version": version,
        "title": title,
        "description": description,
        "notes": [_MADE_UP],
        "observations": [],
        "model_labels": {system.model: system.label for system in systems},
        "model_order": list(dict.fromkeys(system.model for system in systems)),
        "scenario_labels": {drill.id: drill.label for drill in drills},
        "compatibility": _conditions(runs[0], systems, drills, era),
        "sources": [_source(run, era) for run in runs],
        "corrections": list(corrections),
        "totals": totals(trials, era),
        "by_model": by_model(trials, era),
        "by_scenario_model": by_scenario_model(trials, era),
        "runs": [row(trial, era) for trial in trials],
    }
    if era.recordings:
        found["tier"] = "core"
        found["reproduction_command"] = f"lantern-drills --suite {_SUITE} --attempts 3"
    return found


def _source(run: Run, era: Era) -> dict[str, Json]:
    systems = list(dict.fromkeys(trial.system for trial in run.trials))
    drills = list(dict.fromkeys(trial.drill for trial in run.trials))
    begun = run.trials[0].started - timedelta(seconds=9)
    ended = run.trials[-1].finished + timedelta(seconds=3)
    return _conditions(run, systems, drills, era) | {
        "source": run.name,
        "started_at": f"{begun:%Y-%m-%dT%H:%M:%S.250000Z}",
        "finished_at": f"{ended:%Y-%m-%dT%H:%M:%S.500000Z}",
        "replaybook_commit": _hex("commit", str(run.harness))[:40],
        "models": list(dict.fromkeys(system.model for system in systems)),
        "concurrency": 1,
    }


def _conditions(
    run: Run, systems: Sequence[System], drills: Sequence[Drill], era: Era
) -> dict[str, Json]:
    pack: dict[str, Json] = {"id": _PACK, "version": run.pack}
    found: dict[str, Json] = {
        "suite": _SUITE,
        "harness_version": run.harness,
        "scenario_packs": [pack],
        "scenarios": [{"id": one.id, "version": one.version, "pack": pack} for one in drills],
        "benchmark_manifest": None,
        "attempts": 3,
        "agent_timeout_seconds": TIMEOUT_SECONDS,
        "agent": {"name": AGENT, "adapter": f"builtin:{AGENT}", "payload": None},
        "claux_release": None,
    }
    if era.efforts:
        found["reasoning_efforts"] = list(dict.fromkeys(system.effort for system in systems))
    if era.recordings:
        found |= {
            "harness_versions": [run.harness],
            "benchmark_tier": "core",
            "agent_harness": {
                "id": AGENT,
                "label": "Lantern",
                "version": "3.1.0",
                "provider": "Halyard",
                "billing": "by system",
            },
            "execution_snapshot": _snapshot(run, drills, pack),
        }
    return found


def _snapshot(run: Run, drills: Sequence[Drill], pack: dict[str, Json]) -> dict[str, Json]:
    return {
        "schema_version": 1,
        "host_harness_sha256": _hex("harness", str(run.harness)),
        "agent_adapter_sha256": None,
        "agent_payload_sha256": None,
        "agent_env_sha256": None,
        "claux_binary_sha256": None,
        "benchmark_manifest_sha256": None,
        "scenario_packs": [pack | {"sha256": _hex("pack", run.pack)}],
        "selected_scenarios": [
            {
                "id": drill.id,
                "version": drill.version,
                "pack_id": _PACK,
                "sha256": _hex("drill", f"{drill.id}@{drill.version}"),
            }
            for drill in drills
        ],
    }


def _hex(kind: str, name: str) -> str:
    """Return a digest that stands for a thing which does not exist."""
    return sha256(f"sample {kind} {name}".encode()).hex()


def _bytes(release: dict[str, Json]) -> bytes:
    return (json.dumps(release, indent=2, sort_keys=True, ensure_ascii=True) + "\n").encode()
