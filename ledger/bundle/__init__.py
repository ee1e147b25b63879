"""The one file that leaves: a CBOR sequence, written and read in one pass."""

from .items import (
    CHUNK_ENTRIES,
    FORMAT,
    PART_BYTES,
    Checkpoint,
    Chunk,
    Disclosure,
    Document,
    Header,
    Item,
    ManifestItem,
    Seal,
)
from .reader import read_items
from .writer import BundleWriter

__all__ = [
    "CHUNK_ENTRIES",
    "FORMAT",
    "PART_BYTES",
    "BundleWriter",
    "Checkpoint",
    "Chunk",
    "Disclosure",
    "Document",
    "Header",
    "Item",
    "ManifestItem",
    "Seal",
    "read_items",
]
