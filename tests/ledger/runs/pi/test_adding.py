"""A session taken into a run: once, whole, and again when it has grown."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pi_sessions import Made, call

from canon.refusal import Refusal
from ledger.errors import PiSessionInvalid, RunPath, RunWord, SourceMissing
from ledger.runs.directory import Directory
from ledger.runs.pi import Added, add_session, adding
from ledger.runs.recording import Harness, Task, open_run
from ledger.runs.structure import problems

BEFORE = "2026-03-01T09:00:00.000000Z"
AFTER = "2026-04-01T00:00:00.000000Z"


class Place:
    """A run, and a session beside it."""

    def __init__(self, folder: Path) -> None:
        """Open a run before the session starts."""
        self.folder, self.run = folder, folder / "run"
        self.session = folder / "session.jsonl"
        open_run(
            self.run,
            run_id="run-1",
            task=Task(b"Look around.\n", "task.md"),
            harness=Harness("pi", "1", "first", "maker"),
            clock=lambda: BEFORE,
            entropy=lambda size: b"\x00" * size,
            cwd=folder,
        )

    def add(self, made: Made | None = None, **options: Any) -> Added:
        """Write the session, and import it."""
        if made is not None:
            self.session.write_bytes(made.data())
        given: dict[str, Any] = {"phase": "agent", "clock": lambda: AFTER, "cwd": self.folder}
        return add_session(self.run, self.session, **(given | options))

    def trajectory(self) -> list[dict[str, Any]]:
        """Return the records after the header."""
        lines = (self.run / "trajectory.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines[1:]]

    def imports(self) -> list[dict[str, Any]]:
        """Return what run.json names."""
        listed = json.loads((self.run / "run.json").read_bytes())["imports"]
        assert isinstance(listed, list)
        return listed

    def problems(self) -> list[str]:
        """Return the codes of what is wrong with the run."""
        return [problem.code for problem in problems(Directory(self.run))]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Return a new run."""
    return Place(tmp_path)


def two_calls() -> Made:
    """Return a session with a turn of two calls, of which the second fails."""
    return Made().user().calls("c1", "c2").result("c1").result("c2", "no", isError=True)


def test_two_calls_and_their_results(place: Place) -> None:
    """PI-18, PI-19: case P1: four records, a copy with its digest, and nothing wrong."""
    made = two_calls()
    added = place.add(made)
    assert (added.added, added.known, added.same_file) == (4, 0, False)
    kinds = [one["record"] for one in place.trajectory()]
    assert kinds == ["call", "call", "result", "result"]
    assert [one["seq"] for one in place.trajectory()] == [2, 3, 4, 5]
    assert all(one["run_id"] == "run-1" for one in place.trajectory())
    (entry,) = place.imports()
    assert entry["path"] == added.path == "imports/session.jsonl"
    assert (place.run / entry["path"]).read_bytes() == made.data()
    assert entry["sha256"] == hashlib.sha256(made.data()).hexdigest()
    assert (entry["records"], entry["imported_at"]) == (4, AFTER)
    assert entry["source"] == "session.jsonl"
    assert place.problems() == []


def test_the_same_without_its_last_line(place: Place) -> None:
    """PI-13: case P2: a call has no result, so that the run does not validate."""
    made = two_calls()
    made.lines.pop()
    added = place.add(made)
    assert [(one.call_id, one.line) for one in added.report.unanswered] == [("c2", 3)]
    assert place.problems() == ["call_without_result"]


def test_the_same_session_again_adds_nothing(place: Place) -> None:
    """PI-19: whatever it is called by then; the report says what is in it all the same."""
    place.add(two_calls())
    before = (place.run / "trajectory.jsonl").read_bytes(), place.imports()
    place.session = place.session.rename(place.folder / "other.jsonl")
    again = place.add()
    assert (again.same_file, again.added, again.known, again.gone) == (True, 0, 4, 0)
    assert again.path == "imports/session.jsonl"
    assert again.report.calls == 2
    assert ((place.run / "trajectory.jsonl").read_bytes(), place.imports()) == before


