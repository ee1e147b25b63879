"""Appending events that somebody wrote: all of a document in one transaction, or none of it.

Whatever judges a bundle judges here: places in a file, raw records read again, and decisions. So
nothing can be appended that would be refused once it is published.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

import msgspec

from canon.refusal import Refusal
from signing.keys import PrivateKey

from .decide import Fields, catch_up, decide_in
from .entry import read_entry, read_event
from .errors import ShapeInvalid
from .events import OBSERVATIONS
from .grounds import check_reason
from .replay import Entered, Replay
from .store import RECORDER, Batch, Entropy, Ledger
from .verify.extraction import Extraction
from .written import Written


class Appended(NamedTuple):
    """An event that was appended, or would have been.

    Attributes:
        entered: As it was accepted.
        slots: Slot to how many bytes.
    """

    entered: Entered
    slots: dict[str, int]


def append(
    ledger: Ledger,
    replay: Replay,
    written: Sequence[Written],
    signers: Sequence[PrivateKey],
    *,
    dry_run: bool = False,
    at: str,
    entropy: Entropy,
) -> list[Appended]:
    """Append events, and return each with its number.

    Args:
        ledger: Open for writing.
        replay: A replay of this ledger; not to be used any more after a dry run or a refusal.
        written: The events, in order.
        signers: Keys that sign each decision among them.
        dry_run: Do everything, and append nothing.
        at: Claimed time.
        entropy: Returns that many random bytes.

    Raises:
        Refusal: One of them may not stand where it would; nothing was appended.
    """
    done: list[Appended] = []
    with suppress(_Undone), ledger.batch(at=at, entropy=entropy) as batch:
        catch_up(replay, ledger)
        appending = _Appending(batch, replay, signers, entropy)
        for event in written:
            done.append(appending.take(event))
        appending.finish()
        if dry_run:
            raise _Undone
    return done


class _Undone(Exception):
    """Rolls a transaction back in which everything went well."""


class _Appending:
    """One transaction."""

    def __init__(
        self, batch: Batch, replay: Replay, signers: Sequence[PrivateKey], entropy: Entropy
    ) -> None:
        self._batch, self._replay, self._signers = batch, replay, signers
        self._entropy, self._first = entropy, batch.size
        self._extraction = Extraction(lambda: replay.attempts)

    def take(self, event: Written) -> Appended:
        """Append one event after the others."""
        try:
            entered = self._decide(event) if event.is_decision else self._observe(event)
            self._extraction.count(entered)
            for slot in sorted(event.slots):
                data, seq = event.slots[slot], entered.entry.seq
                check_reason(entered.event, slot, data, f"slot `{slot}`", seq)
                self._extraction.check(entered, slot, data)
        except Refusal as refusal:
            # Which of several events it was, the refusal cannot know.
            refusal.args = (f"{event.place}: {refusal}",)
            raise
        return Appended(entered, {slot: len(data) for slot, data in sorted(event.slots.items())})

    def finish(self) -> None:
        """Refuse a file of which something is missing."""
        self._replay.finish()
        self._extraction.finish()

    def _observe(self, event: Written) -> Entered:
        try:
            said = msgspec.convert(
                event.fields(self._first), OBSERVATIONS[event.wire], builtin_types=(bytes,)
            )
        except msgspec.ValidationError as fault:
            raise ShapeInvalid(event.wire, str(fault), f"`{event.wire}`") from None
        self._batch.append(said, event.slots, actor=event.actor or RECORDER)
        return self._replay.take(self._batch.last)

    def _decide(self, event: Written) -> Entered:
        # What the decision is made in view of may stand in this very transaction.
        self._batch.flush()

        def fields(_: Batch) -> Fields:
            says = event.fields(self._first)
            if event.until is not None:
                says["until"] = event.until
            return {**says, "target": event.seen(self._first)}

        seq = decide_in(
            self._batch,
            self._replay,
            event.wire,
            fields,
            self._signers,
            blobs=event.slots,
            entropy=self._entropy,
        )
        entry = read_entry(self._batch.last, seq)
        return Entered(entry, read_event(entry), self._batch.leaf, {})
