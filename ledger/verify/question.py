"""What a verifier brings: the question that a bundle is verified against."""

from collections.abc import Sequence

from signing.checkpoint import Checkpoint

from .conditions import Conditions
from .steps import Step


class Question:
    """What a bundle is verified against; none of it comes from the bundle.

    Attributes:
        trust: Bytes of one or more trust roots.
        trust_sha256: Digest that the newest of them must have, or None.
        since: A checkpoint that was kept, whose log this must continue.
        conditions: Conditions of the verifier's own, or None.
        now: Seconds since 1970, to refuse cosignatures from the future; None for none.
    """

    def __init__(
        self,
        trust: Sequence[bytes],
        *,
        trust_sha256: bytes | None = None,
        since: Checkpoint | None = None,
        conditions: Conditions | None = None,
        now: int | None = None,
    ) -> None:
        self.trust, self.trust_sha256 = trust, trust_sha256
        self.since, self.conditions, self.now = since, conditions, now

    def unasked(self) -> frozenset[Step]:
        """Return the steps that this question leaves out; a witness may still turn up."""
        asked = {
            Step.CONSISTENCY: self.since is not None,
            Step.POLICY: self.conditions is not None,
            Step.WITNESSES: False,
        }
        return frozenset(step for step, wanted in asked.items() if not wanted)
