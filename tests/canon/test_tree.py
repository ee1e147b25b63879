"""Laws of the Merkle tree, and the cases of a peer."""

import json
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import canon
from canon import Frontier

LEAVES = [canon.leaf_hash(number.to_bytes(2, "big")) for number in range(300)]
SIZES = st.integers(0, 130)


def defined_root(leaves: list[bytes]) -> bytes:
    """Return MTH as RFC 9162 section 2.1.1 defines it."""
    if not leaves:
        return canon.sha256(b"")
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    left, right = defined_root(leaves[:split]), defined_root(leaves[split:])
    return canon.sha256(b"\x01" + left + right)


@given(st.lists(st.integers(0, 40), max_size=8))
def test_every_way_to_grow_gives_the_defined_root(steps: list[int]) -> None:
    """One by one, in batches of any size, or over a saved state: one root, the defined one."""
    single, batched = Frontier(), Frontier()
    for step in steps:
        more = LEAVES[batched.size : batched.size + step]
        batched.extend(iter(more))
        for leaf in more:
            single.append(leaf)
        batched = Frontier(batched.size, batched.hashes)
        assert batched.hashes == single.hashes
    leaves = LEAVES[: single.size]
    assert single.size == batched.size == sum(steps)
    assert single.root() == batched.root() == canon.root_of(leaves) == defined_root(leaves)


def test_copy_grows_on_its_own() -> None:
    """A copy does not touch the frontier that it was made from."""
    tree = Frontier()
    tree.extend(LEAVES[:5])
    before = tree.root()
    other = tree.copy()
    other.extend(LEAVES[5:9])
    assert (tree.size, tree.root()) == (5, before)
    assert other.root() == canon.root_of(LEAVES[:9])


@pytest.mark.parametrize(
    ("size", "hashes"),
    [(-1, []), (2**63, LEAVES[:1]), (3, LEAVES[:1]), (1, []), (1, [b""]), (0, LEAVES[:1])],
)
def test_frontier_of_another_shape_is_refused(size: int, hashes: list[bytes]) -> None:
    """A saved state has one hash of 32 bytes for each bit of its size."""
    with pytest.raises(canon.ProofShape):
        Frontier(size, hashes)


@given(SIZES.filter(bool), st.data())
def test_every_inclusion_proof_verifies(size: int, data: st.DataObject) -> None:
    """Each leaf has a proof, and no other leaf, index, size, path or root goes with it."""
    index = data.draw(st.integers(0, size - 1))
    leaves = LEAVES[:size]
    root = canon.root_of(leaves)
    path = canon.inclusion_path(leaves, index)
    canon.verify_inclusion(leaves[index], index, size, path, root)
    other = data.draw(st.integers(0, size - 1).filter(lambda value: value != index) | st.just(size))
    refused(canon.verify_inclusion, leaves[index], other, size, path, root)
    refused(canon.verify_inclusion, LEAVES[size], index, size, path, root)
    refused(canon.verify_inclusion, leaves[index], index, size, path, LEAVES[size])
    refused(canon.verify_inclusion, leaves[index], index, size, mutated(path, data), root)


@given(SIZES.filter(bool), st.data())
def test_every_consistency_proof_verifies(second: int, data: st.DataObject) -> None:
    """Each prefix has a proof, and no other size, path or root goes with it."""
    first = data.draw(st.integers(1, second))
    roots = canon.root_of(LEAVES[:first]), canon.root_of(LEAVES[:second])
    path = canon.consistency_path(LEAVES[:second], first)
    canon.verify_consistency(first, second, *roots, path)
    refused(canon.verify_consistency, first, second, *roots, mutated(path, data))
    refused(canon.verify_consistency, first, second, LEAVES[299], roots[1], path)
    refused(canon.verify_consistency, first, second, roots[0], LEAVES[299], path)
    refused(canon.verify_consistency, 0, second, canon.EMPTY_ROOT, roots[1], path)
    if first != second:
        refused(canon.verify_consistency, first, second, *reversed(roots), path)
        refused(canon.verify_consistency, second, first, *reversed(roots), path)


def mutated(path: list[bytes], data: st.DataObject) -> list[bytes]:
    """Return a path that differs in one place."""
    at = data.draw(st.integers(0, len(path)))
    if at == len(path) or data.draw(st.booleans()):
        return [*path[:at], LEAVES[298], *path[at:]]
    if data.draw(st.booleans()):
        return [*path[:at], *path[at + 1 :]]
    bit = data.draw(st.integers(0, 255))
    changed = (int.from_bytes(path[at], "big") ^ (1 << bit)).to_bytes(32, "big")
    return [*path[:at], changed, *path[at + 1 :]]


def refused(verify: Any, *arguments: Any) -> None:
    """Check that a proof is refused, by a code of proofs."""
    with pytest.raises(canon.Refusal) as caught:
        verify(*arguments)
    assert caught.value.code in {
        "E_PROOF_SHAPE",
        "E_PROOF_SIZE",
        "E_INDEX",
        "E_INCLUSION",
        "E_CONSISTENCY",
    }


