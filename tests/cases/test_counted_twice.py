"""One trial that is counted twice.

A published table held nearly a thousand rows twice, some of them with two different scores, and
its mean over rows gave each of these questions double weight. Results travel: a release repeats
trials of the one before, a file is imported from two folders. Here a trial has an identity of its
own, apart from the files that report it, and counts once in a table wherever it stands.
"""

import copy

from cases.desk import Desk, counts, flags_of
from cases.releases import release, row, three

ROWS = three("repaired", "failed", "failed")


def test_a_row_that_stands_twice_in_a_file_counts_once(desk: Desk) -> None:
    """The first counts, and the other is set aside by name."""
    report = desk.take(release("20260302.0.0", [*ROWS, ROWS[0]]), refused=True)[0]
    assert (report["new"], report["quarantined"]) == (3, 1)
    (problem,) = report["problems"]
    assert (problem["code"], problem["pointer"]) == ("E_DUPLICATE_ROW", "/runs/3")
    assert counts(desk.totals()) == (3, 3, 0, 0, 0)
    assert desk.rate() == "1/3"


def test_a_file_twice_adds_nothing(desk: Desk) -> None:
    """Under another name it is the same file."""
    desk.take(release("20260302.0.0", ROWS))
    (desk.place / "copy.json").write_bytes((desk.place / "20260302.0.0.json").read_bytes())
    report = desk.run("import", "copy.json", "--json").json["sources"][0]
    assert (report["same_file"], report["events"], report["new"]) == (True, 0, 0)
    assert desk.totals()["evaluated_spend_usd"] == "0.75"


def test_a_release_that_repeats_trials_adds_none(desk: Desk) -> None:
    """Three trials in two releases are three: in counts, in money, and in the median."""
    first, second = desk.take(
        release("20260302.0.0", ROWS), release("20260303.0.0", [*ROWS, row(4, "repaired")])
    )
    assert (first["new"], second["new"], second["known"]) == (3, 1, 3)
    totals = desk.totals()
    assert counts(totals) == (4, 4, 0, 0, 0)
    assert (totals["pass_rate"], totals["evaluated_spend_usd"]) == ("2/4", "1")
    assert desk.attempts()[0]["releases"] == ["20260302.0.0", "20260303.0.0"]
    desk.stands()


def test_two_scores_of_one_trial_are_not_averaged(desk: Desk) -> None:
    """The newest report governs, and the difference is said by import, attempt and table."""
    other = copy.deepcopy(ROWS)
    other[1] |= row(2, "repaired")
    _, report = desk.take(release("20260302.0.0", ROWS), release("20260303.0.0", other))
    (changed,) = report["changed"]
    fields = {one["field"]: (one["old"], one["new"]) for one in changed["fields"]}
    assert fields["reward"] == (0, 1)
    totals = desk.totals()
    assert (totals["pass_rate"], totals["flags"]) == ("2/3", ["repeat_differs"])
    assert desk.attempts()[1]["flags"] == ["repeat_differs"]
    assert desk.rate("--edition", "20260302.0.0") == "1/3"


def test_one_number_twice_at_two_times_is_flagged(desk: Desk) -> None:
    """By its times it is another trial, so it counts; that the number is taken is said."""
    twice = row(1, "repaired", begins=30)
    report = desk.take(release("20260302.0.0", [*ROWS, twice]))[0]
    assert flags_of(report) == {"attempt_number_repeated": 1}
    assert desk.rate() == "2/4"
    assert [one["flag"] for one in desk.board()["release_flags"]] == ["attempt_number_repeated"]
