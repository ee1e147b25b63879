"""Lines of a session file: one at a time, and none longer than there is room for."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, BinaryIO, TypeAlias

import msgspec

from canon.excerpt import excerpt
from canon.refusal import Refusal
from ledger.errors import JsonDuplicateKey, JsonSyntax, PiEntryInvalid, PiLineLong, SourceUnreadable
from ledger.importers.source_json import (
    DEPTH_LIMIT,
    Json,
    NonFinite,
    Scanner,
    check_encoding,
    check_values,
    delimit,
    depth_of,
    kind_of,
    refuse,
    skip_spaces,
    text_of,
    too_deep,
)

LINE_LIMIT = 15 * 2**20
"""Bytes of the longest line that is read: what it says fits into a record, which has 16 MiB."""

_NAME_CHARS = 200
_BOM = b"\xef\xbb\xbf"

Object: TypeAlias = dict[str, Json]


class Line(msgspec.Struct, frozen=True, gc=False):
    """One line.

    Attributes:
        number: From 1.
        data: Its bytes with their line end; no more than its beginning where it is too long.
        size_bytes: How long all of it is.
    """

    number: int
    data: bytes
    size_bytes: int

    @property
    def blank(self) -> bool:
        """Whether nothing stands in it."""
        return self.size_bytes <= 2 and not self.data.strip()

    @property
    def too_long(self) -> bool:
        """Whether it is longer than what is read (PI-4)."""
        return self.size_bytes > LINE_LIMIT


class Counted:
    """A file of which size and digest are known when it has been read.

    Attributes:
        size: Bytes read so far.
        digest: Their SHA-256.
    """

    def __init__(self, stream: BinaryIO, limit: int | None = None) -> None:
        """Wrap a file, to read it to its end or to as many bytes as *limit*."""
        self._stream = stream
        self._limit = limit
        self.digest = sha256()
        self.size = 0

    def readline(self, most: int) -> bytes:
        """Return the next line, or as many bytes of it as are allowed."""
        if self._limit is not None:
            most = min(most, self._limit - self.size)
        try:
            data = self._stream.readline(most)
        except OSError as fault:
            got = fault.strerror or str(fault)
            raise SourceUnreadable("session", got, "a file that can be read") from fault
        self.digest.update(data)
        self.size += len(data)
        return data


def lines(stream: Counted) -> Iterator[Line]:
    """Yield the lines of a file; memory is bounded by the longest, and by 15 MiB (PI-4).

    A byte order mark before the first line is no part of it.
    """
    number = 0
    while data := stream.readline(LINE_LIMIT + 1):
        number += 1
        size = len(data)
        if size > LINE_LIMIT:
            size += _skip_rest(stream, data)
        if number == 1 and data.startswith(_BOM):
            data = data[len(_BOM) :]
        yield Line(number, data, size)


def _skip_rest(stream: Counted, begun: bytes) -> int:
    """Read to the end of a line that is too long; return how many bytes that were."""
    size = 0
    while not begun.endswith(b"\n"):
        begun = stream.readline(2**20)
        if not begun:
            break
        size += len(begun)
    return size


class Reader:
    """Reads lines as JSON objects, with every number as it is written (PI-5)."""

    def __init__(self, name: str) -> None:
        """Prepare for a file that messages call *name*."""
        self._name = name
        self._scanner = Scanner()

    def place(self, line: Line) -> str:
        """Return what a message calls a line."""
        return f"{self._name}, line {line.number}"

    def read(self, line: Line) -> Object:
        """Return the object on a line.

        Raises:
            PiLineLong: The line is too long to be read.
            JsonSyntax, JsonTruncated, JsonDuplicateKey, JsonDepth, SourceLimit: It is not JSON, or
                not such that all readers agree on it.
            PiEntryInvalid: It is JSON, and no object.
        """
        place = self.place(line)
        if line.too_long:
            raise PiLineLong(place, f"{line.size_bytes} bytes", f"at most {LINE_LIMIT}")
        value = self._value(line.data, place)
        if type(value) is not dict:
            raise PiEntryInvalid(place, kind_of(value), "an object")
        return value

    def _value(self, data: bytes, place: str) -> Json:
        check_encoding(data[:2], place)
        text = text_of(data)
        start = skip_spaces(text, 0)
        check_values(text, start, len(text), place)
        try:
            value, end = self._scanner.scan(text, start)
        except RecursionError:
            raise too_deep(place, delimit(text, start)[1]) from None
        except (StopIteration, ValueError) as fault:
            refuse(fault, text, self._name, start, lines=_number(place) - 1)
        if self._scanner.doubled:
            got = f"key {excerpt(self._scanner.doubled[0])} twice"
            raise JsonDuplicateKey(place, got, "each key of an object once")
        # The brackets are an upper bound, and quick to count.
        if text.count("[") + text.count("{") > DEPTH_LIMIT and depth_of(value) > DEPTH_LIMIT:
            raise too_deep(place, depth_of(value))
        if ("NaN" in text or "Infinity" in text) and _has_non_finite(value):
            raise JsonSyntax(place, "NaN or Infinity", "JSON numbers")
        if skip_spaces(text, end) != len(text):
            got = excerpt(text[end : end + 24])
            raise PiEntryInvalid(place, f"{got} after an object", "one object on a line")
        return value


def short(name: str) -> str:
    """Return a name that takes little room: the name itself, or the digest of a long one."""
    return (
        name
        if len(name) <= _NAME_CHARS
        else sha256(name.encode(errors="surrogatepass")).hexdigest()
    )


def _has_non_finite(value: Json) -> bool:
    level = [value]
    while level:
        if any(type(one) is NonFinite for one in level):
            return True
        level = [
            child
            for one in level
            if type(one) is dict or type(one) is list
            for child in (one.values() if type(one) is dict else one)
        ]
    return False


def _number(place: str) -> int:
    return int(place.rpartition(" ")[2])


class Head(msgspec.Struct, gc=False):
    """What places an entry; all else of its line is passed over.

    Attributes:
        type: What the entry is.
        id: Its name in the file.
        parent: The name of the entry that it follows; null for a root, unset where it says none.
    """

    type: Any = None
    id: Any = None
    parent: Any = msgspec.field(default=msgspec.UNSET, name="parentId")


_HEADS = msgspec.json.Decoder(Head)


def head_of(line: Line, reader: Reader) -> Head | None:
    """Return what places the entry on a line, None where the line cannot be read."""
    if line.too_long:
        return None
    try:
        return _HEADS.decode(line.data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        pass  # the quick reader is stricter about text; what it refuses is looked at again
    try:
        said = reader.read(line)
    except Refusal:
        return None
    return Head(said.get("type"), said.get("id"), said.get("parentId", msgspec.UNSET))
