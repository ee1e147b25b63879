"""Taking a run in: what is appended of it, and what is never appended twice."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from ledger.runs.directory import Directory
from ledger.runs.intake.observing import is_run, observe, observe_directory

AT = "2026-03-01T00:00:00.000000Z"


def test_a_run_becomes_its_files_and_their_records(shelf: Any, run: Any) -> None:
    """KEEP-1: each file is an event in the order of its role, each record one behind it."""
    report = shelf.take(run)
    types = shelf.types()
    assert types == [
        "file.observed/1", "item.declared/1", "item.declared/1",  # run.json names two files
        "file.observed/1",  # task.md
        "file.observed/1", "item.declared/1", "item.declared/1",  # visibility.json
        "file.observed/1",  # the visible document
        "file.observed/1", "item.declared/1", "item.declared/1", "item.declared/1",  # evidence
        "file.observed/1",  # the import
        "file.observed/1",  # the artifact
        "file.observed/1", "evidence.recorded/1",  # the agent's log
        "file.observed/1", "evidence.recorded/1",  # its normalized view
        "file.observed/1", "evidence.recorded/1", "evidence.recorded/1",  # the test's log
        "file.observed/1",  # the answer
        "file.observed/1", "review.reported/1",
        "file.observed/1", *["trajectory.recorded/1"] * 3,
    ]  # fmt: skip
    assert (report.events, report.new, report.known) == (len(types), 15, 0)
    assert (report.quarantined, report.superseded, report.files) == (0, 0, 13)
    assert (report.name, report.format, report.seq) == ("run-01", "cold-start-run/1", shelf.founded)


def test_a_file_commits_to_its_path_its_digests_and_its_bytes(shelf: Any, run: Any) -> None:
    """KEEP-2: a document's bytes stand in its own event; the digest with LF beside the other."""
    run.write("task.md", b"one\r\ntwo\r\n")
    shelf.take(run)
    seq = shelf.founded + 3
    assert shelf.blob(seq, "path") == b"task.md"
    assert shelf.blob(seq, "content") == b"one\r\ntwo\r\n"
    assert shelf.blob(seq, "digest") == hashlib.sha256(b"one\r\ntwo\r\n").digest()
    assert shelf.blob(seq, "canonical") == hashlib.sha256(b"one\ntwo\n").digest()
    assert shelf.blob(seq, "why") is None


def test_a_record_is_kept_with_the_end_of_its_line(shelf: Any, run: Any) -> None:
    """KEEP-3: the records of a file, one after the other, are its bytes."""
    data = b'{"record": "header"}\r\n{"record": "mark"}\n{"record": "mark"}'
    run.write("trajectory.jsonl", data)
    shelf.take(run)
    records = [shelf.blob(shelf.ledger.size - back, "line") for back in (3, 2, 1)]
    assert records == data.splitlines(keepends=True)
    assert shelf.blob(shelf.ledger.size - 4, "content") is None


def test_no_path_and_no_prose_stands_in_an_entry(shelf: Any, run: Any) -> None:
    """KEEP-2: what a run says freely is behind commitments alone."""
    run.edit("run.json", notes=["a note about somebody"])
    run.append("trajectory.jsonl", {"record": "mark", "name": "n", "note": "a private note"})
    shelf.take(run)
    entries = b"".join(data for _, data in shelf.ledger.entries())
    for said in (b"trajectory.jsonl", b"README.md", b"a note about", b"a private note"):
        assert said not in entries


def test_a_run_taken_in_twice_adds_nothing(shelf: Any, run: Any) -> None:
    """KEEP-5: the second time every record is known."""
    first = shelf.take(run)
    before = shelf.ledger.head()
    second = shelf.take(run)
    assert shelf.ledger.head() == before
    assert (second.events, second.new, second.known) == (0, 0, 15)
    assert (second.changed, second.seq, second.sha256) == ([], first.seq, first.sha256)


def test_a_copy_elsewhere_adds_nothing(shelf: Any, run: Any, tmp_path: Path) -> None:
    """KEEP-5: where a run lies is not part of it."""
    shelf.take(run)
    run.root.rename(tmp_path / "moved")
    assert shelf.take(tmp_path / "moved").events == 0


def test_a_file_that_grew_adds_only_what_is_new(shelf: Any, run: Any) -> None:
    """KEEP-6: the lines that were there are kept, not told again."""
    shelf.take(run)
    size = shelf.ledger.size
    run.append("trajectory.jsonl", {"record": "mark", "name": "one"}, {"record": "mark"})
    report = shelf.take(run)
    newest = shelf.bodies("file.observed/1")[-1]
    assert (report.events, report.new, report.superseded) == (3, 2, 1)
    assert (newest["kept"], newest["records"]) == (3, 5)
    assert newest["supersedes"] == size - 4
    assert [one["line"] for one in shelf.bodies("trajectory.recorded/1")] == [0, 1, 2, 3, 4]


