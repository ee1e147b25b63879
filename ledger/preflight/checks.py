"""The ten checks, in the order in which they are made (PRE-10 to PRE-12)."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from canon.excerpt import excerpt
from ledger.errors import CheckUnknown

from .bench import Bench, Outcome, Setting, Status
from .bridge import bridge_cli, bridge_mcp, bridge_smoke
from .building import build_install
from .fetching import source_fetch
from .filesystem import filesystem
from .identity import harness_identity, terminal
from .lab import lab_management
from .ports import ports
from .running import why


class Check(NamedTuple):
    """A check as it is listed.

    Attributes:
        make: Makes it.
        proves: What it proves.
    """

    make: Callable[[Bench], Outcome]
    proves: str


CHECKS: Mapping[str, Check] = {
    "harness_identity": Check(harness_identity, "the harness answers and says its version"),
    "terminal": Check(terminal, "a shell command runs"),
    "filesystem": Check(filesystem, "what is written comes back byte for byte"),
    "ports": Check(ports, "the reserved ports are free and inside their range"),
    "source_fetch": Check(source_fetch, "every endpoint of sources and packages answers"),
    "build_install": Check(build_install, "a JDK builds a jar, and installing keeps its bytes"),
    "bridge_cli": Check(bridge_cli, "the command line of the bridge answers"),
    "bridge_mcp": Check(bridge_mcp, "its MCP side answers; none is no fault"),
    "bridge_smoke": Check(bridge_smoke, "the smoke test of the bridge ends well"),
    "lab_management": Check(lab_management, "a real server starts, answers RCON and stops"),
}
"""Name of each check to what makes it, in order."""


class Made(NamedTuple):
    """A check that was made.

    Attributes:
        id: Its name.
        status: What it came to.
        detail: Why.
        evidence: What it left.
        versions: What it found out.
    """

    id: str
    status: Status
    detail: str
    evidence: list[dict[str, Any]]
    versions: dict[str, Any]


def selected(only: Iterable[str] | None, without: Iterable[str]) -> list[str]:
    """Return the names of the checks to make, in their order.

    Args:
        only: Names of those that are asked for; None for all.
        without: Names of those that are left out.

    Raises:
        CheckUnknown: There is none of that name, or none is left (PRE-10).
    """
    wanted = list(CHECKS) if only is None else list(only)
    left_out = list(without)
    for option, names in (("--checks", wanted), ("--skip", left_out)):
        for name in names:
            if name not in CHECKS:
                raise CheckUnknown(option, excerpt(name), f"one of {', '.join(CHECKS)}")
    found = [name for name in CHECKS if name in wanted and name not in left_out]
    if not found:
        raise CheckUnknown("--checks and --skip", "no check that is left", "at least one")
    return found


def made(name: str, setting: Setting) -> Made:
    """Make one check; whatever goes wrong in it is its own failure (PRE-12)."""
    bench = Bench(name, setting)
    try:
        outcome = CHECKS[name].make(bench)
    except Exception as fault:
        said = f"the probe crashed: {type(fault).__name__}: {why(fault)}"
        outcome = Outcome("FAIL", said)
    shown = setting.redactor
    detail, versions = shown.text(outcome.detail), shown.value(outcome.versions)
    return Made(name, outcome.status, detail, bench.evidence, versions)


def overall(checks: Iterable[Made]) -> Status:
    """Return PASS where something was proved and nothing failed, else FAIL (PRE-11)."""
    statuses = {check.status for check in checks} - {"SKIP"}
    return "PASS" if statuses == {"PASS"} else "FAIL"
