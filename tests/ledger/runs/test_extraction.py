"""The event that a record of a run is: what fits an entry, and a word for what does not."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from canon import encode
from canon.refusal import Refusal
from ledger.entry import Entry, read_event
from ledger.events import RECORD_OF, EvidenceRecorded, FileRole, ItemDeclared, TrajectoryRecorded
from ledger.runs.extraction import READER, check_reader, event_of

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=300)
    | st.sampled_from(["2026-01-01T00:00:00Z", "1e3", "9" * 30, "\ud800", "a\nb", "x" * 257]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
NAMES = (
    *("record", "event", "at", "time", "seq", "index", "tick", "uuid", "actor", "operator"),
    *("run_id", "call_id", "tool", "status", "phase", "name", "lab", "dim", "id", "evidence"),
    *("inputs", "producer", "path", "copy", "size"),
)
RECORDS = st.dictionaries(st.sampled_from(NAMES), VALUES).map(lambda one: json.dumps(one).encode())


def line(**fields: object) -> bytes:
    """Return a line of a stream."""
    return json.dumps(fields).encode() + b"\n"


@pytest.mark.parametrize("role", RECORD_OF)
@given(data=RECORDS | st.binary(max_size=80))
def test_whatever_a_record_is_its_event_fits_an_entry(role: FileRole, data: bytes) -> None:
    """No text, number or time that a program wrote makes an event that no log can hold."""
    event = event_of(role, 3, data, 7)
    assert type(event) is RECORD_OF[role]
    body: Any = msgspec.to_builtins(event, builtin_types=(bytes,))
    assert encode(body)
    entry = Entry("log.example/x", 8, bytes(32), event.wire, "", "recorder", body)
    assert read_event(entry) == event
    assert all(len(text.encode()) <= 256 for text in body.values() if isinstance(text, str))


def test_times_are_cut_to_the_microsecond() -> None:
    """Java writes nanoseconds; the record has them, the entry does not."""
    event = event_of(
        "trajectory", 0, line(record="mark", at="2026-01-01T01:00:00.1234567+01:00"), 1
    )
    assert isinstance(event, TrajectoryRecorded)
    assert (event.at, event.fault) == ("2026-01-01T00:00:00.123456Z", None)


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"event": "x", "seq": -1}, "unfit:seq"),
        ({"event": "x", "actor": "a\nb"}, "unfit:actor"),
        ({"event": "x" * 257}, "unfit:event"),
        ({"event": "\ud800"}, "unfit:event"),
        ({"event": "x", "tick": "soon"}, "malformed:tick"),
        ({"event": "x", "time": "noon", "seq": -1}, "malformed:time"),
        ({"event": "x", "sequence": "7"}, None),
    ],
)
def test_one_word_says_what_did_not_fit(fields: dict[str, Any], fault: str | None) -> None:
    """The first that is malformed, else the first that is no value of an entry."""
    event = event_of("test_mod", 0, line(**fields), 1)
    assert isinstance(event, EvidenceRecorded)
    assert event.fault == fault


@pytest.mark.parametrize(
    ("role", "data", "fault", "size"),
    [
        ("manifest", b'{"path": "a", "size": 3}', None, 3),
        ("manifest", b'{"size": 3}', "no_path", 3),
        ("manifest", b'{"path": "a", "size": -3}', "unfit:size", None),
        ("manifest", b'{"path": "a", "size": "big"}', "malformed:size", None),
        ("manifest", b'"a"', "not_an_object", None),
        ("visibility", b'{"path": "/etc/x", "copy": null, "size": 9}', None, 9),
        ("evidence", b'{"path": "a"}', None, None),
    ],
)
def test_what_a_document_names_is_an_item(
    role: FileRole, data: bytes, fault: str | None, size: int | None
) -> None:
    """With its size where it says one; what is only seen, not copied, has no path of its own."""
    event = event_of(role, 0, data, 1, "oracle" if role == "evidence" else None)
    assert isinstance(event, ItemDeclared)
    assert (event.fault, event.size_bytes) == (fault, size)
    assert event.slot == ("oracle" if role == "evidence" else None)


def test_records_of_other_readers_and_roles_are_not_read() -> None:
    """Who reads them is named, and a file without records has none."""
    check_reader(READER, 4)
    with pytest.raises(Refusal) as refused:
        check_reader("cold-start-run/2", 4)
    assert (refused.value.code, refused.value.seq) == ("E_IMPORTER", 4)
    with pytest.raises(TypeError):
        event_of("task", 0, b"x", 1)
