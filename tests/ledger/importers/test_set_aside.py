"""Rows that cannot be counted: set aside, with nothing around them lost."""

import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from ledger.importers import reader_of
from ledger.importers.source_rows import Split

Document = dict[str, Any]
Change = Callable[..., Document]


def with_literal(document: Document, literal: str) -> bytes:
    """Return the document as JSON in which the text ``@@`` is a literal of any spelling."""
    return json.dumps(document).replace('"@@"', literal).encode()


QUARANTINED: list[tuple[str, str, str, str]] = [
    ("trial_status", '"exploded"', "E_STATUS_UNKNOWN", "/trial_status"),
    ("trial_status", '""', "E_STATUS_UNKNOWN", "/trial_status"),
    ("trial_status", "null", "E_FIELD", "/trial_status"),
    ("reward", "2", "E_REWARD", "/reward"),
    ("reward", "0.5", "E_REWARD", "/reward"),
    ("reward", "null", "E_REWARD", "/reward"),
    ("reward", "true", "E_REWARD", "/reward"),
    ("reward", '"1"', "E_REWARD", "/reward"),
    ("reward", "NaN", "E_NOT_FINITE", "/reward"),
    ("reward", "1e400", "E_NUMBER_RANGE", "/reward"),
    ("attempt", "NaN", "E_NOT_FINITE", "/attempt"),
    ("attempt", "-1", "E_FIELD", "/attempt"),
    ("attempt", "1.5", "E_FIELD", "/attempt"),
    ("attempt", "9223372036854775808", "E_FIELD", "/attempt"),
    ("scenario_version", "null", "E_FIELD", "/scenario_version"),
    ("scenario_version", '"1"', "E_FIELD", "/scenario_version"),
    ("model", '"half \\ud800"', "E_IDENTIFIER", "/model"),
    ("model", '"bad \\udcff"', "E_IDENTIFIER", "/model"),
    ("model", '"two\\nlines"', "E_IDENTIFIER", "/model"),
    ("model", '"trailing\\n"', "E_IDENTIFIER", "/model"),
    ("model", '"e\\u0301"', "E_IDENTIFIER", "/model"),
    ("model", '""', "E_IDENTIFIER", "/model"),
    ("model", f'"{"x" * 257}"', "E_IDENTIFIER", "/model"),
    ("model", f'"{"é" * 129}"', "E_IDENTIFIER", "/model"),
    ("model", "null", "E_FIELD", "/model"),
    ("reasoning_effort", '"two\\nlines"', "E_IDENTIFIER", "/reasoning_effort"),
    ("reasoning_effort", "3", "E_FIELD", "/reasoning_effort"),
    ("run_id", "17", "E_FIELD", "/run_id"),
    ("started_at", '"2026-02-28T10:00:00"', "E_INSTANT_NAIVE", "/started_at"),
    ("started_at", '"yesterday"', "E_INSTANT", "/started_at"),
    ("started_at", '"2026-02-30T10:00:00Z"', "E_INSTANT", "/started_at"),
    ("started_at", '"0000-02-20T10:00:00Z"', "E_INSTANT", "/started_at"),
    ("finished_at", '"2026-02-28T10:00:00.1234567Z"', "E_INSTANT_PRECISION", "/finished_at"),
    ("finished_at", "null", "E_FIELD", "/finished_at"),
    ("usage", "[]", "E_FIELD", "/usage"),
    ("usage", '{"cost_usd": "1"}', "E_FIELD", "/usage/cost_usd"),
    ("usage", '{"input_tokens": -3}', "E_FIELD", "/usage/input_tokens"),
    ("usage", '{"output_tokens": NaN}', "E_NOT_FINITE", "/usage/output_tokens"),
    ("verification", '{"host_reboot": 1}', "E_FIELD", "/verification/host_reboot"),
    ("verification", '{"after_agent_timeout": 1}', "E_FIELD", "/verification/after_agent_timeout"),
    ("recording", '{"tool_calls": "6"}', "E_FIELD", "/recording/tool_calls"),
    (
        "recording",
        '{"tool_duration_seconds": NaN}',
        "E_NOT_FINITE",
        "/recording/tool_duration_seconds",
    ),
    ("agent_duration_seconds", "1e99", "E_NUMBER_RANGE", "/agent_duration_seconds"),
    ("agent_timeout_seconds", "false", "E_FIELD", "/agent_timeout_seconds"),
    ("failure", "{}", "E_FIELD", "/failure"),
    ("failure_category", "7", "E_FIELD", "/failure_category"),
]


