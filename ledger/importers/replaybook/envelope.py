"""The members of an envelope that are known, and the rest of them (IMPORT-12).

Known is what is read into an entry, and what is kept in the blob on purpose: titles, notes,
labels, reasons, commands and paths are prose, and digests of sources serve comparability.
"""

from collections.abc import Iterator

from ledger.importers.source_json import Json

from .shape import escaped

ROWS, CORRECTIONS = "runs", "corrections"

_TOP = frozenset(
    [
        "schema_version",
        "version",
        "title",
        "description",
        "model_labels",
        "model_order",
        "scenario_labels",
        "observations",
        "notes",
        "corrections",
        "compatibility",
        "sources",
        "totals",
        "by_model",
        "by_scenario_model",
        "runs",
        "tier",
        "input_mode",
        "reproduction_command",
        "submission_id",
        "submitted_by",
    ]
)
_CONDITIONS = frozenset(
    [
        "suite",
        "harness_version",
        "harness_versions",
        "scenario_packs",
        "scenarios",
        "benchmark_manifest",
        "benchmark_tier",
        "execution_snapshot",
        "attempts",
        "agent_timeout_seconds",
        "agent",
        "claux_release",
        "reasoning_efforts",
        "agent_harness",
    ]
)
_SOURCE = _CONDITIONS | frozenset(
    ["source", "started_at", "finished_at", "replaybook_commit", "models", "concurrency"]
)
_AGGREGATE = frozenset(
    [
        "trials",
        "evaluated",
        "unavailable",
        "passed",
        "failed",
        "pass_rate",
        "median_duration_seconds",
        "known_cost_usd",
        "cost_reported_trials",
        "input_tokens",
        "output_tokens",
        "cache_read_tokens",
        "usage_reported_trials",
        "failure_categories",
        "unavailable_categories",
        "durable_repairs_after_timeout",
        "subscription_usage_usd",
        "subscription_usage_reported_trials",
        "recording_reported_trials",
        "median_model_rounds",
        "median_model_duration_seconds",
        "median_tool_calls",
        "median_tool_duration_seconds",
        "median_first_non_read_only_tool_seconds",
        "median_post_first_non_read_only_seconds",
        "median_total_duration_seconds",
    ]
)
_CELL = _AGGREGATE | frozenset(
    ["agent", "model", "reasoning_effort", "scenario", "scenario_version"]
)
_CORRECTION = frozenset(["run_id", "original", "changes", "reason"])
_LISTS = {
    "sources": _SOURCE,
    "by_model": _CELL,
    "by_scenario_model": _CELL,
    CORRECTIONS: _CORRECTION,
}


def unmapped(members: dict[str, Json]) -> Iterator[str]:
    """Yield pointers to the members of an envelope that nobody knows."""
    yield from _unknown(members, _TOP, "")
    yield from _unknown(members.get("compatibility"), _CONDITIONS, "/compatibility")
    yield from _unknown(members.get("totals"), _AGGREGATE, "/totals")
    for name, known in _LISTS.items():
        listed = members.get(name)
        if isinstance(listed, list):
            for index, element in enumerate(listed):
                yield from _unknown(element, known, f"/{name}/{index}")


def _unknown(value: Json, known: frozenset[str], pointer: str) -> Iterator[str]:
    if isinstance(value, dict) and not known.issuperset(value):
        for name in value:
            if name not in known:
                yield f"{pointer}/{escaped(name)}"
