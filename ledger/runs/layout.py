"""What stands where in a run directory, and what its files are for (``specs/runs.md``)."""

from typing import Literal, TypeAlias, get_args

Role: TypeAlias = Literal[
    "manifest",
    "withheld",
    "task",
    "visibility",
    "visible",
    "evidence",
    "import",
    "artifact",
    "configuration",
    "preflight",
    "fixture",
    "restore",
    "agent_logger",
    "normalized",
    "test_mod",
    "answer",
    "oracle",
    "derivations",
    "reviews",
    "trajectory",
]
"""What a file is for; a run's files are taken in this order, the trajectory last."""

ROLES: tuple[Role, ...] = get_args(Role)

STREAMS: frozenset[Role] = frozenset(
    ("agent_logger", "normalized", "test_mod", "derivations", "reviews", "trajectory")
)
"""Roles of files that are read line by line, each line a record of its own."""

FIXED: dict[Role, str] = {
    "manifest": "run.json",
    "withheld": "withheld.json",
    "task": "task.md",
    "visibility": "visibility.json",
    "evidence": "evidence.json",
    "derivations": "derivations.jsonl",
    "trajectory": "trajectory.jsonl",
}
"""Files that have one name in every run; the others are named by the first and by evidence.json."""

REQUIRED: frozenset[Role] = frozenset(("manifest", "task", "visibility", "evidence", "trajectory"))
"""Roles of the files without which a directory is no whole run."""

REVIEWS = "reviews.jsonl"
"""Where reviews stand, unless evidence.json declares another place."""

PREFLIGHT_FOLDER = "preflight"
"""Where the report of a preflight, and what it was about, are kept."""

CONFIGURATIONS = (f"{PREFLIGHT_FOLDER}/config.json", f"{PREFLIGHT_FOLDER}/config.toml")
"""Where the configuration that a preflight checked is kept."""

SLOTS: tuple[Role, ...] = (
    "agent_logger",
    "test_mod",
    "answer",
    "oracle",
    "fixture",
    "restore",
    "preflight",
)
"""Slots of evidence.json that name a file of the same role; `review` names the reviews."""

RUN_SCHEMA = "mc-agent-coldstart-run/1"
TRAJECTORY_SCHEMA = "mc-agent-coldstart-trajectory/1"
VISIBILITY_SCHEMA = "mc-agent-coldstart-visibility/1"
EVIDENCE_SCHEMA = "mc-agent-coldstart-evidence/1"
WITHHELD_SCHEMA = "coldledger-withheld/1"

PHASES = ("prepare", "restore", "agent", "audit")
ACTORS = ("operator", "test", "agent", "restore", "harness", "reviewer")
STATUSES = ("ok", "error", "open")
REVIEW_STATUSES = ("resolved", "rejected", "pending")
KINDS = ("header", "call", "result", "phase", "mark")

PREFLIGHT_MARK = "harness_preflight"
"""Name of the mark that a preflight leaves (PRE-61)."""

CONTEXT_MARK = "clean_context"
"""Name of the mark by which somebody vouches for the agent's context (RUN-84)."""

MAX_LINE_BYTES = 16 * 2**20
"""The longest line that is read as a record; a longer one is kept, and is a fault."""

MAX_DOCUMENT_BYTES = 16 * 2**20
"""The longest file that is read as one document."""

MAX_NAMED = 2**17
"""The most files that one document names; one that names more is read as naming none."""

MAX_FILE_BYTES = 256 * 2**20
"""The longest file that is kept as one blob, and the longest line."""
