"""Checkpoints (C2SP tlog-checkpoint) and cosignatures (C2SP tlog-cosignature, type 4).

A checkpoint's body is three lines, the origin, the size and the root in base64, without extension
lines. The log's key name is its origin. A bundle keeps bare signatures, without their note.
"""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from canon.excerpt import excerpt
from signing import b64
from signing.errors import (
    CosignatureTime,
    KeyUnknown,
    NoCheckpoint,
    NoteMalformed,
    OtherOrigin,
    Rollback,
    SplitView,
)
from signing.keys import PrivateKey, verify
from signing.names import is_origin
from signing.note import (
    COSIGNATURE,
    ED25519,
    NoteSignature,
    VerifierKey,
    cosigned,
    key_id,
    open_note,
    render_note,
)

_DECIMAL = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)
_LIMIT = 2**63


class Checkpoint(Struct, frozen=True):
    """A log's head.

    Attributes:
        origin: The log.
        size: Number of entries, below 2^63.
        root: RFC 9162 root of that many entries, 32 bytes.

    """

    origin: str
    size: int
    root: bytes

    def body(self) -> bytes:
        """Return the text that is signed, and make sure that it reads back."""
        body = f"{self.origin}\n{self.size}\n{b64.encode(self.root)}\n".encode()
        parse_checkpoint(body)
        return body


def parse_checkpoint(body: bytes) -> Checkpoint:
    """Read a checkpoint's body, of which each value has one text (SIGN-36)."""
    try:
        lines = body.decode().split("\n")
    except UnicodeDecodeError as error:
        raise NoteMalformed("checkpoint", "invalid UTF-8", "UTF-8", offset=error.start) from error
    if len(lines) != 4 or lines[3]:
        raise NoteMalformed("checkpoint", f"{len(lines) - 1} lines", "origin, size and root")
    origin, size, encoded, _ = lines
    if not is_origin(origin):
        raise NoteMalformed("checkpoint, line 1", excerpt(origin), "an origin")
    if not _DECIMAL.fullmatch(size) or int(size) >= _LIMIT:
        raise NoteMalformed("checkpoint, line 2", excerpt(size), "a size below 2^63")
    root = b64.decode(encoded)
    if root is None or len(root) != 32:
        raise NoteMalformed("checkpoint, line 3", excerpt(encoded), "32 bytes in base64")
    return Checkpoint(origin, int(size), root)


def sign_checkpoint(key: PrivateKey, origin: str, body: bytes) -> bytes:
    """Return the log's signature of a checkpoint's body: key id and signature, 68 bytes."""
    _of_origin(body, origin)
    return key_id(origin, ED25519, key.public) + key.sign(body)


def verify_checkpoint(signature: bytes, body: bytes, origin: str, public: bytes) -> Checkpoint:
    """Return the checkpoint that the log key *public* signed.

    Steps: 1 body (SIGN-36), 2 origin (SIGN-37), 3 length and key id (SIGN-38, SIGN-39), 4 signature
    (SIGN-40).
    """
    checkpoint = _of_origin(body, origin)
    _check_sized("log signature", signature, 68, key_id(origin, ED25519, public))
    verify(public, body, signature[4:], "log signature")
    return checkpoint


def cosign(key: PrivateKey, name: str, body: bytes, timestamp: int) -> bytes:
    """Return a witness's cosignature: key id, timestamp, signature, 76 bytes.

    Args:
        key: The witness's.
        name: The witness's key name.
        body: Body of the checkpoint, whose consistency the witness has checked.
        timestamp: Seconds since 1970, below 2^63.

    """
    parse_checkpoint(body)
    if not 0 <= timestamp < _LIMIT:
        raise CosignatureTime("cosignature", f"time {timestamp}", "0 to 2^63 - 1")
    time = timestamp.to_bytes(8, "big")
    return key_id(name, COSIGNATURE, key.public) + time + key.sign(cosigned(body, time))


def verify_cosignature(
    cosignature: bytes, body: bytes, name: str, public: bytes, *, now: int | None = None
) -> int:
    """Return the time, in seconds since 1970, at which a witness cosigned *body*.

    Steps: 1 length and key id (SIGN-38, SIGN-39), 2 time (SIGN-43), 3 signature (SIGN-42).

    Args:
        cosignature: Key id, timestamp and signature, 76 bytes.
        body: Body of the checkpoint.
        name: The witness's key name.
        public: The witness's key, 32 bytes.
        now: When given, later times are refused.

    """
    place = f"cosignature of {name}"
    _check_sized(place, cosignature, 76, key_id(name, COSIGNATURE, public))
    timestamp = int.from_bytes(cosignature[4:12], "big")
    limit = _LIMIT - 1 if now is None else now
    if timestamp > limit:
        raise CosignatureTime(place, f"time {timestamp}", f"at most {limit}")
    verify(public, cosigned(body, cosignature[4:12]), cosignature[12:], place)
    return timestamp


def render_checkpoint(
    body: bytes, signature: bytes, cosignatures: Iterable[tuple[str, bytes]] = ()
) -> bytes:
    """Return the signed note of a checkpoint.

    Args:
        body: Body of the checkpoint.
        signature: The log's, 68 bytes.
        cosignatures: Names of witnesses, each with a cosignature of 76 bytes.

    """
    lines = [(parse_checkpoint(body).origin, signature), *cosignatures]
    return render_note(body, [NoteSignature(name, data) for name, data in lines])


def open_checkpoint(note: bytes, known: Sequence[VerifierKey]) -> Checkpoint:
    """Return the checkpoint that a log key among *known* signed as a note.

    Steps: 1 note and its signatures by known keys (SIGN-28 to SIGN-34), 2 body (SIGN-36), 3 one of
    them by the origin itself (SIGN-41).
    """
    opened = open_note(note, known)
    checkpoint = parse_checkpoint(opened.text)
    logs = {(key.name, key.id) for key in known if key.kind == ED25519}
    if not any(
        line.name == checkpoint.origin and (line.name, line.id) in logs for line in opened.verified
    ):
        raise NoCheckpoint("checkpoint", "no signature by the log", checkpoint.origin)
    return checkpoint


def check_newer(kept: Checkpoint, new: Checkpoint) -> None:
    """Refuse a head that cannot follow one that was kept (SIGN-37, SIGN-44, SIGN-45).

    A larger head may still not extend the kept one: that takes a consistency proof.
    """
    if new.origin != kept.origin:
        raise OtherOrigin("checkpoint", excerpt(new.origin), excerpt(kept.origin))
    if new.size < kept.size:
        raise Rollback("checkpoint", f"size {new.size}", f"at least {kept.size}, as was kept")
    if new.size == kept.size and new.root != kept.root:
        raise SplitView(
            f"checkpoint of size {new.size}",
            f"root {new.root.hex()}",
            f"{kept.root.hex()}, as kept",
        )


def _of_origin(body: bytes, origin: str) -> Checkpoint:
    """Read a body that must be of *origin*."""
    checkpoint = parse_checkpoint(body)
    if checkpoint.origin != origin:
        raise OtherOrigin("checkpoint", excerpt(checkpoint.origin), excerpt(origin))
    return checkpoint


def _check_sized(place: str, data: bytes, size: int, key: bytes) -> None:
    """Refuse signature bytes of another length, or by another key."""
    if len(data) != size:
        raise NoteMalformed(place, f"{len(data)} bytes", f"{size} bytes")
    if data[:4] != key:
        raise KeyUnknown(f"{place}, key id", data[:4].hex(), key.hex())
