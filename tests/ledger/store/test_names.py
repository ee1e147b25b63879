"""A ledger is found under every name that the system gives a file (STORE-22)."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from bundle_world import AT, Entropy, World, release, row, world

from ledger.check import check_ledger
from ledger.entry import genesis
from ledger.errors import LedgerMissing
from ledger.store import Ledger
from ledger.store.connection import wal_of

ORIGIN = "log.example/names"
NAMES = (
    "what?mode=ro",
    "a#b",
    "100%",
    "%2e%2e",
    "a&immutable=1",
    " ",
    "two\nlines",
    "-o",
    "ü",
    "file:x",
)


@pytest.fixture(scope="module")
def made() -> Iterator[World]:
    """Return a ledger."""
    with world("names") as here:
        here.imports(release([row(1)]))
        yield here


def is_whole(path: Path, made: World) -> bool:
    """Make a copy at *path* and use it, to read and to write."""
    made.ledger.backup(path)
    with Ledger.open(path, write=True) as ledger, ledger.batch(at=AT, entropy=Entropy("x")):
        assert wal_of(path).exists()
    with Ledger.open(path) as ledger:
        return check_ledger(ledger).ok and ledger.size == made.ledger.size


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_never_part_of_an_address(name: str, tmp_path: Path, made: World) -> None:
    """SQLite is given an address, in which `?`, `#` and `%` have a meaning (STORE-22)."""
    assert is_whole(tmp_path / name, made)
    assert (tmp_path / name).is_file()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems demand names in UTF-8")
def test_a_name_need_not_be_text(tmp_path: Path, made: World) -> None:
    """Its bytes are those that the system has (STORE-22)."""
    path = tmp_path / os.fsdecode(b"\xff\xfe.db")
    assert is_whole(path, made)
    assert b"\xff\xfe.db" in os.listdir(os.fsencode(tmp_path))
    Ledger.create(tmp_path / os.fsdecode(b"\x80"), ORIGIN, genesis(ORIGIN, bytes(32))).close()


def test_two_leading_slashes_are_no_host(tmp_path: Path, made: World) -> None:
    """As in an address they would be (STORE-22)."""
    assert is_whole(Path(f"/{tmp_path}/double.db"), made)


def test_relative_names_go_by_the_folder(
    tmp_path: Path, made: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`..` is left to the system, which follows links first (STORE-22)."""
    (tmp_path / "far" / "below").mkdir(parents=True)
    (tmp_path / "near").mkdir()
    (tmp_path / "near" / "link").symlink_to(tmp_path / "far" / "below")
    monkeypatch.chdir(tmp_path / "near")
    assert is_whole(Path("link/../up.db"), made)
    assert (tmp_path / "far" / "up.db").is_file()
    assert is_whole(Path("here.db"), made)


def test_a_link_leads_to_the_file_and_its_wal(tmp_path: Path, made: World) -> None:
    """The WAL stands beside the file, whichever name was given (STORE-22)."""
    (tmp_path / "links").mkdir()
    path, link = tmp_path / "real.db", tmp_path / "links" / "link.db"
    made.ledger.backup(path)
    link.symlink_to(path)
    with Ledger.open(link, write=True) as one, Ledger.open(path, write=True) as two:
        for ledger in (one, two):
            with ledger.batch(at=AT, entropy=Entropy("x")) as batch:
                batch.put_document(bytes(31) + bytes([len(list(ledger.documents()))]), b"x")
        assert list(one.documents()) == list(two.documents())
        assert wal_of(link) == wal_of(path) == tmp_path / "real.db-wal"
    assert list((tmp_path / "links").iterdir()) == [link]
    link.unlink()
    link.symlink_to(tmp_path / "nowhere.db")
    with pytest.raises(LedgerMissing):
        Ledger.open(link)
