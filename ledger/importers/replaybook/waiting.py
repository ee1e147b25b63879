"""A row that waits for the end of its file, and the bytes it waits as."""

from typing import Any

from msgspec import Struct, msgpack

from ledger.events import AfterTimeout, AttemptReported, Phases, Recording, Usage
from ledger.importers.findings import Problem


class Waiting(Struct, frozen=True, array_like=True):
    """A row: an attempt that does not know its place yet, or what is wrong with it.

    Attributes:
        raw: Its own bytes.
        found: The attempt, or the problem.
    """

    raw: bytes
    found: AttemptReported | Problem


_encode = msgpack.Encoder().encode
_decode = msgpack.Decoder().decode


def pack(waiting: Waiting) -> bytes:
    """Return *waiting* as bytes, for this process only."""
    return _encode((waiting.raw, isinstance(waiting.found, Problem), waiting.found))


def unpack(data: bytes) -> Waiting:
    """Return what *data* was packed from.

    The values are ours and were checked, so the structs are made without checking them again,
    which would take several times as long.
    """
    raw, is_problem, fields = _decode(data)
    return Waiting(raw, Problem(**fields) if is_problem else _attempt(fields))


def _attempt(fields: dict[str, Any]) -> AttemptReported:
    usage, phases, recording = fields["usage"], fields["phases"], fields["recording"]
    if usage is not None:
        fields["usage"] = Usage(**usage)
    if phases is not None:
        after = phases["after_agent_timeout"]
        if after is not None:
            phases["after_agent_timeout"] = AfterTimeout(**after)
        fields["phases"] = Phases(**phases)
    if recording is not None:
        fields["recording"] = Recording(**recording)
    return AttemptReported(**fields)
