"""Bytes of a run that a decision deleted: withheld from then on, and not brought back (KEEP-13)."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.check import check_ledger
from ledger.decide import catch_up, replay_of
from ledger.events import CANONICAL, CONTENT, DIGEST, LINE, PATH, WHY
from ledger.founding import first_root, found
from ledger.maintain import redact
from ledger.runs.directory import Directory
from ledger.runs.intake.compare import compare
from ledger.store import Ledger
from signing.keys import PrivateKey

AT = "2026-03-01T00:00:00.000000Z"
KEY = PrivateKey.generate(bytes([7]) * 32)


@pytest.fixture
def shelf(tmp_path: Path, shelf: Any) -> Iterator[Any]:
    """Return a ledger file whose key is known."""
    path = tmp_path / "ledger.db"
    root = first_root("example.org/runs", KEY, PrivateKey.generate(bytes([8]) * 32), "test")
    found(path, root, KEY, at=AT, entropy=os.urandom)
    with Ledger.open(path, write=True) as ledger:
        yield type(shelf)(ledger)


def delete(shelf: Any, *slots: tuple[int, str]) -> None:
    """Delete slots by a signed decision."""
    replay = replay_of(shelf.ledger)
    catch_up(replay, shelf.ledger)
    redact(shelf.ledger, replay, slots, "privacy", "a name", [KEY], at=AT, entropy=os.urandom)


def seq_of(shelf: Any, role: str) -> int:
    """Return the event of the newest version of a file."""
    return int(max(file.seq for file in shelf.held().files() if file.role == role))


def file_of(shelf: Any, role: str) -> Any:
    """Return the file of a role."""
    (file,) = (file for file in shelf.held().files() if file.role == role)
    return file


def test_a_deleted_line_withholds_its_file(shelf: Any, run: Any) -> None:
    """KEEP-13: the event and the line are named; digest and size stay known."""
    shelf.take(run)
    seq = seq_of(shelf, "trajectory")
    delete(shelf, (seq + 2, LINE))
    file = file_of(shelf, "trajectory")
    assert (file.state, file.why) == (
        "withheld",
        f"the bytes of event {seq + 2}, line 2 are withheld",
    )
    assert (file.size_bytes, file.seq) == (len(run.read("trajectory.jsonl")), seq)
    with pytest.raises(LookupError):
        shelf.held().data(file)
    assert check_ledger(shelf.ledger).ok


def test_a_deleted_document_withholds_its_file(shelf: Any, run: Any) -> None:
    """KEEP-13: files that only it names are still known."""
    shelf.take(run)
    before = {(file.role, file.path) for file in shelf.held().files()}
    delete(shelf, (seq_of(shelf, "evidence"), CONTENT), (seq_of(shelf, "manifest"), CONTENT))
    held = shelf.held()
    assert {(file.role, file.path) for file in held.files()} == before
    states = {file.role: file.state for file in held.files()}
    assert (states["evidence"], states["manifest"]) == ("withheld", "withheld")
    assert (states["test_mod"], states["artifact"]) == ("present", "present")


@pytest.mark.parametrize("slot", [CONTENT, DIGEST, CANONICAL])
@pytest.mark.parametrize("role", ["manifest", "answer", "artifact"])
def test_a_run_taken_in_again_brings_no_document_back(
    shelf: Any, run: Any, role: str, slot: str
) -> None:
    """KEEP-5: what is left of a file tells that it is the same one."""
    shelf.take(run)
    delete(shelf, (seq_of(shelf, role), slot))
    assert shelf.take(run).events == 0


@pytest.mark.parametrize("slots", [[CONTENT, DIGEST, CANONICAL], [DIGEST, CANONICAL]])
def test_nothing_that_tells_is_taken_for_the_same(shelf: Any, run: Any, slots: list[str]) -> None:
    """Where size and name agree and nothing speaks against it, no bytes come back."""
    shelf.take(run)
    seq = seq_of(shelf, "answer")
    delete(shelf, *((seq, slot) for slot in slots))
    assert shelf.take(run).events == 0
    run.write("answer.json", {"carts": [1]})
    assert shelf.take(run).events == 1


def test_lines_tell_where_the_digest_is_deleted(shelf: Any, run: Any) -> None:
    """A changed line is seen, a deleted one is taken for the same."""
    shelf.take(run)
    seq = seq_of(shelf, "trajectory")
    delete(shelf, (seq, DIGEST), (seq, CANONICAL), (seq + 2, LINE))
    assert shelf.take(run).events == 0
    data = run.read("trajectory.jsonl")
    run.write("trajectory.jsonl", data.replace(b"ok", b"no"))
    report = shelf.take(run)
    assert (report.changed[0].kept, report.new) == (1, 2)


def test_digests_that_are_deleted_are_made_anew(shelf: Any, run: Any) -> None:
    """The bytes say them."""
    shelf.take(run)
    was = [file_of(shelf, role) for role in ("answer", "trajectory")]
    for file in was:
        delete(shelf, (file.seq, DIGEST), (file.seq, CANONICAL))
    assert [file_of(shelf, role) for role in ("answer", "trajectory")] == was


def test_a_file_grows_behind_a_deleted_line(shelf: Any, run: Any) -> None:
    """The digest tells that what was there is there: the line stays deleted."""
    shelf.take(run)
    seq = seq_of(shelf, "trajectory")
    delete(shelf, (seq + 2, LINE))
    run.append("trajectory.jsonl", {"record": "mark"})
    report = shelf.take(run)
    assert (report.changed[0].kept, report.new) == (3, 1)
    assert file_of(shelf, "trajectory").why == f"the bytes of event {seq + 2}, line 2 are withheld"


def test_reasons_and_paths_can_be_deleted(shelf: Any, run: Any) -> None:
    """Then it is said that they are, and taking the run in again adds nothing."""
    (run.root / "answer.json").unlink()
    run.edit("evidence.json", oracle={"path": "/abs"})
    shelf.take(run)
    for role in ("answer", "oracle"):
        delete(shelf, (seq_of(shelf, role), WHY))
    why = file_of(shelf, "oracle").why
    assert why.startswith("the reason in event")
    delete(shelf, (seq_of(shelf, "oracle"), PATH), (seq_of(shelf, "trajectory"), PATH))
    assert shelf.take(run).events == 0
    assert file_of(shelf, "trajectory").state == "present"
    assert check_ledger(shelf.ledger).ok


def test_a_path_that_is_deleted_stands_in_no_index(shelf: Any, run: Any) -> None:
    """STORE-12: it is gone from the file; an older version's own path still leads to it."""
    shelf.take(run)
    first = seq_of(shelf, "artifact")
    run.write("artifacts/001-a.jar", b"other")
    shelf.take(run)
    second = seq_of(shelf, "artifact")
    (key,) = (key for key, seq in shelf.ledger.identities("file") if seq == second)
    delete(shelf, (second, PATH))
    assert shelf.ledger.seq_of(key) == first
    assert check_ledger(shelf.ledger).ok
    delete(shelf, (first, PATH))
    assert shelf.ledger.seq_of(key) is None
    assert check_ledger(shelf.ledger).ok
    assert b"001-a.jar" not in b"".join(key.encode() for key, _ in shelf.ledger.identities())


def test_what_is_deleted_is_compared_by_its_digest(shelf: Any, run: Any) -> None:
    """A directory that still has the bytes is the run as it was."""
    shelf.take(run)
    delete(shelf, (seq_of(shelf, "answer"), CONTENT), (seq_of(shelf, "trajectory") + 1, LINE))
    assert compare(shelf.ledger, Directory(run.root)) == []
    run.append("trajectory.jsonl", {"record": "mark"})
    assert [one.code for one in compare(shelf.ledger, Directory(run.root))] == ["differs"]
