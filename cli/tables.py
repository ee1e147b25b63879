"""Tables for people: text in columns that line up, as wide as the terminal allows."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from .text import line, paint, safe, width_of

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
    shown = [
        Group(group.heading, [[safe(cell) for cell in row] for row in group.rows])
        for group in groups
    ]
    widths = _widths(columns, shown, width_of(sys.stdout))
    for number, group in enumerate(shown):
        if number == 0:
            names = [column.name for column in columns]
            for one in _drawn(columns, widths, names, style="1"):
                line(one)
            line("─" * (sum(widths) + _GAP * (len(widths) - 1)))
        elif group.heading is not None:
            line()
        if group.heading is not None:
            line(paint(safe(group.heading), "1", sys.stdout))
        for row in group.rows:
            for one in _drawn(columns, widths, row):
                line(one)


def _drawn(
    columns: Sequence[Column], widths: Sequence[int], row: Cells, *, style: str = ""
) -> Iterator[str]:
    """Yield the lines of one row; drawn here, because rich takes a millisecond for each."""
    parts = [
        [cell] if _longest(cell) <= width else _broken(cell, width, cut=column.cut)
        for column, width, cell in zip(columns, widths, row, strict=True)
    ]
    for pieces in zip_longest(*parts, fillvalue=""):
        drawn = []
        for column, width, piece in zip(columns, widths, pieces, strict=True):
            space = " " * (width - _longest(piece))
            text = paint(piece, style, sys.stdout) if style and piece else piece
            drawn.append(space + text if column.right else text + space)
        yield (" " * _GAP).join(drawn).rstrip()


def _broken(cell: str, width: int, *, cut: bool) -> list[str]:
    """Return a cell that is too long cut off with an ellipsis, or as lines broken between words."""
    if cut:
        return [f"{cell[: _fitting(cell, width - 1)]}…"]
    lines, row = [], ""
    for word in cell.split(" "):
        longer = f"{row} {word}" if row else word
        if _longest(longer) <= width:
            row = longer
            continue
        if row:
            lines.append(row)
        while _longest(word) > width:
            end = _fitting(word, width) or 1
            lines.append(word[:end])
            word = word[end:]
        row = word
    return [*lines, row]


def _fitting(text: str, width: int) -> int:
    """Return how many characters of *text* fit."""
    end = width
    while _longest(text[:end]) > width:
        end -= 1
    return end


def _widths(columns: Sequence[Column], groups: Sequence[Group], room: int) -> list[int]:
    """Give each column what its cells need, less where they need more than there is."""
    rows = [row for group in groups for row in group.rows]
    widths = [
        max([len(column.name), *(_longest(row[number]) for row in rows)])
        for number, column in enumerate(columns)
    ]
    room -= _GAP * (len(columns) - 1)
    soft = [number for number, column in enumerate(columns) if not column.whole]
    words = [
        _LEAST if column.cut else max([_LEAST, *(_longest_word(row[number]) for row in rows)])
        for number, column in enumerate(columns)
    ]
    # Cells are broken between words before they are broken within them.
    for floors in (words, [_LEAST] * len(columns)):
        _shrink(widths, soft, floors, room)
    return widths


def _shrink(widths: list[int], giving: Sequence[int], floors: Sequence[int], room: int) -> None:
    """Take from the widest of the columns that give, until all fit or none is above its floor."""
    while sum(widths) > room:
        able = [number for number in giving if widths[number] > floors[number]]
        if not able:
            return
        widths[max(able, key=widths.__getitem__)] -= 1


def _longest_word(cell: str) -> int:
    return max(map(_longest, cell.split(" ")))


def _longest(cell: str) -> int:
    """Return how many columns of a terminal a cell takes."""
    if cell.isascii():
        return len(cell)
    from rich.cells import cell_len

    return cell_len(cell)
