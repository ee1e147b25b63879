"""The trust root: making one, who may do what, and what a hostile document cannot do."""

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import signing
from canon.cbor import decode, encode
from canon.errors import Limit, Trailing
from canon.refusal import Refusal
from signing import LogKey, PrivateKey, Role, RootKey, TrustRoot, Witness
from signing.errors import (
    KeyUnknown,
    LogKeySpan,
    NoAuthority,
    QuorumUnmet,
    RoleMissing,
    ThresholdUnmet,
    TrustChain,
)

Maker = Callable[[str], PrivateKey]

FULL = Path(__file__).resolve().parents[2] / "specs" / "vectors" / "signing" / "decision.json"


def _full() -> bytes:
    return bytes.fromhex(json.loads(FULL.read_text(encoding="utf-8"))["common"]["root_hex"])


def test_a_root_is_its_file(root: TrustRoot) -> None:
    """Bytes, digest and document agree, and reading the bytes gives them again."""
    data = signing.root_bytes(root)
    again = signing.parse_root(data)
    assert again.data == root.data == data
    assert again.document == root.document
    assert root.digest == hashlib.sha256(data).digest()
    assert (again.log, again.version) == ("log.example/t", 1)


def test_a_new_root_sorts_what_it_is_given(key: Maker, root: TrustRoot) -> None:
    """The same parts in another order make the same bytes."""
    document = root.document
    turned = signing.new_root(
        log=document.log,
        keys=document.keys[::-1],
        roles=dict(reversed(document.roles.items())),
        edition=document.edition[::-1],
        log_keys=document.log_keys,
        witnesses=document.witnesses[::-1],
        quorum=document.quorum,
    )
    assert turned.data == root.data


def test_a_root_knows_its_keys_and_roles(key: Maker, root: TrustRoot) -> None:
    """Keys by id, roles by event type, holders by position."""
    ann, ben = root.key(key("ann").kid), root.key(key("ben").kid)
    assert ann is not None
    assert ben is not None
    assert root.key(bytes(32)) is None
    assert root.role_of("edition.frozen/1") == "publisher"
    assert root.role_of("edition.frozen/2") is None
    assert set(root.holders("root", 49)) == {ann, ben}
    assert root.holders("root", 50) == (ann,)
    assert root.holders("nobody", 0) == ()
    assert root.log_key_at(10**9) == key("log").public
    assert root.lookup(0)(bytes(32)) is None
    assert "log.example/t" in repr(root)


def test_authority_is_role_and_threshold(key: Maker, root: TrustRoot) -> None:
    """The type gives the role; every signer must hold it, and enough must sign."""
    ann, ben = key("ann").kid, key("ben").kid
    assert root.authorise("edition.frozen/1", [ann], 0) == "publisher"
    for refusal, wire, signers in (
        (NoAuthority, "unheard.of/1", [ann]),
        (RoleMissing, "edition.frozen/1", [ann, ben]),
        (ThresholdUnmet, "edition.frozen/1", []),
        (KeyUnknown, "edition.frozen/1", [bytes(32)]),
    ):
        with pytest.raises(refusal):
            root.authorise(wire, signers, 0)
    with pytest.raises(NoAuthority):
        root.require([ann], "nobody", 0)


def test_an_edition_needs_each_role_that_the_root_names(key: Maker, root: TrustRoot) -> None:
    """A role that signed does not stand in for another, nor a signature under another role."""
    ann, ben = key("ann").kid, key("ben").kid
    root.require_edition([("publisher", ann), ("auditor", ben)], 0)
    with pytest.raises(ThresholdUnmet):
        root.require_edition([("publisher", ann)], 0)
    with pytest.raises(RoleMissing):
        root.require_edition([("publisher", ann), ("auditor", ann)], 0)


def test_a_seal_is_judged_by_the_root(key: Maker, root: TrustRoot) -> None:
    """Log key and witnesses are the root's; without a cosignature the quorum is unmet."""
    body = signing.Checkpoint(root.log, 8, bytes(32)).body()
    signature = signing.sign_checkpoint(key("log"), root.log, body)
    assert signing.verify_log_signature(root, body, signature, 7).size == 8
    cosigned = [("w.example", signing.cosign(key("w"), "w.example", body, 5))]
    witnesses = signing.verify_cosignatures(root, body, cosigned, 7)
    assert [witness.operator for witness in witnesses] == ["W"]
    with pytest.raises(QuorumUnmet):
        signing.verify_cosignatures(root, body, [], 7)


