"""Signed notes (C2SP signed-note): text, an empty line, signature lines.

    — <key name> base64(key id || signature)

Verifier keys are ``<name>+<key id in hex>+base64(type || public key)``. Two types are in use, 1 for
Ed25519 and 4 for timestamped cosignatures. Base64 is canonical or refused.
"""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from canon.digest import sha256
from canon.excerpt import excerpt
from signing import b64
from signing.errors import (
    KeyAmbiguous,
    NoCheckpoint,
    NoteMalformed,
    SignatureInvalid,
    VerifierKeyMalformed,
)
from signing.keys import check_public, verify
from signing.names import is_note_name

ED25519 = 0x01
"""Type of Ed25519 signatures of notes."""
COSIGNATURE = 0x04
"""Type of timestamped Ed25519 cosignatures."""

SIGNATURE_LIMIT = 100
"""Most signature lines of a note; C2SP asks for 16 or more, Go's implementation has 100."""

_MARK = "— ".encode()
_SEPARATOR = b"\n\n"
_CONTROL = re.compile(rb"[\x00-\x09\x0b-\x1f]")


class VerifierKey(Struct, frozen=True):
    """A public key with the name that it signs under.

    Attributes:
        name: Key name; a log's is its origin.
        kind: `ED25519` or `COSIGNATURE`.
        public: Ed25519 public key, 32 bytes.

    """

    name: str
    kind: int
    public: bytes

    @property
    def id(self) -> bytes:
        """The key id, 4 bytes."""
        return key_id(self.name, self.kind, self.public)

    def text(self) -> str:
        """Return the vkey."""
        return f"{self.name}+{self.id.hex()}+{b64.encode(bytes([self.kind]) + self.public)}"


class NoteSignature(Struct, frozen=True):
    """One signature line.

    Attributes:
        name: Key name.
        data: Key id (4 bytes) and signature (at least 1 byte).

    """

    name: str
    data: bytes

    @property
    def id(self) -> bytes:
        """The key id, 4 bytes."""
        return self.data[:4]


class Note(Struct, frozen=True):
    """A note as it was parsed; nothing is verified.

    Attributes:
        text: What was signed, with its final newline.
        signatures: In the order of the lines.

    """

    text: bytes
    signatures: tuple[NoteSignature, ...]


class OpenedNote(Struct, frozen=True):
    """A note that at least one known key signed.

    Attributes:
        text: What was signed, with its final newline.
        verified: Signatures of known keys, one per key.
        unverified: Signatures of unknown keys, ignored.

    """

    text: bytes
    verified: tuple[NoteSignature, ...]
    unverified: tuple[NoteSignature, ...]


def key_id(name: str, kind: int, public: bytes) -> bytes:
    """Return SHA-256(name || 0x0A || kind || public)[:4], which 2^32 tries can make collide."""
    return sha256(name.encode() + b"\n" + bytes([kind]) + public)[:4]


def parse_vkey(text: str) -> VerifierKey:
    """Read a verifier key (SIGN-35); its public key must be sound."""
    parts = text.split("+", 2)  # base64 may contain a plus, so only the first two separate
    if len(parts) != 3:
        raise VerifierKeyMalformed("verifier key", f"{len(parts)} parts", "name+id+key")
    name, hexed, encoded = parts
    if not is_note_name(name):
        raise VerifierKeyMalformed("verifier key, name", excerpt(name), "a key name")
    data = b64.decode(encoded)
    if data is None or len(data) != 33:
        raise VerifierKeyMalformed("verifier key", "other key material", "33 bytes in base64")
    key = VerifierKey(name, data[0], data[1:])
    if key.kind not in (ED25519, COSIGNATURE):
        raise VerifierKeyMalformed("verifier key, type", f"{key.kind}", "1 or 4")
    if hexed != key.id.hex():
        raise VerifierKeyMalformed("verifier key, id", excerpt(hexed), key.id.hex())
    check_public(key.public, "verifier key")
    return key


