"""Vectors for trust roots: document, authority, seals, succession (ROOT-1 to ROOT-31)."""

from typing import Any

from signing_fixtures import (
    ROOT,
    accept,
    by_kid,
    changed,
    holder,
    key,
    log_key,
    refuse,
    root,
    witness,
)
from signing_notes import BODY, COLLIDING, TIME

from canon.cbor import encode
from canon.digest import sha256
from signing import PrivateKey, cosign
from signing.keys import P

Vectors = list[dict[str, Any]]

CORRECTION = "correction.issued/1"


def documents() -> Vectors:
    """Return vectors for the trust root's document."""
    first = root()["keys"][0]
    return [
        accept("full", "ROOT-2", "With every part in use.", root=ROOT),
        accept(
            "one-person",
            "ROOT-16",
            "One key with every role, threshold 1, no witnesses.",
            root=encode(_one_person()),
        ),
        *_documents_bytes(),
        *_documents_shape(),
        *_documents_counts(),
        *_documents_fields(),
        *_documents_keys(first),
        *_documents_order(),
        *_documents_policy(),
    ]


def _one_person(**fields: Any) -> dict[str, Any]:
    names = ("publisher", "root")
    one = {name: {"threshold": 1, "decides": []} for name in names}
    return root(
        keys=[holder("alice", "Alice", names)],
        roles=one,
        edition=["publisher"],
        witnesses=[],
        quorum=0,
        **fields,
    )


def _documents_bytes() -> Vectors:
    canonical = "ROOT-1"
    pairs = [encode(name) + encode(value) for name, value in root().items()]
    unsorted = bytes([0xA0 + len(pairs)]) + b"".join(pairs)
    return [
        refuse("trailing", canonical, "E_TRAILING", "A newline.", root=ROOT + b"\n"),
        refuse("truncated", canonical, "E_CBOR_TRUNCATED", "Cut.", root=ROOT[:-1]),
        refuse("empty", canonical, "E_CBOR_TRUNCATED", "No bytes.", root=b""),
        refuse("unsorted", canonical, "E_CBOR_KEY_ORDER", "type first.", root=unsorted),
        refuse("json", canonical, "E_CBOR_TRUNCATED", "Another format.", root=b"{}"),
    ]


def _documents_shape() -> Vectors:
    def shape(name: str, comment: str, path: str, value: object) -> dict[str, Any]:
        return _bad(name, "ROOT-2", "E_ROOT_SHAPE", comment, path, value)

    return [
        refuse("array", "ROOT-2", "E_ROOT_SHAPE", "A list.", root=encode([])),
        refuse("labels", "ROOT-2", "E_ROOT_SHAPE", "Numbers as keys.", root=encode({1: 2})),
        shape("other-type", "The next format.", "/type", "coldledger/trust-root/2"),
        shape("no-type", "No type.", "/type", ...),
        shape("no-quorum", "A field missing.", "/quorum", ...),
        shape("more", "A field that the format does not have.", "/comment", "hello"),
        shape("key-more", "A field more in a key.", "/keys/0/comment", "hello"),
        shape("keys-empty", "No keys.", "/keys", []),
        shape("keys-map", "A map for a list.", "/keys", {}),
        shape("keys-nil", "nil for a list.", "/keys", None),
        shape("key-text", "A key in hex.", "/keys/0/key", "00" * 16),
        shape("key-short", "31 bytes.", "/keys/0/key", bytes(31)),
        shape("alg-ecdsa", "ES256.", "/keys/0/alg", -7),
        shape("from-negative", "From -1.", "/keys/0/from", -1),
        shape("from-true", "A truth value for a number.", "/keys/0/from", True),
        shape("no-to", "An open span without its nil.", "/keys/0/to", ...),
        shape("roles-empty", "A key without roles.", "/keys/0/roles", []),
        shape("threshold-text", "A number in words.", "/roles/root/threshold", "two"),
        shape("prev-short", "31 bytes.", "/prev", bytes(31)),
        shape("edition-empty", "Nobody need have signed.", "/edition", []),
        shape("log-keys-empty", "No log key.", "/log_keys", []),
        shape("quorum-negative", "Quorum -1.", "/quorum", -1),
    ]


