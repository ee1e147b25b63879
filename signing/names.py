"""Which texts may stand as names: of logs, witnesses, controllers, operators and roles.

The sets are written out, so that a verdict does not change with Python's Unicode tables.
"""

LIMIT = 256
"""Most UTF-8 bytes of a name."""

# White_Space in Unicode; C2SP signed-note forbids it in key names.
_SPACES = frozenset(
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
# C0, DEL, C1, separators, and the directional marks that make one name look like another.
_MISLEADING = (
    frozenset(map(chr, [*range(0x20), *range(0x7F, 0xA0)]))
    | frozenset("\u061c\u200e\u200f\u2028\u2029\ufeff")
    | frozenset(map(chr, [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]))
)


def is_name(text: str) -> bool:
    """Say whether *text* is 1 to 256 bytes without controls and directional marks."""
    if not text or len(text) > LIMIT or not _MISLEADING.isdisjoint(text):
        return False
    return _is_utf8(text) and len(text.encode()) <= LIMIT


def is_note_name(text: str) -> bool:
    """Say whether *text* can name a key in anybody's note (C2SP signed-note, Format)."""
    return bool(text) and "+" not in text and _SPACES.isdisjoint(text) and _is_utf8(text)


def is_key_name(text: str) -> bool:
    """Say whether *text* can name a key of ours: a name that notes allow."""
    return is_name(text) and is_note_name(text)


def is_origin(text: str) -> bool:
    """Say whether *text* can be a log's origin: a key name without ``#``.

    A signature's subject is ``origin#edition``; with ``#`` in the origin two editions could
    share one.
    """
    return is_key_name(text) and "#" not in text


def _is_utf8(text: str) -> bool:
    """Say whether *text* is without lone surrogates, which have no bytes."""
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)
