"""Envelopes: what signing makes verifies, and nothing that differs by a byte does."""

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import signing
from canon.cbor import Encodable, encode
from canon.refusal import Refusal
from signing import PrivateKey, RootKey, TrustRoot
from signing.cose import TAG
from signing.errors import (
    AlgMismatch,
    HeaderProfile,
    KeyOutOfSpan,
    PayloadType,
    SignatureInvalid,
)

Maker = Callable[[str], PrivateKey]

DECISION = b"\xa1\x61v\x01"
MANIFEST = b"\xa1\x61v\x02"
SUBJECT = signing.edition_subject("log.example/t", "1")


@pytest.fixture(scope="session")
def decided(key: Maker) -> bytes:
    """Return Ann's envelope of a decision."""
    return signing.sign_decision(key("ann"), -19, DECISION)


@pytest.fixture(scope="session")
def published(key: Maker) -> bytes:
    """Return Ann's envelope of an edition."""
    return signing.sign_edition(
        key("ann"), -19, MANIFEST, controller="Ann", subject=SUBJECT, role="publisher"
    )


def test_a_decision_verifies_and_names_its_key(key: Maker, root: TrustRoot, decided: bytes) -> None:
    """Parsing and verifying give the same key id."""
    assert signing.parse_decision(decided) == key("ann").kid
    assert signing.verify_decision(decided, DECISION, root.lookup(0)) == key("ann").kid
    assert signing.verify_decisions([decided], DECISION, root.lookup(0)) == (key("ann").kid,)
    assert signing.verify_decisions([], DECISION, root.lookup(0)) == ()


def test_an_edition_verifies_and_gives_its_claims(
    key: Maker, root: TrustRoot, published: bytes
) -> None:
    """Parsed and verified claims are the same; only the latter are believed."""
    claims = signing.verify_edition(published, MANIFEST, root.lookup(0), subject=SUBJECT)
    assert claims == signing.parse_edition(published)
    assert (claims.controller, claims.role) == ("Ann", "publisher")
    assert claims.kid == key("ann").kid


def test_every_changed_byte_of_a_decision_signature_is_refused(
    root: TrustRoot, decided: bytes
) -> None:
    """Each byte, by a typed error."""
    lookup = root.lookup(0)
    for changed in _mutations(decided):
        with pytest.raises(Refusal):
            signing.verify_decision(changed, DECISION, lookup)


