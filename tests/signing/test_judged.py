"""What a judgement was given is what it judges by: times, places, names, positions."""

from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from msgspec.structs import replace
from refusals import assert_said

import signing
from canon import decode, encode
from canon.refusal import Refusal
from signing import (
    COSIGNATURE,
    ED25519,
    Checkpoint,
    NoteSignature,
    PrivateKey,
    Role,
    RootKey,
    TrustRoot,
    VerifierKey,
)
from signing.cose import TAG
from signing.errors import (
    CosignatureTime,
    HeaderProfile,
    KeyUnknown,
    KeyWeak,
    NoAuthority,
    NoCheckpoint,
    NoteMalformed,
    PayloadType,
    PolicyUnsound,
    RootName,
    RootShape,
    SignatureInvalid,
    TrustChain,
)
from signing.trust import require_adopters

Maker = Callable[[str], PrivateKey]
ORDER = 2**252 + 27742317777372353535851937790883648493
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


@pytest.mark.parametrize("time", [0, 2**56, 2**62 + 1, 2**63 - 1])
def test_a_time_has_63_bits(key: Maker, time: int) -> None:
    """Every one of its eight bytes is signed, and the last second is a time like any other."""
    body = Checkpoint("log.example/t", 8, bytes(32)).body()
    cosignature = signing.cosign(key("w"), "w.example", body, time)
    public = key("w").public
    assert cosignature[4:12] == time.to_bytes(8, "big")
    assert signing.verify_cosignature(cosignature, body, "w.example", public) == time


def test_a_key_id_is_shown_whole(key: Maker) -> None:
    """Four bytes against four."""
    body = Checkpoint("log.example/t", 8, bytes(32)).body()
    with pytest.raises(KeyUnknown) as refused:
        signing.verify_checkpoint(bytes(68), body, "log.example/t", key("log").public)
    expected = signing.key_id("log.example/t", ED25519, key("log").public)
    assert (refused.value.got, refused.value.expected) == ("00000000", expected.hex())


@pytest.mark.parametrize(("name", "alg"), [("ann", -19), ("ben", -8)])
def test_claims_are_those_that_were_signed(
    key: Maker, root: TrustRoot, name: str, alg: int
) -> None:
    """Key, algorithm, controller, subject, role and digest."""
    role = {"ann": "publisher", "ben": "auditor"}[name]
    envelope = signing.sign_edition(
        key(name), alg, b"m", controller=name.title(), subject="log.example/t#1", role=role
    )
    claims = signing.verify_edition(envelope, b"m", root.lookup(0), subject="log.example/t#1")
    assert claims == signing.parse_edition(envelope)
    assert claims == signing.EditionSignature(
        kid=key(name).kid,
        alg=alg,
        controller=name.title(),
        subject="log.example/t#1",
        role=role,
        manifest_sha256=sha256(b"m").digest(),
    )


@pytest.mark.parametrize("time", [-1, 2**63])
def test_a_refused_time_is_said(key: Maker, time: int) -> None:
    """The number is what is wrong, and the place is the cosignature."""
    body = Checkpoint("log.example/t", 8, bytes(32)).body()
    with pytest.raises(CosignatureTime) as refused:
        signing.cosign(key("w"), "w.example", body, time)
    assert (refused.value.place, refused.value.got) == ("cosignature", f"time {time}")
    assert_said(refused.value)


@pytest.mark.parametrize("time", [1, 2**56, 2**62 + 1])
def test_a_cosignature_in_a_note_covers_its_whole_time(key: Maker, time: int) -> None:
    """Bytes 5 to 12 of the line, all eight."""
    body = Checkpoint("log.example/t", 8, bytes(32)).body()
    line = NoteSignature("w.example", signing.cosign(key("w"), "w.example", body, time))
    witness = VerifierKey("w.example", COSIGNATURE, key("w").public)
    opened = signing.open_note(signing.render_note(body, [line]), [witness])
    assert opened.verified == (line,)
    short = NoteSignature("w.example", line.data[:68])
    with pytest.raises(SignatureInvalid) as refused:
        signing.open_note(signing.render_note(body, [short]), [witness])
    assert (refused.value.place, refused.value.got) == ("signature of w.example", "68 bytes")
    assert_said(refused.value)


