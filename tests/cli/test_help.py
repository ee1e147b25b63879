"""Help: which commands there are, and what they say they take."""

import textwrap
from pathlib import Path

import pytest
from cli_place import TRUST, Run

from ledger.verify.conditions import read_conditions

ISSUED = {
    "init", "backup", "restore", "key", "trust", "import", "status", "log", "show", "leaderboard",
    "attempts", "correct", "exclude", "redact", "edition", "verify", "diff", "explain", "replay",
    "checkpoint", "demo", "invalidate", "source", "append", "schema", "timeline",
}  # fmt: skip
GROUPED = {
    "key": {"new", "list", "show"},
    "trust": {"show"},
    "edition": {"freeze", "export", "sign"},
    "source": {"list", "withdraw"},
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


@pytest.mark.parametrize("group", GROUPED)
def test_a_bare_group_shows_help(group: str, run: Run) -> None:
    """So is the name of a group alone."""
    assert run(group) == run(group, "--help")
    assert run(group).code == 0


def test_verify_shows_help_like_the_others(run: Run) -> None:
    """Its own parser gives usage, options and an example on stdout."""
    ran = run("verify", "--help")
    assert ran.code == 0
    assert ran.out.lower().startswith("usage: coldledger verify [options] bundle\n")
    for option in ("--trust ROOT", "--trust-sha256 HEX", "--since", "--policy", "--jobs N"):
        assert option in ran.out
    assert not ran.err
    assert max(map(len, ran.out.splitlines())) < 80


def test_the_conditions_in_the_help_can_be_used(place: Path, run: Run) -> None:
    """What stands there is a file for ``--policy`` as it is."""
    text = run("verify", "--help").out.partition("A file for --policy:\n")[2]
    (place / "mine.toml").write_text(textwrap.dedent(text))
    conditions = read_conditions(textwrap.dedent(text), "help")
    assert len(conditions.rules) == 5
    digest = run("trust", "show", TRUST, "--json").json["sha256"]
    words = ("verify", "spring.bundle", "--trust", TRUST, "--trust-sha256", digest, "--policy")
    ran = run(*words, "mine.toml", "--json").json
    assert ran["error"] is None or ran["error"]["code"] == "E_CONDITION"


def test_the_version_is_one_line(run: Run) -> None:
    """``--version`` names program and version, also where typer is asked."""
    from ledger.version import __version__

    assert run("--version") == (0, f"coldledger {__version__}\n", "")