def test_a_session_that_has_grown_adds_the_rest(place: Place) -> None:
    """PI-19, PI-20: both copies stay, under names of their own."""
    made = two_calls()
    first = made.data()
    place.add(made)
    added = place.add(made.calls("c3").result("c3"))
    assert (added.added, added.known) == (2, 4)
    assert [one["call_id"] for one in place.trajectory()] == ["c1", "c2", "c1", "c2", "c3", "c3"]
    digest = hashlib.sha256(made.data()).hexdigest()
    old, new = place.imports()
    assert new["path"] == f"imports/{digest[:8]}-session.jsonl"
    assert (old["records"], new["records"]) == (4, 6)
    assert (place.run / old["path"]).read_bytes() == first
    assert (place.run / new["path"]).read_bytes() == made.data()
    assert place.problems() == []


def test_a_session_that_a_newer_pi_wrote_again(place: Place) -> None:
    """PI-20: version 1 has no names; rewritten as version 3 the lines are known by number."""

    def turns(version: int) -> Made:
        return Made(version).calls("c1").result("c1").calls("c2").result("c2")

    place.add(turns(1))
    added = place.add(turns(3).calls("c3").result("c3"))
    assert (added.added, added.known) == (2, 4)


def test_a_session_that_was_forked(place: Place) -> None:
    """PI-20: what a new session has from an old one is known by the names of entries."""
    place.add(Made(3, "old").user().calls("c1").result("c1"))
    fork = Made(3, "new").entry("label", id="first", targetId="x", label="y")
    fork.lines += Made(3, "old").user().calls("c1").result("c1").lines[1:]
    fork.leaf = "a3"
    fork._count = 3
    added = place.add(fork.calls("c2").result("c2"))
    assert (added.added, added.known) == (2, 2)
    assert [one["call_id"] for one in place.trajectory()] == ["c1", "c1", "c2", "c2"]


def test_a_branch_that_was_left_since(place: Place) -> None:
    """PI-20: its records stay, and are counted."""
    made = Made().user().calls("c1").result("c1")
    place.add(made)
    added = place.add(made.back("a1").calls("c2").result("c2"))
    assert (added.added, added.known, added.gone) == (2, 0, 2)
    assert added.report.aside.calls == 1
    assert [one["call_id"] for one in place.trajectory()] == ["c1", "c1", "c2", "c2"]


