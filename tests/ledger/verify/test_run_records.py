"""Files of runs put together again, wherever a chunk of entries ends (VERIFY-25, VERIFY-26)."""

import io
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from bundle_run import called_alike, file, long_item, record, run_draft, run_root, shown, sums
from bundle_vector import lean
from forge import Draft, seeded

from canon.digest import sha256
from ledger.bundle import CHUNK_ENTRIES
from ledger.events import MAX_RECORD_BYTES, FileObserved
from ledger.runs.extraction import READER, event_of
from ledger.verify.bundle import verify_bundle
from ledger.verify.question import Question
from ledger.verify.run_records import RunRecords
from ledger.verify.verdict import Verdict

FIRST = 5


def lines(count: int, end: bytes = b"\n") -> list[bytes]:
    """Return lines of a trajectory."""
    return [b'{"record": "mark", "name": "m%d"}%s' % (number, end) for number in range(count)]


def grown(*versions: Sequence[bytes], kept: Sequence[int]) -> Draft:
    """Return a draft with versions of one trajectory, each of which keeps some lines."""
    draft = lean()
    draft.replace_root(run_root())
    before = None
    for version, keep in zip(versions, kept, strict=True):
        seq = len(draft.rows) - 1
        says = {"records": len(version), "kept": keep, "supersedes": before}
        whole = b"".join(version)
        draft.add(file("trajectory", "t", seq, sums(whole), size_bytes=len(whole), **says))
        for number in range(keep, len(version)):
            draft.add(record("trajectory", number, version[number], seq))
        before = seq
    draft.disclose = lambda _: True
    return draft


def verdict_of(draft: Draft) -> Verdict:
    """Return the verdict on a draft's bundle."""
    verdict, _ = verify_bundle(io.BytesIO(draft.made().data), Question([draft.root]))
    return verdict


def relabelled(draft: Draft, nth: int) -> Draft:
    """Give the *nth* version another digest."""
    seq, row = draft.row("file.observed/1", nth)
    row.blobs["digest"] = (seeded(f"other {seq}", 32), sha256(b"other bytes"))
    return draft


def test_lines_of_many_chunks_give_the_digest_of_their_file() -> None:
    """A stream that begins in one chunk, ends in the next and grows in a third."""
    first = lines(CHUNK_ENTRIES + 10)
    draft = grown(first, [*first, *lines(CHUNK_ENTRIES)], kept=(0, len(first)))
    verdict = verdict_of(draft)
    assert verdict.error is None
    assert verdict.extraction_checked == verdict.extraction_of == 2 * CHUNK_ENTRIES + 12
    error = verdict_of(relabelled(draft, 1)).error
    assert error is not None
    assert (error.code, error.seq) == ("E_EXTRACT", FIRST + len(first) + 1)


@pytest.mark.parametrize("line", [b'{"record": "mark"}', b'{"record": "mark"}\r\n', b"\n"])
def test_a_last_line_that_was_cut_is_told_again(line: bytes) -> None:
    """All but the last are kept; the digest of what grew is still checked."""
    draft = grown([*lines(3), line], [*lines(3), b"whole\n", b"more\n"], kept=(0, 3))
    assert verdict_of(draft).error is None
    error = verdict_of(relabelled(draft, 1)).error
    assert error is not None
    assert (error.code, error.seq) == ("E_EXTRACT", FIRST + 5)


def test_a_stream_that_only_lost_its_last_line_is_checked_too() -> None:
    """It has no new record; the digest alone is compared."""
    draft = grown(lines(3), lines(2), kept=(0, 2))
    assert verdict_of(draft).error is None
    assert verdict_of(relabelled(draft, 1)).error is not None


def test_what_no_line_tells_is_not_followed() -> None:
    """Lines kept from the middle, and lines that are withheld: the digest is not asked for."""
    middle = relabelled(grown(lines(4), [*lines(2), b"x\n"], kept=(0, 2)), 1)
    assert verdict_of(middle).error is None
    draft = relabelled(grown(lines(3), lines(4), kept=(0, 3)), 1)
    withheld = draft.rows[FIRST + 2].blobs.pop("line")
    draft.rows[FIRST + 2].gone["line"] = bytes(32)
    assert withheld
    verdict = verdict_of(draft)
    assert verdict.error is None
    assert (verdict.extraction_checked, verdict.extraction_of) == (5, 6)


