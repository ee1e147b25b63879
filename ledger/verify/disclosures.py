"""Steps 2 and 7 for what is disclosed: its order, and the commitment that it opens."""

from collections.abc import Iterable, Mapping

from canon.errors import Frame
from ledger.bundle.items import Disclosure
from ledger.errors import (
    CommitmentMismatch,
    DisclosureUnexpected,
    RedactionInvalid,
)
from ledger.grounds import check_reason
from ledger.replay import Entered

from .steps import Step


class Disclosures:
    """Takes the disclosures of a bundle in order.

    Attributes:
        count: How many opened their commitment.
        step: What was being checked, should a refusal come.
    """

    def __init__(self, redacted: Iterable[tuple[int, str]]) -> None:
        """Start before the first.

        Args:
            redacted: (event, slot) that nobody may disclose.
        """
        self.count = 0
        self.step = Step.FRAMING
        self._redacted = frozenset(redacted)
        self._previous: tuple[int, str] = (-1, "")

    def take(self, item: Disclosure, entries: Mapping[int, Entered], *, opened: bool) -> Entered:
        """Accept a disclosure; return the entry that it is of.

        Args:
            item: What is disclosed.
            entries: Those of the chunk before it, by number.
            opened: Whether it was seen elsewhere to open the commitment of that entry.

        Raises:
            Refusal: It stands elsewhere, is of no slot, was redacted, or has other bytes.
        """
        self.step = Step.FRAMING
        seq, slot = place = item.seq, item.slot
        named = f"slot {seq}/{slot}"
        if place <= self._previous:
            raise Frame(named, "out of order", "ascending by number and slot")
        self._previous = place
        self.step = Step.DISCLOSURES
        entered = entries.get(seq)
        if entered is None:
            raise DisclosureUnexpected(named, "an entry of another chunk", "the chunk before it")
        promised = entered.commitments.get(slot)
        if promised is None:
            raise DisclosureUnexpected(named, "no commitment", "a slot of the entry", seq=seq)
        if place in self._redacted:
            raise RedactionInvalid(named, "bytes", "nothing: it was redacted", seq=seq)
        if not opened and item.commitment() != promised:
            raise CommitmentMismatch(named, "other bytes", "those committed to", seq=seq)
        if item.dropped is None:
            check_reason(entered.event, slot, item.data, named, seq)
        self.count += 1
        return entered
