"""What a verifier brings: the question that a bundle is verified against."""

from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec import Struct

from canon.instant import instant_text
from ledger.errors import TrustUnpinned
from signing.checkpoint import Checkpoint
from signing.trust import TrustRoot

from .conditions import Conditions
from .steps import Step


class _Trust(Struct, frozen=True):
    """What every question brings by place: a base, since the fields of its own are keywords."""

    trust: Sequence[bytes]


class Question(_Trust, frozen=True, kw_only=True):
    """What a bundle is verified against; none of it comes from the bundle.

    Attributes:
        trust: Bytes of one or more trust roots.
        trust_sha256: Digest that the newest of them must have, or None.
        since: A checkpoint that was kept, whose log this must continue.
        conditions: Conditions of the verifier's own, or None.
        now: Seconds since 1970, to refuse cosignatures from the future; None for none.
    """

    trust_sha256: bytes | None = None
    since: Checkpoint | None = None
    conditions: Conditions | None = None
    now: int | None = None

    def is_pinned(self, digest: bytes) -> bool:
        """Tell whether the newest trust root was asked for by its *digest*, 32 bytes.

        Raises:
            TrustUnpinned: Another digest was asked for.
        """
        asked = self.trust_sha256
        if asked is not None and asked != digest:
            raise TrustUnpinned(
                "trust root", f"digest {digest.hex()}", f"{asked.hex()}, as was given"
            )
        return asked is not None

    def finds_expired(self, root: TrustRoot) -> bool | None:
        """Tell whether a trust root is no longer fresh; None where the time was not given."""
        if self.now is None:
            return None
        return root.expired(instant_text(datetime.fromtimestamp(self.now, UTC)))

    def unasked(self) -> frozenset[Step]:
        """Return the steps that this question leaves out; a witness may still turn up."""
        asked = {
            Step.CONSISTENCY: self.since is not None,
            Step.POLICY: self.conditions is not None,
            Step.WITNESSES: False,
        }
        return frozenset(step for step, wanted in asked.items() if not wanted)
