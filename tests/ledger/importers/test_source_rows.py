"""Taking a file apart and putting it together again, byte for byte."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canon.refusal import Refusal
from ledger.errors import (
    JsonDepth,
    JsonDuplicateKey,
    JsonSyntax,
    JsonTruncated,
    SchemaInvalid,
    SourceLimit,
)
from ledger.importers import source_rows
from ledger.importers.source_json import parse
from ledger.importers.source_rows import Split, reassemble, top_keys
from ledger.importers.source_window import Window

SPACE = st.text(alphabet=" \t\r\n", max_size=3)
SCALARS = st.sampled_from(
    ["1", "-0.5e3", '"a"', '"[{,\\""', "null", "NaN", "true", '"\u00e9\u6f22"', '"\udcff\\ud800"']
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[ {' , '.join(items)}]")
        | st.lists(inner, max_size=3).map(
            lambda items: "{" + ",".join(f'"k{i}":{item}' for i, item in enumerate(items)) + "\n}"
        )
    ),
    max_leaves=8,
)


@st.composite
def files(draw: st.DrawFn) -> tuple[bytes, list[bytes]]:
    """Draw a file with an array ``runs`` somewhere in it, and the bytes of its elements."""
    rows = draw(st.lists(VALUES, max_size=6))
    space = lambda: draw(SPACE)  # noqa: E731 - shorter than a def in a composite
    listed = ",".join(f"{space()}{row}{space()}" for row in rows)
    members = [f'{space()}"runs"{space()}:{space()}[{listed or space()}]{space()}']
    for index in range(draw(st.integers(0, 3))):
        member = f'{space()}"m{index}":{space()}{draw(VALUES)}{space()}'
        members.insert(draw(st.integers(0, len(members))), member)
    mark = draw(st.sampled_from(["", "\ufeff"]))
    text = f"{mark}{space()}{{{','.join(members)}}}{space()}"
    return (
        text.encode("utf-8", "surrogateescape"),
        [row.encode("utf-8", "surrogateescape") for row in rows],
    )


@given(files(), st.sampled_from([1, 2, 3, 7, 64, 2**20]))
def test_slices_reassemble(made: tuple[bytes, list[bytes]], chunk: int) -> None:
    """Odd white space, CRLF, a byte order mark, invalid UTF-8; read in pieces of any size."""
    data, rows = made
    split = Split(io.BytesIO(data), "runs", "x", chunk_bytes=chunk)
    found = list(split)
    assert [raw for _, raw, _ in found] == rows
    assert [index for index, _, _ in found] == list(range(len(rows)))
    assert [value for _, _, value in found] == [parse(raw, "x") for raw in rows]
    assert reassemble(split.envelope(), "runs", rows) == data
    assert (split.count, split.size_bytes) == (len(rows), len(data))


@given(files())
def test_an_envelope_is_the_file_with_indices(made: tuple[bytes, list[bytes]]) -> None:
    """Taken apart again, it has the same members, and numbers for rows."""
    data, rows = made
    split = Split(io.BytesIO(data), "runs", "x")
    list(split)
    whole = parse(split.envelope(), "x")
    assert isinstance(whole, dict)
    assert whole.pop("runs") == list(range(len(rows)))
    assert whole == split.members


@given(st.binary(max_size=120), st.sampled_from([1, 5, 2**20]))
def test_random_bytes_are_taken_apart_or_refused(data: bytes, chunk: int) -> None:
    """Nothing but a refusal is ever raised."""
    codes = set()
    for start in (b"", b'{"runs": [', b'{"a": '):
        try:
            list(Split(io.BytesIO(start + data), "runs", "x", chunk_bytes=chunk))
        except Refusal as refusal:
            codes.add(refusal.code)
    assert codes <= {
        "E_JSON",
        "E_JSON_TRUNCATED",
        "E_JSON_DEPTH",
        "E_JSON_DUPLICATE_KEY",
        "E_SCHEMA",
    }


@given(files(), st.data())
def test_a_file_cut_short_is_truncated_in_any_pieces(
    made: tuple[bytes, list[bytes]], data: st.DataObject
) -> None:
    """The verdict does not depend on how much is read at once."""
    whole = made[0].rstrip()
    # Half a byte order mark is not the beginning of anything.
    least = 3 if whole.startswith(b"\xef") else 0
    cut = whole[: data.draw(st.integers(least, len(whole) - 1))]
    for chunk in (1, 2**20):
        with pytest.raises(JsonTruncated):
            list(Split(io.BytesIO(cut), "runs", "x", chunk_bytes=chunk))


@pytest.mark.parametrize("chunk", [1, 4, 2**20])
def test_a_fault_keeps_its_line_and_column(chunk: int) -> None:
    """Also where the lines before it were read and forgotten."""
    data = b'{"a": 1,\n "runs": [{"x": 1},\n  {"x": oops}]}'
    with pytest.raises(JsonSyntax) as caught:
        list(Split(io.BytesIO(data), "runs", "file", chunk_bytes=chunk))
    assert caught.value.place == "file#/runs/1, line 3 column 9"


def test_a_faulty_row_is_told_apart_from_its_neighbours() -> None:
    """A row with a key twice, or nested too deep, is a fault with its bytes; others are whole."""
    deep = b"[" * 3_000 + b"]" * 3_000
    rows = [b'{"a": 1}', b'{"a": 1, "a": 2}', b"[" * 65 + b"]" * 65, deep, b'{"a": 3}']
    data = b'{"runs": [' + b", ".join(rows) + b"]}"
    split = Split(io.BytesIO(data), "runs", "x")
    found = list(split)
    assert [raw for _, raw, _ in found] == rows
    kinds = [type(value) for _, _, value in found]
    assert kinds == [dict, JsonDuplicateKey, JsonDepth, JsonDepth, dict]
    assert reassemble(split.envelope(), "runs", rows) == data


def test_numbers_at_the_end_of_a_window_are_read_whole() -> None:
    """A number that touches the end of what was read may go on behind it."""
    data = b'{"runs": [123456, 7.25e2, -8], "x": 99}'
    for chunk in range(1, len(data)):
        split = Split(io.BytesIO(data), "runs", "x", chunk_bytes=chunk)
        assert [raw for _, raw, _ in split] == [b"123456", b"7.25e2", b"-8"]
        assert split.members == {"x": 99}


@pytest.mark.parametrize("member", ["null", "{}", "5"])
def test_an_array_that_is_none_is_a_member(member: str) -> None:
    """Whoever wants rows finds what stands there instead."""
    split = Split(io.BytesIO(f'{{"runs": {member}}}'.encode()), "runs", "x")
    assert list(split) == []
    assert split.count is None
    assert list(split.members) == ["runs"]


def test_a_nested_array_of_that_name_is_no_array_of_rows() -> None:
    """Only the top of the file counts."""
    split = Split(io.BytesIO(b'{"evidence": {"runs": [1, 2]}}'), "runs", "x")
    assert list(split) == []
    assert split.count is None


def test_the_envelope_has_a_limit() -> None:
    """What stands beside the records is kept in one blob."""
    data = json.dumps({"notes": "x" * 500, "runs": []}).encode()
    with pytest.raises(SourceLimit):
        list(Split(io.BytesIO(data), "runs", "x", max_envelope_bytes=500))


def test_a_record_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that does not end is not read for ever."""
    monkeypatch.setattr("ledger.importers.source_window.MAX_RECORD_BYTES", 1_000)
    data = b'{"runs": ["' + b"x" * 5_000 + b'"]}'
    with pytest.raises(SourceLimit) as caught:
        list(Split(io.BytesIO(data), "runs", "x", chunk_bytes=100))
    assert caught.value.place == "x#/runs/0"


