"""The manifest: what an edition publishes, as canonical bytes (``specs/bundle.md``)."""

from itertools import pairwise
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from canon import decode, encode, labelled
from canon.digest import FIGURES
from ledger.errors import ShapeInvalid
from ledger.events.fields import Count, Digest, Identifier, Slot

TYPE: Literal["coldledger/manifest/1"] = "coldledger/manifest/1"
STATUSES = ("draft", "provisional", "final")

Figure: TypeAlias = int | str | bool | list[Any] | None
"""A published value; exact, and never a float (canon has none)."""

Prose: TypeAlias = Annotated[str, Meta(max_length=4_096)]
"""A sentence of the publisher's, who answers for it."""


class Disclosed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the bytes of one kind of slot are treated.

    Attributes:
        slot: Name of the slot.
        class_: public, or restricted.
        reason: Why.
        inspect: Who may see restricted bytes.
    """

    slot: Slot
    class_: Annotated[str, Meta(max_length=64)] = msgspec.field(name="class")
    reason: Prose
    inspect: list[Identifier]


class Manifest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An edition: identity, figures, and what they rest on.

    Attributes:
        log: Origin.
        edition: Name, unique in the log.
        status: The publisher's word for how far to rely on it; a claim.
        size: Number N of entries it covers.
        root: Tree root at N.
        software: Name and version that made it; a claim.
        docs: Digests of every document in the bundle, ascending.
        policies: Name to digest of the policy in force at N.
        figures: Path to value.
        figures_sha256: Labelled digest of the figures alone, equal in any ledger that gives them.
        corrections, exclusions, invalidations: Numbers of those in force at N, ascending.
        targets: Every number that a decision below N targets, ascending.
        redacted: [seq, slot, number of the decision], ascending.
        disclosure: Per slot name: class, reason, who may inspect.
        limits: What is not claimed; the publisher's claim.
    """

    type: Literal["coldledger/manifest/1"]
    log: Identifier
    edition: Identifier
    status: Annotated[str, Meta(max_length=64)]
    size: Count
    root: Digest
    software: Annotated[str, Meta(max_length=256)]
    docs: Annotated[list[Digest], Meta(min_length=1)]
    policies: dict[str, Digest]
    figures: Annotated[dict[str, Figure], Meta(min_length=1)]
    figures_sha256: Digest
    corrections: list[Count]
    exclusions: list[Count]
    invalidations: list[Count]
    targets: list[Count]
    redacted: list[tuple[Count, Slot, Count]]
    disclosure: list[Disclosed]
    limits: list[Prose]


def figures_digest(figures: dict[str, Figure]) -> bytes:
    """Return the digest of paths and values alone, 32 bytes (BUNDLE-8)."""
    return labelled(FIGURES, encode(figures))


def manifest_bytes(manifest: Manifest) -> bytes:
    """Return the canonical bytes whose SHA-256 names the edition."""
    return encode(msgspec.to_builtins(manifest, builtin_types=(bytes,)))


def parse_manifest(data: bytes) -> Manifest:
    """Read a manifest: canonical bytes, then the shape of every field, then their order.

    Raises:
        Refusal: The bytes are not canonical CBOR.
        ShapeInvalid: They are not a manifest, a list is not ascending, or a figure is no value.
    """
    try:
        # Without builtin_types, text in base64 would pass for a digest.
        manifest = msgspec.convert(decode(data), Manifest, builtin_types=(bytes,))
    except msgspec.ValidationError as fault:
        raise ShapeInvalid("manifest", str(fault), f"`{TYPE}`") from None
    ascending: dict[str, list[Any]] = {
        "docs": manifest.docs,
        "corrections": manifest.corrections,
        "exclusions": manifest.exclusions,
        "invalidations": manifest.invalidations,
        "targets": manifest.targets,
        "redacted": [entry[:2] for entry in manifest.redacted],
        "disclosure": [entry.slot for entry in manifest.disclosure],
    }
    for name, values in ascending.items():
        if any(one >= two for one, two in pairwise(values)):
            raise ShapeInvalid(f"manifest, {name}", "another order", "ascending, each once")
    for path, value in manifest.figures.items():
        if type(value) is list and not _is_figure(value):
            raise ShapeInvalid(f"manifest, figure {path}", "a byte string or a map", "`value`")
    return manifest


def _is_figure(value: object) -> bool:
    """Tell whether a value is one that a figure can have, also inside lists."""
    if type(value) is list:
        return all(map(_is_figure, value))
    return value is None or type(value) in (int, str, bool)
