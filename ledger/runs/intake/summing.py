"""What a file of a run has in all, out of a ledger, against what its event states (STORE-27)."""

import hashlib

from ledger.entry import read_entry, read_event
from ledger.errors import ExtractionMismatch
from ledger.events import CANONICAL, DIGEST, FileObserved
from ledger.runs.directory import Canonical

from .versions import Holdings, Versions


def check_sums(ledger: Holdings, seq: int) -> None:
    """Compare size and digests of a stream with those of its lines; not where some are withheld.

    Whoever verifies a bundle in one pass can follow a file that grew. One that kept fewer lines
    than that is put together again here, since its digest is what an audit goes by.

    Args:
        ledger: The ledger.
        seq: The event of the file.

    Raises:
        ExtractionMismatch: The event states another size or digest.
    """
    event = _event(ledger, seq)
    versions = Versions(ledger, event.run)
    version = versions.at(seq)
    size, raw, canonical = 0, hashlib.sha256(), Canonical()
    for _, line in versions.records(version):
        if line is None:
            return
        size += len(line)
        raw.update(line)
        canonical.update(line)
    if size != event.size_bytes:
        raise _mismatch(seq, "size_bytes", str(event.size_bytes), str(size))
    for slot, made in ((DIGEST, raw.digest()), (CANONICAL, canonical.digest())):
        stated = versions.digest(version, slot)
        if stated is not None and stated != made:
            raise _mismatch(seq, slot, stated.hex(), made.hex())


def _event(ledger: Holdings, seq: int) -> FileObserved:
    data = ledger.entry(seq)
    event = None if data is None else read_event(read_entry(data, seq))
    assert isinstance(event, FileObserved), "a replay found a file there"  # noqa: S101
    return event


def _mismatch(seq: int, name: str, got: str, expected: str) -> ExtractionMismatch:
    place = f"event {seq}, {name}"
    return ExtractionMismatch(place, got, f"{expected}, of all its bytes", seq=seq)
