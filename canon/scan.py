"""The exact reader: one pass over the bytes, each rule of the profile checked where it applies.

``decode`` comes here for the name and the offset of a fault. This reader needs no library and is
what the fast path is measured against (``tests/canon/test_cbor_laws.py``). It recurses at most 16
times, and never allocates for a length before it has seen that so many bytes are there.
"""

from typing import TYPE_CHECKING, NoReturn, cast

from canon.bounds import INTEGER_KEYS_LIMIT, ITEMS_LIMIT, are_kept
from canon.errors import (
    CborBignum,
    CborDepth,
    CborFloat,
    CborHead,
    CborIndefinite,
    CborIntRange,
    CborKeyDuplicate,
    CborKeyOrder,
    CborKeyType,
    CborReserved,
    CborSimple,
    CborTag,
    CborTruncated,
    CborUndefined,
    Limit,
    Trailing,
)
from canon.text import decode_text

if TYPE_CHECKING:
    from canon.cbor import Value

DEPTH_LIMIT = 16
INT_LIMIT = 2**63

UNSIGNED, NEGATIVE, BYTES, TEXT, ARRAY, MAP, TAG, SPECIAL = range(8)
MAJOR_NAMES = (
    "an unsigned integer",
    "a negative integer",
    "a byte string",
    "text",
    "an array",
    "a map",
    "a tag",
    "a float or simple value",
)

# A number of 1, 2, 4 or 8 bytes follows the first byte; below these, a shorter head would do.
WIDTHS = {24: 1, 25: 2, 26: 4, 27: 8}
LEAST = {24: 24, 25: 2**8, 26: 2**16, 27: 2**32}
_INDEFINITE = 31
_SPECIAL_VALUES: dict[int, bool | None] = {0xF4: False, 0xF5: True, 0xF6: None}
_BIGNUM_TAGS = (2, 3)


def scan(data: bytes) -> "Value":
    """Return the value of the one canonical item that *data* is.

    Raises:
        Refusal: The first deviation from the profile, by code and offset; see ``specs/canon.md``.

    """
    if len(data) > ITEMS_LIMIT:
        are_kept(data)  # for the limit alone: what else is wrong is found below, and named
    value, end = _item(data, 0, DEPTH_LIMIT)
    if end != len(data):
        raise Trailing(f"byte {end}", f"{len(data) - end} more bytes", "the end", offset=end)
    return value


def _read_head(data: bytes, at: int) -> tuple[int, int, int]:
    """Return major type, number and end of the head at offset *at*, for major types 0 to 6.

    Raises:
        CborTruncated: The head goes on after the end of the input.
        CborReserved: Additional information 28 to 30, or 31 where it means nothing.
        CborIndefinite: An indefinite length, or a stop code.
        CborHead: A longer head than the number needs.

    """
    if at >= len(data):
        raise CborTruncated(f"byte {at}", "the end", "an item", offset=at)
    initial = data[at]
    major, info = initial >> 5, initial & 31
    if info < 24:
        return major, info, at + 1
    width = WIDTHS.get(info)
    if width is None:
        _refuse_info(initial, at)
    end = at + 1 + width
    if end > len(data):
        got = f"{len(data) - at - 1} of {width} bytes"
        raise CborTruncated(f"byte {at}", got, "a whole head", offset=at)
    number = int.from_bytes(data[at + 1 : end], "big")
    if number < LEAST[info]:
        got = f"{number} in {width} more bytes"
        raise CborHead(f"byte {at}", got, "the shortest head", offset=at)
    return major, number, end


