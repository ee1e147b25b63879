"""Lines of a run's stream, one after the other, against what the event of its file states.

Without a bundle around them: each is handed over as verifying does it (VERIFY-25, VERIFY-26).
"""

import hashlib
from typing import Any

import pytest

from ledger.bundle import CHUNK_ENTRIES
from ledger.errors import ExtractionMismatch
from ledger.events import FileObserved, RunRecord
from ledger.runs.extraction import READER, event_of, unread_event
from ledger.verify.run_records import RunRecords

LINES = [b'{"record": "mark"}\n', b'{"record": "phase"}\r\n', b"no json\n", b'{"record": "call"}']


def observed(**says: Any) -> FileObserved:
    """Return the event of a trajectory."""
    fields: dict[str, Any] = {
        "run": "r",
        "kept": 0,
        "role": "trajectory",
        "state": "present",
        "reader": READER,
        "records": len(LINES),
        "size_bytes": len(b"".join(LINES)),
        "supersedes": None,
    }
    return FileObserved(**(fields | says))


def event(line: int, data: bytes, source: int = 5) -> RunRecord:
    """Return what a line is as an event."""
    return event_of("trajectory", line, data, source)


def state(records: RunRecords, seq: int, whole: bytes) -> None:
    """Disclose both digests of a file of those bytes."""
    records.slot(seq, "canonical", hashlib.sha256(whole.replace(b"\r\n", b"\n")).digest())
    records.slot(seq, "digest", hashlib.sha256(whole).digest())


def taken(lines: list[bytes], at: int = 5, kept: int = 0, **says: Any) -> RunRecords:
    """Return records after a first version of some lines."""
    records = RunRecords()
    size = len(b"".join(lines))
    records.open(at, observed(records=len(lines), size_bytes=size, **says))
    state(records, at, b"".join(lines))
    for number, line in enumerate(lines[kept:], kept):
        records.record(at + 1 + number, event(number, line, at), line)
    return records


def test_every_line_in_its_place() -> None:
    """Digest, canonical digest and size are those of all of them."""
    taken(LINES)


@pytest.mark.parametrize("slot", ["digest", "canonical"])
def test_another_digest_is_named_by_its_slot(slot: str) -> None:
    """Whether it comes before the lines or behind them."""
    for early in (True, False):
        records = RunRecords()
        records.open(5, observed())
        if early:
            records.slot(5, slot, bytes(32))
        for number, line in enumerate(LINES[:-1]):
            records.record(6 + number, event(number, line), line)
        if not early:
            records.record(9, event(3, LINES[3]), LINES[3])
        with pytest.raises(ExtractionMismatch) as refused:
            records.record(9, event(3, LINES[3]), LINES[3]) if early else records.slot(
                5, slot, bytes(32)
            )
        assert (refused.value.place, refused.value.seq) == (f"event 5, {slot}", 5)
        assert refused.value.got == bytes(32).hex()


def test_another_size_is_named() -> None:
    """By the event of the file (VERIFY-26)."""
    records = RunRecords()
    records.open(5, observed(size_bytes=1))
    for number, line in enumerate(LINES[:-1]):
        records.record(6 + number, event(number, line), line)
    with pytest.raises(ExtractionMismatch) as refused:
        records.record(9, event(3, LINES[3]), LINES[3])
    assert (refused.value.place, refused.value.seq) == ("event 5, size_bytes", 5)
    assert refused.value.got == "1"


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_digest_has_32_bytes(length: int) -> None:
    """Another length is named by the slot."""
    records = RunRecords()
    records.open(5, observed())
    with pytest.raises(ExtractionMismatch) as refused:
        records.slot(5, "digest", bytes(length))
    assert (refused.value.place, refused.value.got) == ("event 5, digest", f"{length} bytes")


@pytest.mark.parametrize("data", [b"a\nb\n", b"\n\n", b"\na", b"a", b"", b"a\nb", b"ab\n\n"])
def test_bytes_that_are_not_one_line(data: bytes) -> None:
    """A line has one end, at its end; only the last of a file may have none."""
    records = RunRecords()
    records.open(5, observed())
    with pytest.raises(ExtractionMismatch) as refused:
        records.record(6, event(0, data), data)
    assert refused.value.seq == 6


@pytest.mark.parametrize("data", [b"a", b"\n", b"a\n", b"\r\n"])
def test_the_last_line_may_have_no_end(data: bytes) -> None:
    """But it has a byte."""
    records = RunRecords()
    records.open(5, observed(records=1, size_bytes=len(data)))
    records.record(6, event(0, data), data)
    state(records, 5, data)
    empty = RunRecords()
    empty.open(5, observed(records=1, size_bytes=0))
    with pytest.raises(ExtractionMismatch):
        empty.record(6, event(0, b""), b"")