def test_every_flipped_bit_of_an_edition_signature_is_refused(
    root: TrustRoot, published: bytes
) -> None:
    """All 8 bits of each byte, by a typed error."""
    lookup = root.lookup(0)
    for index in range(len(published) * 8):
        byte = published[index // 8] ^ (1 << index % 8)
        changed = published[: index // 8] + bytes([byte]) + published[index // 8 + 1 :]
        with pytest.raises(Refusal):
            signing.verify_edition(changed, MANIFEST, lookup, subject=SUBJECT)


def _mutations(data: bytes) -> Iterator[bytes]:
    """Yield *data* with one byte changed: to all values, in the signature by all single bits."""
    for index, byte in enumerate(data):
        # A changed signature costs a verification each; what is before it stops in the parser.
        in_signature = index >= len(data) - 64
        for value in (byte ^ 1 << bit for bit in range(8)) if in_signature else range(256):
            if value != byte:
                yield data[:index] + bytes([value]) + data[index + 1 :]


@pytest.mark.parametrize("cut", [1, 30, 64, 120])
def test_a_cut_or_longer_envelope_is_refused(root: TrustRoot, decided: bytes, cut: int) -> None:
    """Bytes missing at the end, or more of them."""
    for data in (decided[:-cut], decided + bytes(cut)):
        with pytest.raises(Refusal):
            signing.verify_decision(data, DECISION, root.lookup(0))


def test_the_two_kinds_never_pass_for_each_other(
    root: TrustRoot, decided: bytes, published: bytes
) -> None:
    """Neither as it is, nor over the bytes that the other kind covers."""
    with pytest.raises(PayloadType):
        signing.verify_decision(published, MANIFEST, root.lookup(0))
    with pytest.raises(PayloadType):
        signing.verify_edition(decided, DECISION, root.lookup(0), subject=SUBJECT)


def test_the_algorithm_is_the_trust_roots(key: Maker, root: TrustRoot) -> None:
    """Ben's key is marked -8; -19 by it is refused, and -7 cannot be asked for."""
    for alg in (-8, -19):
        envelope = signing.sign_decision(key("ben"), alg, DECISION)
        if alg == -8:
            signing.verify_decision(envelope, DECISION, root.lookup(0))
        else:
            with pytest.raises(AlgMismatch):
                signing.verify_decision(envelope, DECISION, root.lookup(0))
    with pytest.raises(AlgMismatch):
        signing.sign_decision(key("ben"), -7, DECISION)


def test_a_key_counts_only_in_its_span(key: Maker, root: TrustRoot) -> None:
    """Ben's ends at 50."""
    envelope = signing.sign_decision(key("ben"), -8, DECISION)
    signing.verify_decision(envelope, DECISION, root.lookup(49))
    with pytest.raises(KeyOutOfSpan):
        signing.verify_decision(envelope, DECISION, root.lookup(50))


def test_the_key_of_the_lookup_is_used_and_no_other(key: Maker, root: TrustRoot) -> None:
    """A lookup that answers with another key makes the signature invalid."""

    def other(_: bytes) -> RootKey | None:
        return root.key(key("ann").kid)

    envelope = signing.sign_decision(key("mallory"), -19, DECISION)
    with pytest.raises(SignatureInvalid):
        signing.verify_decision(envelope, DECISION, other)


def test_a_refusal_says_where_in_the_envelope(decided: bytes) -> None:
    """The offset of a CBOR fault counts within the part that the place names."""
    with pytest.raises(Refusal) as refused:
        signing.parse_decision(decided[:-1])
    assert refused.value.code == "E_CBOR_TRUNCATED"
    assert refused.value.place.startswith("envelope")


def test_a_refusal_does_not_repeat_the_input(key: Maker) -> None:
    """A megabyte in a header makes a short message."""
    typ = encode({1: -19, 4: key("ann").kid, 16: "x" * 1_000_000})
    labels = encode(dict.fromkeys(range(64)))
    for protected in (typ, labels):
        with pytest.raises((PayloadType, HeaderProfile)) as refused:
            signing.parse_edition(TAG + encode([protected, {}, None, bytes(64)]))
        assert len(refused.value.message) < 1_000


@given(st.binary(max_size=200))
def test_random_bytes_are_refused(data: bytes) -> None:
    """Parsers of envelopes raise nothing but refusals, whatever follows the tag."""
    for envelope in (data, b"\xd2" + data, b"\xd2\x84" + data):
        for parse in (signing.parse_decision, signing.parse_edition):
            with pytest.raises(Refusal):
                parse(envelope)


SIMPLE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-30, 300)
    | st.binary(max_size=40)
    | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.integers(0, 300), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(
    st.dictionaries(st.sampled_from([1, 2, 3, 4, 15, 16, 258, 259]), SIMPLE),
    st.dictionaries(st.integers(0, 5), SIMPLE, max_size=1),
    SIMPLE,
)
def test_well_formed_envelopes_of_anything_are_refused(
    protected: dict[int, Encodable], unprotected: dict[int, Encodable], payload: Encodable
) -> None:
    """Any headers and payload in canonical form give a refusal, not a crash."""
    try:
        data = encode([encode(protected), unprotected, payload, bytes(64)])
    except Refusal:
        return
    for parse in (signing.parse_decision, signing.parse_edition):
        with pytest.raises(Refusal):
            parse(b"\xd2" + data)