def test_only_the_origin_makes_a_checkpoint(key: Maker) -> None:
    """Neither another log's signature does, nor the origin's own cosignature (SIGN-41)."""
    body = Checkpoint("log.example/t", 8, bytes(32)).body()
    other = VerifierKey("log.example/u", ED25519, key("log").public)
    cosigner = VerifierKey("log.example/t", COSIGNATURE, key("log").public)
    log = VerifierKey("log.example/t", ED25519, key("log").public)
    lines = [
        NoteSignature(other.name, other.id + key("log").sign(body)),
        NoteSignature(cosigner.name, signing.cosign(key("log"), cosigner.name, body, 1)),
        NoteSignature(log.name, log.id + key("log").sign(body)),
    ]
    known = [other, cosigner, log]
    assert signing.open_checkpoint(signing.render_note(body, lines), known).size == 8
    for some in (lines[:1], lines[1:2], lines[:2]):
        with pytest.raises(NoCheckpoint):
            signing.open_checkpoint(signing.render_note(body, some), known)


def test_a_text_that_does_not_read_back_is_refused_as_one() -> None:
    """Without its newline, the end of a text would begin the signatures."""
    block = "text\n\n— b AAAAAAA=".encode()
    with pytest.raises(NoteMalformed) as refused:
        signing.render_note(block, [NoteSignature("a", bytes(5))])
    assert refused.value.place == "note"
    assert_said(refused.value)


def test_a_role_that_is_not_there_has_no_authority(key: Maker, root: TrustRoot) -> None:
    """The position is the place, the role is what was got."""
    with pytest.raises(NoAuthority) as refused:
        root.require([key("ann").kid], "nobody", 3)
    assert (refused.value.place, refused.value.got) == ("position 3", "role 'nobody'")
    assert_said(refused.value)


def test_a_holder_for_one_position_may_sign_the_adoption(key: Maker, root: TrustRoot) -> None:
    """The next root is asked at the position after, and at no other."""
    cal = RootKey(
        alg=-19,
        key=key("cal").public,
        controller="Cal",
        roles=("auditor", "publisher", "root"),
        start=6,
        end=7,
    )
    document = root.document
    fields = {name: getattr(document, name) for name in document.__struct_fields__}
    del fields["type"]
    successor = signing.new_root(**fields | {"version": 2, "prev": root.digest, "keys": [cal]})
    signers = [key("ann").kid, cal_id := key("cal").kid]
    assert signing.accept_successor(root, successor.data, signers, 5).key(cal_id) == cal
    for position in (4, 6):
        with pytest.raises(TrustChain):
            signing.accept_successor(root, successor.data, signers, position)


@pytest.mark.parametrize(
    ("names", "position"), [(["ann"], 5), (["ben"], 49), (["ann", "ben"], 5), (["ann", "x"], 50)]
)
def test_whoever_holds_role_root_may_adopt(
    key: Maker, root: TrustRoot, names: list[str], position: int
) -> None:
    """Whatever it is that they adopt; who else signed is not asked here."""
    require_adopters(root, [key(name).kid for name in names], position)


@pytest.mark.parametrize(("names", "position"), [([], 5), (["ben"], 50), (["x"], 5)])
def test_nobody_else_may_adopt(
    key: Maker, root: TrustRoot, names: list[str], position: int
) -> None:
    """The place is the next root, and which root in force is not satisfied."""
    with pytest.raises(TrustChain) as refused:
        require_adopters(root, [key(name).kid for name in names], position)
    place = f"trust root 2 at position {position}, by version 1"
    assert (refused.value.place, refused.value.got) == (place, "0 keys of 0 controllers")
    assert_said(refused.value)


def rebuilt(root: TrustRoot, **changed: Any) -> TrustRoot:
    """Make a root again with other fields."""
    document = root.document
    fields = {name: getattr(document, name) for name in document.__struct_fields__}
    del fields["type"]
    return signing.new_root(**fields | changed)


def test_a_role_that_nobody_holds_is_refused(root: TrustRoot) -> None:
    """A threshold of one takes one holder, and a quorum of one takes one witness (ROOT-16)."""
    roles = {**root.document.roles, "reviewer": Role(threshold=1, decides=())}
    with pytest.raises(PolicyUnsound) as refused:
        rebuilt(root, roles=roles)
    assert refused.value.place == "/roles/'reviewer'/threshold"
    assert (refused.value.got, refused.value.expected[:9]) == ("1", "at most 0")
    with pytest.raises(PolicyUnsound) as refused:
        rebuilt(root, witnesses=())
    assert refused.value.place == "/quorum"
    assert rebuilt(root, witnesses=(), quorum=0).document.quorum == 0


