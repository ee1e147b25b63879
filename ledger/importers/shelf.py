"""Where records wait until the end of their file is known: on disk when they are many.

What a row needs to know may stand behind the rows, and a file that breaks off at its end must
leave nothing in the ledger; so every record is read before the first is appended.
"""

import tempfile
from collections.abc import Iterator
from types import TracebackType
from typing import IO, Generic, Self, TypeVar

from msgspec import msgpack

from ledger.errors import StorageFull

T = TypeVar("T")

MEMORY_BYTES = 4 * 2**20
_LENGTH_BYTES = 8


class Shelf(Generic[T]):
    """Keeps values in order; those after the first few megabytes wait in a nameless file.

    A context manager: leaving it removes the file.
    """

    def __init__(self, kind: type[T], *, memory_bytes: int = MEMORY_BYTES) -> None:
        """Prepare a shelf.

        Args:
            kind: Type of the values, one that msgspec can write and read.
            memory_bytes: Of the values' sizes together, how much stays in memory.

        """
        self._values: list[T] = []
        self._room = memory_bytes
        self._file: IO[bytes] | None = None
        self._encode, self._decode = msgpack.Encoder().encode, msgpack.Decoder(kind).decode

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()

    def put(self, value: T, size_bytes: int) -> None:
        """Add a value that takes about *size_bytes*.

        Raises:
            StorageFull: There is no room for it on the disk.

        """
        self._room -= size_bytes
        if self._room >= 0 and self._file is None:
            self._values.append(value)
            return
        data = self._encode(value)
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile()
            self._file.write(len(data).to_bytes(_LENGTH_BYTES, "big") + data)
        except OSError as fault:
            raise StorageFull(
                tempfile.gettempdir(), fault.strerror or str(fault), "room for the file's records"
            ) from fault

    def __iter__(self) -> Iterator[T]:
        """Yield the values in order, as often as one likes."""
        yield from self._values
        file = self._file
        if file is None:
            return
        file.seek(0)
        while length := file.read(_LENGTH_BYTES):
            yield self._decode(file.read(int.from_bytes(length, "big")))