def render_note(text: bytes, signatures: Iterable[NoteSignature]) -> bytes:
    """Return the note as it is written, and make sure that it reads back."""
    lines = [_MARK + f"{line.name} {b64.encode(line.data)}\n".encode() for line in signatures]
    data = text + b"\n" + b"".join(lines)
    parsed = parse_note(data)
    if parsed.text != text:
        raise NoteMalformed("note", "text with a signature block of its own", "text alone")
    return data


def parse_note(data: bytes) -> Note:
    """Take a note apart (SIGN-28 to SIGN-30)."""
    try:
        decoded = data.decode()
    except UnicodeDecodeError as error:
        raise NoteMalformed("note", "invalid UTF-8", "UTF-8", offset=error.start) from error
    control = _CONTROL.search(data)
    if control is not None:
        raise NoteMalformed(
            "note", f"control character {control[0].hex()}", "text", offset=control.start()
        )
    split = data.rfind(_SEPARATOR)
    if split < 0:
        raise NoteMalformed("note", f"{len(decoded)} characters", "an empty line before signatures")
    block, start = data[split + 2 :], split + 2
    if not block.endswith(b"\n"):
        raise NoteMalformed("note", "no newline at its end", "a signature line", offset=len(data))
    lines = block[:-1].split(b"\n")
    if len(lines) > SIGNATURE_LIMIT:
        raise NoteMalformed("note", f"{len(lines)} signatures", f"at most {SIGNATURE_LIMIT}")
    signatures = []
    for line in lines:
        signatures.append(_signature_line(line, start))
        start += len(line) + 1
    return Note(data[: split + 1], tuple(signatures))


def open_note(data: bytes, known: Sequence[VerifierKey]) -> OpenedNote:
    """Verify a note: every signature of a *known* key, at least one of them (SIGN-31 to SIGN-34).

    Lines by other keys are ignored, even where they share a name or an id with a known one. A
    key's second line is ignored after its first held, as in Go's implementation.
    """
    note = parse_note(data)
    verified: dict[tuple[str, bytes], NoteSignature] = {}
    unverified: list[NoteSignature] = []
    for line in note.signatures:
        keys = [key for key in known if key.name == line.name and key.id == line.id]
        if len(keys) > 1:
            raise KeyAmbiguous("note", f"two keys {line.name}+{line.id.hex()}", "one key")
        if not keys:
            unverified.append(line)
        elif (line.name, line.id) not in verified:
            _verify_line(keys[0], note.text, line)
            verified[line.name, line.id] = line
    if not verified:
        raise NoCheckpoint("note", "no signature of a known key", "at least one")
    return OpenedNote(note.text, tuple(verified.values()), tuple(dict.fromkeys(unverified)))


def _verify_line(key: VerifierKey, text: bytes, line: NoteSignature) -> None:
    """Verify one line by a key of its kind."""
    place = f"signature of {key.name}"
    if key.kind == ED25519:
        verify(key.public, text, line.data[4:], place)
        return
    if len(line.data) != 76:
        raise SignatureInvalid(place, f"{len(line.data)} bytes", "76 bytes")
    verify(key.public, cosigned(text, line.data[4:12]), line.data[12:], place)


def cosigned(text: bytes, timestamp: bytes) -> bytes:
    """Return what a cosignature covers: two lines, then the checkpoint's body.

    Args:
        text: Body of the checkpoint.
        timestamp: Seconds since 1970, 8 bytes, big-endian.

    """
    return b"cosignature/v1\ntime %d\n" % int.from_bytes(timestamp, "big") + text


def _signature_line(line: bytes, offset: int) -> NoteSignature:
    """Read a signature line that starts at *offset* of the note."""
    if not line.startswith(_MARK):
        raise NoteMalformed("note", "another line", "a signature line", offset=offset)
    name, _, encoded = line[len(_MARK) :].decode().partition(" ")
    if not is_note_name(name):
        raise NoteMalformed("note, key name", excerpt(name), "a key name", offset=offset)
    data = b64.decode(encoded)
    if data is None or len(data) < 5:
        raise NoteMalformed(
            "note, signature", excerpt(encoded), "5 bytes or more in base64", offset=offset
        )
    return NoteSignature(name, data)
