"""``bridge_cli``, ``bridge_mcp``, ``bridge_smoke``: the agent can reach the world (PRE-26 ff.)."""

from pathlib import Path

from .bench import Bench, Outcome, filled
from .config import words_of
from .ports import reserved_ports

_NOT_CONFIGURED = "`bridge.command` is not configured"


def bridge_cli(bench: Bench) -> Outcome:
    """Ask the command line of the bridge for its help."""
    words = words_of(bench.config.bridge.command)
    if not words:
        return Outcome("FAIL", _NOT_CONFIGURED)
    arguments = bench.config.bridge.cli_args
    ended = bench.run("help", [*words, *arguments], bench.config.timeouts.command)
    if not ended.ok:
        return Outcome("FAIL", f"the bridge did not answer: {ended.how}")
    return Outcome("PASS", "the command line of the bridge answers")


def bridge_mcp(bench: Bench) -> Outcome:
    """Ask the MCP side of the bridge; whoever has none uses the command line, so it is no fault."""
    words = words_of(bench.config.bridge.command)
    if not words:
        return Outcome("SKIP", _NOT_CONFIGURED)
    arguments = bench.config.bridge.mcp_args
    ended = bench.run("help", [*words, *arguments], bench.config.timeouts.command)
    if not ended.ok:
        return Outcome("SKIP", f"no MCP side answers ({ended.how}); the command line stands for it")
    return Outcome("PASS", "the MCP side of the bridge answers")


def bridge_smoke(bench: Bench) -> Outcome:
    """Run the smoke test of the bridge on the reserved ports."""
    bridge, timeouts = bench.config.bridge, bench.config.timeouts
    if not bridge.smoke:
        return Outcome("SKIP", "`bridge.smoke` is false")
    if not bridge.smoke_command:
        return Outcome("FAIL", "`bridge.smoke_command` is not configured")
    words = filled(bridge.smoke_command, {**reserved_ports(bench.config), "wait": timeouts.smoke})
    folder = Path(bridge.siblings_root) if bridge.siblings_root else None
    ended = bench.run("smoke", words, timeouts.smoke_total, folder=folder)
    if not ended.ok:
        return Outcome("FAIL", f"the smoke test failed: {ended.how}")
    return Outcome("PASS", "the smoke test ended with 0")
