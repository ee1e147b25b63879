"""The vectors of ``specs/vectors/bundles``: their files, their questions, and where parts stand."""

import io
import json
from functools import cache
from pathlib import Path
from typing import Any

from canon.refusal import Refusal
from ledger.bundle import read_items
from ledger.bundle.items import Checkpoint, Chunk, Disclosure, Document, ManifestItem, Seal
from ledger.bundle.reader import Core
from ledger.verify.bundle import verify_bundle
from ledger.verify.conditions import read_conditions
from ledger.verify.kept import open_kept
from ledger.verify.question import Question
from ledger.verify.verdict import Fault, Verdict
from signing.trust import parse_root

SPECS = Path(__file__).resolve().parents[1] / "specs"
FOLDER = SPECS / "vectors" / "bundles"
VECTORS: list[dict[str, Any]] = json.loads((FOLDER / "vectors.json").read_text("utf-8"))["vectors"]


@cache
def content(name: str) -> bytes:
    """Return the content of a file of the vectors."""
    return (FOLDER / name).read_bytes()


def question(asked: dict[str, Any]) -> Question:
    """Return what a vector's question asks."""
    trust = [content(name) for name in asked["trust"]]
    since, conditions = asked["since"], asked["conditions"]
    return Question(
        trust,
        trust_sha256=None
        if asked["trust_sha256"] is None
        else bytes.fromhex(asked["trust_sha256"]),
        since=None if since is None else open_kept(since.encode(), parse_root(trust[0])),
        conditions=None if conditions is None else read_conditions(conditions, "conditions"),
        now=asked["now"],
    )


def verdict_of(vector: dict[str, Any]) -> Verdict:
    """Return the verdict on a vector."""
    return verify_bundle(io.BytesIO(content(vector["input"])), question(vector["question"]))[0]


def fault_of(vector: dict[str, Any]) -> Fault:
    """Return the fault of a vector that is refused."""
    fault = verdict_of(vector).error
    assert fault is not None
    return fault


class Layout:
    """Where the parts of a bundle stand, as far as it can be read.

    Attributes:
        manifest, chunk, checkpoint, seal: Offsets of these items, of the first chunk.
        documents: Offsets of the documents.
        entries: Number to the offset of the entry.
        disclosures: Number and slot to the offsets of what discloses it.
    """

    def __init__(self, data: bytes) -> None:
        self.manifest = self.chunk = self.checkpoint = self.seal = -1
        self.documents: list[int] = []
        self.entries: dict[int, int] = {}
        self.disclosures: dict[tuple[int, str], list[int]] = {}
        try:
            for item in read_items(io.BytesIO(data), Core()):
                self._take(item)
        except Refusal:
            return

    def _take(self, item: object) -> None:
        match item:
            case ManifestItem(offset=offset):
                self.manifest = offset
            case Document(offset=offset):
                self.documents.append(offset)
            case Chunk(offset=offset, first=first, offsets=offsets):
                self.chunk = offset if self.chunk < 0 else self.chunk
                self.entries.update(enumerate(offsets, first))
            case Disclosure(offset=offset, seq=seq, slot=slot):
                self.disclosures.setdefault((seq, slot), []).append(offset)
            case Checkpoint(offset=offset):
                self.checkpoint = offset
            case Seal(offset=offset):
                self.seal = offset
            case _:
                pass
