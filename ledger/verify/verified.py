"""A bundle that was verified: a type of its own, so that nothing unverified passes for one."""

from msgspec import Struct

from ledger.edition.manifest import Manifest
from ledger.events import EditionFrozen
from ledger.replay import Replay
from signing.checkpoint import Checkpoint


class VerifiedBundle(Struct, frozen=True):
    """A bundle in which every step held; only :func:`ledger.verify.bundle.verify_bundle` makes one.

    Attributes:
        manifest: What it publishes.
        manifest_bytes: Its canonical bytes.
        frozen: The decision that froze it.
        replay: State after all its entries.
        head: Its checkpoint.
    """

    manifest: Manifest
    manifest_bytes: bytes
    frozen: EditionFrozen
    replay: Replay
    head: Checkpoint