def _item(data: bytes, at: int, depth: int) -> "tuple[Value, int]":
    """Return the item at offset *at* and its end; *depth* more levels are allowed."""
    if at < len(data) and data[at] >> 5 == SPECIAL:
        return _special(data, at), at + 1
    major, number, end = _read_head(data, at)
    if major == TAG:
        refusal = CborBignum if number in _BIGNUM_TAGS else CborTag
        raise refusal(f"byte {at}", f"tag {number}", "an item without tag", offset=at)
    if major in (UNSIGNED, NEGATIVE):
        if number >= INT_LIMIT:
            got = str(number if major == UNSIGNED else -1 - number)
            raise CborIntRange(f"byte {at}", got, "-2^63 … 2^63-1", offset=at)
        return (number if major == UNSIGNED else -1 - number), end
    if major in (ARRAY, MAP) and depth == 0:
        raise CborDepth(f"byte {at}", "a 17th level", f"at most {DEPTH_LIMIT}", offset=at)
    # Every item takes a byte at least, so a count is checked before anything is read for it.
    if number * (2 if major == MAP else 1) > len(data) - end:
        got = f"{len(data) - end} bytes for a stated length of {number}"
        raise CborTruncated(f"byte {at}", got, "the whole item", offset=at)
    if major == BYTES:
        return data[end : end + number], end + number
    if major == TEXT:
        return decode_text(data[end : end + number], f"byte {at}", at), end + number
    if major == ARRAY:
        return _array(data, end, number, depth - 1)
    return _map(data, end, number, depth - 1)


def _array(data: bytes, at: int, count: int, depth: int) -> "tuple[Value, int]":
    items: list[Value] = []
    for _ in range(count):
        item, at = _item(data, at, depth)
        items.append(item)
    return items, at


def _map(data: bytes, at: int, count: int, depth: int) -> "tuple[Value, int]":
    pairs: dict[str | int, Value] = {}
    previous = b""
    kind: int | None = None
    for number in range(count):
        key, end = _key(data, at, number, kind)
        kind = data[at] >> 5
        encoded = data[at:end]
        if encoded == previous:
            raise CborKeyDuplicate(f"byte {at}", "the key before it", "another key", offset=at)
        if encoded < previous:
            got = f"key {encoded[:24].hex()} after {previous[:24].hex()}"
            raise CborKeyOrder(f"byte {at}", got, "ascending keys", offset=at)
        previous = encoded
        pairs[key], at = _item(data, end, depth)
    return cast("Value", pairs), at


def _key(data: bytes, at: int, number: int, kind: int | None) -> tuple[str | int, int]:
    """Return key *number* at offset *at* and its end; *kind* is the first key's major type."""
    if at < len(data):
        major = data[at] >> 5
        if major not in (UNSIGNED, TEXT) or (kind is not None and major != kind):
            got = f"{MAJOR_NAMES[major]} as a key"
            expected = "keys all text or all unsigned integers"
            raise CborKeyType(f"byte {at}", got, expected, offset=at)
        if major == UNSIGNED and number == INTEGER_KEYS_LIMIT:
            got, expected = "one key more", f"at most {INTEGER_KEYS_LIMIT} keys that are integers"
            raise Limit(f"byte {at}", got, expected, offset=at)
    key, end = _item(data, at, 0)
    return cast("str | int", key), end


def _special(data: bytes, at: int) -> bool | None:
    """Return false, true or null; refuse everything else of major type 7."""
    initial = data[at]
    if initial in _SPECIAL_VALUES:
        return _SPECIAL_VALUES[initial]
    place, expected = f"byte {at}", "false, true or null"
    if initial == 0xF7:
        raise CborUndefined(place, "undefined", expected, offset=at)
    if 0xF9 <= initial <= 0xFB:
        raise CborFloat(place, f"a float of {2 << (initial - 0xF9)} bytes", expected, offset=at)
    if initial > 0xFB:
        _refuse_info(initial, at)
    raise CborSimple(place, "another simple value", expected, offset=at)


def _refuse_info(initial: int, at: int) -> NoReturn:
    """Refuse additional information 28 to 31 for what it means in this major type."""
    place, got = f"byte {at}", f"the initial byte {initial:02x}"
    if initial & 31 == _INDEFINITE and initial >> 5 not in (UNSIGNED, NEGATIVE, TAG):
        raise CborIndefinite(place, got, "a stated length", offset=at)
    raise CborReserved(place, got, "additional information that is in use", offset=at)
