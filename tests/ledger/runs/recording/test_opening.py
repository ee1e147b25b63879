"""A run opened: whole or not at all, with nothing of the machine in it."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from run_made import RUN_ID, TASK, digest, lines_of, moment, opened, put

from canon.refusal import Refusal
from ledger.errors import FileUnwritable, RecordField, RunExists
from ledger.runs.directory import Directory
from ledger.runs.recording import Task, opening, task_of, visibility
from ledger.runs.structure import problems


def document(run: Path, name: str = "run.json") -> Any:
    """Return what a document says."""
    return json.loads((run / name).read_text(encoding="utf-8"))


def test_a_run_has_all_that_every_run_has(tmp_path: Path) -> None:
    """The exact bytes of the task, every slot, and a header (RUN-10, RUN-90, RUN-91)."""
    task = b"\xef\xbb\xbfexact\r\nbytes \xff"
    repo = {"root": ".", "commit": "a" * 40, "branch": "main", "dirty_entries": 0}
    run = opened(
        tmp_path / "deep" / "run", task=Task(task, "t.md", "uuid-1", "n"), repo=repo, notes=["one"],
        configuration=("toml", b'name = "pi"\n'),
    )  # fmt: skip
    assert (run / "task.md").read_bytes() == task
    assert document(run) == {
        "schema": "mc-agent-coldstart-run/1", "run_id": RUN_ID, "created_at": moment(0),
        "repo": repo,
        "harness": {"name": "pi", "version": "1.2", "model": "some-model",
                    "provider": "some-provider"},
        "task": {"path": "task.md", "source": "t.md", "sha256": digest(run / "task.md"),
                 "player_uuid": "uuid-1", "note": "n"},
        "trajectory": {"path": "trajectory.jsonl"},
        "visibility": {"path": "visibility.json", "file_count": 0},
        "imports": [], "status": "open", "notes": ["one"], "artifacts": [],
    }  # fmt: skip
    evidence = document(run, "evidence.json")
    assert {slot for slot, value in evidence.items() if value is None} == {
        "agent_logger", "test_mod", "answer", "oracle", "fixture", "restore", "preflight", "review"
    }  # fmt: skip
    assert lines_of(run / "trajectory.jsonl") == [
        {"schema": "mc-agent-coldstart-trajectory/1", "record": "header", "run_id": RUN_ID,
         "created_at": moment(0), "harness": document(run)["harness"], "seq": 1}
    ]  # fmt: skip
    assert (run / "preflight/config.toml").read_bytes() == b'name = "pi"\n'
    assert problems(Directory(run)) == []
    assert sorted(path.name for path in run.parent.iterdir()) == ["run"]


def test_an_empty_folder_may_be_filled(tmp_path: Path) -> None:
    """Nothing of it is lost (RUN-90)."""
    (tmp_path / "run").mkdir()
    assert problems(Directory(opened(tmp_path / "run"))) == []


def filled(path: Path) -> None:
    """Put a folder there that has something in it."""
    put(path / "a.txt", {})


def linked(path: Path) -> None:
    """Put a link to an empty folder there."""
    (path.parent / "elsewhere").mkdir()
    path.symlink_to(path.parent / "elsewhere")


@pytest.mark.parametrize("stand", [filled, linked, Path.touch, opened])
def test_nothing_is_overwritten(stand: Callable[[Path], Any], tmp_path: Path) -> None:
    """Neither a folder with something in it, nor a file, a link, or a run (RUN-90)."""
    run = tmp_path / "run"
    stand(run)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(RunExists):
        opened(run)
    assert sorted(tmp_path.rglob("*")) == before


def test_whoever_comes_second_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the first came while the second was at it (RUN-90)."""
    real = opening._take_place

    def late(beside: Path, run_dir: Path) -> None:
        filled(run_dir)
        real(beside, run_dir)

    monkeypatch.setattr(opening, "_take_place", late)
    with pytest.raises(RunExists):
        opened(tmp_path / "run")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run"]
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["a.txt"]


