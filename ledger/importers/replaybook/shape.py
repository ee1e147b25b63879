"""Which members a row has and lacks (IMPORT-12, IMPORT-32).

The rows of a release differ little in that, so an answer is kept for the rows that follow.
"""

from functools import lru_cache
from typing import NamedTuple

from ledger.importers.source_json import Json

REQUIRED = (
    "agent",
    "attempt",
    "finished_at",
    "model",
    "reward",
    "run_id",
    "scenario",
    "scenario_version",
    "started_at",
    "trial_status",
)
TOKENS = (
    "input_tokens",
    "output_tokens",
    "reasoning_tokens",
    "cache_read_tokens",
    "cache_creation_tokens",
)
PHASES = ("host_reboot", "immediate_http", "service_restart")
RECORDED_COUNTS = ("tool_calls", "model_rounds")
RECORDED_SECONDS = (
    "tool_duration_seconds",
    "model_duration_seconds",
    "total_duration_seconds",
    "first_non_read_only_tool_seconds",
    "post_first_non_read_only_seconds",
)
_OPTIONAL = {
    "": (
        "agent_duration_seconds",
        "agent_timeout_seconds",
        "failure",
        "failure_category",
        "reasoning_effort",
        "recording",
        "usage",
        "verification",
    ),
    "recording": (*RECORDED_COUNTS, *RECORDED_SECONDS),
    "usage": (*TOKENS, "cost_usd", "subscription_usage_usd"),
    "verification": (*PHASES, "after_agent_timeout"),
    "verification.after_agent_timeout": ("durable_repair", "failure", "failure_category"),
}
_SHAPES = 256

_Names = tuple[str, ...] | None


class Shape(NamedTuple):
    """What rows with the same members have in common.

    Attributes:
        absent: Optional members that are not there, sorted; ``usage.cost_usd`` is inside another.
        unmapped: Pointers, relative to the row, to members that nobody reads.
    """

    absent: list[str]
    unmapped: tuple[str, ...]


def shape_of(row: dict[str, Json]) -> Shape:
    """Return the shape of *row*."""
    verification = row.get("verification")
    after = verification.get("after_agent_timeout") if type(verification) is dict else None
    return _shape(
        tuple(row),
        _names(row.get("recording")),
        _names(row.get("usage")),
        _names(verification),
        _names(after),
    )


def _names(value: Json) -> _Names:
    return tuple(value) if type(value) is dict else None


@lru_cache(_SHAPES)
def _shape(row: _Names, recording: _Names, usage: _Names, phases: _Names, after: _Names) -> Shape:
    absent: list[str] = []
    unmapped: list[str] = []
    for (part, optional), names in zip(
        _OPTIONAL.items(), (row, recording, usage, phases, after), strict=True
    ):
        if names is None:
            continue
        prefix = f"{part}." if part else ""
        absent += [prefix + name for name in optional if name not in names]
        known = {*optional, *(() if part else REQUIRED)}
        pointer = ("/" + part.replace(".", "/")) if part else ""
        unmapped += [f"{pointer}/{escaped(name)}" for name in names if name not in known]
    return Shape(sorted(absent), tuple(unmapped))


def escaped(name: str) -> str:
    """Return a member's name as it stands in a JSON pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")
