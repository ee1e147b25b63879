"""The trust root's document: its shape, as in ``specs/cddl/trust-root.cddl``.

The shape is checked before any field is used. What the fields must be beside well-shaped is
`signing.rules`.
"""

from typing import Annotated, Final, Literal, cast

import msgspec
from msgspec import Meta, Struct

from canon.cbor import Encodable, decode, encode
from canon.errors import Limit
from signing.errors import RootShape

ALG_ED25519: Final = -19
"""COSE algorithm Ed25519 (RFC 9864)."""
ALG_EDDSA: Final = -8
"""COSE algorithm EdDSA, only for keys that the trust root marks so."""
ROOT_TYPE: Literal["coldledger/trust-root/1"] = "coldledger/trust-root/1"

ROOT_BYTES_LIMIT = 2**20

Number = Annotated[int, Meta(ge=0)]
Bytes32 = Annotated[bytes, Meta(min_length=32, max_length=32)]


class Span(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    rename={"start": "from", "end": "to"},
):
    """Positions at which a key is in force.

    Attributes:
        start: First position; ``from`` on the wire.
        end: First position after the last, None while it is open; ``to`` on the wire.

    """

    start: Number
    end: Number | None

    def covers(self, position: int) -> bool:
        """Say whether ``from <= position < to``."""
        return self.start <= position and (self.end is None or position < self.end)

    @property
    def span(self) -> str:
        """The span in words."""
        return f"from {self.start} to {'open' if self.end is None else self.end}"


class RootKey(Span, frozen=True, kw_only=True):
    """A key of a person or a service.

    Attributes:
        alg: `ALG_ED25519` or `ALG_EDDSA`.
        key: Ed25519 public key, 32 bytes.
        controller: Who holds the private key; a threshold counts each once.
        roles: Names of roles, ascending.

    """

    alg: Literal[-19, -8]
    key: Bytes32
    controller: str
    roles: Annotated[tuple[str, ...], Meta(min_length=1)]


class Role(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a role takes and may do.

    Attributes:
        threshold: Distinct keys, and distinct controllers, that must sign; 1 to 64.
        decides: Event types, ascending.

    """

    threshold: int
    decides: tuple[str, ...]


class LogKey(Span, frozen=True, kw_only=True):
    """A key by which the log signs its checkpoints.

    Attributes:
        key: Ed25519 public key, 32 bytes.

    """

    key: Bytes32


class Witness(Span, frozen=True, kw_only=True):
    """A key by which a witness cosigns checkpoints.

    Attributes:
        name: Key name in the note.
        key: Ed25519 public key, 32 bytes.
        operator: Who runs it; the quorum counts each once.

    """

    name: str
    key: Bytes32
    operator: str


class RootDocument(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The trust root as it stands in its file.

    Attributes:
        type: Always `ROOT_TYPE`.
        log: The log's origin.
        version: 1 for the first, then one more each time.
        prev: SHA-256 of the version before, 32 bytes; None for the first.
        expires: Canonical time after which the root is not fresh, or None.
        keys: By key id.
        roles: By name.
        edition: Roles that must have signed an edition, ascending.
        log_keys: By position; at most one in force at each.
        witnesses: By name, then key.
        quorum: Distinct operators that must have cosigned.

    """

    type: Literal["coldledger/trust-root/1"]
    log: str
    version: Number
    prev: Bytes32 | None
    expires: str | None
    keys: Annotated[tuple[RootKey, ...], Meta(min_length=1)]
    roles: Annotated[dict[str, Role], Meta(min_length=1)]
    edition: Annotated[tuple[str, ...], Meta(min_length=1)]
    log_keys: Annotated[tuple[LogKey, ...], Meta(min_length=1)]
    witnesses: tuple[Witness, ...]
    quorum: Number


def document_bytes(document: RootDocument) -> bytes:
    """Return the canonical bytes of a document; only `read_shape` checks it."""
    return encode(cast("Encodable", msgspec.to_builtins(document, builtin_types=(bytes,))))


def read_shape(data: bytes) -> RootDocument:
    """Read canonical bytes (ROOT-1, ROOT-30) of the right shape (ROOT-2); no rule is checked."""
    if len(data) > ROOT_BYTES_LIMIT:
        raise Limit("trust root", f"{len(data)} bytes", f"at most {ROOT_BYTES_LIMIT}")
    value = decode(data)
    try:
        return msgspec.convert(value, RootDocument, builtin_types=(bytes,))
    except msgspec.ValidationError as error:
        fault, _, path = str(error).partition(" - at ")
        place = f"trust root, {ascii(path)[1:-1][:200]}" if path else "trust root"
        raise RootShape(place, ascii(fault)[1:-1][:200], "the shape of its CDDL") from error
