"""``harness_identity`` and ``terminal``: the harness answers, and a shell does (PRE-20, PRE-21)."""

from .bench import Bench, Outcome, first_line
from .config import words_of


def harness_identity(bench: Bench) -> Outcome:
    """Ask the harness for its version."""
    config = bench.config
    words = words_of(config.command)
    if not words:
        return Outcome("FAIL", "`command` is not configured")
    ended = bench.run("version", [*words, *config.version_args], config.timeouts.command)
    version = first_line(ended.text)
    if not ended.ok:
        return Outcome("FAIL", f"the harness did not answer: {ended.how}")
    if not version:
        return Outcome("FAIL", "the harness said nothing when it was asked for its version")
    return Outcome("PASS", f"{config.name}: {version}", {"harness": version})


def terminal(bench: Bench) -> Outcome:
    """Run the configured shell command."""
    words = bench.config.shell
    if not words:
        return Outcome("FAIL", "`shell` is not configured")
    ended = bench.run("shell", words, bench.config.timeouts.command)
    if not ended.ok:
        return Outcome("FAIL", f"the shell command failed: {ended.how}")
    return Outcome("PASS", first_line(ended.text) or "the shell command ended with 0")
