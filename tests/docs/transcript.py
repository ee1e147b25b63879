"""Console blocks of a document, as commands to run and output to expect.

A block looks like a terminal: a line that begins with ``$`` is a command, what follows is what it
printed, stdout and stderr as they came. ``…`` in a line stands for any text, and on a line of its
own for any number of lines; no output at all means that none is shown. Each command has to end
with 0, unless ``$ echo $?`` after it shows another exit code.
"""

import io
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from cli.main import main

EXIT_CODE = "echo $?"
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ANY = "…"


class Command(NamedTuple):
    """A command of a document.

    Attributes:
        place: File and line.
        text: As it is typed, continuation lines joined.
        expected: Lines of output that the document shows.

    """

    place: str
    text: str
    expected: tuple[str, ...]


def commands(document: Path) -> list[Command]:
    """Return the commands of all console blocks, in order."""
    text = document.read_text(encoding="utf-8")
    found = []
    for block in _BLOCK.finditer(text):
        first = text.count("\n", 0, block.start(1)) + 1
        found += list(_commands(block[1].splitlines(), document.name, first))
    return found


def _commands(lines: list[str], name: str, first: int) -> Iterator[Command]:
    index = 0
    while index < len(lines):
        place = f"{name}:{first + index}"
        assert lines[index].startswith("$ "), f"{place}: a block begins with a command"
        typed = lines[index][2:]
        index += 1
        while typed.endswith("\\"):
            typed = typed[:-1] + lines[index].strip()
            index += 1
        start = index
        while index < len(lines) and not lines[index].startswith("$ "):
            index += 1
        expected = [line.rstrip() for line in lines[start:index]]
        yield Command(place, typed, tuple(_trimmed(expected)))


def play(document: Path) -> None:
    """Run all commands of *document* in the present folder, and compare what they print with it."""
    listed = commands(document)
    code = 0
    for command, following in zip(listed, [*listed[1:], None], strict=True):
        if command.text == EXIT_CODE:
            assert command.expected == (str(code),), f"{command.place}: exit code {code}"
            continue
        code, printed = _run(command.text)
        shown = f"{command.place}: $ {command.text}\n{printed}"
        if following is None or following.text != EXIT_CODE:
            assert code == 0, f"exit code {code} from {shown}"
        if command.expected:
            assert matches(command.expected, printed.splitlines()), shown


def matches(expected: tuple[str, ...], printed: list[str]) -> bool:
    """Tell whether lines are as a document shows them."""
    parts = []
    for line in expected:
        if line == _ANY:
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*?".join(map(re.escape, line.split(_ANY))) + r"\n")
    text = "".join(f"{line}\n" for line in _trimmed([line.rstrip() for line in printed]))
    return re.fullmatch("".join(parts), text) is not None


def _run(text: str) -> tuple[int, str]:
    """Run one command: the program's own in this process, anything else in a shell."""
    words = shlex.split(os.path.expandvars(text))
    if words[0] == "export":
        name, _, value = text.removeprefix("export ").partition("=")
        os.environ[name] = _run(f"printf %s {value}")[1]
        return 0, ""
    if words[0] == "coldledger":
        printed = io.StringIO()
        with redirect_stdout(printed), redirect_stderr(printed):
            code = main(words[1:])
        return code, printed.getvalue()
    if words[0] == "cd":
        os.chdir(words[1])
        return 0, ""
    done = subprocess.run(
        ["sh", "-c", text], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return done.returncode, done.stdout


def _trimmed(lines: list[str]) -> list[str]:
    """Return *lines* without empty ones at the ends."""
    while lines and not lines[-1]:
        lines = lines[:-1]
    while lines and not lines[0]:
        lines = lines[1:]
    return lines
