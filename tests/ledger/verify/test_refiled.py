"""A file put together again by itself: digest, corrections, rows and length (VERIFY-8)."""

from hashlib import sha256
from types import SimpleNamespace
from typing import Any

import pytest
from refusals import assert_said

from ledger.errors import ExtractionMismatch
from ledger.importers.importer import MARK, Layout
from ledger.verify.refiled import Refiled

FILE = b"{[one,two]}"
AROUND = b"{[" + MARK + b"," + MARK + b"]}"


def source(**changed: Any) -> Any:
    """Return an import of a file of two rows."""
    stated = {"importer": "x/1", "sha256": None, "rows": 2, "size_bytes": len(FILE)}
    return SimpleNamespace(**stated | changed)


def layout(corrections: int = 0, rows: int = 2) -> Layout:
    """Return what stands around the rows."""
    return Layout(rows, tuple(b"%d" % number for number in range(corrections)), AROUND)


def filed(event: Any, corrections: int = 0) -> Refiled:
    """Return a file at 4 whose release stands at 5 and whose rows stand at 6 and 7."""
    file = Refiled(4, event)
    for seq in range(5, 8 + corrections):
        file.note(seq)
    return file


@pytest.mark.parametrize("stated", [None, sha256(FILE).digest()])
def test_a_file_is_its_rows_and_what_stands_around_them(stated: bytes | None) -> None:
    """Two rows, the bytes between, a length, and a digest where one is stated."""
    file = filed(source(sha256=stated))
    file.digest(sha256(FILE).digest())
    file.envelope(layout())
    file.row(6, b"one")
    file.row(7, b"two")
    file.close()
    assert [file.has_row(seq) for seq in (6, 7, 8)] == [True, True, False]


@pytest.mark.parametrize(
    ("changed", "place"),
    [({"size_bytes": 12}, "size_bytes"), ({"sha256": bytes(32)}, "digest")],
)
def test_another_file_is_refused_with_its_last_row(changed: Any, place: str) -> None:
    """Of another length, or of another digest."""
    file = filed(source(**changed))
    file.envelope(layout())
    file.row(6, b"one")
    with pytest.raises(ExtractionMismatch) as refused:
        file.row(7, b"two")
    assert (refused.value.place, refused.value.seq) == (f"event 4, {place}", 4)
    assert_said(refused.value)


@pytest.mark.parametrize(
    ("stated", "given"),
    [
        (None, b"short"),
        (None, bytes(33)),
        (bytes(32), b"\1" * 32),
        (bytes(32), bytes(31)),
    ],
)
def test_a_digest_has_32_bytes_and_is_the_stated_one(stated: bytes | None, given: bytes) -> None:
    """Either fault is one, whichever the entry states."""
    file = filed(source(sha256=stated))
    with pytest.raises(ExtractionMismatch) as refused:
        file.digest(given)
    assert (refused.value.place, refused.value.seq) == ("event 4, digest", 4)
    assert refused.value.got == f"'{given.hex()}'" or len(given.hex()) > 48
    assert refused.value.expected == ("32 bytes" if stated is None else stated.hex())
    assert_said(refused.value)


@pytest.mark.parametrize("logged", [0, 1, 2, 3])
@pytest.mark.parametrize("stated", [0, 1, 2, 3])
@pytest.mark.parametrize("late", [False, True])
def test_corrections_are_counted_behind_the_rows(logged: int, stated: int, late: bool) -> None:
    """Whether the envelope or the end of the file comes first."""
    file = filed(source(), logged)
    steps = [lambda: file.envelope(layout(stated)), file.close]
    steps = steps[::-1] if late else steps
    steps[0]()
    if logged == stated:
        steps[1]()
        return
    with pytest.raises(ExtractionMismatch) as refused:
        steps[1]()
    assert (refused.value.place, refused.value.got) == ("event 4, corrections", str(logged))
    assert refused.value.expected == f"{stated} in its record"


def test_a_correction_is_the_one_in_its_place() -> None:
    """The first behind the rows is the first of the list, and there is none behind the last."""
    file = filed(source(), 2)
    file.envelope(layout(2))
    file.row(8, b"0")
    file.row(9, b"1")
    for seq, data in ((8, b"1"), (9, b"0"), (10, b"1")):
        with pytest.raises(ExtractionMismatch) as refused:
            file.row(seq, data)
        assert (refused.value.place, refused.value.seq) == (f"event {seq}, record", seq)
        assert refused.value.expected.startswith(f"/corrections/{seq - 8} ")
        assert_said(refused.value)


def test_the_envelope_has_the_rows_of_the_log() -> None:
    """One more or less is another file."""
    for rows in (1, 3):
        with pytest.raises(ExtractionMismatch) as refused:
            filed(source()).envelope(layout(rows=rows))
        assert (refused.value.place, refused.value.got) == ("event 4, rows", "2")
        assert refused.value.expected == f"{rows} in its record"