def _documents_counts() -> Vectors:
    """Return vectors of lists that are too long."""
    words = [f"type-{number:03}/1" for number in range(257)]
    roles = root()["roles"]
    many = {**roles, **{word: {"threshold": 1, "decides": []} for word in words}}
    limit = ("ROOT-31", "E_LIMIT")
    return [
        _bad("roles-257", *limit, "More than 256 roles.", "/roles", many),
        _bad("decides-257", *limit, "257 types.", "/roles/root/decides", words),
        _bad("key-roles-257", *limit, "257 roles of one key.", "/keys/0/roles", words),
        _bad("edition-257", *limit, "257 roles must have signed.", "/edition", words),
        accept("decides-256", "ROOT-31", "256 types.",
               root=encode(changed("/roles/auditor/decides", words[:256]))),
    ]  # fmt: skip


def _documents_fields() -> Vectors:
    mark, e = "a‮b", "E_ROOT_NAME"
    return [
        _bad("version-0", "ROOT-3", "E_ROOT_VERSION", "Version 0.", "/version", 0),
        _bad("version-2", "ROOT-3", "E_ROOT_VERSION", "Without prev.", "/version", 2),
        _bad("prev-of-1", "ROOT-3", "E_ROOT_VERSION", "Version 1 with prev.", "/prev", bytes(32)),
        _bad("expires", "ROOT-4", "E_INSTANT", "A date alone.", "/expires", "2036-01-01"),
        _bad("log-empty", "ROOT-5", e, "No origin.", "/log", ""),
        _bad("log-space", "ROOT-5", e, "A space in the origin.", "/log", "a log"),
        _bad("log-hash", "ROOT-5", e, "A # in the origin.", "/log", "a#b"),
        _bad("log-long", "ROOT-5", e, "257 bytes.", "/log", "x" * 257),
        _bad("witness-plus", "ROOT-5", e, "A plus in a key name.", "/witnesses/0/name", "a+b"),
        _bad("controller", "ROOT-5", e, "A directional mark.", "/keys/0/controller", mark),
        _bad("operator", "ROOT-5", e, "A line break.", "/witnesses/0/operator", "a\nb"),
        _bad("type", "ROOT-5", e, "An empty type.", "/roles/root/decides", [""]),
    ]


def _documents_keys(first: dict[str, Any]) -> Vectors:
    identity = (1).to_bytes(32, "little")
    twice = [log_key("log one", 0, 100), {**log_key("log two", 100, 200), "key": first["key"]}]
    same = [{**witness("witness.example/a", "A"), "name": f"witness.example/{n}"} for n in "ab"]
    collide = [
        {"key": signer.public, "from": start, "to": start + 100}
        for signer, start in zip(COLLIDING, (0, 100), strict=True)
    ]
    overlap = [log_key("log one", 0, 101), log_key("log two", 100, 200)]
    open_end = [log_key("log one", 0, None), log_key("log two", 100, 200)]
    key_twice, log_keys = ("ROOT-7", "E_KEY_TWICE"), ("ROOT-9", "E_LOG_KEY")
    return [
        _bad("weak", "ROOT-6", "E_KEY_WEAK", "The identity.", "/log_keys/0/key", identity),
        _bad(
            "weak-witness",
            "ROOT-6",
            "E_KEY_WEAK",
            "p + 3, not reduced.",
            "/witnesses/0/key",
            (P + 3).to_bytes(32, "little"),
        ),
        _bad(
            "off-curve",
            "ROOT-6",
            "E_KEY_ENCODING",
            "No point has y = 2.",
            "/log_keys/1/key",
            (2).to_bytes(32, "little"),
        ),
        _bad("key-twice", *key_twice, "Alice, Alice.", "/keys", [first, first]),
        _bad("log-key-is-key", *key_twice, "A log key that is a key.", "/log_keys", twice),
        _bad("witness-twice", *key_twice, "Two names for one key.", "/witnesses", same),
        _bad("span-empty", "ROOT-8", "E_ROOT_SPAN", "From 0 to 0.", "/keys/0/to", 0),
        _bad("span-back", "ROOT-8", "E_ROOT_SPAN", "From 100 to 50.", "/log_keys/1/to", 50),
        _bad("log-keys-overlap", *log_keys, "Two at position 100.", "/log_keys", overlap),
        _bad("log-key-open", *log_keys, "The first never ends.", "/log_keys", open_end),
        _bad(
            "key-ids-collide",
            "ROOT-11",
            "E_KEY_AMBIGUOUS",
            "Two log keys with one 32-bit key id.",
            "/log_keys",
            collide,
        ),
    ]


