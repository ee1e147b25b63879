"""Files that are refused whole: named, with nothing kept."""

import json
import os
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

Document = dict[str, Any]


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


def test_a_file_without_rights_is_refused(
    shelf: Any, release: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's own words are told."""

    def deny(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    path = shelf.write(release)
    monkeypatch.setattr("os.open", deny)
    with pytest.raises(SourceUnreadable) as caught:
        shelf.take(path)
    assert caught.value.got == "Permission denied"


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
