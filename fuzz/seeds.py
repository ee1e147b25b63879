"""Examples to begin with: the inputs of the project's own vectors, sound and faulty ones."""

import json
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from canon import encode
from canon.refusal import Refusal
from ledger.bundle import read_items
from ledger.bundle.items import Chunk, Document, Item
from ledger.bundle.reader import Core
from ledger.rules import shipped

VECTORS = Path(__file__).resolve().parents[1] / "specs" / "vectors"
_LARGE = 65_536


@cache
def vectors(name: str) -> dict[str, Any]:
    """Return the file of vectors at *name*, without its ending."""
    content: dict[str, Any] = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))
    return content


def _inputs(name: str, key: str) -> Iterator[bytes]:
    """Yield one input of each vector that has it, as bytes."""
    for one in vectors(name)["vectors"]:
        value = one.get("inputs", one).get(key)
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str):
                yield bytes.fromhex(text) if key.endswith("_hex") else text.encode()


def items() -> Iterator[bytes]:
    """Yield canonical items, and what is none."""
    yield from _inputs("canon/items", "input_hex")
    yield from _inputs("canon/frames", "input_hex")
    for one in vectors("canon/bombs")["vectors"]:
        data = b"".join(bytes.fromhex(piece) * times for piece, times in one["pieces"])
        if len(data) < _LARGE:
            yield data


def _asked() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the vectors of bundles that end in a verdict, each behind its question as text."""
    for one in vectors("bundles/vectors")["vectors"]:
        if one["expect"] == "accept" or one["step"] is not None:
            yield json.dumps(one["question"]), one


def bundles() -> Iterator[bytes]:
    """Yield bundles, each behind the index of its question in `questions`."""
    known: dict[str, int] = {}
    for question, one in _asked():
        number = known.setdefault(question, len(known))
        data = (VECTORS / "bundles" / one["input"]).read_bytes()
        if len(data) < _LARGE:
            yield bytes([number]) + data


@cache
def questions() -> list[dict[str, Any]]:
    """Return what the vectors of bundles ask, each question once, in the order of `bundles`."""
    return [json.loads(text) for text in dict.fromkeys(question for question, _ in _asked())]


@cache
def sound_cores() -> frozenset[str]:
    """Return the digests of the cores that must be accepted, in hex."""
    return frozenset(
        one["core_sha256"]
        for one in vectors("bundles/vectors")["vectors"]
        if one["expect"] == "accept"
    )


def notes() -> Iterator[bytes]:
    """Yield signed notes, bodies of checkpoints and verifier keys."""
    yield from _inputs("signing/note", "note_hex")
    yield from _inputs("signing/checkpoint-note", "note_hex")
    yield from _inputs("signing/vkey", "text")
    yield bytes.fromhex(vectors("signing/checkpoint")["common"]["body_hex"])


def roots() -> Iterator[bytes]:
    """Yield trust roots, and successors of the one of the vectors."""
    yield from _inputs("signing/root", "root_hex")
    yield from _inputs("signing/successor", "root_hex")
    yield from (path.read_bytes() for path in sorted((VECTORS / "bundles").glob("*.cbor")))


def envelopes() -> Iterator[bytes]:
    """Yield envelopes of both profiles."""
    yield from _inputs("signing/decision", "signatures_hex")
    yield from _inputs("signing/edition", "signatures_hex")


def proofs() -> Iterator[bytes]:
    """Yield proofs as canonical items: [kind, numbers and hashes in the order of the function]."""
    names = {
        "inclusion": ("leaf", "index", "size", "path", "root"),
        "consistency": ("first", "second", "first_root", "second_root", "path"),
    }
    for one in vectors("canon/trees")["vectors"]:
        parts = [_raw(one.get(name)) for name in names.get(one["kind"], ())]
        if parts and all(-(2**63) <= part < 2**63 for part in parts if isinstance(part, int)):
            yield encode([one["kind"], *parts])


def _raw(value: Any) -> Any:
    if isinstance(value, list):
        return [_raw(item) for item in value]
    return bytes.fromhex(value) if isinstance(value, str) else value


def entries() -> Iterator[bytes]:
    """Yield entries, from their own vectors and from bundles."""
    yield from _inputs("events/entries", "input_hex")
    for name in ("public", "decided", "judged"):
        yield from _entries_of(VECTORS / "bundles" / f"{name}.bundle")


def _entries_of(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        for item in _read(stream):
            if isinstance(item, Chunk):
                yield from item.entries


def sources() -> Iterator[bytes]:
    """Yield files of results, whole ones and such as cannot be read."""
    for name in ("files", "releases", "rows", "slices"):
        yield from _texts(vectors(f"importers/{name}")["vectors"])
    yield from (
        path.read_bytes() for path in sorted((VECTORS.parents[1] / "samples").glob("*.json"))
    )


def _texts(value: Any) -> Iterator[bytes]:
    """Yield whatever in a vector looks like a file."""
    if isinstance(value, str):
        if value[:1] in ("{", "["):
            yield value.encode("utf-8", "surrogatepass")
        elif len(value) > 40 and not value.strip("0123456789abcdef"):
            yield bytes.fromhex(value[: len(value) // 2 * 2])
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def conditions() -> Iterator[bytes]:
    """Yield conditions of a verifier, in TOML."""
    for asked in questions():
        if asked["conditions"] is not None:
            yield asked["conditions"].encode()
    yield b'id = "x"\nversion = 1\n[[rules]]\nkind = "signed-by"\nrole = "auditor"\n'


def policies() -> Iterator[bytes]:
    """Yield the policies that are shipped, and documents of bundles, which are other ones too."""
    yield from shipped().values()
    for path in sorted((VECTORS / "bundles").glob("polic*.bundle")):
        with path.open("rb") as stream:
            yield from (item.data for item in _read(stream) if isinstance(item, Document))


def _read(stream: BinaryIO) -> Iterator[Item]:
    """Yield the items of a bundle up to the first fault in its framing."""
    with suppress(Refusal):
        yield from read_items(stream, Core())


def numbers() -> Iterator[bytes]:
    """Yield decimals, JSON numbers, quotients and times."""
    for name in ("quantities", "times"):
        for one in vectors(f"canon/{name}")["vectors"]:
            if isinstance(one["input"], str):
                yield one["input"].encode("utf-8", "surrogatepass")
            else:
                yield json.dumps(one["input"]).encode()
