"""The first pass over a session: which lines are on its active branch.

Entries form a tree: each names the one that it follows. A session goes on at its newest entry, so
the way from there back to a root is what the agent had before it at the end. Entries without a
name follow the line before, which is all there is in the first version of the format. Of a line no
more is kept than the number of the line that it follows, and its name.
"""

import re
from array import array
from typing import BinaryIO

from msgspec import UNSET, Struct

from canon.excerpt import excerpt
from ledger.errors import PiPlace

from .header import Opening, Openings
from .lines import Counted, Line, Reader, head_of, lines, short
from .report import Problems

_ROOT, _NO_ENTRY = 0, -1

# What is left of a line that was cut off may still say its place: pi writes that first.
_PLACE = re.compile(
    rb'\{"type":"[a-z_]+","id":"([^"\\]{1,200})","parentId":(?:null|"([^"\\]{1,200})")[,}]'
)


class Survey(Struct, frozen=True):
    """What the first pass finds.

    Attributes:
        opening: What the session begins with.
        lines: How many there are.
        size_bytes: Of the file.
        sha256: Of the file, 32 bytes.
        problems: What is wrong with the places of entries.
        on_branch: For each line, from line 0, whether it is on the active branch.
    """

    opening: Opening
    lines: int
    size_bytes: int
    sha256: bytes
    problems: Problems
    on_branch: bytearray

    def on(self, line: int) -> bool:
        """Tell whether the entry on a line is on the active branch."""
        return bool(self.on_branch[line])


def survey(stream: BinaryIO, reader: Reader) -> Survey:
    """Read a session for the first time.

    Args:
        stream: The file, at its start.
        reader: Reads its lines.

    Raises:
        PiSessionInvalid: It is no session.
        PiVersion: It is of a version that is not read.
    """
    counted = Counted(stream)
    tree = _Tree(reader)
    openings, opening = Openings(reader, tree.problems), None
    number = 0
    for line in lines(counted):
        number = line.number
        if opening is None and not line.blank:
            opening = openings.look(line)
        tree.add(line)
    if opening is None:
        raise openings.refusal()
    return Survey(
        opening=opening,
        lines=number,
        size_bytes=counted.size,
        sha256=counted.digest.digest(),
        problems=tree.problems,
        on_branch=tree.branch(),
    )


class _Tree:
    """What each line follows."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._parents = array("q", [_NO_ENTRY])  # of line 0, which there is not
        self._named: dict[str, int] = {}
        self._last = _ROOT
        self._before_broken: int | None = None
        self.problems = Problems()

    def add(self, line: Line) -> None:
        """Take in a line."""
        head = None if line.blank else head_of(line, self._reader)
        if head is None:
            self._parents.append(self._salvaged(line))
            return
        if head.type == "session":  # a header, which is no entry
            self._parents.append(_NO_ENTRY)
            return
        self._parents.append(self._parent(line, head.id, head.parent))
        self._name(line, head.id)
        self._last = line.number

    def branch(self) -> bytearray:
        """Return for each line whether it is on the active branch (PI-2)."""
        marks = bytearray(len(self._parents))
        at = self._last
        while at != _ROOT:  # a parent always stands before its child, so this ends
            marks[at] = 1
            at = self._parents[at]
        return marks

    def _parent(self, line: Line, name: object, parent: object) -> int:
        if parent is UNSET and name is None:
            return self._last
        if parent is None:
            return _ROOT
        if type(parent) is str and short(parent) in self._named:
            return self._named[short(parent)]
        # Nothing is ever taken out of a session: whatever it follows stood in front of it. To go on
        # there may take in what another branch holds; to begin anew would lose what this one does.
        found, said = self._last, "the entry before it is taken"
        if type(parent) is str and self._before_broken is not None:
            found, said = self._before_broken, "the entry before a line that is broken is taken"
        got = excerpt(parent) if type(parent) is str else "none"
        self._fault(line, f"what it follows: {got}", f"the name of an earlier entry ({said})")
        return found

    def _salvaged(self, line: Line) -> int:
        """Return what a line follows that cannot be read, if it still says so."""
        if line.blank:
            return _NO_ENTRY
        self._before_broken = self._last
        found = _PLACE.match(line.data)
        if found is None:
            return _NO_ENTRY
        name, parent = found[1].decode(errors="replace"), found[2]
        followed = self._named.get(parent.decode(errors="replace")) if parent else _ROOT
        if followed is None:
            return _NO_ENTRY
        self._name(line, name)
        return followed

    def _name(self, line: Line, name: object) -> None:
        if type(name) is not str:
            return
        key = short(name)
        if key in self._named:
            self._fault(line, f"the name {excerpt(name)} twice", "names that differ")
        self._named[key] = line.number

    def _fault(self, line: Line, got: str, expected: str) -> None:
        self.problems.add(line.number, PiPlace(self._reader.place(line), got, expected))
