"""Where records wait until the end of their file is known: on disk when they are many.

What a row needs to know may stand behind the rows, and a file that breaks off at its end must
leave nothing in the ledger; so every record is read before the first is appended.
"""

from collections.abc import Callable, Iterator
from typing import IO, Generic, TypeVar

from ledger.errors import StorageFull

T = TypeVar("T")

MEMORY_BYTES = 4 * 2**20
_BUFFER_BYTES = 2**20
_LENGTH_BYTES = 8


class Shelf(Generic[T]):
    """Keeps values in order; those after the first few megabytes wait in a nameless file."""

    def __init__(
        self,
        pack: Callable[[T], bytes],
        unpack: Callable[[bytes], T],
        *,
        memory_bytes: int = MEMORY_BYTES,
    ) -> None:
        """Prepare a shelf.

        Args:
            pack: Returns a value as bytes.
            unpack: Returns the value that such bytes are.
            memory_bytes: Of the values' sizes together, how much stays in memory.
        """
        self._values: list[T] = []
        self._room = memory_bytes
        self._file: IO[bytes] | None = None
        self._pack, self._unpack = pack, unpack

    def close(self) -> None:
        """Forget the values, and remove the file."""
        self._values.clear()
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
        data = self._pack(value)
        import tempfile  # seldom needed, and slow to import for every command

        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(  # noqa: SIM115 - closed by close()
                    buffering=_BUFFER_BYTES
                )
            self._file.write(len(data).to_bytes(_LENGTH_BYTES, "big") + data)
        except OSError as fault:
            raise _full(fault) from fault

    def __iter__(self) -> Iterator[T]:
        """Yield the values in order, as often as one likes."""
        yield from self._values
        file = self._file
        if file is None:
            return
        try:
            file.seek(0)
        except OSError as fault:
            raise _full(fault) from fault
        while length := file.read(_LENGTH_BYTES):
            yield self._unpack(file.read(int.from_bytes(length, "big")))


def _full(fault: OSError) -> StorageFull:
    # Seeking writes what was buffered, so it can fail as writing does.
    got = fault.strerror or str(fault)
    return StorageFull("folder for temporary files", got, "room for the records of the file")
