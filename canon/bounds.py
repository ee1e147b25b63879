"""A look ahead at what an input would become, before anything is built of it (CANON-41, CANON-42).

A byte can stand for an object of a hundred, and Python looks up the integers that key a map by
hashes that their writer can choose to be alike. So inputs that are long enough for either to
matter are walked once, head by head, and nothing is kept of them.
"""

from canon.errors import Limit

ITEMS_LIMIT = 2**20
INTEGER_KEYS_LIMIT = 64

SMALL_BYTES = 4_096
"""An input of at most this many bytes is no trouble, whatever stands in it."""

_TEXT, _ARRAY, _MAP = 3, 4, 5
# By first byte: how long a whole item is, for arrays and maps only their head. 0 says that its
# length is stated in further bytes, or that no item begins so.
_STEPS = bytes(
    1 + (info if major in (2, _TEXT) else 0)
    if info < 24
    else (2, 3, 5, 9)[info - 24]
    if info < 28 and major in (0, 1, 6, 7)
    else 0
    for major in range(8)
    for info in range(32)
)
# By first byte: how many items follow inside, where it says so itself.
_INSIDE = bytes(
    {_ARRAY: info, _MAP: 2 * info, 6: 1}.get(major, 0) if info < 24 else int(major == 6)
    for major in range(8)
    for info in range(32)
)

# Strings whose length is in the next byte, as that of most figures' paths is.
_SHORT_STRINGS = b"\x58\x78"


def are_kept(data: bytes) -> bool:
    """Tell whether *data* is a whole item within the limits; False where the scanner must say.

    Heads are followed whatever their form, so this is no check of it. Where it is true, decoding
    makes at most 2^20 items, and no map of more than 64 keys has a key that is not text.

    Raises:
        Limit: There are more items than that (CANON-41).

    """
    at, items, pending, size = 0, 0, 1, len(data)
    # Of the maps with many keys around the item: pairs still to come, and what follows the map.
    around: list[list[int]] = []
    while at < size:
        if items == ITEMS_LIMIT:
            raise Limit(f"byte {at}", "one item more", f"at most {ITEMS_LIMIT} items", offset=at)
        items += 1
        first = data[at]
        step = _STEPS[first]
        if step:
            at += step
            pending += _INSIDE[first] - 1
        elif first in _SHORT_STRINGS and at + 1 < size:
            at += 2 + data[at + 1]
            pending -= 1
        else:
            major = first >> 5
            head, number = _long_head(data, at)
            if not head or number > size - at:
                return False
            at += head
            if major == _MAP and number > INTEGER_KEYS_LIMIT:
                around.append([number + 1, pending - 1])
                pending = 0
            elif major in (_ARRAY, _MAP):
                pending += number * (2 if major == _MAP else 1) - 1
            else:
                at += number
                pending -= 1
        while not pending:
            if not around:
                return at == size
            pairs = around[-1]
            pairs[0] -= 1
            if pairs[0]:
                # The key is met as an item of its own, its value after it.
                if at >= size or data[at] >> 5 != _TEXT:
                    return False
                pending = 2
            else:
                pending = around.pop()[1]
    return False


def _long_head(data: bytes, at: int) -> tuple[int, int]:
    """Return length and number of a head whose number follows its first byte; 0 and 0 of none."""
    info = data[at] & 31
    if not 24 <= info <= 27:
        return 0, 0
    end = at + 1 + (1 << info - 24)
    return end - at, int.from_bytes(data[at + 1 : end], "big")
