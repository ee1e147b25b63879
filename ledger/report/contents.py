"""What a bundle says of itself, read without verifying any of it."""

from typing import Any, BinaryIO

from canon.digest import sha256
from ledger.bundle import Checkpoint, Chunk, Disclosure, Document, ManifestItem, Seal, read_items
from ledger.bundle.reader import Core
from ledger.edition.manifest import parse_manifest
from ledger.entry import Entry, read_entry
from ledger.events import FileObserved
from signing.cose import parse_edition


def contents(stream: BinaryIO) -> dict[str, Any]:
    """Return what a bundle says about itself; ``verified`` is always false.

    Raises:
        Refusal: It is no bundle, or its manifest cannot be read.
    """
    core = Core()
    document: dict[str, Any] = {"verified": False, "documents": 0, "disclosed": 0, "runs": 0}
    types: dict[str, int] = {}
    for item in read_items(stream, core, keep_bytes=0):
        match item:
            case ManifestItem(data=data):
                document.update(_manifest(data))
            case Document():
                document["documents"] += 1
            case Chunk(first=first, entries=entries):
                for seq, entry in enumerate(entries, first):
                    said = read_entry(entry, seq)
                    types[said.type] = types.get(said.type, 0) + 1
                    document["runs"] += _begins_run(said)
            case Disclosure():
                document["disclosed"] += 1
            case Checkpoint():
                document["core_sha256"] = core.digest().hex()
            case Seal(editions=editions, cosignatures=cosignatures):
                document["signatures"] = [_claim(one) for one in editions]
                document["cosignatures"] = [name for name, _ in cosignatures]
            case _:
                pass
    document["events"] = dict(sorted(types.items()))
    return document


def _begins_run(entry: Entry) -> bool:
    """Tell whether an entry is the first about a run's run.json, which every run has (KEEP-7)."""
    body = entry.body
    first = body.get("role") == "manifest" and body.get("supersedes") is None
    return entry.type == FileObserved.wire and first


def _manifest(data: bytes) -> dict[str, Any]:
    manifest = parse_manifest(data)
    return {
        "manifest_sha256": sha256(data).hex(),
        "log": manifest.log,
        "edition": manifest.edition,
        "status": manifest.status,
        "size": manifest.size,
        "root": manifest.root.hex(),
        "software": manifest.software,
        "policies": {name: digest.hex() for name, digest in manifest.policies.items()},
        "figures": len(manifest.figures),
        "corrections": manifest.corrections,
        "exclusions": manifest.exclusions,
        "invalidations": manifest.invalidations,
        "redacted": [list(one) for one in manifest.redacted],
        "limits": manifest.limits,
    }


def _claim(envelope: bytes) -> dict[str, str]:
    claim = parse_edition(envelope)
    return {"controller": claim.controller, "role": claim.role, "kid": claim.kid.hex()}
