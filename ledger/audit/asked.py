"""What a verdict asks of reviewers, read from its bytes; a signed review answers it (AUDIT-56)."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from canon import decode
from canon.refusal import Refusal
from ledger.events import VERDICT
from ledger.runs.intake.versions import Holdings


class Asked(Struct, frozen=True):
    """A flag of a verdict, as far as reviews are about it.

    Attributes:
        mechanical: Digest of its mechanical part, 32 bytes.
        reviews: What must be resolved before a pass of it counts.
    """

    mechanical: bytes
    reviews: tuple[str, ...]


class _Sum(Struct, frozen=True):
    sha256: str


class _Question(Struct, frozen=True):
    id: str


class _Flag(Struct, frozen=True):
    flag: str
    mechanical: _Sum
    required_review: tuple[_Question, ...]


class _Body(Struct, frozen=True):
    flags: tuple[_Flag, ...]


def flags_of(data: bytes) -> Mapping[str, Asked] | None:
    """Return the flags of a verdict's body by their names; None where it is none."""
    try:
        body: Any = decode(data)
        flags = msgspec.convert(body, _Body).flags
        return {
            one.flag: Asked(
                bytes.fromhex(one.mechanical.sha256),
                tuple(asked.id for asked in one.required_review),
            )
            for one in flags
        }
    except (Refusal, msgspec.ValidationError, ValueError):
        return None


def kept_flags(ledger: Holdings, seq: int) -> Mapping[str, Asked] | None:
    """Return the flags of the verdict in event *seq*; None where its bytes are withheld."""
    blob = ledger.blob(seq, VERDICT)
    return None if blob is None else flags_of(blob.data)
