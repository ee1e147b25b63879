"""Vectors of what stands around rows: schema, conditions, matrices, sums, corrections."""

from typing import Any

from importers_made import Document, Vector, failed, refused, release, row, taken, three, whole

_CONDITIONS: Document = {
    "suite": "matrix-v1",
    "attempts": 3,
    "agent_timeout_seconds": 600,
    "agent": {"name": "walker", "adapter": "builtin:walker", "payload": None},
    "claux_release": "v1",
    "scenario_packs": [{"id": "makers/pack", "version": "7"}, {"id": "plain"}],
    "harness_version": 11,
    "harness_versions": [22, 11],
    "agent_harness": {"id": "w", "label": "W", "version": None, "provider": "p", "billing": "b"},
}
_EMPTY = [["incomplete_rectangle", 1, "/runs"]]


def releases() -> list[Vector]:
    """Return vectors of IMPORT-17 to IMPORT-24, IMPORT-36, IMPORT-37 and IMPORT-40 to IMPORT-42."""
    alone = [*_schema(), *_conditions(), *_matrices(), *_sums(), *_shape()]
    return [*alone, *_among_rows(), *_corrections()]


def _schema() -> list[Vector]:
    return [
        refused("schema-2", 17, "Another schema.", "E_SCHEMA", "#/schema_version",
                release(schema_version=2)),
        refused("no-version", 17, "Null is no name.", "E_SCHEMA", "#/version",
                release(version=None)),
        refused("version-of-two-lines", 17, "A name is one line.", "E_IDENTIFIER", "#/version",
                release(version="a\nb")),
        refused("no-conditions", 17, "A list.", "E_SCHEMA", "#/compatibility",
                release(compatibility=[])),
        refused("rows-in-an-object", 17, "No array.", "E_SCHEMA", "#/runs", release(runs={})),
        refused("timeout-in-words", 17, "A member that is read is of its kind.", "E_SCHEMA",
                "#/compatibility/agent_timeout_seconds",
                release(compatibility={"agent_timeout_seconds": "600"})),
    ]  # fmt: skip


def _conditions() -> list[Vector]:
    full: Document = {
        "release": "20260301.0.0",
        "tier": "core",
        "input_mode": "visual",
        "suite": "matrix-v1",
        "per_cell": 3,
        "timeout_s": "600",
        "agent": ["walker", "builtin:walker", None],
        "adapter_release": "v1",
        "packs": [["makers/pack", "7"], ["plain", None]],
        "harness": {"id": "w", "billing": "b", "version": None, "provider": "p"},
        "harness_versions": [11, 20, 22],
        "matrices": ["matrix-a", "matrix-b"],
    }
    bare: Document = {
        "tier": None,
        "input_mode": "text",
        "suite": None,
        "per_cell": None,
        "timeout_s": None,
        "agent": [None, None, None],
        "adapter_release": None,
        "packs": [],
        "harness": None,
        "harness_versions": [],
        "matrices": [],
    }
    sources = [
        {"source": "matrix-a", "harness_version": 20},
        {"source": "matrix-b"},
        {"source": "matrix-a"},
    ]
    with_all = release(
        *three(), tier="core", input_mode="visual", compatibility=_CONDITIONS, sources=sources
    )
    without = {"schema_version": 1, "version": "v", "compatibility": {}, "runs": []}
    made = [
        taken("conditions", 18, "Every field.", with_all,
              events=[None, ["release.reported/1", full]]),
        taken("no-conditions-said", 18, "Null or empty.", without,
              events=[None, ["release.reported/1", bare]]),
    ]  # fmt: skip
    for name, comment, same, changes in (
        ("title", "No condition.", True, {"title": "another"}),
        ("tier-absent", "Unclassified is said by saying nothing.", True, {"tier": "unclassified"}),
        ("input-mode", "Another prompt.", False, {"input_mode": "visual"}),
        ("adapter", "Another agent.", False,
         {"compatibility": {**_CONDITIONS, "agent": {"name": "walker", "adapter": "other"}}}),
        ("harness-version", "Another verifier.", False,
         {"compatibility": {**_CONDITIONS, "harness_versions": [22]}, "sources": []}),
        ("packs-in-another-order", "A set.", True,
         {"compatibility": {**_CONDITIONS, "scenario_packs": _CONDITIONS["scenario_packs"][::-1]}}),
        ("timeout-spelled-otherwise", "The same number.", True,
         {"compatibility": {**_CONDITIONS, "agent_timeout_seconds": 600.0}}),
        ("gap", "Nothing said is not the same said.", False,
         {"compatibility": {**_CONDITIONS, "claux_release": None}}),
    ):  # fmt: skip
        one = release(compatibility=_CONDITIONS, version="one")
        two = release(**({"compatibility": _CONDITIONS} | changes), version="two")
        made.append(taken(f"comparability-{name}", 19, comment, one, two, comparable=same))
    return made