def _documents_order() -> Vectors:
    good = root()
    order = ("ROOT-10", "E_ROOT_ORDER")
    turned = {name: good[name][::-1] for name in ("keys", "edition", "log_keys", "witnesses")}
    return [
        *(
            _bad(f"{name.replace('_', '-')}-turned", *order, "Turned round.", f"/{name}", value)
            for name, value in turned.items()
        ),
        _bad("edition-twice", *order, "One role twice.", "/edition", ["auditor", "auditor"]),
        _bad(
            "roles-turned",
            *order,
            "A key's roles, turned round.",
            f"/keys/{_index('bob')}/roles",
            ["root", "maintainer"],
        ),
        _bad("decides-turned", *order, "b, a.", "/roles/root/decides", ["b/1", "a/1"]),
    ]


def _documents_policy() -> Vectors:
    def policy(
        name: str, clause: str, comment: str, path: str, value: object, **fields: Any
    ) -> dict[str, Any]:
        return _bad(name, clause, "E_POLICY", comment, path, value, **fields)

    apart = by_kid(
        holder("alice", "Alice", ["publisher", "root"], span=(0, 5)),
        holder("bob", "Bob", ["root"], span=(5, None)),
    )
    two = {"root": {"threshold": 2, "decides": []}, "publisher": {"threshold": 1, "decides": []}}
    without = {name: role for name, role in root()["roles"].items() if name != "root"}
    return [
        policy("no-root", "ROOT-12", "No role to sign the next.", "/roles", without),
        policy("threshold-0", "ROOT-13", "Nobody need sign.", "/roles/auditor/threshold", 0),
        policy("threshold-negative", "ROOT-13", "-1.", "/roles/auditor/threshold", -1),
        policy("threshold-65", "ROOT-13", "More than 64.", "/roles/auditor/threshold", 65),
        policy("role-unknown", "ROOT-14", "Of a key.", "/keys/0/roles", ["nobody"]),
        policy("edition-unknown", "ROOT-14", "Of the edition.", "/edition", ["nobody"]),
        policy(
            "type-twice",
            "ROOT-15",
            "Two roles decide one type.",
            "/roles/auditor/decides",
            [CORRECTION],
        ),
        policy("unreachable", "ROOT-16", "Two auditors.", "/roles/auditor/threshold", 2),
        policy(
            "unreachable-controllers",
            "ROOT-16",
            "Four maintainers' keys, three controllers.",
            "/roles/maintainer/threshold",
            4,
        ),
        refuse(
            "unreachable-at-once",
            "ROOT-16",
            "E_POLICY",
            "Two holders, never in force together.",
            root=encode({**_one_person(), "keys": apart, "roles": two}),
        ),
        policy("quorum-unreachable", "ROOT-17", "Four of three.", "/quorum", 4),
    ]


def authority() -> Vectors:
    """Return vectors for decisions judged by a trust root at a position."""
    alice, two, bob, carol, erin = _kids("alice", "alice two", "bob", "carol", "erin")
    unmet = ("ROOT-22", "E_THRESHOLD")
    none: list[str] = []

    def no(
        name: str, clause: str, code: str, comment: str, signers: list[bytes], **inputs: object
    ) -> dict[str, Any]:
        return refuse(name, clause, code, comment, signers=signers, **inputs)

    return [
        accept("two", "ROOT-22", "Two maintainers.", signers=[alice, bob]),
        accept("three", "ROOT-22", "One controller twice among three.", signers=[alice, two, bob]),
        accept("before-end", "ROOT-20", "Erin at 9.", signers=[alice, erin], position=9),
        no(
            "type-unknown",
            "ROOT-18",
            "E_AUTHORITY",
            "A type that no role decides.",
            [alice],
            type="correction.issued/2",
        ),
        no("stranger", "ROOT-19", "E_KEY_UNKNOWN", "Mallory.", [alice, *_kids("mallory")]),
        no("revoked", "ROOT-20", "E_KEY_SPAN", "Erin at 10.", [alice, erin], position=10),
        no("role", "ROOT-21", "E_ROLE", "An auditor beside two maintainers.", [alice, bob, carol]),
        refuse("nobody", *unmet, "No signatures.", signers_hex=none),
        no("one", *unmet, "One of two.", [alice]),
        no("one-twice", *unmet, "One key counted twice.", [alice, alice]),
        no("one-controller", *unmet, "Two keys of Alice.", [alice, two]),
    ]


def edition_roles() -> Vectors:
    """Return vectors for the roles that must have signed an edition."""
    alice, carol = (kid.hex() for kid in _kids("alice", "carol"))
    both = [["publisher", alice], ["auditor", carol]]
    return [
        accept("both", "ROOT-23", "Publisher and auditor.", signed=both),
        accept("more", "ROOT-23", "A maintainer too.", signed=[*both, ["maintainer", alice]]),
        refuse("stripped", "ROOT-23", "E_THRESHOLD", "No auditor.", signed=both[:1]),
    ]


