"""Private keys and passphrases: loaded where a command names them, asked for only of a person."""

from collections.abc import Sequence
from pathlib import Path

from ledger.decide import KID_HEX
from signing.errors import KeyFile, KeyPassphrase, KeyUnknown
from signing.keys import PrivateKey, kid_of
from signing.trust import TrustRoot

from .edge import environment, interactive, read_file, readable_by_everybody
from .errors import PassphraseMissing, UsageInvalid
from .text import warn

LOG_KEY = "log.key"
VARIABLE = "COLDLEDGER_PASSPHRASE"


def load_key(path: Path, passphrase_file: Path | None = None) -> PrivateKey:
    """Load a private key; an encrypted one takes the passphrase that was given.

    Raises:
        PassphraseMissing: None was given, and stdin is no terminal to ask at.
        Refusal: The file is no key that may be used.
    """
    try:
        return PrivateKey.load(path)
    except KeyPassphrase:
        # A passphrase is used for encrypted keys only, so that one variable serves for all.
        passphrase = given_passphrase(passphrase_file) or _ask(f"Passphrase of {path}: ")
        if passphrase is None:
            raise PassphraseMissing(f"key file {path}", "no passphrase", "its passphrase") from None
        return PrivateKey.load(path, passphrase)


def load_keys(paths: Sequence[Path], passphrase_file: Path | None = None) -> list[PrivateKey]:
    """Load every key of *paths*."""
    return [load_key(path, passphrase_file) for path in paths]


def load_log_key(
    given: Path | None, beside: Path | None, passphrase_file: Path | None, root: TrustRoot | None
) -> PrivateKey:
    """Load the log's key.

    Args:
        given: Where ``--log-key`` or its variable says it is.
        beside: A key in whose folder it is otherwise looked for.
        passphrase_file: Holds the passphrase.
        root: The trust root in force, which must name the key.

    Raises:
        KeyUnknown: The trust root names other log keys.
    """
    if given is None and beside is None:
        raise UsageInvalid(
            "Missing option '--log-key', or '--key' in whose folder log.key is",
            remedy="name the log's key with --log-key FILE, or with --key a key beside it",
        )
    path = given if given is not None else Path(beside or "").with_name(LOG_KEY)
    if given is None and not path.exists():
        remedy = "name the log's key with --log-key or COLDLEDGER_LOG_KEY"
        raise KeyFile(
            f"log key {path}", "no such file", "the log's key beside --key", remedy=remedy
        )
    key = load_key(path, passphrase_file)
    publics = [] if root is None else [one.key for one in root.document.log_keys]
    if root is not None and key.public not in publics:
        named = ", ".join(kid_of(public).hex()[:KID_HEX] for public in publics)
        expected = f"a log key of the trust root: {named}"
        raise KeyUnknown(f"log key {path}", key.kid.hex()[:KID_HEX], expected)
    return key


def given_passphrase(passphrase_file: Path | None) -> bytes | None:
    """Return the passphrase of the file or of the environment, or None."""
    if passphrase_file is not None:
        data = read_file(passphrase_file, "a file with a passphrase")
        if readable_by_everybody(passphrase_file):
            warn(f"everybody can read {passphrase_file} and its passphrase: run chmod 600 on it")
        return data.rstrip(b"\r\n")
    text = environment(VARIABLE)
    return None if text is None else text.encode()


def new_passphrase(passphrase_file: Path | None, *, encrypt: bool) -> bytes | None:
    """Return the passphrase for a new key; None where it is to be kept without one.

    Raises:
        PassphraseMissing: It is to be encrypted, none was given, and nobody can be asked.
    """
    passphrase = given_passphrase(passphrase_file)
    if passphrase is not None or not encrypt:
        return passphrase
    passphrase = _ask("New passphrase: ")
    if passphrase is None:
        raise PassphraseMissing("--encrypt", "no passphrase", "one for the new key")
    if _ask("The same again: ") != passphrase:
        raise PassphraseMissing("--encrypt", "two different passphrases", "the same one twice")
    return passphrase


def _ask(prompt: str) -> bytes | None:
    if not interactive():
        return None
    from getpass import getpass

    return getpass(prompt).encode() or None
