"""Every refusal of canon: one fault, one class, one code, one clause."""

import re
from pathlib import Path

import pytest

import canon
from canon import Refusal, errors

SPEC = Path(__file__).resolve().parents[2] / "specs" / "canon.md"
CLASSES = [
    value
    for value in vars(errors).values()
    if isinstance(value, type) and issubclass(value, Refusal) and value is not Refusal
]


def test_codes_are_unique() -> None:
    """No two classes share a code."""
    codes = [refusal.code for refusal in CLASSES]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("refusal", CLASSES)
def test_class_is_documented(refusal: type[Refusal]) -> None:
    """A class names a clause, and that clause names its code; the package exports it."""
    assert re.fullmatch(r"E_[A-Z0-9_]+", refusal.code)
    assert refusal.remedy[0].islower()
    assert not refusal.remedy.endswith(".")
    assert refusal.__name__ in canon.__all__
    assert refusal.__doc__ is not None
    found = re.search(r"\((CANON-[0-9]+)\)\.$", refusal.__doc__)
    assert found, refusal.__doc__
    clause = re.search(rf"\*\*{found[1]}\*\*.*?\n\n", SPEC.read_text(), re.DOTALL)
    assert clause
    assert f"`{refusal.code}`" in clause[0]


def test_every_code_of_the_specification_has_a_class() -> None:
    """The specification names no code that nothing raises."""
    named = set(re.findall(r"`(E_[A-Z0-9_]+)`", SPEC.read_text()))
    assert named == {refusal.code for refusal in CLASSES}


def test_exports_are_sorted_and_there() -> None:
    """All public names exist, in order."""
    assert canon.__all__ == sorted(canon.__all__, key=canon.__all__.index)
    assert all(hasattr(canon, name) for name in canon.__all__)
    assert len(canon.__all__) == len(set(canon.__all__))


def test_message_gives_place_got_and_expected() -> None:
    """A refusal says where, what stood there and what should have; a remedy goes with it."""
    with pytest.raises(canon.CborFloat) as caught:
        canon.decode(bytes.fromhex("82 01 f93c00"))
    refusal = caught.value
    assert refusal.message == "byte 2: got a float of 2 bytes, expected false, true or null"
    assert (refusal.offset, refusal.seq) == (2, None)
    assert "decimal text" in refusal.remedy


def test_messages_never_repeat_the_input() -> None:
    """A megabyte of rubbish makes a message of one line."""
    for read in (canon.parse_decimal, canon.read_number, canon.parse_instant, canon.read_instant):
        with pytest.raises(Refusal) as caught:
            read("\n\u202e" * 500_000)
        assert len(caught.value.message) < 400
        assert caught.value.message.isprintable()


def test_a_message_has_an_end() -> None:
    """However long the input's own words are, a refusal repeats a thousand of each at most."""
    refusal = canon.Limit("p" * 9_999, "g" * 9_999, "e" * 9_999)
    assert len(refusal.message) < 3_200
    assert refusal.got == "g" * 1_024 + "…"
