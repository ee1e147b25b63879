"""Bundles built anew from parts: any part changed, and everything after it made to fit again.

A `Draft` is an edition taken apart into what people decided and sources said, without anything that
follows from it. `made` derives the rest as an honest publisher would (links, leaves, targets,
signatures, manifest, checkpoint, seal), but judges nothing, so that a forgery has just the one
fault that a hook put in. A draft without a hook is the exported file again, byte for byte.
"""

import hashlib
import io
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import msgspec
from believer import Believer

from canon import commitment, decode, encode
from canon.digest import sha256
from ledger.bundle import CHUNK_ENTRIES, BundleWriter
from ledger.edition.freeze import manifest_of
from ledger.edition.manifest import manifest_bytes
from ledger.entry import Signed, read_entry, read_event
from ledger.events import EditionFrozen
from ledger.founding import ROLES
from ledger.store import Ledger
from signing.checkpoint import Checkpoint, cosign
from signing.cose import edition_subject, parse_decision, sign_decision, sign_edition
from signing.keys import PrivateKey
from signing.note import ED25519, key_id
from signing.trust import TrustRoot, parse_root

Map = dict[str, Any]
Edit = Callable[[Map], object]
Salted = tuple[bytes, bytes]
Item = bytes
Disclosed = tuple[int, str, bytes, bytes]

AT = "2026-01-02T03:04:05.000000Z"
_DECIDING = {wire: role for role, wires in ROLES.items() for wire in wires}
_COMMON = ("v", "log", "type", "target", "blobs")


@cache
def key(name: str) -> PrivateKey:
    """Return the test key of that name; its seed is no secret, so it must never be trusted."""
    return PrivateKey.generate(seeded(f"key {name}", 32))


def seeded(what: str, length: int) -> bytes:
    """Return bytes that look random and depend on *what* alone."""
    return hashlib.shake_256(f"coldledger bundle vectors: {what}".encode()).digest(length)


@cache
def parsed(root: bytes) -> TrustRoot:
    """Return the trust root in *root*; every vector reads the same few."""
    return parse_root(root)


def nothing(_: Map) -> None:
    """Change nothing."""


@dataclass
class Row:
    """One entry, without what its place gives it.

    Attributes:
        type, actor, at: As they stand in the entry.
        says: Fields of the observation, or those that its type gives a decision, with its nonce.
        signers: Names of the keys that sign a decision; None for an observation.
        blobs: Slot to salt and bytes.
        gone: Slot to commitment where the bytes are not at hand.
        targets: What a decision names as seen; None for what it must name.
        decision: Changes a decision's map before it is signed.
        envelopes: Makes other signatures of the decision's bytes and its honest signatures.
        entry: Changes the entry's map, once the body is made.
        data: Changes the entry's bytes.
    """

    type: str
    says: Map
    signers: list[str] | None = None
    actor: str = "recorder"
    at: str = AT
    blobs: dict[str, Salted] = field(default_factory=dict)
    gone: dict[str, bytes] = field(default_factory=dict)
    targets: list[int] | None = None
    decision: Edit = nothing
    envelopes: Callable[[bytes, list[bytes]], list[bytes]] = lambda _, honest: honest
    entry: Edit = nothing
    data: Callable[[bytes], bytes] = bytes


@dataclass
class Made:
    """A bundle that was built.

    Attributes:
        data: The file.
        entries: All entries.
        manifest: Bytes of the manifest in the file.
        body: Body of the checkpoint.
    """

    data: bytes
    entries: list[bytes]
    manifest: bytes
    body: bytes


