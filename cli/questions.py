"""What a bundle is verified against, from files that the verifier names; needs no typer."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from canon.refusal import Refusal
from ledger.errors import ConditionsMalformed
from ledger.verify.kept import open_kept
from ledger.verify.question import Question
from signing.trust import TrustRoot, parse_root

from .edge import read_file, seconds
from .errors import UsageInvalid
from .reading import root_bytes

if TYPE_CHECKING:
    from signing.checkpoint import Checkpoint

_DIGEST_HEX = 64


def question(
    trust: Sequence[Path],
    *,
    trust_sha256: str | None = None,
    since: Path | None = None,
    policy: Path | None = None,
) -> Question:
    """Read the files that say what to verify against.

    Args:
        trust: Trust roots, one or more versions.
        trust_sha256: Digest that the newest must have, in hex.
        since: A signed checkpoint that was kept.
        policy: Conditions of the verifier's own, as TOML.
    """
    from ledger.verify.conditions import read_conditions

    roots = [root_bytes(path) for path in trust]
    kept = None
    if since is not None:
        newest = max((parse_root(data) for data in roots), key=lambda root: root.version)
        kept = kept_checkpoint(since, newest)
    conditions = None
    if policy is not None:
        data = read_file(policy, "conditions in TOML")
        conditions = read_conditions(_text(data, policy), str(policy))
    return Question(
        roots,
        trust_sha256=_digest(trust_sha256),
        since=kept,
        conditions=conditions,
        now=seconds(),
    )


def kept_checkpoint(path: Path, root: TrustRoot) -> "Checkpoint":
    """Read a checkpoint that was kept; only what a log key of *root* signed is believed."""
    try:
        return open_kept(read_file(path, "a signed checkpoint"), root)
    except Refusal as refusal:
        refusal.offset = None  # what has offsets is the bundle, which was not looked at (VERIFY-19)
        raise


def _text(data: bytes, path: Path) -> str:
    """Return the text of a TOML file, which is UTF-8 by its own rules.

    Raises:
        ConditionsMalformed: It is none.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise ConditionsMalformed(
            str(path), f"byte {data[fault.start]:#04x} at {fault.start}", "TOML in UTF-8"
        ) from None


def _digest(text: str | None) -> bytes | None:
    if text is None:
        return None
    try:
        digest = bytes.fromhex(text)
    except ValueError:
        digest = b""
    if len(text) != _DIGEST_HEX or len(digest) != _DIGEST_HEX // 2:
        raise UsageInvalid(f"Invalid value for '--trust-sha256': {text!r} is not 64 hex digits")
    return digest