def grown(kept: int, *, wrong: bool) -> None:
    """Take a version that keeps some lines of the first, and has two more."""
    records = taken(LINES)
    more = [*LINES[:kept], b"next\n", b"last\n"]
    whole = b"".join(more)
    says = {"kept": kept, "records": len(more), "size_bytes": len(whole), "supersedes": 5}
    records.open(20, observed(**says))
    state(records, 20, whole + b"!" if wrong else whole)
    for number in range(kept, len(more)):
        records.record(21 + number, event(number, more[number], 20), more[number])


@pytest.mark.parametrize("kept", [len(LINES), len(LINES) - 1])
def test_a_grown_stream_goes_on_from_what_it_kept(kept: int) -> None:
    """All lines of the version before, or all but the last, are known again."""
    grown(kept, wrong=False)
    with pytest.raises(ExtractionMismatch) as refused:
        grown(kept, wrong=True)
    assert refused.value.seq == 20


def test_of_fewer_lines_the_digest_is_not_followed() -> None:
    """Which the page says, and no verdict counts as checked."""
    grown(1, wrong=False)
    grown(1, wrong=True)


def test_a_version_that_only_lost_its_last_line_twice() -> None:
    """The shorter sums go on from version to version."""
    records = taken(LINES)
    for seq, before in ((20, 5), (30, 20)):
        whole = b"".join(LINES)
        same = observed(kept=len(LINES), size_bytes=len(whole), supersedes=before)
        records.open(seq, same)
        state(records, seq, whole)
    shorter = b"".join(LINES[:-1])
    lost = observed(
        kept=len(LINES) - 1, records=len(LINES) - 1, size_bytes=len(shorter), supersedes=30
    )
    records.open(40, lost)
    with pytest.raises(ExtractionMismatch):
        state(records, 40, shorter + b"!")


def test_lines_of_an_older_version_that_are_not_disclosed_are_not_guessed() -> None:
    """What goes on from them is not followed, and not refused."""
    records = RunRecords()
    records.open(5, observed())
    records.record(6, event(0, LINES[0]), LINES[0])  # the others are withheld
    for kept in (len(LINES), len(LINES) - 1, 1):
        more = [*LINES[:kept], b"next\n"]
        seq = 20 + 10 * kept
        grown = observed(kept=kept, records=len(more), supersedes=5 if kept == 4 else None)
        records.open(seq, grown)
        records.slot(seq, "digest", bytes(32))
        records.record(seq + 1, event(kept, more[-1], seq), more[-1])


def test_a_line_that_is_passed_over_ends_the_sums() -> None:
    """One too long to be read says only that, and nothing behind it is followed (VERIFY-25)."""
    records = RunRecords()
    records.open(5, observed())
    records.unread(6, unread_event("trajectory", 0, 5))
    records.slot(5, "digest", bytes(32))
    for number, line in enumerate(LINES[1:], 1):
        records.record(6 + number, event(number, line), line)
    records.open(20, observed(kept=len(LINES), supersedes=5))
    records.slot(20, "digest", bytes(32))
    with pytest.raises(ExtractionMismatch) as refused:
        records.unread(7, event(1, LINES[1]))
    assert refused.value.seq is not None


def test_a_line_out_of_turn_ends_the_sums() -> None:
    """Withheld lines leave a gap, over which no digest reaches."""
    records = RunRecords()
    records.open(5, observed())
    records.slot(5, "digest", bytes(32))
    for number in (0, 2, 3):
        records.record(6 + number, event(number, LINES[number]), LINES[number])


def test_versions_of_earlier_chunks_are_let_go() -> None:
    """But for the newest of each stream, and the last of all, whose records may still come."""
    records = RunRecords()
    records.open(1, observed(role="task", records=0))
    records.open(2, observed(role="oracle", records=0))
    records.open(3, observed(records=1, size_bytes=2))
    records.open(4, observed(records=1, size_bytes=2, supersedes=3))
    records.open(5, observed(role="manifest", records=1, size_bytes=9))
    records.open(CHUNK_ENTRIES + 1, observed(role="restore", records=0))
    assert set(records._versions) == {4, 5, CHUNK_ENTRIES + 1}
    records.open(2 * CHUNK_ENTRIES + 1, observed(role="fixture", records=0))
    assert set(records._versions) == {4, CHUNK_ENTRIES + 1, 2 * CHUNK_ENTRIES + 1}
