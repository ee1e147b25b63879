"""What a format brings: recognising it, reading it, and reading a record of it again."""

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, NamedTuple, Protocol

from ledger.events import AttemptReported, Observation

from .findings import Findings
from .source_file import Probe

Context = Any
"""What the records of a file need to know about the whole file; only its own reader looks in."""


class Layout(NamedTuple):
    """How the records of a file stand in it.

    Attributes:
        rows: How many rows it has.
        corrections: Raw records of the corrections that it states.
        around: What stands before, between and behind the rows, joined by `MARK`.
    """

    rows: int
    corrections: tuple[bytes, ...]
    around: bytes


MARK = b"\0"
"""Stands for a row in a layout; no text of any format has it."""


class Record(NamedTuple):
    """An event to append.

    Attributes:
        event: Without ``blobs``.
        blobs: Slot to bytes.
        key: Under which an earlier report of the same attempt is known, if it reports one.
    """

    event: Observation
    blobs: Mapping[str, bytes]
    key: str | None = None


class Reading(Protocol):
    """A file that was read to its end.

    Attributes:
        name: What it says it is; a file of the same name supersedes it.
        rows: Records in it, quarantined ones included.
        size_bytes: Of the whole file.
        sha256: Of the whole file, 32 bytes.
        unmapped: Pointers to members that nobody reads.
        findings: Problems and flags; complete once the records were taken.
    """

    name: str
    rows: int
    size_bytes: int
    sha256: bytes
    unmapped: tuple[str, ...]
    findings: Findings

    def records(self, source: int) -> Iterator[Record]:
        """Yield the events that follow the ``source.imported/1`` with number *source*, once."""

    def parts(self) -> Iterator[bytes]:
        """Yield the raw records of the first events, in order: together they are the file."""

    def close(self) -> None:
        """Forget what was read."""


class Reader(Protocol):
    """Reads raw records again, for verification: pure, and fixed under its name.

    Attributes:
        name: Name and version; another reading of any record is another version.
        contextual: Words of a field that only the context can give.
    """

    name: str
    contextual: Mapping[str, frozenset[str]]

    def context(self, raw: bytes) -> Context:
        """Return what ``release.reported/1`` says about all records of its file.

        Raises:
            Refusal: The raw record cannot be read.
        """

    def layout(self, raw: bytes) -> Layout:
        """Return how the file stands around its rows, of which *raw* has the numbers.

        Raises:
            Refusal: The raw record cannot be read, or does not number its rows from 0.
        """

    def extract(self, wire: str, raw: bytes, context: Context | None) -> dict[str, Any]:
        """Return the fields of an event of type *wire* that its raw record determines.

        Args:
            wire: Name of the event's type.
            raw: Bytes of its ``record`` slot.
            context: Of its file; without it, fields that it determines are left out.

        Raises:
            Refusal: The raw record cannot be read.
        """

    def gives(self, event: AttemptReported, raw: bytes, context: Context) -> bool:
        """Tell quickly whether *event* is all that its record and its file say; only a yes counts.

        Args:
            event: As it was read from its entry.
            raw: Bytes of its ``record`` slot.
            context: Of its file.

        Raises:
            Refusal: The raw record cannot be read.
        """

    def is_record(self, raw: bytes) -> bool:
        """Tell whether a file can have these bytes as one record, between two others.

        Args:
            raw: Bytes of a ``record`` slot.
        """

    def fault(self, raw: bytes, context: Context | None, pointer: str | None = None) -> str | None:
        """Return the code under which a record is quarantined, None if it reads well.

        Args:
            raw: Bytes of its ``record`` slot.
            context: Of its file.
            pointer: Where the record stands, as its event says.
        """


class Importer(Reader, Protocol):
    """Turns files of one format into events.

    Attributes:
        format: The format's name and version.
    """

    format: str

    def sniff(self, probe: Probe) -> bool:
        """Tell by the content whether a file is of this format, whole and sound or not."""

    def read(self, stream: BinaryIO, place: str) -> Reading:
        """Read a file to its end.

        Args:
            stream: The file, at its start.
            place: Names it in refusals.

        Raises:
            Refusal: The file as a whole is not of the format.
        """
