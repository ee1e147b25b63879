"""What a document names, byte for byte (KEEP-4)."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.runs.declared import Named, declared
from ledger.runs.layout import MAX_DOCUMENT_BYTES, MAX_NAMED

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.just('"\\]}[{,:'),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
SPACE = st.sampled_from(["", " ", "\n\t", "\r\n  "])


@given(
    items=st.lists(JSON, max_size=4),
    other=JSON,
    spaces=st.lists(SPACE, min_size=8, max_size=8),
    ascii=st.booleans(),
    bom=st.booleans(),
)
def test_every_item_is_a_piece_of_the_document(
    items: list[Any], other: Any, spaces: list[str], ascii: bool, bom: bool
) -> None:
    """Each is the text of its element; whatever stands around it, and in it."""
    texts = [json.dumps(item, ensure_ascii=ascii) for item in items]
    one, two, three, four, five, six, seven, eight = spaces
    listed = f"{one},{two}".join(texts)
    rest = json.dumps(other, ensure_ascii=ascii)
    text = (
        f'{three}{{{four}"x":{five}{rest},"artifacts"{six}:{seven}[{one}{listed}{two}]'
        f'{eight},"imports":{rest if not isinstance(other, list) else "0"}}}{three}'
    )
    data = ("\ufeff" if bom else "").encode() + text.encode("utf-8", "surrogatepass")
    if "\ud800" <= max(text) <= "\udfff":
        return
    assert declared("manifest", data) == [Named(None, text.encode()) for text in texts]


def test_slots_of_evidence_are_named_in_the_order_of_the_document() -> None:
    """Those that are null, and members that are no slot, are not."""
    said = b'{"note": "n", "oracle": {"path": "o"}, "answer": null, "review": "r", "x": {}}'
    assert declared("evidence", said) == [
        Named("oracle", b'{"path": "o"}'),
        Named("review", b'"r"'),
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"not JSON",
        b'{"artifacts": [1], "artifacts": [2]}',
        b'{"artifacts": {"path": "a"}}',
        b'{"artifacts": [' + b"[" * 100_000 + b"]" * 100_000 + b"]}",
        b'{"artifacts": [' + b"0," * MAX_NAMED + b"0]}",
        b'{"artifacts": [1], "pad": "' + b"x" * MAX_DOCUMENT_BYTES + b'"}',
    ],
)
def test_a_document_that_cannot_be_read_names_nothing(data: bytes) -> None:
    """Its bytes are kept as a whole."""
    assert declared("manifest", data) == []


def test_files_that_name_nothing_have_no_items() -> None:
    """Only four documents name files."""
    assert declared("oracle", b'{"artifacts": [1], "files": [2]}') == []
    assert declared("withheld", b'{"artifacts": [1], "files": [2]}') == [Named(None, b"2")]
