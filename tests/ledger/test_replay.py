"""Entries in order: what a replay accepts, keeps and can be asked for (CHAIN-1 to CHAIN-5)."""

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from bundle_claims import decided
from bundle_types import adopting, next_root
from bundle_vector import FREEZE, POLICY, ROW, lean
from forge import Draft, parsed
from hypothesis import given
from hypothesis import strategies as st

from canon import decode, encode, leaf_hash, root_of
from canon.digest import sha256
from canon.refusal import Refusal
from ledger.errors import ManifestState, TrustUnpinned
from ledger.lineage import Lineage
from ledger.replay import Replay
from signing.errors import TrustChain


def documents(draft: Draft) -> dict[bytes, bytes]:
    """Return the documents that a replay of a draft needs."""
    return dict(draft.documents)


def replay_of(draft: Draft, **more: Any) -> Replay:
    """Return a replay before the first entry of a draft."""
    found = documents(draft)
    return Replay(Lineage([draft.root], found.get), found.get, **more)


def take(replay: Replay, entries: Iterable[bytes]) -> None:
    """Take entries one by one."""
    for data in entries:
        replay.take(data)


def test_every_leaf_and_root_is_that_of_the_tree() -> None:
    """After each entry: one hash serves link and leaf (CHAIN-1)."""
    made = decided().made()
    replay = replay_of(decided(), keep=range(99))
    leaves: list[bytes] = []
    for seq, data in enumerate(made.entries):
        assert replay.root() == root_of(leaves)
        entered = replay.take(data)
        leaves.append(leaf_hash(data))
        assert entered.leaf == replay.leaf == replay.leaf_of(seq) == leaves[-1]
        assert replay.size == seq + 1
    assert replay.root() == root_of(leaves)
    assert replay.committed == 8  # four in the file, and why each decision was made
    assert replay.types["attempt.reported/1"] == 1


def test_a_leaf_that_was_not_kept_cannot_be_targeted() -> None:
    """In one pass the manifest says beforehand which leaves will be needed (BUNDLE-11)."""
    entries = decided().made().entries
    replay = replay_of(decided(), keep=(0,))
    with pytest.raises(ManifestState) as refused:
        take(replay, entries)
    assert refused.value.seq == FREEZE
    recalled = replay_of(decided(), recall=dict(enumerate(entries)).get)
    take(recalled, entries)
    assert recalled.slots_of(ROW) == ("record",)
    assert set(recalled.slots_of(FREEZE)) == {"reason"}


@pytest.mark.parametrize("seq", range(FREEZE + 1))
def test_a_fault_names_its_entry(seq: int) -> None:
    """Whatever is wrong with an entry, the refusal carries its number (CHAIN-5)."""
    entries = lean().made().entries
    wrong: Any = decode(entries[seq])
    for broken in (
        b"",
        entries[seq] + b"\0",
        encode({**wrong, "v": 2}),
        encode({**wrong, "seq": 99}),
    ):
        replay = replay_of(lean(), keep=range(9))
        for data in entries[:seq]:
            replay.take(data)
        with pytest.raises(Refusal) as refused:
            replay.take(broken)
        assert refused.value.seq == seq


def test_a_replay_says_in_which_step_it_refused() -> None:
    """The step of verifying is the replay's own account of what it was asking."""
    unlinked, unauthorised = lean(), lean()
    unlinked.rows[ROW].entry = lambda entry: entry.update(prev=bytes(32))
    unauthorised.rows[FREEZE].signers = ["cleo"]
    cases = {
        "canonical": [*ENTRIES[:ROW], ENTRIES[ROW] + b"\0"],
        "chain": unlinked.made().entries,
        "authority": unauthorised.made().entries,
    }
    for step, entries in cases.items():
        replay = replay_of(lean(), keep=range(9))
        with pytest.raises(Refusal):
            take(replay, entries)
        assert replay.step == step
    first = lean().root
    replay = Replay(Lineage([first], {}.get), {sha256(first): first}.get)
    with pytest.raises(Refusal):
        take(replay, ENTRIES)
    assert (replay.step, replay.size) == ("documents", POLICY)


def chains() -> Iterator[tuple[bytes, bytes, bytes]]:
    """Yield three trust roots, each the successor of the one before."""
    first = parsed(lean().root)
    second = next_root(first)
    third = next_root(second, version=3, prev=second.digest)
    yield first.data, second.data, third.data


def test_trust_goes_back_from_the_pinned_root() -> None:
    """Through roots that were given, or through documents; to version 1 (EVENT-31)."""
    for first, second, third in chains():
        found = {sha256(data): data for data in (first, second)}
        for given_roots, more in (([third], found), ([first, third, second], {}), ([first], {})):
            lineage = Lineage(given_roots, more.get)
            assert lineage.first == sha256(first)
            assert lineage.pinned.data == max(given_roots, key=lambda data: parsed(data).version)
            assert lineage.known(sha256(first)) is not None
            assert lineage.known(bytes(32)) is None
        for wrong in ([third], [third, first]):
            with pytest.raises(Refusal) as refused:
                Lineage(wrong, {}.get)
            assert refused.value.code == "E_DOCUMENT"
        with pytest.raises(TrustUnpinned):
            Lineage([], found.get)
        stranger = next_root(parsed(first), expires="2027-01-01T00:00:00.000000Z").data
        with pytest.raises(TrustChain):
            Lineage([third, stranger], found.get)
        skipping = next_root(parsed(first), version=3).data
        with pytest.raises(TrustChain):
            Lineage([skipping], found.get)


def test_an_adopted_root_is_in_force_from_the_next_entry() -> None:
    """The adoption itself is decided under the root before it (EVENT-32)."""
    second = next_root(parsed(lean().root))
    draft = adopting(second.data, "ben")
    replay = replay_of(draft, keep=range(99))
    for data in draft.made().entries[: FREEZE + 1]:
        assert replay.authority.root is None or replay.authority.root.version == 1
        replay.take(data)
    assert replay.authority.root is not None
    assert replay.authority.root.digest == second.digest


@given(st.binary(max_size=80), st.integers(0, FREEZE))
def test_no_bytes_crash_a_replay(data: bytes, seq: int) -> None:
    """Anything in the place of an entry is refused by a typed error that names it (EVENT-2)."""
    replay = replay_of(lean(), keep=range(9))
    take(replay, ENTRIES[:seq])
    with pytest.raises(Refusal) as refused:
        replay.take(data)
    assert refused.value.seq == seq


@given(st.data())
def test_no_value_in_a_field_crashes_a_replay(data: st.DataObject) -> None:
    """Any canonical value in any field of any entry: taken, or refused by number (EVENT-3)."""
    seq = data.draw(st.integers(0, FREEZE))
    entry: Any = decode(ENTRIES[seq])
    value = data.draw(VALUES)
    if data.draw(st.booleans()):
        entry[data.draw(st.sampled_from(sorted(entry)))] = value
    else:
        entry["body"][data.draw(st.sampled_from(sorted(entry["body"])))] = value
    replay = replay_of(lean(), keep=range(9))
    take(replay, ENTRIES[:seq])
    named = None
    try:
        replay.take(encode(entry))
    except Refusal as refusal:
        named = refusal.seq
    assert named in (None, seq, max(seq - 1, 0))


ENTRIES = lean().made().entries
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.binary(max_size=40)
    | st.text("abé/01-", max_size=40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=3), inner),
    max_leaves=5,
)
