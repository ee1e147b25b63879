"""A run against the ledger that took it in: every difference by file and line (KEEP-14)."""

import json
from typing import Any

import pytest

from ledger.runs.directory import Directory
from ledger.runs.intake.compare import compare
from ledger.runs.problems import Problem

STREAMS = ["agent/log.jsonl", "agent/norm.jsonl", "test/mod.jsonl", "reviews.jsonl"]
DOCUMENTS = [
    "run.json", "task.md", "visibility.json", "visibility/files/README.md", "evidence.json",
    "imports/session.jsonl", "artifacts/001-a.jar", "answer.json",
]  # fmt: skip


def found(shelf: Any, run: Any) -> list[Problem]:
    """Return what comparing finds."""
    return compare(shelf.ledger, Directory(run.root))


@pytest.fixture
def long(shelf: Any, run: Any) -> Any:
    """Return a run of ten records and more a stream, taken in."""
    for path in (*STREAMS, "trajectory.jsonl"):
        run.append(path, *({"record": "mark", "n": number} for number in range(10)))
    shelf.take(run)
    return run


def test_a_run_as_it_was_taken_in_has_no_problem(shelf: Any, long: Any) -> None:
    """What is missing was missing then, too."""
    assert found(shelf, long) == []


@pytest.mark.parametrize("path", [*STREAMS, "trajectory.jsonl"])
def test_any_line_that_is_deleted_is_named(shelf: Any, long: Any, path: str) -> None:
    """KEEP-14: file and line, and that lines were removed; at the end, that it is cut."""
    lines = long.read(path).splitlines(keepends=True)
    for at in range(len(lines)):
        long.write(path, b"".join(lines[:at] + lines[at + 1 :]))
        (problem,) = found(shelf, long)
        last = at == len(lines) - 1
        code = "lines_cut" if last else "lines_removed"
        assert (problem.file, problem.line, problem.code) == (path, at + 1, code)
        assert "1 line" in problem.got
        assert problem.expected.startswith(repr(lines[at].decode())[:20])


@pytest.mark.parametrize("path", [*STREAMS, "trajectory.jsonl"])
def test_any_line_that_is_put_in_is_named(shelf: Any, long: Any, path: str) -> None:
    """At the end it is what the ledger has nothing of."""
    lines = long.read(path).splitlines(keepends=True)
    for at in range(len(lines) + 1):
        long.write(path, b"".join([*lines[:at], b'{"put":"in"}\n', *lines[at:]]))
        (problem,) = found(shelf, long)
        code = "not_in_ledger" if at == len(lines) else "lines_inserted"
        assert (problem.file, problem.line, problem.code) == (path, at + 1, code)
        assert "1 line" in problem.got


@pytest.mark.parametrize("path", [*STREAMS, "trajectory.jsonl"])
def test_any_line_that_is_changed_is_named(shelf: Any, long: Any, path: str) -> None:
    """What stands there is shown from where it differs, and what stood there."""
    lines = long.read(path).splitlines(keepends=True)
    for at in range(len(lines)):
        changed = lines[at].replace(b"}", b', "later": 1}')
        long.write(path, b"".join([*lines[:at], changed, *lines[at + 1 :]]))
        (problem,) = found(shelf, long)
        assert (problem.file, problem.line, problem.code) == (path, at + 1, "line_changed")
        assert "later" in problem.got
        assert "later" not in problem.expected


def test_a_tail_that_is_cut_is_named_with_its_length(shelf: Any, long: Any) -> None:
    """However many lines are gone, the first of them is named."""
    lines = long.read("trajectory.jsonl").splitlines(keepends=True)
    long.write("trajectory.jsonl", b"".join(lines[:-7]))
    (problem,) = found(shelf, long)
    assert (problem.line, problem.code) == (len(lines) - 6, "lines_cut")
    assert problem.got == "the end of the file, 7 lines early"


def test_half_a_line_is_a_changed_line(shelf: Any, long: Any) -> None:
    """A file cut within a line differs in that line."""
    long.write("trajectory.jsonl", long.read("trajectory.jsonl")[:-4])
    (problem,) = found(shelf, long)
    assert (problem.line, problem.code) == (13, "line_changed")


@pytest.mark.parametrize("path", DOCUMENTS)
def test_any_document_that_is_replaced_is_named(shelf: Any, run: Any, path: str) -> None:
    """KEEP-14: with both digests, and the event that has the one before."""
    shelf.take(run)
    data = run.read(path)
    run.write(path, data + b" ")
    (problem,) = found(shelf, run)
    assert (problem.file, problem.line, problem.code) == (path, None, "differs")
    assert problem.got.startswith("sha256 ")
    assert "as event" in problem.expected