def test_a_changed_line_is_told_again_with_those_behind_it(shelf: Any, run: Any) -> None:
    """KEEP-6: what is kept ends at the first line that differs."""
    shelf.take(run)
    lines = run.read("trajectory.jsonl").splitlines(keepends=True)
    lines[1] = lines[1].replace(b"bash", b"file")
    run.write("trajectory.jsonl", b"".join(lines))
    report = shelf.take(run)
    assert (report.new, report.changed[0].kept, report.changed[0].records) == (2, 1, 3)
    assert shelf.text("trajectory") == b"".join(lines)


@pytest.mark.parametrize("cut", [1, 7])
def test_a_line_that_was_cut_short_is_replaced_when_it_is_whole(
    shelf: Any, run: Any, cut: int
) -> None:
    """KEEP-6: a last line without its end is a record of its own, and none is lost."""
    whole = run.read("trajectory.jsonl")
    run.write("trajectory.jsonl", whole[:-cut])
    first = shelf.take(run)
    run.write("trajectory.jsonl", whole)
    second = shelf.take(run)
    assert first.quarantined == (cut > 1)
    assert (second.new, second.changed[0].kept, second.quarantined) == (1, 2, 0)
    assert shelf.text("trajectory") == whole
    assert shelf.text("trajectory", as_of=second.changed[0].event) == whole[:-cut]


def test_a_file_that_shrank_keeps_its_beginning(shelf: Any, run: Any) -> None:
    """KEEP-6: a cut tail is a version without new records, and the old one stays."""
    whole = run.read("trajectory.jsonl")
    shelf.take(run)
    size = shelf.ledger.size
    run.write("trajectory.jsonl", whole.splitlines(keepends=True)[0])
    report = shelf.take(run)
    assert (report.events, report.new, report.changed[0].kept) == (1, 0, 1)
    assert shelf.text("trajectory", as_of=size) == whole


def test_a_changed_document_is_a_new_version(shelf: Any, run: Any) -> None:
    """KEEP-6: a document is told again with all that it names; the old one stays beside it."""
    shelf.take(run)
    size, before = shelf.ledger.size, run.read("run.json")
    run.write("artifacts/002-b.txt", "b")
    artifacts = [{"path": "artifacts/001-a.jar"}, {"path": "artifacts/002-b.txt"}]
    run.edit("run.json", artifacts=artifacts, notes=["later"])
    report = shelf.take(run)
    assert [(one.role, one.kept) for one in report.changed] == [("manifest", 0), ("artifact", 0)]
    assert (report.superseded, report.new) == (1, 3)
    assert shelf.text("manifest", as_of=size) == before
    assert shelf.text("manifest") == run.read("run.json")


def test_an_item_is_what_the_document_says_byte_for_byte(shelf: Any, run: Any) -> None:
    """KEEP-4: each named file is committed to with the bytes that name it."""
    named = b'{ "path":"artifacts/001-a.jar",\r\n "size":1e2 , "label": "\\u00e9" }'
    run.write("run.json", b'\xef\xbb\xbf{"run_id":"run-01", "artifacts" :[' + named + b"\n, null]}")
    shelf.take(run)
    items = [seq for seq, kind in enumerate(shelf.types(), shelf.founded) if "declared" in kind]
    assert shelf.blob(items[0], "line") == named
    assert shelf.blob(items[1], "line") == b"null"
    first, second = shelf.bodies("item.declared/1")[:2]
    assert (first["size_bytes"], first["fault"], second["fault"]) == (100, None, "not_an_object")


def test_evidence_is_declared_slot_by_slot(shelf: Any, run: Any) -> None:
    """KEEP-4: a slot that is null declares nothing."""
    shelf.take(run)
    slots = [one["slot"] for one in shelf.bodies("item.declared/1") if one["slot"] is not None]
    assert slots == ["agent_logger", "test_mod", "answer"]


def test_a_file_that_vanished_is_absent_from_then_on(shelf: Any, run: Any) -> None:
    """KEEP-6: a file that no document names, and that was there, is told to be gone."""
    shelf.take(run)
    (run.root / "reviews.jsonl").unlink()
    (run.root / "answer.json").unlink()
    report = shelf.take(run)
    assert [(one.role, one.state) for one in report.changed] == [
        ("answer", "absent"),
        ("reviews", "absent"),
    ]
    assert shelf.take(run).events == 0
    assert "reviews" not in {file.role for file in shelf.held().files()}


def test_a_file_that_came_back_is_taken_in_again(shelf: Any, run: Any) -> None:
    """KEEP-6: after an absence all records are new."""
    shelf.take(run)
    data = run.read("reviews.jsonl")
    (run.root / "reviews.jsonl").unlink()
    shelf.take(run)
    run.write("reviews.jsonl", data)
    report = shelf.take(run)
    assert (report.new, report.changed[0].supersedes is None) == (1, False)
    assert shelf.text("reviews") == data


