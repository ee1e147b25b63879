"""What the vectors of signing are made of: fixed keys, a trust root, and a form for a vector.

Every private key here is public knowledge: its seed is the SHA-256 of a sentence.
"""

import hashlib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from canon.cbor import Encodable, encode
from signing import ALG_ED25519, ALG_EDDSA, PrivateKey, kid_of
from signing.cose import TAG, sig_structure

ORIGIN = "log.example/one"
EDITION = "2026.1"
SUBJECT = f"{ORIGIN}#{EDITION}"
DECISION: bytes = encode(
    {
        "v": 1,
        "log": ORIGIN,
        "type": "correction.issued/1",
        "nonce": bytes(range(16)),
        "target": [[0, bytes(32)]],
    }
)
MANIFEST: bytes = encode({"type": "coldledger/manifest/1", "log": ORIGIN, "edition": EDITION})


def key(name: str) -> PrivateKey:
    """Return the test key of that name."""
    sentence = f"coldledger test vector: {name}".encode()
    return PrivateKey.generate(hashlib.sha256(sentence).digest())


def holder(
    name: str,
    controller: str,
    roles: Sequence[str],
    *,
    alg: int = ALG_ED25519,
    span: tuple[int, int | None] = (0, None),
) -> dict[str, Any]:
    """Return the trust root's entry for a test key."""
    return {
        "alg": alg,
        "key": key(name).public,
        "controller": controller,
        "roles": list(roles),
        "from": span[0],
        "to": span[1],
    }


def by_kid(*holders: dict[str, Any]) -> list[dict[str, Any]]:
    """Return entries in the order that the trust root wants."""
    return sorted(holders, key=lambda entry: kid_of(entry["key"]))


def log_key(name: str, start: int, end: int | None) -> dict[str, Any]:
    """Return the trust root's entry for a log key."""
    return {"key": key(name).public, "from": start, "to": end}


def witness(
    name: str, operator: str, *, span: tuple[int, int | None] = (0, None)
) -> dict[str, Any]:
    """Return the trust root's entry for a witness, whose test key has its name."""
    return {
        "name": name,
        "key": key(name).public,
        "operator": operator,
        "from": span[0],
        "to": span[1],
    }


def root(**changed: Any) -> dict[str, Any]:
    """Return the trust root of the vectors as a value, with some fields *changed*.

    Alice holds two keys and Erin was revoked at 10; corrections take two maintainers.
    """
    return {
        "type": "coldledger/trust-root/1",
        "log": ORIGIN,
        "version": 1,
        "prev": None,
        "expires": "2036-01-01T00:00:00.000000Z",
        "keys": by_kid(
            holder("alice", "Alice", ["maintainer", "publisher", "root"]),
            holder("alice two", "Alice", ["maintainer"]),
            holder("bob", "Bob", ["maintainer", "root"]),
            holder("carol", "Carol", ["auditor"], alg=ALG_EDDSA),
            holder("erin", "Erin", ["maintainer"], span=(0, 10)),
        ),
        "roles": {
            "auditor": {"threshold": 1, "decides": ["finding.recorded/1"]},
            "maintainer": {"threshold": 2, "decides": ["correction.issued/1"]},
            "publisher": {"threshold": 1, "decides": ["edition.frozen/1"]},
            "root": {"threshold": 2, "decides": ["trust.adopted/1"]},
        },
        "edition": ["auditor", "publisher"],
        "log_keys": [log_key("log one", 0, 100), log_key("log two", 100, 200)],
        "witnesses": [
            witness("witness.example/a", "Operator A"),
            witness("witness.example/a2", "Operator A"),
            witness("witness.example/b", "Operator B"),
            witness("witness.example/c", "Operator C", span=(0, 10)),
        ],
        "quorum": 2,
        **changed,
    }


ROOT: bytes = encode(root())


def changed(path: str, value: object, document: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the trust root with the *value* at a JSON pointer changed; ``...`` removes it."""
    copy = deepcopy(root() if document is None else document)
    *steps, last = path.strip("/").split("/")
    place: Any = copy
    for step in steps:
        place = place[int(step) if isinstance(place, list) else step]
    if value is ...:
        del place[last]
    else:
        place[int(last) if isinstance(place, list) else last] = value
    return copy


def envelope(
    signer: PrivateKey,
    protected: Mapping[int, Encodable] | bytes,
    payload: bytes | None,
    *,
    covers: bytes | None = None,
    unprotected: Mapping[int, Encodable] | None = None,
    tag: bytes = TAG,
) -> bytes:
    """Return a properly signed COSE_Sign1 whose parts may be anything.

    Args:
        signer: Signs.
        protected: A map, or the bytes that stand for one.
        payload: What stands in the envelope.
        covers: What the signature is over, where that is not the payload.
        unprotected: The other bucket, empty by default.
        tag: What stands in front.

    """
    head = protected if isinstance(protected, bytes) else encode(protected)
    signed = covers if covers is not None else payload
    signature = signer.sign(sig_structure(head, b"" if signed is None else signed))
    return tag + encode([head, dict(unprotected or {}), payload, signature])


def flipped(data: bytes, index: int) -> bytes:
    """Return *data* with the lowest bit of one byte flipped."""
    index %= len(data)
    return data[:index] + bytes([data[index] ^ 1]) + data[index + 1 :]


def accept(name: str, clause: str, comment: str, **inputs: object) -> dict[str, Any]:
    """Return a vector that must be accepted."""
    return _vector(name, clause, comment, "accept", None, inputs)


def refuse(name: str, clause: str, code: str, comment: str, **inputs: object) -> dict[str, Any]:
    """Return a vector that must be refused with *code*."""
    return _vector(name, clause, comment, "refuse", code, inputs)


def _vector(
    name: str, clause: str, comment: str, expect: str, code: str | None, inputs: dict[str, object]
) -> dict[str, Any]:
    return {
        "name": name,
        "comment": comment,
        "clause": clause,
        "inputs": shown(inputs),
        "expect": expect,
        "code": code,
    }


def shown(inputs: Mapping[str, object]) -> dict[str, object]:
    """Return inputs for JSON: bytes become hex, under a name that ends so."""
    out: dict[str, object] = {}
    for name, value in inputs.items():
        if isinstance(value, bytes):
            out[f"{name}_hex"] = value.hex()
        elif isinstance(value, list) and value and all(isinstance(item, bytes) for item in value):
            out[f"{name}_hex"] = [item.hex() for item in value]
        else:
            out[name] = value
    return out
