"""The envelope of a release: its conditions, its sums, its corrections."""

import copy
from typing import Any

import pytest

Document = dict[str, Any]


def release_of(shelf: Any, document: Document) -> dict[str, Any]:
    """Import a document and return the body of its release."""
    shelf.take(document)
    found: dict[str, Any] = shelf.bodies("release.reported")[-1]
    return found


def flags_of(shelf: Any, document: Document) -> dict[str, tuple[int, str]]:
    """Import a document and return the flags of its release: how often, and where first."""
    return {flag: (count, where) for flag, count, where in release_of(shelf, document)["flags"]}


def test_a_release_is_read_field_by_field(shelf: Any, release: Document) -> None:
    """Every field of the wire."""
    body = release_of(shelf, release)
    assert body.pop("blobs").keys() == {"record"}
    assert len(body.pop("comparability")) == 32
    assert body == {
        "tier": "core",
        "agent": ["walker", "builtin:walker", None],
        "flags": [],
        "packs": [["makers/pack", "20260201.0.0"]],
        "suite": "walker-matrix-v1",
        "source": 0,
        "harness": {
            "id": "walker",
            "billing": "metered",
            "version": "1.2",
            "provider": "Somewhere",
        },
        "release": "20260301.0.0",
        "matrices": ["matrix-2026-02-28.aa11"],
        "per_cell": 3,
        "timeout_s": "600",
        "input_mode": "text",
        "adapter_release": "v20260220.0.0",
        "harness_versions": [21],
    }


def test_a_release_of_the_first_months_is_read(shelf: Any, old_release: Document) -> None:
    """What it lacks is null or empty; text is its input mode."""
    body = release_of(shelf, old_release)
    assert (body["tier"], body["harness"], body["packs"]) == (None, None, [])
    assert (body["input_mode"], body["harness_versions"], body["flags"]) == ("text", [21], [])


def test_a_bare_release_is_read(shelf: Any, release: Document) -> None:
    """Only four members are necessary; rows then have no matrix to be of."""
    bare = {name: release[name] for name in ("schema_version", "version", "runs")}
    bare["compatibility"] = {}
    report = shelf.take(bare)
    (body,) = shelf.bodies("release.reported")
    assert body["agent"] == [None, None, None]
    assert (body["suite"], body["per_cell"], body["timeout_s"]) == (None, None, None)
    assert [(flag.flag, flag.count) for flag in report.flags] == [("source_ambiguous", 12)]


def test_mixed_harness_versions_are_all_named(shelf: Any, release: Document) -> None:
    """Those of the release and of its sources, ascending, each once."""
    release["compatibility"]["harness_versions"] = [22, 21]
    release["sources"].append({"source": "second", "harness_version": 19})
    assert release_of(shelf, release)["harness_versions"] == [19, 21, 22]


def test_a_row_that_fits_two_matrices_has_none(shelf: Any, release: Document) -> None:
    """Where the source does not tell, nothing is guessed."""
    second = copy.deepcopy(release["sources"][0]) | {"source": "matrix-b"}
    second["models"] = ["maker/second"]
    release["sources"].append(second)
    shelf.take(release)
    rows = shelf.bodies("attempt.reported")
    found = {(row["model"], row["matrix"], tuple(row["flags"])) for row in rows}
    assert found == {
        ("maker/first", "matrix-2026-02-28.aa11", ()),
        ("maker/second", None, ("source_ambiguous",)),
    }


@pytest.mark.parametrize(
    "difference",
    [
        {"agent": {"name": "runner"}},
        {"models": ["maker/first"]},
        {"reasoning_efforts": ["high"]},
        {"reasoning_efforts": []},
        {"scenarios": [{"id": "101-stuck-queue", "version": 2}]},
        {"attempts": 0},
        {"agent_timeout_seconds": 900},
        {"started_at": "2026-02-28T12:00:00Z"},
        {"finished_at": "2026-02-28T10:00:30.5Z"},
    ],
)
def test_whatever_differs_tells_matrices_apart(
    shelf: Any, release: Document, difference: Document
) -> None:
    """Each thing that a matrix and a row both say."""
    other = {**copy.deepcopy(release["sources"][0]), "source": "other", **difference}
    release["sources"].insert(0, other)
    shelf.take(release)
    assert shelf.bodies("attempt.reported")[3]["matrix"] == "matrix-2026-02-28.aa11"


def test_rows_may_end_within_the_second_of_their_matrix(shelf: Any, release: Document) -> None:
    """Rows give whole seconds, matrices microseconds."""
    release["sources"][0] |= {
        "started_at": "2026-02-28T10:01:00.900000Z",
        "finished_at": "2026-02-28T10:18:49.100000Z",
    }
    assert all(not row["flags"] for row in _rows(shelf, release))


def _rows(shelf: Any, release: Document) -> list[dict[str, Any]]:
    shelf.take(release)
    found: list[dict[str, Any]] = shelf.bodies("attempt.reported")
    return found


