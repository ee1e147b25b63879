"""Comparing the fields of an entry with those of its record, exactly (VERIFY-8)."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.verify.extraction import _equal

VALUES: list[Any] = [
    0, 1, -1, 2**63, 2**64, 0.0, 1.0, True, False, None, "", "1", b"", b"1", "\ud800", [], [1],
    [True], (1,), [[1]], {}, {"a": 1}, {"a": True}, {"b": 1}, {"a": [1]}, {"a": None},
]  # fmt: skip


@pytest.mark.parametrize(("one", "two"), list(product(VALUES, repeat=2)))
def test_values_of_other_types_stay_apart(one: Any, two: Any) -> None:
    """What ``==`` takes for equal is not, at any depth; only a list and a tuple are."""
    written = [repr([*value] if isinstance(value, tuple) else value) for value in (one, two)]
    assert (_equal([one], [two]) or _equal([two], [one])) == (written[0] == written[1])


plain = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text() | st.binary()
values = st.recursive(
    plain, lambda some: st.lists(some, max_size=4) | st.dictionaries(st.text(), some, max_size=4)
)


@given(st.dictionaries(st.text(), values, max_size=6))
def test_every_value_is_equal_to_itself(fields: dict[str, Any]) -> None:
    """Of every value that an entry can have."""
    assert _equal(fields, dict(fields))
