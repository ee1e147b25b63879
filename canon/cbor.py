"""Canonical CBOR: the bytes of a value, and the value of bytes that are canonical.

The profile (``specs/canon.md``) is valid RFC 8949 section 4.2.1, CDE and dCBOR at once: integers
of 64 bits, byte strings, NFC text, arrays, maps, false, true and null; nothing else.

``decode`` lets cbor2 read, looks at the types and keys that came out, encodes again and compares.
None of the three is enough alone: cbor2 accepts long heads and unsorted keys, and a float or
undefined comes out of encoding as it went in. Whatever fails is read again by ``scan``, which
names the rule and the offset, and which has the last word.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NoReturn, TypeAlias

from cbor2 import dumps, loads

from canon.bounds import INTEGER_KEYS_LIMIT, ITEMS_LIMIT, SMALL_BYTES, are_kept
from canon.errors import CborDepth, CborFloat, CborIntRange, CborKeyType, CborType, Limit
from canon.excerpt import excerpt
from canon.scan import DEPTH_LIMIT, INT_LIMIT, scan
from canon.text import check_text, is_canonical_text

Value: TypeAlias = (
    "int | bytes | str | bool | list[Value] | dict[str, Value] | dict[int, Value] | None"
)
Encodable: TypeAlias = (
    "int | bytes | str | bool | Sequence[Encodable]"
    " | Mapping[str, Encodable] | Mapping[int, Encodable] | None"
)

_INT_MIN, _INT_MAX = -INT_LIMIT, INT_LIMIT - 1
_CONTAINERS = (dict, list, tuple)

# Maps of a ledger have few shapes, so what was found about a sequence of text keys is remembered:
# that it is canonical, or which sequence of the same keys is. The bounds keep a hostile input from
# filling the memory.
_SHAPES_LIMIT = 1024
_SHAPE_CHARACTERS_LIMIT = 1024
_canonical_shapes: set[tuple[Any, ...]] = set()
_orders: dict[tuple[Any, ...], list[Any]] = {}


class _NoTags(Mapping[int, Any]):
    """A decoder for every tag, which refuses: cbor2 must not even build what tags 28, 29 share."""

    def __getitem__(self, tag: int) -> NoReturn:
        raise ValueError(tag)

    def __iter__(self) -> Iterator[int]:
        return iter(())

    def __len__(self) -> int:
        return 1


_NO_TAGS = _NoTags()


def decode(data: bytes) -> Value:
    """Return the value of *data*, which must be one canonical item and nothing else.

    Raises:
        Refusal: The first deviation from the profile, by code and offset (CANON-1 to CANON-19,
            CANON-41, CANON-42).

    """
    # Every item takes a byte at least, so that most inputs are within the limits by their length.
    if len(data) <= SMALL_BYTES or are_kept(data):
        # Two keys that are equal leave a smaller map, so the comparison finds them too.
        try:
            value: Value = loads(
                data, semantic_decoders=_NO_TAGS, max_depth=DEPTH_LIMIT, allow_indefinite=False
            )
            if _are_canonical((value,), DEPTH_LIMIT) and dumps(value) == data:
                return value
        except Exception:  # whatever cbor2 makes of it, the scanner says what is wrong
            return scan(data)
        del value  # the scanner makes another, and one at a time is enough
    return scan(data)


def encode(value: Encodable) -> bytes:
    """Return the canonical bytes of *value*; the keys of maps may come in any order.

    Raises:
        CborType: A value is not an int, bytes, str, bool, None, list, tuple or dict.
        CborFloat: A value is a float.
        CborIntRange: An integer is outside 64 bits.
        CborKeyType: The keys of a map are not all text or all unsigned integers.
        Limit: A map has more than 64 keys that are integers, or there are more than 2^20 items.
        CborDepth: Arrays and maps are nested more than 16 deep.
        CborUtf8: Text holds a lone surrogate.
        CborUnassigned: Text holds a code point that Unicode 14.0 does not assign.
        CborNfc: Text is not in NFC.

    """
    # The depth is known before the encoder runs: cbor2 has no limit and recurses on the C stack.
    if not _are_canonical((value,), DEPTH_LIMIT):
        value = _arranged(value, DEPTH_LIMIT)
        if not _are_canonical((value,), DEPTH_LIMIT):
            _check(value, "", DEPTH_LIMIT)
    data: bytes = dumps(value)
    if len(data) > ITEMS_LIMIT:
        are_kept(data)  # what no reader accepts is not written
    return data


def _are_canonical(items: Iterable[Any], depth: int) -> bool:
    """Tell whether plain ``dumps`` gives the canonical bytes of each of *items*.

    One loop over a container, without a call for each item: this and the two calls of cbor2 are
    what strict decoding costs.
    """
    for item in items:
        kind = type(item)
        if kind is str:
            if not item.isascii() and not is_canonical_text(item):
                return False
        elif kind is bytes:
            continue
        elif kind is int:
            if not _INT_MIN <= item <= _INT_MAX:
                return False
        elif kind is dict:
            keys = tuple(item)
            if keys not in _canonical_shapes and not _are_canonical_keys(keys):
                return False
            if depth == 0 or not _are_canonical(item.values(), depth - 1):
                return False
        elif kind is list or kind is tuple:
            if depth == 0 or not _are_canonical(item, depth - 1):
                return False
        elif kind is not bool and item is not None:
            return False
    return True


def _are_canonical_keys(keys: tuple[Any, ...]) -> bool:
    """Tell whether *keys* are of one kind and ascend; remember text keys that do."""
    kinds = set(map(type, keys))
    if kinds == {int}:
        few = len(keys) <= INTEGER_KEYS_LIMIT
        return few and keys[0] >= 0 and keys[-1] <= _INT_MAX and _ascend(keys)
    if kinds == {str}:
        if not all(map(is_canonical_text, keys)) or not _ascend([_text_rank(key) for key in keys]):
            return False
        if _is_worth_keeping(keys, len(_canonical_shapes)):
            _canonical_shapes.add(keys)
        return True
    return not keys


def _ascend(ranks: Sequence[Any]) -> bool:
    return all(before < after for before, after in pairwise(ranks))


def _text_rank(text: str) -> tuple[int, str]:
    """Return what sorts text as its encoded bytes do: length in bytes, then code points."""
    return (len(text) if text.isascii() else len(text.encode(errors="replace")), text)


def _is_worth_keeping(keys: tuple[str, ...], kept: int) -> bool:
    return kept < _SHAPES_LIMIT and sum(map(len, keys)) <= _SHAPE_CHARACTERS_LIMIT


def _arranged(value: Any, depth: int) -> Any:
    """Return *value* with the keys sorted in all maps that can be sorted, *depth* levels down."""
    kind = type(value)
    if depth == 0 or (kind is not dict and kind is not list and kind is not tuple):
        return value
    if kind is not dict:
        return [_arranged(item, depth - 1) for item in value]
    keys = tuple(value)
    order = _orders.get(keys) or _sorted_keys(keys)
    return {
        key: _arranged(item, depth - 1) if type(item := value[key]) in _CONTAINERS else item
        for key in order
    }


def _sorted_keys(keys: tuple[Any, ...]) -> Sequence[Any]:
    """Return *keys* in the order of their encoded bytes, or as they are if they have none."""
    kinds = set(map(type, keys))
    if kinds == {int}:
        return sorted(keys)
    if kinds != {str}:
        return keys
    order = sorted(keys, key=_text_rank)
    if _is_worth_keeping(keys, len(_orders)):
        _orders[keys] = order
    return order


def _check(value: Any, place: str, depth: int) -> None:
    """Refuse what cannot be encoded; *place* is a JSON pointer, *depth* the levels left."""
    kind = type(value)
    where = f"value at {excerpt(place)}" if place else "value"
    if kind is str:
        check_text(value, where)
    elif kind is int:
        if not _INT_MIN <= value <= _INT_MAX:
            raise CborIntRange(where, f"{value.bit_length()} bits", "-2^63 … 2^63-1")
    elif kind in _CONTAINERS:
        if depth == 0:
            raise CborDepth(where, "a 17th level", f"at most {DEPTH_LIMIT}")
        if kind is dict:
            _check_keys(value, where)
        pairs = value.items() if kind is dict else enumerate(value)
        for key, item in pairs:
            _check(item, f"{place}/{key}", depth - 1)
    elif kind is float:
        raise CborFloat(where, repr(value), "an integer or decimal text")
    elif kind is not bool and kind is not bytes and value is not None:
        raise CborType(where, kind.__name__, "int, bytes, str, bool, None, list, tuple or dict")


def _check_keys(value: dict[Any, Any], where: str) -> None:
    kinds = set(map(type, value))
    if kinds == {str}:
        for key in value:
            check_text(key, f"key {excerpt(key)} of {where}")
    elif kinds == {int} and len(value) > INTEGER_KEYS_LIMIT:
        expected = f"at most {INTEGER_KEYS_LIMIT} keys that are integers"
        raise Limit(f"keys of {where}", f"{len(value)} keys", expected)
    elif kinds and not (kinds == {int} and min(value) >= 0 and max(value) <= _INT_MAX):
        got = "keys of type " + ", ".join(sorted(kind.__name__ for kind in kinds))
        raise CborKeyType(where, got, "keys all text or all unsigned integers of 63 bits")
