"""Standard base64 (RFC 4648 §4) in its one canonical spelling.

Strict decoders still take four spellings for the same bytes, because the last character may have
bits that nothing reads; a note's text must not be changeable without its bytes changing.
"""

import base64
import binascii


def encode(data: bytes) -> str:
    """Return the base64 of *data*, padded."""
    return base64.b64encode(data).decode()


def decode(text: str) -> bytes | None:
    """Return the bytes that *text* is the canonical base64 of; None for any other text."""
    try:
        data = base64.b64decode(text)  # what it skips is missed below
    except (binascii.Error, ValueError):
        return None
    return data if encode(data) == text else None
