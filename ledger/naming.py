"""What a maintainer means: attempts by their beginnings, evidence, and slots of events."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from .errors import AttemptUnknown, EventUnknown, EvidenceInvalid, ReasonMissing, RedactionInvalid
from .replay import Replay

MIN_PREFIX = 8
_ATTEMPT = "att-"
_HEX = re.compile(rf"[0-9a-f]{{{MIN_PREFIX},}}")
_DIGITS = 18
_SHOWN = 3


class Evidence(NamedTuple):
    """What bears a decision out.

    Attributes:
        events: Numbers of events of this ledger, ascending.
        outside: References to what is not in it, as they were given.
    """

    events: list[int]
    outside: list[str]


def resolve(replay: Replay, target: str) -> str:
    """Return the attempt that *target* names.

    That is its identity, eight or more first characters of it, or as many digits of it.

    Raises:
        AttemptUnknown: None, or more than one.
    """
    found = _attempts(replay, target)
    if len(found) == 1:
        return found[0]
    expected = "one attempt of this ledger"
    if found:
        got = f"{target!r}, which {len(found)} attempts begin with"
        expected = f"more of one of them: {', '.join(found[:_SHOWN])}"
    else:
        got = repr(target)
        if len(target) < MIN_PREFIX:
            expected += f", by {MIN_PREFIX} or more of its characters"
    raise AttemptUnknown("--target", got, expected)


def evidence_of(replay: Replay, references: Sequence[str]) -> Evidence:
    """Return what *references* name: attempts, numbers of events, and what is not in the ledger.

    Raises:
        ReasonMissing: There are none.
        EvidenceInvalid: One is empty, or looks like a name of this ledger and names nothing there.
    """
    if not references:
        raise ReasonMissing("--evidence", "nothing", "at least one reference")
    numbers: set[int] = set()
    outside: dict[str, None] = {}
    for reference in references:
        number = _event_of(replay, reference)
        if number is None:
            outside[reference] = None
        else:
            numbers.add(number)
    return Evidence(sorted(numbers), list(outside))


def check_slot(replay: Replay, seq: int, slot: str) -> None:
    """Refuse to redact a slot that there is not, or that was redacted before.

    Raises:
        EventUnknown: The ledger has no event of that number.
        RedactionInvalid: The event has no such slot, or its bytes were deleted already.
    """
    if seq >= replay.size:
        raise EventUnknown("--slot", f"event {seq}", f"a number below {replay.size}")
    slots = ", ".join(f"{seq}/{name}" for name in sorted(replay.slots_of(seq)))
    if slot not in replay.slots_of(seq):
        raise RedactionInvalid(
            "--slot",
            f"{seq}/{slot}",
            f"one of {slots}" if slots else f"an event with slots; event {seq} has none",
            remedy=f"choose one of {slots}"
            if slots
            else "list the slots of an event with `coldledger show`",
        )
    by = replay.authority.redacted.get((seq, slot))
    if by is not None:
        raise RedactionInvalid(
            "--slot",
            f"{seq}/{slot}, which event {by} redacted",
            "a slot that was not redacted",
            remedy="nothing is left to delete; a redaction is for good",
        )


def _attempts(replay: Replay, target: str) -> list[str]:
    """Return the attempts that *target* may stand for."""
    known = replay.attempts.latest
    if target in known:
        return [target]
    if len(target) < MIN_PREFIX:
        return []
    starts = (target, _ATTEMPT + target) if _HEX.fullmatch(target) else (target,)
    return [name for name in known if name.startswith(starts)]


def _event_of(replay: Replay, reference: str) -> int | None:
    """Return the event that a reference names, or None where it points outside the ledger."""
    if not reference.strip() or reference.splitlines() != [reference]:
        raise EvidenceInvalid("--evidence", repr(reference), "a reference on one line")
    if reference.isascii() and reference.isdigit():
        if len(reference) > _DIGITS or int(reference) >= replay.size:
            raise EvidenceInvalid(
                "--evidence", f"event {reference}", f"a number below {replay.size}"
            )
        return int(reference)
    if reference.startswith(_ATTEMPT):
        found = _attempts(replay, reference)
        if len(found) != 1:
            raise EvidenceInvalid(
                "--evidence",
                f"{reference!r}, which names {len(found) or 'no'} attempts",
                "one attempt of this ledger",
            )
        return replay.attempts.first_report(found[0])
    return replay.attempts.first_report(reference)
