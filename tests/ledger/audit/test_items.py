"""Items by one name, and whether a text shows them."""

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.audit.items import Item, Shown, item_of, items_of


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("iron_ingot", "minecraft:iron_ingot"),
        (" minecraft:iron_ingot ", "minecraft:iron_ingot"),
        ("mod:thing", "mod:thing"),
        ("iron_ingot x3", "minecraft:iron_ingot x3"),
        ("iron_ingot x1", "minecraft:iron_ingot"),
        ("iron_ingot x03", "minecraft:iron_ingot x3"),
        ("iron_ingot x", "minecraft:iron_ingot x"),
        ({"item": "iron_ingot"}, "minecraft:iron_ingot"),
        ({"id": "iron_ingot", "count": 1}, "minecraft:iron_ingot"),
        ({"name": "iron_ingot", "count": 3, "slot": 9}, "minecraft:iron_ingot x3"),
        ({"item": "a", "id": "b", "name": "c"}, "minecraft:a"),
        ({"item": None, "id": "b"}, "minecraft:b"),
        ({"id": "a", "count": "3"}, "minecraft:a x3"),
        ({"id": "a", "count": Decimal("3.0")}, "minecraft:a x3"),
        ({"id": "a", "count": Decimal("2.5")}, 'minecraft:a x"2.5"'),
        ({"id": "a", "count": True}, "minecraft:a xtrue"),
        ({"id": "a", "count": None}, "minecraft:a xnull"),
        ({"id": "a", "count": 0}, "minecraft:a x0"),
        (7, "7"),
        (None, "null"),
        ({"count": 2}, '{"count": 2} x2'),
    ],
)
def test_one_thing_has_one_name_and_one_count(said: Any, text: str) -> None:
    """One thing has one name and one count (AUDIT-30)."""
    assert item_of(said).text == text


@pytest.mark.parametrize(
    ("said", "items"),
    [
        ([], []),
        (["a", "b"], ["a", "b"]),
        ({}, []),
        ({"10": "b", "9": "a"}, ["a", "b"]),
        ({"-1": "a", "0": "b"}, ["a", "b"]),
        ({"slot": "a"}, None),
        ("a", None),
        (None, None),
        (7, None),
    ],
)
def test_a_list_stands_as_it_is_and_slots_by_number(said: Any, items: list[str] | None) -> None:
    """A list as it stands, slots by their numbers, nothing else (AUDIT-31)."""
    expected = None if items is None else tuple(map(item_of, items))
    assert items_of(said) == expected


IRON, GOLD = item_of("iron_ingot"), item_of("gold_ingot x3")


@pytest.mark.parametrize(
    ("text", "every", "in_order"),
    [
        ("iron_ingot gold_ingot x3", True, True),
        ("IRON_INGOT, Gold_Ingot X3", True, True),
        ("minecraft:iron_ingot|minecraft:gold_ingot x3", True, True),
        ("gold_ingot x3 iron_ingot", True, False),
        ("gold_ingot x3 iron_ingot gold_ingot x3", True, True),
        ("iron_ingots gold_ingot x3", False, False),
        ("raw_iron_ingot gold_ingot x3", False, False),
        ("iron_ingot gold_ingot x33", False, False),
        ("iron_ingot gold_ingot", False, False),
        ('iron_ingot {"id": "gold_ingot", "count": 3}', True, True),
        ('iron_ingot {"count":3,"item":"minecraft:gold_ingot","slot":2}', True, True),
        ('iron_ingot {"id": "gold_ingot", "count": 4}', False, False),
        ('{"id": "gold_ingot", "count": 3} iron_ingot', True, False),
        ('iron_ingot {"id": "gold_ingot", "count": 3, "tags": {"a": {"b": 1}}}', True, True),
        ('iron_ingot {"id": "gold_ingot", "count": 3', False, False),
        ('iron_ingot } {"id": "gold_ingot", "count": 3}', True, True),
        ("", False, False),
    ],
)
def test_items_are_shown_by_themselves_or_in_order(text: str, every: bool, in_order: bool) -> None:
    """All of them, each by itself; or one behind the other (AUDIT-32)."""
    shown = Shown(text)
    assert (shown.has_all([IRON, GOLD]), shown.has_in_order([IRON, GOLD])) == (every, in_order)


