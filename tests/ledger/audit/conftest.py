"""A ledger that nobody keeps, and runs to audit."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from audited_runs import AuditedRun, founded

from ledger.store import Ledger


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    """Return a founded ledger that is not kept."""
    with founded() as ledger:
        yield ledger


@pytest.fixture
def run(tmp_path: Path) -> AuditedRun:
    """Return a run that waits for three reviews."""
    return AuditedRun(tmp_path / "run")


@pytest.fixture
def reviewed(tmp_path: Path) -> AuditedRun:
    """Return a run that passes by the reviews that it holds."""
    return AuditedRun(tmp_path / "run", reviewed=True)
