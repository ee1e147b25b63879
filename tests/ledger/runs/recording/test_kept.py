"""Files kept in a run: artifacts, and raw files that records were translated from."""

from pathlib import Path
from typing import Any

import pytest
from run_made import TRAJECTORY, change, digest, document, lines_of, moment, put, recorder

from canon.refusal import Refusal
from ledger.errors import (
    FileUnwritable,
    RecordEarly,
    RecordField,
    RunPath,
    RunUnreadable,
    RunWord,
)
from ledger.runs.directory import Directory
from ledger.runs.recording import keeping
from ledger.runs.structure import problems

REF = "trajectory:c1"


def test_an_artifact_is_copied_named_and_marked(run: Path, tmp_path: Path) -> None:
    """Its own file may change from then on, the copy does not (RUN-80)."""
    source = put(tmp_path / "out" / "logger jar.JAR", {"a": 1})
    with recorder(run, 10) as recording:
        kept = recording.artifact(source, "the jar", cwd=tmp_path, phase="prepare", actor="test")
        again = recording.artifact(Path("out/logger jar.JAR"), "again", cwd=tmp_path)
    assert kept == document(run)["artifacts"][0] == {
        "label": "the jar", "source": "out/logger jar.JAR", "path": "artifacts/001-logger_jar.JAR",
        "sha256": digest(source), "size": source.stat().st_size, "phase": "prepare",
        "at": moment(10),
    }  # fmt: skip
    assert again["path"] == "artifacts/002-logger_jar.JAR"
    marks = [one for one in lines_of(run / TRAJECTORY) if one.get("name") == "artifact"]
    assert (marks[0]["data"]["sha256"], marks[0]["actor"]) == (digest(source), "test")
    assert problems(Directory(run)) == []
    source.write_text("changed")
    assert problems(Directory(run)) == []
    (run / kept["path"]).write_text("changed")
    assert [one.file for one in problems(Directory(run))] == [kept["path"]]


def test_an_artifact_from_elsewhere_is_kept_by_its_name(run: Path, tmp_path: Path) -> None:
    """No path of the machine goes into the run (RUN-80, RUN-92)."""
    source = put(tmp_path / "home" / "me" / "a.txt", {})
    cwd = tmp_path / "work"
    cwd.mkdir()
    with recorder(run, 10) as recording:
        assert recording.artifact(source, "a", cwd=cwd)["source"] == "a.txt"
        assert recording.artifact(Path("../home/me/a.txt"), "a", cwd=cwd)["source"] == "a.txt"
    assert str(tmp_path) not in (run / "run.json").read_text()


def test_a_file_that_a_crash_left_is_not_overwritten(run: Path, tmp_path: Path) -> None:
    """The next free number is taken (RUN-80)."""
    put(run / "artifacts/001-a.txt", {"left": True})
    source = put(tmp_path / "a.txt", {})
    with recorder(run, 10) as recording:
        assert recording.artifact(source, "a", cwd=tmp_path)["path"] == "artifacts/002-a.txt"
    assert document(run, "artifacts/001-a.txt") == {"left": True}


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ({"phase": "party"}, RunWord),
        ({"actor": "nobody"}, RunWord),
        ({"label": " "}, RecordField),
        ({"at": moment(0)}, RecordEarly),
        ({"source": Path("nowhere")}, FileUnwritable),
        ({"source": Path()}, FileUnwritable),
    ],
)
def test_an_artifact_that_is_refused_leaves_nothing(
    given: dict[str, Any], kind: type[Refusal], run: Path, tmp_path: Path
) -> None:
    """No copy, no entry, no mark (RUN-76)."""
    put(tmp_path / "a.txt", {})
    before = (run / "run.json").read_bytes(), (run / TRAJECTORY).read_bytes()
    settings: dict[str, Any] = {"source": Path("a.txt"), "label": "a", "cwd": tmp_path, **given}
    with recorder(run, 10) as recording, pytest.raises(kind):
        recording.artifact(**settings)
    assert ((run / "run.json").read_bytes(), (run / TRAJECTORY).read_bytes()) == before
    assert list(run.glob("artifacts/*")) == []


def test_a_copy_goes_again_if_it_cannot_be_named(run: Path, tmp_path: Path) -> None:
    """Where the list of artifacts is none, for one (RUN-75, RUN-80)."""
    put(tmp_path / "a.txt", {})
    with recorder(run, 10) as recording:
        change(run / "run.json", artifacts="none")
        with pytest.raises(RunUnreadable):
            recording.artifact(tmp_path / "a.txt", "a", cwd=tmp_path)
    assert list(run.glob("artifacts/*")) == []


def test_a_file_that_is_too_large_is_not_kept(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not by half either (RUN-80)."""
    put(tmp_path / "a.txt", {"long": "x" * 100})
    monkeypatch.setattr(keeping, "MAX_FILE_BYTES", 50)
    with recorder(run, 10) as recording, pytest.raises(FileUnwritable):
        recording.artifact(tmp_path / "a.txt", "a", cwd=tmp_path)
    assert list(run.glob("artifacts/*")) == []


def test_a_folder_that_is_a_link_is_not_written_to(run: Path, tmp_path: Path) -> None:
    """What it leads to is another's (RUN-20)."""
    (tmp_path / "elsewhere").mkdir()
    (run / "artifacts").symlink_to(tmp_path / "elsewhere")
    put(tmp_path / "a.txt", {})
    with recorder(run, 10) as recording, pytest.raises(RunPath):
        recording.artifact(tmp_path / "a.txt", "a", cwd=tmp_path)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_names_that_not_every_system_takes_are_changed() -> None:
    """They stay one part of a path (RUN-80)."""
    assert keeping.safe_name("a b/ü\\..") == "a_b___"
    assert keeping.safe_name("..") == "file"
    assert keeping.safe_name(".hidden") == "hidden"
    long = keeping.safe_name("x" * 300 + ".json")
    assert (len(long), long[-5:]) == (80, ".json")
    assert len(keeping.safe_name("." * 5 + "y" * 300)) <= 80


def test_a_raw_file_is_kept_once(run: Path, tmp_path: Path) -> None:
    """Another one of its name gets one of its own (RUN-83)."""
    source = put(tmp_path / "s.jsonl", [{"a": 1}])
    with recorder(run, 10) as recording:
        first = recording.import_file(source, records=3, cwd=tmp_path)
        assert recording.import_file(source, records=3, cwd=tmp_path) == first
        put(source, [{"a": 2}])
        second = recording.import_file(source, records=1, cwd=tmp_path)
    assert first["path"] == "imports/s.jsonl"
    assert second["path"] == f"imports/{digest(source)[:8]}-s.jsonl"
    assert document(run)["imports"] == [first, second]
    assert problems(Directory(run)) == []


def test_a_copy_goes_again_if_the_disk_is_full(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A manifest that cannot be replaced names it not (RUN-75, RUN-80)."""
    put(tmp_path / "a.txt", {})
    before = (run / "run.json").read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with recorder(run, 10) as recording:
        monkeypatch.setattr(Path, "replace", fail)
        with pytest.raises(FileUnwritable):
            recording.artifact(tmp_path / "a.txt", "a", cwd=tmp_path)
        monkeypatch.undo()
        assert list(run.glob("artifacts/*")) == []
        assert (run / "run.json").read_bytes() == before
        assert recording.artifact(tmp_path / "a.txt", "a", cwd=tmp_path)["path"].endswith(
            "001-a.txt"
        )
