"""Rows of attempts, packed: a quarter of the memory that an object for each row would take.

A state holds every row that was ever reported, hundreds of thousands of them, and at most a few
hundred bytes may be spent on each. Numbers are packed into one buffer, texts that repeat are
replaced by their number in a table, and only what is unique to a row is kept as it is.
"""

import struct
from typing import Generic, NamedTuple, TypeVar

from msgspec import Struct, field

from ledger.events import Phases

Item = TypeVar("Item")

NONE = -1
"""Stands in a column of numbers for a value that is not reported; those are never negative."""


class Place(NamedTuple):
    """Where rows stand and what they are about; shared by the rows of a cell.

    Attributes:
        wire: Type of the events that report them.
        release: Version of the release.
        source: Sequence number of the source.
        agent, model, effort: The system.
        scenario, version: The task.
    """

    wire: str
    release: str
    source: int
    agent: str
    model: str
    effort: str | None
    scenario: str
    version: int


class Outcome(NamedTuple):
    """How rows ended; shared by all rows that ended the same way.

    Attributes:
        status: The source's word.
        reward: 0 or 1.
        category: The source's word for a failure, or None.
        phases: The verification phases, or None.
        failed_text: Whether the row gives a failure in prose.
        usage: Whether it gives tokens or money at all.
        timeout: Limit on the agent's time, seconds as text.
        flags: What is odd about it.
    """

    status: str
    reward: int
    category: str | None
    phases: Phases | None
    failed_text: bool
    usage: bool
    timeout: str | None
    flags: tuple[str, ...]


class Numbers(NamedTuple):
    """The numbers of one row.

    Attributes:
        seq: Sequence number of the event.
        row_index: Place of the row in its release.
        place: Number in the table of places.
        outcome: Number in the table of outcomes.
        duration: Number in the table of durations, or NONE.
        previous: The row before it that reports the same attempt, or NONE.
        input_tokens, output_tokens, cache_read_tokens: As reported, or NONE.
    """

    seq: int
    row_index: int
    place: int
    outcome: int
    duration: int
    previous: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int


_PACKED = struct.Struct("<qqiiiiqqq")
_LINK = struct.Struct("<i8xi")
_LINK_OFFSET = 16  # after two numbers of 8 bytes
pack = _PACKED.pack


class Rows(Struct):
    """Every row that was reported, in ledger order; a row is named by its number here.

    Attributes:
        numbers: The packed numbers of each row, 56 bytes.
        attempt: Identity of the attempt.
        cost: US dollars as text, or None.
        subscription: Subscription usage in US dollars as text, or None.
    """

    numbers: bytearray = field(default_factory=bytearray)
    attempt: list[str] = field(default_factory=list)
    cost: list[str | None] = field(default_factory=list)
    subscription: list[str | None] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.attempt)

    def unpack(self, row: int) -> tuple[int, ...]:
        """Return the numbers of *row* without their names, for loops over every row."""
        return _PACKED.unpack_from(self.numbers, row * _PACKED.size)

    def read(self, row: int) -> Numbers:
        """Return the numbers of *row*."""
        return Numbers._make(self.unpack(row))

    def link(self, row: int) -> tuple[int, int]:
        """Return the place of *row*, and the row of the same attempt before it, or NONE."""
        place: int
        previous: int
        place, previous = _LINK.unpack_from(self.numbers, row * _PACKED.size + _LINK_OFFSET)
        return place, previous


class Table(Struct, Generic[Item]):
    """Values that repeat, each kept once and named by a number.

    Attributes:
        numbers: Value to number; a plain tuple finds the named one that equals it.
        values: Values in the order in which they came.
    """

    numbers: dict[object, int] = field(default_factory=dict)
    values: list[Item] = field(default_factory=list)

    def add(self, value: Item) -> int:
        """Give a number to a value that the table does not hold yet."""
        number = self.numbers[value] = len(self.values)
        self.values.append(value)
        return number
