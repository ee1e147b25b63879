"""The CDDL of signing describes what is accepted, byte strings of byte strings included."""

import json
from pathlib import Path
from typing import Any

import cbor2
import pytest
from pycddl import Schema, ValidationError  # type: ignore[import-untyped]

SPECS = Path(__file__).resolve().parents[2] / "specs"
VECTORS = SPECS / "vectors" / "signing"


# The validator takes text where `bstr .size 32` stands, and lets fields be added to maps in arrays.
MISSED = {"key-text", "key-more"}


def _schema(name: str, rule: str) -> Schema:
    """Return a schema that starts at *rule*: the first rule of a CDDL file is the one used."""
    text = (SPECS / "cddl" / f"{name}.cddl").read_text(encoding="utf-8")
    return Schema(f"start = {rule}\n{text}")


def _validate(*pairs: tuple[Schema, bytes]) -> None:
    for schema, data in pairs:
        schema.validate_cbor(data)


def _vectors(name: str) -> list[dict[str, Any]]:
    content = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
    return [
        {**vector, "inputs": content["common"] | vector["inputs"]} for vector in content["vectors"]
    ]


@pytest.mark.parametrize("kind", ["decision", "edition"])
def test_accepted_envelopes_are_described(kind: str) -> None:
    """Envelope without its tag, protected headers, and what is signed."""
    envelope = _schema("signing", f"{kind}-sign1")
    headers = _schema("signing", f"{kind}-headers")
    signed = _schema("signing", "sig-structure")
    seen = 0
    for vector in _vectors(kind):
        if vector["expect"] == "accept":
            for data in map(bytes.fromhex, vector["inputs"]["signatures_hex"]):
                envelope.validate_cbor(data[1:])
                protected, _, payload, _ = cbor2.loads(data[1:])
                headers.validate_cbor(protected)
                signed.validate_cbor(cbor2.dumps(["Signature1", protected, b"", payload or b"x"]))
                seen += 1
    assert seen >= 3


@pytest.mark.parametrize("kind", ["decision", "edition"])
def test_refused_headers_are_not_described(kind: str) -> None:
    """What the header clauses refuse, the CDDL refuses too."""
    envelope = _schema("signing", f"{kind}-sign1")
    headers = _schema("signing", f"{kind}-headers")
    # SIGN-7, 9 and 10 are about what else is in `{}`, where the validator lets anything be.
    clauses = {f"SIGN-{number}" for number in (8, *range(11, 20))}
    seen = 0
    for vector in _vectors(kind):
        if vector["clause"] in clauses:
            data = bytes.fromhex(vector["inputs"]["signatures_hex"][0])
            protected = cbor2.loads(data[1:])[0]
            with pytest.raises(ValidationError):
                _validate((envelope, data[1:]), (headers, protected or b"\xa0"))
            seen += 1
    assert seen >= 15


def test_roots_are_described() -> None:
    """Accepted roots are, and those of another shape are not."""
    schema = _schema("trust-root", "root")
    accepted = shaped = 0
    for vector in _vectors("root"):
        data = bytes.fromhex(vector["inputs"]["root_hex"])
        if vector["expect"] == "accept":
            schema.validate_cbor(data)
            accepted += 1
        elif vector["clause"] in ("ROOT-2", "ROOT-13") and vector["name"] not in MISSED:
            with pytest.raises(ValidationError):
                schema.validate_cbor(data)
            shaped += 1
    assert accepted == 3
    assert shaped >= 20


def test_bare_signatures_are_described() -> None:
    """Lengths of log signatures and cosignatures."""
    for file, rule, field in (
        ("checkpoint", "log-signature", "signature_hex"),
        ("cosignature", "cosignature", "cosignature_hex"),
    ):
        schema = _schema("signing", rule)
        for vector in _vectors(file):
            data = cbor2.dumps(bytes.fromhex(vector["inputs"][field]))
            if vector["clause"] == "SIGN-38":
                with pytest.raises(ValidationError):
                    schema.validate_cbor(data)
            else:
                schema.validate_cbor(data)
