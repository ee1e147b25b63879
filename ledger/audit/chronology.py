"""A run in the order of time: a projection over its three streams (AUDIT-25).

Nothing is numbered anew and nothing is left out: every record keeps its file, its line and its
own number, so that a reference to it stays good.
"""

from collections.abc import Iterator

from ledger.runs.contents import Contents
from ledger.runs.records import line_digest, recorded, witnessed

from .events import session_of
from .order import Clock, Dated, Stream, chronological
from .refs import DIGEST_DIGITS, seq_name
from .slots import Slots


def chronology(contents: Contents) -> list[Dated]:
    """Return every record of a run that can be read, in the order of time."""
    slots = Slots(contents)
    return chronological(
        [
            *_trajectory(slots),
            *_evidence(slots, "testmod"),
            *_evidence(slots, "logger"),
        ]
    )


def _trajectory(slots: Slots) -> Iterator[Dated]:
    slot = slots["trajectory"]
    if slot.standing != "good" or slot.file is None:
        return
    clock = Clock("trajectory")
    for number, line in enumerate(slots.contents.lines(slot.file), 1):
        record = recorded(line)
        if record.fault is not None:
            continue
        name = record.call_id or line_digest(line).hex()[:DIGEST_DIGITS]
        more = record.tool or record.status or record.name or record.phase
        what = " ".join(filter(None, (record.record, more)))
        domain = clock.domain(record.tick)
        yield Dated("trajectory", number, what, f"trajectory:{name}", record.at, record.tick,
                    domain, record.seq)  # fmt: skip


def _evidence(slots: Slots, stream: Stream) -> Iterator[Dated]:
    slot = slots["test_mod" if stream == "testmod" else slots.events()]
    if slot.standing != "good" or slot.file is None:
        return
    clock = Clock(stream)
    for number, line in enumerate(slots.contents.lines(slot.file), 1):
        said = witnessed(line)
        if said.fault is not None:
            continue
        seq, digest = said.literal_seq, line_digest(line).hex()[:DIGEST_DIGITS]
        name = digest if seq is None else seq_name(seq)
        domain = clock.domain(said.tick, session_of(said), ready=said.event == "instance_ready")
        yield Dated(stream, number, said.event or "", f"{stream}:{name}", said.at, said.tick,
                    domain, said.seq)  # fmt: skip
