"""The benchmark runs, at a size where it measures nothing: no time is asserted anywhere."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from bench import works
from bench.inputs import Inputs
from bench.peers import missing
from bench.plan import ALL, PAIRS, PEERS, memory_limit
from bench.releases import rows
from bench.rounds import Result
from bench.table import document, show
from bench.watch import Measured, Watch, peak_bytes

REPO = Path(__file__).resolve().parents[2]
ROWS = 7


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Inputs:
    """Return the inputs of a few rows."""
    made = Inputs(tmp_path_factory.mktemp("bench"), ROWS)
    made.make()
    return made


@pytest.mark.parametrize("name", sorted(ALL))
def test_every_work_runs(inputs: Inputs, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each work counts what it worked on; peers only where they are installed."""
    peer = name.partition("-")[0]
    if peer in ("JSONL", "pymerkle", "eventsourcing", "git") and missing(peer):
        pytest.skip(f"{peer} is not installed")
    monkeypatch.setattr(works, "STARTS", 1)
    monkeypatch.chdir(REPO)
    watch = Watch()
    things = ALL[name](inputs, watch)
    entries = sum(len(batch) for batch in inputs.entries())
    start = name == "python" or peer == "start"
    assert things in ((1,) if start else (ROWS, ROWS + 2, entries))
    assert watch.seconds > 0


def test_rows_are_the_same_in_every_run() -> None:
    """A row depends on its number alone."""
    assert list(rows(3, 2)) == list(rows(0, 9))[3:5]


def test_inputs_are_a_ledger_with_decisions_and_two_bundles(inputs: Inputs) -> None:
    """One row in a hundred is corrected, and the freeze is the last entry."""
    kinds = [data.count(b"attempt.corrected/1") > 0 for _, data in next(inputs.entries())]
    assert sum(kinds) == 1
    assert len(next(inputs.attempts())) == ROWS
    assert inputs.full.stat().st_size > inputs.bare.stat().st_size


def test_every_pair_names_works_there_are() -> None:
    """A pair is measured by name, in a process of its own."""
    for pair in (*PAIRS, *PEERS):
        assert pair.work in ALL
        assert pair.baseline in ALL
    assert len({(pair.work, pair.baseline) for pair in (*PAIRS, *PEERS)}) == len(PAIRS + PEERS)


def test_results_hold_by_their_median() -> None:
    """The median decides, the spread is shown, and memory is judged apart."""
    pair = PAIRS[0]
    ours = [Measured(seconds, seconds, 10, memory_limit(10) + 1) for seconds in (2.0, 3.0, 9.0)]
    limit = [Measured(1.0, 1.0, 10, 0)] * 3
    result = Result(
        pair=pair, size=10, clock="seconds", ours=ours, limits=limit, ratios=[2.0, 3.0, 9.0]
    )
    assert (result.ratio, result.holds, result.fits) == (3.0, True, False)
    out = io.StringIO()
    show([result], Console(file=out, width=200))
    for text in (pair.title, "3.00 (2.00–9.00)", "≤ 3", "yes", "64 OVER"):
        assert text in out.getvalue()
    (found,) = document([result])
    assert found["ratio"] == {"median": 3.0, "min": 2.0, "max": 9.0}
    assert found["ours_us"] == 300_000
    assert peak_bytes() > 2**20


def test_command_prints_a_document(tmp_path: Path) -> None:
    """One pair, one round, each measurement in its own interpreter."""
    command = [sys.executable, "-m", "bench", "--events", str(ROWS), "--rounds", "1", "--json"]
    done = subprocess.run(
        [*command, "--only", "replay", "--folder", str(tmp_path)],
        cwd=REPO,
        check=True,
        capture_output=True,
    )
    (found,) = json.loads(done.stdout)
    assert (found["work"], found["baseline"], found["size"]) == ("replay", "scan", ROWS)
    assert found["fits"]
