"""Every vector of ``specs/vectors/pi``: sessions, and what becomes of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from canon.refusal import Refusal
from ledger.runs.pi import Imported, Session, read_session
from ledger.runs.pi.texts import Values

REPO = Path(__file__).resolve().parents[4]
CONTENT = json.loads((REPO / "specs/vectors/pi/sessions.json").read_text(encoding="utf-8"))
VECTORS: list[dict[str, Any]] = CONTENT["vectors"]
ACCEPTED = [one for one in VECTORS if one["expect"] == "accept"]
REFUSED = [one for one in VECTORS if one["expect"] == "refuse"]


def written(vector: dict[str, Any], folder: Path) -> Path:
    """Write the session of a vector into a file."""
    path = folder / "session.jsonl"
    given = vector.get("session")
    path.write_bytes(given.encode() if given is not None else bytes.fromhex(vector["session_hex"]))
    return path


def read(vector: dict[str, Any], folder: Path) -> tuple[Session, list[Imported]]:
    """Read the session of a vector, and its records."""
    session = read_session(written(vector, folder))
    limit = vector.get("max_text", 20_000)
    made = session.records(phase="agent", now=CONTENT["now"], max_text=limit)
    return session, list(made)


def short(one: Imported) -> list[Any]:
    """Return a record as vectors list it."""
    record = one.record
    return [
        record["record"],
        record["call_id"],
        one.line,
        record["tool"] if record["record"] == "call" else record["status"],
    ]


@pytest.mark.parametrize("vector", ACCEPTED, ids=lambda vector: vector["name"])
def test_sessions_that_are_read(vector: dict[str, Any], tmp_path: Path) -> None:
    """Their records, problems and counts are those that the vector spells out."""
    session, made = read(vector, tmp_path)
    assert [short(one) for one in made] == vector["records"]
    report = session.report.document()
    problems = [[one["line"], one["code"]] for one in report["problems"]]
    assert sorted(problems) == sorted(vector["problems"])
    assert {key: report[key] for key in vector.get("report", {})} == vector.get("report", {})
    fields = vector.get("fields", {})
    assert {key: made[0].record[key] for key in fields} == fields
    if "whole" in vector:
        assert [one.record for one in made] == vector["whole"]


@pytest.mark.parametrize(
    "vector",
    [one for one in ACCEPTED if {"texts", "truncated", "images", "nowhere"} & set(one)],
    ids=lambda vector: vector["name"],
)
def test_texts_of_results_are_those_of_the_vector(vector: dict[str, Any], tmp_path: Path) -> None:
    """Text, cut, images and whole texts are those that the vector spells out; no prose is."""
    _, made = read(vector, tmp_path)
    results = [one.record["result"] for one in made if one.record["record"] == "result"]
    if "texts" in vector:
        assert [one["text"] for one in results] == vector["texts"]
    if "truncated" in vector:
        assert [one["truncated"] for one in results] == vector["truncated"]
    if "images" in vector:
        assert [image for one in results for image in one["images"]] == vector["images"]
    if "attachments" in vector:
        handed = [one.attachment for one in made if one.attachment]
        assert [[one.path, one.data.decode()] for one in handed] == vector["attachments"]
    everything = repr([one.record for one in made])
    assert [said for said in vector.get("nowhere", []) if said in everything] == []


@pytest.mark.parametrize(
    "vector", [one for one in ACCEPTED if "arguments" in one], ids=lambda vector: vector["name"]
)
def test_numbers_of_arguments(vector: dict[str, Any], tmp_path: Path) -> None:
    """PI-7: numbers are decimals and integers, and have every digit."""
    _, made = read(vector, tmp_path)
    assert _text(made[0].record["arguments"]) == vector["arguments"]


@pytest.mark.parametrize("vector", REFUSED, ids=lambda vector: vector["name"])
def test_files_that_are_refused(vector: dict[str, Any], tmp_path: Path) -> None:
    """The code is that of the vector, and nothing is read."""
    with pytest.raises(Refusal) as refused:
        read_session(written(vector, tmp_path))
    assert refused.value.code == vector["code"]
    assert refused.value.place.startswith("session.jsonl, line ")


def test_the_vectors_are_those_that_the_generator_makes() -> None:
    """`make vectors` changes nothing."""
    import make_pi

    assert json.loads(json.dumps(make_pi.vectors())) == VECTORS
    assert len({one["name"] for one in VECTORS}) == len(VECTORS)


def _text(value: Any) -> str:
    if isinstance(value, dict):
        members = ", ".join(f'"{key}": {_text(one)}' for key, one in value.items())
        return f"{{{members}}}"
    assert not isinstance(value, float)
    return str(value)


def test_json_of_other_parts_is_json() -> None:
    """PI-10: what a part of another type becomes can be read again, numbers as they are written."""
    from ledger.importers.source_json import parse

    source = b'{"a": [1.50, -0.0, 1e5, true, null, "\xc3\xa9\\n"], "b\\"": {}}'
    assert Values().json(parse(source, "here")) == source.decode().replace("\\n", "\\n")