def key_of(shelf: Any, document: Document) -> bytes:
    """Import a document under a name of its own and return its comparability."""
    document = copy.deepcopy(document)
    document["version"] = f"v{shelf.ledger.size}"
    key: bytes = release_of(shelf, document)["comparability"]
    return key


SAME: list[tuple[tuple[str | int, ...], object]] = [
    (("title",), "another"),
    (("notes",), ["another"]),
    (("compatibility", "reasoning_efforts"), ["high"]),
    (("compatibility", "scenarios"), []),
    (("compatibility", "agent_harness", "label"), "another"),
    (("compatibility", "agent_timeout_seconds"), 600.0),
    (("compatibility", "execution_snapshot", "selected_scenarios"), [{"id": "x"}]),
    (("sources", 0, "models"), []),
    (("sources", 0, "concurrency"), 9),
    (("runs",), []),
]
OTHER: list[tuple[tuple[str | int, ...], object]] = [
    (("tier",), "smoke"),
    (("input_mode",), "visual"),
    (("compatibility", "suite"), "another"),
    (("compatibility", "harness_version"), 22),
    (("compatibility", "attempts"), 5),
    (("compatibility", "agent_timeout_seconds"), 601),
    (("compatibility", "agent", "name"), "another"),
    (("compatibility", "agent", "adapter"), "/another"),
    (("compatibility", "agent", "payload"), "another"),
    (("compatibility", "claux_release"), "another"),
    (("compatibility", "scenario_packs"), []),
    (("compatibility", "scenario_packs"), None),
    (("compatibility", "benchmark_manifest"), {"id": "x", "sha256": "ab"}),
    (("compatibility", "benchmark_tier"), "full"),
    (("compatibility", "agent_harness"), None),
    (("compatibility", "agent_harness", "provider"), "Elsewhere"),
    (("compatibility", "execution_snapshot"), None),
    (("compatibility", "execution_snapshot", "host_harness_sha256"), "cd" * 32),
    (("compatibility", "execution_snapshot", "agent_env_sha256"), "cd" * 32),
    (("sources", 0, "execution_snapshot", "scenario_packs"), [{"id": "x", "sha256": "cd"}]),
]


def put(document: Document, path: tuple[str | int, ...], value: object) -> Document:
    """Return a copy of *document* with a value at *path*."""
    changed = copy.deepcopy(document)
    part: Any = changed
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    return changed


def test_releases_that_say_the_same_are_comparable(shelf: Any, release: Document) -> None:
    """What is no condition, and how a number is spelled, makes no difference."""
    keys = {key_of(shelf, put(release, path, value)) for path, value in SAME}
    assert keys == {key_of(shelf, release)}


def test_releases_that_differ_in_a_condition_are_not(shelf: Any, release: Document) -> None:
    """Each condition makes a key of its own."""
    keys = [key_of(shelf, put(release, path, value)) for path, value in OTHER]
    assert len({key_of(shelf, release), *keys}) == len(OTHER) + 1


def test_the_order_of_packs_is_no_condition(shelf: Any, release: Document) -> None:
    """A set that the source lists in some order."""
    packs = [{"id": "a", "version": "1"}, {"version": "2", "id": "b"}]
    one = put(release, ("compatibility", "scenario_packs"), packs)
    two = put(release, ("compatibility", "scenario_packs"), packs[::-1])
    assert key_of(shelf, one) == key_of(shelf, two)


def test_a_tier_that_is_absent_is_unclassified(shelf: Any, release: Document) -> None:
    """Releases before the field existed said so by saying nothing."""
    without = copy.deepcopy(release)
    del without["tier"]
    named = put(release, ("tier",), "unclassified")
    assert key_of(shelf, without) == key_of(shelf, named)


