"""``leaderboard``, ``attempts``, ``diff``: figures as tables, and what changed between two."""

import shlex
import shutil
from pathlib import Path

import pytest
from cli_place import KEY, RELEASE, TRUST, Run, add_a_cohort, attempts_of

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
    spring["totals"]["figure_prefix"] = spring["totals"]["figure_prefix"].removeprefix("spring:")
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


def test_one_cohort_and_several_read_alike(place: Path, run: Run) -> None:
    """The list of cohorts is always there; totals are where they can be."""
    alone = run("leaderboard", "--json").json
    assert [one["totals"] for one in alone["cohorts"]] == [alone["totals"]]
    assert alone["cohorts"][0]["by_model"] == alone["by_model"]
    add_a_cohort(place, run)
    both = run("leaderboard", "--json").json
    assert (both["totals"], both["by_model"]) == (None, [])
    assert alone["totals"]["verified_repairs"] in [
        one["totals"]["verified_repairs"] for one in both["cohorts"]
    ]


@pytest.mark.parametrize("words", [[], ["--edition", "spring"], ["--edition", RELEASE]], ids=str)
@pytest.mark.parametrize("cohorts", [1, 2])
def test_every_row_says_how_its_figures_are_called(
    words: list[str], cohorts: int, place: Path, run: Run
) -> None:
    """With the name of a field behind it, the prefix is what `explain` takes."""
    if cohorts == 2:
        add_a_cohort(place, run)
    document = run("leaderboard", *words, "--json").json
    for part in document["cohorts"]:
        rows = [part["totals"], part["by_model"][0], part["by_scenario_model"][0]]
        for row in rows:
            found = run("explain", f"{row['figure_prefix']}verified_repairs", "--json").json
            assert found["value"] == row["verified_repairs"]
            assert found["figure"] == f"{row['figure_prefix']}passed"
    shown = run("leaderboard", *words).out
    for part in document["cohorts"]:
        path = part["totals"]["figure_prefix"] + "passed"
        assert f"What the repairs come from: coldledger explain '{path}'\n" in shown


def test_a_leaderboard_of_the_past_leads_to_the_past(run: Run) -> None:
    """The command that it shows has the same ``--as-of``."""
    size = run("show", "spring.bundle", "--json").json["size"]
    shown = run("leaderboard", "--as-of", size).out
    (command,) = [one for one in shown.splitlines() if "coldledger explain" in one]
    words = shlex.split(command.partition("coldledger ")[2])
    assert words[1:3] == ["--as-of", str(size)]
    assert run(*words, "--json").json["size"] == size


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


def test_attempts_read_well(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Task by task, with identities that commands take, what is unknown as unknown."""
    out = run("attempts").out
    rows = run("attempts", "--json").json
    assert max(map(len, out.splitlines())) <= 100
    assert all(row["attempt"][:12] in out for row in rows)
    seq = run("log", "--type", "attempt.excluded", "--json").json["events"][0]["seq"]
    assert "None" not in out
    assert f"{len(rows)} attempts: 1 excluded, 0 pending" in out
    monkeypatch.setenv("COLUMNS", "200")
    assert f"excluded: infrastructure by event {seq} (repaired)" in run("attempts").out


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
    for path, one in changed.items():
        assert f"  {path}\n" in text.out, one
    assert f"because of event {exclusion}\n" in text.out
    paths = [f"  {path}" for path in changed]
    rest = [one for one in text.out.splitlines() if one not in paths]
    assert max(map(len, rest)) <= 100
    few = run("diff", "spring.bundle", "later.bundle", "--trust", TRUST, "--totals").out
    assert f"  {TOTAL}\n" in few
    assert "by system and task changed too" in few
    assert len(few) < len(text.out) / 2


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
    assert "spring.bundle" in error["message"]
    assert "and later.bundle is later" in error["message"]
    assert "the other way round" in error["hint"]
    shown = run("diff", "later.bundle", "spring.bundle", "--trust", TRUST)
    assert "--since" not in shown.err
    assert shown.err.endswith("Nothing was compared: NEW does not continue OLD.\n")
    shown = run("diff", "bad", "later.bundle", "--trust", TRUST)
    assert (shown.code, shown.out) == (1, "")
    assert "error[E_TRUNCATED]: bad: " in shown.err
    assert shown.err.endswith("Nothing was compared: OLD does not verify.\n")
    ran = run("diff", "spring.bundle", "results.json", "--trust", TRUST)
    assert (ran.code, ran.out) == (1, "")
    assert "results.json: got a file that looks like JSON, expected a bundle" in ran.err
    assert "NEW does not verify" in ran.err


@pytest.mark.parametrize("apart", [0, 1], ids=["of one size", "of two sizes"])
def test_histories_that_split_are_not_compared(apart: int, place: Path, run: Run) -> None:
    """Two logs that went on from one copy: the refusal names both bundles, not a checkpoint."""
    attempt = attempts_of(place / "coldledger.db", "failed")[0]
    shutil.copy(place / "coldledger.db", place / "other.db")
    for ledger, reason, times in (("coldledger.db", "one", 1), ("other.db", "two", 1 + apart)):
        to = ("--ledger", ledger, "--key", KEY)
        for time in range(times):
            run("exclude", "--target", attempt, "--class", ("provider", "task_defect")[time],
                "--reason", reason, "--evidence", "y", *to)  # fmt: skip
        assert run("edition", "freeze", reason, *to).code == 0
        assert run("edition", "export", reason, "-o", f"{reason}.bundle", *to).code == 0
    ran = run("diff", "one.bundle", "two.bundle", "--trust", TRUST, "--json")
    error = ran.json["error"]
    assert (ran.code, error["code"]) == (1, "E_CONSISTENCY" if apart else "E_SPLIT_VIEW")
    assert error["message"].startswith("two.bundle: it does not continue one.bundle: ")
    assert "two histories of one log" in error["hint"]
    told = run("diff", "one.bundle", "two.bundle", "--trust", TRUST).err
    assert told.endswith("Nothing was compared: NEW does not continue OLD.\n")


def test_a_correction_shows_in_figures_and_lists(
    place: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The corrected value counts, and the attempt is marked."""
    failed = attempts_of(place / "coldledger.db", "failed")[0]
    before = run("leaderboard", "--json").json["totals"]["verified_repairs"]
    words = ("correct", "--target", failed, "--set", "reward=1", "--set", "failure_category=null")
    assert run(*words, "--reason", "the verifier misread", "--key", KEY).code == 0
    assert run("leaderboard", "--json").json["totals"]["verified_repairs"] == before + 1
    seq = run("status", "--json").json["size"] - 1
    monkeypatch.setenv("COLUMNS", "200")
    assert f"repaired (corrected by event {seq})" in run("attempts").out
    row = next(row for row in run("attempts", "--json").json if row["attempt"] == failed)
    assert [(one["seq"], one["type"]) for one in row["decisions"]] == [(seq, "attempt.corrected/1")]