def test_log_keys_may_leave_a_gap(key: Maker) -> None:
    """At a position without a log key nothing can be sealed, and that is said."""
    one = RootKey(
        alg=-19, key=key("ann").public, controller="Ann", roles=("root",), start=0, end=None
    )
    root = signing.new_root(
        log="log.example/t",
        keys=[one],
        roles={"root": Role(threshold=1, decides=())},
        edition=["root"],
        log_keys=[
            LogKey(key=key("second").public, start=20, end=None),
            LogKey(key=key("first").public, start=0, end=10),
        ],
    )
    assert root.log_key_at(9) == key("first").public
    assert root.log_key_at(20) == key("second").public
    for position in (10, 19):
        with pytest.raises(LogKeySpan):
            root.log_key_at(position)


def test_expiry_bounds_freshness_only(root: TrustRoot) -> None:
    """A root without an expiry stays fresh; with one, until that microsecond."""
    assert not root.expired("9999-12-31T23:59:59.999999Z")
    dated = signing.parse_root(_full())
    assert not dated.expired("2035-12-31T23:59:59.999999Z")
    assert dated.expired("2036-01-01T00:00:00.000000Z")


def _next(root: TrustRoot, **fields: Any) -> TrustRoot:
    document = root.document
    parts = {name: getattr(document, name) for name in document.__struct_fields__ if name != "type"}
    return signing.new_root(
        **parts | {"version": document.version + 1, "prev": root.digest} | fields
    )


def test_a_successor_is_signed_by_both(key: Maker, root: TrustRoot) -> None:
    """Cal takes over from Ann: one of each must sign, at the positions where they are in force."""
    cal = RootKey(
        alg=-19,
        key=key("cal").public,
        controller="Cal",
        roles=("auditor", "publisher", "root"),
        start=6,
        end=None,
    )
    successor = _next(root, keys=[cal])
    ann, mine = key("ann").kid, key("cal").kid
    accepted = signing.accept_successor(root, successor.data, [ann, mine], 5)
    assert accepted.digest == successor.digest
    assert signing.parse_successor(root, successor.data).version == 2
    lookup = signing.successor_lookup(root, successor, 5)
    assert lookup(ann) == root.key(ann)
    assert lookup(mine) == cal
    assert lookup(bytes(32)) is None
    assert signing.successor_lookup(root, successor, 4)(mine) is None
    for signers, position in (([ann], 5), ([mine], 5), ([ann, mine], 4), ([], 5)):
        with pytest.raises(TrustChain):
            signing.accept_successor(root, successor.data, signers, position)


def test_a_chain_of_roots_cannot_skip_or_turn_back(root: TrustRoot) -> None:
    """Only the next version follows, and only under its predecessor's digest."""
    second = _next(root, expires="2030-01-01T00:00:00.000000Z")
    third = _next(second)
    assert signing.parse_successor(second, third.data).version == 3
    for current, data in (
        (root, third.data),
        (second, second.data),
        (third, second.data),
        (second, _next(root, version=3).data),
        (root, _next(root, log="log.example/u").data),
    ):
        with pytest.raises(TrustChain):
            signing.parse_successor(current, data)


JUNK: list[Any] = [
    None, True, False, 0, -1, 2**63 - 1, -(2**63), b"", bytes(32), b"\x01" + bytes(31),
    "", "root", "ä", [], [None], [[]], [{}], {}, {"a": 1}, {1: 2}, [1, "root"], ["root", "root"],
]  # fmt: skip


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict):
        items: Iterable[tuple[Any, Any]] = value.items()
    else:
        items = enumerate(value if isinstance(value, list) else ())
    for name, inner in items:
        yield from _places(inner, (*path, name))


def _replaced(value: Any, path: tuple[Any, ...], junk: Any) -> Any:
    if not path:
        return junk
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _replaced(copy[path[0]], path[1:], junk)
    return copy


def test_junk_anywhere_in_a_root_is_read_or_refused() -> None:
    """Each value of the document replaced by values of every kind: no other exception."""
    document: Any = decode(_full())
    tried, refused, codes = 0, 0, set()
    for path in _places(document):
        for junk in JUNK:
            tried += 1
            try:
                signing.parse_root(encode(_replaced(document, path, junk)))
            except Refusal as refusal:
                codes.add(refusal.code)
                refused += 1
    assert codes >= {"E_ROOT_SHAPE", "E_ROOT_NAME", "E_KEY_WEAK", "E_POLICY"}
    assert tried > 2_000
    assert refused > tried * 0.9