def _matrices() -> list[Vector]:
    fits: Document = {
        "source": "matrix-a",
        "agent": {"name": "walker"},
        "models": ["maker/first"],
        "reasoning_efforts": ["low"],
        "scenarios": [{"id": "101-stuck-queue", "version": 2}],
        "attempts": 1,
        "agent_timeout_seconds": 600,
        "started_at": "2026-02-28T10:03:00.900000Z",
        "finished_at": "2026-02-28T10:03:49.100000Z",
    }
    others: list[tuple[str, Any]] = [
        ("agent", {"name": "runner"}),
        ("models", ["maker/second"]),
        ("reasoning_efforts", []),
        ("scenarios", [{"id": "101-stuck-queue", "version": 1}]),
        ("attempts", 0),
        ("agent_timeout_seconds", 900),
        ("started_at", "2026-02-28T10:03:01Z"),
        ("finished_at", "2026-02-28T10:03:48.999999Z"),
    ]
    one = row(agent_timeout_seconds=600)

    def matrices(name: str, comment: str, matrix: str | None, *sources: Document) -> Vector:
        flags = [] if matrix else ["source_ambiguous"]
        events = [None, None, ["attempt.reported/1", {"matrix": matrix, "flags": flags}]]
        document = release(one, sources=list(sources))
        return taken(f"matrix-{name}", 20, comment, document, events=events)

    return [
        matrices("fits", "To the whole second.", "matrix-a", fits),
        matrices("none", "No sources.", None),
        matrices("two", "Nothing tells them apart.", None, fits, {**fits, "source": "matrix-b"}),
        *(
            matrices(name, "Told apart by one thing.", "matrix-a", fits,
                     {**fits, "source": "matrix-b", name: value})
            for name, value in others
        ),
    ]  # fmt: skip


def _sums() -> list[Vector]:
    costs = [{"cost_usd": 0.1}, {"cost_usd": 0.2}, {"cost_usd": 0.3}]
    rows = [one | {"usage": cost} for one, cost in zip(three(), costs, strict=True)]
    lonely = [["fewer_than_3_attempts", 1, "/runs/0"]]
    nameless = [*three()[:2], failed(attempt=3, run_id="run-3") | {"failure_category": None}]
    made = [
        whole("sum-rounded", 21, "Binary rounding is not a difference.", [],
              release(*rows, totals={"known_cost_usd": 0.6000000000000001, "trials": 3})),
        whole("sum-unknown", 21, "Where no row reports a cost, 0 and null are accepted.", [],
              release(*three(), totals={"known_cost_usd": 0}, by_model=[
                  {"model": "maker/first", "known_cost_usd": None}])),
    ]  # fmt: skip
    for name, stored in (
        ("trials", {"trials": 4}),
        ("known_cost_usd", {"known_cost_usd": 0.61}),
        ("pass_rate", {"pass_rate": 0.99}),
        ("median_duration_seconds", {"median_duration_seconds": 1}),
        ("failure_categories", {"failure_categories": {"x": 1}}),
        ("passed", {"passed": "3"}),
    ):
        made.append(
            whole(f"sum-{name}", 21, "Not what the rows give.",
                  [["aggregate_mismatch", 1, f"/totals/{name}"]], release(*rows, totals=stored))
        )  # fmt: skip
    return [
        *made,
        whole("sum-of-nobody", 21, "No row has that model.",
              [["aggregate_mismatch", 1, "/by_model/0"]],
              release(*rows, by_model=[{"model": "maker/second", "trials": 3}])),
        whole("categories-short", 22, "A failed row without a category leaves a gap.",
              [["categories_do_not_add_up", 1, "/totals/failure_categories"]],
              release(*nameless, totals={"failed": 1, "failure_categories": {}})),
        whole("categories-named", 22, "Under a word of the source's choice.", [],
              release(*nameless, totals={"failed": 1, "failure_categories": {"unknown": 1}})),
        whole("one-attempt", 23, "A smoke run says so.", lonely, release()),
        whole("three-attempts", 23, "Enough.", [], release(*three())),
    ]  # fmt: skip


