"""Vectors for envelopes, on the example of a decision (SIGN-5 to SIGN-27)."""

from typing import Any

from signing_fixtures import (
    DECISION,
    SUBJECT,
    accept,
    envelope,
    flipped,
    key,
    refuse,
)

from canon.cbor import Encodable, encode
from signing import (
    DECISION_TYPE,
    EDITION_TYPE,
    sign_decision,
    sign_edition,
)
from signing.cose import TAG

ALICE, BOB, CAROL = key("alice"), key("bob"), key("carol")

Headers = dict[int, Encodable]
Vectors = list[dict[str, Any]]

DECISION_HEADERS: Headers = {1: -19, 4: ALICE.kid, 16: DECISION_TYPE}


def decision(changed: Headers | None = None, without: int | None = None) -> bytes:
    """Return Alice's envelope of the decision with some protected headers *changed*."""
    return envelope(ALICE, headers(DECISION_HEADERS, changed, without), None, covers=DECISION)


def decisions() -> Vectors:
    """Return vectors for signatures of a decision."""
    good = sign_decision(ALICE, -19, DECISION)
    pair = sorted((ALICE, BOB, CAROL), key=lambda signer: signer.kid)
    algs = {ALICE.kid: -19, BOB.kid: -19, CAROL.kid: -8}
    three = [sign_decision(signer, algs[signer.kid], DECISION) for signer in pair]
    return [
        accept("one-signer", "SIGN-22", "Algorithm -19.", signatures=[good]),
        accept("three-signers", "SIGN-26", "Ascending by key id, one with -8.", signatures=three),
        *_decision_bytes(good),
        *_unprotected(good),
        *_decision_headers(),
        *_decision_signatures(good),
        no("not-ascending", "SIGN-26", "E_SIG_ORDER", "Two exchanged.", three[1], three[0]),
        no("signer-twice", "SIGN-27", "E_THRESHOLD", "One key counted twice.", good, good),
        no(
            "key-revoked",
            "ROOT-20",
            "E_KEY_SPAN",
            "Erin's key was in force below 10.",
            sign_decision(key("erin"), -19, DECISION),
            position=10,
        ),
    ]


def _decision_bytes(good: bytes) -> Vectors:
    """Return vectors for the form of an envelope."""
    head, signature = encode(DECISION_HEADERS), good[-64:]
    sorted_last = b"\xa3" + encode(4) + encode(ALICE.kid) + encode(1) + encode(-19)
    sorted_last += encode(16) + encode(DECISION_TYPE)
    alg_twice = b"\xa4" + (encode(1) + encode(-19)) * 2 + head[3:]
    shape, canonical = ("SIGN-5", "E_COSE"), "SIGN-6"
    return [
        no("empty", *shape, "No bytes.", b""),
        no("untagged", *shape, "Without tag 18.", good[1:]),
        no("tag-98", *shape, "The tag of COSE_Sign.", b"\xd8\x62" + good[1:]),
        no("tag-long", *shape, "Tag 18 in a longer head.", b"\xd8\x12" + good[1:]),
        no("three-parts", *shape, "No signature.", TAG + encode([head, {}, None])),
        no(
            "headers-not-wrapped",
            *shape,
            "A bare map.",
            _raw(DECISION_HEADERS, {}, None, signature),
        ),
        no("headers-no-map", *shape, "A wrapped list.", _raw(encode([1]), {}, None, signature)),
        no("unprotected-no-map", *shape, "A list.", _raw(head, [], None, signature)),
        no("payload-text", *shape, "Text as payload.", _raw(head, {}, "nil", signature)),
        no("signature-short", *shape, "63 bytes.", _raw(head, {}, None, signature[:63])),
        no("tag-twice", canonical, "E_CBOR_TAG", "A tag in a tag.", TAG + good),
        no("trailing", canonical, "E_TRAILING", "One more byte.", good + b"\x00"),
        no("truncated", canonical, "E_CBOR_TRUNCATED", "One byte less.", good[:-1]),
        no(
            "long-head",
            canonical,
            "E_CBOR_HEAD",
            "The array's length in two bytes.",
            TAG + b"\x98\x04" + good[2:],
        ),
        no(
            "labels-unsorted",
            canonical,
            "E_CBOR_KEY_ORDER",
            "kid before alg in the protected map.",
            envelope(ALICE, sorted_last, None, covers=DECISION),
        ),
        no(
            "alg-twice",
            canonical,
            "E_CBOR_KEY_DUPLICATE",
            "Label 1 twice in the protected map.",
            envelope(ALICE, alg_twice, None, covers=DECISION),
        ),
        no(
            "headers-trailing",
            canonical,
            "E_TRAILING",
            "A byte after the protected map.",
            envelope(ALICE, head + b"\x00", None, covers=DECISION),
        ),
    ]


def _unprotected(good: bytes) -> Vectors:
    """Return vectors for the unprotected bucket, which nobody signs."""
    head, signature = encode(DECISION_HEADERS), good[-64:]

    def beside(unprotected: Headers) -> bytes:
        return _raw(head, dict(unprotected), None, signature)

    without_alg = headers(DECISION_HEADERS, None, 1)
    return [
        no("kid-in-both", "SIGN-7", "E_HEADER_DUP", "Equal values.", beside({4: ALICE.kid})),
        no("alg-in-both", "SIGN-7", "E_HEADER_DUP", "Other values.", beside({1: -8})),
        no(
            "alg-unprotected",
            "SIGN-8",
            "E_ALG_UNPROTECTED",
            "alg only where anyone can change it.",
            envelope(ALICE, without_alg, None, covers=DECISION, unprotected={1: -19}),
        ),
        no(
            "alg-unprotected-only",
            "SIGN-8",
            "E_ALG_UNPROTECTED",
            "The protected map is the empty byte string, as RFC 9052 writes it.",
            envelope(ALICE, b"", None, covers=DECISION, unprotected={1: -19, 4: ALICE.kid}),
        ),
        no("crit-unprotected", "SIGN-9", "E_CRIT", "crit outside.", beside({2: [16]})),
        no("unprotected", "SIGN-10", "E_HEADER", "A harmless header.", beside({33: b"x"})),
        no(
            "kid-unprotected",
            "SIGN-10",
            "E_HEADER",
            "kid where most COSE signers put it.",
            envelope(
                ALICE,
                headers(DECISION_HEADERS, None, 4),
                None,
                covers=DECISION,
                unprotected={4: ALICE.kid},
            ),
        ),
    ]


