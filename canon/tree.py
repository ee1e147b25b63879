"""The Merkle tree of RFC 9162 section 2.1, and its proofs.

    leaf = SHA-256(00 || entry)        node = SHA-256(01 || left || right)

Two rules are added to the RFC: a hash that is computed with is 32 bytes long (CANON-27), and
nothing is consistent with the empty tree, because every tree would be (CANON-28). All functions
take leaf hashes, never entries: ``leaf_hash`` is the only way from the one to the other.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Self

from canon.digest import DIGEST_BYTES
from canon.errors import Consistency, Inclusion, Index, ProofShape, ProofSize

EMPTY_ROOT = hashlib.sha256(b"").digest()
SIZE_LIMIT = 2**63
PATH_LIMIT = 63

_sha256 = hashlib.sha256


def leaf_hash(entry: bytes) -> bytes:
    """Return the hash of the leaf that holds *entry*, 32 bytes (CANON-26)."""
    return _sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of the node over two hashes of 32 bytes (CANON-26)."""
    return _sha256(b"\x01" + left + right).digest()


class Frontier:
    """The roots of the perfect subtrees of a growing tree: all that appending needs.

    A tree of *size* leaves has one such root for every bit set in *size*, the largest first, so
    the state is at most 63 hashes however long the log is.
    """

    __slots__ = ("_roots", "_size")

    def __init__(self, size: int = 0, hashes: Sequence[bytes] = ()) -> None:
        """Start empty, or where ``size`` and ``hashes`` of another frontier stood.

        Raises:
            ProofShape: The hashes are not those that a tree of this size has.

        """
        _check_number("size", size)
        if len(hashes) != size.bit_count():
            raise ProofShape(
                f"frontier of size {size}", f"{len(hashes)} hashes", f"{size.bit_count()} hashes"
            )
        for number, value in enumerate(hashes):
            _check_hash(f"frontier hash {number}", value)
        self._size = size
        self._roots = list(hashes)

    @property
    def size(self) -> int:
        """Number of leaves."""
        return self._size

    @property
    def hashes(self) -> list[bytes]:
        """Roots of the perfect subtrees, the largest first, 32 bytes each."""
        return list(self._roots)

    def copy(self) -> Self:
        """Return a frontier that grows on its own from here."""
        other = type(self)()
        other._size, other._roots = self._size, list(self._roots)
        return other

    def append(self, leaf: bytes) -> None:
        """Add one leaf hash, 32 bytes, at index ``size``."""
        roots, size = self._roots, self._size
        while size & 1:
            leaf = _sha256(b"\x01" + roots.pop() + leaf).digest()
            size >>= 1
        roots.append(leaf)
        self._size += 1

    def extend(self, leaves: Iterable[bytes]) -> None:
        """Add many leaf hashes, in order; the same as ``append`` for each, and faster."""
        nodes = list(leaves)
        added, size, odd = len(nodes), self._size, []
        while nodes:
            # One level: the subtree left over from before goes first, the one that finds no
            # partner waits for the next batch, the others pair up.
            if size & 1:
                nodes.insert(0, self._roots.pop())
            if len(nodes) & 1:
                odd.append(nodes.pop())
            nodes = _parents(nodes)
            size >>= 1
        self._roots.extend(reversed(odd))
        self._size += added

    def root(self) -> bytes:
        """Return the root of the tree, 32 bytes."""
        if not self._roots:
            return EMPTY_ROOT
        value = self._roots[-1]
        for left in self._roots[-2::-1]:
            value = _sha256(b"\x01" + left + value).digest()
        return value


def root_of(leaves: Sequence[bytes]) -> bytes:
    """Return the root over leaf hashes of 32 bytes, MTH of RFC 9162 section 2.1.1."""
    if not leaves:
        return EMPTY_ROOT
    nodes = list(leaves)
    while len(nodes) > 1:
        last = nodes.pop() if len(nodes) & 1 else None
        nodes = _parents(nodes)
        if last is not None:
            nodes.append(last)
    return nodes[0]


