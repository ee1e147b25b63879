"""Keys in memory and in files, and what verification refuses."""

import base64
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from hypothesis import given
from hypothesis import strategies as st

from signing import PrivateKey, check_public, kid_of, verify
from signing.errors import (
    KeyEncoding,
    KeyExists,
    KeyFile,
    KeyMode,
    KeyPassphrase,
    KeyWeak,
    SignatureInvalid,
)
from signing.keys import LOW_ORDER

Maker = Callable[[str], PrivateKey]

# RFC 8032 §7.1, test 3.
SEED = bytes.fromhex("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7")
PUBLIC = bytes.fromhex("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025")
SIGNATURE = bytes.fromhex(
    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
    "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
)


def test_a_key_signs_as_rfc_8032_says() -> None:
    """Seed, public key and signature are those of the RFC's third test."""
    key = PrivateKey.generate(SEED)
    assert (key.public, key.sign(b"\xaf\x82")) == (PUBLIC, SIGNATURE)
    verify(PUBLIC, b"\xaf\x82", SIGNATURE)


def test_a_kid_is_the_thumbprint_of_rfc_9679() -> None:
    """The prefix is the head of ``{1: 1, -1: 6, -2: x}`` in its required order of keys."""
    cose_key = b"\xa3" + b"\x01\x01" + b"\x20\x06" + b"\x21\x58\x20" + PUBLIC
    assert kid_of(PUBLIC) == sha256(cose_key).digest()
    assert PrivateKey.generate(SEED).kid == kid_of(PUBLIC)


def test_a_seed_is_32_bytes() -> None:
    """Less entropy is refused, not stretched."""
    with pytest.raises(KeyEncoding):
        PrivateKey.generate(SEED[:16])


def test_the_text_of_a_key_keeps_its_secret() -> None:
    """Neither text form contains the seed."""
    key = PrivateKey.generate(SEED)
    assert SEED.hex() not in repr(key) + str(key)
    assert repr(key) == f"PrivateKey(kid={key.kid.hex()[:12]}…)"


def test_there_are_fourteen_low_order_encodings_and_the_library_takes_one() -> None:
    """Each is refused here; `cryptography` verifies anything under the identity."""
    assert len(LOW_ORDER) == 14
    for public in LOW_ORDER:
        with pytest.raises(KeyWeak):
            check_public(public)
    identity = (1).to_bytes(32, "little")
    forged = identity + bytes(32)
    ed25519.Ed25519PublicKey.from_public_bytes(identity).verify(forged, b"anything at all")
    with pytest.raises(KeyWeak):
        verify(identity, b"anything at all", forged)


