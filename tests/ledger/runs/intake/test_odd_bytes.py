"""Bytes that nobody wrote on purpose: kept as they are, and told."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from ledger.check import check_ledger
from ledger.errors import RunChanged, RunLine
from ledger.runs.contents import File
from ledger.runs.directory import Directory
from ledger.runs.extraction import event_of
from ledger.runs.intake import taking
from ledger.runs.intake.observing import observe
from ledger.runs.layout import MAX_NAMED

AT = "2026-03-01T00:00:00.000000Z"


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"\n", "blank"),
        (b" \t\r\n", "blank"),
        (b"\x00\xff\xfe\x80\n", "not_utf8"),
        (b'{"a": 1, "a": 2}\n', "duplicate_name"),
        (b"[1, 2]\n", "not_an_object"),
        (b'{"record": "call"\n', "not_json"),
        (b'{"a": NaN}\n', "not_json"),
        (b"[" * 100_000 + b"\n", "too_deep"),
    ],
)
def test_a_line_that_is_no_record_is_set_aside(
    shelf: Any, run: Any, line: bytes, fault: str
) -> None:
    """KEEP-3: its bytes are a record with the fault, and those around it are read."""
    run.write("trajectory.jsonl", b'{"record": "header"}\n' + line + b'{"record": "mark"}\n')
    report = shelf.take(run)
    assert (report.quarantined, report.problems[0].code) == (1, fault)
    assert report.problems[0].place == "trajectory.jsonl:2"
    faults = [one["fault"] for one in shelf.bodies("trajectory.recorded/1")]
    assert faults == [None, fault, None]
    assert shelf.text("trajectory") == run.read("trajectory.jsonl")


def test_a_binary_file_is_kept_line_by_line(shelf: Any, run: Any) -> None:
    """KEEP-3: whatever stands in a file of records, its lines are its bytes."""
    data = bytes(range(256)) * 40
    run.write("trajectory.jsonl", data)
    report = shelf.take(run)
    assert report.quarantined == data.count(b"\n") + 1
    assert shelf.text("trajectory") == data


def test_an_unknown_kind_is_a_record(shelf: Any, run: Any) -> None:
    """KEEP-3: what is not known is kept as it is, for whoever knows it."""
    run.append("trajectory.jsonl", {"record": "dream", "of": "sheep"})
    assert shelf.take(run).quarantined == 0
    assert shelf.bodies("trajectory.recorded/1")[-1]["kind"] == "dream"


def test_names_that_do_not_fit_are_flags(shelf: Any, run: Any) -> None:
    """KEEP-3: a record whose field cannot stand in an entry counts, and is flagged."""
    run.append("trajectory.jsonl", {"record": "call", "tool": "e\u0301"}, {"tool": "x" * 300})
    report = shelf.take(run)
    assert report.quarantined == 0
    (flag,) = report.flags
    assert (flag.flag, flag.count, flag.pointer) == ("unfit:tool", 2, "trajectory.jsonl:4")


def test_empty_files_have_no_records(shelf: Any, run: Any) -> None:
    """A file without bytes is present all the same."""
    run.write("trajectory.jsonl", b"")
    run.write("answer.json", b"")
    shelf.take(run)
    assert shelf.text("trajectory") == shelf.text("answer") == b""
    assert shelf.take(run).events == 0


def test_a_very_long_line_is_kept_whole(shelf: Any, run: Any) -> None:
    """KEEP-3, VERIFY-25: over 16 MiB it is not read, and not lost; the ledger holds."""
    long = b'{"record": "call", "arguments": "' + b"x" * (40 * 2**20) + b'"}\n'
    run.write("trajectory.jsonl", b'{"record": "header"}\n' + long)
    report = shelf.take(run)
    assert [one.code for one in report.problems] == ["too_long"]
    assert shelf.blob(shelf.ledger.size - 1, "line") == long
    assert check_ledger(shelf.ledger).ok


def test_an_event_about_a_very_long_line_says_nothing_else(
    shelf: Any, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """VERIFY-25: fields that nobody could have read are refused."""
    run.write("trajectory.jsonl", b'{"record": "call", "pad": "' + b"x" * (17 * 2**20) + b'"}\n')
    claimed = event_of("trajectory", 0, b'{"record": "call"}', 0)

    def claim(role: Any, line: int, data: bytes, source: int, slot: Any = None) -> Any:
        made = event_of(role, line, data, source, slot)
        return made if made.fault is None else replace(claimed, source=source, fault="too_long")

    monkeypatch.setattr(taking, "event_of", claim)
    shelf.take(run)
    verdict = check_ledger(shelf.ledger)
    assert verdict.error is not None
    assert (verdict.error.code, verdict.error.step) == ("E_EXTRACT", "extraction")


def test_a_document_that_names_too_many_files_names_none(shelf: Any, run: Any) -> None:
    """KEEP-4: whoever writes a run must not fill a ledger with names."""
    run.edit("run.json", artifacts=[{"path": "artifacts/001-a.jar"}] * (MAX_NAMED + 1))
    shelf.take(run)
    assert "artifact" not in {file.role for file in shelf.held().files()}
    assert shelf.bodies("item.declared/1")[0]["slot"] is None
    assert len(shelf.bodies("item.declared/1")) == 5
    assert shelf.text("manifest") == run.read("run.json")


def test_a_line_that_no_blob_can_hold_is_refused(
    shelf: Any, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """KEEP-10: the file and the line are named, and nothing is appended."""
    monkeypatch.setattr(taking, "MAX_FILE_BYTES", 100)
    run.append("trajectory.jsonl", {"record": "call", "arguments": "x" * 100})
    before = shelf.ledger.head()
    with pytest.raises(RunLine) as caught:
        shelf.take(run)
    assert (caught.value.place, caught.value.expected) == ("trajectory.jsonl:4", "at most 100")
    assert shelf.ledger.head() == before


class Meddling(Directory):
    """A directory in which somebody writes after it was looked at."""

    def __init__(self, root: Path, meddle: Any) -> None:
        super().__init__(root)
        self._meddle = meddle

    def lines(self, file: File) -> Iterator[bytes]:
        """Yield lines, after something was done."""
        self._meddle()
        return super().lines(file)

    def data(self, file: File) -> bytes:
        """Return bytes, after something was done."""
        if hasattr(self, "_meddle"):
            self._meddle()
        return super().data(file)


@pytest.mark.parametrize("path", ["trajectory.jsonl", "task.md", "reviews.jsonl"])
@pytest.mark.parametrize("change", ["other", "gone", "shorter"])
def test_a_file_that_changes_while_it_is_read_is_refused(
    shelf: Any, run: Any, path: str, change: str
) -> None:
    """KEEP-10: nothing is appended, and the file is named."""

    def meddle() -> None:
        target = run.root / path
        if change == "gone":
            target.unlink(missing_ok=True)
        else:
            data = target.read_bytes() if target.exists() else b""
            target.write_bytes(data[:-1] if change == "shorter" else b"?" * len(data))

    before = shelf.ledger.head()
    with pytest.raises(RunChanged) as caught:
        observe(shelf.ledger, Meddling(run.root, meddle), at=AT, entropy=os.urandom)
    assert caught.value.place == path
    assert shelf.ledger.head() == before


def test_a_run_that_is_being_recorded_is_looked_at_again(shelf: Any, run: Any) -> None:
    """KEEP-16: what changes once is taken in as it is then; what goes on changing is refused."""
    changes = iter(range(2))

    def meddle() -> None:
        if (number := next(changes, None)) is not None:
            run.edit("run.json", notes=[number])

    def look() -> Directory:
        return Meddling(run.root, meddle)

    observe(shelf.ledger, look, at=AT, entropy=os.urandom)
    assert shelf.text("manifest") == run.read("run.json")
    assert len(shelf.bodies("file.observed/1")) == 13
    run.edit("run.json", notes=["new"])
    changes = iter(range(99))
    with pytest.raises(RunChanged):
        observe(shelf.ledger, look, at=AT, entropy=os.urandom)


def test_what_is_appended_meanwhile_is_for_the_next_time(shelf: Any, run: Any) -> None:
    """KEEP-10: a file that only grows is taken in as it was looked at."""
    was = run.read("trajectory.jsonl")

    def meddle() -> None:
        run.append("trajectory.jsonl", {"record": "mark"})

    observe(shelf.ledger, Meddling(run.root, meddle), at=AT, entropy=os.urandom)
    assert shelf.text("trajectory") == was
    report = shelf.take(run)
    assert (report.changed[0].role, report.changed[0].kept) == ("trajectory", 3)
    assert shelf.text("trajectory") == run.read("trajectory.jsonl")
