"""``run chronology``: a run in the order of time, from a directory and from a ledger."""

from pathlib import Path

import pytest
from cli_place import RUNS, Run
from judged_runs import RUN as NAME
from judged_runs import Draft


@pytest.fixture
def made(place: Path) -> Path:
    """Return a run whose agent's logger comes between what the others saw."""
    return Draft().write(place / "made")


def test_three_streams_in_one_order(run: Run, made: Path) -> None:
    """Times decide; every record keeps its stream, line and reference (AUDIT-25)."""
    told = run("run", "chronology", made, "--json").json
    times = [one["at"] for one in told if one["at"] is not None]
    assert times == sorted(times)
    assert {one["stream"] for one in told} == {"trajectory", "testmod", "logger"}
    places = {(one["stream"], one["line"]) for one in told}
    assert len(places) == len(told)
    for stream, name in (("trajectory", "trajectory.jsonl"), ("testmod", "test/mod.jsonl")):
        lines = len((made / name).read_bytes().splitlines())
        assert sum(one["stream"] == stream for one in told) == lines
    assert [one["ref"] for one in told].index("trajectory:c2") < [one["ref"] for one in told].index(
        "testmod:seq3"
    )


def test_people_see_the_same(run: Run, made: Path) -> None:
    """One line a record, and how many there are."""
    told = run("run", "chronology", made, "--json").json
    ran = run("run", "chronology", made)
    assert ran.code == 0
    assert f"{len(told)} records" in ran.out
    assert ran.out.count("trajectory:") >= sum(one["stream"] == "trajectory" for one in told)


def test_a_ledger_tells_it_as_the_directory_did(run: Run, made: Path) -> None:
    """Also as of a size before the run was there, when it knew nothing of it."""
    before = run("status", "--ledger", RUNS, "--json").json["size"]
    name = run("import", made, "--ledger", RUNS, "--json").json["sources"][0]["path"]
    assert name == str(made)
    told = run("run", "chronology", made, "--json").json
    assert run("run", "chronology", NAME, "--ledger", RUNS, "--json").json == told
    ran = run("run", "chronology", NAME, "--ledger", RUNS, "--as-of", before, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, "E_RUN_UNKNOWN")


def test_neither_a_folder_nor_a_ledger(run: Run, place: Path) -> None:
    """Wrong usage, with what to do."""
    (place / "coldledger.db").unlink()
    ran = run("run", "chronology", "nowhere", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (64, "E_USAGE")