def test_low_order_points_really_are(key: Maker) -> None:
    """Eight times each encoding that decodes is the identity, by the curve's own arithmetic."""
    p = 2**255 - 19
    d = -121665 * pow(121666, -1, p) % p

    def double(x: int, y: int) -> tuple[int, int]:
        t = d * x * x * y * y
        return 2 * x * y * pow(1 + t, -1, p) % p, (y * y + x * x) * pow(1 - t, -1, p) % p

    for public in LOW_ORDER:
        y = (int.from_bytes(public, "little") & (2**255 - 1)) % p
        square = (y * y - 1) * pow(d * y * y + 1, -1, p) % p
        x = pow(square, (p + 3) // 8, p)
        if x * x % p != square:
            x = x * pow(2, (p - 1) // 4, p) % p
        assert x * x % p == square
        for _ in range(3):
            x, y = double(x, y)
        assert (x, y) == (0, 1)
    check_public(key("any").public)


@pytest.mark.parametrize("passphrase", [None, b"correct horse"])
def test_a_saved_key_is_loaded_again(tmp_path: Path, passphrase: bytes | None) -> None:
    """The file has mode 0600 and gives the same key, with the passphrase where there is one."""
    path = tmp_path / "a.key"
    PrivateKey.generate(SEED).save(path, passphrase)
    assert path.stat().st_mode & 0o777 == 0o600
    assert PrivateKey.load(path, passphrase).public == PUBLIC


def test_a_key_file_is_never_overwritten(tmp_path: Path) -> None:
    """What stands there stays, also where it is a link that leads nowhere."""
    path, link = tmp_path / "a.key", tmp_path / "b.key"
    path.write_bytes(b"mine")
    link.symlink_to(tmp_path / "nowhere")
    for taken in (path, link):
        with pytest.raises(KeyExists):
            PrivateKey.generate(SEED).save(taken)
    assert path.read_bytes() == b"mine"
    assert not (tmp_path / "nowhere").exists()


def test_half_a_key_is_not_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk fails, the file that was begun goes away."""

    def fail(handle: int) -> None:
        raise OSError(28, os.strerror(28), handle)

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(KeyFile):
        PrivateKey.generate(SEED).save(tmp_path / "a.key")
    assert list(tmp_path.iterdir()) == []


def test_a_key_is_not_saved_where_there_is_no_folder(tmp_path: Path) -> None:
    """The fault is the file's, with the system's reason."""
    with pytest.raises(KeyFile) as refused:
        PrivateKey.generate(SEED).save(tmp_path / "no" / "a.key")
    assert refused.value.got == os.strerror(2)


@pytest.mark.parametrize(
    ("saved", "given"),
    [(None, b"some"), (b"one", None), (b"one", b"two"), (b"one", b"")],
)
def test_a_wrong_passphrase_has_its_code(
    tmp_path: Path, saved: bytes | None, given: bytes | None
) -> None:
    """Missing, superfluous, wrong and empty passphrases are told from a broken file."""
    path = tmp_path / "a.key"
    PrivateKey.generate(SEED).save(path, saved)
    with pytest.raises(KeyPassphrase):
        PrivateKey.load(path, given)


def test_an_empty_passphrase_does_not_encrypt(tmp_path: Path) -> None:
    """It is refused before anything is written."""
    with pytest.raises(KeyPassphrase):
        PrivateKey.generate(SEED).save(tmp_path / "a.key", b"")
    assert not (tmp_path / "a.key").exists()


@pytest.mark.parametrize("mode", [0o604, 0o602, 0o666])
def test_a_key_open_to_everybody_is_refused(tmp_path: Path, mode: int) -> None:
    """Reading and writing by others are both too much; a group may read."""
    path = tmp_path / "a.key"
    PrivateKey.generate(SEED).save(path)
    path.chmod(mode)
    with pytest.raises(KeyMode):
        PrivateKey.load(path)
    path.chmod(0o640)
    assert PrivateKey.load(path).public == PUBLIC


def _pem(private: ec.EllipticCurvePrivateKey) -> bytes:
    return private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


@pytest.mark.parametrize("passphrase", [None, b"some"])
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00" * 100,
        b"-----BEGIN OPENSSH PRIVATE KEY-----\n",
        b"-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n",
    ],
)
def test_a_file_without_a_key_is_refused(
    tmp_path: Path, data: bytes, passphrase: bytes | None
) -> None:
    """Anything but PEM PKCS #8 is one fault, with and without a passphrase."""
    path = tmp_path / "a.key"
    path.touch(0o600)
    path.write_bytes(data)
    with pytest.raises(KeyFile):
        PrivateKey.load(path, passphrase)


@given(st.binary(max_size=200), st.sampled_from([None, b"some"]))
def test_random_key_files_are_refused(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, passphrase: bytes | None
) -> None:
    """Random bytes in a PEM block, plain and encrypted, raise nothing but refusals."""
    path = tmp_path_factory.mktemp("keys") / "a.key"
    path.touch(0o600)
    for kind in (b"PRIVATE KEY", b"ENCRYPTED PRIVATE KEY"):
        body = base64.encodebytes(data)
        path.write_bytes(b"-----BEGIN %b-----\n%b-----END %b-----\n" % (kind, body, kind))
        with pytest.raises((KeyFile, KeyPassphrase)):
            PrivateKey.load(path, passphrase)


def test_a_broken_or_another_key_is_refused(tmp_path: Path) -> None:
    """A block of bad bytes, a key of another algorithm, and a missing file."""
    path = tmp_path / "a.key"
    path.touch(0o600)
    broken = b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
    for data in (broken, _pem(ec.generate_private_key(ec.SECP256R1()))):
        path.write_bytes(data)
        with pytest.raises(KeyFile):
            PrivateKey.load(path)
    with pytest.raises(KeyFile):
        PrivateKey.load(tmp_path / "none.key")


def test_a_flipped_bit_of_a_signature_is_refused() -> None:
    """Each of the 512 bits matters."""
    for bit in range(512):
        index, mask = bit // 8, 1 << (bit % 8)
        flipped = SIGNATURE[:index] + bytes([SIGNATURE[index] ^ mask]) + SIGNATURE[index + 1 :]
        with pytest.raises((SignatureInvalid, KeyWeak)):
            verify(PUBLIC, b"\xaf\x82", flipped)
