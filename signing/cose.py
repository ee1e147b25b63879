"""COSE_Sign1 envelopes, in two profiles and nothing else (``specs/signing.md``).

A *decision* is signed detached: the payload is nil and the signature covers the decision's bytes.
An *edition* is signed through an RFC 9995 hash envelope: the payload is SHA-256 of the manifest.
The content type in the protected headers keeps the two apart, because it is inside what is signed.

Tag 18 stands in front of the envelope and is handled here, since canonical bytes have no tags.
Nothing in an envelope is believed: key, algorithm, controller and roles come from the trust root,
which the caller reaches through a lookup by key id.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice, pairwise
from typing import cast

from msgspec import Struct

from canon.cbor import Value, decode, encode
from canon.digest import sha256
from canon.excerpt import excerpt
from canon.refusal import Refusal
from signing.errors import (
    AlgMismatch,
    AlgUnprotected,
    ClaimMismatch,
    CritHeader,
    EnvelopeShape,
    HeaderProfile,
    HeaderTwice,
    KeyUnknown,
    OtherArtifact,
    PayloadType,
    RoleMissing,
    SignatureOrder,
    ThresholdUnmet,
)
from signing.keys import PrivateKey, verify
from signing.root import ALG_ED25519, ALG_EDDSA, RootKey

DECISION_TYPE = "application/vnd.coldledger.decision+cbor"
EDITION_TYPE = "application/vnd.coldledger.edition+cose"
MANIFEST_TYPE = "application/vnd.coldledger.manifest+cbor"

TAG = b"\xd2"
"""Tag 18, COSE_Sign1, in its only head (RFC 9052 §4.2)."""

# Header labels: RFC 9052 §3.1; RFC 9597 (15); RFC 9596 (16); RFC 9995 (258, 259).
_ALG, _CRIT, _KID, _CLAIMS, _TYP, _HASH_ALG, _PREIMAGE_TYPE = 1, 2, 4, 15, 16, 258, 259
# CWT claims: RFC 8392 §4 (1, 2), RFC 8693 §4.2 (9).
_ISSUER, _SUBJECT, _ROLE = 1, 2, 9
_SHA_256 = -16
_EDITION_CRIT: list[Value] = [_CLAIMS, _HASH_ALG]

_DECISION_LABELS = frozenset({_ALG, _KID, _TYP})
_EDITION_LABELS = frozenset({_ALG, _CRIT, _KID, _CLAIMS, _TYP, _HASH_ALG, _PREIMAGE_TYPE})

Lookup = Callable[[bytes], RootKey | None]
"""From a key id (32 bytes) to the trust root's entry for it; None when there is none."""


class EditionSignature(Struct, frozen=True, kw_only=True):
    """What an edition signature says of itself; believed only from `verify_edition`.

    Attributes:
        kid: Thumbprint of the key, 32 bytes.
        alg: COSE algorithm, -19 or -8.
        controller: Who signs (claim ``iss``).
        subject: ``origin#edition`` (claim ``sub``).
        role: In which role (claim 9).
        manifest_sha256: SHA-256 of the manifest, 32 bytes.

    """

    kid: bytes
    alg: int
    controller: str
    subject: str
    role: str
    manifest_sha256: bytes


class _Envelope(Struct, frozen=True):
    """The parts of a COSE_Sign1 whose headers are all protected."""

    protected: bytes
    headers: dict[int, Value]
    payload: bytes | None
    signature: bytes

    def signed(self, payload: bytes) -> bytes:
        return sig_structure(self.protected, payload)


def sig_structure(protected: bytes, payload: bytes) -> bytes:
    """Return what the signature covers: Sig_structure with empty external_aad (RFC 9052 §4.4)."""
    return encode(["Signature1", protected, b"", payload])


def edition_subject(origin: str, edition: str) -> str:
    """Return the subject of an edition's signatures; *origin* contains no ``#``."""
    return f"{origin}#{edition}"


