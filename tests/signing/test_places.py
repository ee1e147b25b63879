"""Where a refusal of signing says that the fault is: parts of what was given, in known words."""

import re
from typing import Any

import pytest
from signing_vectors import RUN, VECTORS

from canon.refusal import Refusal

REFUSED = [(kind, one) for kind, one in VECTORS if one["expect"] == "refuse"]

_HEADERS = r"envelope|(un)?protected headers|payload|header \d+(, (alg|crit|kid))?|position 10"
_COSIGNATURE = r"cosignature of witness\.example/a"
# The parts that a kind of input has.
PARTS = {
    "authority": r"position (5|10)|role 'maintainer' at position 5",
    "checkpoint": r"checkpoint(, line [123])?|log signature(, key id)?",
    "checkpoint-note": r"checkpoint|signature of witness\.example/a",
    "cosignature": rf"{_COSIGNATURE}(, key id)?",
    "decision": rf"{_HEADERS}|(envelope|protected headers), byte \d+|decision signature( 1)?",
    "edition": rf"{_HEADERS}|edition signature 1|edition signature by [0-9a-f]{{12}}…(, \w+)?",
    "edition-roles": r"role 'auditor' at position 5",
    "newer": r"checkpoint( of size 7)?",
    "note": r"note(, key name|, signature)?|signature of log\.example/one",
    "public-key": r"public key",
    "seal": r"position 200|cosignatures|cosignature of \S+( at position 10)?",
    "signature": r"public key|signature(, [RS])?",
    "successor": r"trust root [123](, prev| at position 5(, by version [12])?)?|/log_keys/0/key",
    "vkey": r"verifier key(, (id|name|type))?",
}
# In a trust root: a JSON pointer, or the reader's own path while there is no shape yet.
POINTERS = {
    "alg-ecdsa": "trust root, `$.keys[0].alg`",
    "array": "trust root",
    "controller": "/keys/0/controller",
    "decides-turned": "/roles/'root'/decides/1",
    "decides-257": "/roles/'root'/decides",
    "edition-257": "/edition",
    "edition-empty": "trust root, `$.edition`",
    "edition-turned": "/edition/1",
    "edition-twice": "/edition/1",
    "edition-unknown": "/edition",
    "empty": "byte 0",
    "expires": "time",
    "from-negative": "trust root, `$.keys[0].from`",
    "from-true": "trust root, `$.keys[0].from`",
    "json": "byte 0",
    "key-ids-collide": "/log_keys/1",
    "key-more": "trust root, `$.keys[0]`",
    "key-roles-257": "/keys/0/roles",
    "key-short": "trust root, `$.keys[0].key`",
    "key-text": "trust root, `$.keys[0].key`",
    "key-twice": "/keys/1/key",
    "keys-empty": "trust root, `$.keys`",
    "keys-map": "trust root, `$.keys`",
    "keys-nil": "trust root, `$.keys`",
    "keys-turned": "/keys/1",
    "labels": "trust root, `key` in `$`",
    "log-empty": "/log",
    "log-hash": "/log",
    "log-key-is-key": "/log_keys/1/key",
    "log-key-open": "/log_keys",
    "log-keys-empty": "trust root, `$.log_keys`",
    "log-keys-overlap": "/log_keys",
    "log-keys-turned": "/log_keys/1",
    "log-long": "/log",
    "log-space": "/log",
    "more": "trust root",
    "no-quorum": "trust root",
    "no-root": "/roles",
    "no-to": "trust root, `$.keys[0]`",
    "no-type": "trust root",
    "off-curve": "/log_keys/1/key",
    "operator": "/witnesses/0/operator",
    "other-type": "trust root, `$.type`",
    "prev-of-1": "/prev of version 1",
    "prev-short": "trust root, `$.prev`",
    "quorum-negative": "trust root, `$.quorum`",
    "quorum-unreachable": "/quorum",
    "role-unknown": "/keys/0/roles",
    "roles-257": "/roles",
    "roles-empty": "trust root, `$.keys[0].roles`",
    "roles-turned": "/keys/2/roles/1",
    "span-back": "/log_keys/1",
    "span-empty": "/keys/0",
    "threshold-0": "/roles/'auditor'/threshold",
    "threshold-65": "/roles/'auditor'/threshold",
    "threshold-negative": "/roles/'auditor'/threshold",
    "threshold-text": "trust root, `$.roles[...].threshold`",
    "trailing": "byte 1290",
    "truncated": "byte 1279",
    "type": "/roles/'root'/decides",
    "type-twice": "/roles/'maintainer'/decides",
    "unreachable": "/roles/'auditor'/threshold",
    "unreachable-at-once": "/roles/'root'/threshold",
    "unreachable-controllers": "/roles/'maintainer'/threshold",
    "unsorted": "byte 30",
    "version-0": "/version",
    "version-2": "/prev of version 2",
    "weak": "/log_keys/0/key",
    "weak-witness": "/witnesses/0/key",
    "witness-plus": "/witnesses/0/name",
    "witness-twice": "/witnesses/1/key",
    "witnesses-turned": "/witnesses/1",
}
# Where another part could be meant: a name ends at the first space, and R is looked at by itself.
EXACT = {
    ("note", "name-space"): "note, signature",
    ("signature", "r-not-reduced"): "signature, R",
    ("signature", "s-plus-l"): "signature, S",
}
# In an envelope or a note: bytes from the start of the part that the place names.
OFFSETS = {
    ("checkpoint", "invalid-utf-8"): 0,
    ("decision", "alg-twice"): 3,
    ("decision", "empty"): 0,
    ("decision", "headers-trailing"): 81,
    ("decision", "labels-unsorted"): 36,
    ("decision", "long-head"): 0,
    ("decision", "tag-98"): 0,
    ("decision", "tag-long"): 0,
    ("decision", "tag-twice"): 0,
    ("decision", "trailing"): 152,
    ("decision", "truncated"): 86,
    ("decision", "untagged"): 0,
    ("note", "control"): 0,
    ("note", "empty-block"): 21,
    ("note", "four-bytes"): 21,
    ("note", "invalid-utf-8"): 0,
    ("note", "junk"): 134,
    ("note", "name-empty"): 21,
    ("note", "name-plus"): 21,
    ("note", "name-space"): 21,
    ("note", "no-newline"): 133,
    ("note", "respelled"): 21,
    ("note", "unpadded"): 21,
    ("note", "url-safe"): 21,
    ("root", "empty"): 0,
    ("root", "json"): 0,
    ("root", "trailing"): 1290,
    ("root", "truncated"): 1279,
    ("root", "unsorted"): 30,
}
# Where a value is what is wrong, it is shown against the right one.
SHOWN = {
    ("decision", "alg-ecdsa"): ("-7", "-19, or -8 where the trust root says so"),
    ("decision", "crit"): ("[16]", "none"),
    ("decision", "empty"): ("nothing", "d2, the tag of COSE_Sign1"),
    ("decision", "label-unknown"): ("labels 1, 3, 4, 16", "labels 1, 4, 16"),
    ("decision", "labels-text"): ("labels 'alg'", "labels 1, 4, 16"),
    ("decision", "payload-attached"): ("116 bytes", "nil: decisions are detached"),
    ("decision", "tag-98"): ("d8", "d2, the tag of COSE_Sign1"),
    ("decision", "unprotected"): ("labels 33", "no headers"),
    ("edition", "crit-missing"): ("none", "[15, 258]"),
    ("edition", "crit-order"): ("[258, 15]", "[15, 258]"),
    ("edition", "hash-sha-512"): ("-44", "-16, SHA-256"),
    ("edition", "issuer"): ("'Bob'", "'Alice'"),
    ("edition", "payload-nil"): ("nil", "32 bytes, SHA-256 of the manifest"),
    ("edition", "payload-short"): ("31 bytes", "32 bytes, SHA-256 of the manifest"),
    ("edition", "preimage-type"): (
        "'application/vnd.coldledger.decision+cbor'",
        "application/vnd.coldledger.manifest+cbor",
    ),
    ("edition", "role"): ("'auditor'", "one of maintainer, publisher, root"),
    ("edition", "subject-edition"): ("'log.example/one#2026.2'", "'log.example/one#2026.1'"),
    ("decision", "typ-number"): ("60", "application/vnd.coldledger.decision+cbor"),
    ("decision", "alg-other"): ("-8", "-19 for this key"),
    ("newer", "other-log"): ("'log.example/two'", "'log.example/one'"),
    ("root", "key-ids-collide"): (
        "log.example/one+c6112684 as at /log_keys/0",
        "a key id of its own",
    ),
    ("root", "no-type"): ("Object missing required field `type`", "the shape of its CDDL"),
    ("root", "prev-of-1"): ("a digest", "none"),
    ("root", "version-2"): ("no digest", "the digest of the version before"),
    ("root", "key-twice"): ("the key of /keys/0", "a key of its own"),
    ("root", "decides-turned"): ("out of order", "strictly ascending by name"),
    ("root", "edition-turned"): ("out of order", "strictly ascending by name"),
    ("root", "keys-turned"): ("out of order", "strictly ascending by key id"),
    ("root", "log-keys-turned"): ("out of order", "strictly ascending by `from`"),
    ("root", "roles-turned"): ("out of order", "strictly ascending by name"),
    ("root", "witnesses-turned"): ("out of order", "strictly ascending by name, key"),
    ("successor", "other-log"): ("log 'log.example/two'", "'log.example/one'"),
    ("successor", "version-3"): ("version 3", "2"),
}


