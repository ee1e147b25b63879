"""What the program tells people to do can be done: commands and options that a hint names exist."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from cli_place import Run
from typer.main import get_command

from cli import verifying
from cli.app import app

REPO = Path(__file__).resolve().parents[2]
PACKAGES = ("canon", "signing", "ledger", "cli")
_QUOTED = re.compile(r"`(coldledger [^`{}]+)`")
_SOURCES = {
    path: re.sub(r'"\s*\n\s*f?"', "", path.read_text(encoding="utf-8"))
    for package in PACKAGES
    for path in sorted((REPO / package).rglob("*.py"))
}
NAMED = sorted({text for source in _SOURCES.values() for text in _QUOTED.findall(source)})


def command_of(words: list[str]) -> tuple[Any, list[str]]:
    """Return the command that *words* name, and what follows its name."""
    found: Any = get_command(app)
    while hasattr(found, "commands"):
        found, words = found.commands[words[0]], words[1:]
    return found, words


@pytest.mark.parametrize("text", NAMED)
def test_what_is_named_exists(text: str) -> None:
    """Each command that stands in backticks in a message, with each of its options."""
    command, rest = command_of(shlex.split(text)[1:])
    options = {name for parameter in command.params for name in parameter.opts}
    options |= set(re.findall(r"--[a-z0-9-]+", verifying.help_text()))
    assert {word for word in rest if word.startswith("-")} <= options


def test_commands_are_named_in_full() -> None:
    """A hint can be copied: no group's command stands without the program's name."""
    groups = [name for name, one in get_command(app).commands.items() if hasattr(one, "commands")]
    short = re.compile(rf"`(?:{'|'.join(groups)}) [a-z]+`")
    for path, source in _SOURCES.items():
        assert short.findall(source) == [], path


def test_many_hints_name_a_command() -> None:
    """The tests above would hold of nothing."""
    assert len(NAMED) >= 15


@pytest.mark.parametrize(
    ("words", "hinted"),
    [
        (["explain", "system/*/task/*/nope"], ["explain"]),
        (["explain", "spring:nope"], ["explain", "spring:"]),
        (["leaderboard", "--edition", "nope"], ["status"]),
        (["correct", "--target", "nope", "--set", "reward=0"], ["attempts"]),
        (["show", "9000"], ["log"]),
    ],
    ids=str,
)
def test_a_hint_leads_somewhere(words: list[str], hinted: list[str], run: Run) -> None:
    """The command that the hint of a refusal names answers."""
    decides = words[0] == "correct"
    more = ["--reason", "x", "--key", "keys/root.key"] if decides else []
    error = run(*words, *more, "--json").json["error"]
    assert f"`coldledger {' '.join(hinted)}`" in error["hint"]
    assert run(*hinted).code == 0
