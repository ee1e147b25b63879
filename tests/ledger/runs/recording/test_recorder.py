"""Records appended one by one: what they get, what is refused, and what a failure leaves."""

import errno
import json
import os
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from run_made import RUN_ID, change, lines_of, moment, opened, recorder

from canon.refusal import Refusal
from ledger.errors import (
    CallRepeated,
    FileUnwritable,
    RecordEarly,
    RecordField,
    RecordLong,
    RecordTime,
    ResultRepeated,
    ResultUncalled,
    RunForeign,
    RunLocked,
    RunMissing,
    RunTorn,
    RunUnreadable,
    RunWord,
)
from ledger.runs.directory import Directory
from ledger.runs.json_text import text_of
from ledger.runs.layout import MAX_LINE_BYTES
from ledger.runs.recording import Recorder, Repair, appender, repair, sink
from ledger.runs.structure import problems

TRAJECTORY = "trajectory.jsonl"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return a run that was just opened."""
    return opened(tmp_path / "run")


def test_a_record_gets_number_time_run_and_schema(run: Path) -> None:
    """And is on the disk, as a line, when the method returns (RUN-71, RUN-72, RUN-77)."""
    with recorder(run) as recording:
        made = recording.call("c1", "bash", {"command": "ls"}, tick=7)
        assert lines_of(run / TRAJECTORY)[-1] == made
        assert (run / TRAJECTORY).read_bytes().endswith(b"\n")
        assert made == {
            "schema": "mc-agent-coldstart-trajectory/1", "record": "call", "run_id": RUN_ID,
            "call_id": "c1", "tool": "bash", "arguments": {"command": "ls"}, "phase": "agent",
            "actor": "agent", "tick": 7, "at": moment(1),
            "seq": 2,
        }  # fmt: skip
        assert recording.result("c1", "ok")["seq"] == 3
        assert recording.phase("audit", "reviewer", evidence=["trajectory:c1"])["seq"] == 4
        assert recording.mark("done")["seq"] == 5
        assert recording.record({"record": "mark", "name": "n", "odd": None})["seq"] == 6
    assert problems(Directory(run)) == []


def test_a_time_may_be_given(run: Path) -> None:
    """As it was written, and other records go on from it (RUN-77)."""
    with recorder(run, 3_600) as recording:
        recording.mark("a", at="2026-01-01T02:00:00+01:00")
        assert recording.record({"record": "mark", "name": "b", "at": 1_767_229_200})["at"] == (
            1_767_229_200
        )
    assert problems(Directory(run)) == []


Refused = Callable[[Recorder], Any]
REFUSED: dict[str, tuple[Refused, type[Refusal]]] = {
    "another run": (lambda r: r.record({"record": "mark", "name": "n", "run_id": "b"}), RunForeign),
    "another run, aliased": (
        lambda r: r.record({"record": "mark", "name": "n", "runId": "b"}), RunForeign),
    "a phase": (lambda r: r.call("c2", "t", {}, phase="party"), RunWord),
    "an actor": (lambda r: r.call("c2", "t", {}, actor="nobody"), RunWord),
    "a status": (lambda r: r.result("c1", "fine"), RunWord),
    "no phase": (lambda r: r.record({"record": "phase", "actor": "test"}), RunWord),
    "a kind": (lambda r: r.record({"record": "dance"}), RunWord),
    "a header": (lambda r: r.record({"record": "header"}), RunWord),
    "no kind": (lambda r: r.record({}), RunWord),
    "a number": (lambda r: r.record({"record": "mark", "name": "n", "seq": 9}), RecordField),
    "a schema": (lambda r: r.record({"record": "mark", "name": "n", "schema": "x"}), RecordField),
    "no call id": (lambda r: r.call(" ", "t", {}), RecordField),
    "no tool": (lambda r: r.call("c2", "", {}), RecordField),
    "no arguments": (lambda r: r.record({"record": "call", "call_id": "c2", "tool": "t"}),
                     RecordField),
    "no name": (lambda r: r.mark(""), RecordField),
    "no number at all": (lambda r: r.mark("n", {"x": float("nan")}), RecordField),
    "a decimal that is none": (lambda r: r.mark("n", {"x": Decimal("NaN")}), RecordField),
    "what JSON has not": (lambda r: r.mark("n", {"x": {1, 2}}), RecordField),
    "a name that is no text": (lambda r: r.mark("n", {1: 2}), RecordField),  # type: ignore[dict-item]
    "a call twice": (lambda r: r.call("c1", "t", {}), CallRepeated),
    "no call": (lambda r: r.result("c9", "ok"), ResultUncalled),
    "a second result": (lambda r: r.result("c0", "ok"), ResultRepeated),
    "no time": (lambda r: r.mark("n", at="later"), RecordTime),
    "an early time": (lambda r: r.mark("n", at=moment(1)), RecordEarly),
    "a long line": (lambda r: r.mark("n", {"x": "y" * MAX_LINE_BYTES}), RecordLong),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_not_be_valid_is_refused(name: str, run: Path) -> None:
    """Nothing is written, and the next record goes on as before (RUN-76, RUN-77, RUN-78)."""
    attempt, kind = REFUSED[name]
    with recorder(run) as recording:
        recording.call("c0", "t", {})
        recording.result("c0", "ok")
        recording.call("c1", "t", {})
        before = (run / TRAJECTORY).read_bytes()
        with pytest.raises(kind) as caught:
            attempt(recording)
        assert type(caught.value) is kind
        assert (run / TRAJECTORY).read_bytes() == before
        assert recording.result("c1", "ok")["seq"] == 5
    assert problems(Directory(run)) == []


def test_deep_values_are_refused(run: Path) -> None:
    """Not with a traceback (RUN-76)."""
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    with recorder(run) as recording, pytest.raises(RecordField):
        recording.mark("n", {"x": deep})


def test_numbers_and_text_are_kept_as_given(run: Path) -> None:
    """Decimals with zeros, text in its letters, a lone surrogate as its escape (RUN-78)."""
    with recorder(run) as recording:
        recording.mark("n", {"a": Decimal("1.50"), "b": "鉄 \u2028\n", "c": "\ud800", "d": (1, [])})
    line = (run / TRAJECTORY).read_text(encoding="utf-8").split("\n")[1]
    assert '"data": {"a": 1.50, "b": "鉄 \u2028\\n", "c": "\\ud800", "d": [1, []]}' in line
    assert text_of({}) == "{}"
    assert json.loads(line)["data"]["c"] == "\ud800"


def test_several_records_are_kept_all_or_none(run: Path) -> None:
    """A call and its result may come together (RUN-79)."""
    call = {"record": "call", "call_id": "c1", "tool": "t", "arguments": {}}
    result = {"record": "result", "call_id": "c1", "status": "ok"}
    with recorder(run) as recording:
        before = (run / TRAJECTORY).read_bytes()
        with pytest.raises(ResultRepeated):
            recording.record_all([call, result, result])
        assert (run / TRAJECTORY).read_bytes() == before
        assert [one["seq"] for one in recording.record_all([call, result])] == [2, 3]
        assert recording.record_all([]) == []
        with recording.held():
            with pytest.raises(CallRepeated):
                recording.record_all([call])
            assert recording.mark("still held")["seq"] == 4
    assert problems(Directory(run)) == []


def test_what_others_append_is_read_before_the_next_record(run: Path) -> None:
    """Two recorders take turns; each sees the other's calls (RUN-72)."""
    with recorder(run) as one, recorder(run) as two:
        one.call("c1", "t", {}, at=moment(5))
        assert two.result("c1", "ok", at=moment(6))["seq"] == 3
        with pytest.raises(ResultRepeated):
            one.result("c1", "ok", at=moment(7))
        with pytest.raises(RecordEarly):
            one.mark("n", at=moment(5.5))
        assert one.mark("n", at=moment(7))["seq"] == 4