@dataclass
class Draft:
    """An edition in parts.

    Attributes:
        root: The first trust root's bytes; of the log, unless *origin* says otherwise.
        rows: What becomes an entry, up to the freeze.
        documents: By digest; manifests of earlier editions are made.
        names: Key id to name of every key that may sign.
        sealed_by: Name of the log key.
        published_by: (key, role) of the edition signatures.
        cosigned_by: (witness, seconds since 1970) of the cosignatures.
        disclose: Whether the bytes of a slot of that name go into the file.
        freeze: Changes a manifest's map before it is frozen.
        manifest: Changes the manifest in the file, after it was frozen.
        chunks: Splits entries into chunks.
        disclosed: Changes the disclosures of the file.
        attached: Changes (digest, document) pairs of the file.
        body: Changes the checkpoint's body before it is signed.
        seal: Changes the signatures of the seal: `log`, `editions` and `cosignatures`.
        items: Changes the items of the file.
        software, limits: What the manifest claims; a version would make other vectors every time.
    """

    root: bytes
    rows: list[Row]
    documents: dict[bytes, bytes]
    origin: str = ""
    sealed_by: str = "log"
    published_by: list[tuple[str, str]] = field(default_factory=lambda: [("ada", "publisher")])
    cosigned_by: list[tuple[str, int]] = field(default_factory=list)
    disclose: Callable[[str], bool] = lambda _: False
    freeze: Edit = nothing
    manifest: Edit = nothing
    chunks: Callable[[list[bytes]], list[tuple[int, list[bytes]]]] = lambda entries: _chunked(
        entries
    )
    disclosed: Callable[[list[Disclosed]], list[Disclosed]] = lambda blobs: blobs
    attached: Callable[[list[tuple[bytes, bytes]]], list[tuple[bytes, bytes]]] = lambda docs: docs
    body: Callable[[bytes], bytes] = bytes
    seal: Edit = nothing
    items: Callable[[list[Item]], list[Item]] = lambda items: items
    software: str = "coldledger vectors"
    limits: tuple[str, ...] = ("Everything here is made up.",)

    @property
    def log(self) -> str:
        """The origin that entries name."""
        return self.origin or parsed(self.root).log

    def copy(self) -> "Draft":
        """Return a draft that can be changed by itself."""
        return deepcopy(self)

    def add(self, row: Row, at: int | None = None) -> int:
        """Put *row* in front of the freeze, or at a number; return the number that it gets."""
        place = len(self.rows) - 1 if at is None else at
        self.rows.insert(place, row)
        return place

    def row(self, wire: str, nth: int = 0) -> tuple[int, Row]:
        """Return number and row of the *nth* event of a type."""
        return [(seq, row) for seq, row in enumerate(self.rows) if row.type == wire][nth]

    def replace_root(self, data: bytes) -> None:
        """Put another first trust root in place of the one there is."""
        del self.documents[sha256(self.root)]
        self.documents[sha256(data)] = data
        self.root = data
        self.rows[0].says["doc"] = sha256(data)

    def made(self) -> Made:
        """Return the bundle."""
        return _Maker(self).made()


def decision(wire: str, says: Map, signers: Sequence[str], **more: Any) -> Row:
    """Return the row of a decision by *signers*, as the role that decides it."""
    role = _DECIDING[wire]
    nonce = seeded(f"nonce {wire} {sorted(says.items(), key=str)} {more.get('targets')}", 16)
    return Row(wire, {"nonce": nonce, **says}, signers=list(signers), **{"actor": role, **more})


def draft_of(ledger: Ledger, names: Iterable[str]) -> Draft:
    """Take the log of *ledger*, up to its newest freeze, apart."""
    known = {key(name).kid: name for name in names}
    rows = [_row(ledger, seq, data, known) for seq, data in ledger.entries()]
    while rows[-1].type != EditionFrozen.wire:
        rows.pop()
    documents = dict(ledger.documents())
    manifests = [row.says["manifest"] for row in rows if row.type == EditionFrozen.wire]
    for digest in manifests:
        del documents[digest]
    return Draft(documents[rows[0].says["doc"]], rows, documents)


def _row(ledger: Ledger, seq: int, data: bytes, names: dict[bytes, str]) -> Row:
    entry = read_entry(data, seq)
    event = read_event(entry)
    said = event.decision if isinstance(event, Signed) else event
    blobs, gone = {}, {}
    for slot, digest in ({} if said.blobs is msgspec.UNSET else said.blobs).items():
        blob = ledger.blob(seq, slot)
        if blob is None:
            gone[slot] = digest
        else:
            blobs[slot] = (blob.salt, blob.data)
    row = Row(entry.type, {}, actor=entry.actor, at=entry.at, blobs=blobs, gone=gone)
    if isinstance(event, Signed):
        bound = decode(event.payload)
        assert isinstance(bound, dict)  # noqa: S101 - it was read as a decision
        row.says = {name: value for name, value in bound.items() if name not in _COMMON}
        row.signers = [names[parse_decision(one)] for one in event.signatures]
    else:
        row.says = {name: value for name, value in entry.body.items() if name != "blobs"}
    return row


