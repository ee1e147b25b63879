"""``leaderboard``, ``attempts``, ``explain``, ``diff``: figures, and what they come from."""

from pathlib import Path

import pytest
from cli_place import KEY, RELEASE, TRUST, Run, attempts_of

TOTAL = "system/*/task/*/passed"


def test_a_frozen_edition_stands_as_it_was(run: Run) -> None:
    """An exclusion afterwards changes the release's present state, not the edition."""
    spring = run("leaderboard", "--edition", "spring", "--json").json
    now = run("leaderboard", "--edition", RELEASE, "--json").json
    assert (spring["selected"], now["selected"]) == ("edition", "release")
    assert spring["totals"]["verified_repairs"] == now["totals"]["verified_repairs"] + 1
    assert (spring["totals"]["excluded"], now["totals"]["excluded"]) == (0, 1)
    assert spring["size"] < now["size"]
    as_of = run("leaderboard", "--as-of", spring["size"], "--json").json
    assert as_of["totals"] == spring["totals"]


def test_the_whole_ledger_is_the_default(run: Run) -> None:
    """Without an edition every attempt counts."""
    everything = run("leaderboard", "--json").json
    assert (everything["edition"], everything["selected"]) == (None, "ledger")
    assert everything["totals"]["attempts"] == run("status", "--json").json["attempts"]


def test_a_leaderboard_fits_a_terminal(run: Run) -> None:
    """A hundred columns are enough, with the table by task too; nothing reads None."""
    out = run("leaderboard", "--edition", "spring", "--tasks").out
    assert max(map(len, out.splitlines())) <= 100
    assert "None" not in out
    assert "frozen edition spring" in out
    assert "all systems" in out
    assert " evaluated of " in out


@pytest.mark.parametrize(
    "words",
    [
        ["leaderboard", "--edition", "sprin"],
        ["attempts", "--edition", "sprin"],
        ["explain", f"sprin:{TOTAL}"],
        ["leaderboard", "--edition", "later", "--as-of", "5"],
    ],
    ids=" ".join,
)
def test_an_unknown_edition_is_refused(words: list[str], run: Run) -> None:
    """Near names are suggested; an edition that was not frozen yet is none."""
    error = run(*words, "--json").json["error"]
    assert error["code"] == "E_EDITION_UNKNOWN"


def test_a_size_that_never_was_is_refused(run: Run) -> None:
    """As of more events than there are is no state."""
    assert run("attempts", "--as-of", "5000", "--json").json["error"]["code"] == "E_SIZE"


def test_attempts_are_a_list(run: Run) -> None:
    """Each has the fields of the contract; excluded ones are listed with their cost."""
    rows = run("attempts", "--json").json
    assert len(rows) == run("status", "--json").json["attempts"]
    assert set(rows[0]) >= {
        "attempt", "source", "task", "system", "outcome", "strict_pass", "rewards", "exception",
        "proposed", "state", "cost", "phases", "flags",
    }  # fmt: skip
    (excluded,) = run("attempts", "--state", "excluded", "--json").json
    assert excluded["cost"]["state"]
    assert excluded in rows
    assert run("attempts", "--edition", "spring", "--state", "excluded", "--json").json == []
    assert run("attempts", "--state", "pending").out.endswith("no attempts\n")


def test_attempts_read_well(run: Run) -> None:
    """Task by task, with identities that commands take, what is unknown as unknown."""
    out = run("attempts").out
    rows = run("attempts", "--json").json
    assert max(map(len, out.splitlines())) <= 100
    assert all(row["attempt"][:12] in out for row in rows)
    assert "excluded: infrastructure (repaired)" in out
    assert "None" not in out
    assert f"{len(rows)} attempts: 1 excluded, 0 pending" in out


def test_a_figure_is_explained_by_its_events(run: Run) -> None:
    """Of an edition, of a release, of the present: the exclusion bears on the later ones only."""
    exclusion = run("log", "--type", "attempt.excluded", "--json").json["events"][0]["seq"]
    for prefix, found in (("spring:", False), ("later:", True), (f"{RELEASE}:", True), ("", True)):
        document = run("explain", prefix + TOTAL, "--json").json
        assert document["figure"] == prefix + TOTAL
        assert (exclusion in [one["seq"] for one in document["events"]]) is found
        assert all(one["why"] and one["type"] for one in document["events"])
    text = run("explain", f"spring:{TOTAL}").out
    published = run("leaderboard", "--edition", "spring", "--json").json["totals"]
    assert text.startswith(f"spring:{TOTAL} = {published['verified_repairs']}\n")


def test_an_unknown_figure_is_refused(run: Run) -> None:
    """The nearest paths are named."""
    ran = run("explain", "system/*/task/*/passd", "--json")
    assert ran.code == 1
    assert ran.json["error"]["code"] == "E_FIGURE_UNKNOWN"
    assert TOTAL in ran.json["error"]["message"]


def test_diff_names_the_cause_of_every_change(run: Run) -> None:
    """Between the editions lies one exclusion, and every changed figure names it."""
    exclusion = run("log", "--type", "attempt.excluded", "--json").json["events"][0]["seq"]
    ran = run("diff", "spring.bundle", "later.bundle", "--trust", TRUST, "--json")
    assert ran.code == 1
    changed = {one["figure"]: one for one in ran.json["changed"]}
    assert changed[TOTAL]["old"] == changed[TOTAL]["new"] + 1
    assert {tuple(one["because"]) for one in changed.values()} == {(exclusion,)}
    text = run("diff", "spring.bundle", "later.bundle", "--trust", TRUST)
    assert text.code == 1
    assert TOTAL in text.out
    assert max(map(len, text.out.splitlines())) <= 100


def test_the_same_edition_does_not_differ(run: Run) -> None:
    """Nothing changed is 0, and said."""
    ran = run("diff", "spring.bundle", "spring.bundle", "--trust", TRUST)
    assert ran.code == 0
    assert "no figure differs" in ran.out
    assert run("diff", "spring.bundle", "spring.bundle", "--trust", TRUST, "--json").json["same"]


def test_diff_compares_verified_bundles_only(place: Path, run: Run) -> None:
    """A bundle that does not verify, or does not continue the other, is refused by its code."""
    (place / "bad").write_bytes((place / "later.bundle").read_bytes()[:-1])
    error = run("diff", "spring.bundle", "bad", "--trust", TRUST, "--json").json["error"]
    assert (error["code"], error["bundle"]) == ("E_TRUNCATED", "bad")
    error = run("diff", "later.bundle", "spring.bundle", "--trust", TRUST, "--json").json["error"]
    assert error["code"] == "E_ROLLBACK"
    shown = run("diff", "bad", "later.bundle", "--trust", TRUST)
    assert (shown.code, shown.out) == (1, "")
    assert "error[E_TRUNCATED]: bad: " in shown.err


def test_a_correction_shows_in_figures_and_lists(place: Path, run: Run) -> None:
    """The corrected value counts, and the attempt is marked."""
    failed = attempts_of(place / "coldledger.db", "failed")[0]
    before = run("leaderboard", "--json").json["totals"]["verified_repairs"]
    words = ("correct", "--target", failed, "--set", "reward=1", "--set", "failure_category=null")
    assert run(*words, "--reason", "the verifier misread", "--key", KEY).code == 0
    assert run("leaderboard", "--json").json["totals"]["verified_repairs"] == before + 1
    assert "repaired (corrected)" in run("attempts").out
