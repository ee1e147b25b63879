"""The page on runs: its Python runs as it stands, and its CDDL is what the recorder writes."""

import copy
import re
import sys
from pathlib import Path
from typing import Any

import cbor2
import pycddl  # type: ignore[import-untyped]
import pytest
from run_made import lines_of, opened, put, whole

from ledger.runs.json_text import read_document
from ledger.runs.layout import ACTORS, PHASES, SLOTS, STATUSES

SPECS = Path(__file__).resolve().parents[3] / "specs"
PAGE = (SPECS / "runs.md").read_text(encoding="utf-8")
CDDL = (SPECS / "cddl" / "runs.cddl").read_text(encoding="utf-8")
DOCUMENTS = {
    "run.json": "manifest",
    "visibility.json": "visibility",
    "evidence.json": "evidence",
    "trajectory.jsonl": "record",
    "reviews.jsonl": "review",
    "derivations.jsonl": "derivation",
}

MAY_BE_ANYTHING = {("reviews.jsonl", "seq"), ("derivations.jsonl", "seq")}
KINDS = {"header": "header", "call": "call", "result": "result", "phase": "phase-began",
         "mark": "mark"}  # fmt: skip


@pytest.fixture(scope="module")
def valid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a valid run with everything in it."""
    return whole(tmp_path_factory.mktemp("page") / "run")


def said(path: Path) -> list[Any]:
    """Return the values of a document or stream; decimals as numbers that CBOR has."""
    if path.suffix == ".jsonl":
        return lines_of(path)
    value, why = read_document(path.read_bytes())
    assert why is None
    return [value]


def schema(rule: str) -> pycddl.Schema:
    """Return one rule of the page's CDDL."""
    return pycddl.Schema(f"start = {rule}\n{CDDL}")


def checked(name: str, value: Any) -> pycddl.Schema:
    """Return the rule of a document, or of a record of its kind: pycddl is lost in choices."""
    if name == "reviews.jsonl":
        return schema(f"review-{value['status']}")
    kind = value.get("record")
    return schema(DOCUMENTS[name] if kind is None else KINDS[kind])


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_the_recorder_writes_is_what_the_cddl_says(name: str, valid: Path) -> None:
    """Every document and every record of a run with everything in it."""
    values = said(valid / name)
    for value in values:
        checked(name, value).validate_cbor(cbor2.dumps(value))
    assert values


def test_the_cddl_refuses_what_is_not_so(valid: Path) -> None:
    """A field that must be there, taken out, or of another kind."""
    refused = 0
    for name in DOCUMENTS:
        for value in said(valid / name):
            for field in ("schema", "run_id", "seq", "at", "id", "status", "output", "producer"):
                if field in value and (name, field) not in MAY_BE_ANYTHING:
                    wrong = copy.deepcopy(value) | {field: []}
                    with pytest.raises(pycddl.ValidationError):
                        checked(name, value).validate_cbor(cbor2.dumps(wrong))
                    refused += 1
    assert refused > 50


def test_withheld_files_are_what_the_cddl_says() -> None:
    """With and without a digest."""
    rule = schema("withheld")
    files = [
        {"path": "a.json", "sha256": "0" * 64, "reason": "private"},
        {"path": "b.json", "sha256": None, "reason": "lost"},
    ]
    rule.validate_cbor(cbor2.dumps({"schema": "coldledger-withheld/1", "files": files}))
    with pytest.raises(pycddl.ValidationError):
        rule.validate_cbor(cbor2.dumps({"schema": "coldledger-withheld/1", "files": [{}]}))


def test_the_words_of_the_page_are_those_of_the_program() -> None:
    """Phases, actors, statuses and slots, on the page and in the CDDL."""
    for word in (*PHASES, *ACTORS, *STATUSES, *SLOTS):
        assert f"`{word}`" in PAGE
        assert f'"{word}"' in CDDL or f"? {word}: " in CDDL


def test_the_python_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder with a run and a file of that name."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    opened(tmp_path / "runs" / "first")
    put(tmp_path / "Logger.java", {})
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "runs.md", "exec"), {"__name__": "page"})  # noqa: S102 - our own page
    records = lines_of(tmp_path / "runs/first/trajectory.jsonl")
    assert [one["record"] for one in records] == ["header", "call", "result", "mark"]
    assert sys.modules.get("page") is None


def test_the_records_of_the_page_are_records() -> None:
    """As its CDDL says."""
    lines = re.findall(r'^(\{"schema": "mc-agent-coldstart-trajectory/1".*\})$', PAGE, re.MULTILINE)
    assert len(lines) == 2
    for line in lines:
        value, _ = read_document(line.encode())
        checked("trajectory.jsonl", value).validate_cbor(cbor2.dumps(value))
