"""Write ``commands.md``: every command, as the program's own help describes it."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from typer.main import get_command

from cli.app import PROGRAM, app
from cli.main import main

PAGE = Path(__file__).with_name("commands.md")
_WIDTH = "100"
_HEAD = """\
# Commands

Made from the program's own help by `make docs`; do not edit.

stdout is data, stderr is messages. `--json`, where a command has it, prints one JSON document on
stdout and nothing else there. An error is `error[CODE]: place, got, expected` and a hint; all codes
are in `errors.md`.

| exit code | means |
|---|---|
| 0 | it holds, or it was done |
| 1 | refused or failed; of `diff`: something differs |
| 2 | of `audit`: the run waits for a review, or for what is withheld |
| 64 | wrong usage |
| 70 | an internal error |
| 130, 143 | ended by Ctrl-C, by SIGTERM: nothing is left half done |
| 141 | whoever read the output went away |

| variable | is |
|---|---|
| `COLDLEDGER` | the ledger file, where `--ledger` is not given |
| `COLDLEDGER_LOG_KEY` | the log's private key, where `--log-key` is not given |
| `COLDLEDGER_PASSPHRASE` | the passphrase of encrypted keys |
| `COLDLEDGER_DEBUG` | set, it shows where an internal error happened |
| `NO_COLOR`, `COLUMNS` | no colours; how wide tables are |
"""


def page() -> str:
    """Return the page."""
    sections: dict[str, list[tuple[str, ...]]] = {}
    for words, section in _commands(get_command(app), ()):
        sections.setdefault(section, []).append(words)
    parts = [_HEAD]
    for section, listed in sections.items():
        parts.append(f"## {section}\n")
        for words in listed:
            name = " ".join((PROGRAM, *words))
            parts.append(f"### `{name}`\n\n```text\n{_help(words)}\n```\n")
    return "\n".join(parts)


def _commands(group: Any, above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the words that name each command, and its section."""
    for name, command in group.commands.items():
        words = (*above, name)
        if hasattr(command, "commands"):
            yield from _commands(command, words)
        else:
            yield words, str(command.rich_help_panel)


def _help(words: tuple[str, ...]) -> str:
    """Return the help of a command, as wide as the page."""
    saved = {name: os.environ.get(name) for name in ("COLUMNS", "NO_COLOR")}
    os.environ.update(COLUMNS=_WIDTH, NO_COLOR="1")
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            code = main([*words, "--help"])
    finally:
        for name, value in saved.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
    if code:
        raise RuntimeError(f"{' '.join(words)} --help exits {code}")
    return "\n".join(line.rstrip() for line in printed.getvalue().rstrip().splitlines())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE}\n")
