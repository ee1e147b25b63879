"""Commands that change a run: whatever they fail by, every byte of it is as it was (RUN-88)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_place import Run
from run_made import RUN_ID, change, digest, put

from ledger.errors import FileUnwritable
from ledger.runs.recording import sink

R = ("--run-dir", "run")
FAR = "2099-01-01T00:00:00Z"
REVIEW = ("run", "review", *R, "--id", "harness.x", "--status", "pending")
MARKING: dict[str, tuple[str, ...]] = {
    "call": ("run", "call", *R, "--call-id", "c2", "--tool", "t"),
    "result": ("run", "result", *R, "--call-id", "c1", "--status", "ok"),
    "phase": ("run", "phase", *R, "--phase", "agent", "--actor", "agent"),
    "mark": ("run", "mark", *R, "--name", "n"),
    "record": ("run", "record", *R, '{"record": "mark", "name": "n"}'),
    "artifact": ("run", "artifact", *R, "--path", "Logger.java"),
    "declare": ("run", "declare", *R, "--slot", "answer", "--path", "answer.json"),
    "review": REVIEW,
    "attest": ("run", "attest", *R, "--by", "N", "--no-standard-answer"),
    "derive": (
        "run", "derive", *R, "--output", "answer.json", "--input", "agent/logger.jsonl",
        "--tool", "t", "--producer", "agent",
    ),
    "preflight": (
        "preflight", "run", *R, "--config", "plain.toml", "--out", "out", "--checks", "terminal",
    ),
}  # fmt: skip


def record_of(at: str) -> str:
    """Return a line of the trajectory that says it is of that time."""
    said = {"schema": "mc-agent-coldstart-trajectory/1", "record": "mark", "run_id": RUN_ID,
            "name": "clock", "at": at, "seq": 3}  # fmt: skip
    return json.dumps(said) + "\n"


def ahead(_: pytest.MonkeyPatch) -> None:
    """Let the last record be of a time that no clock here reaches."""
    with open("run/trajectory.jsonl", "a") as lines:
        lines.write(record_of(FAR))


def torn(_: pytest.MonkeyPatch) -> None:
    """Leave half a record behind."""
    with open("run/trajectory.jsonl", "a") as lines:
        lines.write('{"record": "ca')


def no_room(patch: pytest.MonkeyPatch) -> None:
    """Let the disk be full when the trajectory is appended to, and not before."""
    append = sink.Sink.append

    def full(self: sink.Sink, lines: bytes) -> None:
        if self.name == "trajectory.jsonl":
            raise FileUnwritable(self.name, "No space left on device", "a file to append to")
        append(self, lines)

    patch.setattr(sink.Sink, "append", full)


CAUSES: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], str]] = {
    "a record of a later time": (ahead, "E_RUN_TIME_ORDER"),
    "a torn line": (torn, "E_RUN_TORN"),
    "no room for the mark": (no_room, "E_FILE"),
}


def everything(folder: str = "run") -> dict[str, bytes | None]:
    """Return all bytes of a directory, by name; None stands for a folder."""
    return {
        str(path): None if path.is_dir() else path.read_bytes() for path in Path(folder).rglob("*")
    }


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.runs.recording.appender._PATIENCE_SECONDS", -1)


def refused(run: Run, words: tuple[str, ...], code: str) -> None:
    """Run a command that is refused with that code and changes nothing."""
    before = everything()
    ran = run(*words, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, code), ran
    assert everything() == before


@pytest.mark.parametrize("cause", CAUSES)
@pytest.mark.parametrize("command", MARKING)
def test_a_command_that_cannot_be_recorded_changes_nothing(
    command: str, cause: str, place: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files of its kind are not there yet, nor are they afterwards (RUN-88)."""
    assert place.is_dir()
    make, code = CAUSES[cause]
    with monkeypatch.context() as patch:
        make(patch)
        refused(run, MARKING[command], code)


@pytest.mark.parametrize("cause", CAUSES)
@pytest.mark.parametrize("command", ["artifact", "declare", "review", "derive", "preflight"])
def test_what_was_there_before_stays(
    command: str, cause: str, place: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reviews that are declared with a digest, and an earlier report, too (RUN-88)."""
    assert run(*MARKING[command]).code == 0
    if command == "review":
        declared = {"path": "reviews.jsonl", "sha256": digest(place / "run/reviews.jsonl")}
        change(place / "run/evidence.json", review=declared)
    if command == "preflight":
        before = (place / "plain.toml").read_text()
        (place / "plain.toml").write_text(before + "# changed\n")
    make, code = CAUSES[cause]
    with monkeypatch.context() as patch:
        make(patch)
        refused(run, MARKING[command], code)


@pytest.mark.parametrize("command", ["artifact", "declare", "review"])
def test_a_file_that_is_not_replaced_takes_its_mark_with_it(
    command: str, place: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mark is written first, and is cut off again (RUN-88)."""
    if command == "review":
        assert run(*REVIEW).code == 0
        declared = {"path": "reviews.jsonl", "sha256": digest(place / "run/reviews.jsonl")}
        change(place / "run/evidence.json", review=declared)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", fail)
        refused(run, MARKING[command], "E_FILE")
    assert run(*MARKING[command]).code == 0
    assert run("run", "validate", *R, "--json").json["valid"] is False  # c1 has no result yet
    assert {one["code"] for one in run("run", "validate", *R, "--json").json["problems"]} == {
        "call_without_result"
    }


@pytest.mark.parametrize(
    "words",
    [
        ("run", "mark", *R, "--name", "n", "--at", FAR),
        ("run", "artifact", *R, "--path", "Logger.java", "--at", FAR),
        ("run", "call", *R, "--call-id", "c2", "--tool", "t", "--at", FAR),
        ("run", "record", *R, json.dumps({"record": "mark", "name": "n", "at": FAR})),
        (*REVIEW, "--at", FAR),
    ],
)
def test_a_time_that_has_not_come_is_refused(words: tuple[Any, ...], place: Path, run: Run) -> None:
    """One of them would end the recording of the run (RUN-89)."""
    assert place.is_dir()
    refused(run, words, "E_RUN_TIME_AHEAD")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("declare", "--slot", "answer", "--path", "nope"), "E_RUN_PATH"),
        (("artifact", "--path", "nope"), "E_UNREADABLE"),
        (("withhold", "--path", "../x", "--reason", "r"), "E_RUN_PATH"),
        (("withhold", "--path", "answer.json", "--reason", " "), "E_RUN_FIELD"),
        (("derive", "--output", "nope", "--input", "answer.json", "--tool", "t", "--producer",
          "agent"), "E_RUN_PATH"),
        (("review", "--id", "harness.x", "--status", "resolved", "--by", "N"), "E_RUN_REVIEW"),
        (("attest", "--by", " ", "--no-standard-answer"), "E_RUN_ATTESTATION"),
    ],
)  # fmt: skip
def test_what_is_said_wrongly_changes_nothing(
    words: tuple[str, ...], code: str, place: Path, run: Run
) -> None:
    """No folder, no empty file (RUN-88)."""
    assert place.is_dir()
    refused(run, ("run", words[0], *R, *words[1:]), code)


def test_withheld_files_are_named_whole_or_not_at_all(
    place: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of it goes into the trajectory (RUN-86, RUN-88)."""
    words = ("run", "withhold", *R, "--path", "answer.json", "--reason", "r")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    assert run(*words).code == 0
    put(place / "run/other.json", {})
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", fail)
        refused(run, (*words[:-3], "other.json", "--reason", "r"), "E_FILE")
