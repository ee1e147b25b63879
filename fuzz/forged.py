"""Bundles with one part changed, and everything around it made to fit again.

Without that a changed byte ends at the first digest or signature over it. Here links, leaves,
commitments, digests, the checkpoint and all signatures are made anew, with the test keys of the
vectors, so that what is odd is met by the step that has to judge it.
"""

import io
import sys
from functools import cache
from random import Random
from typing import Any

from canon import Frontier, commitment, decode, encode, leaf_hash, sha256
from canon.refusal import Refusal
from ledger.bundle import CHUNK_ENTRIES, BundleWriter, read_items
from ledger.bundle.items import Checkpoint as Head
from ledger.bundle.items import Chunk, Disclosure, Document, ManifestItem, Seal
from ledger.bundle.reader import Core
from ledger.edition.freeze import manifest_of
from ledger.edition.manifest import manifest_bytes
from ledger.entry import genesis
from ledger.lineage import Lineage
from ledger.replay import Replay
from signing.checkpoint import Checkpoint, sign_checkpoint
from signing.cose import edition_subject, parse_decision, parse_edition, sign_decision, sign_edition
from signing.keys import PrivateKey

from . import texts, values
from .seeds import VECTORS

if str(VECTORS) not in sys.path:
    sys.path.append(str(VECTORS))
from forge import key

_SIGNERS = ("ada", "ada two", "bea", "ben", "cleo", "dora")
_EDDSA = ("cleo",)
_LONGEST = 4_096
Map = dict[str, Any]


class Broken(AssertionError):
    """What verifying does raised something else than a refusal while a bundle was being made."""


class Parts:
    """A bundle taken apart, as far as its framing holds.

    Attributes:
        manifest: Decoded.
        documents: Bytes of each.
        entries: Each decoded, or its bytes where that fails.
        blobs: (seq, slot) to salt and bytes.
        editions, cosignatures: Of the seal.
    """

    def __init__(self, data: bytes) -> None:
        """Read *data*.

        Raises:
            Refusal: It is no bundle by its framing, or its manifest is not canonical.
        """
        self.documents: list[bytes] = []
        self.entries: list[Any] = []
        self.blobs: dict[tuple[int, str], tuple[bytes, bytes]] = {}
        self.editions: list[bytes] = []
        self.cosignatures: list[tuple[str, bytes]] = []
        for item in read_items(io.BytesIO(data), Core()):
            match item:
                case ManifestItem():
                    self.manifest: Any = decode(item.data)
                case Document():
                    self.documents.append(item.data)
                case Chunk():
                    self.entries += map(_decoded, item.entries)
                case Disclosure():
                    self.blobs[item.seq, item.slot] = item.salt, item.data
                case Seal():
                    self.editions, self.cosignatures = item.editions, item.cosignatures
                case Head() | _:
                    pass


def changed(data: bytes, rng: Random) -> bytes:
    """Return a bundle that differs in one part, and fits; any change of *data* if it is none."""
    try:
        parts = Parts(data)
        _change(parts, rng)
        return _written(parts, rng)
    except (Refusal, ValueError, TypeError, KeyError, AttributeError, OverflowError, IndexError):
        # What was changed beyond what can be made to fit is still worth a try as bytes.
        return texts.changed(data, rng)


def _change(parts: Parts, rng: Random) -> None:
    match rng.randrange(8):
        case 0:
            parts.manifest = values.changed(parts.manifest, rng)
        case 1:
            at = rng.randrange(len(parts.documents))
            parts.documents[at] = encode(values.changed(decode(parts.documents[at]), rng))
        case 2 | 3:
            at = rng.randrange(len(parts.entries))
            parts.entries[at] = values.changed(parts.entries[at], rng)
        case 4 | 5:
            decisions = [one for one in parts.entries if _decision(one) is not None]
            body = rng.choice(decisions)["body"]
            body["decision"] = encode(values.changed(decode(body["decision"]), rng))
        case 6 if parts.blobs:
            place = rng.choice(list(parts.blobs))
            salt, blob = parts.blobs[place]
            parts.blobs[place] = salt, texts.changed(blob, rng)
        case _:
            _rearrange(parts, rng)


def _rearrange(parts: Parts, rng: Random) -> None:
    """Move, repeat or leave out a whole entry, document or signature."""
    listed: list[Any] = rng.choice((parts.entries, parts.documents, parts.editions))
    if not listed:
        return
    at, to = rng.randrange(len(listed)), rng.randrange(len(listed))
    match rng.randrange(3):
        case 0:
            listed[at], listed[to] = listed[to], listed[at]
        case 1:
            listed.insert(to, listed[at])
        case _:
            del listed[at]


