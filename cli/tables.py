"""Tables for people: rich draws them, and nothing in their cells is taken for markup."""

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from .text import colours, line, safe, width_of

if TYPE_CHECKING:
    from rich.console import Console

_LEAST, _GAP = 8, 2

Cells: TypeAlias = Sequence[str]


class Column(NamedTuple):
    """One column of a table.

    Attributes:
        name: Its heading.
        right: Whether it is aligned to the right, as numbers are.
        whole: Whether it keeps its width where the others must give.
        cut: Whether its cells are cut off rather than broken into lines.
    """

    name: str
    right: bool = False
    whole: bool = False
    cut: bool = False


class Group(NamedTuple):
    """Rows under a heading of their own.

    Attributes:
        heading: A line above them, or None.
        rows: One cell for each column.
    """

    heading: str | None
    rows: Sequence[Cells]


def table(columns: Sequence[Column], rows: Iterable[Cells]) -> None:
    """Print rows under their columns' headings."""
    grouped(columns, [Group(None, list(rows))])


def grouped(columns: Sequence[Column], groups: Sequence[Group]) -> None:
    """Print groups of rows whose columns line up; the headings of columns stand above the first."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    out = _console()
    shown = [
        Group(group.heading, [[safe(cell) for cell in row] for row in group.rows])
        for group in groups
    ]
    widths = _widths(columns, shown, out.width)

    def drawn(rows: Sequence[Cells], *, header: bool) -> Table:
        made = Table(
            box=box.SIMPLE_HEAD,
            show_header=header,
            show_edge=False,
            pad_edge=False,
            padding=(0, _GAP - 1, 0, 0),
            header_style="bold",
        )
        for column, width in zip(columns, widths, strict=True):
            made.add_column(
                column.name,
                justify="right" if column.right else "left",
                width=width,
                no_wrap=column.cut,
                overflow="ellipsis" if column.cut else "fold",
            )
        for row in rows:
            made.add_row(*map(Text, row))
        return made

    with out.capture() as captured:
        for number, group in enumerate(shown):
            if group.heading is None:
                out.print(drawn(group.rows, header=number == 0))
                continue
            out.print(drawn([], header=True) if number == 0 else "")
            out.print(Text(safe(group.heading), style="bold"))
            out.print(drawn(group.rows, header=False))
    for one in captured.get().splitlines():
        line(one.rstrip())


def _widths(columns: Sequence[Column], groups: Sequence[Group], room: int) -> list[int]:
    """Give each column what its cells need, less where they need more than there is."""
    rows = [row for group in groups for row in group.rows]
    widths = [
        max([len(column.name), *(_longest(row[number]) for row in rows)])
        for number, column in enumerate(columns)
    ]
    room -= _GAP * (len(columns) - 1)
    soft = [number for number, column in enumerate(columns) if not column.whole]
    while sum(widths) > room and soft:
        widest = max(soft, key=lambda number: widths[number])
        if widths[widest] <= _LEAST:
            break
        widths[widest] -= 1
    return widths


def _longest(cell: str) -> int:
    from rich.cells import cell_len

    return cell_len(cell)


def _console() -> "Console":
    """Return a console for stdout: no markup, no highlighting, colour only where it is wanted."""
    from rich.console import Console

    return Console(
        file=sys.stdout,
        width=width_of(sys.stdout),
        markup=False,
        highlight=False,
        emoji=False,
        color_system="auto" if colours(sys.stdout) else None,
    )