def test_evidence_declared_under_another_path_replaces_it(shelf: Any, run: Any) -> None:
    """KEEP-6: a role that has one file keeps its lines, whatever the file is called."""
    shelf.take(run)
    run.write("test/renamed.jsonl", run.read("test/mod.jsonl") + b'{"event":"end"}\n')
    run.edit("evidence.json", test_mod={"path": "test/renamed.jsonl"})
    report = shelf.take(run)
    changed = {one.role: one for one in report.changed}
    assert (changed["test_mod"].kept, changed["test_mod"].records) == (2, 3)
    assert shelf.text("test_mod") == run.read("test/renamed.jsonl")


@pytest.mark.parametrize("path", ["/etc/hosts", "../elsewhere.json", "link.json", "", "a\ud800b"])
def test_a_path_that_is_not_followed_is_told_with_the_reason(
    shelf: Any, run: Any, path: str
) -> None:
    """KEEP-2: nothing outside of the run is read, and what was named is not lost."""
    (run.root / "link.json").symlink_to("/etc/hosts")
    run.edit("evidence.json", oracle={"path": path})
    shelf.take(run)
    (file,) = (file for file in shelf.held().files() if file.role == "oracle")
    assert (file.path, file.state) == (path, "refused" if path != "a\ud800b" else file.state)
    assert file.why
    assert shelf.take(run).events == 0


def test_a_file_that_is_withheld_is_told_with_its_digest(shelf: Any, run: Any) -> None:
    """KEEP-2: what withheld.json says is kept, digest and reason."""
    (run.root / "answer.json").unlink()
    digest = hashlib.sha256(b"secret").hexdigest()
    listed = [{"path": "answer.json", "sha256": digest, "reason": "holds a name"}]
    run.write("withheld.json", {"schema": "coldledger-withheld/1", "files": listed})
    shelf.take(run)
    (file,) = (file for file in shelf.held().files() if file.role == "answer")
    assert (file.state, file.why) == ("withheld", "holds a name")
    assert file.sha256 is not None
    assert file.sha256.hex() == digest


def test_a_dry_run_appends_nothing_and_reports_the_same(shelf: Any, run: Any) -> None:
    """KEEP-9: what would happen is told, event for event."""
    before = shelf.ledger.head()
    told = shelf.take(run, dry_run=True)
    assert shelf.ledger.head() == before
    done = shelf.take(run)
    assert (told.events, told.new, told.sha256) == (done.events, done.new, done.sha256)
    assert (told.seq, told.dry_run, told.changed[0].event) == (None, True, None)


def test_only_the_roles_that_are_asked_for_are_looked_at(shelf: Any, run: Any) -> None:
    """KEEP-9: a recorder that appended to one file takes in that one."""
    shelf.take(run)
    run.append("trajectory.jsonl", {"record": "mark"})
    run.write("task.md", "Another task.\n")
    assert [one.role for one in shelf.take(run, roles=["trajectory"]).changed] == ["trajectory"]
    assert [one.role for one in shelf.take(run).changed] == ["task"]


def test_the_digest_of_a_run_is_over_its_files(shelf: Any, run: Any, tmp_path: Path) -> None:
    """KEEP-8: it changes with any file, and not with the place."""
    first = shelf.take(run, dry_run=True).sha256
    run.write("answer.json", {"carts": [1]})
    assert shelf.take(run, dry_run=True).sha256 != first
    run.write("answer.json", {"carts": []})
    assert shelf.take(run, dry_run=True).sha256 == first


def test_progress_is_told_in_thousands(shelf: Any, run: Any) -> None:
    """The records that were read so far are told, those that are known included."""
    run.append("trajectory.jsonl", *({"record": "mark"} for _ in range(2_500)))
    told: list[int] = []
    shelf.take(run, progress=told.append)
    assert told == [1_000, 2_000]


def test_a_folder_is_a_run_by_two_of_its_files(run: Any, tmp_path: Path) -> None:
    """A folder with run.json or trajectory.jsonl looks like a run, any other does not."""
    assert is_run(run.root)
    (run.root / "run.json").unlink()
    assert is_run(run.root)
    (run.root / "trajectory.jsonl").unlink()
    assert not is_run(run.root)
    assert not is_run(tmp_path / "nowhere")


def test_import_counts_what_cannot_be_read_every_time(shelf: Any, run: Any) -> None:
    """KEEP-9: importing again tells the records that are set aside again."""
    run.write("trajectory.jsonl", b'{"record": "header"}\nnonsense\n')
    options: dict[str, Any] = {"at": AT, "entropy": bytes}
    first = observe_directory(shelf.ledger, run.root, **options)
    second = observe_directory(shelf.ledger, run.root, **options)
    assert (first.quarantined, second.quarantined, second.events) == (1, 1, 0)
    assert first.problems == second.problems
    assert (first.problems[0].code, first.problems[0].place) == ("not_json", "trajectory.jsonl:2")
    assert observe(shelf.ledger, Directory(run.root), **options).quarantined == 0


def test_the_report_is_json(shelf: Any, run: Any) -> None:
    """KEEP-9: it has the fields of every import."""
    import msgspec

    report = json.loads(msgspec.json.encode(shelf.take(run)))
    fields = ("path", "format", "sha256", "events", "new", "known", "quarantined", "superseded")
    assert [name for name in fields if name not in report] == []