def test_a_flipped_bit_of_a_root_makes_another_root_or_is_refused() -> None:
    """One root has one encoding; every thirteenth bit, so each bit of a byte has its turn."""
    data = _full()
    good = signing.parse_root(data)
    for bit in range(0, len(data) * 8, 13):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        try:
            other = signing.parse_root(bytes(changed))
        except Refusal:
            continue
        assert other.document != good.document
        assert other.digest != good.digest


@given(st.binary(max_size=300))
def test_random_bytes_are_refused(data: bytes) -> None:
    """The parser raises nothing but refusals."""
    for root in (data, b"\xab" + data):
        with pytest.raises(Refusal):
            signing.parse_root(root)


def test_reach_is_counted_at_one_position(key: Maker, root: TrustRoot) -> None:
    """Keys that take turns never sign together; those that meet once can."""

    def holders(end: int) -> list[RootKey]:
        spans = (("ann", "Ann", 0, end), ("cal", "Cal", 10, None), ("dot", "Ann", 10, None))
        return [
            RootKey(
                alg=-19, key=key(name).public, controller=controller, roles=("root",),
                start=start, end=stop,
            )
            for name, controller, start, stop in spans
        ]  # fmt: skip

    roles = {"root": Role(threshold=2, decides=())}
    fields = {"roles": roles, "edition": ["root"], "witnesses": [], "quorum": 0}
    assert _next(root, keys=holders(10)[1:], **fields).version == 2
    assert _next(root, keys=holders(11)[:2], **fields).version == 2
    with pytest.raises(signing.errors.PolicyUnsound):
        _next(root, keys=holders(10)[:2], **fields)
    with pytest.raises(signing.errors.PolicyUnsound):
        _next(root, keys=holders(11)[::2], **fields)


def test_two_keys_of_a_witness_take_turns(key: Maker, root: TrustRoot) -> None:
    """The key id says which of a witness's keys signed."""
    witnesses = [
        Witness(name="w.example", key=key(name).public, operator="W", start=start, end=end)
        for name, start, end in (("w", 0, 10), ("w again", 10, None))
    ]
    turned = _next(root, witnesses=witnesses)
    body = signing.Checkpoint(root.log, 21, bytes(32)).body()
    later = [("w.example", signing.cosign(key("w again"), "w.example", body, 5))]
    earlier = [("w.example", signing.cosign(key("w"), "w.example", body, 5))]
    assert len(signing.verify_cosignatures(turned, body, later, 20)) == 1
    with pytest.raises(signing.errors.KeyOutOfSpan):
        signing.verify_cosignatures(turned, body, earlier, 20)


def test_the_documents_struct_is_the_wire(root: TrustRoot) -> None:
    """Field names and values of the struct are those of the bytes, `from` and `to` included."""
    plain = msgspec.to_builtins(root.document, builtin_types=(bytes,))
    assert encode(plain) == root.data
    wire: Any = decode(root.data)
    assert set(wire["keys"][0]) == {"alg", "key", "controller", "roles", "from", "to"}


def test_a_document_has_a_limit_that_is_looked_at_first() -> None:
    """A mebibyte of anything is read, one byte more is not (ROOT-30)."""
    for data, refusal in ((b"\x80" * 2**20, Trailing), (b"\x80" * (2**20 + 1), Limit)):
        with pytest.raises(refusal):
            signing.parse_root(data)


def test_many_roles_and_keys_are_read_at_once(key: Maker) -> None:
    """256 roles, which 256 keys all hold, take no longer than the keys do (ROOT-31)."""
    names = sorted(["root", *(f"role-{number:03}" for number in range(255))])
    keys = [
        RootKey(
            alg=-19,
            key=key(f"{n}").public,
            controller=f"{n}",
            roles=tuple(names),
            start=0,
            end=None,
        )
        for n in range(256)
    ]
    roles = {name: Role(threshold=64, decides=()) for name in names}
    begun = time.process_time()
    signing.new_root(
        log="log.example/many",
        keys=keys,
        roles=roles,
        edition=["root"],
        log_keys=[LogKey(key=key("log").public, start=0, end=None)],
    )
    assert time.process_time() - begun < 5