class _Maker:
    """Derives the rest of one draft."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.documents = dict(draft.documents)
        self.believer = Believer(draft.root, draft.log, self.documents.get, parsed)
        self.entries: list[bytes] = []
        self.manifest: Map = {}

    def made(self) -> Made:
        """Make entries one by one, then the file around them."""
        for row in self.draft.rows:
            data = self._entry(row)
            self.believer.believe(data)
            self.entries.append(data)
        draft = self.draft
        draft.manifest(self.manifest)
        manifest = encode(self.manifest)
        body = draft.body(Checkpoint(draft.log, len(self.entries), self.believer.root()).body())
        items = [
            _written(lambda out: out.header()),
            _written(lambda out: out.manifest(manifest)),
            *self._documents(),
            *self._chunks(),
            _written(lambda out: out.checkpoint(body)),
            self._seal(manifest, body),
        ]
        return Made(b"".join(draft.items(items)), self.entries, manifest, body)

    def _entry(self, row: Row) -> bytes:
        commitments = {slot: commitment(*salted) for slot, salted in row.blobs.items()} | row.gone
        blobs = {"blobs": commitments} if commitments else {}
        if row.signers is None:
            body: Map = {**row.says, **blobs}
        else:
            body = self._decided(row, blobs)
        entry = {
            "v": 1,
            "log": self.draft.log,
            "seq": self.believer.size,
            "prev": self.believer.leaf,
            "type": row.type,
            "at": row.at,
            "actor": row.actor,
            "body": body,
        }
        row.entry(entry)
        return row.data(encode(entry))

    def _decided(self, row: Row, blobs: Map) -> Map:
        says = {"v": 1, "log": self.draft.log, "type": row.type, **row.says, **blobs}
        if row.type == EditionFrozen.wire:
            says |= self._frozen(row)
        targets = row.targets
        if targets is None:
            targets = self.believer.must_see({**says, "target": []})
        says["target"] = [[number, self.believer.leaf_of(number)] for number in targets]
        row.decision(says)
        payload = encode(says)
        signers = sorted((key(name) for name in row.signers or ()), key=lambda one: one.kid)
        honest = [sign_decision(one, self._alg(one), payload) for one in signers]
        return {"decision": payload, "signatures": row.envelopes(payload, honest)}

    def _frozen(self, row: Row) -> Map:
        """Make the manifest of an edition, which is a document of every later one."""
        edition, releases = row.says["edition"], row.says["releases"]
        made = manifest_of(
            self.believer,  # type: ignore[arg-type]
            edition,
            releases,
            status="final",
            limits=self.draft.limits,
        )
        value = decode(manifest_bytes(made))
        assert isinstance(value, dict)  # noqa: S101 - it is a manifest
        self.manifest = {**value, "software": self.draft.software}
        self.draft.freeze(self.manifest)
        data = encode(self.manifest)
        self.documents[sha256(data)] = data
        return {"size": made.size, "root": made.root, "manifest": sha256(data)}

    def _alg(self, signer: PrivateKey) -> int:
        """Return the algorithm that the trust roots give a key; a stranger has the usual one."""
        for root in self._roots():
            known = root.key(signer.kid)
            if known is not None:
                return known.alg
        return -19

    def _roots(self) -> list[TrustRoot]:
        """Return the trust root in force, and those adopted later that a signer may come from."""
        found = [self.believer.trusted]
        for data in self.documents.values():
            if b"coldledger/trust-root/1" in data:
                found.append(parsed(data))
        return found

    def _documents(self) -> list[Item]:
        docs = self.manifest["docs"]
        pairs = [(digest, self.documents.get(digest, b"")) for digest in docs]
        return [
            _written(lambda out, one=digest, two=data: out.document(one, two))
            for digest, data in self.draft.attached(pairs)
        ]

    def _chunks(self) -> list[Item]:
        items = []
        redacted = self.believer.authority.redacted
        blobs = self.draft.disclosed(
            [
                (seq, slot, salt, data)
                for seq, row in enumerate(self.draft.rows)
                for slot, (salt, data) in sorted(row.blobs.items())
                if self.draft.disclose(slot) and (seq, slot) not in redacted
            ]
        )
        for first, entries in self.draft.chunks(self.entries):
            items.append(_written(lambda out, one=first, two=entries: out.chunk(one, two)))
            stop = first + len(entries)
            items += [
                _written(lambda out, one=blob: out.disclosure(*one))
                for blob in blobs
                if first <= blob[0] < stop
            ]
        return items

    def _seal(self, manifest: bytes, body: bytes) -> Item:
        draft, subject = self.draft, edition_subject(self.draft.log, self.manifest["edition"])
        envelopes = []
        signers = sorted((key(name).kid, role, name) for name, role in draft.published_by)
        for kid, role, name in signers:
            known = next((one for root in self._roots() if (one := root.key(kid))), None)
            controller = name.title() if known is None else known.controller
            envelopes.append(
                sign_edition(
                    key(name),
                    self._alg(key(name)),
                    manifest,
                    controller=controller,
                    subject=subject,
                    role=role,
                )
            )
        log = key(draft.sealed_by)
        parts: Map = {
            "log": key_id(draft.log, ED25519, log.public) + log.sign(body),
            "editions": envelopes,
            "cosignatures": [
                (name, cosign(key(name), name, body, when)) for name, when in draft.cosigned_by
            ],
        }
        draft.seal(parts)
        return _written(lambda out: out.seal(*parts.values()))


def _chunked(entries: list[bytes]) -> list[tuple[int, list[bytes]]]:
    size = CHUNK_ENTRIES
    return [(first, entries[first : first + size]) for first in range(0, len(entries), size)]


def _written(write: Callable[[BundleWriter], object]) -> Item:
    """Return the one item that *write* writes."""
    out = io.BytesIO()
    write(BundleWriter(out))
    return out.getvalue()
