"""What a judgement was given is what it judges by: times, places, names, positions."""

from collections.abc import Callable

import pytest
from refusals import assert_said

import signing
from signing import COSIGNATURE, ED25519, Checkpoint, PrivateKey, TrustRoot, VerifierKey
from signing.errors import CosignatureTime, KeyUnknown, KeyWeak

Maker = Callable[[str], PrivateKey]
IDENTITY = (1).to_bytes(32, "little")


def test_a_seal_from_the_future_is_refused_only_where_there_is_a_clock(
    key: Maker, root: TrustRoot
) -> None:
    """Without a time to compare with, any is taken; with one, up to that second."""
    body = Checkpoint(root.log, 8, bytes(32)).body()
    cosigned = [("w.example", signing.cosign(key("w"), "w.example", body, 500))]
    for now in (None, 500, 501):
        witnesses = signing.verify_cosignatures(root, body, cosigned, 7, now=now)
        assert [witness.name for witness in witnesses] == ["w.example"]
    with pytest.raises(CosignatureTime) as refused:
        signing.verify_cosignatures(root, body, cosigned, 7, now=499)
    assert refused.value.place == "cosignature of w.example"
    assert_said(refused.value)


def test_a_witness_without_a_name_is_unknown(root: TrustRoot) -> None:
    """The first name is compared with none before it."""
    with pytest.raises(KeyUnknown):
        signing.verify_cosignatures(root, b"", [("", bytes(76))], 7)


@pytest.mark.parametrize("kind", [ED25519, COSIGNATURE])
def test_a_weak_verifier_key_is_named_as_such(kind: int) -> None:
    """The part at fault is the key that was given as text."""
    with pytest.raises(KeyWeak) as refused:
        signing.parse_vkey(VerifierKey("a", kind, IDENTITY).text())
    assert refused.value.place == "verifier key"


def test_a_root_is_shown_by_log_version_and_digest(root: TrustRoot) -> None:
    """Twelve digits tell roots apart."""
    digest = root.digest.hex()[:12]
    assert repr(root) == f"TrustRoot('log.example/t', version=1, {digest}…)"


def test_a_new_root_keeps_what_it_was_given(root: TrustRoot) -> None:
    """Optional fields too."""
    document = root.document
    fields = {name: getattr(document, name) for name in document.__struct_fields__}
    del fields["type"]
    given = fields | {"expires": "2030-01-01T00:00:00.000000Z", "version": 7, "prev": bytes(32)}
    made = signing.new_root(**given)
    assert {name: getattr(made.document, name) for name in given} == given
    assert (made.log, made.version) == (root.log, 7)
