"""Importing files: what is appended, counted and told, and what is never appended twice."""

import copy
import hashlib
import json
import os
from collections.abc import Callable
from typing import Any

import pytest

from ledger.importers.source_rows import reassemble

Document = dict[str, Any]
Change = Callable[..., Document]


def test_a_release_becomes_its_source_itself_and_its_rows(shelf: Any, release: Document) -> None:
    """A whole file is one source, one release and one event for each row."""
    report = shelf.take(release)
    assert shelf.types() == ["source.imported/1", "release.reported/1"] + (
        ["attempt.reported/1"] * 12
    )
    assert (report.events, report.new, report.known, report.quarantined) == (14, 12, 0, 0)
    assert (report.rows, report.superseded, report.seq) == (12, 0, 0)
    assert (report.format, report.name) == ("replaybook-release/1", "20260301.0.0")
    assert (report.flags, report.problems) == ([], [])


def test_the_report_names_the_file_by_its_digest(shelf: Any, release: Document) -> None:
    """The digest is that of `sha256sum`; it stands in a slot, not in the entry."""
    path = shelf.write(release)
    report = shelf.take(path)
    digest = hashlib.sha256(path.read_bytes()).digest()
    (source,) = shelf.bodies("source.imported")
    assert report.sha256 == digest.hex()
    assert source["sha256"] is None
    assert shelf.blob(0, "digest") == digest
    assert shelf.blob(0, "path") == bytes(path)
    assert digest not in shelf.entries()


def test_a_public_source_shows_its_digest(shelf: Any, release: Document) -> None:
    """Who says that a source is public gets its digest into the entry."""
    path = shelf.write(release)
    shelf.take(path, public=True)
    (source,) = shelf.bodies("source.imported")
    assert source["sha256"] == hashlib.sha256(path.read_bytes()).digest()


def test_rows_and_envelope_are_the_file(shelf: Any, release: Document) -> None:
    """The blobs reassemble to the bytes of the file."""
    data = json.dumps(release, indent=1).replace("\n", "\r\n").encode()
    shelf.take(data)
    rows = [shelf.blob(seq, "record") for seq in range(2, 14)]
    envelope = shelf.blob(1, "record")
    assert reassemble(envelope, "runs", rows) == data


def test_a_file_imported_twice_adds_nothing(shelf: Any, release: Document) -> None:
    """The second import counts every row as known."""
    shelf.take(release)
    before = shelf.ledger.head()
    report = shelf.take(release)
    assert shelf.ledger.head() == before
    assert (report.events, report.new, report.known, report.seq) == (0, 0, 12, 0)


def test_a_copy_under_another_name_adds_nothing(shelf: Any, release: Document) -> None:
    """A file is known by its bytes, wherever it lies."""
    shelf.take(release)
    report = shelf.take(shelf.write(release, "other name.json"))
    assert (report.events, report.known) == (0, 12)


def test_changed_rows_are_a_new_source_that_supersedes(shelf: Any, release: Document) -> None:
    """Other bytes under the same version replace the source; what was there stays."""
    shelf.take(release)
    release["runs"][0]["failure_category"] = "corrected_word"
    report = shelf.take(release)
    sources = shelf.bodies("source.imported")
    assert [source["supersedes"] for source in sources] == [None, 0]
    assert (report.events, report.new, report.known, report.superseded) == (14, 0, 12, 1)
    first, second = (shelf.bodies("attempt.reported")[index] for index in (0, 12))
    assert first["attempt"] == second["attempt"]
    assert (first["failure_category"], second["failure_category"]) == (None, "corrected_word")


def test_a_third_version_supersedes_the_second(shelf: Any, release: Document) -> None:
    """Sources of one release form a line."""
    for note in ("one", "two", "three"):
        release["notes"] = [note]
        shelf.take(release)
    supersedes = [source["supersedes"] for source in shelf.bodies("source.imported")]
    assert supersedes == [None, 0, 14]


def test_the_old_file_of_a_superseded_release_adds_nothing(shelf: Any, release: Document) -> None:
    """Importing the first file again does not bring it back."""
    first = copy.deepcopy(release)
    shelf.take(first)
    release["notes"] = ["another"]
    shelf.take(release)
    report = shelf.take(first)
    assert (report.events, report.superseded) == (0, 0)


def test_a_trial_in_two_releases_is_one_trial(shelf: Any, release: Document) -> None:
    """A release that repeats a trial adds a membership: a report, not an attempt."""
    shelf.take(release)
    release["version"] = "20260302.0.0"
    release["runs"][0]["attempt"] = 9
    report = shelf.take(release)
    attempts = shelf.bodies("attempt.reported")
    assert (report.new, report.known, report.superseded) == (1, 11, 0)
    assert len({body["attempt"] for body in attempts}) == 13
    assert {body["release"] for body in attempts} == {"20260301.0.0", "20260302.0.0"}


def test_a_dry_run_reports_the_same_and_appends_nothing(shelf: Any, release: Document) -> None:
    """All numbers are those of the import that follows."""
    release["runs"][2]["trial_status"] = "lost"
    dry = shelf.take(release, dry_run=True)
    assert shelf.ledger.size == 0
    wet = shelf.take(release)
    fields = ("events", "new", "known", "quarantined", "superseded", "flags", "problems", "sha256")
    assert [getattr(dry, name) for name in fields] == [getattr(wet, name) for name in fields]
    assert (dry.seq, dry.dry_run) == (None, True)


