"""A ledger from a bundle: verified first, whole or not at all (BUNDLE-20)."""

import io
from pathlib import Path

import pytest
from bundle_accepted import decided_draft
from bundle_vector import RELEASE, ROW, lean
from bundle_world import AT, Entropy, root

from ledger.check import check_ledger
from ledger.errors import FileUnwritable, LedgerExists
from ledger.restore import restore
from ledger.store import Ledger
from ledger.verify.question import Question
from ledger.verify.verdict import Verdict


def restored(data: bytes, path: Path) -> Verdict:
    """Restore *data* under the trust root of the vectors."""
    return restore(
        io.BytesIO(data), Question([root().data]), path, at=AT, entropy=Entropy("restore")
    )


def test_a_restored_ledger_is_what_the_bundle_has(tmp_path: Path) -> None:
    """Entries, documents and disclosed blobs, byte for byte; the file checks (BUNDLE-20)."""
    draft = decided_draft()
    draft.disclose = lambda slot: slot in ("reason", "record")
    made = draft.made()
    assert restored(made.data, tmp_path / "again.db").ok
    assert [path.name for path in tmp_path.iterdir()] == ["again.db"]
    with Ledger.open(tmp_path / "again.db") as ledger:
        assert [data for _, data in ledger.entries()] == made.entries
        assert made.manifest in {data for _, data in ledger.documents()}
        assert {blob.slot for blob in ledger.blobs()} == {"reason", "record"}
        verdict = check_ledger(ledger)
        assert verdict.error is None
        assert verdict.editions == ["2026.0", "2026.1"]
        assert verdict.withheld > 0
        assert ledger.seq_of("edition:2026.0") is not None


@pytest.mark.parametrize("fault", ["entry", "signature", "trailing", "cut", "empty"])
def test_a_bundle_that_is_refused_leaves_nothing(tmp_path: Path, fault: str) -> None:
    """However late the fault is found, no file appears (BUNDLE-20)."""
    draft = lean()
    if fault == "entry":
        draft.rows[ROW].entry = lambda entry: entry.update(seq=9)
    if fault == "signature":
        draft.published_by = []
    data = draft.made().data
    data = {"trailing": data + b"\0", "cut": data[:-1], "empty": b""}.get(fault, data)
    verdict = restored(data, tmp_path / "again.db")
    assert not verdict.ok
    assert verdict.error is not None
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_but_the_one_file_that_was_named(tmp_path: Path) -> None:
    """A bundle holds no paths: names in it that look like some are only names (BUNDLE-20).

    Absolute paths, ``..``, links, and names that differ in case only cannot be unpacked from a
    bundle, because nothing is: entries and documents have numbers and digests, slots a pattern.
    """
    folder = tmp_path / "here"
    folder.mkdir()
    draft = lean()
    draft.rows[ROW].says |= {"run_id": "../../escape", "failure_category": "/etc/passwd"}
    draft.rows[ROW].blobs.clear()
    draft.rows[ROW].gone = {"record": bytes(32)}
    assert restored(draft.made().data, folder / "again.db").ok
    assert [path.name for path in folder.iterdir()] == ["again.db"]
    assert [path.name for path in tmp_path.iterdir()] == ["here"]
    for slot in ("../x", "/x", "X", "x\0"):
        wrong = lean()
        wrong.rows[RELEASE].gone = {slot: bytes(32)}
        verdict = restored(wrong.made().data, folder / "wrong.db")
        assert verdict.error is not None
        assert verdict.error.code == "E_SHAPE"
    assert [path.name for path in folder.iterdir()] == ["again.db"]


def test_a_file_that_exists_is_never_overwritten(tmp_path: Path) -> None:
    """Nor followed where it is a link, nor made where there is no folder (STORE-8)."""
    data = lean().made().data
    precious, link = tmp_path / "precious", tmp_path / "link"
    precious.write_bytes(b"precious")
    link.symlink_to(tmp_path / "elsewhere")
    for path in (precious, link, tmp_path):
        with pytest.raises(LedgerExists):
            restored(data, path)
    with pytest.raises(FileUnwritable):
        restored(data, tmp_path / "no" / "again.db")
    assert precious.read_bytes() == b"precious"
    assert not (tmp_path / "elsewhere").exists()