def test_paths_of_what_is_not_there_are_refused() -> None:
    """No path to a leaf beyond the end, none from the empty tree or a later one."""
    for index in (-1, 3):
        with pytest.raises(canon.Index):
            canon.inclusion_path(LEAVES[:3], index)
    for first in (-1, 0, 4):
        with pytest.raises(canon.ProofSize):
            canon.consistency_path(LEAVES[:3], first)


def test_size_comes_from_the_checkpoint() -> None:
    """The nodes above 8 leaves are a tree of 4 with the same root: the size is not proved."""
    nodes = [canon.node_hash(*LEAVES[at : at + 2]) for at in range(0, 8, 2)]
    root = canon.root_of(LEAVES[:8])
    canon.verify_inclusion(nodes[1], 1, 4, canon.inclusion_path(nodes, 1), root)
    with pytest.raises(canon.ProofShape):
        canon.verify_inclusion(nodes[1], 1, 8, canon.inclusion_path(nodes, 1), root)


@pytest.mark.parametrize("size", [1, 2, 3, 6, 7, 64, 100])
def test_pymerkle_has_the_same_tree(size: int) -> None:
    """A peer gives the same root for the same entries."""
    pymerkle = pytest.importorskip("pymerkle", reason="pymerkle, a peer, is not installed")
    peer = pymerkle.InmemoryTree(algorithm="sha256")
    entries = [number.to_bytes(2, "big") for number in range(size)]
    for entry in entries:
        peer.append_entry(entry)
    assert peer.get_root() == canon.root_of([canon.leaf_hash(entry) for entry in entries])


def test_transparency_dev_cases(shared: Path) -> None:
    """The verdict on each case of transparency-dev/merkle is theirs.

    Two of their cases need a rule beyond RFC 9162: a hash is 32 bytes, and nothing is consistent
    with size 0. Their proofs about subtrees are out of scope, and not in this file.
    """
    cases = json.loads((shared / "vectors" / "transparency-dev-merkle" / "cases.json").read_text())
    assert {kind: len(members) for kind, members in cases.items()} == {
        "inclusion": 65,
        "consistency": 65,
    }
    order = {
        "inclusion": ("leafHash", "leafIdx", "treeSize", "proof", "root"),
        "consistency": ("size1", "size2", "root1", "root2", "proof"),
    }
    verify = {"inclusion": canon.verify_inclusion, "consistency": canon.verify_consistency}
    for kind, members in cases.items():
        for case in members:
            arguments = [raw(case[name]) for name in order[kind]]
            if case["wantErr"]:
                refused(verify[kind], *arguments)
            else:
                verify[kind](*arguments)


def raw(value: Any) -> Any:
    """Return hashes as bytes and an absent path as an empty one."""
    if isinstance(value, str):
        return b64decode(value)
    if isinstance(value, list):
        return [raw(item) for item in value]
    return [] if value is None else value


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ((LEAVES[0][:31], 0, 1, [], LEAVES[0]), "leaf"),
        ((LEAVES[0], -1, 1, [], LEAVES[0]), "index"),
        ((LEAVES[0], 0, 2**63, [], LEAVES[0]), "size"),
        ((LEAVES[0], 0, 1, [], LEAVES[0] * 2), "root"),
        ((LEAVES[0], 0, 1, [LEAVES[1]], LEAVES[0]), "inclusion proof"),
    ],
)
def test_a_fault_of_an_inclusion_proof_is_named_by_its_place(
    arguments: tuple[Any, ...], place: str
) -> None:
    """By the argument that is at fault (CANON-27)."""
    with pytest.raises(canon.Refusal) as caught:
        canon.verify_inclusion(*arguments)
    assert caught.value.place == place


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ((-1, 1, LEAVES[0], LEAVES[0], []), "first size"),
        ((1, 2**63, LEAVES[0], LEAVES[0], []), "second size"),
        ((1, 2, LEAVES[0][:31], LEAVES[0], [LEAVES[1]]), "first root"),
        ((1, 2, LEAVES[0], LEAVES[0] * 2, [LEAVES[1]]), "second root"),
        ((1, 1, LEAVES[0], LEAVES[0], [LEAVES[1]]), "consistency proof"),
        ((1, 3, LEAVES[0], LEAVES[0], [LEAVES[1]]), "consistency proof"),
    ],
)
def test_a_fault_of_a_consistency_proof_is_named_by_its_place(
    arguments: tuple[Any, ...], place: str
) -> None:
    """By the argument that is at fault (CANON-28)."""
    with pytest.raises(canon.Refusal) as caught:
        canon.verify_consistency(*arguments)
    assert caught.value.place == place


def test_a_number_that_is_none_is_shown() -> None:
    """As it was given, whatever its size."""
    with pytest.raises(canon.ProofShape) as caught:
        canon.verify_inclusion(LEAVES[0], 2**64, 1, [], LEAVES[0])
    assert caught.value.got == str(2**64)
