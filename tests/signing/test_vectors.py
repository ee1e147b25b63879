"""Every vector of ``specs/vectors/signing`` gives what it says, and every MUST has one."""

import importlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import signing
from canon.refusal import Refusal

SPECS = Path(__file__).resolve().parents[2] / "specs"
FOLDER = SPECS / "vectors" / "signing"
CLAUSE = re.compile(r"^\*\*((?:SIGN|ROOT)-\d+)\*\*", re.MULTILINE)

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


@pytest.mark.parametrize(
    ("kind", "vector"), VECTORS, ids=[f"{kind}/{vector['name']}" for kind, vector in VECTORS]
)
def test_a_vector_gives_what_it_says(kind: str, vector: dict[str, Any]) -> None:
    """An accepted vector runs through; a refused one raises its code and no other."""
    if vector["expect"] == "accept":
        RUN[kind](vector["inputs"])
        return
    with pytest.raises(Refusal) as refused:
        RUN[kind](vector["inputs"])
    assert refused.value.code == vector["code"]


def test_names_are_unique_and_every_file_is_run() -> None:
    """A vector is named once in its file, and no file is left out."""
    names = [(kind, vector["name"]) for kind, vector in VECTORS]
    assert len(names) == len(set(names))
    assert {kind for kind, _ in names} == set(RUN)


def test_every_clause_has_a_vector_and_every_vector_a_clause() -> None:
    """The MUSTs of the two specs are exactly the clauses that vectors name."""
    clauses = {
        clause
        for name in ("signing.md", "trust-root.md")
        for clause in CLAUSE.findall((SPECS / name).read_text(encoding="utf-8"))
    }
    assert {vector["clause"] for _, vector in VECTORS} == clauses


def test_a_clause_names_the_code_that_its_vectors_expect() -> None:
    """The text of a clause contains the code of each refusal that a vector ties to it."""
    text = "".join((SPECS / name).read_text("utf-8") for name in ("signing.md", "trust-root.md"))
    parts = re.split(CLAUSE, text)
    said = dict(zip(parts[1::2], parts[2::2], strict=True))
    for kind, vector in VECTORS:
        if vector["code"] is not None:
            prefix = "E_CBOR_*" if vector["code"].startswith("E_CBOR_") else vector["code"]
            assert prefix in said[vector["clause"]], f"{kind}/{vector['name']}"


def test_the_generator_writes_these_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """The files are what the generator makes, byte for byte."""
    monkeypatch.syspath_prepend(str(SPECS / "vectors"))
    make = importlib.import_module("make_signing")
    made = {f"{name}.json": make.text(content) for name, content in make.files().items()}
    kept = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    assert kept == made