def seals() -> Vectors:
    """Return vectors for the seal of a checkpoint."""
    a, a2, b, c = (f"witness.example/{name}" for name in ("a", "a2", "b", "c"))
    wrong = cosign(key("mallory"), a, BODY, TIME).hex()

    def cosigned(*names: str) -> list[list[str]]:
        return [[name, cosign(key(name), name, BODY, TIME).hex()] for name in names]

    unknown = ("ROOT-26", "E_KEY_UNKNOWN")
    return [
        accept("quorum", "ROOT-27", "Two operators.", cosignatures=cosigned(a, b)),
        accept(
            "all", "ROOT-27", "Three witnesses, two operators.", cosignatures=cosigned(a, a2, b)
        ),
        refuse("log-key", "ROOT-24", "E_LOG_KEY", "None at 200.", cosignatures=[], position=200),
        refuse("order", "ROOT-25", "E_SIG_ORDER", "b, a.", cosignatures=cosigned(b, a)),
        refuse("twice", "ROOT-25", "E_SIG_ORDER", "a, a.", cosignatures=cosigned(a, a)),
        refuse("stranger", *unknown, "Not in the root.", cosignatures=cosigned(a, b, "x.example")),
        refuse("key-other", *unknown, "Another key.", cosignatures=[[a, wrong], *cosigned(b)]),
        refuse(
            "retired",
            "ROOT-26",
            "E_KEY_SPAN",
            "c was in force below 10.",
            cosignatures=cosigned(a, b, c),
            position=10,
        ),
        refuse("none", "ROOT-27", "E_QUORUM", "No cosignatures.", cosignatures=[]),
        refuse("one", "ROOT-27", "E_QUORUM", "One of two.", cosignatures=cosigned(b)),
        refuse(
            "one-operator",
            "ROOT-27",
            "E_QUORUM",
            "Two witnesses that one operator runs.",
            cosignatures=cosigned(a, a2),
        ),
    ]


def successors() -> Vectors:
    """Return vectors for the next trust root, adopted at position 5."""
    alice, bob, dora = _kids("alice", "bob", "dora")
    kept = [entry for entry in root()["keys"] if entry["key"] != key("bob").public]
    joined = by_kid(*kept, holder("dora", "Dora", ["maintainer", "root"], span=(6, None)))
    next_root = root(version=2, prev=sha256(ROOT), keys=joined)
    link, signed = ("ROOT-28", "E_TRUST_CHAIN"), ("ROOT-29", "E_TRUST_CHAIN")
    everybody = [alice, bob, dora]

    def linked(name: str, comment: str, **fields: Any) -> dict[str, Any]:
        document = encode({**next_root, **fields})
        return refuse(name, *link, comment, root=document, signers=everybody)

    def by(name: str, comment: str, *signers: bytes) -> dict[str, Any]:
        return refuse(name, *signed, comment, root=encode(next_root), signers=list(signers))

    return [
        accept(
            "both-thresholds",
            "ROOT-29",
            "Dora takes Bob's place: Alice and Bob, then Alice and Dora.",
            root=encode(next_root),
            signers=everybody,
        ),
        linked("other-log", "Another log's.", log="log.example/two"),
        linked("version-3", "Version 2 left out.", version=3),
        linked("other-prev", "Not the digest of the root in force.", prev=sha256(b"another")),
        refuse("again", *link, "The same root.", root=ROOT, signers=everybody),
        by("old-only", "Not by the new root's holders.", alice, bob),
        by("new-only", "Not by the present root's holders.", alice, dora),
        by("one", "By one of both.", alice),
        by("stranger", "Carol does not hold `root`.", *everybody, *_kids("carol")),
        refuse(
            "weak-key",
            "ROOT-6",
            "E_KEY_WEAK",
            "Signed, but with the identity as log key.",
            root=encode(changed("/log_keys/0/key", (1).to_bytes(32, "little"), next_root)),
            signers=everybody,
        ),
    ]


def _bad(
    name: str, clause: str, code: str, comment: str, path: str, value: object
) -> dict[str, Any]:
    """Return a vector of the full trust root with one value changed."""
    return refuse(name, clause, code, comment, root=encode(changed(path, value)))


def _kids(*names: str) -> list[bytes]:
    return [_signer(name).kid for name in names]


def _signer(name: str) -> PrivateKey:
    return key(name)


def _index(name: str) -> int:
    """Return where the trust root has the key of that name."""
    return [entry["key"] for entry in root()["keys"]].index(key(name).public)
