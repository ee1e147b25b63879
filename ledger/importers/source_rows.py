"""A JSON file taken apart into an envelope and the records of one array.

The envelope is the file with each record replaced by its index, white space and all, so that
envelope and records together are the file again, byte for byte (IMPORT-6).
"""

import io
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO, TypeAlias

from canon.excerpt import excerpt
from canon.refusal import Refusal
from ledger.errors import JsonDuplicateKey, SchemaInvalid, SourceLimit
from ledger.events import MAX_RECORD_BYTES

from .source_json import VALUES_LIMIT, Found, Json, bytes_of, kind_of, text_of
from .source_window import CHUNK_BYTES, Window

MEMBERS_LIMIT = 1_024
"""Members at the top of a file; a release has some twenty."""

Quick: TypeAlias = Callable[[bytes], Any]
"""Reads a record's bytes in one step; None for one that it leaves to others."""

Row: TypeAlias = tuple[int, bytes, Any]
"""Index of a record, its own bytes, and what a `Quick` made of it, or `Found`."""


class Split:
    """Iterates over the records of the array *key* at the top of a file, once.

    Attributes:
        members: The other members of the top, by key; complete when the iteration is.
        count: Records seen; None where the file has no such array.
    """

    def __init__(
        self,
        stream: BinaryIO,
        key: str,
        place: str,
        *,
        put: Callable[[int], str] = str,
        quick: Quick | None = None,
        chunk_bytes: int = CHUNK_BYTES,
        max_envelope_bytes: int = MAX_RECORD_BYTES,
    ) -> None:
        """Prepare to read *stream* from where it stands.

        Args:
            stream: The file.
            key: Name of the array.
            place: Names the file in refusals.
            put: Text that replaces the record with an index.
            quick: Is asked first what a record is.
            chunk_bytes: How much to read at once.
            max_envelope_bytes: How long the envelope may become.
        """
        self.members: dict[str, Json] = {}
        self.count: int | None = None
        self._key, self._put, self._quick = key, put, quick
        self._window = Window(
            stream, place, chunk_bytes=chunk_bytes, max_kept_bytes=max_envelope_bytes
        )

    @property
    def size_bytes(self) -> int:
        """Length of the file, once it was read."""
        return self._window.size_bytes

    def sha256(self) -> bytes:
        """Return the digest of the file, once it was read, 32 bytes."""
        return self._window.sha256()

    def envelope(self) -> bytes:
        """Return the file without its records, once it was read.

        Raises:
            SourceLimit: It has too many values.
        """
        return self._window.kept(read_again=self._put is str)

    def __iter__(self) -> Iterator[Row]:
        """Yield the records.

        Raises:
            JsonSyntax, JsonTruncated, JsonDepth, JsonDuplicateKey: The file is not JSON that can
                be taken apart.
            SchemaInvalid: It is no object.
            SourceLimit: A record or the envelope is longer than 16 MiB, or has too many values,
                or the file has too many members.
        """
        window = self._window
        for name in _member_names(window):
            if name == self._key and window.peek() == "[":
                yield from self._elements(name)
            else:
                window.peek()
                value, text = window.value(_pointer(name))
                window.keep(text)
                self.members[name] = _sound(value)

    def _elements(self, name: str) -> Iterator[Row]:
        window, quick, put = self._window, self._quick, self._put
        # An envelope has an index for each, which it must be possible to read again.
        limit = VALUES_LIMIT if put is str else None
        self.count = 0
        window.skip()
        if window.peek() == "]":
            window.skip()
            return
        while True:
            index = self.count
            if index == limit:
                raise SourceLimit(window.place, f"more than {limit} rows", f"at most {limit}")
            if quick is not None:
                whole = window.whole(quick, put(index))
                if whole is not None:
                    self.count += 1
                    yield index, *whole
                    continue
            window.peek()
            value, text = window.value(f"/{name}/{index}")
            window.keep(put(index))
            self.count += 1
            yield index, bytes_of(text), value
            if not _goes_on(window, "]", f"/{name}"):
                return


def _member_names(window: Window) -> Iterator[str]:
    """Yield the name of each member of the object that is the file.

    The window then stands before the member's value, which the caller reads before it goes on.

    Raises:
        JsonSyntax, JsonTruncated, JsonDuplicateKey: The file is not JSON as far as it was read.
        SchemaInvalid: It is no object.
        SourceLimit: It has too many members.
    """
    if window.peek() != "{":
        value = _sound(window.value("")[0])
        raise SchemaInvalid(window.place, kind_of(value), "a JSON object")
    window.skip()
    if window.peek() == "}":
        window.skip()
    else:
        names: set[str] = set()
        while True:
            if window.peek() != '"':
                window.refuse("Expecting property name enclosed in double quotes", "")
            name, text = window.value("")
            window.keep(text)
            if not isinstance(name, str) or name in names:
                raise JsonDuplicateKey(
                    window.place, f"key {excerpt(text)} twice", "each key of an object once"
                )
            names.add(name)
            if len(names) > MEMBERS_LIMIT:
                raise SourceLimit(window.place, "one member more", f"at most {MEMBERS_LIMIT}")
            if window.peek() != ":":
                window.refuse("Expecting ':' delimiter", _pointer(name))
            window.skip()
            yield name
            if not _goes_on(window, "}", ""):
                break
    if window.peek():
        window.refuse("Extra data", "")


def top_keys(stream: BinaryIO, place: str) -> Iterator[str]:
    """Yield the keys of the object that is the file, each before its value is read.

    Raises:
        Refusal: As :func:`_member_names`.
    """
    window = Window(stream, place, keep=False)
    for name in _member_names(window):
        yield name
        window.peek()
        window.value(_pointer(name))


def reassemble(envelope: bytes, key: str, rows: Sequence[bytes]) -> bytes:
    """Return the file that *envelope* and *rows* were taken from.

    Raises:
        SchemaInvalid: The envelope has another number of records.
    """
    total = len(envelope) + sum(map(len, rows))

    def put(index: int) -> str:
        return text_of(rows[index]) if index < len(rows) else ""

    split = Split(io.BytesIO(envelope), key, "envelope", put=put, max_envelope_bytes=total)
    found = sum(1 for _ in split)
    if found != len(rows):
        raise SchemaInvalid(f"envelope#/{key}", f"{found} records", f"{len(rows)}")
    return split.envelope()


def _goes_on(window: Window, end: str, pointer: str) -> bool:
    """Pass over what follows an element: True for a comma, False for *end*."""
    if window.comma():
        return True
    mark = window.peek()
    if mark not in (",", end):
        window.refuse("Expecting ',' delimiter", pointer)
    window.skip()
    return mark == ","


def _sound(value: Found) -> Json:
    if isinstance(value, Refusal):
        raise value
    return value


def _pointer(name: str) -> str:
    return "/" + name[:64].replace("~", "~0").replace("/", "~1")
