"""What a redaction takes out of the index of identities."""

import json
import os
from pathlib import Path

from ledger.check import check_ledger
from ledger.decide import catch_up, replay_of
from ledger.events import DIGEST
from ledger.founding import first_root, found
from ledger.importers import import_file
from ledger.maintain import redact
from ledger.store import Ledger
from signing.keys import PrivateKey

AT = "2026-03-01T00:00:00.000000Z"


def test_a_digest_that_is_redacted_stands_in_no_index(tmp_path: Path) -> None:
    """STORE-12: the index does not keep what a decision deleted, and stays what the events give."""
    key, log_key = (PrivateKey.generate(bytes([seed]) * 32) for seed in (1, 2))
    root = first_root("example.org/test", key, log_key, "test")
    found(tmp_path / "ledger.db", root, key, at=AT, entropy=os.urandom)
    path = tmp_path / "release.json"
    path.write_text(
        json.dumps({"schema_version": 1, "version": "v1", "compatibility": {}, "runs": []})
    )
    with Ledger.open(tmp_path / "ledger.db", write=True) as ledger:
        source = import_file(ledger, path, at=AT, entropy=os.urandom).seq
        assert source is not None
        assert list(ledger.identities("source"))
        replay = replay_of(ledger)
        catch_up(replay, ledger)
        slot = (source, DIGEST)
        redact(ledger, replay, [slot], "privacy", "why", [key], at=AT, entropy=os.urandom)
        assert list(ledger.identities("source")) == []
        assert ledger.seq_of("release:v1") == source
        assert check_ledger(ledger).ok
        assert import_file(ledger, path, at=AT, entropy=os.urandom).events == 0
