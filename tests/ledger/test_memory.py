"""However many blobs there are, and however large, a few are held at once (STORE-26)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from bundle_world import Entropy
from forge import AT

from canon.digest import commitment, commitment_of
from ledger.decide import catch_up, replay_of
from ledger.founding import first_root, found
from ledger.importers import import_file
from ledger.maintain import exclude
from ledger.store import Ledger
from ledger.store import batch as batches
from signing.keys import PrivateKey

REPO = Path(__file__).resolve().parents[2]
MIB = 2**20
COUNT = 12
LONG_MIB = 64
MOST_MIB = 180
"""Python with all that a command imports takes about 50; the blobs together are 240."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a ledger whose decisions have reasons of 16 MiB, and one of 64."""
    from cli import samples

    place = tmp_path_factory.mktemp("large")
    key, log_key = (PrivateKey.generate(bytes([seed]) * 32) for seed in (1, 2))
    key.save(place / "root.key")
    log_key.save(place / "log.key")
    root = first_root("example.org/large", key, log_key, "founder")
    (place / "root.cbor").write_bytes(root.data)
    found(place / "coldledger.db", root, key, at=AT, entropy=os.urandom)
    name, data = next((name, data) for name, data in samples.files().items() if b'"runs"' in data)
    (place / name).write_bytes(data)
    with Ledger.open(place / "coldledger.db", write=True) as ledger:
        import_file(ledger, place / name, at=AT, entropy=os.urandom)
        replay = replay_of(ledger)
        catch_up(replay, ledger)
        attempt = next(iter(replay.attempts.latest))
        for number in range(COUNT):
            size = LONG_MIB * MIB if number == 0 else 16 * MIB
            cause = ("infrastructure", "provider")[number % 2]
            exclude(
                ledger, replay, attempt, cause, "x" * size, [attempt], [key],
                at=AT, entropy=os.urandom,
            )  # fmt: skip
    return place


PROGRAM = """
import sys
from cli.main import main
code = main(sys.argv[1:])
with open("/proc/self/status") as status:
    peak = next(line for line in status if line.startswith("VmHWM"))
sys.stderr.write(peak.split()[1])
sys.exit(code)
"""


def peak_mib(place: Path, *words: str) -> int:
    """Run a command and return the most memory that it had at once.

    The kernel says it of the program alone; what it says of a child counts its parent in.
    """
    if not Path("/proc/self/status").exists():
        pytest.skip("this system does not say how much memory a program had at most")
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(REPO)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return int(ran.stderr.splitlines()[-1]) // 1_024


def test_checking_holds_a_few_blobs_at_once(folder: Path) -> None:
    """Short ones as bytes, long ones piece by piece (STORE-26)."""
    assert peak_mib(folder, "replay", "--check") < MOST_MIB


def test_a_long_blob_is_compared_piece_by_piece(folder: Path) -> None:
    """And comes out as what it is (STORE-26, CANON-24)."""
    with Ledger.open(folder / "coldledger.db") as ledger:
        long = next(blob for blob in ledger.blobs_within(16 * MIB) if blob.data is None)
        pieces = list(ledger.pieces(long.seq, long.slot))
        assert {len(piece) for piece in pieces} == {MIB}
        assert len(pieces) == 64
        assert commitment_of(long.salt, pieces) == commitment(long.salt, b"".join(pieces))
        assert list(ledger.pieces(0, "nothing")) == []


def test_a_bundle_is_written_read_and_restored_blob_by_blob(folder: Path) -> None:
    """To verify, what no importer reads is hashed part by part, and never held (STORE-26)."""
    words = ("--key", "root.key", "--json")
    peak_mib(folder, "edition", "freeze", "large", *words)
    bundle = ("large.bundle", "--disclose", "all")
    assert peak_mib(folder, "edition", "export", "large", "-o", *bundle, *words) < 100
    trust = ("--trust", "root.cbor", "--json")
    assert peak_mib(folder, "verify", "large.bundle", *trust) < MOST_MIB
    # Restoring holds the longest blob, in parts and as a whole, while it is written.
    again = peak_mib(folder, "restore", "large.bundle", *trust, "--ledger", "again.db")
    assert again < MOST_MIB + 2 * LONG_MIB


def test_a_batch_writes_blobs_before_they_are_many(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After so many bytes, not only after so many events (STORE-26)."""
    monkeypatch.setattr(batches, "FLUSH_BYTES", 1_000)
    with Ledger.open(folder / "coldledger.db", write=True) as ledger:
        entropy = Entropy("x")
        with pytest.raises(KeyboardInterrupt), ledger.batch(at=AT, entropy=entropy) as batch:
            _fill(batch)
        assert ledger.size == batch.size - 3


def _fill(batch: batches.Batch) -> None:
    from ledger.events import RecordQuarantined

    for _ in range(3):
        waiting = len(batch._blobs)
        batch.append(RecordQuarantined(code="E_JSON", source=3, pointer=""), {"record": bytes(600)})
        assert sum(len(row[3]) for row in batch._blobs) < 1_000, waiting
    raise KeyboardInterrupt
