"""Every vector of ``specs/vectors/canon``, and that every MUST has one."""

import importlib.util
import io
import json
import re
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import pycddl
import pytest

import canon
from canon.scan import scan

SPECS = Path(__file__).resolve().parents[2] / "specs"
FOLDER = SPECS / "vectors" / "canon"
FILES = {path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}
CDDL = (SPECS / "cddl" / "canon.cddl").read_text()


def cases(name: str) -> list[Any]:
    """Return the vectors of one file as parameters."""
    return [pytest.param(vector, id=vector["name"]) for vector in FILES[name]["vectors"]]


def judge(vector: dict[str, Any], act: Callable[[], Any]) -> Any:
    """Return what *act* gives, or None after it was refused as the vector says."""
    if vector["expect"] == "accept":
        return act()
    with pytest.raises(canon.Refusal) as caught:
        act()
    assert caught.value.code == vector["code"]
    if "offset" in vector:
        assert caught.value.offset == vector["offset"]
    return None


def diagnostic(value: Any) -> str:
    """Return *value* in the diagnostic notation of RFC 8949 section 8."""
    match value:
        case bool():
            return str(value).lower()
        case None:
            return "null"
        case bytes():
            return f"h'{value.hex()}'"
        case str():
            return json.dumps(value, ensure_ascii=False)
        case list():
            return f"[{', '.join(map(diagnostic, value))}]"
        case dict():
            pairs = (f"{diagnostic(key)}: {diagnostic(item)}" for key, item in value.items())
            return f"{{{', '.join(pairs)}}}"
        case _:
            return str(value)


@pytest.mark.parametrize("read", [canon.decode, scan], ids=["decode", "scan"])
@pytest.mark.parametrize("vector", cases("items"))
def test_item(vector: dict[str, Any], read: Callable[[bytes], canon.Value]) -> None:
    """Both readers give the value, or the code and the offset; what is accepted encodes again."""
    data = bytes.fromhex(vector["input_hex"])
    value = judge(vector, lambda: read(data))
    if vector["expect"] == "accept":
        assert diagnostic(value) == vector["diagnostic"]
        assert canon.encode(value) == data
        pycddl.Schema(CDDL).validate_cbor(data)


@pytest.mark.parametrize("read", [canon.decode, scan], ids=["decode", "scan"])
@pytest.mark.parametrize("vector", cases("bombs"))
def test_bomb(vector: dict[str, Any], read: Callable[[bytes], canon.Value]) -> None:
    """Both readers refuse it where the vector says, or take what is just within the limits."""
    data = b"".join(bytes.fromhex(piece) * times for piece, times in vector["pieces"])
    judge(vector, lambda: read(data))


@pytest.mark.parametrize("vector", cases("values"))
def test_value(vector: dict[str, Any]) -> None:
    """A writer gives the one encoding for every order of keys."""
    value = dict.fromkeys(vector["keys"], 0)
    assert canon.encode(value).hex() == vector["output_hex"]


@pytest.mark.parametrize("vector", cases("frames"))
def test_frame(vector: dict[str, Any]) -> None:
    """The reader takes the frame that the format prescribes and stops right behind it."""
    data = bytes.fromhex(vector["input_hex"])
    heads = canon.Heads(io.BytesIO(data))
    read = vector["read"]
    if read == "end":
        assert heads.at_end()
    elif read in ("array", "uint"):
        judge(vector, getattr(heads, read))
    else:
        judge(vector, lambda: getattr(heads, read)(vector["limit"]))
    if vector["expect"] == "accept":
        assert heads.offset == len(data)
        assert heads.at_end()


@pytest.mark.parametrize("vector", cases("digests"))
def test_digest(vector: dict[str, Any]) -> None:
    """Labels, salts and plain digests."""
    data = bytes.fromhex(vector["input_hex"])
    if vector["label"] is None:
        got: bytes | None = canon.sha256(data)
    elif "salt_hex" in vector:
        salt = bytes.fromhex(vector["salt_hex"])
        got = judge(vector, lambda: canon.commitment(salt, data))
    else:
        label = vector["label"].encode()
        assert label in (canon.BLOB, canon.FIGURES, canon.GENESIS)
        got = canon.labelled(label, data)
    if got is not None:
        assert got.hex() == vector["output_hex"]