def test_no_object_is_another_schema() -> None:
    """The file was read and is JSON, so the refusal is not about JSON."""
    with pytest.raises(SchemaInvalid):
        list(Split(io.BytesIO(b"[1, 2]"), "runs", "x"))


def test_reassembly_wants_all_rows() -> None:
    """A row too few or too many is noticed."""
    for rows in ([b"1"], [b"1", b"2", b"3"]):
        with pytest.raises(SchemaInvalid):
            reassemble(b'{"runs": [0, 1]}', "runs", rows)


def test_keys_are_read_no_further_than_asked() -> None:
    """Recognising a file costs as much as its first key, wherever its faults are."""
    keys = top_keys(io.BytesIO(b'{"first": 1, "second": oops'), "x")
    assert next(keys) == "first"
    assert next(keys) == "second"
    with pytest.raises(JsonSyntax):
        next(keys)


def test_a_stream_that_fails_is_told() -> None:
    """An error of the device is a refusal with the system's words."""

    class Broken(io.BytesIO):
        def read(self, *_: Any) -> bytes:
            raise OSError(5, "Input/output error")

    with pytest.raises(Refusal) as caught:
        Window(Broken(), "file")
    assert (caught.value.code, caught.value.got) == ("E_SOURCE_UNREADABLE", "Input/output error")


def test_a_file_has_no_more_rows_than_its_envelope_may_have_values(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """2^20 in earnest (IMPORT-43): refused at the first row too many, not behind the last."""
    monkeypatch.setattr(source_rows, "VALUES_LIMIT", 3)
    split = Split(io.BytesIO(b'{"runs": [0, 1, 2, 3, rubbish'), "runs", "file")
    with pytest.raises(SourceLimit):
        list(split)
    assert split.count == 3
