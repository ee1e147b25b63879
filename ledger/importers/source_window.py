"""A file of JSON seen through a window: values are read one by one, in bounded memory."""

import codecs
import hashlib
import io
import json
import re
from collections.abc import Callable
from typing import BinaryIO, NoReturn, TypeVar

from ledger.errors import SourceLimit, SourceUnreadable
from ledger.events import MAX_RECORD_BYTES

from .source_json import (
    BOM,
    DEPTH_LIMIT,
    Found,
    Number,
    Scanner,
    bytes_of,
    check_encoding,
    check_values,
    delimit,
    refuse,
    skip_spaces,
    too_deep,
)

CHUNK_BYTES = 2**20

T = TypeVar("T")

_NUMBER_TAIL = 3
# The scanner may build what is in a window of this many characters, whatever it is.
_LONG = CHUNK_BYTES + CHUNK_BYTES // 4
# How far the end of a record is looked for that may be read in one step.
_SHORT = 16 * 1024
_BETWEEN = re.compile(r"\}[ \t\n\r]*,[ \t\n\r]*\{").search
_COMMA = re.compile(r"[ \t\n\r]*,[ \t\n\r]*").match


class Window:
    """Reads a stream forward and keeps no more of it than the value in hand.

    What is passed over is copied to the *kept* text, so that all of a file but some values can be
    put back together.

    Attributes:
        place: Names the file in refusals.
        size_bytes: Bytes read so far.
    """

    def __init__(
        self,
        stream: BinaryIO,
        place: str,
        *,
        chunk_bytes: int = CHUNK_BYTES,
        max_kept_bytes: int = MAX_RECORD_BYTES,
        keep: bool = True,
    ) -> None:
        self.place = place
        self.size_bytes = 0
        self._stream, self._chunk, self._max_kept = stream, chunk_bytes, max_kept_bytes
        self._digest = hashlib.sha256()
        self._decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
        self._scanner = Scanner()
        self._text, self._pos, self._final = "", 0, False
        self._lines = self._columns = 0
        self._between = ""
        self._kept, self._keeps = io.StringIO(), keep
        while not self._final and len(self._text) < len(BOM) + 1:
            self._fill()
        if self._text.startswith(BOM):
            self.skip(len(BOM))

    def sha256(self) -> bytes:
        """Return the digest of the bytes read so far, 32 bytes."""
        return self._digest.digest()

    def kept(self, *, read_again: bool) -> bytes:
        """Return what was kept, as bytes.

        Args:
            read_again: Whether it is to be read by itself, as one value.

        Raises:
            SourceLimit: It has too many values for that.
        """
        text = self._kept.getvalue()
        if read_again:
            check_values(text, 0, len(text), self.place)
        return bytes_of(text)

    def keep(self, text: str) -> None:
        """Add *text* to what is kept.

        Raises:
            SourceLimit: Too much is kept.
        """
        if not self._keeps:
            return
        self._kept.write(text)
        if self._kept.tell() > self._max_kept:
            raise SourceLimit(
                self.place,
                f"over {self._max_kept} bytes beside the records",
                f"at most {self._max_kept}",
            )

    def peek(self) -> str:
        """Pass over white space and return the next character, empty at the end of the file."""
        while True:
            end = skip_spaces(self._text, self._pos)
            if end != self._pos:
                self.keep(self._text[self._pos : end])
                self._pos = end
            if end < len(self._text):
                return self._text[end]
            if not self._fill():
                return ""

    def comma(self) -> bool:
        """Pass over a comma and the white space around it, if that is all in the window.

        False says nothing: :meth:`peek` and :meth:`skip` find out the same, slower.
        """
        found = _COMMA(self._text, self._pos)
        if found is None or found.end() == len(self._text):
            return False
        self.keep(found[0])
        self._pos = found.end()
        return True

    def skip(self, count: int = 1) -> None:
        """Pass over *count* characters that :meth:`peek` has shown."""
        end = self._pos + count
        self.keep(self._text[self._pos : end])
        self._pos = end

    def value(self, pointer: str) -> tuple[Found, str]:
        """Return the next value, or what is wrong with it, and its own text; keep neither.

        Only a value that can be told apart from its neighbours is returned with its fault: an
        object with a key twice, or one nested too deep.

        Args:
            pointer: Where the value stands in the file, for refusals.

        Raises:
            JsonSyntax, JsonTruncated: There is no value.
            JsonDepth: It is nested too deep, and its end cannot be found.
            SourceLimit: It is longer than 16 MiB, or has too many values.
        """
        place = f"{self.place}#{pointer}"
        while True:
            if len(self._text) - self._pos > _LONG:
                check_values(self._text, self._pos, len(self._text), place)
            try:
                value, end = self._scanner.scan(self._text, self._pos)
            except RecursionError:
                found, depth = delimit(self._text, self._pos)
                if depth <= DEPTH_LIMIT:
                    raise  # the stack was nearly full before: not the file's fault
                if found is not None:
                    return too_deep(place, depth), self._take(found)
                if not self._grow(place):
                    raise too_deep(place, depth) from None
            except (StopIteration, ValueError) as fault:
                if not self._grow(place):
                    self._refuse(fault, pointer)
            else:
                # A number near the end of the window may go on behind it: 7 as 7.5 or 7e+5.
                is_number = type(value) is int or type(value) is Number
                near = is_number and len(self._text) - end < _NUMBER_TAIL
                if not near or not self._grow(place):
                    check_values(self._text, self._pos, end, place)
                    wrong = self._scanner.fault(value, self._text, self._pos, end, place)
                    return (value if wrong is None else wrong), self._take(end)

    def whole(self, read: Callable[[bytes], T | None], instead: str) -> tuple[bytes, T] | None:
        """Pass over an object that another one follows, if *read* can read it in one step.

        It ends, almost always, at the first brace before a comma and a brace. That guess need not
        be right: no object is the beginning of another, so what *read* takes for a whole one is
        the one that stands here.

        Args:
            read: Returns what a whole object is; None for anything else, or when in doubt.
            instead: What is kept in its place, before the comma that follows.

        Returns:
            Its bytes and what they were read as, or None, with nothing passed over.
        """
        start = self._pos
        if not self._text.startswith("{", start):
            return None
        # What stood between the last two objects stands between most; to find it is quickest.
        end = self._text.find(self._between, start, start + _SHORT) if self._between else -1
        if end < 0:
            found = _BETWEEN(self._text, start, start + _SHORT)
            if found is None:
                return None
            end, self._between = found.start(), found[0]
        raw = bytes_of(self._text[start : end + 1])
        made = read(raw)
        if made is None:
            self._between = ""
            return None
        self.keep(instead + self._between[1:-1])
        self._pos = end + len(self._between) - 1
        return raw, made

    def refuse(self, said: str, pointer: str) -> NoReturn:
        """Refuse the character that :meth:`peek` has shown; *said* is what JSON wants there."""
        self._refuse(json.JSONDecodeError(said, self._text, self._pos), pointer)

    def _refuse(self, fault: StopIteration | ValueError, pointer: str) -> NoReturn:
        place = f"{self.place}#{pointer}" if pointer else self.place
        refuse(fault, self._text, place, self._pos, lines=self._lines, columns=self._columns)

    def _take(self, end: int) -> str:
        text = self._text[self._pos : end]
        self._pos = end
        return text

    def _grow(self, place: str) -> bool:
        if len(self._text) - self._pos > MAX_RECORD_BYTES:
            raise SourceLimit(
                place, f"over {MAX_RECORD_BYTES} bytes in one value", f"at most {MAX_RECORD_BYTES}"
            )
        return self._fill()

    def _fill(self) -> bool:
        """Read on, and forget what was passed over; False at the end of the file."""
        if self._final:
            return False
        seen = self._text[: self._pos]
        breaks = seen.count("\n")
        self._lines += breaks
        last = len(seen) - seen.rfind("\n") - 1
        self._columns = last if breaks else self._columns + last
        # As much again as is in hand: a long value is then scanned twice over at most.
        ahead = self._text = self._text[self._pos :]
        self._pos = 0
        del seen
        try:
            data = self._stream.read(max(self._chunk, len(ahead)))
        except OSError as fault:
            raise SourceUnreadable(
                self.place, fault.strerror or str(fault), "a file that can be read"
            ) from fault
        if self.size_bytes == 0:
            check_encoding(data[:2], self.place)
        self.size_bytes += len(data)
        self._digest.update(data)
        self._final = not data
        self._text = ahead + self._decode(data, self._final)
        return True
