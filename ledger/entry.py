"""The entry: canonical bytes of one event in its place in the log (``specs/events.md``)."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from canon import decode, encode, labelled
from canon.digest import GENESIS
from canon.errors import Limit
from canon.heads import text_item, uint_item

from .errors import EventTypeUnknown, ShapeInvalid
from .events import DECISIONS, OBSERVATIONS, Decision, Observation

MAX_ENTRY_BYTES = 65_535
_KEYS = ("v", "at", "log", "seq", "body", "prev", "type", "actor")
_INSTANT_BYTES = 27
_ACTOR_BYTES = 64
MAX_SIGNATURES = 64

# Without this, msgspec takes text in base64 for the bytes that it stands for: one event, two forms.
_RAW = (bytes,)

Body = Mapping[str, Any]


class Entry(Struct, frozen=True, gc=False):
    """An entry's fields, shape checked, nothing believed.

    Attributes:
        log: Origin of the log.
        seq: Its number, from 0.
        prev: Leaf of the entry before; of entry 0, the genesis digest.
        type: Wire name of the event.
        at: When its appender claims to have appended it; nothing is ordered by it.
        actor: A role's name or a key id.
        body: The event, decoded but not yet read.
    """

    log: str
    seq: int
    prev: bytes
    type: str
    at: str
    actor: str
    body: Body


class Decided(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a decision as it stands in an entry.

    Attributes:
        decision: The canonical bytes that were signed.
        signatures: COSE_Sign1 envelopes over them, sorted by key id.
    """

    decision: bytes
    signatures: Annotated[list[bytes], Meta(min_length=1, max_length=MAX_SIGNATURES)]


class Signed(Struct, frozen=True):
    """A decision read from its bytes, with what must be verified about it."""

    decision: Decision
    payload: bytes
    signatures: list[bytes]


def genesis(origin: str, root_digest: bytes) -> bytes:
    """Return ``prev`` of entry 0, which binds the log's origin and its first trust root."""
    return labelled(GENESIS, encode([origin, root_digest]))


def entry_prefix(log: str, at: str) -> bytes:
    """Return an entry's bytes up to its sequence number, for :func:`entry_bytes`."""
    return b"\xa8\x61v\x01\x62at" + text_item(at) + b"\x63log" + text_item(log) + b"\x63seq"


def entry_bytes(prefix: bytes, seq: int, body: bytes, prev: bytes, tail: bytes) -> bytes:
    """Assemble an entry from canonical parts; *prefix* and *tail* come from their functions."""
    return b"".join((prefix, uint_item(seq), b"\x64body", body, b"\x64prev\x58\x20", prev, tail))


def entry_tail(type_: str, actor: str) -> bytes:
    """Return an entry's bytes after ``prev``, for :func:`entry_bytes`."""
    return b"\x64type" + text_item(type_) + b"\x65actor" + text_item(actor)


def is_actor(text: str) -> bool:
    """Tell whether *text* may name an actor: 1 to 64 printable ASCII characters (EVENT-10)."""
    return text.isascii() and text.isprintable() and 0 < len(text) <= _ACTOR_BYTES


def read_entry(data: bytes, seq: int | None = None) -> Entry:
    """Decode an entry strictly and check its shape (EVENT-1 to EVENT-3).

    Args:
        data: The entry's bytes.
        seq: Where it stands, for messages only.

    Raises:
        Limit: It is longer than 65,535 bytes.
        Refusal: It is not canonical CBOR (``E_CBOR_…``).
        ShapeInvalid: It is not an entry.
    """
    if len(data) > MAX_ENTRY_BYTES:
        raise Limit(_place(seq), f"{len(data)} bytes", f"at most {MAX_ENTRY_BYTES}")
    value: Any = decode(data)
    if type(value) is not dict or tuple(value) != _KEYS:
        raise ShapeInvalid(_place(seq), "another set of fields", ", ".join(_KEYS), seq=seq)
    v, at, log, number, body, prev, type_, actor = value.values()
    if not (
        v == 1
        and type(v) is int
        and type(at) is str
        and len(at) == _INSTANT_BYTES
        and type(log) is str
        and type(number) is int
        and number >= 0
        and type(body) is dict
        and type(prev) is bytes
        and len(prev) == 32
        and type(type_) is str
        and type(actor) is str
    ):
        raise ShapeInvalid(_place(seq), "a field of another kind", "the CDDL rule `entry`", seq=seq)
    return Entry(log, number, prev, type_, at, actor, body)


def read_event(entry: Entry) -> Observation | Signed:
    """Read an entry's body as the event its type names (EVENT-4 to EVENT-8).

    Raises:
        EventTypeUnknown: No such type.
        ShapeInvalid: The body is of another shape.
        Refusal: The bytes of a decision are not canonical CBOR.
    """
    struct = OBSERVATIONS.get(entry.type)
    try:
        if struct is not None:
            return msgspec.convert(entry.body, struct, builtin_types=_RAW)
        decision_struct = DECISIONS.get(entry.type)
        if decision_struct is None:
            raise EventTypeUnknown(
                _place(entry.seq), f"type {entry.type[:64]!r}", "a known type", seq=entry.seq
            )
        decided = msgspec.convert(entry.body, Decided, builtin_types=_RAW)
        decision = msgspec.convert(decode(decided.decision), decision_struct, builtin_types=_RAW)
    except msgspec.ValidationError as fault:
        raise ShapeInvalid(
            _place(entry.seq), str(fault), f"`{entry.type}`", seq=entry.seq
        ) from None
    return Signed(decision, decided.decision, decided.signatures)


def _place(seq: int | None) -> str:
    return "entry" if seq is None else f"event {seq}"
