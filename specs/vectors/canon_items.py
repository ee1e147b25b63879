"""The vectors of canonical items: bytes, and what they stand for or why they are refused."""

import re
from collections.abc import Iterator
from typing import Any

# Under its clause, each vector has a name, a comment, its bytes and what comes of them: the value
# in diagnostic notation, or the code of the refusal and the offset of the fault. ``x*15`` repeats.
_TABLE = """
CANON-1
every-type: One item of each type.
    88 00 20 41ff 6161 80 f4 f5 f6 -> [0, -1, h'ff', "a", [], false, true, null]
map-of-maps: Keys are of one kind in each map, not across maps.
    a1 6161 a2 00 a0 01 40 -> {"a": {0: {}, 1: h''}}

CANON-2
int-smallest: -2^63.
    3b 7fffffffffffffff -> -9223372036854775808
int-largest: 2^63-1.
    1b 7fffffffffffffff -> 9223372036854775807
int-too-large: 2^63.
    1b 8000000000000000 -> E_CBOR_INT_RANGE @0
int-too-small: -2^63-1.
    3b 8000000000000000 -> E_CBOR_INT_RANGE @0
key-too-large: 2^63 as a key.
    a1 1b 8000000000000000 00 -> E_CBOR_INT_RANGE @1

CANON-3
heads-at-their-limits: The largest and smallest number of each head.
    86 17 1818 18ff 190100 1a00010000 1b0000000100000000 -> [23, 24, 255, 256, 65536, 4294967296]
head-of-1-byte-for-23: 23 fits the first byte.
    18 17 -> E_CBOR_HEAD @0
head-of-2-bytes-for-255: 255 fits one byte.
    19 00ff -> E_CBOR_HEAD @0
head-of-4-bytes-for-65535: 65535 fits two bytes.
    1a 0000ffff -> E_CBOR_HEAD @0
head-of-8-bytes-for-2-32-less-1: 2^32-1 fits four bytes.
    1b 00000000ffffffff -> E_CBOR_HEAD @0
long-head-of-negative: -1 in two bytes.
    38 00 -> E_CBOR_HEAD @0
long-head-of-bytes: A length in two bytes.
    58 01 ff -> E_CBOR_HEAD @0
long-head-of-text: A length in two bytes.
    78 01 61 -> E_CBOR_HEAD @0
long-head-of-array: A count in two bytes.
    98 01 00 -> E_CBOR_HEAD @0
long-head-of-map: A count in two bytes.
    b8 01 00 00 -> E_CBOR_HEAD @0
long-head-inside: The second item is long.
    82 00 1800 -> E_CBOR_HEAD @2

CANON-4
indefinite-bytes: Bytes in pieces.
    5f 4100 ff -> E_CBOR_INDEFINITE @0
indefinite-text: Text in pieces.
    7f 6161 ff -> E_CBOR_INDEFINITE @0
indefinite-array: An array without count.
    9f 00 ff -> E_CBOR_INDEFINITE @0
indefinite-map: A map without count.
    bf 00 00 ff -> E_CBOR_INDEFINITE @0
stop-code-alone: A stop code outside.
    ff -> E_CBOR_INDEFINITE @0
stop-code-as-item: A stop code in an array of stated length.
    82 00 ff -> E_CBOR_INDEFINITE @2

CANON-5
reserved-28: Additional information 28.
    1c -> E_CBOR_RESERVED @0
reserved-29: Additional information 29.
    5d -> E_CBOR_RESERVED @0
reserved-30: Additional information 30.
    9e -> E_CBOR_RESERVED @0
reserved-31-of-integer: Integers have no indefinite length.
    1f -> E_CBOR_RESERVED @0
reserved-31-of-tag: Tags have no indefinite length.
    df 00 -> E_CBOR_RESERVED @0
reserved-special: Major type 7, information 28.
    fc -> E_CBOR_RESERVED @0

CANON-6
empty-input: No item at all.
    -> E_CBOR_TRUNCATED @0
cut-in-head: One of two bytes of the number.
    19 01 -> E_CBOR_TRUNCATED @0
cut-in-bytes: One of two bytes.
    42 00 -> E_CBOR_TRUNCATED @0
cut-in-text: One of two bytes.
    62 61 -> E_CBOR_TRUNCATED @0
cut-in-array: One of two items.
    82 00 -> E_CBOR_TRUNCATED @0
cut-in-map: A key without its value.
    a1 00 -> E_CBOR_TRUNCATED @0
cut-behind-a-string: As many bytes as items are left, but the first item takes them all.
    82 4100 -> E_CBOR_TRUNCATED @3
bomb-bytes: A stated length of 2^63-1.
    5b 7fffffffffffffff 00 -> E_CBOR_TRUNCATED @0
bomb-array: A stated count of 2^63-1.
    9b 7fffffffffffffff 00 -> E_CBOR_TRUNCATED @0
bomb-map: A stated count of 2^64-1.
    bb ffffffffffffffff 0000 -> E_CBOR_TRUNCATED @0

CANON-7
trailing-byte: A second item.
    00 00 -> E_TRAILING @1
trailing-rubbish: A byte that is no item.
    80 ff -> E_TRAILING @1

CANON-8
depth-16: Sixteen arrays.
    81*15 80 -> [*16 ]*16
depth-embedded: A byte string that holds an array is not a level.
    81*15 81 41 81 -> [*16 h'81' ]*16
depth-17-array: A seventeenth array, empty.
    81*15 81 80 -> E_CBOR_DEPTH @16
depth-17-map: A map as seventeenth level.
    81*15 81 a0 -> E_CBOR_DEPTH @16

CANON-9
float-16: 1.0 in two bytes.
    f9 3c00 -> E_CBOR_FLOAT @0
float-32: 1.0 in four bytes.
    fa 3f800000 -> E_CBOR_FLOAT @0
float-64: 1.1 in eight bytes.
    fb 3ff199999999999a -> E_CBOR_FLOAT @0
float-negative-zero: -0.0.
    f9 8000 -> E_CBOR_FLOAT @0
float-nan: Not a number.
    f9 7e00 -> E_CBOR_FLOAT @0
float-in-array: 1.0 in eight bytes, which decoding and encoding again keeps.
    82 01 fb 3ff0000000000000 -> E_CBOR_FLOAT @2

CANON-10
tag-time: Tag 1, a time.
    c1 00 -> E_CBOR_TAG @0
tag-self-described: Tag 55799 in front.
    d9d9f7 00 -> E_CBOR_TAG @0
tag-shared: Tags 28 and 29, a shared reference.
    82 d81c 80 d81d 00 -> E_CBOR_TAG @1
tag-cose-sign1: Tag 18 is not part of the profile.
    d2 84 43 a10126 a0 f6 40 -> E_CBOR_TAG @0

CANON-11
bignum-positive: 2^64.
    c2 49 010000000000000000 -> E_CBOR_BIGNUM @0
bignum-negative: -2^64-1.
    c3 49 010000000000000000 -> E_CBOR_BIGNUM @0
bignum-small: 1 as a bignum.
    c2 41 01 -> E_CBOR_BIGNUM @0

CANON-12
simple-0: Simple value 0.
    e0 -> E_CBOR_SIMPLE @0
simple-19: Simple value 19.
    f3 -> E_CBOR_SIMPLE @0
simple-255: Simple value 255.
    f8 ff -> E_CBOR_SIMPLE @0
simple-true-in-two-bytes: Not well-formed by RFC 8949.
    f8 15 -> E_CBOR_SIMPLE @0

CANON-13
undefined: The value undefined.
    f7 -> E_CBOR_UNDEFINED @0
undefined-in-map: As the value of a key.
    a1 6161 f7 -> E_CBOR_UNDEFINED @3

CANON-14
keys-length-first: Length in bytes first, then bytes.
    a3 6162 00 626161 00 62c3a9 00 -> {"b": 0, "aa": 0, "é": 0}
keys-integers: In the order of numbers.
    a3 00 00 1818 00 190100 00 -> {0: 0, 24: 0, 256: 0}
keys-alphabetical: Alphabetical, with the longer key first.
    a2 626161 00 6162 00 -> E_CBOR_KEY_ORDER @5
keys-descending: One length, descending.
    a2 6162 00 6161 00 -> E_CBOR_KEY_ORDER @4
keys-integers-descending: 1 before 0.
    a2 01 00 00 00 -> E_CBOR_KEY_ORDER @3
keys-repeated-later: The first key once more, after another.
    a3 6161 00 6162 00 6161 00 -> E_CBOR_KEY_ORDER @7

CANON-15
key-twice: Text twice.
    a2 6161 00 6161 01 -> E_CBOR_KEY_DUPLICATE @4
key-twice-integer: 0 twice.
    a2 00 00 00 00 -> E_CBOR_KEY_DUPLICATE @3

CANON-16
key-negative: -1 as a key.
    a1 20 00 -> E_CBOR_KEY_TYPE @1
key-bytes: Bytes as a key.
    a1 4161 00 -> E_CBOR_KEY_TYPE @1
key-array: An array as a key.
    a1 80 00 -> E_CBOR_KEY_TYPE @1
key-map: A map as a key.
    a1 a0 00 -> E_CBOR_KEY_TYPE @1
key-tag: A tag as a key.
    a1 c1 00 00 -> E_CBOR_KEY_TYPE @1
key-true: True as a key, equal to 1 in Python.
    a1 f5 00 -> E_CBOR_KEY_TYPE @1
keys-mixed: An integer, then text, in the order of bytes.
    a2 00 00 6161 00 -> E_CBOR_KEY_TYPE @3

CANON-17
text-greek: Two bytes for each letter.
    64 cebacf8c -> "κό"
utf8-lone-byte: ff is in no UTF-8.
    61 ff -> E_CBOR_UTF8 @0
utf8-overlong: U+0000 in two bytes.
    62 c080 -> E_CBOR_UTF8 @0
utf8-surrogate: U+D800.
    63 eda080 -> E_CBOR_UTF8 @0
utf8-cut: Two of three bytes of U+20AC.
    82 62e282 00 -> E_CBOR_UTF8 @1
utf8-beyond: U+110000.
    64 f4908080 -> E_CBOR_UTF8 @0
utf8-key: In a key.
    a1 61ff 00 -> E_CBOR_UTF8 @1

CANON-18
text-emoji: U+1FAE0, new in Unicode 14.0.
    64 f09fab a0 -> "🫠"
text-private-use: U+E000, category Co.
    63 ee8080 -> "\ue000"
unassigned-gap: U+0378, never assigned.
    62 cdb8 -> E_CBOR_UNASSIGNED @0
unassigned-noncharacter: U+FFFF.
    63 efbfbf -> E_CBOR_UNASSIGNED @0
unassigned-newer: U+1FAE8, assigned in Unicode 15.0.
    64 f09fab a8 -> E_CBOR_UNASSIGNED @0
unassigned-ideograph: U+31350, assigned in Unicode 15.0.
    64 f0b18d90 -> E_CBOR_UNASSIGNED @0
unassigned-and-not-nfc: Of two faults in one text the lower clause is named.
    65 65 cc81 cdb8 -> E_CBOR_UNASSIGNED @0
unassigned-key: In a key.
    a1 62 cdb8 00 -> E_CBOR_UNASSIGNED @1

CANON-19
nfc-composed: U+00E9.
    62 c3a9 -> "é"
nfc-decomposed: e and U+0301.
    63 65cc81 -> E_CBOR_NFC @0
nfc-singleton: U+212B, the sign of the unit.
    63 e284ab -> E_CBOR_NFC @0
nfc-mark-order: U+0301 before U+0323, which belongs first.
    65 61 cc81 cca3 -> E_CBOR_NFC @0
nfc-hangul: Two jamo for one syllable.
    66 e18480 e185a1 -> E_CBOR_NFC @0
nfc-excluded: U+0915 and U+093C: NFC leaves them apart.
    66 e0a495 e0a4bc -> "क़"
nfc-excluded-composed: U+0958, which NFC takes apart for good.
    63 e0a598 -> E_CBOR_NFC @0
nfc-key: In a key.
    a1 63 65cc81 00 -> E_CBOR_NFC @1

CANON-39
first-of-two: A long head, then a float: the lower offset is named.
    82 1800 f93c00 -> E_CBOR_HEAD @1
length-before-content: The count does not fit, and the first item is undefined.
    83 f7 00 -> E_CBOR_TRUNCATED @0
key-type-before-head: A key that is bytes with a long head.
    a1 5800 00 -> E_CBOR_KEY_TYPE @1
depth-before-length: A seventeenth level that also states too many items.
    81*15 81 9a00010000 -> E_CBOR_DEPTH @16
"""


def items() -> Iterator[dict[str, Any]]:
    """Yield the vectors of CANON-1 to CANON-19 and CANON-39."""
    clause = name = comment = ""
    for line in _TABLE.strip().splitlines():
        if line.startswith("CANON-"):
            clause = line
        elif line.startswith(" "):
            hexa, outcome = line.strip().removesuffix("->").split("-> ", 1)
            yield {"name": name, "comment": comment, "clause": clause, **_outcome(hexa, outcome)}
        elif line:
            name, comment = line.split(": ", 1)


def _outcome(hexa: str, outcome: str) -> dict[str, Any]:
    data = {"input_hex": _repeated(hexa).replace(" ", "")}
    refusal = re.fullmatch(r"(E_[A-Z0-9_]+) @([0-9]+)", outcome)
    if refusal:
        code, offset = refusal.groups()
        return {"expect": "refuse", "code": code, **data, "offset": int(offset)}
    return {"expect": "accept", "code": None, **data, "diagnostic": _repeated(outcome)}


def _repeated(text: str) -> str:
    return re.sub(r" ?(\S+)\*([0-9]+) ?", lambda found: found[1] * int(found[2]), text)
