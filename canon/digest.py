"""SHA-256 with a versioned label before each kind of input (``specs/canon.md``, Digests).

A label keeps the inputs of one kind apart from those of every other, so that a digest made for
one purpose can never be shown for another. Digests of whole files carry none: ``sha256sum`` of a
trust root file is its name.
"""

import hashlib
from collections.abc import Iterable

from canon.errors import Salt

BLOB = b"coldledger/blob/1"
GENESIS = b"coldledger/genesis/1"
FIGURES = b"coldledger/figures/1"

DIGEST_BYTES = 32
SALT_BYTES = 32


def sha256(data: bytes) -> bytes:
    """Return the plain SHA-256 of *data*, 32 bytes: the name of a whole file (CANON-25)."""
    return hashlib.sha256(data).digest()


def labelled(label: bytes, *parts: bytes) -> bytes:
    """Return SHA-256(label || 00 || parts…), 32 bytes (CANON-23).

    Args:
        label: One of the constants of this module; never contains a zero byte.
        parts: Joined without separators, so at most the last may vary in length.

    """
    state = hashlib.sha256(label + b"\x00")
    for part in parts:
        state.update(part)
    return state.digest()


def commitment(salt: bytes, data: bytes) -> bytes:
    """Return the commitment to *data* under a *salt* of 32 bytes (CANON-24).

    Raises:
        Salt: The salt has another length, so salt and data could trade bytes.

    """
    return commitment_of(salt, (data,))


def commitment_of(salt: bytes, pieces: Iterable[bytes]) -> bytes:
    """Return the commitment to bytes that come in *pieces*, which are not kept (CANON-24).

    Raises:
        Salt: As :func:`commitment`.

    """
    if len(salt) != SALT_BYTES:
        raise Salt("salt of a commitment", f"{len(salt)} bytes", f"{SALT_BYTES} bytes")
    state = hashlib.sha256(BLOB + b"\x00" + salt)
    for piece in pieces:
        state.update(piece)
    return state.digest()