def test_a_file_that_was_put_in_its_place_is_read_from_its_start(run: Path) -> None:
    """Replaced, cut short or emptied, it is what stands there that counts (RUN-72)."""
    path = run / TRAJECTORY
    with recorder(run) as recording:
        header = path.read_bytes()
        recording.call("c1", "t", {})
        path.rename(run / "moved")
        path.write_bytes(header)
        assert recording.call("c1", "t", {})["seq"] == 2
        os.truncate(path, len(header))
        assert recording.call("c1", "t", {})["seq"] == 2
        os.truncate(path, 0)
        assert recording.call("c1", "t", {})["seq"] == 1


def test_a_clock_that_was_set_back_a_little_is_waited_for(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And one that stays behind is refused (RUN-77)."""
    monkeypatch.setattr(appender, "_PAUSE_SECONDS", 0)
    times = iter([moment(5), moment(3), moment(4), moment(6)])
    with Recorder(run, clock=lambda: next(times)) as recording:
        recording.mark("a")
        assert recording.mark("b")["at"] == moment(6)
    monkeypatch.setattr(appender, "_PATIENCE_SECONDS", -1)
    with Recorder(run, clock=lambda: moment(1)) as recording, pytest.raises(RecordEarly):
        recording.mark("c")


def test_a_torn_line_is_never_glued_to_the_next(run: Path) -> None:
    """It is refused with its place; repair keeps the bytes, and recording goes on (RUN-74)."""
    path = run / TRAJECTORY
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"record": "ca')
    with recorder(run) as recording:
        for _ in range(2):
            with pytest.raises(RunTorn) as caught:
                recording.mark("n")
            assert caught.value.offset == len(whole)
        assert repair(run) == [Repair(TRAJECTORY, 14, "trajectory.jsonl.torn-1")]
        assert (run / "trajectory.jsonl.torn-1").read_bytes() == b'{"record": "ca'
        assert path.read_bytes() == whole
        assert recording.mark("n")["seq"] == 2
    with path.open("ab") as stream:
        stream.write(b"\xff" * 70_000)
    assert repair(run) == [Repair(TRAJECTORY, 70_000, "trajectory.jsonl.torn-2")]
    assert repair(run) == []
    assert problems(Directory(run)) == []


def test_a_whole_record_that_lacks_its_end_gets_it(run: Path) -> None:
    """Nothing of it is lost (RUN-74)."""
    path = run / TRAJECTORY
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    with recorder(run) as recording:
        with pytest.raises(RunTorn):
            recording.mark("n")
        (done,) = repair(run)
        assert done.kept is None
        assert recording.mark("n")["seq"] == 2
    (run / "reviews.jsonl").write_bytes(b'{"id"')
    assert [one.file for one in repair(run)] == ["reviews.jsonl"]


@pytest.mark.parametrize("part", [0, 10])
def test_a_full_disk_leaves_the_file_as_it_was(
    part: int, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether nothing was written, or half a record (RUN-73)."""
    write = os.write

    def full(handle: int, data: bytes) -> int:
        if not part:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(handle, data[:part])

    with recorder(run) as recording:
        recording.mark("a")
        before = (run / TRAJECTORY).read_bytes()
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(FileUnwritable, match="No space left"):
            recording.mark("b")
        monkeypatch.undo()
        assert (run / TRAJECTORY).read_bytes() == before
        assert recording.mark("b")["seq"] == 3
    assert problems(Directory(run)) == []


def test_every_record_is_one_write_and_then_synced(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its line end, before it is acknowledged (RUN-71)."""
    done: list[str] = []

    def told(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any) -> Any:
            done.append(name)
            return real(*given)

        return call

    monkeypatch.setattr(os, "write", told("write", os.write))
    monkeypatch.setattr(os, "fsync", told("fsync", os.fsync))
    with recorder(run) as recording:
        recording.mark("n")
    assert done == ["write", "fsync"]


def test_a_run_in_use_is_waited_for_and_then_refused(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what to do, and without a trace (RUN-70)."""
    monkeypatch.setattr(sink, "BUSY_SECONDS", 0.02)
    with recorder(run) as one, recorder(run) as two:
        with one.held(), pytest.raises(RunLocked):
            two.mark("n")
        assert two.mark("n")["seq"] == 2


def test_a_system_without_locks_has_a_file_for_one(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes with the lock; one that was left is waited for, and named (RUN-70)."""
    import builtins

    real = builtins.__import__

    def no_fcntl(name: str, *args: Any, **named: Any) -> Any:
        if name == "fcntl":
            raise ImportError(name)
        return real(name, *args, **named)

    monkeypatch.setattr(builtins, "__import__", no_fcntl)
    monkeypatch.setattr(sink, "BUSY_SECONDS", 0.02)
    beside = run / ".trajectory.jsonl.lock"
    with recorder(run) as recording:
        with recording.held():
            assert beside.exists()
        assert recording.mark("n")["seq"] == 2
        assert not beside.exists()
        beside.touch()
        with pytest.raises(RunLocked) as caught:
            recording.mark("n")
        assert str(beside) in caught.value.remedy


def test_a_hook_is_told_once_for_what_goes_together(run: Path) -> None:
    """When the records are there; what it raises undoes nothing (RUN-71)."""
    seen: list[int] = []

    def look() -> None:
        seen.append(len(lines_of(run / TRAJECTORY)))
        if len(seen) > 2:
            raise RuntimeError("the ledger is away")

    with recorder(run, on_append=look) as recording:
        recording.mark("a")
        with recording.held():
            recording.mark("b")
            recording.mark("c")
        assert seen == [2, 4]
        with pytest.raises(RuntimeError):
            recording.mark("d")
    assert [one["seq"] for one in lines_of(run / TRAJECTORY)] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (lambda run: (run / "run.json").unlink(), RunMissing),
        (lambda run: (run / "run.json").write_text("{"), RunUnreadable),
        (lambda run: (run / "run.json").write_text("[]"), RunUnreadable),
        (lambda run: change(run / "run.json", schema="x"), RunUnreadable),
        (lambda run: change(run / "run.json", run_id=5), RunUnreadable),
        (lambda run: (run / TRAJECTORY).unlink(), RunMissing),
        (lambda run: (run / TRAJECTORY).rename(run / "t") and (run / TRAJECTORY).mkdir(),
         FileUnwritable),
    ],
)  # fmt: skip
def test_a_run_that_is_not_whole_is_not_added_to(
    fault: Callable[[Path], Any], kind: type[Refusal], run: Path
) -> None:
    """It is said what is missing (RUN-76)."""
    fault(run)
    with pytest.raises(kind), recorder(run) as recording:
        recording.mark("n")


def test_a_trajectory_that_is_a_link_is_not_followed(run: Path) -> None:
    """What it leads to is another's (RUN-20)."""
    (run / TRAJECTORY).rename(run.parent / "elsewhere")
    (run / TRAJECTORY).symlink_to(run.parent / "elsewhere")
    with pytest.raises(FileUnwritable), recorder(run) as recording:
        recording.mark("n")


def test_no_run_is_no_traceback(tmp_path: Path) -> None:
    """Nor is a file in its place (RUN-76)."""
    (tmp_path / "file").touch()
    for where in (tmp_path / "nowhere", tmp_path / "file", tmp_path):
        with pytest.raises(RunMissing):
            recorder(where)
