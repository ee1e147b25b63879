"""The importer on real releases, read in place."""

import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ledger.importers.replaybook.reading import ReleaseReading
from ledger.importers.source_rows import reassemble

VERSIONS = ("20260810.0.0", "20260820.0.0", "20260822.0.2")
ROW_FLAGS = {"duration_over_timeout", "spend_on_unavailable"}


@pytest.fixture
def data(shared: Path) -> Path:
    """Return the folder of the releases."""
    return shared / "data" / "replaybook"


@pytest.fixture
def expected(data: Path) -> dict[str, Any]:
    """Return the figures of an exact recomputation, by release."""
    found: dict[str, Any] = json.loads((data / "expected.json").read_bytes())["releases"]
    return found


@pytest.mark.parametrize("version", VERSIONS)
def test_counts_are_those_of_the_recomputation(
    shelf: Any, data: Path, expected: dict[str, Any], version: str
) -> None:
    """Rows, cells, corrections, status, harness; nothing set aside and nothing ambiguous."""
    report = shelf.take(data / f"{version}.json")
    want = expected[version]
    rows = shelf.bodies("attempt.reported")
    (release,) = shelf.bodies("release.reported")
    assert (report.new, report.quarantined, report.problems) == (want["totals"]["attempts"], 0, [])
    assert len(rows) == report.rows == want["totals"]["attempts"]
    assert len(shelf.bodies("correction.reported")) == want["corrections"]
    assert Counter(row["status"] for row in rows)["evaluated"] == want["totals"]["evaluated"]
    assert release["matrices"] == want["sources"]
    assert {row["matrix"] for row in rows} == set(want["sources"])
    assert release["harness_versions"] == want["harness_versions"]
    assert release["input_mode"] == want["input_mode"]
    assert (release["tier"] or "unclassified") == want["tier"]
    assert (release["agent"][0], release["per_cell"]) == (want["agent"], want["attempts_per_cell"])
    assert release["timeout_s"] == str(want["agent_timeout_seconds"])


@pytest.mark.parametrize("version", VERSIONS)
def test_flags_are_those_of_the_recomputation(
    shelf: Any, data: Path, expected: dict[str, Any], version: str
) -> None:
    """By cell for the flags of rows, and for few attempts; every stored sum agrees."""
    report = shelf.take(data / f"{version}.json")
    found: dict[tuple[object, ...], set[str]] = {}
    for row in shelf.bodies("attempt.reported"):
        cell = (row["model"], row["reasoning_effort"], row["scenario"], row["scenario_version"])
        found.setdefault(cell, set()).update(row["flags"])
    names = ("model", "reasoning_effort", "scenario", "scenario_version")
    want = {
        tuple(cell[name] for name in names): set(cell["flags"]) & ROW_FLAGS
        for cell in expected[version]["by_scenario_model"]
    }
    assert {cell: flags & ROW_FLAGS for cell, flags in found.items()} == want
    few = sum(
        "fewer_than_3_attempts" in cell["flags"] for cell in expected[version]["by_scenario_model"]
    )
    flags = {flag.flag: flag.count for flag in report.flags}
    assert flags.get("fewer_than_3_attempts", 0) == few
    assert not flags.keys() & {
        "aggregate_mismatch",
        "categories_do_not_add_up",
        "incomplete_rectangle",
        "source_ambiguous",
    }


@pytest.mark.parametrize("version", VERSIONS)
def test_no_prose_of_a_release_stands_in_an_entry(shelf: Any, data: Path, version: str) -> None:
    """Every piece of its free text is in a blob, and in no entry."""
    path = data / f"{version}.json"
    shelf.take(path)
    document = json.loads(path.read_bytes())
    corrections = [
        text
        for correction in document["corrections"]
        for text in (
            correction["reason"],
            correction["original"]["failure"],
            correction["changes"]["failure"],
        )
    ]
    prose = {
        document["title"],
        document["description"],
        document.get("reproduction_command"),
        *document["notes"],
        *document["observations"],
        *document["model_labels"].values(),
        *document["scenario_labels"].values(),
        *corrections,
        *(row["failure"] for row in document["runs"]),
        str(path),
    } - {None}
    entries = shelf.entries()
    blobs = b"".join(blob.data for blob in shelf.ledger.blobs())
    assert len(prose) > 8
    for text in prose:
        assert text.encode() not in entries
        for word in text.split(". "):
            assert word.encode() not in entries
        assert json.dumps(text, ensure_ascii=False)[1:-1].encode() in blobs


@pytest.mark.parametrize("version", VERSIONS)
def test_the_blobs_are_the_file(shelf: Any, data: Path, version: str) -> None:
    """Byte for byte, from the release's blob and the rows'."""
    path = data / f"{version}.json"
    rows = shelf.take(path).rows
    raw = [shelf.blob(seq, "record") for seq in range(2, 2 + rows)]
    assert reassemble(shelf.blob(1, "record"), "runs", raw) == path.read_bytes()


def test_the_releases_are_not_comparable_with_one_another(shelf: Any, data: Path) -> None:
    """Three harness versions, three adapters' releases: three keys."""
    for version in VERSIONS:
        shelf.take(data / f"{version}.json")
    assert len({body["comparability"] for body in shelf.bodies("release.reported")}) == 3


def test_all_of_them_again_add_nothing(shelf: Any, data: Path) -> None:
    """Importing is idempotent across files."""
    for version in VERSIONS:
        shelf.take(data / f"{version}.json")
    head = shelf.ledger.head()
    reports = [shelf.take(data / f"{version}.json") for version in VERSIONS]
    assert shelf.ledger.head() == head
    assert [(report.events, report.new) for report in reports] == [(0, 0)] * 3
    assert [report.known for report in reports] == [45, 18, 9]


def test_the_figures_beside_them_are_no_release(shelf: Any, data: Path) -> None:
    """A file of another kind in the same folder is refused as a whole."""
    with pytest.raises(Exception, match="expected replaybook-release/1") as caught:
        shelf.take(data / "expected.json")
    assert caught.value.code == "E_FORMAT_UNKNOWN"  # type: ignore[attr-defined]


@pytest.mark.parametrize("version", VERSIONS)
def test_money_adds_up_exactly(data: Path, expected: dict[str, Any], version: str) -> None:
    """The sum over the evaluated rows, as decimals."""
    reading = ReleaseReading(io.BytesIO((data / f"{version}.json").read_bytes()), version)
    reported = [
        record.event.usage.cost_usd  # type: ignore[union-attr]
        for record in reading.records(0)
        if record.key is not None
        and record.event.status == "evaluated"  # type: ignore[union-attr]
        and record.event.usage is not None  # type: ignore[union-attr]
    ]
    costs = [cost for cost in reported if cost is not None]
    totals = expected[version]["totals"]
    assert len(costs) == totals["evaluated_cost_reported"]
    assert _sum(costs) == _sum([totals["evaluated_spend_usd"] or "0"])


def _sum(amounts: list[str]) -> int:
    """Add decimals as integers of 10^-30."""
    total = 0
    for amount in amounts:
        whole, _, part = amount.partition(".")
        total += int(whole + part.ljust(30, "0"))
    return total
