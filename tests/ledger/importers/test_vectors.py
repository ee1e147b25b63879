"""Every vector of ``specs/vectors/importers``, and that every MUST has one."""

import importlib.util
import io
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from canon.refusal import Refusal
from ledger.entry import read_entry
from ledger.identity import attempt_id, component_text, path_component, system_id, task_id
from ledger.importers import reader_of
from ledger.importers.findings import Problem
from ledger.importers.source_rows import Split, reassemble

SPECS = Path(__file__).resolve().parents[3] / "specs"
FOLDER = SPECS / "vectors" / "importers"
FILES = {path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}
TEXT = (SPECS / "importers.md").read_text()
Vector = dict[str, Any]


def cases(*names: str) -> list[Any]:
    """Return the vectors of some files as parameters."""
    return [
        pytest.param(vector, id=vector["name"])
        for name in names
        for vector in FILES[name]["vectors"]
    ]


@pytest.mark.parametrize("vector", cases("files", "releases", "rows"))
def test_files(shelf: Any, vector: Vector) -> None:
    """Files are imported in order; reports and entries have what the vector says."""
    options = {name: vector[name] for name in ("public",) if name in vector}
    if "format" in vector:
        options["format_name"] = vector["format"]
    paths = [_written(shelf, vector, number) for number in range(len(vector["files"]))]
    if "kind" in vector:
        paths.append(_made(shelf, vector["kind"]))
    whole = vector.get("refused") == "file"
    reports = [shelf.take(path, **options) for path in (paths[:-1] if whole else paths)]
    if whole:
        with pytest.raises(Refusal) as caught:
            shelf.take(paths[-1], **options)
        assert caught.value.code == vector["code"]
        named = caught.value.place.removeprefix(str(paths[-1])).removeprefix("--format")
        assert named.startswith(vector["place"])
        assert shelf.ledger.size == 0
        return
    for report, expected in zip(reports, vector["reports"], strict=True):
        for name, value in expected.items():
            assert _told(getattr(report, name)) == value
    _check_entries(shelf, vector)
    _check_extraction(shelf)


@pytest.mark.parametrize("vector", cases("names"))
def test_names(vector: Vector) -> None:
    """Systems, tasks, attempts, and components in both directions."""
    given, output = vector["input"], vector["output"]
    make: dict[str, Callable[..., str]] = {
        "system": system_id,
        "task": task_id,
        "attempt": attempt_id,
    }
    if vector["kind"] != "component":
        assert make[vector["kind"]](**given) == output
    elif vector["expect"] == "accept":
        assert path_component(given) == output
        assert component_text(output) == given
    else:
        with pytest.raises(Refusal) as caught:
            component_text(given)
        assert caught.value.code == vector["code"]


@pytest.mark.parametrize("chunk", [1, 2**20])
@pytest.mark.parametrize("vector", cases("slices"))
def test_slices(vector: Vector, chunk: int) -> None:
    """A file is its envelope and its rows, and the other way round."""
    data, rows = bytes.fromhex(vector["input_hex"]), list(map(bytes.fromhex, vector["rows_hex"]))
    split = Split(io.BytesIO(data), "runs", "x", chunk_bytes=chunk)
    assert [raw for _, raw, _ in split] == rows
    assert split.envelope().hex() == vector["envelope_hex"]
    assert reassemble(split.envelope(), "runs", rows) == data


def test_every_must_has_a_vector() -> None:
    """Each clause is named by a vector, or by a test where no input can break it."""
    clauses = re.findall(r"^\*\*(IMPORT-[0-9]+)\*\*", TEXT, re.MULTILINE)
    assert clauses == [f"IMPORT-{number}" for number in range(1, len(clauses) + 1)]
    named = {vector["clause"] for content in FILES.values() for vector in content["vectors"]}
    # IMPORT-38 is about reading twice: each vector of a file is read again.
    assert named | {"IMPORT-38"} == set(clauses)


