"""Every command has an example in its help, and every example does what it says."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli_place import Run, attempts_of
from typer.main import get_command

from cli import verifying
from cli.app import app

DIFFERS = {"diff"}
"""Commands whose example ends with 1, because it has something to say."""

WAITS = {"audit"}
"""Commands whose example ends with 2: the run is still to be reviewed."""


def commands(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every command with the words that name it."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*words, name))
        else:
            yield (*words, name), command


COMMANDS = dict(commands(get_command(app)))


def examples(words: tuple[str, ...]) -> list[str]:
    """Return the example lines in the help of a command."""
    if words == ("verify",):
        return [verifying.EXAMPLE]
    text = (COMMANDS[words].epilog or "").replace("\\\n", "")
    lines = [" ".join(line.split()) for line in text.splitlines()]
    return [line for line in lines if line.startswith("coldledger ")]


EXAMPLES = [example for words in COMMANDS for example in examples(words)]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_shows_its_examples(words: tuple[str, ...], run: Run) -> None:
    """Help prints each example so that it can be copied, in lines that fit eighty columns."""
    ran = run(*words, "--help")
    assert ran.code == 0
    assert examples(words)
    shown = ran.out.partition("Example")[2]
    joined = [" ".join(line.split()) for line in shown.replace("\\\n", "").splitlines()]
    for example in examples(words):
        assert example in joined
        assert shlex.split(example)[1 : 1 + len(words)] == list(words)
    assert max(map(len, shown.splitlines())) < 80


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_run_as_they_stand(example: str, place: Path, run: Run) -> None:
    """In a folder with those files each example does its work; ATTEMPT is one of the ledger's."""
    _, *words = shlex.split(example)
    if "ATTEMPT" in words:
        failed = attempts_of(place / "coldledger.db", "failed")[0]
        words = [failed if word == "ATTEMPT" else word for word in words]
    ran = run(*words)
    expected = 1 if words[0] in DIFFERS else 2 if words[0] in WAITS else 0
    assert ran.code == expected, ran.err
    assert ran.out


@pytest.mark.parametrize("example", [one for one in EXAMPLES if "demo" not in one])
def test_examples_print_one_document_with_json(example: str, place: Path, run: Run) -> None:
    """With ``--json`` stdout holds one JSON document and nothing else."""
    _, *words = shlex.split(example)
    failed = attempts_of(place / "coldledger.db", "failed")[0]
    ran = run(*(failed if word == "ATTEMPT" else word for word in words), "--json")
    assert ran.json is not None
