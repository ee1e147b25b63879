"""Reading raw records again gives the fields of their entries: the ground of E_EXTRACT."""

import io
import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from canon.refusal import Refusal
from ledger.entry import Entry, read_entry, read_event
from ledger.errors import ExtractionMismatch, ImporterUnknown
from ledger.events import AttemptReported
from ledger.importers import reader_of
from ledger.verify.extraction import compare

Document = dict[str, Any]
FROM_ELSEWHERE = {
    "release.reported/1": {"blobs", "source", "flags"},
    "attempt.reported/1": {"blobs", "source", "index"},
    "correction.reported/1": {"blobs", "source", "index", "attempt"},
}


@pytest.fixture
def eventful(release: Document) -> Document:
    """Return a release with oddities, a correction, and rows that are set aside."""
    rows = release["runs"]
    rows[0]["model"] = "maker/unheard-of"
    rows[1]["usage"]["cost_usd"] = -4
    rows[2]["verification"]["after_agent_timeout"] = {"failure_category": "late"}
    rows[3]["trial_status"] = "lost"
    rows[4] = 12
    rows[5]["usage"] = rows[5]["recording"] = None
    release["corrections"] = [
        {"run_id": rows[6]["run_id"], "changes": {"failure_category": "b"}, "reason": "c"},
        {"run_id": rows[6]["run_id"], "changes": {"reward": 1}},
    ]
    return release


def taken(shelf: Any, document: Document) -> list[tuple[str, dict[str, Any], bytes]]:
    """Import a document; return type, body and raw record of the entries that have one."""
    shelf.take(document)
    found = []
    for seq, data in shelf.ledger.entries():
        entry = read_entry(data)
        raw = shelf.blob(seq, "record")
        if raw is not None:
            found.append((entry.type, dict(entry.body), raw))
    return found


def test_with_its_release_a_record_gives_every_field(shelf: Any, eventful: Document) -> None:
    """All but numbers of the ledger and what other records determine."""
    reader = reader_of("replaybook/1")
    entries = taken(shelf, eventful)
    context = reader.context(entries[0][2])
    types = set()
    for type_, body, raw in entries:
        if type_ in FROM_ELSEWHERE:
            types.add(type_)
            expected = {k: v for k, v in body.items() if k not in FROM_ELSEWHERE[type_]}
            assert reader.extract(type_, raw, context) == expected
    assert types == FROM_ELSEWHERE.keys()


def test_alone_a_row_leaves_out_what_its_release_says(shelf: Any, eventful: Document) -> None:
    """Release, matrix and one flag are not compared while the envelope is withheld."""
    reader = reader_of("replaybook/1")
    for type_, body, raw in taken(shelf, eventful):
        if type_ == "attempt.reported/1":
            left_out = FROM_ELSEWHERE[type_] | {"release", "matrix"}
            expected = {k: v for k, v in body.items() if k not in left_out}
            expected["flags"] = [flag for flag in body["flags"] if flag != "source_ambiguous"]
            assert reader.extract(type_, raw, None) == expected
        if type_ == "correction.reported/1":
            assert "release" not in reader.extract(type_, raw, None)


def test_a_record_that_was_changed_gives_other_fields(shelf: Any, release: Document) -> None:
    """One digit is enough."""
    reader = reader_of("replaybook/1")
    type_, body, raw = taken(shelf, release)[1]
    fields = reader.extract(type_, raw.replace(b"1001", b"1007"), None)
    assert fields["usage"] != body["usage"]


def test_a_record_that_cannot_be_read_is_refused() -> None:
    """With the code under which it would have been set aside."""
    reader = reader_of("replaybook/1")
    with pytest.raises(Refusal) as caught:
        reader.extract("attempt.reported/1", b'{"a": 1', None)
    assert caught.value.code == "E_JSON_TRUNCATED"
    with pytest.raises(Refusal) as caught:
        reader.context(b"[]")
    assert caught.value.code == "E_FIELD"