def sign_decision(key: PrivateKey, alg: int, decision: bytes) -> bytes:
    """Return the envelope of *key* over the canonical bytes of a decision.

    Args:
        key: Signs, and is named by its thumbprint.
        alg: The algorithm that the trust root gives for the key, -19 or -8.
        decision: Not part of the envelope: the payload is nil.

    """
    _check_alg(alg)
    protected = encode({_ALG: alg, _KID: key.kid, _TYP: DECISION_TYPE})
    signature = key.sign(sig_structure(protected, decision))
    return TAG + encode([protected, {}, None, signature])


def parse_decision(envelope: bytes) -> bytes:
    """Return the key id, 32 bytes, that a decision signature of the right form names."""
    return _kid(_open_decision(envelope))


def verify_decision(envelope: bytes, decision: bytes, lookup: Lookup) -> bytes:
    """Return the id of the key whose signature over *decision* this is, 32 bytes.

    Steps: 1 envelope and headers (SIGN-5 to SIGN-16), 2 key (SIGN-20), 3 algorithm (SIGN-21),
    4 signature (SIGN-22).
    """
    opened = _open_decision(envelope)
    key = _known(opened, lookup)
    verify(key.key, opened.signed(decision), opened.signature, "decision signature")
    return _kid(opened)


def verify_decisions(
    envelopes: Sequence[bytes], decision: bytes, lookup: Lookup
) -> tuple[bytes, ...]:
    """Return the ids of the keys that signed *decision*: all valid, ascending, each once.

    Whether they suffice is the trust root's question; see `signing.trust.TrustRoot.require`.
    """
    kids = tuple(verify_decision(envelope, decision, lookup) for envelope in envelopes)
    for index, (one, two) in enumerate(pairwise(kids)):
        _check_order((one, ""), (two, ""), f"decision signature {index + 1}")
    return kids


def sign_edition(
    key: PrivateKey, alg: int, manifest: bytes, *, controller: str, subject: str, role: str
) -> bytes:
    """Return the hash envelope of *key* over a manifest.

    Args:
        key: Signs, and is named by its thumbprint.
        alg: The algorithm that the trust root gives for the key, -19 or -8.
        manifest: Its SHA-256 is the payload.
        controller: The key's controller in the trust root.
        subject: See `edition_subject`.
        role: A role of the key in the trust root.

    """
    _check_alg(alg)
    protected = encode(
        {
            _ALG: alg,
            _CRIT: _EDITION_CRIT,
            _KID: key.kid,
            _CLAIMS: {_ISSUER: controller, _SUBJECT: subject, _ROLE: role},
            _TYP: EDITION_TYPE,
            _HASH_ALG: _SHA_256,
            _PREIMAGE_TYPE: MANIFEST_TYPE,
        }
    )
    payload = sha256(manifest)
    signature = key.sign(sig_structure(protected, payload))
    return TAG + encode([protected, {}, payload, signature])


def parse_edition(envelope: bytes) -> EditionSignature:
    """Return what an edition signature of the right form claims, nothing of it verified."""
    return _claims(_open_edition(envelope))


def verify_edition(
    envelope: bytes, manifest: bytes, lookup: Lookup, *, subject: str
) -> EditionSignature:
    """Return the claims of a valid edition signature over *manifest*.

    Steps: 1 envelope and headers (SIGN-5 to SIGN-19), 2 key (SIGN-20), 3 algorithm (SIGN-21),
    4 signature (SIGN-22), 5 manifest (SIGN-23), 6 controller and subject (SIGN-24), 7 role
    (SIGN-25).
    """
    opened = _open_edition(envelope)
    key = _known(opened, lookup)
    claims = _claims(opened)
    place = f"edition signature by {claims.kid.hex()[:12]}…"
    verify(key.key, opened.signed(claims.manifest_sha256), opened.signature, place)
    if claims.manifest_sha256 != sha256(manifest):
        raise OtherArtifact(
            place, f"manifest {claims.manifest_sha256.hex()}", sha256(manifest).hex()
        )
    if claims.controller != key.controller:
        raise ClaimMismatch(f"{place}, iss", excerpt(claims.controller), excerpt(key.controller))
    if claims.subject != subject:
        raise ClaimMismatch(f"{place}, sub", excerpt(claims.subject), excerpt(subject))
    if claims.role not in key.roles:
        raise RoleMissing(f"{place}, role", excerpt(claims.role), f"one of {', '.join(key.roles)}")
    return claims


