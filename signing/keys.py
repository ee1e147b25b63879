"""Ed25519 keys: made, kept in files, named by thumbprint, and checked before any use.

Everything cryptographic is the `cryptography` package's. It accepts low-order public keys, under
which the zero signature fits any message, so what may be a key is decided here first.
"""

import hashlib
import os
import stat
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Self

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from signing.errors import (
    KeyEncoding,
    KeyExists,
    KeyFile,
    KeyMode,
    KeyPassphrase,
    KeyWeak,
    SignatureInvalid,
)

P = 2**255 - 19
"""The field of edwards25519 (RFC 8032 §5.1)."""
L = 2**252 + 27742317777372353535851937790883648493
"""The order of the base point (RFC 8032 §5.1)."""

_THUMBPRINT = bytes.fromhex("a301012006215820")
_FILE_LIMIT = 65_536
_Y_OCTIC = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
_SIGN = 1 << 255
_D = -121665 * pow(121666, -1, P) % P

LOW_ORDER = frozenset(
    (y | sign).to_bytes(32, "little")
    for y in (0, 1, P - 1, P, P + 1, _Y_OCTIC, P - _Y_OCTIC)
    for sign in (0, _SIGN)
)
"""The 14 encodings that decoders take for one of the eight points of order 1, 2, 4 or 8."""


class PrivateKey:
    """An Ed25519 private key; its text form never shows the secret.

    Attributes:
        public: The public key, 32 bytes (RFC 8032 §5.1.5).
        kid: Its thumbprint, 32 bytes; see `kid_of`.

    """

    __slots__ = ("_key", "kid", "public")

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public = key.public_key().public_bytes_raw()
        self.kid = kid_of(self.public)

    def __repr__(self) -> str:
        return f"PrivateKey(kid={self.kid.hex()[:12]}…)"

    @classmethod
    def generate(cls, entropy: bytes) -> Self:
        """Make the key whose seed is *entropy*, 32 bytes from the system's random source."""
        if len(entropy) != 32:
            raise KeyEncoding("key seed", f"{len(entropy)} bytes", "32 bytes")
        return cls(Ed25519PrivateKey.from_private_bytes(entropy))

    @classmethod
    def load(cls, path: Path, passphrase: bytes | None = None) -> Self:
        """Read a key file: PEM PKCS #8, closed to everybody but its owner and group."""
        place = f"key file {path}"
        key = _private_key(_read_private(path, place), passphrase, place)
        if not isinstance(key, Ed25519PrivateKey):
            raise KeyFile(place, "a key of another algorithm", "an Ed25519 key")
        return cls(key)

    def save(self, path: Path, passphrase: bytes | None = None) -> None:
        """Write the key to a new file of mode 0600, encrypted when a *passphrase* is given."""
        # Only keys in files need PEM, and its module is most of what verifying would load.
        from cryptography.hazmat.primitives import serialization

        place = f"key file {path}"
        if passphrase == b"":
            raise KeyPassphrase(place, "an empty passphrase", "a passphrase, or none at all")
        data = self._key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption()
            if passphrase is None
            else serialization.BestAvailableEncryption(passphrase),
        )
        try:
            # O_EXCL follows no symbolic link and never opens a file that stands there already.
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError as error:
            raise KeyExists(place, "a file of that name", "a free path") from error
        except OSError as error:
            raise KeyFile(place, error.strerror or "an error", "a place to write") from error
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            with suppress(OSError):
                path.unlink()
            raise KeyFile(place, error.strerror or "an error", "room to write a key") from error

    def sign(self, message: bytes) -> bytes:
        """Return the signature of *message*, 64 bytes (RFC 8032 §5.1.6)."""
        return self._key.sign(message)


def kid_of(public: bytes) -> bytes:
    """Return the COSE key thumbprint of *public*, 32 bytes (RFC 9679: ``{1:1, -1:6, -2:x}``)."""
    return hashlib.sha256(_THUMBPRINT + public).digest()


