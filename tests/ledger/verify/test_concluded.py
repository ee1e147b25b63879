"""A verdict in full against its entry, without a bundle around it (VERIFY-27)."""

from typing import Any

import pytest

from canon import encode
from ledger.errors import ExtractionMismatch
from ledger.events import AuditConcluded
from ledger.verify.concluded import SCHEMA, check_verdict

RULES = b"\x01" * 32
EVENT = AuditConcluded(
    run="run-01",
    flags=[("machine_operated", "PASS")],
    rules=RULES,
    auditor="somebody/1",
    overall="PASS",
    reviews=[],
    sources=[5],
    supersedes=None,
    failure_class=None,
)


def body(**says: Any) -> bytes:
    """Return a verdict in full that the event states, after some changes."""
    honest: dict[str, Any] = {
        "schema": SCHEMA,
        "run_id": "run-01",
        "rules": {"sha256": RULES.hex()},
        "flags": [{"flag": "machine_operated", "status": "PASS"}],
        "auditor": "somebody/1",
        "overall": "PASS",
        "failure_class": None,
    }
    return encode(honest | says)


@pytest.mark.parametrize("run_id", ["run-01", None])
def test_a_verdict_on_this_run(run_id: str | None) -> None:
    """A run whose run.json cannot be read has no name in its verdict."""
    check_verdict(7, EVENT, body(run_id=run_id))


@pytest.mark.parametrize("run_id", ["run-02", "run-01 ", 7])
def test_a_verdict_on_another_run(run_id: object) -> None:
    """What another run came to is not told of this one, whoever the auditor is."""
    with pytest.raises(ExtractionMismatch) as refused:
        check_verdict(7, EVENT, body(run_id=run_id))
    assert (refused.value.place, refused.value.seq) == ("event 7, run", 7)
