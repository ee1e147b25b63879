"""Values at the very edge of what is allowed, each with its neighbour beyond."""

import hashlib
from fractions import Fraction

import pytest

from canon import (
    consistency_path,
    decode,
    encode,
    fraction_of,
    leaf_hash,
    node_hash,
    quotient,
    read_number,
    root_of,
    verify_consistency,
    verify_inclusion,
)
from canon.quantity import PLACE_LIMIT
from canon.refusal import Refusal

LEAST, MOST = -(2**63), 2**63 - 1


@pytest.mark.parametrize("keys", [("a", "b"), ("b", "a")])
def test_integers_are_of_64_bits(keys: tuple[str, str]) -> None:
    """In maps that are in order, and in those that a writer has to sort (CANON-2)."""
    for value in (LEAST, MOST):
        assert decode(encode(dict.fromkeys(keys, value))) == dict.fromkeys(sorted(keys), value)
    for value in (LEAST - 1, MOST + 1):
        with pytest.raises(Refusal):
            encode(dict.fromkeys(keys, value))


def test_keys_are_sorted_by_their_bytes() -> None:
    """A letter of two bytes is as long as two letters of one (CANON-14)."""
    assert encode({"é": 1, "zz": 2}).hex() == "a2" + "627a7a02" + "62c3a901"
    assert encode({"zz": 2, "é": 1, "b": 3}).hex() == "a3" + "616203" + "627a7a02" + "62c3a901"


def test_parts_of_a_quotient_are_integers_while_they_fit() -> None:
    """Beyond 64 bits they are decimal text (CANON-35)."""
    assert quotient(Fraction(MOST, 11)) == [MOST, 11]
    assert quotient(Fraction(-MOST - 1, 11)) == [LEAST, 11]
    assert quotient(Fraction(MOST + 1, 11)) == [str(MOST + 1), 11]
    assert quotient(Fraction(LEAST - 1, 11)) == [str(LEAST - 1), 11]
    for value in (Fraction(MOST, 11), Fraction(LEAST - 1, 11), Fraction(1, MOST)):
        assert fraction_of(quotient(value)) == value


def test_a_consistency_path_begins_at_one_leaf() -> None:
    """The smallest first tree that has a proof, and the whole tree (CANON-28, CANON-31)."""
    leaves = [leaf_hash(bytes([number])) for number in range(40)]
    for second in range(1, 41):
        for first in range(1, second + 1):
            path = consistency_path(leaves[:second], first)
            roots = root_of(leaves[:first]), root_of(leaves[:second])
            verify_consistency(first, second, *roots, path)
    with pytest.raises(Refusal):
        consistency_path(leaves, 0)
    with pytest.raises(Refusal):
        consistency_path(leaves, 41)


def test_a_path_has_at_most_63_hashes() -> None:
    """That many in a tree of the largest size, and none more (CANON-27)."""
    leaf = leaf_hash(b"first")
    path = [hashlib.sha256(bytes([number])).digest() for number in range(63)]
    root = leaf
    for beside in path:
        root = node_hash(root, beside)
    verify_inclusion(leaf, 0, MOST, path, root)
    with pytest.raises(Refusal):
        verify_inclusion(leaf, 0, MOST, [*path, leaf], node_hash(root, leaf))


def test_quotients_that_end_are_decimals_up_to_their_places() -> None:
    """Of powers of two and five; one place more, and they are pairs (CANON-34, CANON-35)."""
    assert quotient(Fraction(1, 2**3)) == "0.125"
    assert quotient(Fraction(-1, 5**2)) == "-0.04"
    assert quotient(Fraction(0)) == "0"
    assert quotient(Fraction(7)) == "7"
    assert quotient(Fraction(1, 2**40)) == "0." + str(5**40).rjust(40, "0")
    least, beyond = 10**PLACE_LIMIT, 10 ** (PLACE_LIMIT + 1)
    assert quotient(Fraction(1, least)) == "0." + "1".rjust(PLACE_LIMIT, "0")
    assert quotient(Fraction(1, beyond)) == [1, str(beyond)]
    assert quotient(Fraction(least)) == str(least)
    assert quotient(Fraction(beyond)) == [str(beyond), 1]
    for value in (Fraction(1, 2**30), Fraction(3, least), Fraction(least + least // 10)):
        assert isinstance(quotient(value), str)
        assert fraction_of(quotient(value)) == value


def test_a_number_is_read_up_to_its_exponent() -> None:
    """64 and no more, whatever zeros stand before it (CANON-33, CANON-34)."""
    assert read_number("1e0064") == "1" + "0" * 64
    assert read_number("1E-64") == "0." + "1".rjust(64, "0")
    assert read_number("1e+9") == "1000000000"
    for literal in ("1e65", "1e-65", "1e100", "1e999"):
        with pytest.raises(Refusal) as refused:
            read_number(literal)
        assert refused.value.got == repr(literal)
        assert "exponent" in refused.value.expected