def test_of_old_versions_nothing_is_kept() -> None:
    """A run that is taken in after every line is followed in the room of a few versions."""
    records, before = RunRecords(), None
    most = 0
    for number in range(3 * CHUNK_ENTRIES):
        seq = 2 * number
        records.open(seq, observed(number + 1, kept=number, supersedes=before))
        data = lines(1)[0]
        event: Any = event_of("trajectory", number, data, seq)
        records.record(seq + 1, event, data)
        before, most = seq, max(most, len(records._versions))
    assert most <= CHUNK_ENTRIES // 2 + 2


def observed(count: int, *, kept: int, supersedes: int | None) -> FileObserved:
    """Return what is said of a trajectory of *count* equal lines."""
    return FileObserved(
        run="r",
        kept=kept,
        role="trajectory",
        state="present",
        reader=READER,
        records=count,
        size_bytes=count * len(lines(1)[0]),
        supersedes=supersedes,
    )


def test_a_long_document_is_not_read() -> None:
    """Content over 16 MiB is not compared: it is not held (VERIFY-26)."""
    records = RunRecords()
    event = msgspec.structs.replace(observed(0, kept=0, supersedes=None), role="task")
    records.open(3, event)
    records.slot(3, "content", bytes(MAX_RECORD_BYTES + 1))
    records.slot(3, "digest", bytes(32))
    assert records._versions[3].sums is None


def lone(role: str, **blobs: bytes) -> Draft:
    """Return a draft with a document that names no files, of which all is disclosed."""
    draft = lean()
    draft.replace_root(run_root())
    seq, whole = len(draft.rows) - 1, blobs["content"]
    says = {"size_bytes": len(whole), "records": 0}
    draft.add(file(role, "task.md", seq, {**sums(whole), **blobs}, **says))
    draft.disclose = lambda _: True
    return draft


def test_a_long_document_in_a_bundle_is_not_read() -> None:
    """VERIFY-26: nor is one that nobody keeps taken for an empty one."""
    draft = lone("task", content=bytes(MAX_RECORD_BYTES + 1))
    assert verdict_of(draft).error is None


def test_a_digest_is_no_digest_however_long_it_is() -> None:
    """VERIFY-26: bytes that are not kept are compared all the same."""
    error = verdict_of(lone("task", content=b"x", digest=bytes(MAX_RECORD_BYTES + 1))).error
    assert error is not None
    assert (error.code, error.step, error.seq) == ("E_EXTRACT", "extraction", FIRST)


@pytest.mark.parametrize("fault", [None, "too_long"])
def test_a_long_line_in_a_bundle_says_only_that_it_is_long(fault: str | None) -> None:
    """VERIFY-25: whoever verifies a bundle does not keep it."""
    draft = grown([b" " * MAX_RECORD_BYTES + b"\n"], kept=(0,))
    assert draft.rows[FIRST + 1].says["fault"] == "too_long"
    draft.rows[FIRST + 1].says["fault"] = fault
    verdict = verdict_of(draft)
    assert (verdict.error is None) == (fault is not None)
    if verdict.error is not None:
        assert (verdict.error.code, verdict.error.seq) == ("E_EXTRACT", FIRST + 1)
    else:
        assert verdict.extraction_checked == verdict.extraction_of


def test_a_long_item_is_over_its_limit() -> None:
    """BUNDLE-2: an item is a part of its document."""
    error = verdict_of(long_item()).error
    assert error is not None
    assert (error.code, error.step) == ("E_LIMIT", "limits")


def test_only_a_record_is_one() -> None:
    """VERIFY-25: a slot of that name in another event is neither counted nor read."""
    honest, verdict = verdict_of(shown(run_draft())), verdict_of(called_alike())
    assert (honest.error, verdict.error) == (None, None)
    counts = honest.extraction_checked, honest.extraction_of
    assert (verdict.extraction_checked, verdict.extraction_of) == counts
