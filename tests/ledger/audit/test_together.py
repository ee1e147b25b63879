"""Auditors, a reviewer and a recorder at once on one file."""

import os
import subprocess
import sys
from pathlib import Path

from audited_runs import AT, MAINTAINER, AuditedRun, concluded, replayed, take, trust_root

from ledger.check import check_ledger
from ledger.founding import found
from ledger.store import Ledger

AUDITOR = Path(__file__).with_name("auditor.py")
ROUNDS = 6


def test_every_verdict_is_about_what_stood_where_it_stands(tmp_path: Path, run: AuditedRun) -> None:
    """AUDIT-101, AUDIT-102, AUDIT-123: however they interleave, all of it is computed again."""
    path = tmp_path / "runs.db"
    found(path, trust_root(), MAINTAINER, at=AT, entropy=os.urandom)
    with Ledger.open(path, write=True) as ledger:
        take(ledger, run)
        concluded(ledger)
    works = ("audit", "audit", "review", "grow")
    command = [sys.executable, str(AUDITOR), str(path), str(run.root)]
    started = [
        subprocess.Popen([*command, work, str(ROUNDS)], stdout=subprocess.PIPE, text=True)
        for work in works
    ]
    told = [(int(process.communicate()[0]), process.returncode) for process in started]
    assert [code for _, code in told] == [0] * len(works)
    with Ledger.open(path, write=True) as ledger:
        verdicts = 1 + told[0][0] + told[1][0] + concluded(ledger).appended
        assert len(replayed(ledger).runs.verdicts) == verdicts
        checked = check_ledger(ledger)
        assert checked.error is None
        assert checked.verdicts["recomputed"] == verdicts
        assert concluded(ledger).appended is False