@pytest.mark.parametrize(
    ("path", "value", "pointer"),
    [
        (("totals", "trials"), 13, "/totals/trials"),
        (("totals", "passed"), None, "/totals/passed"),
        (("totals", "known_cost_usd"), 0.3000001, "/totals/known_cost_usd"),
        (("totals", "known_cost_usd"), "0.3", "/totals/known_cost_usd"),
        (("totals", "input_tokens"), 12023, "/totals/input_tokens"),
        (("totals", "pass_rate"), 0.92, "/totals/pass_rate"),
        (("totals", "median_duration_seconds"), 42.1, "/totals/median_duration_seconds"),
        (("totals", "median_model_rounds"), None, "/totals/median_model_rounds"),
        (("by_model", 1, "failed"), 0, "/by_model/1/failed"),
        (("by_model", 0, "model"), "nobody", "/by_model/0"),
        (("by_scenario_model", 3, "scenario_version"), 4, "/by_scenario_model/3"),
        (("by_scenario_model", 3, "scenario_version"), [], "/by_scenario_model/3"),
        (
            ("by_scenario_model", 3, "failure_categories"),
            {"another": 1},
            "/by_scenario_model/3/failure_categories",
        ),
        (("totals", "unavailable_categories"), {"x": 1}, "/totals/unavailable_categories"),
        (("totals", "failure_categories"), [], "/totals/failure_categories"),
    ],
)
def test_a_sum_that_the_rows_do_not_give_is_flagged(
    shelf: Any, release: Document, path: tuple[str | int, ...], value: object, pointer: str
) -> None:
    """By table, row and name; a sum of another kind is one that they do not give."""
    assert flags_of(shelf, put(release, path, value))["aggregate_mismatch"][1] == pointer


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("totals", "known_cost_usd"), 0.30000000000000004),
        (("totals", "known_cost_usd"), 0.3),
        (("totals", "trials"), 12.0),
        (("totals", "unheard_of"), 12.0),
        (("totals",), None),
        (("by_model",), None),
        (("by_model", 0, "agent"), "walker"),
    ],
)
def test_a_sum_that_the_rows_give_is_not(
    shelf: Any, release: Document, path: tuple[str | int, ...], value: object
) -> None:
    """Rounding of binary floating point is the source's way of writing."""
    assert flags_of(shelf, put(release, path, value)) == {}


def test_a_cost_that_nobody_reports_may_be_stored_as_zero_or_null(
    shelf: Any, release: Document
) -> None:
    """The source writes 0 for unknown; a later one may know better."""
    for row in release["runs"]:
        row["usage"] = None
    tables = [[release["totals"]], release["by_model"], release["by_scenario_model"]]
    for stored in (stored for table in tables for stored in table):
        stored |= {"cost_reported_trials": 0, "usage_reported_trials": 0, "known_cost_usd": None}
        stored |= {"input_tokens": 0, "output_tokens": None, "cache_read_tokens": 0}
    release["totals"]["known_cost_usd"] = 0
    assert flags_of(shelf, release) == {}


def test_categories_that_do_not_add_up_are_flagged(shelf: Any, release: Document) -> None:
    """A failed row without a category leaves a gap in the stored words."""
    release["runs"][10]["failure_category"] = None
    for stored in (release["totals"], release["by_model"][1], release["by_scenario_model"][3]):
        stored["failure_categories"] = {}
    assert flags_of(shelf, release) == {
        "categories_do_not_add_up": (3, "/totals/failure_categories")
    }


def test_a_nameless_failure_may_stand_under_any_word(shelf: Any, release: Document) -> None:
    """Which word the source chose for it is not ours to say."""
    release["runs"][10]["failure_category"] = None
    for stored in (release["totals"], release["by_model"][1], release["by_scenario_model"][3]):
        stored["failure_categories"] = {"unknown": 1}
    assert flags_of(shelf, release) == {}


def test_few_attempts_are_flagged_by_cell(shelf: Any, release: Document) -> None:
    """Less than three per system and scenario is a smoke run, and says so."""
    document = put(release, ("compatibility", "attempts"), 2)
    document["runs"] = [row for row in release["runs"] if row["attempt"] < 3]
    for name in ("totals", "by_model", "by_scenario_model"):
        del document[name]
    assert flags_of(shelf, document) == {"fewer_than_3_attempts": (4, "/runs/0")}


@pytest.mark.parametrize(
    ("drop", "expected"),
    [
        ([4], (1, "/runs/3")),
        ([3, 4, 5], (1, "/runs")),
        ([0, 9, 10, 11], (2, "/runs/0")),
    ],
)
def test_a_gap_in_the_rectangle_is_flagged(
    shelf: Any, release: Document, drop: list[int], expected: tuple[int, str]
) -> None:
    """Systems times scenarios times attempts, less what is there."""
    release["runs"] = [row for index, row in enumerate(release["runs"]) if index not in drop]
    for name in ("totals", "by_model", "by_scenario_model"):
        del release[name]
    assert flags_of(shelf, release)["incomplete_rectangle"] == expected


def test_a_declared_scenario_without_rows_is_a_gap(shelf: Any, release: Document) -> None:
    """The release says that it has three scenarios."""
    release["compatibility"]["scenarios"].append({"id": "103-lost-key", "version": 1})
    assert flags_of(shelf, release) == {"incomplete_rectangle": (2, "/runs")}


def test_without_a_plan_the_fullest_cell_sets_it(shelf: Any, release: Document) -> None:
    """Where a release does not say how many attempts a cell has."""
    document = put(release, ("compatibility", "attempts"), None)
    assert flags_of(shelf, document) == {}
    document["runs"].append({**document["runs"][0], "attempt": 4, "run_id": "fourth"})
    for name in ("totals", "by_model", "by_scenario_model"):
        del document[name]
    assert flags_of(shelf, document)["incomplete_rectangle"] == (3, "/runs/3")