def test_every_code_of_the_rules_has_a_vector() -> None:
    """A code that a clause names is one that a vector expects."""
    rules = TEXT[TEXT.index("## Rules") : TEXT.index("## Security")]
    codes = set(re.findall(r"`(E_[A-Z_]+)`", rules))
    expected = {vector["code"] for content in FILES.values() for vector in content["vectors"]}
    assert codes == expected - {None}


def test_every_clause_says_must() -> None:
    """A numbered clause that obliges nobody is none."""
    for clause in re.findall(r"^\*\*IMPORT-[0-9]+\*\*.*?(?=\n\n)", TEXT, re.MULTILINE | re.DOTALL):
        assert "MUST" in clause, clause


def test_names_of_vectors_are_unique() -> None:
    """A vector can be found by its file and name."""
    for name, content in FILES.items():
        names = [vector["name"] for vector in content["vectors"]]
        assert len(names) == len(set(names)), name


def test_files_are_what_the_generator_writes() -> None:
    """The files in the repository are fresh."""
    assert generator().files() == FILES


def _written(shelf: Any, vector: Vector, number: int) -> Path:
    file = vector["files"][number]
    data = bytes.fromhex(file["hex"]) if isinstance(file, dict) else file.encode()
    path: Path = shelf.write(data, f"{number}.json")
    return path


def _made(shelf: Any, kind: str) -> Path:
    path: Path = shelf.folder / kind
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    return path


def _told(value: Any) -> Any:
    """Return what a report says in the vector's form: of problems, code and pointer."""
    if isinstance(value, list) and value and isinstance(value[0], Problem):
        return [{"code": problem.code, "pointer": problem.pointer} for problem in value]
    return msgspec.to_builtins(value)


def _check_entries(shelf: Any, vector: Vector) -> None:
    entries = [read_entry(data) for _, data in shelf.ledger.entries()]
    for entry, expected in zip(entries, vector["events"], strict=False):
        if expected is not None:
            type_, fields = expected
            assert entry.type == type_
            for name, value in fields.items():
                wanted = bytes.fromhex(value["hex"]) if _is_hex(value) else value
                assert entry.body[name] == wanted, name
    assert len(entries) >= len(vector["events"])
    for hexa in vector.get("absent_hex", []):
        assert bytes.fromhex(hexa) not in shelf.entries()
    if "unmapped" in vector:
        assert json.loads(shelf.blob(0, "unmapped")) == vector["unmapped"]
    if "not_absent" in vector:
        assert vector["not_absent"] not in entries[2].body["absent"]
    if "comparable" in vector:
        keys = {body["comparability"] for body in shelf.bodies("release.reported")}
        assert (len(keys) == 1) == vector["comparable"]
    if "same_attempt" in vector:
        one, two = (entries[seq].body["attempt"] for seq in vector["same_attempt"])
        assert one == two


def _is_hex(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"hex"}


def _check_extraction(shelf: Any) -> None:
    """Read every record again, alone and with its envelope, as a verifier does (IMPORT-38)."""
    reader, context = reader_of("replaybook/1"), None
    for seq, data in shelf.ledger.entries():
        entry, raw = read_entry(data), shelf.blob(seq, "record")
        if entry.type == "release.reported/1":
            context = reader.context(raw)
        if entry.type == "record.quarantined/1":
            code = reader.fault(raw, context, entry.body["pointer"])
            assert code == (None if entry.body["code"] == "E_DUPLICATE_ROW" else entry.body["code"])
        elif raw is not None:
            for known in (None, context):
                fields = reader.extract(entry.type, raw, known)
                stands = {name: entry.body[name] for name in fields}
                for name, words in reader.contextual.items() if known is None else ():
                    if name in stands:
                        stands[name] = [word for word in stands[name] if word not in words]
                assert stands == fields


def generator() -> ModuleType:
    """Import the generator from where it stands, beside the modules it imports."""
    path = SPECS / "vectors" / "make_importers.py"
    spec = importlib.util.spec_from_file_location("make_importers", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent))
    return module
