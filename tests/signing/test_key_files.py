"""Every refusal of a key file names the file, and says what is wrong with it."""

import os
from collections.abc import Callable
from pathlib import Path
from threading import Timer

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from refusals import assert_said

from canon.refusal import Refusal
from signing import PrivateKey
from signing.errors import KeyExists, KeyFile, KeyMode, KeyPassphrase

SEED = bytes(range(32))
ANOTHER = ec.generate_private_key(ec.SECP256R1()).private_bytes(
    serialization.Encoding.PEM,
    serialization.PrivateFormat.PKCS8,
    serialization.NoEncryption(),
)


def written(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Write a file of a mode."""
    path.write_bytes(data)
    path.chmod(mode)


def saved(path: Path, passphrase: bytes | None = None) -> None:
    """Save a key."""
    PrivateKey.generate(SEED).save(path, passphrase)


Attempt = Callable[[Path], object]
CASES: dict[str, tuple[type[Refusal], Attempt, Attempt]] = {
    "missing": (KeyFile, lambda path: None, PrivateKey.load),
    "no-key": (KeyFile, lambda path: written(path, b"text"), PrivateKey.load),
    "no-key-with-passphrase": (
        KeyFile,
        lambda path: written(path, b"text"),
        lambda path: PrivateKey.load(path, b"some"),
    ),
    "broken": (
        KeyFile,
        lambda path: written(path, b"-----BEGIN PRIVATE KEY-----\nAAAA\n"),
        PrivateKey.load,
    ),
    "another-algorithm": (KeyFile, lambda path: written(path, ANOTHER), PrivateKey.load),
    "open-to-all": (KeyMode, lambda path: written(path, b"", 0o644), PrivateKey.load),
    "passphrase-missing": (KeyPassphrase, lambda path: saved(path, b"one"), PrivateKey.load),
    "passphrase-wrong": (
        KeyPassphrase,
        lambda path: saved(path, b"one"),
        lambda path: PrivateKey.load(path, b"two"),
    ),
    "passphrase-for-none": (KeyPassphrase, saved, lambda path: PrivateKey.load(path, b"some")),
    "passphrase-empty": (KeyPassphrase, lambda path: None, lambda path: saved(path, b"")),
    "taken": (KeyExists, lambda path: written(path, b"mine"), saved),
    "no-place": (KeyFile, lambda path: path.parent.rmdir(), saved),
}


@pytest.mark.parametrize("name", CASES)
def test_a_refusal_names_the_file(name: str, tmp_path: Path) -> None:
    """The place is the path that was given; got, expected and remedy are sentences of ours."""
    refusal, prepare, attempt = CASES[name]
    path = tmp_path / "folder" / "a.key"
    path.parent.mkdir()
    prepare(path)
    with pytest.raises(refusal) as refused:
        attempt(path)
    assert refused.value.place == f"key file {path}"
    assert_said(refused.value)


def test_the_systems_reason_is_given(tmp_path: Path) -> None:
    """A missing file is said to be missing; a folder is no file."""
    with pytest.raises(KeyFile) as refused:
        PrivateKey.load(tmp_path)
    assert refused.value.place == f"key file {tmp_path}"
    assert_said(refused.value)
    with pytest.raises(KeyFile) as refused:
        PrivateKey.load(tmp_path / "none.key")
    assert refused.value.got == os.strerror(2)


@pytest.mark.parametrize("removable", [True, False])
def test_a_disk_that_fails_is_the_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, removable: bool
) -> None:
    """The first reason is given, also where what was begun cannot be removed."""

    def full(handle: int) -> None:
        raise OSError(28, os.strerror(28), handle)

    def stuck(path: Path) -> None:
        raise OSError(30, os.strerror(30), path)

    path = tmp_path / "a.key"
    monkeypatch.setattr(os, "fsync", full)
    if not removable:
        monkeypatch.setattr(Path, "unlink", stuck)
    with pytest.raises(KeyFile) as refused:
        saved(path)
    assert refused.value.got == os.strerror(28)
    assert refused.value.place == f"key file {path}"
    assert_said(refused.value)
    assert path.exists() is not removable


@pytest.mark.parametrize(("more", "read"), [(0, True), (1, False)])
def test_a_key_stands_in_the_first_64_kib(tmp_path: Path, more: int, read: bool) -> None:
    """What is longer is not read to its end, however long it is."""
    path = tmp_path / "a.key"
    saved(path)
    data = path.read_bytes().strip()
    written(path, b"\n" * (65_536 - len(data) + more) + data)
    if read:
        assert PrivateKey.load(path).public == PrivateKey.generate(SEED).public
        return
    with pytest.raises(KeyFile):
        PrivateKey.load(path)


def test_a_key_may_come_through_a_pipe(tmp_path: Path) -> None:
    """What is written to it later is waited for, up to its end."""
    path = tmp_path / "a.key"
    saved(path)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o600)
    writer = os.open(pipe, os.O_RDWR)

    def write() -> None:
        os.write(writer, path.read_bytes())
        os.close(writer)

    later = Timer(0.05, write)
    later.start()
    key = PrivateKey.load(pipe)
    later.join()
    assert key.public == PrivateKey.generate(SEED).public


def test_a_pipe_that_nobody_writes_to_is_not_waited_for(tmp_path: Path) -> None:
    """There is nothing in it, so it is no key."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o600)
    with pytest.raises(KeyFile):
        PrivateKey.load(pipe)