def _shape() -> list[Vector]:
    second = [one | {"model": "maker/second"} for one in three()]
    planned = {"attempts": 3}
    return [
        whole("rectangle", 24, "Complete.", [], release(*three(), *second, compatibility=planned)),
        whole("missing-attempt", 24, "A cell with fewer than planned.",
              [["fewer_than_3_attempts", 1, "/runs/3"], ["incomplete_rectangle", 1, "/runs/3"]],
              release(*three(), *second[:2], compatibility=planned)),
        whole("missing-task", 24, "A declared task without rows.", _EMPTY,
              release(*three(), compatibility={**planned, "scenarios": [
                  {"id": "101-stuck-queue", "version": 2}, {"id": "102", "version": 1}]})),
        whole("missing-cell", 24, "A system without one of the tasks.", _EMPTY,
              release(*three(), *second, *(one | {"scenario_version": 3} for one in second),
                      compatibility=planned)),
    ]  # fmt: skip


def _among_rows() -> list[Vector]:
    again = row(attempt=2, run_id="run-2", started_at="2026-02-28T10:02:00Z")
    limited = [one | {"agent_timeout_seconds": 600.0} for one in three()]
    longer = [*limited[:2], limited[2] | {"agent_timeout_seconds": 900}]
    said = {"attempts": 3, "agent_timeout_seconds": 600, "agent": {"name": "walker"}}

    def spelled(name: str, comment: str, flags: list[Any], **fields: str) -> Vector:
        return whole(name, 42, comment, flags, release(*three(), *three(**fields)))

    return [
        whole("number-again", 40, "At another time, so it is another trial.",
              [["attempt_number_repeated", 1, "/runs/3"]], release(*three(), again)),
        whole("number-elsewhere", 40, "Another task has numbers of its own.", [],
              release(*three(), *three(scenario_version=3))),
        whole("limit-as-said", 41, "The same number in another spelling.", [],
              release(*limited, compatibility=said)),
        whole("limit-not-said", 41, "A row under another limit.",
              [["conditions_contradicted", 1, "/runs/2"]], release(*longer, compatibility=said)),
        whole("agent-not-said", 41, "Rows of another agent.",
              [["conditions_contradicted", 3, "/runs/3"]],
              release(*limited, *three(agent="runner"), compatibility=said)),
        whole("limit-unsaid", 41, "Nothing that it could contradict.", [],
              release(*longer, compatibility={"attempts": 3})),
        spelled("alike-by-case", "One of two is beyond the first.",
                [["names_alike", 1, "/runs/3"]], model="maker/First"),
        spelled("alike-by-provider", "The provider of a model is left out.",
                [["names_alike", 1, "/runs/3"]], model="dealer/first"),
        spelled("alike-by-separators", "Separators between letters are left out.",
                [["names_alike", 1, "/runs/3"]], scenario="101 stuckqueue"),
        spelled("alike-by-effort", "Efforts too.", [["names_alike", 1, "/runs/3"]],
                reasoning_effort="LOW"),
        spelled("unlike-by-digits", "101 is not 10.1.", [], scenario="10.1-stuck-queue"),
        spelled("unlike-scenarios", "Only models have a provider.", [],
                scenario="maker/101-stuck-queue"),
    ]  # fmt: skip


def _corrections() -> list[Vector]:
    said: Document = {
        "run_id": "run-2",
        "original": {"failure": "a", "failure_category": "before"},
        "changes": {"failure": "b", "failure_category": "now"},
        "reason": "c",
    }

    def reported(name: str, comment: str, correction: Document, **fields: Any) -> Vector:
        events = [None] * 5 + [["correction.reported/1", fields]]
        document = release(*three(), corrections=[correction])
        return taken(f"correction-{name}", 36, comment, document, events=events)

    made = [
        reported("full", "As it was said.", said, index=0, author=None, decided_at=None,
                 fields=["failure", "failure_category"], run_id="run-2", release="20260301.0.0",
                 category=["before", "now"]),
        reported("of-nobody", "No row has that run_id.", said | {"run_id": "run-9"}, attempt=None),
        reported("without-original", "Null, and nothing made up.",
                 {"run_id": "run-1", "changes": {"failure_category": "now"}},
                 category=[None, "now"], fields=["failure_category"]),
    ]  # fmt: skip
    made[0]["same_attempt"] = [3, 5]
    for name, code, pointer, broken in (
        ("reward", "E_CORRECTION_FIELD", "/changes", said | {"changes": {"reward": 1}}),
        ("no-changes", "E_FIELD_MISSING", "/changes", {"run_id": "run-2"}),
        ("list", "E_FIELD", "/changes", said | {"changes": []}),
        ("two-lines", "E_IDENTIFIER", "/run_id", said | {"run_id": "a\nb"}),
    ):
        pointer = f"/corrections/0{pointer}"
        report = {"new": 3, "quarantined": 1, "problems": [{"code": code, "pointer": pointer}]}
        one = taken(f"correction-{name}", 37, "Set aside.", release(*three(), corrections=[broken]),
                    reports=[report])  # fmt: skip
        made.append(one | {"expect": "refuse", "code": code, "refused": "record"})
    return made
