"""A checkpoint that was kept: its log must be continued (CHAIN-8 to CHAIN-10)."""

from canon.errors import Consistency, ProofSize
from signing.checkpoint import Checkpoint, check_newer, open_checkpoint
from signing.errors import OtherOrigin, Rollback
from signing.note import ED25519, VerifierKey
from signing.trust import TrustRoot


def open_kept(note: bytes, root: TrustRoot) -> Checkpoint:
    """Return the checkpoint in a signed note, if a log key of *root* signed it.

    Any of its log keys will do: the checkpoint may be older than the key now in force.

    Raises:
        Refusal: It is no note, or no log key of the root signed it.

    """
    keys = [VerifierKey(root.log, ED25519, key.key) for key in root.document.log_keys]
    return open_checkpoint(note, keys)


def check_kept(kept: Checkpoint, origin: str) -> None:
    """Refuse a kept checkpoint that nothing can be compared with.

    Raises:
        OtherOrigin: It is of another log.
        ProofSize: It is of an empty log, which every log continues.

    """
    if kept.origin != origin:
        raise OtherOrigin("kept checkpoint", repr(kept.origin), repr(origin))
    if kept.size == 0:
        raise ProofSize("kept checkpoint", "size 0", "at least one entry")


def check_same_root(kept: Checkpoint, root: bytes) -> None:
    """Refuse when *root*, over as many entries as were kept, is another one.

    Raises:
        Consistency: The entries that led there are not those that were kept.

    """
    if root != kept.root:
        raise Consistency(
            f"tree of {kept.size} entries",
            f"root {root.hex()[:16]}…",
            f"{kept.root.hex()[:16]}…, as the kept checkpoint says",
        )


def check_continued(kept: Checkpoint, head: Checkpoint) -> None:
    """Refuse the head of a bundle that cannot follow the kept one.

    Raises:
        Rollback: It is smaller, which an older edition is without any fault of the log.
        SplitView: It is of the same size and has another root.

    """
    try:
        check_newer(kept, head)
    except Rollback as refusal:
        refusal.remedy = (
            "if this edition is older than the checkpoint you kept, verify it as of its own size,"
            " without --since; else ask for a bundle that is newer"
        )
        raise
