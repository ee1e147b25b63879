"""The kinds of value that may stand in an entry (``specs/events.md``).

Entries are public for ever, so there is no kind for prose: identifiers, enumerations, numbers,
times and digests only. Text that a source wrote freely goes into a blob.
"""

from typing import Annotated, TypeAlias

from msgspec import Meta

MAX_IDENTIFIER_BYTES = 256
MAX_CATEGORY_BYTES = 64

Count: TypeAlias = Annotated[int, Meta(ge=0, le=2**63 - 1)]
"""A count, a size in a named unit, or a sequence number."""

Digest: TypeAlias = Annotated[bytes, Meta(min_length=32, max_length=32)]
"""SHA-256, 32 raw bytes."""

Nonce: TypeAlias = Annotated[bytes, Meta(min_length=16, max_length=16)]
"""16 random bytes, used once per log."""

Identifier: TypeAlias = Annotated[str, Meta(pattern=r"\A[^\x00-\x1f\x7f-\x9f]{1,256}\Z")]
"""One line of 1 to 256 bytes that names something."""

Category: TypeAlias = Annotated[str, Meta(pattern=r"\A[^\x00-\x1f\x7f-\x9f]{1,64}\Z")]
"""A word of a source's own open vocabulary, 1 to 64 bytes."""

Slot: TypeAlias = Annotated[str, Meta(pattern=r"\A[a-z][a-z0-9_]{0,31}\Z")]
"""The name of a blob's place in an entry."""

Quantity: TypeAlias = Annotated[
    str, Meta(pattern=r"\A(?!-0\Z)-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?\Z", max_length=160)
]
"""An exact decimal as canonical text; its unit is in the field's name."""

Amount: TypeAlias = Annotated[
    str, Meta(pattern=r"\A(0|[1-9][0-9]*)(\.[0-9]*[1-9])?\Z", max_length=160)
]
"""A quantity of money that somebody can have paid: not below zero (EVENT-46)."""

Instant: TypeAlias = Annotated[
    str, Meta(pattern=r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z\Z")
]
"""UTC, to the microsecond."""

Pointer: TypeAlias = Annotated[str, Meta(pattern=r"\A(/[A-Za-z0-9_~-]*)*\Z", max_length=256)]
"""A JSON pointer (RFC 6901) made of field names the importer knows, and of indices."""

Blobs: TypeAlias = Annotated[dict[Slot, Digest], Meta(min_length=1)]
"""Slot to commitment; the bytes themselves stand outside the entry."""
