"""Foreign JSON without loss: numbers as they are written, bytes that can be put together again.

The C scanner of ``json`` reads; everything around it keeps what the scanner alone would lose. A
number stays the text that it was, so that no amount passes through a float; bytes that are not
UTF-8 become lone surrogates and turn back into the same bytes; a key that stands twice in one
object is noticed; nesting has a limit that does not depend on the interpreter's stack.
"""

import json
import re
from json.scanner import make_scanner
from typing import Any, NoReturn, TypeAlias

from msgspec import Struct

from canon.excerpt import excerpt
from canon.refusal import Refusal
from ledger.errors import JsonDepth, JsonDuplicateKey, JsonSyntax, JsonTruncated, SourceLimit

DEPTH_LIMIT = 64
VALUES_LIMIT = 2**20
PARTS_LIMIT = 2**18
"""Arrays, objects and members of objects, which take some two hundred bytes each in memory."""
BOM = "\ufeff"


class Number(Struct, frozen=True, gc=False):
    """A JSON number that is no integer, or a very long one, as the text that stands in the file."""

    literal: str


class NonFinite(Struct, frozen=True, gc=False):
    """``NaN``, ``Infinity`` or ``-Infinity``: not JSON, but written by many programs."""

    literal: str


Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | bool | Number | NonFinite | None"
Found: TypeAlias = "Json | Refusal"
"""A value, or what is wrong with it where its own end is known."""

SPACES = re.compile(r"[ \t\n\r]*")
# A string goes to its end or to that of the text; no part of it is ever tried twice.
_STRING = r'"(?:[^"\\]++|\\.)*+'
_TOKEN = re.compile(rf'[\[\]{{}}]|{_STRING}(?:"|\\?\Z)', re.DOTALL)
_MARK = re.compile(
    rf'[^"\[\]{{}},:]*+(?:{_STRING}(?:"|\\?\Z)[^"\[\]{{}},:]*+)*+([\[\]{{}},:]|\Z)', re.DOTALL
)
_CUT_LITERAL = re.compile(
    r"-?|t|tr|tru|f|fa|fal|fals|n|nu|nul|N|Na|-?I|-?In|-?Inf|-?Infi|-?Infin|-?Infini|-?Infinit"
)
_CUT_ESCAPE = re.compile(r"u?[0-9a-fA-F]{0,4}")
_CUT_NUMBER = re.compile(r"[0-9](?:\.|[eE][+-]?)")
_MESSAGE_DIGITS = 48
_MESSAGE_NUMBER = 10**_MESSAGE_DIGITS
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\x00")