def _written(parts: Parts, rng: Random) -> bytes:
    """Return the bundle that *parts* make, fitted together but for a rare omission."""
    manifest: Map = dict(parts.manifest)
    documents = {sha256(one): one for one in parts.documents}
    if rng.random() < 0.9:
        manifest["docs"] = sorted(documents)
    log = str(manifest["log"])
    frontier, entries, leaves = Frontier(), [], []
    leaf = genesis(log, _first_root(parts))
    replay = _replay(parts, documents)
    for seq, entry in enumerate(parts.entries):
        if isinstance(entry, dict):
            if seq == len(parts.entries) - 1:
                manifest |= {"size": seq, "root": frontier.root()}
                if replay is not None and rng.random() < 0.7:
                    manifest |= _recomputed(replay, manifest, _decision(entry) or {})
            _fit(entry, seq, leaf, leaves, parts, (frontier.root(), manifest))
            entry = encode(entry)
        leaf = leaf_hash(entry)
        leaves.append(leaf)
        frontier.append(leaf)
        entries.append(entry)
        replay = _advanced(replay, entry)
    out = io.BytesIO()
    writer = BundleWriter(out)
    frozen = encode(manifest)
    writer.header()
    writer.manifest(frozen)
    for digest in manifest["docs"]:
        writer.document(digest, documents.get(digest, b""))
    for first in range(0, len(entries), CHUNK_ENTRIES):
        writer.chunk(first, entries[first : first + CHUNK_ENTRIES])
        for (seq, slot), (salt, data) in sorted(parts.blobs.items()):
            if first <= seq < first + CHUNK_ENTRIES:
                writer.disclosure(seq, slot, salt, data)
    body = Checkpoint(log, len(entries), frontier.root()).body()
    writer.checkpoint(body)
    editions = [_signed_again(one, frozen, manifest) for one in parts.editions]
    writer.seal(sign_checkpoint(key("log"), log, body), editions, parts.cosignatures)
    return out.getvalue()


def _replay(parts: Parts, documents: dict[bytes, bytes]) -> Replay | None:
    """Return a replay before entry 0, None where the first root is none."""
    first = documents.get(_first_root(parts))
    try:
        lineage = None if first is None else Lineage([first], documents.get)
    except Refusal:
        return None
    return None if lineage is None else Replay(lineage, documents.get, keep=range(_LONGEST))


def _advanced(replay: Replay | None, entry: bytes) -> Replay | None:
    """Return *replay* behind an entry, None once one was refused: there are no figures then."""
    try:
        if replay is not None:
            replay.take(entry)
    except Refusal:
        return None
    except Exception as fault:
        raise Broken(entry.hex()) from fault
    return replay


def _recomputed(replay: Replay, manifest: Map, freeze: Map) -> Map:
    """Return what entries give a manifest, so that what is odd in them comes to the figures."""
    edition, releases = str(manifest.get("edition")), freeze.get("releases")
    try:
        names = releases if isinstance(releases, list) else []
        made = manifest_of(replay, edition, list(map(str, names)), status="final", limits=())
    except Refusal:
        return {}
    except Exception as fault:
        raise Broken("figures") from fault
    value: Any = decode(manifest_bytes(made))
    return {name: item for name, item in value.items() if name not in ("software", "limits")}


def _fit(
    entry: Map, seq: int, leaf: bytes, leaves: list[bytes], parts: Parts, frozen: tuple[bytes, Map]
) -> None:
    """Bind *entry* to its place, commit it to its blobs, and have a decision signed again."""
    entry |= {"seq": seq, "prev": leaf}
    salted = {slot: blob for (number, slot), blob in parts.blobs.items() if number == seq}
    decision = _decision(entry)
    said = entry["body"] if decision is None else decision
    if salted and isinstance(said.get("blobs"), dict):
        said["blobs"] |= {slot: commitment(*blob) for slot, blob in salted.items()}
    if decision is None:
        return
    decision["target"] = [
        [number, leaves[number] if number in range(len(leaves)) else known]
        for number, known in decision["target"]
    ]
    if decision["type"] == "edition.frozen/1" and seq == frozen[1].get("size"):
        root, manifest = frozen
        decision |= {"size": seq, "root": root, "manifest": sha256(encode(manifest))}
    payload = encode(decision)
    signers = [_keys().get(parse_decision(one), key("ada")) for one in entry["body"]["signatures"]]
    entry["body"] = {
        "decision": payload,
        "signatures": [sign_decision(signer, _alg(signer), payload) for signer in signers],
    }


def _signed_again(envelope: bytes, manifest: bytes, said: Map) -> bytes:
    claims = parse_edition(envelope)
    signer = _keys().get(claims.kid, key("ada"))
    subject = edition_subject(str(said["log"]), str(said["edition"]))
    return sign_edition(
        signer,
        _alg(signer),
        manifest,
        controller=claims.controller,
        subject=subject,
        role=claims.role,
    )


def _first_root(parts: Parts) -> bytes:
    """Return the digest of the root that the first entry adopts."""
    decision = _decision(parts.entries[0])
    doc = None if decision is None else decision.get("doc")
    return doc if isinstance(doc, bytes) else bytes(32)


def _decision(entry: Any) -> Map | None:
    """Return the decision in an entry, decoded; None of an observation."""
    body = entry.get("body") if isinstance(entry, dict) else None
    data = body.get("decision") if isinstance(body, dict) else None
    value = decode(data) if isinstance(data, bytes) else None
    return value if isinstance(value, dict) else None  # type: ignore[return-value]


def _decoded(data: bytes) -> Any:
    try:
        return decode(data)
    except Refusal:
        return data


@cache
def _keys() -> dict[bytes, PrivateKey]:
    return {key(name).kid: key(name) for name in _SIGNERS}


def _alg(signer: PrivateKey) -> int:
    return -8 if signer.kid in {key(name).kid for name in _EDDSA} else -19
