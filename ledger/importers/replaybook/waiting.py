"""A row that waits for the end of its file, and the bytes it waits as."""

from msgspec import Struct, msgpack

from ledger.importers.findings import Problem

from .trial import Trial


class Waiting(Struct, frozen=True, array_like=True):
    """A row: what it says, or what is wrong with it.

    Attributes:
        raw: Its own bytes.
        found: The trial, or the problem.
    """

    raw: bytes
    found: Trial | Problem


class _Packed(Struct, frozen=True, array_like=True):
    """The same, with the other of the two left out."""

    raw: bytes
    trial: Trial | None
    problem: Problem | None


_encode = msgpack.Encoder().encode
_decode = msgpack.Decoder(_Packed).decode


def pack(waiting: Waiting) -> bytes:
    """Return *waiting* as bytes, for this process only."""
    raw, found = waiting.raw, waiting.found
    return _encode((raw, found, None) if isinstance(found, Trial) else (raw, None, found))


def unpack(data: bytes) -> Waiting:
    """Return what *data* was packed from."""
    packed = _decode(data)
    found = packed.trial or packed.problem
    assert found is not None, "one of the two was packed"  # noqa: S101
    return Waiting(packed.raw, found)
