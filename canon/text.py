"""What text may be: UTF-8 of code points that Unicode 14.0 assigns, in NFC."""

from unicodedata import is_normalized

from canon.errors import CborNfc, CborUnassigned, CborUtf8
from canon.excerpt import excerpt
from canon.unicode14 import first_unassigned


def is_canonical_text(text: str) -> bool:
    """Tell whether *text* may stand in canonical data; quick for ASCII."""
    return text.isascii() or (first_unassigned(text) is None and is_normalized("NFC", text))


def check_text(text: str, place: str, offset: int | None = None) -> None:
    """Refuse text that may not stand in canonical data.

    Args:
        text: The text, decoded.
        place: Where it stands, for the message.
        offset: Byte offset of its item, where there is one.

    Raises:
        CborUtf8: A lone surrogate, which UTF-8 cannot express (CANON-17).
        CborUnassigned: A code point that Unicode 14.0 does not assign (CANON-18).
        CborNfc: Text that NFC would change (CANON-19).

    """
    if text.isascii():
        return
    # Assignment comes first: NFC is only stable for code points that are assigned.
    index = first_unassigned(text)
    if index is not None:
        got = f"U+{ord(text[index]):04X} at character {index}"
        if "\ud800" <= text[index] <= "\udfff":
            raise CborUtf8(place, got, "text without lone surrogates", offset=offset)
        raise CborUnassigned(place, got, "code points of Unicode 14.0", offset=offset)
    if not is_normalized("NFC", text):
        raise CborNfc(place, excerpt(text), "text in Normalization Form C", offset=offset)


def decode_text(data: bytes, place: str, offset: int | None = None) -> str:
    """Return the text that *data* encodes, checked.

    Raises:
        CborUtf8: The bytes are not UTF-8 (CANON-17).
        CborUnassigned: As ``check_text``.
        CborNfc: As ``check_text``.

    """
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        got = f"byte {data[error.start]:02x} after {error.start} bytes of text"
        raise CborUtf8(place, got, "UTF-8", offset=offset) from None
    check_text(text, place, offset)
    return text
