"""What canon refuses: one fault, one class, one code.

The clauses named here are those of ``specs/canon.md``.
"""

from typing import ClassVar

from canon.refusal import Refusal


class CborFloat(Refusal):
    """A floating-point number stands in canonical data (CANON-9)."""

    code: ClassVar[str] = "E_CBOR_FLOAT"
    remedy = "write the quantity as an integer with its unit in the name, or as decimal text"


class CborTag(Refusal):
    """A tag stands in canonical data (CANON-10)."""

    code: ClassVar[str] = "E_CBOR_TAG"
    remedy = "write the tagged content alone, as text or an integer"


class CborBignum(Refusal):
    """An integer is written as a bignum, tag 2 or 3 (CANON-11)."""

    code: ClassVar[str] = "E_CBOR_BIGNUM"
    remedy = "write an integer outside 64 bits as decimal text"


class CborSimple(Refusal):
    """A simple value other than false, true and null stands in canonical data (CANON-12)."""

    code: ClassVar[str] = "E_CBOR_SIMPLE"
    remedy = "use false, true or null"


class CborUndefined(Refusal):
    """The value undefined stands in canonical data (CANON-13)."""

    code: ClassVar[str] = "E_CBOR_UNDEFINED"
    remedy = "use null, or leave the key out"


class CborIntRange(Refusal):
    """An integer lies outside -2^63 … 2^63-1 (CANON-2)."""

    code: ClassVar[str] = "E_CBOR_INT_RANGE"
    remedy = "write an integer outside 64 bits as decimal text"


class CborHead(Refusal):
    """A head is longer than its number needs (CANON-3)."""

    code: ClassVar[str] = "E_CBOR_HEAD"
    remedy = "encode every number and length in its shortest form"


class CborIndefinite(Refusal):
    """A length is indefinite, or a stop code stands alone (CANON-4)."""

    code: ClassVar[str] = "E_CBOR_INDEFINITE"
    remedy = "state every length in the head"


class CborReserved(Refusal):
    """A head uses additional information that RFC 8949 reserves (CANON-5)."""

    code: ClassVar[str] = "E_CBOR_RESERVED"
    remedy = "restore the data from where it came: no CBOR writer produces this byte"


class CborKeyOrder(Refusal):
    """The keys of a map do not ascend (CANON-14)."""

    code: ClassVar[str] = "E_CBOR_KEY_ORDER"
    remedy = "sort the keys of every map by their encoded bytes"


class CborKeyDuplicate(Refusal):
    """A key stands twice in one map (CANON-15)."""

    code: ClassVar[str] = "E_CBOR_KEY_DUPLICATE"
    remedy = "decide which of the two values is meant and write the key once"


class CborKeyType(Refusal):
    """The keys of a map are not all text or all unsigned integers (CANON-16)."""

    code: ClassVar[str] = "E_CBOR_KEY_TYPE"
    remedy = "use text for every key of the map"


class CborUtf8(Refusal):
    """Text is not valid UTF-8 (CANON-17)."""

    code: ClassVar[str] = "E_CBOR_UTF8"
    remedy = "keep bytes that are not text in a byte string or a blob"


class CborUnassigned(Refusal):
    """Text holds a code point that Unicode 14.0 does not assign (CANON-18)."""

    code: ClassVar[str] = "E_CBOR_UNASSIGNED"
    remedy = "keep text with newer characters in a blob"


class CborNfc(Refusal):
    """Text is not in Normalization Form C (CANON-19)."""

    code: ClassVar[str] = "E_CBOR_NFC"
    remedy = "normalize the text to NFC, or keep it as it is in a blob"


class CborDepth(Refusal):
    """Arrays and maps are nested more than 16 deep (CANON-8)."""

    code: ClassVar[str] = "E_CBOR_DEPTH"
    remedy = "flatten the data, or embed the inner part as a byte string"


class CborTruncated(Refusal):
    """The input ends inside an item (CANON-6)."""

    code: ClassVar[str] = "E_CBOR_TRUNCATED"
    remedy = "fetch the data again: its end is missing"


