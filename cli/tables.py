"""Tables for people: rich draws them, and nothing in their cells is taken for markup."""

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .edge import environment
from .text import colours, safe

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 100
"""Columns where there is no terminal to ask."""


class Column(NamedTuple):
    """One column of a table.

    Attributes:
        name: Its heading.
        right: Whether it is aligned to the right, as numbers are.
        whole: Whether its cells are never broken.
    """

    name: str
    right: bool = False
    whole: bool = False


def console() -> "Console":
    """Return a console for stdout: no markup, no highlighting, colour only where it is wanted."""
    from rich.console import Console

    columns = environment("COLUMNS") or ""
    width = None
    if columns.isdigit():
        width = max(int(columns), 20)
    elif not sys.stdout.isatty():
        width = WIDTH
    return Console(
        file=sys.stdout,
        width=width,
        markup=False,
        highlight=False,
        emoji=False,
        color_system="auto" if colours(sys.stdout) else None,
    )


def table(
    columns: Sequence[Column],
    rows: Iterable[Sequence[str]],
    *,
    title: str | None = None,
    footer: str | None = None,
) -> None:
    """Print a table; a title above and a line below it, if there are any."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for column in columns:
        drawn.add_column(
            column.name,
            justify="right" if column.right else "left",
            no_wrap=column.whole,
            overflow="fold",
        )
    for row in rows:
        drawn.add_row(*(Text(safe(cell)) for cell in row))
    out = console()
    if title is not None:
        out.print(Text(safe(title), style="bold"))
    out.print(drawn)
    if footer is not None:
        out.print(Text(safe(footer), style="dim"))
    out.print()