def check_public(public: bytes, place: str = "public key") -> None:
    """Refuse what is not the one canonical encoding of a point of large order (SIGN-1, SIGN-2)."""
    if len(public) != 32:
        raise KeyEncoding(place, f"{len(public)} bytes", "32 bytes")
    if public in LOW_ORDER:
        raise KeyWeak(place, f"{public.hex()}, of low order", "a point of order at least L")
    y = int.from_bytes(public, "little") & (_SIGN - 1)
    if y >= P:
        raise KeyWeak(place, f"{public.hex()}, not reduced", "y less than 2^255 - 19")
    # x^2 = (y^2 - 1) / (d y^2 + 1) must be a square (RFC 8032 §5.1.3, step 2); Euler's criterion,
    # by which a quotient is a square exactly when the product is.
    if pow((y * y - 1) * (_D * y * y + 1), (P - 1) // 2, P) != 1:
        raise KeyEncoding(place, f"{public.hex()}, off the curve", "a point of edwards25519")


def verify(public: bytes, message: bytes, signature: bytes, place: str = "signature") -> None:
    """Refuse unless *signature* (64 bytes) is that of *message* under *public* (SIGN-1 to SIGN-4).

    The check is cofactorless with the computed R compared bytewise, so one message and key have
    no second form of one signature.
    """
    key = _verifying_key(public)
    if len(signature) != 64:
        raise SignatureInvalid(place, f"{len(signature)} bytes", "64 bytes")
    if signature[:32] in LOW_ORDER:
        raise KeyWeak(f"{place}, R", f"{signature[:32].hex()}, of low order", "a point of order L")
    if int.from_bytes(signature[:32], "little") & (_SIGN - 1) >= P:
        raise SignatureInvalid(
            f"{place}, R", "an encoding that is not reduced", "y below 2^255 - 19"
        )
    if int.from_bytes(signature[32:], "little") >= L:
        raise SignatureInvalid(f"{place}, S", "S at least L", "S less than L")
    try:
        key.verify(signature, message)
    except InvalidSignature as error:
        raise SignatureInvalid(
            place, f"{signature.hex()[:12]}…", f"the signature of key {kid_of(public).hex()[:12]}…"
        ) from error


@lru_cache(maxsize=1024)
def _verifying_key(public: bytes) -> Ed25519PublicKey:
    """Return the library's form of a checked public key; refusals are not cached."""
    check_public(public)
    return Ed25519PublicKey.from_public_bytes(public)


def _read_private(path: Path, place: str) -> bytes:
    """Read a private file through one handle, so that what is checked is what is read."""
    try:
        # Without waiting: opening a pipe that nobody writes to would take for ever.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        kind = os.fstat(handle).st_mode
        if not (stat.S_ISREG(kind) or stat.S_ISFIFO(kind)):
            os.close(handle)
            raise KeyFile(place, "a folder, device or socket", "a readable key file")
        if os.name == "posix":
            os.set_blocking(handle, True)
        with open(handle, "rb") as file:
            mode = stat.S_IMODE(kind)
            if os.name == "posix" and mode & (stat.S_IROTH | stat.S_IWOTH):
                raise KeyMode(place, f"mode {mode:04o}", "mode 0600")
            return file.read(_FILE_LIMIT)
    except OSError as error:
        raise KeyFile(place, error.strerror or "an error", "a readable key file") from error


def _private_key(data: bytes, passphrase: bytes | None, place: str) -> object:
    """Parse PEM PKCS #8, with one code for the passphrase and one for everything else."""
    encrypted = b"-----BEGIN ENCRYPTED PRIVATE KEY-----" in data
    if encrypted and not passphrase:
        raise KeyPassphrase(place, "no passphrase", "the passphrase of this key")
    if passphrase is not None and not encrypted:
        if b"-----BEGIN PRIVATE KEY-----" in data:
            raise KeyPassphrase(place, "a passphrase", "none: this key is not encrypted")
        raise KeyFile(place, "no PEM PKCS #8 block", "a key in PEM PKCS #8")
    if not encrypted and b"-----BEGIN PRIVATE KEY-----" not in data:
        raise KeyFile(place, "no PEM PKCS #8 block", "a key in PEM PKCS #8")
    from cryptography.hazmat.primitives import serialization

    try:
        return serialization.load_pem_private_key(data, passphrase)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        if encrypted and not isinstance(error, UnsupportedAlgorithm):
            raise KeyPassphrase(
                place, "a passphrase that does not open it", "the one it was saved with"
            ) from error
        raise KeyFile(place, "bytes that are no key", "a key in PEM PKCS #8") from error