def test_a_dry_run_needs_no_right_to_write(shelf: Any, release: Document) -> None:
    """A ledger that is open for reading is enough."""
    shelf.take(release)
    release["notes"] = []
    with type(shelf.ledger).open(shelf.ledger.path) as reader:
        shelf.ledger = reader
        assert shelf.take(release, dry_run=True).superseded == 1


def test_a_killed_import_leaves_nothing(
    shelf: Any, release: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interruption between two rows takes the whole file back."""
    monkeypatch.setattr("ledger.importers.intake.PROGRESS_RECORDS", 5)

    def interrupt(done: int, rows: int) -> None:
        assert (done, rows) == (5, 12)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        shelf.take(release, progress=interrupt)
    assert shelf.ledger.size == 0
    assert shelf.take(release).new == 12


def test_progress_is_told(shelf: Any, release: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every so many records, with the number of rows; the release is a record too."""
    monkeypatch.setattr("ledger.importers.intake.PROGRESS_RECORDS", 5)
    told: list[tuple[int, int]] = []
    shelf.take(release, progress=lambda done, rows: told.append((done, rows)))
    assert told == [(5, 12), (10, 12)]


@pytest.mark.parametrize("name", ["with space.json", "naïve-日本.json", "quote'\"$.json"])
def test_any_file_name_will_do(shelf: Any, release: Document, name: str) -> None:
    """Spaces, other scripts and quotes stay as they are, in the slot and in the report."""
    path = shelf.write(release, name)
    report = shelf.take(path)
    assert report.path == str(path)
    assert shelf.blob(0, "path") == str(path).encode()


def test_a_file_name_that_is_no_text_is_shown_escaped(shelf: Any, release: Document) -> None:
    """Bytes that are not UTF-8 and controls reach neither terminal nor JSON as they are."""
    name = os.fsdecode(b"odd-\xff-\x1b[31m.json")
    path = shelf.write(release, name)
    report = shelf.take(path)
    assert report.path.endswith("odd-\\xff-\\x1b[31m.json")
    assert shelf.blob(0, "path") == os.fsencode(path)


def test_members_that_nobody_reads_are_listed(shelf: Any, release: Document) -> None:
    """They are kept as pointers in a slot; the names may be anything, so none is in an entry."""
    release["surprise/d~"] = 1
    release["compatibility"]["gpu"] = "x"
    release["sources"][0]["region"] = "x"
    release["runs"][1]["mood"] = release["runs"][2]["mood"] = "x"
    release["runs"][3]["usage"]["carbon"] = 2
    shelf.take(release)
    assert json.loads(shelf.blob(0, "unmapped")) == [
        "/surprise~1d~0",
        "/compatibility/gpu",
        "/sources/0/region",
        "/runs/1/mood",
        "/runs/3/usage/carbon",
    ]
    assert b"mood" not in shelf.entries()


def test_no_prose_of_a_source_stands_in_an_entry(shelf: Any, release: Document) -> None:
    """Titles, notes, labels, failures, reasons, commands and paths stay in blobs."""
    release["compatibility"]["agent"]["adapter"] = "/home/ADAPTER-MARKER/run.sh"
    release["sources"][0]["source"] = "~/SOURCE-MARKER"
    release["runs"][0]["failure"] = "PROSE MARKER with Unicode ✂ and \udcff"
    release["runs"][1]["verification"]["after_agent_timeout"] = {
        "durable_repair": False,
        "failure": "LATE MARKER",
        "failure_category": "x" * 65 + "CATEGORY MARKER",
    }
    release["runs"][2]["UNKNOWN MARKER"] = "UNKNOWN MARKER"
    release["runs"][3]["trial_status"] = "STATUS MARKER"
    release["runs"][4]["scenario"] = "line\nSCENARIO MARKER"
    release["corrections"] = [
        {
            "run_id": release["runs"][11]["run_id"],
            "original": {"failure": "ORIGINAL MARKER"},
            "changes": {"failure": "CHANGED MARKER"},
            "reason": "REASON MARKER",
        },
        {"run_id": "x", "changes": {"FIELD MARKER": 1}},
    ]
    report = shelf.take(release)
    assert report.quarantined == 3
    assert b"MARKER" not in shelf.entries()
    assert b"home" not in shelf.entries()
    blobs = b"".join(blob.data for blob in shelf.ledger.blobs())
    assert blobs.count(b"MARKER") > 20


def test_paths_are_left_out_and_listed(shelf: Any, release: Document) -> None:
    """An adapter or matrix named by a path is null in the entry, and its pointer is kept."""
    release["compatibility"]["agent"] = {"name": "a", "adapter": "C:\\x", "payload": "~me"}
    release["sources"][0]["source"] = "/srv/matrix"
    shelf.take(release)
    (body,) = shelf.bodies("release.reported")
    assert (body["agent"], body["matrices"]) == (["a", None, None], [])
    assert {row["matrix"] for row in shelf.bodies("attempt.reported")} == {None}
    assert all(row["flags"] == [] for row in shelf.bodies("attempt.reported"))
    assert json.loads(shelf.blob(0, "unmapped")) == [
        "/sources/0/source",
        "/compatibility/agent/adapter",
        "/compatibility/agent/payload",
    ]
