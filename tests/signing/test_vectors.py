"""Every vector of ``specs/vectors/signing`` gives what it says, and every MUST has one."""

import importlib
import re
from typing import Any

import pytest
from refusals import assert_said
from signing_vectors import FOLDER, RUN, SPECS, VECTORS

from canon.refusal import Refusal

CLAUSE = re.compile(r"^\*\*((?:SIGN|ROOT)-\d+)\*\*", re.MULTILINE)


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
    assert_said(refused.value)


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
    # A document over a mebibyte would be two in hexadecimal: `test_trust` makes one.
    assert {vector["clause"] for _, vector in VECTORS} == clauses - {"ROOT-30"}


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
