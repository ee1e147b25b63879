"""Files that appear whole, and files that take the place of others (STORE-8, STORE-24)."""

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ledger import files
from ledger.errors import FileUnwritable, LedgerExists, LedgerLocked
from ledger.files import replaced_file, whole_file

REPO = Path(__file__).resolve().parents[2]


def zeros(count: int) -> bytes:
    """Stand for randomness."""
    return bytes(count)


def append(path: Path, data: bytes) -> None:
    """Replace a file by itself and *data*."""
    with replaced_file(path) as (old, new):
        new.write(old.read() + data)


def _interrupted(path: Path, fault: type[BaseException]) -> None:
    with whole_file(path, zeros) as beside:
        beside.write_bytes(b"x")
        raise fault


def _interrupted_replacing(path: Path, fault: type[BaseException]) -> None:
    with replaced_file(path) as (_, new):
        new.write(b"half")
        raise fault


def test_a_new_file_has_its_name_only_when_whole(tmp_path: Path) -> None:
    """Until then it stands beside, and after an error nowhere (STORE-8, STORE-25)."""
    path = tmp_path / "new"
    with whole_file(path, zeros) as beside:
        beside.write_bytes(b"x")
        assert not path.exists()
    assert path.read_bytes() == b"x"
    for fault in (ValueError, KeyboardInterrupt, OSError):
        with pytest.raises((fault, FileUnwritable)):
            _interrupted(tmp_path / "no", fault)
    assert os.listdir(tmp_path) == ["new"]


def test_a_name_that_somebody_took_meanwhile_is_left_to_them(tmp_path: Path) -> None:
    """The first has it (STORE-8)."""
    path = tmp_path / "new"
    with pytest.raises(LedgerExists), whole_file(path, zeros) as beside:
        beside.write_bytes(path.write_bytes(b"theirs") * b"mine")
    assert path.read_bytes() == b"theirs"
    assert os.listdir(tmp_path) == ["new"]


def test_the_longest_name_is_a_name(tmp_path: Path) -> None:
    """Though the file beside it needs one too."""
    path = tmp_path / ("ü" * 127)
    with whole_file(path, zeros) as beside:
        beside.write_bytes(b"x")
    append(path, b"y")
    assert path.read_bytes() == b"xy"
    with pytest.raises(FileUnwritable), whole_file(tmp_path / ("x" * 256), zeros) as beside:
        beside.write_bytes(b"x")


def test_a_replaced_file_keeps_its_mode_and_its_links(tmp_path: Path) -> None:
    """A symbolic link leads to the new file as it did to the old (STORE-24)."""
    path, link, chain = tmp_path / "file", tmp_path / "link", tmp_path / "chain"
    path.write_bytes(b"a")
    path.chmod(0o640)
    link.symlink_to("file")
    chain.symlink_to(link)
    append(chain, b"b")
    assert path.read_bytes() == b"ab"
    assert link.is_symlink()
    assert chain.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(os.listdir(tmp_path)) == ["chain", "file", "link"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_a_replaced_file_keeps_its_owner(tmp_path: Path) -> None:
    """Where whoever replaces it may say so (STORE-24)."""
    path = tmp_path / "file"
    path.write_bytes(b"a")
    os.chown(path, 12_345, 23_456)
    append(path, b"b")
    assert (path.stat().st_uid, path.stat().st_gid) == (12_345, 23_456)


def test_a_fault_leaves_the_old_file(tmp_path: Path) -> None:
    """And nothing beside it (STORE-24, STORE-25)."""
    path = tmp_path / "file"
    path.write_bytes(b"a")
    for fault in (ValueError, KeyboardInterrupt):
        with pytest.raises(fault):
            _interrupted_replacing(path, fault)
    assert path.read_bytes() == b"a"
    assert os.listdir(tmp_path) == ["file"]


def test_what_a_killed_process_left_is_no_hindrance(tmp_path: Path) -> None:
    """Its lock is gone with it, and its file is written anew (STORE-24)."""
    path = tmp_path / "file"
    path.write_bytes(b"a")
    (tmp_path / ".file.replaced").write_bytes(b"half of a longer one")
    append(path, b"b")
    assert path.read_bytes() == b"ab"
    assert os.listdir(tmp_path) == ["file"]


def test_only_regular_files_are_replaced(tmp_path: Path) -> None:
    """A pipe that nobody writes to does not make it wait (STORE-24)."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    for path in (tmp_path / "pipe", tmp_path, tmp_path / "absent", tmp_path / "loop"):
        with pytest.raises(FileUnwritable), replaced_file(path):
            raise AssertionError("the block is never entered")


def test_who_replaces_a_file_for_too_long_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second gives up, and the first loses nothing (STORE-24)."""
    path = tmp_path / "file"
    path.write_bytes(b"a")
    monkeypatch.setattr(files, "BUSY_SECONDS", 0.05)
    with replaced_file(path) as (old, new):
        with pytest.raises(LedgerLocked), replaced_file(path):
            raise AssertionError("the block is never entered")
        new.write(old.read() + b"b")
    assert path.read_bytes() == b"ab"


def test_threads_that_replace_at_once_lose_nothing(tmp_path: Path) -> None:
    """Each begins from what the one before it wrote (STORE-24)."""
    path = tmp_path / "file"
    path.write_bytes(b"")
    threads = [
        threading.Thread(target=append, args=(path, bytes([number]))) for number in range(24)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(path.read_bytes()) == list(range(24))


def test_processes_that_replace_at_once_lose_nothing(tmp_path: Path) -> None:
    """As above, between processes (STORE-24)."""
    path = tmp_path / "file"
    path.write_bytes(b"")
    program = (
        "import sys; from pathlib import Path; from ledger.files import replaced_file\n"
        "for number in range(5):\n"
        "    with replaced_file(Path(sys.argv[1])) as (old, new):\n"
        "        new.write(old.read() + sys.argv[2].encode())\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", program, str(path), str(number)], cwd=REPO)
        for number in range(4)
    ]
    assert [one.wait() for one in running] == [0] * 4
    assert sorted(path.read_bytes()) == sorted(b"0123" * 5)


@contextmanager
def closed(folder: Path) -> Iterator[None]:
    """Let nobody write in a folder but root."""
    folder.chmod(0o500)
    try:
        yield
    finally:
        folder.chmod(0o700)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_is_closed_is_named(tmp_path: Path) -> None:
    """Neither a new file nor a replacement is written there (STORE-8, STORE-24)."""
    path = tmp_path / "file"
    path.write_bytes(b"a")
    with closed(tmp_path):
        with pytest.raises(FileUnwritable):
            append(path, b"b")
        with pytest.raises(FileUnwritable), whole_file(tmp_path / "new", zeros) as beside:
            beside.write_bytes(b"x")
    assert path.read_bytes() == b"a"
