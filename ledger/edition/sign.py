"""Adding a signature to a bundle: the seal is written anew, everything before it is copied."""

from pathlib import Path
from typing import BinaryIO

from canon import decode
from canon.errors import Limit, Truncated
from canon.refusal import Refusal
from ledger.bundle import Document, ManifestItem, Seal, read_items
from ledger.bundle.items import MAX_SIGNATURES
from ledger.bundle.reader import Core
from ledger.bundle.writer import seal_item
from ledger.errors import SignedAlready
from ledger.files import replaced_file
from signing.cose import parse_edition
from signing.errors import OtherOrigin
from signing.keys import PrivateKey
from signing.root import ROOT_TYPE
from signing.trust import TrustRoot, parse_root

from .export import edition_signature
from .manifest import Manifest, parse_manifest
from .signers import check_signer, missing_roles

_BLOCK = 2**20


def add_signature(path: Path, signer: PrivateKey, role: str, root: TrustRoot | None = None) -> int:
    """Add a signature of the edition in *path* and return how many there are now.

    The file is replaced at once, by a whole one; of two that sign at once, the second waits for
    the first. Signing is no verifying: whoever signs should have verified the bundle before.

    Args:
        path: A bundle.
        signer: A key that the trust root names.
        role: A role that the key holds.
        root: The trust root; by default the newest among the bundle's documents, which is enough
            to sign by, since whoever verifies has pinned its own.

    Raises:
        KeyUnknown, KeyOutOfSpan: The trust root does not name the key, or not there.
        RoleMissing: The key does not hold the role.
        SignedAlready: The key has signed in that role.
        OtherOrigin: The trust root is another log's.
        FileUnwritable, LedgerLocked: The file cannot be replaced.
        Refusal: The file is no bundle.
    """
    with replaced_file(path) as (old, new):
        offset, number, tail = _signed(old, path, signer, role, root)
        old.seek(0)
        _copy(old, new, offset, path)
        new.write(tail)
    return number


def _signed(
    old: BinaryIO, path: Path, signer: PrivateKey, role: str, root: TrustRoot | None
) -> tuple[int, int, bytes]:
    """Return where the seal begins, how many signatures the new one has, and the new one."""
    manifest, data, seal, trusted = _read(old, root)
    if root is not None and root.log != manifest.log:
        remedy = "give the trust root of the log that the bundle is of"
        raise OtherOrigin(str(path), repr(manifest.log), repr(root.log), remedy=remedy)
    check_signer(trusted, signer.kid, role, manifest.size)
    envelope = edition_signature(trusted, signer, role, manifest.log, manifest.edition, data)
    claims = [parse_edition(one) for one in seal.editions]
    if any((one.kid, one.role) == (signer.kid, role) for one in claims):
        raise SignedAlready(str(path), f"a signature as {role!r}", "none by this key and role")
    if len(seal.editions) >= MAX_SIGNATURES:
        raise Limit(str(path), f"{len(seal.editions)} signatures", f"at most {MAX_SIGNATURES}")
    both = sorted(
        [*seal.editions, envelope],
        key=lambda one: (parse_edition(one).kid, parse_edition(one).role),
    )
    return seal.offset, len(both), seal_item(seal.log_signature, both, seal.cosignatures)


def roles_missing(path: Path, root: TrustRoot | None = None) -> list[str]:
    """Return the roles that the trust root demands and that nobody claims to have signed in.

    Claims only: whether a signature holds is for verifying to say.

    Args:
        path: A bundle.
        root: The trust root; by default the newest among the bundle's documents.
    """
    with path.open("rb") as stream:
        manifest, _, seal, trusted = _read(stream, root)
    if trusted is None:
        return []
    claims = [parse_edition(one) for one in seal.editions]
    return missing_roles(trusted, [(one.role, one.kid) for one in claims], manifest.size)


def _read(
    stream: BinaryIO, root: TrustRoot | None
) -> tuple[Manifest, bytes, Seal, TrustRoot | None]:
    """Return manifest, its bytes and the seal of a bundle, and the trust root to sign by."""
    manifest: Manifest | None = None
    data, roots = b"", [] if root is None else [root]
    seal: Seal | None = None
    for item in read_items(stream, Core(), keep_bytes=0):
        match item:
            case ManifestItem():
                manifest, data = parse_manifest(item.data), item.data
            case Document() if root is None and _is_root(item.data):
                roots.append(parse_root(item.data))
            case Seal():
                seal = item
            case _:
                pass  # copied as it stands
    assert manifest is not None, "framing puts a manifest into every bundle"  # noqa: S101
    assert seal is not None, "framing ends every bundle with a seal"  # noqa: S101
    return manifest, data, seal, max(roots, key=lambda one: one.version, default=None)


def _is_root(data: bytes) -> bool:
    """Tell a trust root from other documents by the one field that names it."""
    try:
        match decode(data):
            case {"type": str(kind)}:
                return kind == ROOT_TYPE
            case _:
                return False
    except Refusal:
        return False


def _copy(old: BinaryIO, new: BinaryIO, size: int, path: Path) -> None:
    """Write the first *size* bytes of *old* to *new*."""
    left = size
    while left:
        block = old.read(min(left, _BLOCK))
        if not block:
            raise Truncated(str(path), f"an end {left} bytes early", "the file as read")
        left -= len(block)
        new.write(block)
