"""The event that a record of a run is, made by whoever takes it in and by whoever verifies it.

An entry has no room for prose, and is public for ever. So a text that is no identifier is left out
of it, and `fault` says which field did not fit; the record itself has everything.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from canon.instant import instant_text
from canon.text import is_canonical_text
from ledger.errors import ImporterUnknown
from ledger.events import (
    DerivationReported,
    EvidenceRecorded,
    FileRole,
    ItemDeclared,
    ReviewReported,
    RunRecord,
    TrajectoryRecorded,
)
from ledger.events.fields import MAX_IDENTIFIER_BYTES

from .fields import Fields, text, whole
from .records import (
    Derived,
    LineFault,
    Recorded,
    Reviewed,
    Witnessed,
    derived,
    recorded,
    reviewed,
    witnessed,
)
from .records import read_line as read_object
from .times import Instant

READER = "cold-start-run/1"
"""Name and version of what reads the records of a run here."""

_IDENTIFIER = re.compile(rf"[^\x00-\x1f\x7f-\x9f]{{1,{MAX_IDENTIFIER_BYTES}}}")
_MOST = 2**63 - 1
_UNREAD: LineFault = "too_long"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_Values = Mapping[str, Any]


def check_reader(name: str, seq: int) -> None:
    """Refuse to read the records of a file again that another program read.

    Args:
        name: What the event of the file names.
        seq: The record's number.

    Raises:
        ImporterUnknown: This program has no such reader.
    """
    if name != READER:
        raise ImporterUnknown(f"event {seq}, reader", repr(name), READER, seq=seq)


def event_of(
    role: FileRole, line: int, data: bytes, source: int, slot: str | None = None
) -> RunRecord:
    """Return the event that a record is, but for its slots.

    Args:
        role: Of the file: one whose files have records.
        line: Place of the record in the file, from 0.
        data: Its bytes: of a stream a line with its end, of a document the value that names a file.
        source: The event of the file.
        slot: Of evidence: the slot that names it.
    """
    match role:
        case "trajectory":
            return _trajectory(recorded(data), line, source)
        case "agent_logger" | "normalized" | "test_mod":
            return _evidence(witnessed(data), line, source)
        case "reviews":
            return _review(reviewed(data), line, source)
        case "derivations":
            return _derivation(derived(data), line, source)
        case "manifest" | "evidence" | "visibility" | "withheld":
            return _item(role, data, line, source, slot)
        case _:
            raise TypeError(f"a file of the role {role} has no records")


def unread_event(role: FileRole, line: int, source: int) -> RunRecord:
    """Return the event that a line is which is too long to be read, whatever stands in it.

    Args:
        role: Of the file: a stream.
        line: Place of the record in the file, from 0.
        source: The event of the file.
    """
    match role:
        case "trajectory":
            return _trajectory(Recorded(fault=_UNREAD), line, source)
        case "agent_logger" | "normalized" | "test_mod":
            return _evidence(Witnessed(fault=_UNREAD), line, source)
        case "reviews":
            return _review(Reviewed(fault=_UNREAD), line, source)
        case "derivations":
            return _derivation(Derived(fault=_UNREAD), line, source)
        case _:
            raise TypeError(f"a file of the role {role} has no lines")


class _Fitting:
    """Turns what was read into what an entry can hold, and notes the first that does not fit."""

    def __init__(self, read: Recorded | Witnessed | Reviewed | Derived) -> None:
        self._fault: str | None = read.fault
        if read.fault is None and read.malformed:
            self._fault = f"malformed:{read.malformed[0]}"

    @property
    def fault(self) -> str | None:
        """One word for what is wrong with the record by itself, or None."""
        return self._fault

    def word(self, name: str, value: str | None) -> str | None:
        """Return an identifier."""
        if value is None:
            return None
        return value if self._fits(name, _is_identifier(value)) else None

    def count(self, name: str, value: int | None) -> int | None:
        """Return a number from 0 on."""
        if value is None:
            return None
        return value if self._fits(name, 0 <= value <= _MOST) else None

    def _fits(self, name: str, fits: bool) -> bool:
        if not fits and self._fault is None:
            self._fault = f"unfit:{name}"
        return fits


def _trajectory(read: Recorded, line: int, source: int) -> TrajectoryRecorded:
    fit = _Fitting(read)
    said: _Values = {
        "at": _instant(read.at),
        "seq": fit.count("seq", read.seq),
        "kind": fit.word("record", read.record),
        "name": fit.word("name", read.name),
        "tick": fit.count("tick", read.tick),
        "tool": fit.word("tool", read.tool),
        "actor": fit.word("actor", read.actor),
        "phase": fit.word("phase", read.phase),
        "run_id": fit.word("run_id", read.run_id),
        "status": fit.word("status", read.status),
        "call_id": fit.word("call_id", read.call_id),
        "instance": fit.word("instance", read.instance),
        "dimension": fit.word("dimension", read.dimension),
    }
    return TrajectoryRecorded(line=line, source=source, fault=fit.fault, **said)


def _evidence(read: Witnessed, line: int, source: int) -> EvidenceRecorded:
    fit = _Fitting(read)
    said: _Values = {
        "at": _instant(read.at),
        "seq": fit.count("seq", read.seq),
        "tick": fit.count("tick", read.tick),
        "uuid": fit.word("uuid", read.uuid),
        "actor": fit.word("actor", read.actor),
        "event": fit.word("event", read.event),
        "run_id": fit.word("run_id", read.run_id),
        "instance": fit.word("instance", read.instance),
        "dimension": fit.word("dimension", read.dimension),
    }
    return EvidenceRecorded(line=line, source=source, fault=fit.fault, **said)


def _review(read: Reviewed, line: int, source: int) -> ReviewReported:
    fit = _Fitting(read)
    said: _Values = {
        "at": _instant(read.at),
        "refs": None if read.evidence is None else len(read.evidence),
        "review": fit.word("id", read.id),
        "status": fit.word("status", read.status),
    }
    return ReviewReported(line=line, source=source, fault=fit.fault, **said)


def _derivation(read: Derived, line: int, source: int) -> DerivationReported:
    fit = _Fitting(read)
    said: _Values = {
        "at": _instant(read.at),
        "tool": fit.word("tool", read.tool),
        "inputs": None if read.inputs is None else len(read.inputs),
        "producer": fit.word("producer", read.producer),
    }
    return DerivationReported(line=line, source=source, fault=fit.fault, **said)


def _item(role: FileRole, data: bytes, line: int, source: int, slot: str | None) -> ItemDeclared:
    raw, fault = read_object(data)
    read = Fields(raw or {})
    path = read.one("copy" if role == "visibility" else "path", text)
    size = read.one("size", whole)
    phase = read.one("phase", text) if role == "manifest" else None
    unfit = None
    if size is not None and not 0 <= size <= _MOST:
        size, unfit = None, "unfit:size"
    if phase is not None and not _is_identifier(phase):
        phase, unfit = None, unfit or "unfit:phase"
    if fault is None and read.malformed:
        unfit = f"malformed:{read.malformed[0]}"
    elif fault is None and path is None and role != "visibility":
        unfit = "no_path"
    return ItemDeclared(
        line=line, slot=slot, fault=fault or unfit, phase=phase, source=source, size_bytes=size
    )


def _is_identifier(value: str) -> bool:
    """Tell whether a text may stand in an entry: one line of 1 to 256 bytes, canonical."""
    fits = _IDENTIFIER.fullmatch(value) is not None and is_canonical_text(value)
    return fits and len(value.encode()) <= MAX_IDENTIFIER_BYTES


def _instant(at: Instant | None) -> str | None:
    """Return a time as an entry has it; what is finer than a microsecond is cut off."""
    if at is None:
        return None
    return instant_text(_EPOCH + timedelta(microseconds=at // 1))