def test_other_events_have_nothing_to_compare() -> None:
    """A source's own fields come from no single record."""
    assert reader_of("replaybook/1").extract("source.imported/1", b"anything", None) == {}


def test_a_record_set_aside_is_at_fault_again(shelf: Any, eventful: Document) -> None:
    """With or without its place, the code is that of the entry."""
    reader = reader_of("replaybook/1")
    codes = []
    for type_, body, raw in taken(shelf, eventful):
        if type_ == "record.quarantined/1":
            codes.append(body["code"])
            assert reader.fault(raw, None, body["pointer"]) == body["code"]
            assert reader.fault(raw, None) == body["code"]
    assert codes == ["E_STATUS_UNKNOWN", "E_FIELD", "E_CORRECTION_FIELD"]


def test_a_sound_record_has_no_fault(shelf: Any, release: Document) -> None:
    """So that a row cannot be set aside for nothing."""
    reader = reader_of("replaybook/1")
    (_, _, raw), *_ = taken(shelf, release)[1:]
    assert reader.fault(raw, None, "/runs/0") is None
    correction = json.dumps({"run_id": "x", "changes": {}}).encode()
    assert reader.fault(correction, None, "/corrections/0") is None


@pytest.mark.parametrize("name", ["replaybook/2", "", "harbor/1"])
def test_another_importer_is_not_guessed(name: str) -> None:
    """A record is read by the version that read it first, or not at all."""
    with pytest.raises(ImporterUnknown):
        reader_of(name)


def test_reading_twice_gives_the_same(shelf: Any, eventful: Document) -> None:
    """The importer remembers shapes, and nothing that could change an answer."""
    data = json.dumps(eventful).encode()
    importer: Any = reader_of("replaybook/1")
    readings = [importer.read(io.BytesIO(data), "x") for _ in range(2)]
    first, second = (list(reading.records(3)) for reading in readings)
    assert first == second


def other_values(value: Any) -> Iterator[Any]:
    """Yield values near *value*: of another type that ``==`` takes for equal, and others."""
    match value:
        case bool():
            yield from (int(value), not value)
        case int():
            yield from (value + 1, str(value), None, *([bool(value)] if value in (0, 1) else []))
        case str():
            yield from (f"{value}0", value.encode(), None)
        case list():
            yield from ([*value, "x"], None)
        case msgspec.Struct():
            yield None
            for name in value.__struct_fields__:
                for other in other_values(getattr(value, name)):
                    yield msgspec.structs.replace(value, **{name: other})
        case _:
            yield from ("x", 0)


def test_an_attempt_is_given_by_its_record_and_no_other_is(shelf: Any, eventful: Document) -> None:
    """The quick yes is a yes to every field, and no where the exact comparison says no."""
    reader = reader_of("replaybook/1")
    shelf.take(eventful)
    context = reader.context(shelf.blob(1, "record"))
    said: list[bool] = []

    def judged(event: AttemptReported, raw: bytes) -> bool:
        body = msgspec.to_builtins(event, builtin_types=(bytes,))
        entry = Entry("example.org/test", 2, bytes(32), event.wire, "", "recorder", body)
        try:  # without the event, so that the quick way is not taken
            compare(entry, None, reader, raw, context)  # type: ignore[arg-type]
        except ExtractionMismatch:
            return False
        return True

    for seq, data in shelf.ledger.entries():
        event = read_event(read_entry(data))
        if not isinstance(event, AttemptReported):
            continue
        raw = shelf.blob(seq, "record")
        assert reader.gives(event, raw, context)
        assert judged(event, raw)
        for name in event.__struct_fields__:
            for other in other_values(getattr(event, name)):
                if name == "blobs":
                    continue
                changed = msgspec.structs.replace(event, **{name: other})
                said.append(reader.gives(changed, raw, context))
                assert said[-1] == judged(changed, raw), (name, other)
    assert len(said) > 500
    assert True in said, "a record does not say at which number it stands"
