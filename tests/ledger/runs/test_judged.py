"""What is no problem of a run, what is not judged, and where judging ends."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from run_made import change, digest, opened, put, whole

from ledger.runs.directory import Directory
from ledger.runs.problems import MOST_PROBLEMS
from ledger.runs.structure import problems, structure, withheld

T = "trajectory.jsonl"
PIN = {"path": "answer.json", "sha256": "0" * 64}


@pytest.fixture(scope="module")
def valid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the valid run."""
    return whole(tmp_path_factory.mktemp("judged") / "run")


@pytest.fixture
def run(valid: Path, tmp_path: Path) -> Path:
    """Return a copy of the valid run."""
    return Path(shutil.copytree(valid, tmp_path / "run"))


def test_what_no_document_names_is_no_part_of_a_run(run: Path) -> None:
    """It is not looked at, whatever it is (RUN-11)."""
    (run / "core.dump").write_bytes(b"\xff" * 100)
    (run / "artifacts/999-left").write_bytes(b"by a crash")
    assert problems(Directory(run)) == []
    assert not {"core.dump", "artifacts/999-left"} & {file.path for file in Directory(run).files()}


def test_line_ends_alone_are_told_from_other_changes(run: Path) -> None:
    """The digest differs all the same (RUN-22, RUN-45)."""
    task = run / "task.md"
    task.write_bytes(task.read_bytes().replace(b"\n", b"\r\n"))
    (problem,) = problems(Directory(run))
    assert (problem.code, "line ends alone" in problem.got) == ("hash_differs", True)


def test_blank_lines_of_evidence_are_passed_over(run: Path) -> None:
    """Nothing is lost by them (RUN-38)."""
    log = run / "test/testmod.jsonl"
    log.write_bytes(b"\n{}\n \r\n{}")
    change(run / "evidence.json", test_mod={"path": "test/testmod.jsonl", "sha256": digest(log)})
    assert problems(Directory(run)) == []


def test_an_empty_directory_lacks_what_every_run_has(tmp_path: Path) -> None:
    """Five files, and nothing else is said (RUN-10)."""
    expected = ["run.json", "task.md", "visibility.json", "evidence.json", T]
    assert [(one.file, one.code) for one in problems(Directory(tmp_path))] == [
        (name, "missing") for name in expected
    ]
    assert problems(Directory(tmp_path / "nowhere")) == problems(Directory(tmp_path))


def test_a_withheld_file_is_listed_and_not_judged(run: Path) -> None:
    """It is neither a problem nor valid (RUN-12, RUN-23, RUN-63)."""
    held = digest(run / "oracle.json")
    files = [
        {"path": "oracle.json", "sha256": held, "reason": "names of players"},
        {"path": "answer.json", "sha256": None, "reason": "it is still here"},
    ]
    put(run / "withheld.json", {"schema": "coldledger-withheld/1", "files": files})
    (run / "oracle.json").unlink()
    (run / "answer.json").write_bytes(b"{}")
    found = structure(Directory(run))
    assert [(one.file, one.code) for one in found.problems] == [("answer.json", "hash_differs")]
    assert found.document()["withheld"] == [
        {"path": "oracle.json", "role": "oracle", "sha256": held, "reason": "names of players",
         "judged": False}
    ]  # fmt: skip


def test_a_withheld_trajectory_is_not_judged(run: Path) -> None:
    """Nothing is said of calls that nobody can see (RUN-63)."""
    files = [{"path": T, "sha256": None, "reason": "private"}]
    put(run / "withheld.json", {"schema": "coldledger-withheld/1", "files": files})
    (run / T).unlink()
    assert problems(Directory(run)) == []
    assert [file.path for file in withheld(Directory(run))] == [T]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"schema": "x", "files": []}, "schema"),
        ({"schema": "coldledger-withheld/1"}, "field"),
        ({"schema": "coldledger-withheld/1", "files": [{"reason": "r"}]}, "field"),
        ({"schema": "coldledger-withheld/1", "files": [{"path": "p"}]}, "field"),
        (
            {"schema": "coldledger-withheld/1", "files": [PIN | {"reason": "r", "sha256": "x"}]},
            "hash_malformed",
        ),
    ],
)
def test_what_is_withheld_is_said_in_full(said: Any, code: str, run: Path) -> None:
    """With path, reason, and a digest that is one (RUN-23)."""
    put(run / "withheld.json", said)
    assert [(one.file, one.code) for one in problems(Directory(run))] == [("withheld.json", code)]


def test_a_withheld_file_is_compared_by_its_digest(run: Path) -> None:
    """Two documents that disagree about it are a problem (RUN-63)."""
    files = [PIN | {"path": "oracle.json", "reason": "private"}]
    put(run / "withheld.json", {"schema": "coldledger-withheld/1", "files": files})
    (run / "oracle.json").unlink()
    assert [(one.file, one.code) for one in problems(Directory(run))] == [
        ("oracle.json", "hash_differs")
    ]


def test_a_thousand_problems_are_enough(run: Path) -> None:
    """The last line says that there are more (RUN-41)."""
    with (run / T).open("ab") as stream:
        stream.write(b"{}\n" * 5_000)
    found = problems(Directory(run))
    assert len(found) == MOST_PROBLEMS + 1
    assert found[-1].code == "more"


def test_a_long_trajectory_takes_no_more_memory(tmp_path: Path) -> None:
    """It is read line by line, whatever it holds (RUN-59)."""
    import tracemalloc

    run = opened(tmp_path / "run")
    line = b'{"record": "mark", "name": "n", "seq": %d, "data": {"x": "' + b"y" * 10_000 + b'"}}\n'
    with (run / T).open("ab") as stream:
        for seq in range(2, 3_002):
            stream.write(line % seq)
    tracemalloc.start()
    assert problems(Directory(run)) == []
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (run / T).stat().st_size > 30_000_000
    assert peak < 5_000_000
