"""Canonical CBOR by example: peers' vectors, what a writer refuses, what is remembered."""

import csv
from enum import IntEnum
from pathlib import Path
from typing import Any

import pytest

import canon
from canon import cbor

INT64 = range(-(2**63), 2**63)

# What the rows that break the rules of every profile are refused for.
BAD = {
    "a2616200616101": "E_CBOR_KEY_ORDER",
    "98020405": "E_CBOR_HEAD",
    "1900ff": "E_CBOR_HEAD",
    "c34a00010000000000000000": "E_CBOR_BIGNUM",
    "fa41280000": "E_CBOR_FLOAT",
    "fa7fc00000": "E_CBOR_FLOAT",
    "c243010000": "E_CBOR_BIGNUM",
    "5f4101420203ff": "E_CBOR_INDEFINITE",
    "f818": "E_CBOR_SIMPLE",
    "fc": "E_CBOR_RESERVED",
}


def test_cde_table(shared: Path) -> None:
    """Each row of the CDE table inside the profile is read, each other one refused by name."""
    text = (shared / "vectors" / "cde" / "example-table-input.csv").read_text()
    seen = {"int": 0, "flt": 0, "bad": 0}
    for kind, notation, hexa, _note in csv.reader(text.splitlines()):
        data = bytes.fromhex(hexa)
        seen[kind] += 1
        if kind == "int" and int(notation) in INT64:
            assert canon.decode(data) == int(notation)
            assert canon.encode(int(notation)) == data
            continue
        with pytest.raises(canon.Refusal) as caught:
            canon.decode(data)
        if kind == "int":
            expected = "E_CBOR_BIGNUM" if hexa[0] == "c" else "E_CBOR_INT_RANGE"
        else:
            expected = "E_CBOR_FLOAT" if kind == "flt" else BAD[hexa]
        assert caught.value.code == expected, notation
    assert seen == {"int": 22, "flt": 44, "bad": 10}


class Colour(IntEnum):
    """An integer with a type of its own."""

    RED = 1


def nested(levels: int) -> list[Any]:
    """Return as many arrays inside one another."""
    value: list[Any] = []
    for _ in range(levels - 1):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "code", "place"),
    [
        (1.0, "E_CBOR_FLOAT", "value"),
        ({"a": [0, {"b": float("nan")}]}, "E_CBOR_FLOAT", "value at '/a/1/b'"),
        (2**63, "E_CBOR_INT_RANGE", "value"),
        ([-(2**63) - 1], "E_CBOR_INT_RANGE", "value at '/0'"),
        ({1, 2}, "E_CBOR_TYPE", "value"),
        ([bytearray(b"a")], "E_CBOR_TYPE", "value at '/0'"),
        (Colour.RED, "E_CBOR_TYPE", "value"),
        (1j, "E_CBOR_TYPE", "value"),
        ({"a": 0, 1: 0}, "E_CBOR_KEY_TYPE", "value"),
        ({-1: 0}, "E_CBOR_KEY_TYPE", "value"),
        ({2**63: 0, 0: 0}, "E_CBOR_KEY_TYPE", "value"),
        ({True: 0}, "E_CBOR_KEY_TYPE", "value"),
        ({b"a": 0}, "E_CBOR_KEY_TYPE", "value"),
        ({None: 0}, "E_CBOR_KEY_TYPE", "value"),
        ([{("a",): 0}], "E_CBOR_KEY_TYPE", "value at '/0'"),
        (nested(17), "E_CBOR_DEPTH", "value at '" + "/0" * 16 + "'"),
        ("\ud800", "E_CBOR_UTF8", "value"),
        ({"\udfff": 0, "a": 0}, "E_CBOR_UTF8", "key '\\udfff' of value"),
        ("e\u0301", "E_CBOR_NFC", "value"),
        ({"e\u0301": 0}, "E_CBOR_NFC", "key 'e\\u0301' of value"),
        ("\u0378", "E_CBOR_UNASSIGNED", "value"),
        ({"b": 0, "a": "\U0001fae8"}, "E_CBOR_UNASSIGNED", "value at '/a'"),
    ],
)
def test_writer_refuses(value: Any, code: str, place: str) -> None:
    """What has no canonical encoding is refused with its JSON pointer."""
    with pytest.raises(canon.Refusal) as caught:
        canon.encode(value)
    assert (caught.value.code, caught.value.place) == (code, place)


def test_writer_refuses_a_value_that_holds_itself() -> None:
    """A cycle ends at the seventeenth level, before the encoder would follow it for ever."""
    value: list[Any] = []
    value.append(value)
    with pytest.raises(canon.CborDepth):
        canon.encode(value)


def test_depth_16_is_written() -> None:
    """Sixteen levels are the last that fit."""
    assert canon.encode(nested(16)).hex() == "81" * 15 + "80"


def test_tuples_are_arrays() -> None:
    """A tuple is written as a list is."""
    assert canon.encode(("a", (1, 2))) == canon.encode(["a", [1, 2]])


def test_input_is_not_changed() -> None:
    """Sorting keys leaves the caller's map in its order."""
    value = {"b": {"d": 0, "c": 0}, "a": 0}
    canon.encode(value)
    assert list(value) == ["b", "a"]
    assert list(value["b"]) == ["d", "c"]


def test_shared_references_are_never_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tags 28 and 29 would make sixteen million values of these 214 bytes."""
    layers = [bytes.fromhex(f"d81c82d81d{number:02x}d81d{number:02x}") for number in range(23)]
    bomb = bytes.fromhex("9818d81c820000") + b"".join(layers)
    assert len(bomb) == 214
    with pytest.raises(canon.CborTag) as caught:
        canon.decode(bomb)
    assert caught.value.offset == 2
    monkeypatch.setattr(cbor, "_are_canonical", lambda *_: pytest.fail("cbor2 built it"))
    with pytest.raises(canon.CborTag):
        canon.decode(bomb)


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inputs of many or wide shapes fill no memory, and are read as before."""
    monkeypatch.setattr(cbor, "_canonical_shapes", shapes := set())
    monkeypatch.setattr(cbor, "_orders", orders := {})
    for number in range(1500):
        value = {f"z{number:04}": 0, f"a{number:04}": 1}
        assert canon.decode(canon.encode(value)) == value
    wide = {f"{number:060}": 0 for number in range(30)}
    assert canon.decode(canon.encode(wide)) == wide
    assert len(shapes) == len(orders) == 1024
    assert tuple(wide) not in shapes


def test_remembered_shapes_hold_text_only() -> None:
    """True and 1.0 equal 1 in Python, so no integer key may vouch for another map."""
    assert canon.decode(canon.encode({0: "a", 1: "b"})) == {0: "a", 1: "b"}
    for keys in ((0, True), (0.0, 1), (False, 1.0)):
        with pytest.raises(canon.CborKeyType):
            canon.encode(dict.fromkeys(keys, "a"))
