"""The importer of Replaybook releases, version 1."""

import io
from collections.abc import Mapping
from typing import Any, BinaryIO

import msgspec

from canon.excerpt import excerpt
from canon.refusal import Refusal
from ledger.errors import FieldInvalid
from ledger.events import AttemptReported
from ledger.importers.importer import MARK, Layout
from ledger.importers.source_file import Probe
from ledger.importers.source_json import Json, kind_of, parse, text_of
from ledger.importers.source_rows import Split

from .correction import read_correction
from .envelope import CORRECTIONS, ROWS
from .quick import quick_row
from .reading import ReleaseReading, place_row
from .release import Release, read_release
from .row import read_row
from .trial import Trial, attempt_of

_PLACE = "record"
_MARKS = frozenset(
    {"by_model", "by_scenario_model", "compatibility", "model_labels", "model_order", "runs"}
)
_FROM_ELSEWHERE = {
    "release.reported/1": ("source", "flags"),
    "attempt.reported/1": ("source", "index"),
}
_FROM_CONTEXT = ("release", "matrix")


class ReplaybookImporter:
    """Reads ``releases/<version>.json``; implements ``Importer``."""

    format = "replaybook-release/1"
    name = "replaybook/1"
    contextual: Mapping[str, frozenset[str]] = {"flags": frozenset({"source_ambiguous"})}

    def sniff(self, probe: Probe) -> bool:
        """Tell whether the file has a member that only releases have."""
        return any(key in _MARKS for key in probe.top_keys())

    def read(self, stream: BinaryIO, place: str) -> ReleaseReading:
        """Read a release to its end.

        Raises:
            Refusal: The file is no release of this schema.
        """
        return ReleaseReading(stream, place)

    def context(self, raw: bytes) -> Release:
        """Return the release that an envelope describes.

        Raises:
            Refusal: It describes none.
        """
        members = parse(raw, _PLACE)
        if not isinstance(members, dict):
            raise FieldInvalid(_PLACE, kind_of(members), "an object")
        return read_release(members)

    def layout(self, raw: bytes) -> Layout:
        """Return how a release stands around its rows.

        Raises:
            Refusal: It cannot be read, or its rows are not numbered from 0.
        """
        mark = MARK.decode()
        split = Split(io.BytesIO(raw), ROWS, _PLACE, put=lambda _: mark)
        for index, element, _ in split:
            if element != b"%d" % index:
                raise FieldInvalid(f"/{ROWS}/{index}", excerpt(text_of(element)), str(index))
        listed = isinstance(split.members.get(CORRECTIONS), list)
        again = Split(io.BytesIO(raw), CORRECTIONS, _PLACE) if listed else ()
        corrections = tuple(element for _, element, _ in again)
        return Layout(split.count or 0, corrections, split.envelope())

    def extract(self, wire: str, raw: bytes, context: Release | None) -> dict[str, Any]:
        """Return the fields of an event that its raw record determines, as they stand in it.

        Raises:
            Refusal: The raw record cannot be read.
        """
        if wire == "release.reported/1":
            return _fields(self.context(raw).report, _FROM_ELSEWHERE[wire])
        if wire == "attempt.reported/1":
            trial = _trial(raw)
            if context is None:
                alone = attempt_of(
                    trial, source=0, index=0, release="", matrix=None, flags=trial.flags
                )
                return _fields(alone, (*_FROM_ELSEWHERE[wire], *_FROM_CONTEXT))
            return _fields(place_row(trial, context, source=0, index=0), _FROM_ELSEWHERE[wire])
        if wire == "correction.reported/1":
            correction = read_correction(parse(raw, _PLACE))
            fields = {"author": None, "decided_at": None, **correction._asdict()}
            fields["category"] = list(correction.category)
            return fields if context is None else {**fields, "release": context.report.release}
        return {}

    def gives(self, event: AttemptReported, raw: bytes, context: Release) -> bool:
        """Tell quickly whether *event* is the attempt that its row reports; only a yes counts.

        Raises:
            Refusal: The raw record cannot be read.
        """
        given = place_row(_trial(raw), context, source=event.source, index=event.index)
        try:
            # In these bytes, too, 1, true and "1" are apart.
            return _packed(msgspec.structs.replace(given, blobs=event.blobs)) == _packed(event)
        except (OverflowError, TypeError, UnicodeError):
            return False

    def is_record(self, raw: bytes) -> bool:
        """Tell whether these bytes are one element of a list: two of them are no record."""
        alone = Split(io.BytesIO(b'{"%b":[%b]}' % (ROWS.encode(), raw)), ROWS, _PLACE)
        try:
            return [element for _, element, _ in alone] == [raw]
        except Refusal:
            return False

    def fault(self, raw: bytes, context: Release | None, pointer: str | None = None) -> str | None:
        """Return the code under which a record is quarantined, None if it reads well."""
        try:
            value = parse(raw, _PLACE)
            if _is_correction(value, pointer):
                read_correction(value)
            else:
                read_row(value)
        except Refusal as refusal:
            return refusal.code
        return None


_packed = msgspec.msgpack.Encoder().encode


def _trial(raw: bytes) -> Trial:
    return (quick_row(raw) or read_row(parse(raw, _PLACE))).trial


def _fields(event: msgspec.Struct, left_out: tuple[str, ...]) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(event, builtin_types=(bytes,))
    return {
        name: _listed(value) if type(value) in (list, tuple) else value
        for name, value in fields.items()
        if name not in left_out
    }


def _listed(value: Any) -> Any:
    """Return *value* with lists for tuples, which is what an entry is decoded to."""
    if isinstance(value, (list, tuple)):
        return [_listed(item) for item in value]
    return value


def _is_correction(value: Json, pointer: str | None) -> bool:
    """Tell what a record was taken for; without its place, by a member that rows never have."""
    if pointer is not None:
        return pointer.startswith(f"/{CORRECTIONS}/")
    return isinstance(value, Mapping) and "changes" in value
