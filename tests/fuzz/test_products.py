"""Nothing that a stranger can have much of is multiplied with another such thing.

Each of these once took the square of what is given here, and minutes for what a file may hold. The
seconds are for a machine that does other things; the square would take ten times as long.
"""

import io
import json
import time
from typing import Any

from importers_made import release, row
from made_rows import Made
from made_rows import row as made_row

from ledger.importers.replaybook.importer import ReplaybookImporter
from ledger.projections import empty, fold
from ledger.verify.ascending import Ascending

MANY = 4_000


def read(document: dict[str, Any]) -> float:
    """Read a release whole, and return the seconds of the processor that it took."""
    data = json.dumps(document).encode()
    begun = time.process_time()
    with_rows = ReplaybookImporter().read(io.BytesIO(data), "file")
    try:
        for _ in with_rows.records(0):
            pass
    finally:
        with_rows.close()
    return time.process_time() - begun


def rows(count: int) -> list[dict[str, Any]]:
    """Return rows of one cell, each another attempt."""
    return [row(attempt=number, run_id=f"r{number}") for number in range(1, count + 1)]


def test_reports_of_one_attempt() -> None:
    """The first report of an attempt is found without those after it."""
    made = Made()
    source = made.source("a")
    for _ in range(MANY):
        made.add(made_row(1))
    state = fold(empty(), made.events)
    attempt = next(iter(state.latest))
    begun = time.process_time()
    firsts = {state.first_report(attempt) for _ in range(MANY)}
    assert time.process_time() - begun < 1
    assert firsts == {source + 1}


def test_stored_aggregates_of_one_cell() -> None:
    """A median is taken once, however often a source states it (IMPORT-21, IMPORT-43)."""
    stated = [{"agent": "walker", "median_duration_seconds": 1, "failure_categories": {}}] * MANY
    alone = read(release(*rows(MANY)))
    assert read(release(*rows(MANY), by_model=stated)) < 2 * alone + 2


def test_sources_and_rows() -> None:
    """As many matrices as there may be, none of which is any row's (IMPORT-20, IMPORT-43)."""
    alone = read(release(*rows(MANY)))
    others = [{"source": None, "attempts": 0}] * 256
    assert read(release(*rows(MANY), sources=others)) < 2 * alone + 4


def test_numbers_that_hash_alike_are_looked_up_by_order() -> None:
    """Positions from a manifest: all of them, 0 and nothing else (CANON-42 of maps)."""
    numbers = [number * (2**61 - 1) % 2**63 for number in range(1, 4)]
    chosen = sorted([*numbers, *(number << 40 for number in range(1, 200_000))])
    begun = time.process_time()
    kept = Ascending(chosen)
    assert all(number in kept for number in chosen[::7])
    assert 0 in kept
    assert not any(number in kept for number in (1, -1, 2**62 + 1, "0", None))
    assert time.process_time() - begun < 2
