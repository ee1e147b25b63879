"""The seven kinds of item, and the limits on each (``specs/bundle.md``)."""

from typing import TypeAlias

from msgspec import Struct

from canon.digest import commitment
from canon.refusal import Refusal

FORMAT = "coldledger/bundle/1"

HEADER, MANIFEST, DOCUMENT, CHUNK, DISCLOSURE, CHECKPOINT, SEAL = range(7)
NAMES = ("header", "manifest", "document", "chunk", "disclosure", "checkpoint", "seal")
LENGTHS = (2, 2, 3, 3, 5, 2, 5)
CORE = frozenset({HEADER, MANIFEST, DOCUMENT, CHUNK, CHECKPOINT})

CHUNK_ENTRIES = 256
MAX_MANIFEST_BYTES = 16 * 2**20
MAX_DOCUMENT_BYTES = 16 * 2**20
MAX_DOCUMENTS_BYTES = 64 * 2**20
PART_BYTES = 2**20
MAX_PARTS = 256
MAX_BLOB_BYTES = MAX_PARTS * PART_BYTES
MAX_SLOT_BYTES = 32
MAX_CHECKPOINT_BYTES = 1_024
MAX_SIGNATURES = 64
MAX_ENVELOPE_BYTES = 8_192
LOG_SIGNATURE_BYTES = 68
COSIGNATURE_BYTES = 76
MAX_NAME_BYTES = 256


class Header(Struct, frozen=True):
    """Which format this is."""

    offset: int


class ManifestItem(Struct, frozen=True):
    """The manifest's bytes."""

    offset: int
    data: bytes


class Document(Struct, frozen=True):
    """A document under the digest that the manifest names."""

    offset: int
    digest: bytes
    data: bytes


class Chunk(Struct, frozen=True):
    """Entries from number ``first`` on; 256 of them, the last chunk may have fewer.

    Attributes:
        offset: Of the item.
        first: Sequence number of the first entry.
        entries: Their bytes.
        offsets: Where each entry's item stands.
        broken: The fault in framing the entry after these, where there is one.
    """

    offset: int
    first: int
    entries: list[bytes]
    offsets: list[int]
    broken: Refusal | None = None


class Disclosure(Struct, frozen=True):
    """The bytes behind one commitment.

    Attributes:
        offset: Of the item.
        seq, slot: Which commitment.
        salt: 32 bytes.
        data: The bytes; nothing where they were longer than the reader keeps.
        dropped: Of those that were, the commitment that they open.
    """

    offset: int
    seq: int
    slot: str
    salt: bytes
    data: bytes
    dropped: bytes | None = None

    def commitment(self) -> bytes:
        """Return the commitment that salt and bytes open, 32 bytes (CANON-24)."""
        return self.dropped or commitment(self.salt, self.data)


class Checkpoint(Struct, frozen=True):
    """The checkpoint's body, unsigned."""

    offset: int
    body: bytes


class Seal(Struct, frozen=True):
    """Signatures, which others may add to.

    Attributes:
        offset: Of the item.
        log_signature: Key id (4 bytes) and Ed25519 signature by the log key.
        editions: COSE_Sign1 envelopes over the manifest's digest.
        cosignatures: (witness name, key id ‖ timestamp ‖ signature), sorted by name.
    """

    offset: int
    log_signature: bytes
    editions: list[bytes]
    cosignatures: list[tuple[str, bytes]]


Item: TypeAlias = Header | ManifestItem | Document | Chunk | Disclosure | Checkpoint | Seal