def _decision_headers() -> Vectors:
    """Return vectors for the protected headers of a decision."""
    offered = sign_edition(
        ALICE, -19, DECISION, controller="Alice", subject=SUBJECT, role="publisher"
    )
    text_labels = envelope(ALICE, encode({"alg": -19}), None, covers=DECISION)
    return [
        no("edition-offered", "SIGN-11", "E_TYPE", "An edition's envelope.", offered),
        no("typ-edition", "SIGN-11", "E_TYPE", "Its type only.", decision({16: EDITION_TYPE})),
        no("typ-number", "SIGN-11", "E_TYPE", "A CoAP number.", decision({16: 60})),
        no("crit", "SIGN-12", "E_CRIT", "crit lists typ.", decision({2: [16]})),
        no("crit-unknown", "SIGN-12", "E_CRIT", "crit of 99.", decision({2: [99], 99: 1})),
        no("crit-empty", "SIGN-12", "E_CRIT", "An empty list.", decision({2: []})),
        no("crit-nil", "SIGN-12", "E_CRIT", "nil.", decision({2: None})),
        no("typ-missing", "SIGN-13", "E_HEADER", "No type.", decision(without=16)),
        no("kid-missing", "SIGN-13", "E_HEADER", "No key id.", decision(without=4)),
        no("alg-missing", "SIGN-13", "E_HEADER", "No algorithm.", decision(without=1)),
        no("label-unknown", "SIGN-13", "E_HEADER", "Label 3.", decision({3: "text/plain"})),
        no("labels-text", "SIGN-13", "E_HEADER", "Labels in words.", text_labels),
        no("alg-ecdsa", "SIGN-14", "E_ALG_KEY", "ES256.", decision({1: -7})),
        no("alg-text", "SIGN-14", "E_ALG_KEY", "A name.", decision({1: "Ed25519"})),
        no("kid-short", "SIGN-15", "E_HEADER", "8 bytes.", decision({4: ALICE.kid[:8]})),
        no("kid-text", "SIGN-15", "E_HEADER", "Hex.", decision({4: ALICE.kid.hex()})),
        no(
            "payload-attached",
            "SIGN-16",
            "E_COSE",
            "The decision inside its envelope.",
            envelope(ALICE, DECISION_HEADERS, DECISION),
        ),
    ]


def _decision_signatures(good: bytes) -> Vectors:
    """Return vectors for key, algorithm and signature."""
    head = encode(DECISION_HEADERS)
    aad = encode(["Signature1", head, b"x", DECISION])
    multi = encode(["Signature", head, b"", DECISION])
    return [
        no(
            "stranger",
            "SIGN-20",
            "E_KEY_UNKNOWN",
            "A key that the trust root does not name.",
            sign_decision(key("mallory"), -19, DECISION),
        ),
        no(
            "alg-other",
            "SIGN-21",
            "E_ALG_KEY",
            "-8 by a key with -19.",
            sign_decision(ALICE, -8, DECISION),
        ),
        no(
            "alg-other-way",
            "SIGN-21",
            "E_ALG_KEY",
            "-19 by a key with -8.",
            sign_decision(CAROL, -19, DECISION),
        ),
        no(
            "kid-of-another",
            "SIGN-22",
            "E_SIG",
            "Mallory signs and names Alice.",
            envelope(key("mallory"), DECISION_HEADERS, None, covers=DECISION),
        ),
        no(
            "other-decision",
            "SIGN-22",
            "E_SIG",
            "Alice's signature of another decision.",
            sign_decision(ALICE, -19, flipped(DECISION, 60)),
        ),
        no("flipped", "SIGN-22", "E_SIG", "One bit of S.", flipped(good, -30)),
        no("with-aad", "SIGN-22", "E_SIG", "external_aad.", _signed(head, aad)),
        no("other-context", "SIGN-22", "E_SIG", "As COSE_Sign.", _signed(head, multi)),
        no("bare", "SIGN-22", "E_SIG", "Without Sig_structure.", _signed(head, DECISION)),
    ]


def no(
    name: str, clause: str, code: str, comment: str, *signatures: bytes, **inputs: object
) -> dict[str, Any]:
    """Return a vector of signatures that must be refused with *code*."""
    return refuse(name, clause, code, comment, signatures=list(signatures), **inputs)


def headers(start: Headers, changed: Headers | None, without: int | None) -> Headers:
    """Return a header map with some labels changed, and one left out."""
    merged = start | (changed or {})
    return {label: value for label, value in merged.items() if label != without}


def _raw(*parts: Encodable) -> bytes:
    """Return an envelope of any parts, nothing signed anew."""
    return TAG + encode(list(parts))


def _signed(head: bytes, covered: bytes) -> bytes:
    """Return Alice's envelope whose signature covers other bytes than the Sig_structure."""
    return _raw(head, {}, None, ALICE.sign(covered))