def test_an_import_that_was_broken_off_is_finished(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PI-20: the copy is used, and what is missing added."""
    made = two_calls().calls("c3").result("c3")
    monkeypatch.setattr(adding, "_BATCH", 2)

    def fail(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(adding, "name_raw", fail)
    with pytest.raises(KeyboardInterrupt):
        place.add(made)
    assert (len(place.trajectory()), place.imports()) == (6, [])
    monkeypatch.undo()
    lines = (place.run / "trajectory.jsonl").read_bytes().splitlines(keepends=True)
    (place.run / "trajectory.jsonl").write_bytes(b"".join(lines[:4]))
    added = place.add()
    assert (added.added, added.known, added.path) == (3, 3, "imports/session.jsonl")
    assert [one["records"] for one in place.imports()] == [6]
    assert place.problems() == []


def test_two_sessions_of_one_name(place: Place) -> None:
    """PI-19: both copies stay."""
    place.add(Made(3, "s1").calls("c1").result("c1"))
    place.add(Made(1, "s2").calls("c2").result("c2"))
    paths = [one["path"] for one in place.imports()]
    assert len(set(paths)) == 2
    assert [(place.run / path).exists() for path in paths] == [True, True]


def test_long_texts_stand_beside_the_records(place: Place) -> None:
    """PI-12: under the digest of the whole; a text that comes twice stands once."""
    text = "ä" * 50
    place.add(Made().calls("c1", "c2").result("c1", text).result("c2", text), max_text=20)
    bodies = [one["result"] for one in place.trajectory()[2:]]
    assert bodies[0]["full"] == bodies[1]["full"]
    kept = place.run / bodies[0]["full"]
    assert kept.read_text(encoding="utf-8") == text
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]
    assert hashlib.sha256(kept.read_bytes()).hexdigest() == bodies[0]["sha256"]


def test_a_session_behind_later_records(place: Place) -> None:
    """PI-21: it is taken as it is, with its own times; validating names what goes back."""
    place.add(Made(3, "s2").calls("c9", stop="toolUse").result("c9"))
    early = Made(3, "s1")
    early.message({"timestamp": "2026-03-01T09:30:00Z"}, role="assistant", content=[call("c1")])
    early.result("c1")
    added = place.add(early)
    assert (added.added, added.early) == (2, 1)
    assert added.report.problems.counts["E_PI_CLOCK"] == 1
    assert "time_order" in place.problems()


def test_a_run_that_was_opened_too_late(place: Place) -> None:
    """PI-21: nothing happened before a run was opened."""
    made = Made()
    made.message({"timestamp": "2026-01-01T00:00:00Z"}, role="assistant", content=[call("c1")])
    added = place.add(made.result("c1"))
    assert added.early == 1
    (problem,) = added.report.problems.kept
    assert problem.code == "E_PI_CLOCK"
    assert BEFORE in problem.message


def test_what_makes_the_run_invalid_is_taken(place: Place) -> None:
    """PI-13, PI-21: two calls of one id, a result too many, one of nothing, and a nameless tool."""
    made = Made().calls("c1").calls("c1").result("c1").result("c1").result("c7")
    added = place.add(made.turn(call("c2", None)))
    assert added.added == 6
    assert set(added.report.problems.counts) == {
        "E_PI_CALL_TWICE",
        "E_PI_RESULT_TWICE",
        "E_PI_RESULT_UNCALLED",
        "E_PI_ENTRY",
        "E_PI_UNANSWERED",
    }
    assert len(place.problems()) >= 4


def test_a_call_that_the_run_has_from_elsewhere(place: Place) -> None:
    """PI-21: sessions of two agents that use one id."""
    place.add(Made(3, "s1").calls("c1").result("c1"))
    other = Made(1, "s2").user().calls("c1").result("c1")
    added = place.add(other)
    assert added.added == 2
    assert added.report.problems.counts["E_PI_CALL_TWICE"] == 1


@pytest.mark.parametrize(
    ("arrange", "options", "refused"),
    [
        (lambda place: place.session.write_bytes(b"hello\n"), {}, PiSessionInvalid),
        (lambda place: None, {}, SourceMissing),
        (lambda place: place.session.write_bytes(Made().data()), {"phase": "lunch"}, RunWord),
        (lambda place: place.session.write_bytes(Made().data()), {"actor": "me"}, RunWord),
    ],
)
def test_what_is_refused_changes_nothing(
    place: Place,
    arrange: Callable[[Place], None],
    options: dict[str, Any],
    refused: type[Refusal],
) -> None:
    """PI-1: neither records nor a copy are left."""
    arrange(place)
    before = sorted(path.name for path in place.run.rglob("*"))
    with pytest.raises(refused):
        place.add(**options)
    assert sorted(path.name for path in place.run.rglob("*")) == before
    assert place.trajectory() == []


def test_a_folder_that_leads_elsewhere(place: Place) -> None:
    """PI-19: nothing is written through a link out of the run."""
    outside = place.folder / "outside"
    outside.mkdir()
    (place.run / "imports").symlink_to(outside)
    with pytest.raises(RunPath):
        place.add(two_calls())
    assert list(outside.iterdir()) == []


def test_numbers_are_written_as_they_were(place: Place) -> None:
    """PI-7: no digit of an argument is lost on the way into the trajectory."""
    data = Made().calls("c1").result("c1").data()
    numbers = b'"arguments":{"n":0.1000000000000000055511151231257827,"m":1.50}'
    place.session.write_bytes(data.replace(b'"arguments":{"command":"echo c1"}', numbers))
    place.add()
    assert b"0.1000000000000000055511151231257827" in (place.run / "trajectory.jsonl").read_bytes()
    assert b"1.50" in (place.run / "trajectory.jsonl").read_bytes()


def test_all_of_a_real_session_is_taken(place: Place, shared: Path) -> None:
    """PI-13, PI-19: all of it is taken; what validating names are its eighteen open calls."""
    source = shared / "data" / "pi-session" / "large-session.jsonl"
    run = json.loads((place.run / "run.json").read_bytes())
    lines = (place.run / "trajectory.jsonl").read_text(encoding="utf-8")
    for name, text in (("run.json", json.dumps(run)), ("trajectory.jsonl", lines)):
        opened = text.replace(BEFORE, "2025-11-20T00:00:00.000000Z")
        (place.run / name).write_text(opened, encoding="utf-8")
    place.session = source
    added = place.add()
    assert (added.added, added.early) == (764, 0)
    assert place.problems() == ["call_without_result"] * 18
    (entry,) = place.imports()
    assert (entry["records"], entry["size"]) == (764, source.stat().st_size)
    assert entry["source"] == "large-session.jsonl"
    assert place.add().same_file
