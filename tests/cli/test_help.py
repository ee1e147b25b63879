"""Help: which commands there are, and what they say they take."""

import pytest
from cli_place import Run

ISSUED = {
    "init", "backup", "restore", "key", "trust", "import", "status", "log", "show", "leaderboard",
    "attempts", "correct", "exclude", "redact", "edition", "verify", "diff", "explain", "replay",
    "checkpoint", "demo",
}  # fmt: skip
GROUPED = {
    "key": {"new", "list", "show"},
    "trust": {"show"},
    "edition": {"freeze", "export", "sign"},
}


def listed(text: str) -> set[str]:
    """Return the names that stand in the lists of a help text."""
    after = text[text.index("--help") :].splitlines()[1:]
    return {
        line.split()[0]
        for line in after
        if line.startswith("  ") and not line.startswith(("   ", "  -"))
    }


def test_the_program_lists_the_commands_of_this_version_only(run: Run) -> None:
    """Nothing that is yet to come appears in the help."""
    ran = run("--help")
    assert ran.code == 0
    assert listed(ran.out) <= ISSUED
    assert ISSUED - {"demo"} <= listed(ran.out)
    assert "..." not in ran.out.split("COMMAND [ARGS]...", 1)[1]


@pytest.mark.parametrize("group", GROUPED)
def test_groups_list_their_commands(group: str, run: Run) -> None:
    """A group shows what is in it."""
    assert listed(run(group, "--help").out) == GROUPED[group]


def test_without_arguments_it_shows_help(run: Run) -> None:
    """The bare command is a question, not a mistake."""
    assert run() == run("--help")


def test_verify_shows_help_like_the_others(run: Run) -> None:
    """Its own parser gives usage, options and an example on stdout."""
    ran = run("verify", "--help")
    assert ran.code == 0
    assert ran.out.lower().startswith("usage: coldledger verify [options] bundle\n")
    for option in ("--trust ROOT", "--trust-sha256 HEX", "--since", "--policy", "--json"):
        assert option in ran.out
    assert not ran.err


def test_the_version_is_one_line(run: Run) -> None:
    """``--version`` names program and version, also where typer is asked."""
    from ledger.version import __version__

    assert run("--version") == (0, f"coldledger {__version__}\n", "")