def verify_editions(
    envelopes: Sequence[bytes], manifest: bytes, lookup: Lookup, *, subject: str
) -> tuple[EditionSignature, ...]:
    """Return the claims of all edition signatures: all valid, ascending by (kid, role).

    Whether they suffice is `signing.trust.TrustRoot.require_edition`'s question.
    """
    signed = tuple(
        verify_edition(envelope, manifest, lookup, subject=subject) for envelope in envelopes
    )
    for index, (one, two) in enumerate(pairwise(signed)):
        _check_order((one.kid, one.role), (two.kid, two.role), f"edition signature {index + 1}")
    return signed


def _open_decision(envelope: bytes) -> _Envelope:
    """Check everything about a decision's envelope that needs no key (SIGN-5 to SIGN-16)."""
    opened = _open(envelope)
    _check_headers(opened, DECISION_TYPE, None, _DECISION_LABELS)
    if opened.payload is not None:
        raise EnvelopeShape(
            "payload", f"{len(opened.payload)} bytes", "nil: decisions are detached"
        )
    return opened


def _open_edition(envelope: bytes) -> _Envelope:
    """Check everything about an edition's envelope that needs no key (SIGN-5 to SIGN-19)."""
    opened = _open(envelope)
    _check_headers(opened, EDITION_TYPE, _EDITION_CRIT, _EDITION_LABELS)
    headers = opened.headers
    if headers[_HASH_ALG] != _SHA_256:
        raise HeaderProfile("header 258", _shown(headers[_HASH_ALG]), "-16, SHA-256")
    claims = headers[_CLAIMS]
    if (
        not isinstance(claims, dict)
        or list(claims) != [_ISSUER, _SUBJECT, _ROLE]
        or not all(isinstance(claim, str) for claim in claims.values())
    ):
        raise HeaderProfile("header 15", "other claims", "a map of 1, 2 and 9 to text")
    if headers[_PREIMAGE_TYPE] != MANIFEST_TYPE:
        raise PayloadType("header 259", _shown(headers[_PREIMAGE_TYPE]), MANIFEST_TYPE)
    if opened.payload is None or len(opened.payload) != 32:
        got = "nil" if opened.payload is None else f"{len(opened.payload)} bytes"
        raise EnvelopeShape("payload", got, "32 bytes, SHA-256 of the manifest")
    return opened


def _open(envelope: bytes) -> _Envelope:
    """Take an envelope apart: the tag, the four parts, and the two buckets (SIGN-5 to SIGN-10)."""
    if envelope[:1] != TAG:
        got = envelope[:1].hex() or "nothing"
        raise EnvelopeShape("envelope", got, "d2, the tag of COSE_Sign1", offset=0)
    match _decoded(envelope[1:], "envelope"):
        case [
            bytes() as protected,
            dict() as unprotected,
            (bytes() | None) as payload,
            bytes() as signature,
        ] if len(signature) == 64:
            pass
        case _:
            raise EnvelopeShape(
                "envelope", "other parts", "[protected, {}, payload, signature of 64 bytes]"
            )
    # RFC 9052 §3 writes an empty map as an empty byte string; what it lacks is said later.
    headers = _decoded(protected, "protected headers") if protected else {}
    if not isinstance(headers, dict):
        raise EnvelopeShape("protected headers", "no map", "a map")
    for label in unprotected:
        if label in headers:
            raise HeaderTwice(f"header {label}", "in both buckets", "in the protected one only")
    if _ALG in unprotected:
        raise AlgUnprotected("unprotected headers", "label 1, alg", "no headers")
    if _CRIT in unprotected:
        raise CritHeader("unprotected headers", "label 2, crit", "no headers")
    if unprotected:
        raise HeaderProfile("unprotected headers", _labels(unprotected), "no headers")
    return _Envelope(protected, cast("dict[int, Value]", headers), payload, signature)