class Trailing(Refusal):
    """Bytes follow the item (CANON-7)."""

    code: ClassVar[str] = "E_TRAILING"
    remedy = "find out who appended to the data, and get it again as it was made"


class CborType(Refusal):
    """A value to encode has a type outside the profile (CANON-1)."""

    code: ClassVar[str] = "E_CBOR_TYPE"
    remedy = "convert the value to int, bytes, str, bool, None, list or dict first"


class Frame(Refusal):
    """An item of a CBOR sequence is not the item that must stand there (CANON-20)."""

    code: ClassVar[str] = "E_FRAME"
    remedy = "export the file again: its items are not in the form that the format prescribes"


class Truncated(Refusal):
    """A CBOR sequence ends inside an item (CANON-21)."""

    code: ClassVar[str] = "E_TRUNCATED"
    remedy = "fetch the file again: its end is missing"


class Limit(Refusal):
    """A stated length or count is over its limit (CANON-22)."""

    code: ClassVar[str] = "E_LIMIT"
    remedy = "do not open this file with higher limits; ask its sender what it holds"


class Salt(Refusal):
    """The salt of a commitment is not 32 bytes long (CANON-24)."""

    code: ClassVar[str] = "E_SALT"
    remedy = "draw a salt of 32 random bytes for each commitment"


class ProofShape(Refusal):
    """A proof has numbers, hashes or a path that no tree of this size has (CANON-27)."""

    code: ClassVar[str] = "E_PROOF_SHAPE"
    remedy = "ask for the proof again, from the log itself"


class ProofSize(Refusal):
    """The tree sizes of a proof do not go together (CANON-28)."""

    code: ClassVar[str] = "E_PROOF_SIZE"
    remedy = "ask for a proof between the two sizes that are compared"


class Index(Refusal):
    """The index of a proof is not that of a leaf in the tree (CANON-29)."""

    code: ClassVar[str] = "E_INDEX"
    remedy = "ask for a proof at the sequence number of the entry"


class Inclusion(Refusal):
    """An inclusion proof does not lead from the leaf to the root (CANON-30)."""

    code: ClassVar[str] = "E_INCLUSION"
    remedy = "treat the entry as not in this log"


class Consistency(Refusal):
    """A consistency proof does not join the two roots (CANON-31)."""

    code: ClassVar[str] = "E_CONSISTENCY"
    remedy = "keep both checkpoints as evidence: the log may have rewritten its history"


class DecimalText(Refusal):
    """Text is not the canonical form of a decimal (CANON-32)."""

    code: ClassVar[str] = "E_DECIMAL"
    remedy = "write the decimal without exponent, plus sign, leading or trailing zeros"


class NumberLiteral(Refusal):
    """Text is not a JSON number (CANON-33)."""

    code: ClassVar[str] = "E_NUMBER"
    remedy = "write the number as RFC 8259 section 6 says"


class NumberRange(Refusal):
    """A number has more digits or a larger exponent than the profile allows (CANON-34)."""

    code: ClassVar[str] = "E_NUMBER_RANGE"
    remedy = "keep the number as it was written in a blob"


class Quotient(Refusal):
    """A quotient is not in its one canonical form (CANON-35)."""

    code: ClassVar[str] = "E_QUOTIENT"
    remedy = "write decimal text if the quotient ends, else [numerator, denominator] reduced"


class InstantText(Refusal):
    """Text is not a time, or not in the form that was asked for (CANON-36)."""

    code: ClassVar[str] = "E_INSTANT"
    remedy = "write the time as YYYY-MM-DDTHH:MM:SS.ffffffZ"


class InstantNaive(Refusal):
    """A time lacks its offset from UTC (CANON-37)."""

    code: ClassVar[str] = "E_INSTANT_NAIVE"
    remedy = "add Z or the offset from UTC that the clock had"


class InstantPrecision(Refusal):
    """A time is finer than a microsecond (CANON-38)."""

    code: ClassVar[str] = "E_INSTANT_PRECISION"
    remedy = "round to microseconds where the time is measured, or keep the text in a blob"