@pytest.mark.parametrize("file", ["task.md", "visibility.json", "trajectory.jsonl", "run.json"])
def test_a_crash_leaves_nothing_under_the_name(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it comes; and what it leaves beside is not a whole run (RUN-90)."""
    real = opening._write

    def write(folder: Path, name: str, data: bytes) -> None:
        if name == file:
            raise KeyboardInterrupt
        real(folder, name, data)

    monkeypatch.setattr(opening, "_write", write)
    # As if killed: nothing is tidied up.
    monkeypatch.setattr("ledger.runs.recording.opening.shutil.rmtree", lambda *_, **__: None)
    with pytest.raises(KeyboardInterrupt):
        opened(tmp_path / "run")
    assert not (tmp_path / "run").exists()
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(".")
    assert not (left / "run.json").exists()


def test_a_failure_leaves_nothing_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was begun is taken away (RUN-90)."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(opening, "_write", full)
    with pytest.raises(FileUnwritable, match="No space left"):
        opened(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("run_id", ["", " ", "a\nb", "x" * 129, "\ud800"])
def test_a_run_id_is_plain_text(run_id: str, tmp_path: Path) -> None:
    """Of 1 to 128 characters (RUN-90)."""
    with pytest.raises(RecordField):
        opened(tmp_path / "run", run_id=run_id)
    assert list(tmp_path.iterdir()) == []


def seen(tmp_path: Path, *roots: Path | str, **given: Any) -> dict[str, Any]:
    """Open a run with what is visible, and return its files by path, and its inventory."""
    run = opened(tmp_path / "run", visible=[Path(root) for root in roots], **given)
    said: dict[str, Any] = document(run, "visibility.json")
    assert problems(Directory(run)) == []
    assert str(tmp_path) not in (run / "visibility.json").read_text()
    return said


def test_what_is_visible_is_copied(tmp_path: Path) -> None:
    """With path, size and digest, folder by folder, each file once (RUN-93)."""
    put(tmp_path / "docs/b/two.md", {})
    one = put(tmp_path / "docs/one.md", {"a": 1})
    said = seen(tmp_path, "docs", one, tmp_path / "docs" / "b", ".")
    assert said["roots"] == ["docs", "docs/one.md", "docs/b", "."]
    assert [file["path"] for file in said["files"]] == ["docs/one.md", "docs/b/two.md"]
    assert said["files"][0] == {
        "path": "docs/one.md", "size": one.stat().st_size, "sha256": digest(one),
        "copy": "visibility/files/docs/one.md",
    }  # fmt: skip
    assert (tmp_path / "run/visibility/files/docs/one.md").read_bytes() == one.read_bytes()
    assert (said["file_count"], said["cwd"], said["missing"]) == (2, ".", [])


def test_patterns_leave_files_out_and_are_listed(tmp_path: Path) -> None:
    """By name, by path, and with all that is below a folder (RUN-93)."""
    for name in ("a.md", "a.png", ".git/config", "sub/b.md", "sub/c.md"):
        put(tmp_path / "docs" / name, {})
    said = seen(tmp_path, "docs", exclude=[".git", "*.png", "docs/sub/c*"])
    assert said["exclude"] == [".git", "*.png", "docs/sub/c*"]
    assert [file["path"] for file in said["files"]] == ["docs/a.md", "docs/sub/b.md"]


def test_the_run_itself_is_not_visible(tmp_path: Path) -> None:
    """Nor what stood at its place (RUN-93)."""
    put(tmp_path / "a.md", {})
    (tmp_path / "run").mkdir()
    assert [file["path"] for file in seen(tmp_path, ".")["files"]] == ["a.md"]


def test_a_large_file_is_listed_by_its_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not copied (RUN-94)."""
    assert visibility.MOST_COPIED_BYTES == 5 * 1024 * 1024
    monkeypatch.setattr(visibility, "MOST_COPIED_BYTES", 10)
    (tmp_path / "ten").write_bytes(b"x" * 10)
    (tmp_path / "more").write_bytes(b"x" * 11)
    said = seen(tmp_path, "ten", "more")
    assert [(file["path"], file["copy"]) for file in said["files"]] == [
        ("ten", "visibility/files/ten"), ("more", None)
    ]  # fmt: skip
    assert said["files"][1]["sha256"] == digest(tmp_path / "more")


def test_what_lies_elsewhere_is_named_by_its_digest(tmp_path: Path) -> None:
    """Two of one name and one content share a copy (RUN-92, RUN-95)."""
    one = put(tmp_path / "home/me/skill.md", {})
    put(tmp_path / "home/you/skill.md", {})
    work = tmp_path / "work"
    work.mkdir()
    run = opened(work / "run", cwd=work, visible=[tmp_path / "home", Path("../gone/x.md")])
    said = document(run, "visibility.json")
    name = f"_external/{digest(one)[:16]}_skill.md"
    assert [file["path"] for file in said["files"]] == [name, name]
    assert said["roots"] == ["home", "x.md"]
    assert said["missing"] == [{"path": "_external/x.md", "note": "no such file"}]
    assert (run / "visibility/files" / name).read_bytes() == one.read_bytes()
    assert str(tmp_path) not in (run / "visibility.json").read_text()
    assert problems(Directory(run)) == []


@pytest.mark.parametrize("name", ["back\\slash.md", "C:x.md", "new\nline.md", "_external.md"])
def test_an_odd_name_is_kept_by_the_digest(name: str, tmp_path: Path) -> None:
    """One that other systems would read as a path, for one (RUN-95)."""
    path = put(tmp_path / name, {})
    (file,) = seen(tmp_path, name)["files"]
    assert file["path"].startswith(f"_external/{digest(path)[:16]}_")


@pytest.mark.skipif(os.name != "posix", reason="file names are text there")
def test_a_name_that_is_no_text_is_kept_too(tmp_path: Path) -> None:
    """File systems hold bytes (RUN-95)."""
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.md")).write_bytes(b"x")
    (file,) = seen(tmp_path, ".")["files"]
    assert file["path"].endswith("_.md")


def test_what_cannot_be_read_is_listed_as_missing(tmp_path: Path) -> None:
    """A link to a folder is not followed; one to a file is read (RUN-95)."""
    put(tmp_path / "docs/real/a.md", {})
    (tmp_path / "docs/loop").symlink_to(tmp_path / "docs")
    (tmp_path / "docs/dead.md").symlink_to(tmp_path / "nowhere")
    (tmp_path / "docs/to.md").symlink_to(tmp_path / "docs/real/a.md")
    os.mkfifo(tmp_path / "docs/pipe")
    said = seen(tmp_path, "docs", "gone")
    assert [file["path"] for file in said["files"]] == ["docs/to.md", "docs/real/a.md"]
    assert {(one["path"], one["note"]) for one in said["missing"]} == {
        ("docs/loop", "a link to a folder"), ("docs/dead.md", "no regular file"),
        ("docs/pipe", "no regular file"), ("gone", "no such file"),
    }  # fmt: skip


def test_a_file_that_goes_while_it_is_read_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run is opened all the same (RUN-95)."""
    put(tmp_path / "a.md", {})

    def fail(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(visibility, "copy_in", fail)
    said = seen(tmp_path, "a.md")
    assert (said["files"], said["missing"]) == ([], [{"path": "a.md", "note": "Permission denied"}])


def test_a_task_keeps_its_place_below_the_working_folder_alone(tmp_path: Path) -> None:
    """Of another one only the name is kept (RUN-92)."""
    assert task_of(Path("tasks/a.md"), tmp_path, TASK).source == "tasks/a.md"
    assert task_of(tmp_path / "tasks/a.md", tmp_path, TASK).source == "tasks/a.md"
    assert task_of(Path("/home/me/a.md"), tmp_path, TASK).source == "a.md"


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """A file where a folder would have to be (RUN-90)."""
    (tmp_path / "file").touch()
    refusals: tuple[type[Refusal], ...] = (FileUnwritable, RunExists)
    with pytest.raises(refusals):
        opened(tmp_path / "file" / "run", cwd=tmp_path)
