"""Importing files: what is appended, counted and told, and what is never appended twice."""

import copy
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from canon.refusal import Refusal
from ledger.errors import (
    FormatName,
    FormatUnknown,
    JsonDepth,
    JsonDuplicateKey,
    JsonSyntax,
    JsonTruncated,
    SchemaInvalid,
    SourceDirectory,
    SourceLimit,
    SourceMissing,
    SourceUnreadable,
)
from ledger.importers import formats
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
    assert (report.events, report.new, report.known, report.seq) == (0, 0, 12, None)


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


def test_a_missing_file_is_named(shelf: Any) -> None:
    """What is not there is refused with its path."""
    path = shelf.folder / "no such.json"
    with pytest.raises(SourceMissing) as caught:
        shelf.take(path)
    assert caught.value.place == str(path)


def test_a_path_through_a_file_is_missing(shelf: Any, release: Document) -> None:
    """A file is no folder to look into."""
    with pytest.raises(SourceMissing):
        shelf.take(shelf.write(release) / "inside.json")


def test_a_path_with_a_null_is_missing(shelf: Any) -> None:
    """No file can have such a path."""
    with pytest.raises(SourceMissing):
        shelf.take(Path("a\0b"))


def test_a_folder_is_refused(shelf: Any) -> None:
    """No format is a folder so far."""
    with pytest.raises(SourceDirectory) as caught:
        shelf.take(shelf.folder)
    assert caught.value.place == str(shelf.folder)


def test_a_pipe_is_refused_without_waiting(shelf: Any) -> None:
    """Nobody writes into it, so reading it would take for ever."""
    path = shelf.folder / "pipe"
    os.mkfifo(path)
    with pytest.raises(SourceUnreadable):
        shelf.take(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_rights_is_refused(shelf: Any, release: Document) -> None:
    """The system's own words are told."""
    path = shelf.write(release)
    path.chmod(0)
    with pytest.raises(SourceUnreadable) as caught:
        shelf.take(path)
    assert "denied" in caught.value.got


@pytest.mark.parametrize(
    ("data", "fault", "where"),
    [
        (b"", JsonTruncated, "line 1 column 1"),
        (b"hello", JsonSyntax, "line 1 column 1"),
        (b"\x1f\x8b\x08\x00", JsonSyntax, "line 1 column 1"),
        (b"\xff\xfe{\x00}\x00", JsonSyntax, "line 1"),
        (b'{"runs": [}', JsonSyntax, "#/runs/0, line 1 column 11"),
        (b'{"runs": [],}', JsonSyntax, "line 1 column 13"),
        (b'{"runs": [1 2]}', JsonSyntax, "#/runs, line 1 column 13"),
        (b'{"runs": []} {}', JsonSyntax, "line 1 column 14"),
        (b'{"runs": [],\n "a" 1}', JsonSyntax, "#/a, line 2 column 6"),
        (b'{"runs": [],\n\n  "a": tru', JsonTruncated, "line 3 column 8"),
        (b'{"runs": [{"a": "b', JsonTruncated, "#/runs/0, line 1 column 17"),
        (b'{"runs": [01]}', JsonSyntax, "line 1 column 12"),
        (b'{"runs": [], "runs": []}', JsonDuplicateKey, ""),
        (b'{"runs": [], "notes": {"a": 1, "a": 2}}', JsonDuplicateKey, "#/notes"),
        (b'{"runs": [], "notes": ' + b"[" * 65 + b"]" * 65 + b"}", JsonDepth, "#/notes"),
        (b'{"runs": [], "notes": ' + b"[" * 20_000, JsonDepth, "#/notes"),
        (b"[" * 20_000, JsonDepth, ""),
        (b'{"runs": ' + b"[" * 20_000, JsonDepth, "#/runs/0"),
    ],
)
def test_what_is_no_json_is_refused_by_line(
    shelf: Any, data: bytes, fault: type[Refusal], where: str
) -> None:
    """Each fault has its class, and names file, pointer, line and column."""
    path = shelf.write(data)
    with pytest.raises(fault) as caught:
        shelf.take(path)
    assert caught.value.place.startswith(str(path))
    assert where in caught.value.place
    assert shelf.ledger.size == 0


def test_every_truncation_of_a_release_is_refused(shelf: Any, release: Document) -> None:
    """Wherever a file breaks off, nothing of it is kept; only the last brace matters."""
    data = json.dumps(release, indent=1).encode()
    for end in range(1, len(data), 997):
        with pytest.raises(JsonTruncated):
            shelf.take(data[:end])
    assert shelf.ledger.size == 0


@pytest.mark.parametrize(
    ("name", "value", "got"),
    [
        ("schema_version", 2, "number 2"),
        ("schema_version", "1", "text '1'"),
        ("schema_version", True, "true"),
        ("version", None, "null"),
        ("version", 20260301, "number 20260301"),
        ("runs", {}, "an object"),
        ("compatibility", [], "an array"),
        ("corrections", "none", "text 'none'"),
        ("sources", {}, "an object"),
        ("tier", 3, "number 3"),
    ],
)
def test_another_schema_is_refused_by_key(
    shelf: Any, release: Document, name: str, value: object, got: str
) -> None:
    """The message names the key, what stood there and what should have."""
    release[name] = value
    path = shelf.write(release)
    with pytest.raises(SchemaInvalid) as caught:
        shelf.take(path)
    assert caught.value.place == f"{path}#/{name}"
    assert caught.value.got == got
    assert shelf.ledger.size == 0


@pytest.mark.parametrize("name", ["schema_version", "version", "runs", "compatibility"])
def test_a_missing_key_is_refused(shelf: Any, release: Document, name: str) -> None:
    """What every release must have is asked for by name."""
    del release[name]
    with pytest.raises(SchemaInvalid) as caught:
        shelf.take(release)
    assert caught.value.place.endswith(f"#/{name}")
    assert caught.value.got == "no such field"


def test_other_json_is_of_no_known_format(shelf: Any) -> None:
    """The message says what was seen and what is read."""
    with pytest.raises(FormatUnknown) as caught:
        shelf.take({"generated_from": "x", "releases": {}})
    assert "'generated_from', 'releases'" in caught.value.got
    assert caught.value.expected == "replaybook-release/1"


@pytest.mark.parametrize("data", [b"[]", b'"text"', b"12", b"{}"])
def test_json_that_is_no_release_is_of_no_known_format(shelf: Any, data: bytes) -> None:
    """Whatever stands at the top."""
    with pytest.raises(FormatUnknown):
        shelf.take(data)


@pytest.mark.parametrize("name", ["replaybook-release/1", "replaybook-release"])
def test_a_format_can_be_named(shelf: Any, release: Document, name: str) -> None:
    """With the name the content is not asked, and the schema's own refusal is heard."""
    assert shelf.take(release, format_name=name).new == 12
    with pytest.raises(SchemaInvalid):
        shelf.take({"generated_from": "x"}, format_name=name)


def test_a_format_that_is_not_there_is_refused(shelf: Any, release: Document) -> None:
    """The message lists those that are."""
    with pytest.raises(FormatName) as caught:
        shelf.take(release, format_name="harbor")
    assert caught.value.expected == " or ".join(formats())


def test_too_many_names_are_refused_before_the_entry_is_too_long(
    shelf: Any, release: Document
) -> None:
    """A release of thousands of matrices is refused by name, not as an entry of too many bytes."""
    release["sources"] = [{"source": f"matrix-{number:0200d}"} for number in range(400)]
    with pytest.raises(SourceLimit) as caught:
        shelf.take(release)
    assert caught.value.place.endswith("#/sources")


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
