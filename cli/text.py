"""Words for people and documents for programs, without rich: what every start can afford.

stdout is data, everything else goes to stderr. Text that came from a file may hold anything, so
whatever could steer a terminal is shown escaped.
"""

import os
import sys
from collections.abc import Iterable, Mapping
from typing import Any, TextIO

NOTHING = "—"
"""Stands where there is no value; never a zero."""

WIDTH = 100
"""Columns where there is no terminal to ask."""

_LEAST_WIDTH = 20
SHOWN_LIMITS = 20
"""How many limits that a publisher claims are shown; a manifest may have a million."""


def safe(text: object) -> str:
    """Return *text* with all that a terminal would not print as itself escaped.

    Controls, escape sequences, marks of direction and lone surrogates are written as in Python's
    own literals, so a line stays one line.
    """
    plain = str(text)
    if plain.isprintable():
        return plain
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in plain
    )


def shown(value: object) -> str:
    """Return a value that may be none as text."""
    return NOTHING if value is None else safe(value)


def short(hexed: str | None, digits: int = 12) -> str:
    """Return the first digits of a digest, with an ellipsis."""
    return NOTHING if hexed is None else f"{hexed[:digits]}…"


def minute(at: str) -> str:
    """Return a time to the minute; ``show`` has the whole of it."""
    return f"{at[:10]} {at[11:16]}Z"


def count(number: int, one: str, many: str | None = None) -> str:
    """Return *number* with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def emit(document: Any) -> None:
    """Print *document*, the one JSON document of this command."""
    import json

    indent = 2 if sys.stdout.isatty() else None
    sys.stdout.write(json.dumps(document, indent=indent, allow_nan=False) + "\n")


def line(text: str = "") -> None:
    """Print one line of data; what is foreign in it must be :func:`safe` already."""
    sys.stdout.write(text + "\n")


def prose(text: str, indent: str = "", first: str | None = None) -> None:
    """Print sentences, broken into lines; what is foreign in them must be :func:`safe` already.

    Args:
        text: The sentences.
        indent: Stands before every line.
        first: Stands before the first one instead, such as a bullet.
    """
    for one in _broken(text, width_of(sys.stdout), indent if first is None else first, indent):
        line(one)


def pairs(rows: Iterable[tuple[str, str]]) -> None:
    """Print names and values in two columns."""
    listed = list(rows)
    width = max((len(name) for name, _ in listed), default=0)
    for name, value in listed:
        prose(value, " " * (width + 4), f"  {name:<{width}}  ")


def note(text: str) -> None:
    """Print sentences to stderr."""
    for one in _broken(text, width_of(sys.stderr), "", ""):
        sys.stderr.write(one + "\n")


def warn(text: str) -> None:
    """Print a warning to stderr: something was done, and may not be what was meant."""
    _labelled("warning", "1;33", text)


def complain(fault: Mapping[str, Any]) -> None:
    """Print an error, a blank line, and what to do, to stderr."""
    label = paint(f"error[{fault['code']}]", "1;31", sys.stderr)
    sys.stderr.write(f"{label}: {safe(fault['message'])}\n\n")
    _labelled("hint", "1;36", fault["hint"])


def fault_of(refusal: Any) -> dict[str, Any]:
    """Return code, message and hint of a refusal, as the contract has them."""
    return {"code": refusal.code, "message": refusal.message, "hint": refusal.remedy}


def paint(text: str, style: str, stream: TextIO) -> str:
    """Return *text* in an ANSI style, where *stream* shows colours."""
    return f"\x1b[{style}m{text}\x1b[0m" if colours(stream) else text


def colours(stream: TextIO) -> bool:
    """Tell whether *stream* is a terminal whose user wants colour."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width_of(stream: TextIO) -> int:
    """Return how wide what is written to *stream* may be."""
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdigit():
        return max(int(given[:9]), _LEAST_WIDTH)
    if stream.isatty():
        try:
            return max(os.get_terminal_size(stream.fileno()).columns, _LEAST_WIDTH)
        except OSError:
            pass  # a stream that only says it is a terminal
    return WIDTH


def command_lines(command: str, width: int, indent: str) -> list[str]:
    """Return a command in lines that a shell takes as one, broken before options.

    Args:
        command: As it is typed on one line.
        width: How long a line may be.
        indent: Stands before every line but the first.
    """
    import re  # only help and the demo show commands

    parts: list[str] = []
    for word in re.findall(r"""(?:[^\s'"]|'[^']*'|"[^"]*")+""", command):
        if parts and not word.startswith("-"):
            parts[-1] += f" {word}"
        else:
            parts.append(word)
    lines, row = [], parts[0]
    for part in parts[1:]:
        if len(row) + len(part) + len("  \\") > width:
            lines.append(f"{row} \\")
            row = indent + part
        else:
            row += f" {part}"
    return [*lines, row]


def _labelled(label: str, style: str, text: str) -> None:
    """Write sentences behind a coloured label to stderr."""
    blank = " " * len(f"{label}: ")
    first, *rest = _broken(safe(text), width_of(sys.stderr), blank, blank)
    sys.stderr.write(f"{paint(label, style, sys.stderr)}: {first.lstrip()}\n")
    for one in rest:
        sys.stderr.write(one + "\n")


def _broken(text: str, width: int, first: str, indent: str) -> list[str]:
    """Break *text* between words; a word that is longer than a line stays whole."""
    lines = []
    row, room = first, False
    for word in text.split(" "):
        if room and len(row) + 1 + len(word) > width:
            lines.append(row.rstrip())
            row, room = indent, False
        row += f" {word}" if room else word
        room = True
    return [*lines, row.rstrip()]
