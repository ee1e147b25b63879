"""A refusal of an entry or of a correction's value says which entry, and what was wrong."""

from typing import Any

import pytest
from bundle_claims import decided
from bundle_vector import FREEZE, ROW
from refusals import assert_said

from canon import decode, encode
from canon.errors import Limit
from ledger.authority import CORRECTABLE, check_value
from ledger.entry import MAX_ENTRY_BYTES, read_entry, read_event
from ledger.errors import CorrectionInvalid, EventTypeUnknown, ShapeInvalid

ENTRIES = decided().made().entries


@pytest.mark.parametrize(("seq", "place"), [(None, "entry"), (7, "event 7")])
def test_an_entry_is_named_by_its_number_where_that_is_known(seq: int | None, place: str) -> None:
    """Too long, another set of fields, a field of another kind."""
    whole: Any = decode(ENTRIES[ROW])
    less = {name: value for name, value in whole.items() if name != "actor"}
    with pytest.raises(Limit) as long:
        read_entry(bytes(MAX_ENTRY_BYTES + 1), seq)
    assert (long.value.place, long.value.got) == (place, "65536 bytes")
    for wrong in (less, {**whole, "v": 2}, {**whole, "prev": bytes(31)}):
        with pytest.raises(ShapeInvalid) as refused:
            read_entry(encode(wrong), seq)
        assert (refused.value.place, refused.value.seq) == (place, seq)
        assert_said(refused.value)


@pytest.mark.parametrize("seq", [ROW, FREEZE])
def test_a_body_is_refused_under_the_number_of_its_entry(seq: int) -> None:
    """Of another shape, or of no known type; a decision and an observation."""
    entry: Any = decode(ENTRIES[seq])
    for wrong, refusal in (
        ({**entry, "body": {}}, ShapeInvalid),
        ({**entry, "type": "attempt.imagined/1"}, EventTypeUnknown),
    ):
        with pytest.raises(refusal) as refused:
            read_event(read_entry(encode(wrong)))
        assert (refused.value.place, refused.value.seq) == (f"event {seq}", seq)
        assert_said(refused.value)


@pytest.mark.parametrize(
    ("field", "value", "got"),
    [
        ("reward", None, "null"),
        ("reward", 2, "2"),
        ("reward", True, "True"),
        ("status", "lost", "'lost'"),
        ("failure_category", "", "''"),
    ],
)
def test_a_value_that_a_field_cannot_have_is_shown(field: str, value: Any, got: str) -> None:
    """Against what it can have, which is also what to do."""
    with pytest.raises(CorrectionInvalid) as refused:
        check_value(field, value, "here")
    allowed = CORRECTABLE[field].allowed
    assert (refused.value.place, refused.value.got) == (f"here, {field}", got)
    assert (refused.value.expected, refused.value.remedy) == (allowed, f"give {allowed}")


def test_a_field_that_nobody_corrects_is_named_in_part() -> None:
    """Its first 64 characters."""
    with pytest.raises(CorrectionInvalid) as refused:
        check_value("x" * 65, 1, "here")
    assert (refused.value.place, refused.value.got) == ("here", f"field {'x' * 64!r}")
    for field in CORRECTABLE:
        assert field in refused.value.expected
    assert_said(refused.value)
