"""Files of a run directory as they stand: paths, sizes, digests, and what is refused."""

import os
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from run_made import change, digest, entropy, opened, put, recorder

from ledger.runs import directory, documents
from ledger.runs.contents import File, of_role
from ledger.runs.directory import Canonical, Directory
from ledger.runs.layout import ROLES, Role
from ledger.runs.paths import fault_of, find
from ledger.runs.recording import withhold
from ledger.runs.structure import problems, withheld


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return a run that was just opened."""
    return opened(tmp_path / "run")


def declared(run: Path, path: str) -> File:
    """Declare a path as the oracle, and return how it stands."""
    change(run / "evidence.json", oracle={"path": path})
    return file_of(run, "oracle")


def file_of(run: Path, role: Role) -> File:
    """Return the one file of a role."""
    (file,) = of_role(Directory(run).files(), role)
    return file


def test_files_stand_in_the_order_of_their_roles(run: Path) -> None:
    """Those that every run has, also where they are missing (RUN-11, RUN-12)."""
    (run / "task.md").unlink()
    files = Directory(run).files()
    assert [(file.role, file.state) for file in files] == [
        ("manifest", "present"), ("task", "absent"), ("visibility", "present"),
        ("evidence", "present"), ("trajectory", "present"),
    ]  # fmt: skip
    ranks = [ROLES.index(file.role) for file in files]
    assert ranks == sorted(ranks)


def test_a_file_that_is_there_has_size_and_digests(run: Path) -> None:
    """And its bytes and lines can be read again and again (RUN-12, RUN-22)."""
    data = b'{"a": 1}\r\n{"b"\r: 2}\n'
    (run / "log.jsonl").write_bytes(data)
    change(run / "evidence.json", test_mod={"path": "log.jsonl"})
    file, contents = file_of(run, "test_mod"), Directory(run)
    assert (file.state, file.size_bytes, file.why) == ("present", len(data), None)
    assert file.sha256 == sha256(data).digest()
    assert file.canonical == sha256(data.replace(b"\r\n", b"\n")).digest()
    assert contents.data(file) == data
    for _ in range(2):
        assert list(contents.lines(file)) == [b'{"a": 1}\r\n', b'{"b"\r: 2}\n']


@given(st.lists(st.binary(max_size=8) | st.sampled_from([b"\r", b"\n", b"\r\n", b"a\r"])))
def test_line_ends_do_not_matter_to_the_second_digest(parts: list[bytes]) -> None:
    """However the bytes come in, it is that of the bytes with LF (RUN-22)."""
    made = Canonical()
    for part in parts:
        made.update(part)
        made.digest()  # asking does not change the answer
    assert made.digest() == sha256(b"".join(parts).replace(b"\r\n", b"\n")).digest()


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("/etc/passwd", "absolute"), ("\\etc", "absolute"), ("//host/share", "absolute"),
        ("\\\\host\\share", "absolute"), ("C:/x", "absolute"), ("c:x", "absolute"),
        ("..", "climbs"), ("a/../b", "climbs"), ("a\\..\\b", "climbs"), ("../a", "climbs"),
        ("", "empty"), (".", "empty"), ("./", "empty"), ("a\0b", "empty"),
        ("a", None), ("a/./b", None), ("a\\b", None), ("..a/b..", None), ("ab:c", None),
    ],
)  # fmt: skip
def test_a_path_is_judged_as_it_is_written(name: str, fault: str | None) -> None:
    """On every system alike (RUN-20)."""
    assert fault_of(name) == fault


def test_a_path_leads_to_a_regular_file_of_the_run(run: Path, tmp_path: Path) -> None:
    """Through no link, whatever the link leads to; a backslash divides it too (RUN-20)."""
    put(run / "deep/er/a.json", {})
    put(tmp_path / "outside.json", {})
    (run / "link.json").symlink_to(run / "deep/er/a.json")
    (run / "folder").symlink_to(run / "deep")
    (run / "out.json").symlink_to(tmp_path / "outside.json")
    os.mkfifo(run / "pipe")
    expected = {
        "deep/er/a.json": "present", "deep\\er/./a.json": "present", "deep/er/b.json": "absent",
        "deep/er/a.json/b": "absent", "link.json": "refused", "folder/er/a.json": "refused",
        "out.json": "refused", "deep": "refused", "pipe": "refused", "x" * 5_000: "refused",
        "\ud800": "refused",
    }  # fmt: skip
    assert {path: declared(run, path).state for path in expected} == expected
    assert find(run, "link.json").fault == "symlink"


def test_the_run_itself_may_be_a_link(run: Path, tmp_path: Path) -> None:
    """Where it stands is its owner's affair (RUN-20)."""
    (tmp_path / "link").symlink_to(run)
    assert problems(Directory(tmp_path / "link")) == []


def test_a_file_that_goes_meanwhile_is_an_error_of_the_system(run: Path) -> None:
    """It is not read as empty (RUN-12)."""
    contents = Directory(run)
    (run / "task.md").unlink()
    with pytest.raises(FileNotFoundError):
        contents.data(of_role(contents.files(), "task")[0])


def test_a_file_that_is_too_large_is_refused(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream only for a line that is (RUN-21)."""
    monkeypatch.setattr(directory, "MAX_FILE_BYTES", 2_000)
    monkeypatch.setattr(directory, "_CHUNK_BYTES", 100)
    put(run / "large.json", {"x": "y" * 3_000})
    assert declared(run, "large.json").state == "refused"
    assert [(one.file, one.code) for one in problems(Directory(run))] == [
        ("large.json", "too_large")
    ]
    change(run / "evidence.json", oracle=None)
    with recorder(run) as recording:
        for number in range(50):
            recording.mark(f"n{number}", {"x": "y" * 100})
    assert problems(Directory(run)) == []
    with recorder(run, 60) as recording:
        recording.mark("long", {"x": "y" * 3_000})
        recording.mark("short")
    assert [(one.file, one.code) for one in problems(Directory(run))] == [
        ("trajectory.jsonl", "too_large")
    ]


def test_a_file_that_cannot_be_read_is_refused(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what the system says (RUN-12, RUN-20)."""
    put(run / "oracle.json", {})

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(directory, "open", refuse, raising=False)
    file = Directory(run).files()[0]
    assert (file.state, file.why) == ("refused", "Permission denied")
    assert {one.code for one in problems(Directory(run))} == {"unreadable"}


def test_a_document_that_is_too_long_names_nothing(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be read is looked for no further (RUN-12, RUN-21)."""
    monkeypatch.setattr(documents, "MAX_DOCUMENT_BYTES", 10)
    assert {one.code for one in problems(Directory(run))} == {"too_long"}


def test_what_is_there_is_not_withheld(run: Path) -> None:
    """Whatever is said of it (RUN-23)."""
    put(run / "oracle.json", {})
    held = digest(run / "oracle.json")
    withhold(run, "oracle.json", "private", entropy=entropy)
    assert declared(run, "oracle.json").state == "present"
    (run / "oracle.json").unlink()
    file = declared(run, "oracle.json")
    assert (file.state, file.why) == ("withheld", "private")
    assert file.sha256 == bytes.fromhex(held)
    (run / "oracle.json").symlink_to(run / "task.md")
    assert declared(run, "oracle.json").state == "refused"
    assert withheld(Directory(run)) == []