@pytest.mark.parametrize("path", [*DOCUMENTS[1:], *STREAMS, "trajectory.jsonl"])
def test_any_file_that_is_gone_is_named(shelf: Any, run: Any, path: str) -> None:
    """What only it names is named too: no document names that any more."""
    shelf.take(run)
    (run.root / path).unlink()
    problems = found(shelf, run)
    expected = "unnamed" if path == "reviews.jsonl" else "vanished"
    assert (problems[0].file, problems[0].code) == (path, expected)
    also = {"visibility.json": 1, "evidence.json": 4}.get(path, 0)
    assert [one.code for one in problems[1:]] == ["unnamed"] * also


def test_files_that_the_ledger_has_nothing_of_are_named(shelf: Any, run: Any) -> None:
    """A file that came later, and one that a changed document names."""
    shelf.take(run)
    run.write("derivations.jsonl", "{}\n")
    run.write("oracle.json", "{}")
    run.edit("evidence.json", oracle={"path": "oracle.json"}, fixture={"path": "no.json"})
    codes = {one.file: one.code for one in found(shelf, run)}
    assert codes == {
        "evidence.json": "differs",
        "derivations.jsonl": "not_in_ledger",
        "oracle.json": "not_in_ledger",
    }


def test_other_line_ends_are_called_so(shelf: Any, run: Any) -> None:
    """CR LF for LF is another file, and the same lines."""
    shelf.take(run)
    run.write("trajectory.jsonl", run.read("trajectory.jsonl").replace(b"\n", b"\r\n"))
    (problem,) = found(shelf, run)
    assert (problem.file, problem.code) == ("trajectory.jsonl", "line_ends")


def test_a_link_in_place_of_a_file_is_named(shelf: Any, run: Any) -> None:
    """It is not followed, so nothing vouches for what it leads to."""
    shelf.take(run)
    (run.root / "answer.json").rename(run.root / "elsewhere.json")
    (run.root / "answer.json").symlink_to("elsewhere.json")
    (problem,) = found(shelf, run)
    assert (problem.code, problem.got) == ("differs", "a path through a symbolic link")


def test_a_file_that_is_withheld_since_is_no_difference(shelf: Any, run: Any) -> None:
    """The ledger has its digest, and withheld.json the same one."""
    shelf.take(run)
    (file,) = (file for file in shelf.held().files() if file.role == "answer")
    (run.root / "answer.json").unlink()
    listed = [{"path": "answer.json", "sha256": file.sha256.hex(), "reason": "a name"}]
    run.write("withheld.json", {"files": listed})
    assert [one.file for one in found(shelf, run)] == ["withheld.json"]
    run.write("withheld.json", {"files": [listed[0] | {"sha256": "00" * 32}]})
    assert [one.file for one in found(shelf, run)] == ["withheld.json", "answer.json"]


def test_lines_that_repeat_are_compared_too(shelf: Any, run: Any) -> None:
    """Of equal lines one cannot tell which is gone; that one is, is told."""
    run.write("trajectory.jsonl", b"{}\n" * 9)
    shelf.take(run)
    run.write("trajectory.jsonl", b"{}\n" * 8)
    assert [(one.line, one.code) for one in found(shelf, run)] == [(9, "lines_cut")]


def test_several_lines_removed_are_counted(shelf: Any, long: Any) -> None:
    """And of several changes in a file the first is named."""
    lines = long.read("trajectory.jsonl").splitlines(keepends=True)
    long.write("trajectory.jsonl", b"".join(lines[:4] + lines[9:20] + lines[21:]))
    (problem,) = found(shelf, long)
    assert (problem.line, problem.code) == (5, "lines_removed")
    assert problem.got.startswith("5 lines removed")


def test_a_run_that_the_ledger_has_nothing_of_is_named(shelf: Any, run: Any) -> None:
    """Then there is nothing to compare with."""
    (problem,) = found(shelf, run)
    assert (problem.file, problem.code) == ("run.json", "not_in_ledger")


def test_a_run_that_lost_its_name_is_the_only_one_there_is(shelf: Any, run: Any) -> None:
    """Of several, whoever asks has to say which; else that is the problem."""
    shelf.take(run)
    name = run.read("run.json")
    (run.root / "run.json").unlink()
    problems = found(shelf, run)
    assert (problems[0].file, problems[0].code) == ("run.json", "vanished")
    assert json.dumps([one.document() for one in problems])
    run.write("run.json", name.replace(b"run-01", b"run-02"))
    shelf.take(run)
    (run.root / "run.json").unlink()
    assert [(one.file, one.code) for one in found(shelf, run)] == [("run.json", "unnamed_run")]
    assert compare(shelf.ledger, Directory(run.root), "run-01") == problems