def refusal_of(kind: str, vector: dict[str, Any]) -> Refusal:
    """Return the refusal that a vector runs into."""
    with pytest.raises(Refusal) as refused:
        RUN[kind](vector["inputs"])
    return refused.value


@pytest.mark.parametrize(
    ("kind", "vector"), REFUSED, ids=[f"{kind}/{one['name']}" for kind, one in REFUSED]
)
def test_a_refusal_names_the_part_at_fault(kind: str, vector: dict[str, Any]) -> None:
    """The place is a part of such an input; where bytes are counted, so many of them."""
    refusal = refusal_of(kind, vector)
    if kind == "root":
        assert refusal.place == POINTERS[vector["name"]]
    elif (kind, vector["name"]) in EXACT:
        assert refusal.place == EXACT[kind, vector["name"]]
    else:
        assert re.fullmatch(PARTS[kind], re.sub(r", byte \d+$", "", refusal.place)), refusal.place
    assert refusal.offset == OFFSETS.get((kind, vector["name"]))
    if (counted := re.search(r"byte (\d+)$", refusal.place)) is not None:
        assert refusal.offset == int(counted[1])
    assert refusal.seq is None


@pytest.mark.parametrize(("kind", "name"), SHOWN)
def test_a_wrong_value_is_shown_against_the_right_one(kind: str, name: str) -> None:
    """Whoever compares the two sees what to change."""
    vector = next(one for of, one in REFUSED if (of, one["name"]) == (kind, name))
    refusal = refusal_of(kind, vector)
    assert (refusal.got, refusal.expected) == SHOWN[kind, name]
