"""A ledger whose bytes are checked as they are read: each must open its entry's commitment.

Salt and bytes lie beside the log and not in it, so that they can be withheld; whoever can write the
file can write others there. A verdict on those would be a verdict on another run (KEEP-17).
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager

from msgspec import UNSET

from canon import commitment
from ledger.entry import Signed, read_entry, read_event
from ledger.errors import CommitmentMismatch, DisclosureUnexpected

from .versions import Holdings, Kept

_REMEDY = (
    "judge nothing by this file: bytes in it were changed; restore a backup that passes"
    " `coldledger replay --check`"
)


class Committed:
    """What a ledger holds of runs, bytes checked (``versions.Holdings``).

    Records that were read to their end are not checked again, so the ledger's state must not
    change while this is used. Nothing is kept but which records these were.
    """

    def __init__(self, ledger: Holdings) -> None:
        """Read from *ledger*, which holds one state meanwhile."""
        self._ledger = ledger
        self._good: set[tuple[int, int]] = set()

    @property
    def size(self) -> int:
        """Sequence number of the next event."""
        return self._ledger.size

    def seq_of(self, key: str) -> int | None:
        """Return the event that has an identity."""
        return self._ledger.seq_of(key)

    def under(self, start: str) -> Iterator[tuple[str, int]]:
        """Yield the identities that begin so, with their events."""
        return self._ledger.under(start)

    def entry(self, seq: int) -> bytes | None:
        """Return the bytes of an entry."""
        return self._ledger.entry(seq)

    def entries(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Yield numbers and bytes of entries, ascending."""
        return self._ledger.entries(start, stop)

    def count_blobs(self, slot: str, start: int, stop: int) -> int:
        """Return how many of these events keep a slot."""
        return self._ledger.count_blobs(slot, start, stop)

    def snapshot(self) -> AbstractContextManager[object]:
        """Hold one state while it is read."""
        return self._ledger.snapshot()

    def blob(self, seq: int, slot: str) -> Kept | None:
        """Return what a slot holds, None where that is withheld.

        Raises:
            CommitmentMismatch: It is not what the entry committed to.
            DisclosureUnexpected: The entry committed to nothing there.
        """
        found = self._ledger.blob(seq, slot)
        if found is not None:
            _check(found, _promised(seq, self._ledger.entry(seq)))
        return found

    def blobs(self, start: int = 0, stop: int | None = None) -> Iterator[Kept]:
        """Yield what slots hold, by event and slot.

        Raises:
            CommitmentMismatch, DisclosureUnexpected: As for :meth:`blob`.
        """
        end = self.size if stop is None else stop
        if (start, end) in self._good:
            yield from self._ledger.blobs(start, end)
            return
        entries = self._ledger.entries(start, end)
        at, promised = -1, dict[str, bytes]()
        for kept in self._ledger.blobs(start, end):
            if kept.seq != at:
                data = next((data for seq, data in entries if seq == kept.seq), None)
                at, promised = kept.seq, dict(_promised(kept.seq, data))
            _check(kept, promised)
            yield kept
        self._good.add((start, end))


def _promised(seq: int, data: bytes | None) -> Mapping[str, bytes]:
    """Return the commitments of an entry by their slots, 32 bytes each."""
    if data is None:
        return {}
    event = read_event(read_entry(data, seq))
    said = event.decision if isinstance(event, Signed) else event
    return {} if said.blobs is UNSET else said.blobs


def _check(kept: Kept, promised: Mapping[str, bytes]) -> None:
    seq, place = kept.seq, f"event {kept.seq}, slot {kept.slot}"
    if kept.slot not in promised:
        raise DisclosureUnexpected(place, "bytes", "no such slot", seq=seq, remedy=_REMEDY)
    if commitment(kept.salt, kept.data) != promised[kept.slot]:
        raise CommitmentMismatch(
            place, "other bytes", "those committed to", seq=seq, remedy=_REMEDY
        )