@pytest.mark.parametrize("vector", cases("trees"))
def test_tree(vector: dict[str, Any]) -> None:
    """Leaves, roots and proofs."""
    fields = {
        key: [bytes.fromhex(item) for item in value] if key in ("leaves", "path") else value
        for key, value in vector.items()
    }
    for key in ("entry", "leaf", "root", "first_root", "second_root"):
        if key in fields:
            fields[key] = bytes.fromhex(fields[key])
    if vector["kind"] == "leaf":
        assert canon.leaf_hash(fields["entry"]).hex() == vector["output"]
    elif vector["kind"] == "root":
        assert canon.root_of(fields["leaves"]).hex() == vector["output"]
    elif vector["kind"] == "inclusion":
        arguments = [fields[key] for key in ("leaf", "index", "size", "path", "root")]
        judge(vector, lambda: canon.verify_inclusion(*arguments))
    else:
        order = ("first", "second", "first_root", "second_root", "path")
        arguments = [fields[key] for key in order]
        judge(vector, lambda: canon.verify_consistency(*arguments))


@pytest.mark.parametrize("vector", cases("quantities"))
def test_quantity(vector: dict[str, Any]) -> None:
    """Decimals, JSON numbers and quotients."""
    source = vector["input"]
    if vector["kind"] == "decimal":
        value = judge(vector, lambda: canon.parse_decimal(source))
        got = None if value is None else canon.decimal_text(value)
    elif vector["kind"] == "number":
        got = judge(vector, lambda: canon.read_number(source))
    else:
        fraction = judge(vector, lambda: canon.fraction_of(source))
        got = None if fraction is None else f"{fraction.numerator}/{fraction.denominator}"
        if fraction is not None:
            assert canon.quotient(fraction) == source
            assert fraction == Fraction(vector["output"])
            schema(("quotient", "pair")[isinstance(source, list)]).validate_cbor(
                canon.encode(source)
            )
    if vector["expect"] == "accept":
        assert got == vector["output"]


@pytest.mark.parametrize("vector", cases("times"))
def test_time(vector: dict[str, Any]) -> None:
    """Canonical times stay as they are; foreign ones are converted."""
    source = vector["input"]
    if vector["kind"] == "canonical":
        moment = judge(vector, lambda: canon.parse_instant(source))
        got = None if moment is None else canon.instant_text(moment)
    else:
        got = judge(vector, lambda: canon.read_instant(source))
    if vector["expect"] == "accept":
        assert got == vector["output"]
        schema("instant").validate_cbor(canon.encode(got))


def test_every_must_has_a_vector() -> None:
    """Each clause of the specification is named by a vector, and each vector names one."""
    text = (SPECS / "canon.md").read_text()
    clauses = re.findall(r"^\*\*(CANON-[0-9]+)\*\*", text, re.MULTILINE)
    assert clauses == [f"CANON-{number}" for number in range(1, len(clauses) + 1)]
    named = {vector["clause"] for content in FILES.values() for vector in content["vectors"]}
    assert named == set(clauses)


def test_every_clause_says_must() -> None:
    """A numbered clause that obliges nobody is none."""
    text = (SPECS / "canon.md").read_text()
    for clause in re.findall(r"^\*\*CANON-[0-9]+\*\*.*?(?=\n\n)", text, re.MULTILINE | re.DOTALL):
        assert "MUST" in clause, clause


def test_names_are_unique() -> None:
    """A vector can be found by its file and name."""
    for name, content in FILES.items():
        names = [vector["name"] for vector in content["vectors"]]
        assert len(names) == len(set(names)), name


def test_files_are_what_the_generator_writes() -> None:
    """The files in the repository are fresh."""
    assert generator().files() == FILES


def schema(rule: str) -> pycddl.Schema:
    """Return the schema that begins with *rule*."""
    return pycddl.Schema(f"start = {rule}\n{CDDL}")


def generator() -> ModuleType:
    """Import the generator from where it stands, beside the modules it imports."""
    path = SPECS / "vectors" / "make_canon.py"
    spec = importlib.util.spec_from_file_location("make_canon", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent))
    return module