class Scanner:
    """Reads JSON values out of a text; notes the keys that stand twice in one object."""

    def __init__(self) -> None:
        self.doubled: list[str] = []
        self._objects = 0
        self._scan = self._scanner(int)
        self._scan_long = self._scanner(Number)

    def _scanner(self, integer: Any) -> Any:
        decoder: Any = json.JSONDecoder(
            parse_float=Number,
            parse_int=integer,
            parse_constant=NonFinite,
            object_pairs_hook=self._object,
        )
        return make_scanner(decoder)

    def scan(self, text: str, start: int) -> tuple[Json, int]:
        """Return the value at *start* and where it ends.

        Raises:
            StopIteration, ValueError: There is no value, or not a whole one.
            RecursionError: It is nested deeper than the interpreter can follow.
        """
        self.doubled.clear()
        self._objects = 0
        found: tuple[Json, int]
        try:
            found = self._scan(text, start)
        except json.JSONDecodeError:
            raise
        except ValueError:
            # Python refuses to convert integers of thousands of digits; kept as text they are no
            # trouble until a field is read that cannot hold them.
            self.doubled.clear()
            found = self._scan_long(text, start)
        return found

    def fault(self, value: Json, text: str, start: int, end: int, place: str) -> Refusal | None:
        """Return what is wrong with the value that was just scanned, None if nothing is.

        Args:
            value: The value.
            text: What was scanned.
            start: Where the value starts.
            end: Where it ends.
            place: Names the value in the refusal.
        """
        if self.doubled:
            got = f"key {excerpt(self.doubled[0])} twice"
            return JsonDuplicateKey(place, got, "each key of an object once")
        # Without arrays, nesting is at most the number of objects, and that is known already.
        if self._objects > DEPTH_LIMIT or text.find("[", start, end) >= 0:
            depth = depth_of(value)
            if depth > DEPTH_LIMIT:
                return too_deep(place, depth)
        return None

    def _object(self, pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        self._objects += 1
        made = dict(pairs)
        if len(made) != len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    self.doubled.append(key)
                seen.add(key)
        return made


def text_of(data: bytes) -> str:
    """Return *data* as text in which every byte that is not UTF-8 is a lone surrogate."""
    return data.decode("utf-8", "surrogateescape")


def bytes_of(text: str) -> bytes:
    """Return the bytes that :func:`text_of` made *text* from."""
    return text.encode("utf-8", "surrogateescape")


def kind_of(value: Json) -> str:
    """Return what kind of value *value* is, for a message."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return f"text {excerpt(value)}"
        case int():
            return f"number {value}" if abs(value) < _MESSAGE_NUMBER else "a number of many digits"
        case Number(literal):
            short = len(literal) <= _MESSAGE_DIGITS
            return f"number {literal}" if short else f"a number of {len(literal)} characters"
        case NonFinite(literal):
            return literal
        case list():
            return "an array"
        case _:
            return "an object"


def depth_of(value: Json) -> int:
    """Return how deep *value* is nested, level by level; 0 for what is no array or object."""
    depth, level = 0, [value]
    while level := [node for node in level if type(node) is dict or type(node) is list]:
        depth += 1
        level = [
            child for node in level for child in (node.values() if type(node) is dict else node)
        ]
    return depth


def delimit(text: str, start: int) -> tuple[int | None, int]:
    """Return where the array or object at *start* ends, and how deep it is nested.

    Only brackets and strings are looked at, one after the other, so no depth is too much. The end
    is None where the text ends first.
    """
    depth = deepest = 0
    for token in _TOKEN.finditer(text, start):
        mark = token[0][0]
        if mark in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif mark in "]}":
            depth -= 1
            if depth <= 0:
                return token.end(), deepest
    return None, deepest


def check_values(text: str, start: int, end: int, place: str) -> None:
    """Refuse a value, or the beginning of one, that would take too much memory (IMPORT-43).

    Args:
        text: Where it stands.
        start: Where it starts.
        end: Where it ends, or anything after that.
        place: Names it in the refusal.

    Raises:
        SourceLimit: It has more than 2^18 arrays, objects and members of objects, or more than
            2^20 values.
    """
    if end - start <= PARTS_LIMIT:
        return
    opens = text.count("[", start, end) + text.count("{", start, end)
    parts, commas = opens + text.count(":", start, end), text.count(",", start, end)
    if parts <= PARTS_LIMIT and opens + commas < VALUES_LIMIT:
        return  # even if all of these stood outside strings, and in this value
    depth = parts = values = 0
    for found in _MARK.finditer(text, start, end):
        mark = found[1]
        if mark in "[{":
            depth += 1
            parts += 1
            values += 1
        elif mark in "]}":
            depth -= 1
        elif mark == ":":
            parts += 1
        elif mark == ",":
            values += 1
        if depth <= 0:
            return  # here the value ends, if not before
        if parts > PARTS_LIMIT:
            got = f"more than {PARTS_LIMIT} arrays, objects and members"
            raise SourceLimit(place, got, f"at most {PARTS_LIMIT}")
        if values >= VALUES_LIMIT:
            raise SourceLimit(place, f"more than {VALUES_LIMIT} values", f"at most {VALUES_LIMIT}")


def too_deep(place: str, depth: int) -> JsonDepth:
    """Return the refusal of a value that is nested *depth* deep."""
    return JsonDepth(place, f"{depth} levels of nesting", f"at most {DEPTH_LIMIT}")


def parse(data: bytes, place: str) -> Json:
    """Return the value of a whole JSON document.

    Args:
        data: The document; a UTF-8 byte order mark in front is allowed.
        place: Names it in refusals.

    Raises:
        JsonSyntax: It is not JSON.
        JsonTruncated: It ends too early.
        JsonDuplicateKey: A key stands twice in one object.
        JsonDepth: It is nested deeper than 64.
        SourceLimit: It has too many values.
    """
    check_encoding(data[:2], place)
    text = text_of(data)
    start = skip_spaces(text, len(BOM) if text.startswith(BOM) else 0)
    check_values(text, start, len(text), place)
    scanner = Scanner()
    try:
        value, end = scanner.scan(text, start)
    except RecursionError:
        raise too_deep(place, delimit(text, start)[1]) from None
    except (StopIteration, ValueError) as fault:
        refuse(fault, text, place, start)
    found = scanner.fault(value, text, start, end, place)
    if found is not None:
        raise found
    rest = skip_spaces(text, end)
    if rest != len(text):
        refuse(json.JSONDecodeError("Extra data", text, rest), text, place, rest)
    return value


def check_encoding(start: bytes, place: str) -> None:
    """Refuse a document that is in UTF-16 or UTF-32, by its first two bytes."""
    if start.startswith(_WIDE):
        raise JsonSyntax(f"{place}, line 1", f"bytes {start[:2].hex()}", "JSON in UTF-8")


def skip_spaces(text: str, start: int) -> int:
    """Return where the white space at *start* ends."""
    found = SPACES.match(text, start)
    return found.end() if found else start


def refuse(
    fault: StopIteration | ValueError,
    text: str,
    place: str,
    start: int,
    *,
    lines: int = 0,
    columns: int = 0,
) -> NoReturn:
    """Raise what the scanner's *fault* means, with line and column.

    Args:
        fault: What the scanner raised.
        text: What it read, up to the end of the document.
        place: Names the document, and the value where that is known.
        start: Where the scanner started.
        lines: Lines of the document before *text*.
        columns: Characters of the last of those lines.
    """
    if isinstance(fault, json.JSONDecodeError):
        said, at = fault.msg, min(fault.pos, len(text))
    else:
        # StopIteration carries where no value starts; any other ValueError does not say where.
        said = "Expecting value"
        at = min(fault.value, len(text)) if isinstance(fault, StopIteration) else start
    line = lines + text.count("\n", 0, at) + 1
    before = text.rfind("\n", 0, at)
    column = at - before if before >= 0 else columns + at + 1
    where = f"{place}, line {line} column {column}"
    if _is_cut(said, text, at):
        raise JsonTruncated(where, "the end of the file", "the rest of the JSON text") from None
    raise JsonSyntax(where, excerpt(text[at : at + 24]), f"JSON ({said})") from None


def _is_cut(said: str, text: str, at: int) -> bool:
    """Tell whether the text is JSON as far as it goes."""
    rest = text[at:].rstrip(" \t\n\r")
    if not rest or said.startswith("Unterminated string"):
        return True
    if "escape" in said:
        # The scanner points at the escape, or past its backslash.
        return _CUT_ESCAPE.fullmatch(rest.lstrip("\\")) is not None
    if _CUT_NUMBER.fullmatch(text[max(at - 1, 0) : at] + rest):
        return True
    return said == "Expecting value" and _CUT_LITERAL.fullmatch(rest) is not None
