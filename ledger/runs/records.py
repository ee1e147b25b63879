"""A line of a run read: which record it is, and what its fields say (RUN-30 to RUN-36).

Other programs write these lines, and name one thing in several ways. What is not there, and what
is not of its kind, is None here; the fields that are there and cannot be read are listed, so that
whoever judges may tell the two apart. Nothing is guessed.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from .fields import Fields, digest, text, whole
from .json_text import JsonFault, parse
from .layout import MAX_LINE_BYTES
from .times import Instant

LineFault: TypeAlias = JsonFault | Literal["too_long", "blank", "not_an_object"]
"""Why a line is no record."""


class Recorded(Struct, frozen=True, kw_only=True):
    """A line of the trajectory.

    Attributes:
        record: Its kind, as written; it need not be one of ``layout.KINDS``.
        at: Its own ``at``, no alias; microseconds since 1970.
        seq: The number that the recorder gave it; digit strings are read, and are a problem.
        tick: Game tick, by any of its names.
        arguments: Any JSON.
        result: Any JSON.
        data: What a mark says beside its name.
        malformed: Fields that are there and are not of their kind.
        fault: Why the line is no record; every field is None then.
        raw: The whole object.
    """

    record: str | None = None
    schema: str | None = None
    run_id: str | None = None
    seq: int | None = None
    at: Instant | None = None
    tick: int | None = None
    instance: str | None = None
    dimension: str | None = None
    call_id: str | None = None
    tool: str | None = None
    arguments: Any = None
    status: str | None = None
    result: Any = None
    phase: str | None = None
    actor: str | None = None
    name: str | None = None
    data: Mapping[str, Any] | None = None
    malformed: tuple[str, ...] = ()
    fault: LineFault | None = None
    raw: Mapping[str, Any] = {}


class Witnessed(Struct, frozen=True, kw_only=True):
    """A line of evidence: of the test's own log, of the agent's logger, or of its normalized view.

    Attributes:
        event: What happened.
        at: Its time by any of its names, microseconds since 1970: what chooses first and last.
        literal_at: The time under the name ``at`` alone: what orders two records.
        seq: Its number by any of its names.
        literal_seq: The number under the name ``seq`` alone: what ``testmod:seqN`` refers to.
        source_sha256: Digest of the raw log that a normalized record was made from, as written.
        malformed: Fields that are there and are not of their kind.
        fault: Why the line is no record; every field is None then.
        raw: The whole object.
    """

    event: str | None = None
    run_id: str | None = None
    instance: str | None = None
    dimension: str | None = None
    at: Instant | None = None
    literal_at: Instant | None = None
    tick: int | None = None
    seq: int | None = None
    literal_seq: int | None = None
    uuid: str | None = None
    actor: str | None = None
    source_sha256: str | None = None
    malformed: tuple[str, ...] = ()
    fault: LineFault | None = None
    raw: Mapping[str, Any] = {}


class Reviewed(Struct, frozen=True, kw_only=True):
    """A line of the reviews: a person's word on one question.

    Attributes:
        id: The question, such as ``machine_operated.causality``.
        evidence: What the reviewer looked at; None where it is missing or holds other than text.
        malformed: Fields that are there and are not of their kind.
        fault: Why the line is no record; every field is None then.
        raw: The whole object.
    """

    id: str | None = None
    status: str | None = None
    by: str | None = None
    at: Instant | None = None
    note: str | None = None
    evidence: tuple[str, ...] | None = None
    seq: int | None = None
    malformed: tuple[str, ...] = ()
    fault: LineFault | None = None
    raw: Mapping[str, Any] = {}


class Pinned(Struct, frozen=True):
    """A file of the run as a derivation names it.

    Attributes:
        path: Relative to the run.
        sha256: Of its bytes, 32 bytes.
    """

    path: str
    sha256: bytes


class Derived(Struct, frozen=True, kw_only=True):
    """A line of the derivations: a file that was made from others.

    Attributes:
        output: What was made; None where it does not say path and digest.
        inputs: What it was made from, in order; None where one does not say path and digest.
        tool: What made it.
        producer: Who had it made, one of ``layout.ACTORS``.
        malformed: Fields that are there and are not of their kind.
        fault: Why the line is no record; every field is None then.
        raw: The whole object.
    """

    output: Pinned | None = None
    inputs: tuple[Pinned, ...] | None = None
    tool: str | None = None
    producer: str | None = None
    at: Instant | None = None
    note: str | None = None
    seq: int | None = None
    malformed: tuple[str, ...] = ()
    fault: LineFault | None = None
    raw: Mapping[str, Any] = {}


def read_line(data: bytes) -> tuple[Mapping[str, Any], None] | tuple[None, LineFault]:
    """Return what a line holds and None; or None and one word for why it is no record.

    Args:
        data: The line, with its end or without.
    """
    if len(data) > MAX_LINE_BYTES:
        return None, "too_long"
    if not data.strip():
        return None, "blank"
    parsed = parse(data)
    if parsed.fault is not None:
        return None, parsed.fault
    if not isinstance(parsed.said, dict):
        return None, "not_an_object"
    return parsed.said, None


def recorded(data: bytes) -> Recorded:
    """Read a line of the trajectory."""
    raw, fault = read_line(data)
    if raw is None:
        return Recorded(fault=fault)
    read = Fields(raw)
    return Recorded(
        record=read.one("record", text),
        schema=read.one("schema", text),
        run_id=read.any_of("run_id", text),
        seq=read.any_of("seq", whole),
        at=read.time("at"),
        tick=read.any_of("tick", whole),
        instance=read.any_of("instance", text),
        dimension=read.any_of("dimension", text),
        call_id=read.one("call_id", text),
        tool=read.one("tool", text),
        arguments=raw.get("arguments"),
        status=read.one("status", text),
        result=raw.get("result"),
        phase=read.one("phase", text),
        actor=read.one("actor", text),
        name=read.one("name", text),
        data=read.one("data", _object),
        malformed=read.malformed,
        raw=raw,
    )


def witnessed(data: bytes) -> Witnessed:
    """Read a line of evidence."""
    raw, fault = read_line(data)
    if raw is None:
        return Witnessed(fault=fault)
    read = Fields(raw)
    return Witnessed(
        event=read.any_of("event", text),
        run_id=read.any_of("run_id", text),
        instance=read.any_of("instance", text),
        dimension=read.any_of("dimension", text),
        at=read.any_time(),
        literal_at=read.time("at"),
        tick=read.any_of("tick", whole),
        seq=read.any_of("seq", whole),
        literal_seq=read.one("seq", whole),
        uuid=read.any_of("uuid", text),
        actor=read.any_of("actor", text),
        source_sha256=read.one("source_sha256", text),
        malformed=read.malformed,
        raw=raw,
    )


def reviewed(data: bytes) -> Reviewed:
    """Read a line of the reviews."""
    raw, fault = read_line(data)
    if raw is None:
        return Reviewed(fault=fault)
    read = Fields(raw)
    return Reviewed(
        id=read.one("id", text),
        status=read.one("status", text),
        by=read.one("by", text),
        at=read.time("at"),
        note=read.one("note", text),
        evidence=read.one("evidence", _texts),
        seq=read.one("seq", whole),
        malformed=read.malformed,
        raw=raw,
    )


def derived(data: bytes) -> Derived:
    """Read a line of the derivations."""
    raw, fault = read_line(data)
    if raw is None:
        return Derived(fault=fault)
    read = Fields(raw)
    return Derived(
        output=read.one("output", _pinned),
        inputs=read.one("inputs", _all_pinned),
        tool=read.one("tool", text),
        producer=read.one("producer", text),
        at=read.time("at"),
        note=read.one("note", text),
        seq=read.one("seq", whole),
        malformed=read.malformed,
        raw=raw,
    )


def without_end(line: bytes) -> bytes:
    """Return a line without its LF or CR LF."""
    return line.removesuffix(b"\n").removesuffix(b"\r")


def line_digest(line: bytes) -> bytes:
    """Return the SHA-256 of a line without its end, 32 bytes: how records are referred to."""
    return hashlib.sha256(without_end(line)).digest()


def _object(value: Any) -> Mapping[str, Any] | None:
    return value if isinstance(value, dict) else None


def _texts(value: Any) -> tuple[str, ...] | None:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        return None
    return tuple(value)


def _pinned(value: Any) -> Pinned | None:
    if not isinstance(value, dict):
        return None
    path, said = text(value.get("path")), digest(value.get("sha256"))
    return None if path is None or said is None else Pinned(path, said)


def _all_pinned(value: Any) -> tuple[Pinned, ...] | None:
    if not isinstance(value, list):
        return None
    read: Sequence[Pinned | None] = [_pinned(one) for one in value]
    whole_list = tuple(one for one in read if one is not None)
    return whole_list if len(whole_list) == len(read) else None