def _check_headers(
    opened: _Envelope, typ: str, crit: list[Value] | None, labels: frozenset[int]
) -> None:
    """Check the protected headers that both profiles have (SIGN-11 to SIGN-15).

    The type comes first, so that a signature offered for another purpose is called that.
    """
    headers = opened.headers
    if _TYP in headers and headers[_TYP] != typ:
        raise PayloadType("header 16", _shown(headers[_TYP]), typ)
    if headers.get(_CRIT) != crit or (crit is None and _CRIT in headers):
        got = _shown(headers[_CRIT]) if _CRIT in headers else "none"
        raise CritHeader("header 2, crit", got, "none" if crit is None else repr(crit))
    if headers.keys() != labels:
        raise HeaderProfile("protected headers", _labels(headers), _labels(sorted(labels)))
    _check_alg(headers[_ALG])
    kid = headers[_KID]
    if not isinstance(kid, bytes) or len(kid) != 32:
        raise HeaderProfile("header 4, kid", "another value", "32 bytes")


def _check_alg(alg: Value) -> None:
    """Refuse an algorithm that no key of a trust root can have (SIGN-14)."""
    if alg not in (ALG_ED25519, ALG_EDDSA):
        raise AlgMismatch("header 1, alg", _shown(alg), "-19, or -8 where the trust root says so")


def _known(opened: _Envelope, lookup: Lookup) -> RootKey:
    """Return the trust root's entry for the signer, whose algorithm must be the one used."""
    kid = _kid(opened)
    key = lookup(kid)
    if key is None:
        raise KeyUnknown("header 4, kid", kid.hex(), "a key of the trust root")
    if opened.headers[_ALG] != key.alg:
        raise AlgMismatch("header 1, alg", repr(opened.headers[_ALG]), f"{key.alg} for this key")
    return key


def _kid(opened: _Envelope) -> bytes:
    return cast("bytes", opened.headers[_KID])


def _claims(opened: _Envelope) -> EditionSignature:
    """Return the claims of an envelope that `_open_edition` checked."""
    claims = cast("dict[int, str]", opened.headers[_CLAIMS])
    return EditionSignature(
        kid=_kid(opened),
        alg=cast("int", opened.headers[_ALG]),
        controller=claims[_ISSUER],
        subject=claims[_SUBJECT],
        role=claims[_ROLE],
        manifest_sha256=cast("bytes", opened.payload),
    )


def _check_order(one: tuple[bytes, str], two: tuple[bytes, str], place: str) -> None:
    """Refuse neighbours that do not ascend (SIGN-26), or are the same signer (SIGN-27)."""
    if one < two:
        return
    if one == two:
        raise ThresholdUnmet(place, f"key {two[0].hex()[:12]}… again", "each signer once")
    raise SignatureOrder(place, f"key {two[0].hex()[:12]}…", "ascending key ids")


def _decoded(data: bytes, place: str) -> Value:
    """Decode canonical bytes, and say in which part a fault is."""
    try:
        return decode(data)
    except Refusal as refusal:
        raise type(refusal)(
            f"{place}, {refusal.place}", refusal.got, refusal.expected, offset=refusal.offset
        ) from refusal


def _labels(labels: Iterable[object]) -> str:
    """Return header labels for a message, the first eight."""
    first = [_shown(label) for label in islice(labels, 9)]
    return "labels " + ", ".join([*first[:8], "…"] if len(first) > 8 else first)


def _shown(value: object) -> str:
    """Return a header's value for a message, which never repeats an input at length."""
    return excerpt(value) if isinstance(value, str) else repr(value)[:48]
