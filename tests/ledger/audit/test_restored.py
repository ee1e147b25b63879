"""A run in a bundle: what verifying says of its verdicts, and what a restored ledger computes."""

import io
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from audited_runs import (
    AT,
    LOG,
    MAINTAINER,
    RUN,
    AuditedRun,
    answered,
    concluded,
    replayed,
    take,
)

from cli import samples
from ledger.check import check_ledger
from ledger.edition.export import export
from ledger.edition.freeze import freeze
from ledger.importers import import_file
from ledger.report.contents import contents
from ledger.restore import restore
from ledger.runs.intake.held import Held
from ledger.store import Ledger
from ledger.verify.question import Question
from ledger.verify.verdict import Verdict


@pytest.fixture
def published(ledger: Ledger, run: AuditedRun, tmp_path: Path) -> Callable[..., bytes]:
    """Return what exports a ledger with a run, two verdicts and a signed review."""
    artifact = {"label": "jar", "source": "a.jar", "path": "artifacts/a.jar"}
    run.write("artifacts/a.jar", b"jar")
    run.write("run.json", json.loads(run.read("run.json")) | {"artifacts": [artifact]})
    take(ledger, run)
    concluded(ledger)
    answered(ledger)
    concluded(ledger)
    rows = tmp_path / "rows.json"
    rows.write_bytes(min(samples.files().values(), key=len))
    import_file(ledger, rows, at=AT, entropy=os.urandom)
    freeze(
        ledger, replayed(ledger), "e", [], [MAINTAINER], status="draft", at=AT, entropy=os.urandom
    )

    def exported(*slots: str) -> bytes:
        out = io.BytesIO()
        export(
            ledger, replayed(ledger), "e", out, log_key=LOG, signer=MAINTAINER, role="publisher",
            disclose=lambda slot: not slots or slot in slots,
        )  # fmt: skip
        return out.getvalue()

    return exported


def restored(ledger: Ledger, data: bytes, path: Path) -> Verdict:
    """Verify a bundle and make a ledger of it."""
    root = replayed(ledger).authority.root
    question = Question([root.data])
    return restore(io.BytesIO(data), question, path, at=AT, entropy=os.urandom)


def test_a_restored_ledger_computes_every_verdict(
    ledger: Ledger, published: Callable[..., bytes], tmp_path: Path
) -> None:
    """AUDIT-110: with all bytes, each file is found again and each verdict is what it was."""
    assert restored(ledger, published(), tmp_path / "again.db").ok
    with Ledger.open(tmp_path / "again.db", write=True) as again:
        assert Held(again, RUN).files() == Held(ledger, RUN).files()
        found = check_ledger(again)
        assert found.error is None
        assert found.verdicts == {"of": 2, "recomputed": 2, "other_auditor": 0, "withheld": 0}
        assert concluded(again).appended is False


def test_what_a_bundle_withheld_is_counted(
    ledger: Ledger, published: Callable[..., bytes], tmp_path: Path
) -> None:
    """AUDIT-112: no verdict is said to be wrong for want of bytes."""
    assert restored(ledger, published("reason", "line"), tmp_path / "again.db").ok
    with Ledger.open(tmp_path / "again.db") as again:
        found = check_ledger(again)
        assert found.error is None
        assert found.verdicts == {"of": 2, "recomputed": 0, "other_auditor": 0, "withheld": 2}


@pytest.mark.parametrize("shown", [("reason", "path"), ("path", "content"), ("line",)])
def test_what_a_bundle_withheld_gives_no_verdict_to_record(
    ledger: Ledger, published: Callable[..., bytes], tmp_path: Path, shown: tuple[str, ...]
) -> None:
    """AUDIT-106: the real verdict stays the newest one."""
    assert restored(ledger, published(*shown), tmp_path / "again.db").ok
    with Ledger.open(tmp_path / "again.db", write=True) as again:
        head = again.head()
        done = concluded(again)
        assert (done.appended, done.seq, again.head()) == (False, None, head)
        assert done.unheld is not None
        assert done.judgement.verdict.overall != "PASS"


def test_verifying_a_bundle_says_that_it_computed_no_verdict(
    ledger: Ledger, published: Callable[..., bytes], tmp_path: Path
) -> None:
    """AUDIT-113: one pass cannot; the verdict counts them, and names what does."""
    said = restored(ledger, published(), tmp_path / "again.db").document()
    assert said["verdicts"] == {"recomputed": 0, "of": 2}
    (line,) = [one for one in said["does_not_prove"] if "verdict" in one]
    assert "coldledger restore" in line
    assert "coldledger replay --check" in line


def test_a_bundle_says_how_many_runs_it_has(published: Callable[..., bytes]) -> None:
    """Unverified: runs, and by their events the verdicts and signed reviews."""
    said = contents(io.BytesIO(published()))
    assert said["runs"] == 1
    assert said["events"]["audit.concluded/1"] == 2
    assert said["events"]["review.decided/1"] == 1