@pytest.mark.parametrize(("field", "literal", "code", "pointer"), QUARANTINED)
def test_a_row_that_cannot_be_counted_is_set_aside(
    shelf: Any, changed: Change, field: str, literal: str, code: str, pointer: str
) -> None:
    """Its bytes and the reason are kept, and nothing around it is lost."""
    path = shelf.write(with_literal(changed(5, **{field: "@@"}), literal))
    report = shelf.take(path)
    assert (report.new, report.quarantined, report.events) == (11, 1, 14)
    (problem,) = report.problems
    assert (problem.code, problem.pointer) == (code, f"/runs/5{pointer}")
    assert problem.place == f"{path}#/runs/5{pointer}"
    (body,) = shelf.bodies("record.quarantined")
    assert (body["code"], body["pointer"], body["source"]) == (code, f"/runs/5{pointer}", 0)
    seq = 2 + 5
    assert shelf.types()[seq] == "record.quarantined/1"
    assert shelf.blob(seq, "reason") == problem.message.encode()
    assert literal.encode() in shelf.blob(seq, "record")
    indices = [row["index"] for row in shelf.bodies("attempt.reported")]
    assert indices == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11]


@pytest.mark.parametrize(
    "field",
    [
        "agent",
        "attempt",
        "finished_at",
        "model",
        "reward",
        "run_id",
        "scenario",
        "scenario_version",
        "started_at",
        "trial_status",
    ],
)
def test_a_row_without_identity_is_set_aside(shelf: Any, release: Document, field: str) -> None:
    """The missing field is named."""
    del release["runs"][0][field]
    report = shelf.take(release)
    assert [problem.code for problem in report.problems] == ["E_FIELD_MISSING"]
    assert report.problems[0].pointer == f"/runs/0/{field}"


@pytest.mark.parametrize("row", [None, 5, "row", [], {}])
def test_a_row_that_is_no_row_is_set_aside(shelf: Any, release: Document, row: object) -> None:
    """Whatever stands in the array."""
    release["runs"].insert(3, row)
    report = shelf.take(release)
    assert (report.rows, report.new, report.quarantined) == (13, 12, 1)


def test_a_row_with_a_key_twice_is_set_aside(shelf: Any, release: Document) -> None:
    """Readers would disagree about its value."""
    data = json.dumps(release).replace('"reward": 0', '"reward": 1, "reward": 0').encode()
    report = shelf.take(data)
    assert [problem.code for problem in report.problems] == ["E_JSON_DUPLICATE_KEY"]
    assert report.problems[0].pointer == "/runs/10"
    assert report.new == 11


@pytest.mark.parametrize("depth", [80, 20_000])
def test_a_row_nested_too_deep_is_set_aside(shelf: Any, changed: Change, depth: int) -> None:
    """Also one that is deeper than the interpreter's stack."""
    report = shelf.take(with_literal(changed(2, extra="@@"), "[" * depth + "]" * depth))
    assert [problem.code for problem in report.problems] == ["E_JSON_DEPTH"]
    assert report.new == 11


def test_a_trial_twice_in_one_file_counts_once(shelf: Any, release: Document) -> None:
    """The first row is kept, the second set aside with a pointer to the first."""
    again = {**release["runs"][4], "reward": 0, "run_id": "another-name"}
    release["runs"].append(again)
    report = shelf.take(release)
    (problem,) = report.problems
    assert (problem.code, problem.pointer) == ("E_DUPLICATE_ROW", "/runs/12")
    assert "/runs/4" in problem.message
    assert (report.new, report.quarantined) == (12, 1)


def test_bad_rows_are_told_again_when_the_file_is_imported_again(
    shelf: Any, changed: Change
) -> None:
    """Nothing is added, and nothing is silent."""
    document = changed(1, reward=9)
    first, second = shelf.take(document), shelf.take(document)
    assert second.problems == first.problems
    assert (second.events, second.known, second.quarantined) == (0, 11, 1)


def test_problems_are_bounded_in_number(
    shelf: Any, release: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of bad rows cannot fill the memory with messages."""
    monkeypatch.setattr("ledger.importers.findings.MAX_PROBLEMS", 4)
    for row in release["runs"]:
        row["reward"] = 3
    report = shelf.take(release)
    assert (len(report.problems), report.problems_left_out, report.quarantined) == (4, 8, 12)


ELEMENTS = [
    b'{"a": 1, "a": 2}', b"NaN", b"-Infinity", b"1e999999", b'"\\ud800"', b"null", b"5", b"[]",
    b"[" * 70 + b"]" * 70, b"9" * 5_000, b'"\xff"', b'{"a" :\t1 }',
]  # fmt: skip


@pytest.mark.parametrize("element", ELEMENTS)
def test_whatever_a_file_has_as_a_row_is_a_record(element: bytes) -> None:
    """However unreadable it is; two of them, a part of one and nothing are none (VERIFY-8)."""
    file = b'{"runs": [ ' + element + b" ,\n 7]}"
    raw = next(raw for _, raw, _ in Split(io.BytesIO(file), "runs", "file"))
    reader = reader_of("replaybook/1")
    assert raw == element
    assert reader.is_record(raw)
    others = [raw + b",7", b" " + raw, raw + b"\n", b"", raw + b"]", raw + b'], "runs": [7']
    assert not any(map(reader.is_record, others))
