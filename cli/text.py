"""Words for people and documents for programs, without rich: what every start can afford.

stdout is data, everything else goes to stderr. Text that came from a file may hold anything, so
whatever could steer a terminal is shown escaped.
"""

import os
import sys
from collections.abc import Iterable, Mapping
from typing import Any, TextIO

UNKNOWN = "—"
"""Stands where a value is not known; never a zero."""


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


def short(hexed: str | None, digits: int = 12) -> str:
    """Return the first digits of a digest, with an ellipsis."""
    return UNKNOWN if hexed is None else f"{hexed[:digits]}…"


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


def pairs(rows: Iterable[tuple[str, str]]) -> None:
    """Print names and values in two columns."""
    listed = list(rows)
    width = max((len(name) for name, _ in listed), default=0)
    for name, value in listed:
        line(f"  {name:<{width}}  {value}")


def note(text: str) -> None:
    """Print a message to stderr."""
    sys.stderr.write(text + "\n")


def complain(fault: Mapping[str, Any]) -> None:
    """Print an error, a blank line, and what to do, to stderr."""
    label = paint(f"error[{fault['code']}]", "1;31", sys.stderr)
    hint = paint("hint", "1;36", sys.stderr)
    sys.stderr.write(f"{label}: {safe(fault['message'])}\n\n{hint}: {safe(fault['hint'])}\n")


def fault_of(refusal: Any) -> dict[str, Any]:
    """Return code, message and hint of a refusal, as the contract has them."""
    return {"code": refusal.code, "message": refusal.message, "hint": refusal.remedy}


def paint(text: str, style: str, stream: TextIO) -> str:
    """Return *text* in an ANSI style, where *stream* shows colours."""
    return f"\x1b[{style}m{text}\x1b[0m" if colours(stream) else text


def colours(stream: TextIO) -> bool:
    """Tell whether *stream* is a terminal whose user wants colour."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
