"""Vectors for the hash envelope of an edition (SIGN-5 to SIGN-27)."""

from signing_cose import ALICE, DECISION_HEADERS, Headers, Vectors, decision, headers, no
from signing_fixtures import DECISION, MANIFEST, ORIGIN, SUBJECT, accept, envelope, flipped, key

from canon.digest import sha256
from signing import DECISION_TYPE, EDITION_TYPE, MANIFEST_TYPE, sign_edition

HASHED = sha256(MANIFEST)
_EDITION: Headers = {
    1: -19,
    2: [15, 258],
    4: ALICE.kid,
    15: {1: "Alice", 2: SUBJECT, 9: "publisher"},
    16: EDITION_TYPE,
    258: -16,
    259: MANIFEST_TYPE,
}


def edition(
    changed: Headers | None = None, without: int | None = None, payload: bytes | None = HASHED
) -> bytes:
    """Return Alice's envelope of the manifest with some protected headers *changed*."""
    return envelope(ALICE, headers(_EDITION, changed, without), payload)


def editions() -> Vectors:
    """Return vectors for signatures of an edition."""
    good = edition()
    maintainer = edition({15: {1: "Alice", 2: SUBJECT, 9: "maintainer"}})
    return [
        accept("publisher", "SIGN-23", "A hash envelope.", signatures=[good]),
        accept(
            "two-roles",
            "SIGN-26",
            "One key in two roles, ascending by (kid, role).",
            signatures=[maintainer, good],
        ),
        no("decision-offered", "SIGN-11", "E_TYPE", "A decision's envelope.", decision()),
        no(
            "decision-attached",
            "SIGN-11",
            "E_TYPE",
            "A decision's headers over the digest.",
            envelope(ALICE, DECISION_HEADERS, HASHED),
        ),
        no("crit-missing", "SIGN-12", "E_CRIT", "No crit.", edition(without=2)),
        no("crit-short", "SIGN-12", "E_CRIT", "258 not critical.", edition({2: [15]})),
        no("crit-twice", "SIGN-12", "E_CRIT", "258 twice.", edition({2: [15, 258, 258]})),
        no("crit-order", "SIGN-12", "E_CRIT", "Exchanged.", edition({2: [258, 15]})),
        no("crit-unknown", "SIGN-12", "E_CRIT", "99 too.", edition({2: [15, 258, 99], 99: 1})),
        no("location", "SIGN-13", "E_HEADER", "Label 260.", edition({260: "a place"})),
        no("hash-missing", "SIGN-13", "E_HEADER", "No label 258.", edition(without=258)),
        no("hash-sha-512", "SIGN-17", "E_HEADER", "Label 258 is -44.", edition({258: -44})),
        no(
            "claim-missing",
            "SIGN-17",
            "E_HEADER",
            "No role.",
            edition({15: {1: "Alice", 2: SUBJECT}}),
        ),
        no(
            "claim-more",
            "SIGN-17",
            "E_HEADER",
            "An expiry.",
            edition({15: {1: "Alice", 2: SUBJECT, 4: 9, 9: "publisher"}}),
        ),
        no(
            "claim-number",
            "SIGN-17",
            "E_HEADER",
            "A role in numbers.",
            edition({15: {1: "Alice", 2: SUBJECT, 9: 1}}),
        ),
        no("claims-no-map", "SIGN-17", "E_HEADER", "Text.", edition({15: "Alice"})),
        no("preimage-type", "SIGN-18", "E_TYPE", "A decision's.", edition({259: DECISION_TYPE})),
        no("payload-nil", "SIGN-19", "E_COSE", "nil.", edition(payload=None)),
        no("payload-short", "SIGN-19", "E_COSE", "31 bytes.", edition(payload=HASHED[:31])),
        no("payload-whole", "SIGN-19", "E_COSE", "The manifest.", edition(payload=MANIFEST)),
        *_edition_claims(good),
        no("not-ascending", "SIGN-26", "E_SIG_ORDER", "Exchanged.", good, maintainer),
        no("signer-twice", "SIGN-27", "E_THRESHOLD", "One key and role twice.", good, good),
    ]


def _edition_claims(good: bytes) -> Vectors:
    """Return vectors for what a well-formed edition signature says."""

    def claims(issuer: str, subject: str, role: str) -> bytes:
        return edition({15: {1: issuer, 2: subject, 9: role}})

    return [
        no(
            "stranger",
            "SIGN-20",
            "E_KEY_UNKNOWN",
            "A key that the trust root does not name.",
            sign_edition(
                key("mallory"), -19, MANIFEST, controller="Alice", subject=SUBJECT, role="publisher"
            ),
        ),
        no("alg-other", "SIGN-21", "E_ALG_KEY", "-8 by a key with -19.", edition({1: -8})),
        no("flipped", "SIGN-22", "E_SIG", "One bit of S.", flipped(good, -30)),
        no(
            "payload-changed",
            "SIGN-22",
            "E_SIG",
            "The digest of another manifest under the old signature.",
            good.replace(HASHED, sha256(DECISION)),
        ),
        no(
            "other-manifest",
            "SIGN-23",
            "E_ENTRY",
            "Alice's signature of another manifest.",
            edition(payload=sha256(DECISION)),
        ),
        no(
            "issuer",
            "SIGN-24",
            "E_CLAIM",
            "Alice signs as Bob.",
            claims("Bob", SUBJECT, "publisher"),
        ),
        no(
            "subject-edition",
            "SIGN-24",
            "E_CLAIM",
            "Another edition of this log.",
            claims("Alice", f"{ORIGIN}#2026.2", "publisher"),
        ),
        no(
            "subject-log",
            "SIGN-24",
            "E_CLAIM",
            "The same edition of another log.",
            claims("Alice", "log.example/two#2026.1", "publisher"),
        ),
        no(
            "role",
            "SIGN-25",
            "E_ROLE",
            "A publisher's key offered as an auditor's.",
            claims("Alice", SUBJECT, "auditor"),
        ),
    ]