def inclusion_path(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Return the audit path of the leaf at *index*, PATH of RFC 9162 section 2.1.3.1.

    Raises:
        Index: There is no such leaf.

    """
    if not 0 <= index < len(leaves):
        raise Index("inclusion path", f"index {index}", f"an index below {len(leaves)}")
    path: list[bytes] = []
    nodes = list(leaves)
    while len(nodes) > 1:
        if (index ^ 1) < len(nodes):
            path.append(nodes[index ^ 1])
        last = nodes.pop() if len(nodes) & 1 else None
        nodes = _parents(nodes)
        if last is not None:
            nodes.append(last)
        index >>= 1
    return path


def consistency_path(leaves: Sequence[bytes], first: int) -> list[bytes]:
    """Return the proof that the first *first* leaves are a prefix, RFC 9162 section 2.1.4.1.

    Raises:
        ProofSize: *first* is zero or more than there are leaves.

    """
    if not 0 < first <= len(leaves):
        raise ProofSize("consistency path", f"first size {first}", f"1 … {len(leaves)}")
    path: list[bytes] = []
    whole = True  # the subtree at hand is exactly the first tree, whose root the verifier holds
    while first != len(leaves):
        split = 1 << ((len(leaves) - 1).bit_length() - 1)
        if first <= split:
            path.append(root_of(leaves[split:]))
            leaves = leaves[:split]
        else:
            path.append(root_of(leaves[:split]))
            leaves, first, whole = leaves[split:], first - split, False
    if not whole:
        path.append(root_of(leaves))
    return path[::-1]


def verify_inclusion(
    leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes
) -> None:
    """Check that the tree of *size* leaves under *root* holds *leaf* at *index*.

    Args:
        leaf: Leaf hash, 32 bytes.
        index: Position of the leaf, from 0.
        size: Number of leaves of the tree.
        path: Hashes from the leaf's sibling upwards.
        root: Root of the tree, 32 bytes.

    Raises:
        ProofShape: A number is outside 0 … 2^63-1, a hash is not 32 bytes, or the path has
            another length than a tree of this size gives it.
        ProofSize: The tree is empty.
        Index: The tree has no such leaf.
        Inclusion: The path leads to another root.

    """
    _check_number("index", index)
    _check_number("size", size)
    _check_hash("leaf", leaf)
    _check_hash("root", root)
    _check_path(path)
    if size == 0:
        raise ProofSize("inclusion proof", "size 0", "the size of a tree with leaves")
    if index >= size:
        raise Index("inclusion proof", f"index {index}", f"an index below the size {size}")
    # RFC 9162 section 2.1.3.2, with the length known beforehand: below the point where the way to
    # the leaf and the way to the last leaf part, every level has a sibling.
    inner = (index ^ (size - 1)).bit_length()
    _check_length("inclusion proof", path, inner + (index >> inner).bit_count())
    got = _climb(leaf, index, path, inner)
    if got != root:
        raise Inclusion("inclusion proof", f"root {got.hex()}", root.hex())


def verify_consistency(
    first: int, second: int, first_root: bytes, second_root: bytes, path: Sequence[bytes]
) -> None:
    """Check that the tree of *second* leaves begins with the tree of *first* leaves.

    Args:
        first: Size of the older tree, at least 1.
        second: Size of the newer tree.
        first_root: Root of the older tree, 32 bytes.
        second_root: Root of the newer tree, 32 bytes.
        path: The hashes of the proof; none when the sizes are equal.

    Raises:
        ProofShape: A number is outside 0 … 2^63-1, a hash is not 32 bytes, or the path has
            another length than these sizes give it.
        ProofSize: The older tree is empty, or larger than the newer one.
        Consistency: The path leads to another root, at either end.

    """
    _check_number("first size", first)
    _check_number("second size", second)
    _check_path(path)
    if first == 0:
        raise ProofSize("consistency proof", "first size 0", "the size of a tree with leaves")
    if first > second:
        raise ProofSize("consistency proof", f"first size {first}", f"at most {second}")
    if first == second:
        _check_length("consistency proof", path, 0)
        if first_root != second_root:
            raise Consistency("second root", second_root.hex(), first_root.hex())
        return  # roots that are only compared may be of any length, as in the peers' cases
    _check_hash("first root", first_root)
    _check_hash("second root", second_root)
    # The proof starts at the largest perfect subtree that ends where the first tree ends; if that
    # is the whole first tree, its root is known and left out of the path.
    shift = (first & -first).bit_length() - 1
    index = (first - 1) >> shift
    inner = (index ^ ((second - 1) >> shift)).bit_length()
    whole = index == 0
    start = 0 if whole else 1
    _check_length("consistency proof", path, start + inner + (index >> inner).bit_count())
    seed = first_root if whole else path[0]
    older = seed
    for level, other in enumerate(path[start:]):
        # Only hashes to the left of the first tree's end belong to the first tree.
        if level >= inner or index >> level & 1:
            older = node_hash(other, older)
    if older != first_root:
        raise Consistency("first root by the proof", older.hex(), first_root.hex())
    newer = _climb(seed, index, path[start:], inner)
    if newer != second_root:
        raise Consistency("second root by the proof", newer.hex(), second_root.hex())


def _parents(nodes: Sequence[bytes]) -> list[bytes]:
    """Return the level above an even number of nodes."""
    sha = _sha256
    return [
        sha(b"\x01" + left + right).digest()
        for left, right in zip(nodes[::2], nodes[1::2], strict=True)
    ]


def _climb(value: bytes, index: int, path: Sequence[bytes], inner: int) -> bytes:
    """Return the root that *path* gives to *value*; above *inner* all siblings are on the left."""
    for level, sibling in enumerate(path):
        if level >= inner or index >> level & 1:
            value = node_hash(sibling, value)
        else:
            value = node_hash(value, sibling)
    return value


def _check_number(place: str, number: int) -> None:
    if not 0 <= number < SIZE_LIMIT:
        raise ProofShape(place, str(number), "0 … 2^63-1")


def _check_hash(place: str, value: bytes) -> None:
    if len(value) != DIGEST_BYTES:
        raise ProofShape(place, f"{len(value)} bytes", f"{DIGEST_BYTES} bytes")


def _check_path(path: Sequence[bytes]) -> None:
    if len(path) > PATH_LIMIT:
        raise ProofShape("path", f"{len(path)} hashes", f"at most {PATH_LIMIT}")
    for number, value in enumerate(path):
        _check_hash(f"path hash {number}", value)


def _check_length(place: str, path: Sequence[bytes], expected: int) -> None:
    if len(path) != expected:
        raise ProofShape(place, f"{len(path)} hashes", f"{expected} hashes")
