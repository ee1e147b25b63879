"""The vectors of ``specs/vectors/signing``, each with the function that it is for."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import signing

SPECS = Path(__file__).resolve().parents[1] / "specs"
FOLDER = SPECS / "vectors" / "signing"

Inputs = dict[str, Any]


def _keys(inputs: Inputs) -> Callable[[bytes], signing.RootKey | None]:
    return signing.parse_root(inputs["root"]).lookup(inputs["position"])


def _authorise(inputs: Inputs) -> None:
    root = signing.parse_root(inputs["root"])
    root.authorise(inputs["type"], inputs["signers"], inputs["position"])


def _edition_roles(inputs: Inputs) -> None:
    signed = [(role, bytes.fromhex(kid)) for role, kid in inputs["signed"]]
    signing.parse_root(inputs["root"]).require_edition(signed, inputs["position"])


def _seal(inputs: Inputs) -> None:
    root = signing.parse_root(inputs["root"])
    root.log_key_at(inputs["position"])
    cosignatures = [(name, bytes.fromhex(data)) for name, data in inputs["cosignatures"]]
    signing.verify_cosignatures(root, inputs["body"], cosignatures, inputs["position"])


def _successor(inputs: Inputs) -> None:
    current = signing.parse_root(inputs["current"])
    signing.accept_successor(current, inputs["root"], inputs["signers"], inputs["position"])


def _known(inputs: Inputs) -> list[signing.VerifierKey]:
    return [signing.parse_vkey(text) for text in inputs["known"]]


RUN: dict[str, Callable[[Inputs], object]] = {
    "public-key": lambda i: signing.check_public(i["public"]),
    "signature": lambda i: signing.verify(i["public"], i["message"], i["signature"]),
    "decision": lambda i: signing.verify_decisions(i["signatures"], i["decision"], _keys(i)),
    "edition": lambda i: signing.verify_editions(
        i["signatures"], i["manifest"], _keys(i), subject=i["subject"]
    ),
    "note": lambda i: signing.open_note(i["note"], _known(i)),
    "vkey": lambda i: signing.parse_vkey(i["text"]),
    "checkpoint": lambda i: signing.verify_checkpoint(
        i["signature"], i["body"], i["origin"], i["public"]
    ),
    "checkpoint-note": lambda i: signing.open_checkpoint(i["note"], _known(i)),
    "cosignature": lambda i: signing.verify_cosignature(
        i["cosignature"], i["body"], i["witness"], i["public"], now=i["now"]
    ),
    "newer": lambda i: signing.check_newer(
        signing.parse_checkpoint(i["kept"]), signing.parse_checkpoint(i["new"])
    ),
    "root": lambda i: signing.parse_root(i["root"]),
    "authority": _authorise,
    "edition-roles": _edition_roles,
    "seal": _seal,
    "successor": _successor,
}


def _unhexed(inputs: Inputs) -> Inputs:
    out = {}
    for name, value in inputs.items():
        if name.endswith("_hex"):
            several = isinstance(value, list)
            name = name.removesuffix("_hex")
            value = [bytes.fromhex(item) for item in value] if several else bytes.fromhex(value)
        out[name] = value
    return out


def _vectors() -> Iterator[tuple[str, Inputs]]:
    for path in sorted(FOLDER.glob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        for vector in content["vectors"]:
            inputs = _unhexed(content["common"]) | _unhexed(vector["inputs"])
            yield path.stem, vector | {"inputs": inputs}


VECTORS = list(_vectors())
