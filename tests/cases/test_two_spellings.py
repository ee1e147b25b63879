"""One model in two spellings.

Tables grouped by the name as it was written: with and without the provider before it, in capitals,
with a dot for a hyphen. So one model stood there several times, each with a part of its trials and
a part of its cost. Others merged by guessing, and made one of two. Here two spellings are two
systems, and are pointed out: by the import within a file, by the leaderboard and ``status`` also
between files.
"""

from cases.desk import Desk, flags_of
from cases.releases import release, three


def test_spellings_in_one_file_are_flagged_and_kept_apart(desk: Desk) -> None:
    """Three systems with their own rates, and one group of names that may be one."""
    rows = [
        *three("repaired", "failed", "failed", model="maker/first-4.1"),
        *three("repaired", "repaired", "failed", model="First 4-1"),
        *three("failed", "failed", "failed", model="maker/first-41"),
    ]
    report = desk.take(release("20260302.0.0", rows))[0]
    assert flags_of(report) == {"names_alike": 1}
    assert report["flags"][0]["pointer"] == "/runs/3"
    board = desk.board()
    assert [(system["model"], system["pass_rate"]) for system in board["by_model"]] == [
        ("First 4-1", "2/3"),
        ("maker/first-4.1", "1/3"),
        ("maker/first-41", "0/3"),
    ]
    assert board["names_alike"] == [{"kind": "model", "names": ["First 4-1", "maker/first-4.1"]}]
    desk.stands()


def test_spellings_in_two_files_are_pointed_out(desk: Desk) -> None:
    """Neither file is odd by itself; the ledger is."""
    for version, model in (("20260302.0.0", "maker/first"), ("20260303.0.0", "dealer/First")):
        report = desk.take(release(version, three("repaired", "failed", "failed", model=model)))[0]
        assert flags_of(report) == {}
    alike = [{"kind": "model", "names": ["dealer/First", "maker/first"]}]
    assert desk.board()["names_alike"] == alike
    assert desk.run("status", "--json").json["names_alike"] == alike
    assert desk.board("--edition", "20260302.0.0")["names_alike"] == []
    said = "These may be one model, and are counted apart: 'dealer/First', 'maker/first'."
    assert said in desk.run("leaderboard").out
    assert said in desk.run("status").out


def test_other_names_are_looked_at_too(desk: Desk) -> None:
    """Efforts, scenarios and categories; and what only differs is never called alike."""
    rows = [
        *three("failed", "failed", "failed", reasoning_effort="high"),
        *three("failed", "failed", "failed", reasoning_effort="HIGH", scenario="101 stuck queue"),
        *three("failed", "failed", "failed", model="maker/second", reasoning_effort="high"),
    ]
    rows[0]["failure_category"] = "Service not restored"
    report = desk.take(release("20260302.0.0", rows))[0]
    assert flags_of(report) == {"incomplete_rectangle": 3, "names_alike": 2}
    assert [alike["kind"] for alike in desk.board()["names_alike"]] == [
        "reasoning_effort",
        "scenario",
        "failure_category",
    ]
