"""Events of runs as people see them: in the log, in full, and as the life of a run."""

import json
from pathlib import Path

import pytest
from cli_place import Run

from ledger.report.examples import examples, whole_file, whole_run

NEW = ("--ledger", "dry.db")
RUN = "dry-well-01"


@pytest.fixture
def held(place: Path, run: Run) -> int:
    """Return the number of the first event of a run in a new ledger, which was reviewed too."""
    assert run("init", "--origin", "log.example/runs", "--keys", "dry-keys", *NEW).code == 0
    review = examples()["review.decided/1"].document("review.decided/1")
    events = [*whole_file(), *whole_run(), review]
    (place / "all.json").write_text(json.dumps({"events": events}))
    done = run("append", "--from", "all.json", "--key", "dry-keys/root.key", *NEW, "--json").json
    first: int = done["events"][len(whole_file())]["seq"]
    return first


@pytest.mark.usefixtures("held")
def test_every_event_of_a_run_is_told_in_a_line(run: Run) -> None:
    """What it is of, and what its record says."""
    rows = {
        row["type"]: row["about"]
        for row in run("log", "--limit", 99, *NEW, "--json").json["events"]
    }
    assert rows["item.declared/1"].startswith("agent 2,048 bytes, item 1 of file ")
    assert rows["evidence.recorded/1"].startswith("logger_armed tick 7, line 1 of file ")
    assert rows["review.reported/1"].startswith("machine_operated.causality pending, line 1 of ")
    assert rows["derivation.reported/1"].startswith("filter.py agent, line 1 of file ")
    assert rows["trajectory.recorded/1"].startswith("call bash c1 by agent, line 1 of file ")
    assert rows["file.observed/1"] == f"{RUN}: trajectory, 1 new record of 1"
    assert rows["audit.concluded/1"] == f"{RUN}: PENDING, 0 of 1 flag passed"
    assert rows["review.decided/1"].startswith(f"{RUN}: machine_operated.causality resolved, on ")


def test_a_run_has_a_life(held: int, run: Run) -> None:
    """Files, verdict and review in their order; `run:` before the name says what it is."""
    document = run("timeline", RUN, *NEW, "--json").json
    assert (document["kind"], document["id"]) == ("run", RUN)
    assert [one["what"] for one in document["events"]][-2:] == [
        "judged: PENDING",
        f"reviewed: machine_operated.causality resolved, on verdict {held + 10}",
    ]
    assert document["events"][0]["what"] == "manifest: present, 1 new of 1 records"
    assert document["state"] == {
        "files": 5,
        "records": 5,
        "overall": "PENDING",
        "failure_class": None,
        "reviews": ["machine_operated.causality resolved"],
    }
    assert run("timeline", f"run:{RUN}", *NEW, "--json").json == document
    assert "judged: PENDING" in run("timeline", RUN, *NEW).out
    near = run("timeline", "dry-well-02", *NEW, "--json").json["error"]
    assert RUN in near["message"]


def test_a_run_is_counted_once(held: int, run: Run) -> None:
    """However many events it has; everything in it is read again (VERIFY-25)."""
    assert run("status", *NEW, "--json").json["runs"] == 1
    assert run("replay", "--check", *NEW).code == 0
    shown = run("show", held, *NEW, "--json").json
    assert shown["body"]["role"] == "manifest"
    assert shown["slots"].keys() == {"path", "digest", "canonical", "content"}
