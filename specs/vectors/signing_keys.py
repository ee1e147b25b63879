"""Vectors for public keys and bare signatures (SIGN-1 to SIGN-4)."""

import hashlib
from typing import Any

from signing_fixtures import accept, flipped, key, refuse

from signing.keys import LOW_ORDER, L, P

MESSAGE = b"an entry of the log"
_SIGN = 1 << 255


def public_keys() -> list[dict[str, Any]]:
    """Return vectors for what may be a public key."""
    alice = key("alice").public
    made = [
        accept("sound", "SIGN-1", "A key as every library makes it.", public=alice),
        refuse("short", "SIGN-1", "E_KEY_ENCODING", "31 bytes.", public=alice[:31]),
        refuse("long", "SIGN-1", "E_KEY_ENCODING", "33 bytes.", public=alice + b"\x00"),
        refuse(
            "off-curve",
            "SIGN-1",
            "E_KEY_ENCODING",
            "No x goes with y = 2, so no signature can ever verify.",
            public=(2).to_bytes(32, "little"),
        ),
        refuse(
            "not-reduced",
            "SIGN-2",
            "E_KEY_WEAK",
            "y = p + 3 is a second spelling of the point with y = 3, of large order.",
            public=(P + 3).to_bytes(32, "little"),
        ),
    ]
    made += [
        refuse(
            f"low-order-{number:02}",
            "SIGN-2",
            "E_KEY_WEAK",
            "One of the 14 encodings of points of order 1, 2, 4 or 8.",
            public=public,
        )
        for number, public in enumerate(sorted(LOW_ORDER), 1)
    ]
    return made


def signatures() -> list[dict[str, Any]]:
    """Return vectors for what may be a signature."""
    alice = key("alice")
    good = alice.sign(MESSAGE)
    s = int.from_bytes(good[32:], "little")
    identity = (1).to_bytes(32, "little")
    given = {"public": alice.public, "message": MESSAGE}
    return [
        accept("sound", "SIGN-4", "A signature as RFC 8032 makes it.", **given, signature=good),
        refuse(
            "key-low-order",
            "SIGN-2",
            "E_KEY_WEAK",
            "The identity as key: R = identity, S = 0 fits every message.",
            public=identity,
            message=MESSAGE,
            signature=identity + bytes(32),
        ),
        refuse(
            "r-low-order",
            "SIGN-3",
            "E_KEY_WEAK",
            "R is the identity and S = h a, so the equation holds: the nonce was zero.",
            **given,
            signature=_with_zero_nonce(identity),
        ),
        refuse(
            "r-low-order-not-reduced",
            "SIGN-3",
            "E_KEY_WEAK",
            "R is the identity spelled p + 1.",
            **given,
            signature=_with_zero_nonce((P + 1).to_bytes(32, "little")),
        ),
        refuse(
            "r-not-reduced",
            "SIGN-4",
            "E_SIG",
            "R has y = p + 3, a second spelling of a point of large order.",
            **given,
            signature=(P + 3).to_bytes(32, "little") + good[32:],
        ),
        refuse(
            "s-plus-l",
            "SIGN-4",
            "E_SIG",
            "S + L fits the equation too; accepting it would give each signature a second form.",
            **given,
            signature=good[:32] + (s + L).to_bytes(32, "little"),
        ),
        refuse(
            "s-flipped", "SIGN-4", "E_SIG", "One bit of S.", **given, signature=flipped(good, 40)
        ),
        refuse(
            "r-flipped", "SIGN-4", "E_SIG", "One bit of R.", **given, signature=flipped(good, 1)
        ),
        refuse("short", "SIGN-4", "E_SIG", "63 bytes.", **given, signature=good[:63]),
        refuse("long", "SIGN-4", "E_SIG", "65 bytes.", **given, signature=good + b"\x00"),
        refuse(
            "other-message",
            "SIGN-4",
            "E_SIG",
            "The signature of another message.",
            **given,
            signature=alice.sign(MESSAGE + b"."),
        ),
    ]


def _with_zero_nonce(r: bytes) -> bytes:
    """Return Alice's signature with R spelled *r*, an identity, and the S that then fits."""
    seed = hashlib.sha256(b"coldledger test vector: alice").digest()
    scalar = int.from_bytes(hashlib.sha512(seed).digest()[:32], "little")
    scalar = (scalar & ((1 << 254) - 8)) | (1 << 254)  # RFC 8032 §5.1.5, step 2
    challenge = hashlib.sha512(r + key("alice").public + MESSAGE).digest()
    s = int.from_bytes(challenge, "little") * scalar % L
    return r + s.to_bytes(32, "little")
