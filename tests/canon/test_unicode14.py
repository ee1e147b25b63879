"""The table of assigned code points, and that verdicts on text are equal on every Python."""

import hashlib
import sys
import unicodedata

import pytest

from canon.text import check_text, decode_text
from canon.errors import CborUnassigned, CborUtf8
from canon.unicode14 import first_unassigned

ASSIGNED_COUNT = 284_278 + 137_468 + 2_048  # characters, private use, surrogates
NFC_DIGEST = ""


def assigned() -> list[str]:
    """Return every character that the table calls assigned."""
    everything = map(chr, range(sys.maxunicode + 1))
    return [letter for letter in everything if first_unassigned(letter) is None]
