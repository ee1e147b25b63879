"""``explain``: what a figure comes from, and which figures there are."""

from pathlib import Path

import pytest
from cli_place import KEY, RELEASE, Run, add_a_cohort

from ledger.report import FIGURE_OF

TOTAL = "system/*/task/*/passed"


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


def test_an_unknown_name_is_answered_with_the_names_that_there_are(run: Run) -> None:
    """All of them stand in the hint, with the command that lists the paths; and that one does."""
    error = run("explain", "spring:system/*/task/*/nope", "--json").json["error"]
    assert error["code"] == "E_FIGURE_UNKNOWN"
    assert error["hint"].startswith("`coldledger explain spring:` lists every path; ")
    listed = run("explain", "spring:", "--json").json["figures"]
    names = {one["figure"].rpartition("/")[2] for one in listed}
    assert all(name in error["hint"] for name in names)


def test_a_slip_in_an_edition_is_answered_with_the_edition(run: Run) -> None:
    """What is no path may have been meant for an edition."""
    assert "spring:" in run("explain", "sprin", "--json").json["error"]["expected"]


def test_fields_of_the_leaderboard_are_taken_for_their_figures(run: Run) -> None:
    """Every field of a row finds the figure that it shows, under the figure's own name."""
    totals = run("leaderboard", "--json").json["totals"]
    prefix = totals.pop("figure_prefix")
    assert totals.keys() >= FIGURE_OF.keys()
    for field in totals:
        found = run("explain", prefix + field, "--json").json
        assert found["figure"] == prefix + FIGURE_OF.get(field, field)


@pytest.mark.parametrize(
    ("asked", "prefix", "name"),
    [
        ("", "", None),
        ("spring", "spring:", "spring"),
        ("spring:", "spring:", "spring"),
        (RELEASE, f"{RELEASE}:", RELEASE),
        ("spring:system/*", "spring:system/*/", "spring"),
        ("system/*/task/", "system/*/task/", None),
    ],
)
def test_a_beginning_lists_what_there_is(
    asked: str, prefix: str, name: str | None, run: Run
) -> None:
    """Nothing lists every figure, an edition its own, and a beginning what is below it."""
    document = run("explain", asked, "--json").json
    assert document["edition"] == name
    assert document["figures"]
    assert all(one["figure"].startswith(prefix) for one in document["figures"])
    ids = [one["figure"] for one in document["figures"]]
    shown = run("explain", asked).out
    assert all(f"\n{one} = " in shown for one in ids)
    for one in ids[:3]:
        assert run("explain", one, "--json").json["figure"] == one


def test_a_beginning_ends_at_a_slash(run: Run) -> None:
    """Half a name is a slip, not a question for all that begin so."""
    error = run("explain", "system/*/task/*/pass", "--json").json["error"]
    assert error["code"] == "E_FIGURE_UNKNOWN"


def test_with_several_cohorts_a_path_lists_the_figure_of_each(place: Path, run: Run) -> None:
    """There is no total over them; named with its cohort each is explained."""
    add_a_cohort(place, run)
    listed = run("explain", TOTAL, "--json").json["figures"]
    assert len(listed) == 2
    for one in listed:
        assert one["figure"].startswith("cohort/")
        found = run("explain", one["figure"], "--json").json
        assert (found["figure"], found["value"]) == (one["figure"], one["value"])
        assert found["events"]
    assert len(run("explain", "system/*", "--json").json["figures"]) > len(listed)


def test_a_path_of_one_cohort_needs_no_cohort(place: Path, run: Run) -> None:
    """A system that ran in one of them only is meant without ambiguity."""
    add_a_cohort(place, run)
    paths = [one["figure"] for one in run("explain", "", "--json").json["figures"]]
    bare = [path.split("/", 2)[2] for path in paths]
    single = next(path for path in bare if bare.count(path) == 1)
    assert run("explain", single, "--json").json["figure"].endswith(single)


@pytest.mark.parametrize("name", ["2026:q1", "2026/q1", "a%3Ab", "release:of mine", "q1 *"])
def test_names_of_editions_may_look_like_paths(
    name: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Editions that there are come first, written as they are or percent-encoded.

    Older logs may have names with a colon, which none is frozen under any more (BUNDLE-22).
    """
    monkeypatch.setattr("ledger.edition.freeze._check_name", lambda _: None)
    assert run("edition", "freeze", name, "--key", KEY).code == 0
    written = run("explain", f"{name}:{TOTAL}", "--json").json
    assert (written["edition"], written["selected"]) == (name, "edition")
    assert run("explain", written["figure"], "--json").json["edition"] == name
    assert run("explain", f"{name}:", "--json").json["edition"] == name
    prefix = run("leaderboard", "--edition", name, "--json").json["totals"]["figure_prefix"]
    assert prefix + "passed" == written["figure"]


def test_reasons_and_values_show_no_python(run: Run) -> None:
    """What is not known is unknown, whatever the program calls it inside."""
    failed = next(row for row in run("attempts", "--json").json if row["outcome"] == "failed")
    run("correct", "--target", failed["attempt"], "--set", "failure_category=null",
        "--reason", "x", "--key", KEY)  # fmt: skip
    for text in (run("explain", "system/*/task/*/failed").out, run("explain").out):
        assert "None" not in text


def test_a_refusal_is_a_refusal(run: Run) -> None:
    """Nothing that can be typed is an internal fault."""
    for text in (":", "::", "/", "cohort/", "system//", "%", "%:x", "spring:%zz", "att-1"):
        assert run("explain", text, "--json").code in (0, 1), text