def test_nothing_is_never_shown() -> None:
    """A cart without items proves no reading (AUDIT-32)."""
    assert not Shown("anything").has_all([])
    assert not Shown("anything").has_in_order([])


@pytest.mark.parametrize("name", ["", "  ", "minecraft:", "a" * 257])
def test_a_name_that_is_none_is_never_shown(name: str) -> None:
    """An item without a name would stand in every text (AUDIT-32)."""
    item = item_of(name)
    assert not Shown(f" {name} {{}}").has_all([item])
    assert not Shown(f" {name} {{}}").has_in_order([item])


def test_counts_of_many_digits_are_told_apart() -> None:
    """Two counts are one where every digit is (AUDIT-30)."""
    one, two = ({"id": "a", "count": f"1{'0' * 18}{digit}"} for digit in "19")
    assert item_of(one) != item_of(two)
    assert item_of({"id": "a", "count": "000"}) == item_of({"id": "a", "count": 0})


@given(st.integers(60, 70), st.booleans())
def test_many_items_are_shown_as_few_are(many: int, cut: bool) -> None:
    """However many items a cart has, each has to stand there (AUDIT-32)."""
    items = [item_of(f"mod:thing-{number}" if number % 2 else f"t{number}")
             for number in range(many)]  # fmt: skip
    text = " ".join(item.text for item in reversed(items))
    assert Shown(text).has_all(items)
    assert not Shown(text.replace("t0", "t00") if cut else text.replace("-1 ", "- 1 ")).has_all(
        items
    )


def test_a_number_beyond_all_others_is_no_count() -> None:
    """What an agent prints stops no audit."""
    assert not Shown('{"id": "a", "count": 1e99999999999999999999}').has_all([Item("a", "2")])


def test_names_of_other_worlds_keep_them() -> None:
    """Only the usual namespace may be left out."""
    assert Shown("mod:thing").has_all([item_of("mod:thing")])
    assert not Shown("thing").has_all([item_of("mod:thing")])


def test_the_same_item_twice_in_order() -> None:
    """Two of one kind one behind the other need two places (AUDIT-32)."""
    twice = [IRON, IRON]
    assert not Shown("iron_ingot").has_in_order(twice)
    assert Shown("iron_ingot iron_ingot").has_in_order(twice)


NAMES = st.sampled_from(["stone", "cobblestone", "iron", "iron_ingot", "sand"])
LISTS = st.lists(st.builds(Item, NAMES.map("minecraft:".__add__), st.sampled_from(["1", "2"])),
                 min_size=1, max_size=5)  # fmt: skip


@given(LISTS)
def test_whatever_is_printed_is_shown(items: list[Item]) -> None:
    """As words, or as the JSON that a logger writes, in order (AUDIT-32)."""
    words = " ".join(item.text for item in items)
    stacks = json.dumps([{"id": item.id, "count": int(item.count)} for item in items])
    for text in (words, words.replace("minecraft:", ""), stacks):
        assert Shown(text).has_all(items)
        assert Shown(text).has_in_order(items)


@given(LISTS, LISTS)
def test_what_lacks_an_item_does_not_show_it(printed: list[Item], others: list[Item]) -> None:
    """No item is found in the name of another one (AUDIT-32)."""
    text = " ".join(item.text for item in printed)
    ids = {item.id for item in printed}
    for item in others:
        if item.id not in ids:
            assert not Shown(text).has_all([item])


@given(st.text(max_size=200))
def test_any_text_can_be_looked_through(text: str) -> None:
    """What an agent prints is whatever it likes."""
    assert Shown(text).has_all([IRON]) == Shown(text).has_in_order([IRON])


@given(st.lists(st.sampled_from(["stone", "sand", "", "iron_ingot"])), st.integers(0, 200))
def test_many_words_are_found_as_few_are(printed: list[str], more: int) -> None:
    """However many are looked for, those that stand in the text as words are found."""
    words = {"stone", "sand", "", "iron_ingot", *(f"w{number}" for number in range(more))}
    assert set(printed) | {""} <= set(Shown(" ".join(printed)).near(words))
    assert set(Shown(" ".join(printed)).near(words)) <= {*printed, ""}
