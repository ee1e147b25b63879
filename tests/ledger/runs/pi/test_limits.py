"""Sessions that are made to take room, or to be misread: each costs no more than it has to."""

import os
from pathlib import Path
from typing import Any

import pytest
from pi_sessions import Made, call, text, usage

from canon.refusal import Refusal
from ledger.errors import SourceDirectory, SourceMissing, SourceUnreadable
from ledger.runs.pi import Imported, Session, messages, read_session

NOW = "2026-04-01T00:00:00.000000Z"


def read(data: bytes, folder: Path) -> tuple[Session, list[Imported]]:
    """Return a session and its records."""
    path = folder / "session.jsonl"
    path.write_bytes(data)
    session = read_session(path)
    return session, list(session.records(phase="agent", now=NOW))


def test_arguments_that_no_record_can_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PI-7: they are null, and named; what one record can hold stays."""
    monkeypatch.setattr(messages, "_LONG_LINE", 100)
    monkeypatch.setattr(messages, "_LONG_ARGUMENTS", 1_000)
    made = Made().turn(call("c1", a="x" * 990), call("c2", a="x" * 1_000))
    session, records = read(made.result("c1").result("c2").data(), tmp_path)
    assert [one.record["arguments"] for one in records[:2]] == [{"a": "x" * 990}, None]
    assert session.report.problems.counts == {"E_PI_LINE_LONG": 1}
    assert "content/1/arguments" in session.report.problems.kept[0].message


def test_words_of_a_session_are_counted_together_beyond_the_hundredth(tmp_path: Path) -> None:
    """PI-6: a thousand types are a hundred rows in the report, and all are counted."""
    made = Made()
    for number in range(1_000):
        made.entry(f"{number}-{'x' * 1_000}", role=str(number))
    session, _ = read(made.data(), tmp_path)
    entries = session.report.entries
    assert len(entries) <= 101
    assert entries.total() == 1_001
    assert max(map(len, entries)) <= 65
    problems = session.report.document()
    assert (len(problems["problems"]), problems["problems_left_out"]) == (50, 950)
    assert problems["problem_counts"] == {"E_PI_ENTRY_UNKNOWN": 1_000}


def test_models_beyond_the_hundredth_are_in_the_sum(tmp_path: Path) -> None:
    """PI-16: what models beyond the hundredth cost is still in the sum."""
    made = Made()
    for number in range(300):
        made.turn(text("x"), stop="stop", model=f"m{number}", usage=usage(1))
    session, _ = read(made.data(), tmp_path)
    assert len(session.report.models) <= 101
    assert session.report.spent.cost_usd == "300"
    assert sum(int(spent.cost_usd or 0) for spent in session.report.models.values()) == 300


def test_long_names_are_told_apart(tmp_path: Path) -> None:
    """PI-13: ids of thousands of letters that differ in the last one are two ids."""
    one, other = "x" * 5_000 + "1", "x" * 5_000 + "2"
    session, records = read(Made().calls(one, other).result(other).data(), tmp_path)
    assert [len(said.record["call_id"]) for said in records] == [5_001] * 3
    assert session.report.problems.counts == {"E_PI_UNANSWERED": 1}
    assert [len(call.call_id) for call in session.report.unanswered] == [200]


def test_long_names_of_entries_are_told_apart(tmp_path: Path) -> None:
    """PI-2: entries whose names differ in the last letter are two entries."""
    made = Made().entry("label", id="y" * 5_000 + "1").back("y" * 5_000 + "1")
    made.calls("c1").entry("label", id="y" * 5_000 + "2", parentId=None)
    session, records = read(made.back("y" * 5_000 + "1").calls("c2").data(), tmp_path)
    assert [said.record["call_id"] for said in records] == ["c2"]
    assert "E_PI_PLACE" not in session.report.problems.counts


@pytest.mark.parametrize("escape", ["\\ud800", "\\udfff", "\\udc80"])
def test_half_characters_in_names(escape: str, tmp_path: Path) -> None:
    """PI-14: in the names of calls, tools and entries they are replaced like everywhere."""
    made = Made().turn(call("c~1", "ba~sh", **{"k~": "v~"})).result("c~1", "t~", toolName="ba~sh")
    data = made.data().replace(b'"a1"', b'"a~1"').replace(b"~", escape.encode())
    session, records = read(data, tmp_path)
    first, second = (said.record for said in records)
    assert first["call_id"] == second["call_id"] == "c\ufffd1"
    assert first["tool"] == second["tool_name"] == "ba\ufffdsh"
    assert first["arguments"] == {"k\ufffd": "v\ufffd"}
    assert first["origin"]["entry"] == "a\ufffd1"
    assert session.report.problems.counts == {"E_PI_TEXT": 2}


@pytest.mark.parametrize("name", ["missing.jsonl", "missing/session.jsonl"])
def test_a_file_that_is_not_there(name: str, tmp_path: Path) -> None:
    """It is refused under its own code."""
    with pytest.raises(SourceMissing):
        read_session(tmp_path / name)


def test_a_folder_a_pipe_and_a_name_that_is_none(tmp_path: Path) -> None:
    """Nothing but a regular file can be read twice; nothing waits for a writer."""
    os.mkfifo(tmp_path / "pipe")
    refused: list[tuple[Path, type[Refusal]]] = [
        (tmp_path, SourceDirectory),
        (tmp_path / "pipe", SourceUnreadable),
        (tmp_path / ("x" * 5_000), SourceUnreadable),
        (tmp_path / "a\0b", SourceUnreadable),
    ]
    for path, code in refused:
        with pytest.raises(code):
            read_session(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    """It is refused under its own code, and so is one in a folder that is closed."""
    path = tmp_path / "closed" / "session.jsonl"
    path.parent.mkdir()
    path.write_bytes(Made().data())
    for closed in (path, path.parent):
        closed.chmod(0)
        with pytest.raises(SourceUnreadable):
            read_session(path)
        closed.chmod(0o700)


@pytest.mark.parametrize(
    "entry",
    [
        {"role": "assistant", "content": [None, 1, "x", [], {}, {"type": 1}, {"type": "toolCall"}]},
        {"role": "assistant", "content": {}, "usage": []},
        {"role": "assistant", "usage": {"cost": {"total": {}}, "input": "x"}, "content": ""},
        {"role": "toolResult", "toolCallId": [], "content": 1},
        {"role": "toolResult", "toolCallId": "x", "content": [None, 1, [], {"type": "text"}]},
        {"role": ["assistant"], "content": [{"type": []}]},
        {"role": None},
        {},
    ],
)
def test_shapes_that_pi_does_not_write(entry: dict[str, Any], tmp_path: Path) -> None:
    """PI-6: a value of another kind anywhere is a problem or counted, never a fault of ours."""
    session, records = read(Made().message(**entry).calls("c1").result("c1").data(), tmp_path)
    assert [said.record["call_id"] for said in records][-2:] == ["c1", "c1"]
    assert session.report.unread == 0
    assert session.report.messages.total() == 3


@pytest.mark.parametrize("kind", [None, 1, [], {}, {"type": "message"}])
def test_types_that_are_no_text(kind: Any, tmp_path: Path) -> None:
    """PI-6: a type that is no text is unknown."""
    session, records = read(Made().calls("c1").entry(kind).result("c1").data(), tmp_path)
    assert len(records) == 2
    assert session.report.problems.counts == {"E_PI_ENTRY_UNKNOWN": 1}


def test_a_session_whose_name_is_no_text(tmp_path: Path) -> None:
    """PI-14: its name is cleaned too, so that its records are known again."""
    data = Made(3, "s~").calls("c1").result("c1").data().replace(b"s~", b"s\\ud800")
    session, records = read(data, tmp_path)
    assert {said.record["origin"]["session"] for said in records} == {"s\ufffd"}
    assert session.report.problems.counts == {"E_PI_TEXT": 1}
