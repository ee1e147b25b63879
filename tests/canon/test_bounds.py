"""The look ahead at an input counts as decoding does (CANON-41, CANON-42)."""

from typing import Any

import pytest
from cbor_items import items_of
from hypothesis import given
from hypothesis import strategies as st

from canon import bounds, encode
from canon.errors import Limit

_leaf = (
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1)
    | st.binary(max_size=300) | st.text("ab", max_size=300)
)  # fmt: skip
_value = st.recursive(
    _leaf,
    lambda inner: (
        st.lists(inner, max_size=30)
        | st.dictionaries(st.text("abc", max_size=30), inner, max_size=30)
        | st.dictionaries(st.integers(0, 2**63 - 1), inner, max_size=8)
    ),
    max_leaves=60,
)


@given(value=_value)
def test_items_are_counted_one_by_one(value: Any) -> None:
    """As many as the limit are kept; with one less as the limit there is one too many."""
    data, items = encode(value), items_of(value)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounds, "ITEMS_LIMIT", items)
        assert bounds.are_kept(data)
        if items > 1:
            patch.setattr(bounds, "ITEMS_LIMIT", items - 1)
            with pytest.raises(Limit):
                bounds.are_kept(data)


@given(value=_value, behind=st.binary(min_size=1, max_size=3))
def test_what_is_not_one_whole_item_is_left_to_the_scanner(value: Any, behind: bytes) -> None:
    """Cut short or with something behind it, the look ahead vouches for nothing."""
    data = encode(value)
    assert not bounds.are_kept(data[:-1])
    assert not bounds.are_kept(data + behind)


@pytest.mark.parametrize("count", [1, 3, 5, 40])
@pytest.mark.parametrize("nested", [False, True])
def test_maps_of_many_keys_have_texts(
    monkeypatch: pytest.MonkeyPatch, count: int, nested: bool
) -> None:
    """Over the limit on integer keys, one key that is no text is enough, wherever it stands."""
    monkeypatch.setattr(bounds, "INTEGER_KEYS_LIMIT", 24)
    texts: dict[Any, Any] = {f"{number:03d}": {"a": [number]} for number in range(count)}
    numbers: dict[Any, Any] = dict.fromkeys(range(count), 0)
    for keys, kept in ((texts, True), (numbers, count <= 24)):
        value = [1, keys, {"b": keys}] if nested else keys
        assert bounds.are_kept(encode(value)) is kept
    for place in range(count if count > 24 else 0):
        entries = [encode(key) + encode(item) for key, item in texts.items()]
        entries[place] = b"\x05\x00"
        assert not bounds.are_kept(b"\xb8" + bytes([count]) + b"".join(entries))
