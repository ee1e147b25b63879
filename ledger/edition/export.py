"""Exporting a frozen edition: the same core every time, sealed by whoever exports (BUNDLE-12)."""

from collections.abc import Callable
from typing import BinaryIO

from msgspec import Struct

from canon import Frontier, leaf_hash
from canon.digest import sha256
from ledger.bundle import CHUNK_ENTRIES, BundleWriter
from ledger.bundle.items import PART_BYTES
from ledger.decide import algorithm_of
from ledger.errors import EditionUnknown, LedgerCorrupt
from ledger.events import EditionFrozen
from ledger.replay import Replay
from ledger.store import Ledger, Within
from signing.checkpoint import Checkpoint, sign_checkpoint
from signing.cose import edition_subject, sign_edition
from signing.errors import KeyUnknown
from signing.keys import PrivateKey
from signing.trust import TrustRoot

from .manifest import Manifest, parse_manifest
from .signers import check_signer, missing_roles

Disclose = Callable[[str], bool]
"""Whether the bytes of a slot of that name go into the file."""


class Exported(Struct, frozen=True):
    """A bundle that was written.

    Attributes:
        core_sha256: Digest of its core, 32 bytes: equal for every export of one edition.
        manifest_sha256: Names the edition, 32 bytes.
        manifest: What it publishes.
        disclosed: How many slots' bytes are in it.
        missing_roles: Roles that must sign too before it verifies.
    """

    core_sha256: bytes
    manifest_sha256: bytes
    manifest: Manifest
    disclosed: int
    missing_roles: list[str]


def frozen_edition(ledger: Ledger, replay: Replay, edition: str) -> tuple[EditionFrozen, bytes]:
    """Return the decision that froze *edition*, and the manifest's bytes.

    Raises:
        EditionUnknown: There is none of that name.
        LedgerCorrupt: Its manifest is gone, or another.
    """
    frozen = replay.authority.editions.get(edition)
    if frozen is None:
        raise EditionUnknown("edition", repr(edition), "a frozen edition")
    manifest = ledger.document(frozen.manifest)
    if manifest is None or sha256(manifest) != frozen.manifest:
        raise LedgerCorrupt(str(ledger.path), "another manifest", "the one that was frozen")
    return frozen, manifest


def export(
    ledger: Ledger,
    replay: Replay,
    edition: str,
    out: BinaryIO,
    *,
    log_key: PrivateKey,
    signer: PrivateKey,
    role: str,
    disclose: Disclose,
    progress: Callable[[int], None] | None = None,
) -> Exported:
    """Write the bundle of *edition* to *out*.

    Args:
        ledger: Holds the entries, documents and blobs.
        replay: A replay of the whole ledger.
        edition: A frozen edition.
        out: Receives the file.
        log_key: Signs the checkpoint.
        signer: Signs the edition.
        role: In which role.
        disclose: Which slots' bytes go in; redacted ones never do.
        progress: Called with the number of entries written.

    Raises:
        EditionUnknown, LedgerCorrupt: As :func:`frozen_edition`.
        KeyUnknown, KeyOutOfSpan, RoleMissing: Nobody would accept a signature by these keys.
    """
    frozen, data = frozen_edition(ledger, replay, edition)
    manifest = parse_manifest(data)
    root = _root_in_force(ledger, replay)
    _check_log_key(root, log_key, frozen.size)
    check_signer(root, signer.kid, role, frozen.size)
    writer = BundleWriter(out)
    writer.header()
    writer.manifest(data)
    for digest in manifest.docs:
        document = ledger.document(digest)
        if document is None:
            raise LedgerCorrupt(str(ledger.path), f"no document {digest.hex()}", "the document")
        writer.document(digest, document)
    disclosed = 0
    frontier = Frontier()
    size = frozen.size + 1
    for first in range(0, size, CHUNK_ENTRIES):
        stop = min(first + CHUNK_ENTRIES, size)
        entries = [entry for _, entry in ledger.entries(first, stop)]
        frontier.extend(map(leaf_hash, entries))
        writer.chunk(first, entries)
        for blob in ledger.blobs_within(PART_BYTES, first, stop):
            if _shown(blob, replay, disclose):
                _disclose(writer, ledger, blob)
                disclosed += 1
        if progress is not None:
            progress(stop)
    body = Checkpoint(ledger.origin, size, frontier.root()).body()
    writer.checkpoint(body)
    writer.seal(
        sign_checkpoint(log_key, ledger.origin, body),
        [edition_signature(root, signer, role, ledger.origin, edition, data)],
        [],
    )
    missing = missing_roles(root, [(role, signer.kid)], frozen.size)
    return Exported(writer.core.digest(), sha256(data), manifest, disclosed, missing)


def edition_signature(
    root: TrustRoot | None,
    signer: PrivateKey,
    role: str,
    origin: str,
    edition: str,
    manifest: bytes,
) -> bytes:
    """Return a signature of the edition under its controller's name in the trust root."""
    algorithm = algorithm_of(root, signer)
    known = None if root is None else root.key(signer.kid)
    controller = "" if known is None else known.controller
    return sign_edition(
        signer,
        algorithm,
        manifest,
        controller=controller,
        subject=edition_subject(origin, edition),
        role=role,
    )


def _root_in_force(ledger: Ledger, replay: Replay) -> TrustRoot:
    if replay.authority.root is None:
        raise LedgerCorrupt(str(ledger.path), "no trust root", "the one that event 0 adopts")
    return replay.authority.root


def _check_log_key(root: TrustRoot, log_key: PrivateKey, size: int) -> None:
    """Refuse to seal by a key that no verifier would accept for a checkpoint of that edition."""
    if log_key.public != root.log_key_at(size):
        got = f"public key {log_key.public.hex()[:16]}…"
        raise KeyUnknown("log key", got, f"the log key of the trust root at {size}")


def _disclose(writer: BundleWriter, ledger: Ledger, blob: Within) -> None:
    """Write a blob; a long one part by part, so that it is never held."""
    seq, slot, salt, data = blob
    if data is not None:
        writer.disclosure(seq, slot, salt, data)
        return
    count = sum(1 for _ in ledger.pieces(seq, slot))
    writer.disclosure_of(seq, slot, salt, count, ledger.pieces(seq, slot))


def _shown(blob: Within, replay: Replay, disclose: Disclose) -> bool:
    return disclose(blob.slot) and (blob.seq, blob.slot) not in replay.authority.redacted