def test_a_misleading_name_is_found_wherever_it_stands(root: TrustRoot) -> None:
    """Roles, types, controllers, operators, and the roles of an edition (ROOT-5)."""
    keys, witnesses = root.document.keys, root.document.witnesses
    name = "a\u202eb"
    places: dict[str, dict[str, Any]] = {
        "/edition": {"edition": ["auditor", name]},
        "/roles": {"roles": {**root.document.roles, name: Role(threshold=1, decides=())}},
        "/roles/'auditor'/decides": {
            "roles": {**root.document.roles, "auditor": Role(threshold=1, decides=(name,))}
        },
        "/keys/0/controller": {"keys": [replace(keys[0], controller=name), *keys[1:]]},
        "/keys/0/roles": {"keys": [replace(keys[0], roles=(name,)), *keys[1:]]},
        "/witnesses/0/operator": {"witnesses": [replace(witnesses[0], operator=name)]},
    }
    for place, changed in places.items():
        with pytest.raises(RootName) as refused:
            rebuilt(root, **changed)
        assert (refused.value.place, refused.value.got) == (place, "'a\\u202eb'")


def test_a_header_is_shown_escaped(key: Maker) -> None:
    """A text cannot turn a message around on the screen."""
    for text, shown in (("a\u202eb", "'a\\u202eb'"), ("ä", "'\\xe4'")):
        protected = encode({1: -19, 4: key("ann").kid, 16: text})
        with pytest.raises(PayloadType) as refused:
            signing.parse_decision(TAG + encode([protected, {}, None, bytes(64)]))
        assert refused.value.got == shown


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (1, "labels 20"),
        (8, "labels 20, 21, 22, 23, 24, 25, 26, 27"),
        (9, "labels 20, 21, 22, 23, 24, 25, 26, 27, …"),
        (12, "labels 20, 21, 22, 23, 24, 25, 26, 27, …"),
    ],
)
def test_eight_labels_are_shown(count: int, shown: str) -> None:
    """And that there are more."""
    unprotected = dict.fromkeys(range(20, 20 + count))
    with pytest.raises(HeaderProfile) as refused:
        signing.parse_decision(TAG + encode([b"", unprotected, None, bytes(64)]))
    assert (refused.value.got, refused.value.expected) == (shown, "no headers")


def test_a_long_header_is_cut(key: Maker) -> None:
    """After 48 characters, of whatever kind it is."""
    protected = encode({1: -19, 4: key("ann").kid, 16: bytes(100)})
    with pytest.raises(PayloadType) as refused:
        signing.parse_decision(TAG + encode([protected, {}, None, bytes(64)]))
    assert refused.value.got == repr(bytes(100))[:48]


@pytest.mark.parametrize(("threshold", "allowed"), [(64, "at most 0"), (65, "1 to 64")])
def test_a_threshold_is_64_at_most(root: TrustRoot, threshold: int, allowed: str) -> None:
    """So many would do, if there were as many holders (ROOT-13)."""
    roles = {**root.document.roles, "reviewer": Role(threshold=threshold, decides=())}
    with pytest.raises(PolicyUnsound) as refused:
        rebuilt(root, roles=roles)
    assert refused.value.place == "/roles/'reviewer'/threshold"
    assert refused.value.expected.startswith(allowed)


@pytest.mark.parametrize("part", ["keys", "log_keys", "witnesses"])
def test_a_root_has_256_of_anything(root: TrustRoot, part: str) -> None:
    """One more is refused before any is looked at (ROOT-31)."""
    one = getattr(root.document, part)[0]
    with pytest.raises(Refusal) as refused:
        rebuilt(root, **{part: [one] * 257})
    assert (refused.value.code, refused.value.place) == ("E_LIMIT", f"/{part}")
    with pytest.raises(Refusal) as refused:
        rebuilt(root, **{part: [one] * 256})
    assert refused.value.code != "E_LIMIT"


def test_text_is_no_key(root: TrustRoot) -> None:
    """The library's own reader would take base64 for bytes (ROOT-2)."""
    document: Any = decode(root.data)
    document["log_keys"][0]["key"] = b64encode(document["log_keys"][0]["key"]).decode()
    with pytest.raises(RootShape):
        signing.parse_root(encode(document))


@pytest.mark.parametrize("s", [ORDER, ORDER + 1, 2**256 - 1])
def test_s_is_below_the_order(key: Maker, s: int) -> None:
    """It is asked before anything is computed (SIGN-4)."""
    signature = key("ann").sign(b"m")[:32] + s.to_bytes(32, "little")
    with pytest.raises(SignatureInvalid) as refused:
        signing.verify(key("ann").public, b"m", signature)
    assert refused.value.place == "signature, S"


def test_a_note_may_be_an_empty_line_with_a_hundred_signatures() -> None:
    """The least text, and the most lines; one more is too many (SIGN-30)."""
    lines = [NoteSignature(f"n{number}", bytes(5)) for number in range(100)]
    note = signing.parse_note(signing.render_note(b"\n", lines))
    assert (note.text, note.signatures) == (b"\n", tuple(lines))
    with pytest.raises(NoteMalformed) as refused:
        signing.render_note(b"\n", [*lines, lines[0]])
    assert refused.value.got == "101 signatures"


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
