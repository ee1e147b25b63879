"""What makes a whole run fail or wait: its evidence, its fixture, its environment."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from judged_runs import FLAGS, Draft, Json, at, flag, judged, sha, statuses

MACHINE, ARMED, CAPTURED, READ, CORRECT = FLAGS
INFRA, FIXTURE, AGENT = "INFRA_ERROR", "FIXTURE_INVALID", "AGENT_FAIL"


def edit(path: str, change: Callable[[Json], object]) -> Callable[[Draft], object]:
    """Change a document after the digests that name it were computed."""

    def later(files: dict[str, bytes]) -> None:
        said = json.loads(files[path])
        change(said)
        files[path] = json.dumps(said).encode()

    return lambda draft: draft.later.append(later)


def touch(path: str, data: bytes = b"\n") -> Callable[[Draft], object]:
    """Add bytes to a file after the digest that names it was computed."""

    def later(files: dict[str, bytes]) -> None:
        files[path] += data

    return lambda draft: draft.later.append(later)


def lose(path: str) -> Callable[[Draft], object]:
    """Remove a file that is named."""
    return lambda draft: draft.later.append(lambda files: files.pop(path))


def undeclare(slot: str) -> Callable[[Draft], object]:
    """Declare nothing for a slot."""
    return edit("evidence.json", lambda said: said.update({slot: None}))


def view(change: Callable[[list[Json]], object] = lambda _: None) -> Callable[[Draft], object]:
    """Declare a normalized view of the log."""

    def declare(draft: Draft) -> None:
        raw = draft.written()["out/captures.jsonl"]
        draft.normalized = [{**one, "source_sha256": sha(raw)} for one in draft.logger]
        change(draft.normalized)

    return declare


def preflight(change: Callable[[Json], object] = lambda _: None) -> Callable[[Draft], object]:
    """Declare a preflight of this run's environment, with a live server."""

    def declare(draft: Draft) -> None:
        draft.run["repo"] = {"commit": "c" * 40}
        lab = {"id": "lab_management", "status": "PASS",
               "versions": {"serverPort": 27192, "rconPort": "27193"}}  # fmt: skip
        draft.preflight = {
            "overall": "PASS",
            "harness": dict(draft.run["harness"]),
            "environment": {"repo": {"commit": "c" * 40}},
            "checks": [{"id": "ports", "status": "PASS", "versions": {}}, lab],
        }
        change(draft.preflight)

    return declare


def check_of(said: Json, name: str) -> Json:
    """Return a check of a preflight."""
    return next(one for one in said["checks"] if one["id"] == name)


INFRA_CASES: list[tuple[str, Callable[[Draft], object], str, dict[str, str]]] = [
    ("no-manifest", lose("run.json"), "run.json", {}),
    ("other-schema", edit("run.json", lambda s: s.update(schema="x")), "run.json", {}),
    ("manifest-no-json", lambda d: d.files.update({"run.json": b"{"}), "run.json", {}),
    ("no-evidence", lose("evidence.json"), "evidence.json", {MACHINE: "FAIL", CORRECT: "FAIL"}),
    ("task-changed", touch("task.md"), "task.md", {MACHINE: "PASS"}),
    ("no-trajectory", lose("trajectory.jsonl"), "trajectory.jsonl",
     {MACHINE: "FAIL", READ: "FAIL"}),
    ("torn-trajectory", touch("trajectory.jsonl", b"{no json}\n"), "trajectory.jsonl:8",
     {MACHINE: "FAIL", CAPTURED: "PASS"}),
    ("no-test-mod", undeclare("test_mod"), "no test_mod", {MACHINE: "FAIL", CAPTURED: "FAIL"}),
    ("no-logger", undeclare("agent_logger"), "no agent_logger",
     {MACHINE: "PASS", ARMED: "FAIL", CAPTURED: "FAIL", READ: "FAIL"}),
    ("no-answer", undeclare("answer"), "no answer", {CORRECT: "FAIL"}),
    ("test-mod-changed", touch("test/mod.jsonl"), "test/mod.jsonl", {MACHINE: "FAIL"}),
    ("test-mod-no-json", lambda d: d.testmod.append(b"{\n"), "test/mod.jsonl:9",
     {MACHINE: "FAIL", ARMED: "FAIL"}),
    ("logger-changed", touch("out/captures.jsonl"), "out/captures.jsonl", {CAPTURED: "FAIL"}),
    ("logger-no-json", lambda d: d.logger.append(b"nothing\n"), "captures.jsonl:5",
     {ARMED: "FAIL", READ: "FAIL"}),
    ("answer-changed", touch("evidence/answer.json"), "answer.json", {CORRECT: "FAIL"}),
    ("oracle-changed", touch("evidence/oracle.json"), "oracle.json", {CORRECT: "PENDING"}),
    ("oracle-line-ends", lambda d: d.later.append(lambda f: f.update(
        {"evidence/oracle.json": f["evidence/oracle.json"] + b"\r\n"})), "oracle.json",
     {CORRECT: "PENDING"}),
    ("fixture-changed", touch("evidence/fixture.json"), "fixture.json", {}),
    ("restore-lost", lose("evidence/restore.json"), "restore.json", {}),
    ("reviews-broken", lambda d: d.reviews.insert(0, b"{\n"), "reviews.jsonl:1", {}),
    ("review-without-by", lambda d: d.reviews.insert(
        0, dict(d.reviews[0], by="")), "reviews.jsonl:1", {MACHINE: "PASS"}),
    ("artifact-changed", lambda d: (d.run["artifacts"].append(
        {"path": "artifacts/a", "sha256": sha(b"a"), "phase": "agent"}),
        d.files.update({"artifacts/a": b"b"})), "artifacts/a", {}),
    ("import-lost", lambda d: d.run["imports"].append(
        {"path": "imports/a", "sha256": sha(b"a")}), "imports/a", {}),
    ("view-without-source", view(lambda v: v[1].pop("source_sha256")), "no source_sha256",
     {ARMED: "FAIL", CAPTURED: "FAIL"}),
    ("view-of-another", view(lambda v: v[2].update(source_sha256="0" * 64)), "source_sha256 0000",
     {ARMED: "FAIL"}),
    ("view-undigested", lambda d: (view()(d), edit("evidence.json", lambda s: s[
        "agent_logger"].pop("normalized_sha256"))(d)), "evidence.json", {ARMED: "FAIL"}),
    ("view-changed", lambda d: (view()(d), touch("out/view.jsonl")(d)), "out/view.jsonl",
     {ARMED: "FAIL"}),
    ("raw-of-view-changed", lambda d: (view()(d), touch("out/captures.jsonl")(d)),
     "out/captures.jsonl", {ARMED: "FAIL", READ: "FAIL"}),
    ("event-of-another-run", lambda d: d.event("end").update(run_id="other"), "testmod:seq8", {}),
    ("event-of-run-7", lambda d: d.event("end").update(runId=7), "testmod:seq8", {}),
    ("capture-of-another-run", lambda d: d.event("cart_observed").update(runId="x"), "logger:seq2",
     {}),
    ("two-instances", lambda d: d.event("end").update(instance="lab-4"), "several instances", {}),
    ("two-dimensions", lambda d: d.event("instance_ready").update(dimension="x"),
     "several dimensions", {}),
    ("logger-elsewhere", lambda d: d.event("logger_flushed").update(instance="lab-4"),
     "logger:seq4", {ARMED: "PASS"}),
    ("logger-in-another-dimension",
     lambda d: d.event("logger_flushed").update(dim="x", dimension=None), "logger:seq4", {}),
    ("oracle-omits", lambda d: [s["carts"].pop() for s in (d.oracle, d.answer)],
     "omits ejected cart box-2", {}),
    ("oracle-twice", lambda d: d.oracle["carts"].append(d.oracle["carts"][0]), "box-1 twice", {}),
    ("preflight-failed", preflight(lambda p: p.update(overall="FAIL")), "overall is FAIL", {}),
    ("preflight-no-overall", preflight(lambda p: p.pop("overall")), "overall is nothing", {}),
    ("preflight-model", preflight(lambda p: p["harness"].update(model="big")), "harness model", {}),
    ("preflight-provider-unsaid", preflight(lambda p: p["harness"].update(provider="")),
     "harness provider", {}),
    ("preflight-commit", preflight(lambda p: p["environment"]["repo"].update(commit="d" * 40)),
     "commit of", {}),
    ("preflight-no-commit", preflight(lambda p: p.pop("environment")), "commit of", {}),
    ("preflight-ports", preflight(lambda p: check_of(p, "ports").update(status="SKIP")), "ports is",
     {}),
    ("preflight-empty", lambda d: setattr(d, "preflight", {}), "overall is nothing", {}),
    ("preflight-ports-twice", preflight(lambda p: p["checks"].insert(
        0, {"id": "ports", "status": "FAIL"})), "ports is FAIL", {}),
    ("preflight-port-zero", preflight(lambda p: check_of(p, "lab_management")["versions"].update(
        serverPort=0, rconPort=True)), "no serverPort and no rconPort", {}),
    ("test-mod-huge-exponent", lambda d: d.testmod.append(b'{"tick": 1e99999999999999999999}\n'),
     "test/mod.jsonl:9", {MACHINE: "FAIL"}),
    ("preflight-no-ports", preflight(lambda p: p["checks"].pop(0)), "ports is nothing", {}),
    ("preflight-lab", preflight(lambda p: check_of(p, "lab_management").update(status="SKIP")),
     "lab_management is SKIP", {}),
    ("preflight-no-server", preflight(lambda p: check_of(p, "lab_management")["versions"].pop(
        "serverPort")), "no serverPort", {}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "mentions", "flags"), [pytest.param(*case[1:], id=case[0]) for case in INFRA_CASES]
)
def test_what_is_inconsistent(
    change: Callable[[Draft], object], mentions: str, flags: dict[str, str]
) -> None:
    """It is INFRA_ERROR, named, and evidence is judged as absent (AUDIT-10 to AUDIT-12)."""
    verdict = judged(change)
    assert (verdict.overall, verdict.failure_class, verdict.exit_code) == ("FAIL", INFRA, 1)
    assert any(mentions in one for one in verdict.body["infra_errors"]), verdict.body[
        "infra_errors"
    ]
    found = statuses(verdict)
    assert set(found) == set(FLAGS)
    assert {name: found[name] for name in flags} == flags


def _of_plain_text(draft: Draft) -> None:
    """Let the raw log be no JSON, and the view be made from it."""
    seen = list(draft.logger)
    draft.logger.append(b"armed!\n")
    raw = sha(draft.written()["out/captures.jsonl"])
    draft.normalized = [{**one, "source_sha256": raw} for one in seen]


def _blank_lines(draft: Draft) -> None:
    draft.testmod.insert(2, b"\n")
    draft.logger.insert(2, b"  \r\n")


AS_WELL: list[tuple[str, Callable[[Draft], object]]] = [
    ("view", view()),
    ("view-in-capitals", view(lambda v: [one.update(source_sha256=one["source_sha256"].upper())
                                         for one in v])),
    ("raw-of-view-no-json", _of_plain_text),
    ("preflight", preflight()),
    ("preflight-check-of-no-name", preflight(lambda p: p["checks"].insert(
        0, {"id": ["ports"], "status": "FAIL"}))),
    ("preflight-both-unsaid", lambda d: (preflight(lambda p: p["harness"].pop("model"))(d),
                                         d.run["harness"].pop("model"))),
    ("attempt-elsewhere", lambda d: d.event("input_attempt").update(instance="lab-4")),
    ("restore-elsewhere", lambda d: d.testmod.insert(
        1, d._event("restore_started", 6, 120, 9) | {"instance": "lab-4"})),
    ("run-id-on-events", lambda d: [one.update(run_id="night-7") for one in d.testmod]),
    ("unknown-event", lambda d: d.testmod.append({"event": "weather", "instance": "lab-8"})),
    ("blank-lines", _blank_lines),
    ("fixture-silent", lambda d: setattr(d, "fixture", {"ready": True})),
    ("restore-result", lambda d: setattr(d, "restore", {"result": " Success "})),
    ("restore-silent", lambda d: setattr(d, "restore", {"ok": 1})),
]  # fmt: skip


@pytest.mark.parametrize("change", [pytest.param(case[1], id=case[0]) for case in AS_WELL])
def test_what_the_rules_leave_open_passes(change: Callable[[Draft], object]) -> None:
    """What the rules leave open passes as well, so that no check holds more than it says."""

    def cite(draft: Draft) -> None:
        change(draft)
        draft.oracle["evidence_refs"] = ["testmod:seq4"]

    verdict = judged(cite)
    assert (verdict.overall, verdict.body["infra_errors"]) == ("PASS", [])


@pytest.mark.parametrize(
    ("fixture", "restore", "mentions"),
    [
        ({"ready": False}, {"status": "ok"}, "not ready"),
        ({"status": "Invalid", "ready": True}, {"status": "ok"}, "fixture says invalid"),
        ({"result": "error"}, {"status": "ok"}, "fixture says error"),
        ({"status": "", "result": "failed"}, {"status": "ok"}, "fixture says failed"),
        ({"ready": True}, {"status": " ", "result": "partial"}, "restore says partial"),
        ({"ready": True}, {"status": "partial"}, "restore says partial"),
        ({"ready": True}, {"result": True}, "restore says true"),
    ],
)
def test_an_unfaithful_fixture_says_nothing_about_the_agent(
    fixture: Json, restore: Json, mentions: str
) -> None:
    """A fixture or a restore that was not faithful says nothing about the agent."""

    def change(draft: Draft) -> None:
        draft.fixture, draft.restore = fixture, restore
        draft.oracle["evidence_refs"] = ["testmod:seq4"]

    verdict = judged(change)
    assert (verdict.overall, verdict.failure_class) == ("FAIL", FIXTURE)
    assert [mentions in one for one in verdict.body["fixture_errors"]] == [True]


@pytest.mark.parametrize("slot", ["fixture", "restore"])
def test_a_run_without_fixture_or_restore_waits(slot: str) -> None:
    """A run without fixture or restore waits, unless it failed anyway (AUDIT-46)."""

    def change(draft: Draft) -> None:
        setattr(draft, slot, None)
        draft.oracle["evidence_refs"] = ["testmod:seq4"]

    waiting = judged(change)
    assert (waiting.overall, waiting.failure_class, waiting.exit_code) == ("PENDING", None, 2)
    assert waiting.body["pending_reasons"] == [f"evidence.json declares no {slot}"]
    failed = judged(change, lambda d: d.drop("input_processed"))
    assert (failed.overall, failed.failure_class) == ("FAIL", AGENT)


def test_the_first_class_of_failure_names_the_run() -> None:
    """Tools come first, then the fixture, the agent, and what waits (AUDIT-45)."""
    agent: Any = lambda d: d.answer["carts"].pop()  # noqa: E731
    fixture: Any = lambda d: d.restore.update(status="bad")  # noqa: E731
    waits: Any = lambda d: d.reviews.pop()  # noqa: E731
    infra = touch("task.md")
    assert judged(infra, fixture, agent, waits).failure_class == INFRA
    assert judged(fixture, agent, waits).failure_class == FIXTURE
    assert judged(agent, waits).failure_class == AGENT
    assert judged(waits).failure_class is None
    assert judged(waits).overall == "PENDING"


def test_every_check_reports_all_that_it_finds() -> None:
    """No check stops another one, and each names everything (AUDIT-41)."""

    def change(draft: Draft) -> None:
        for one in ("end", "cart_removed"):
            draft.event(one).update(run_id="other")
        draft.event("instance_ready").update(instance="lab-1")
        touch("task.md")(draft)

    found = " ".join(judged(change).body["infra_errors"])
    assert all(one in found for one in ("testmod:seq8", "testmod:seq6", "lab-1", "task.md"))


def test_times_decide_against_ticks_and_say_so() -> None:
    """A contradiction is a note, not a decision (AUDIT-20)."""
    verdict = judged(lambda d: d.event("logger_armed").update(tick=450))
    assert flag(verdict, ARMED)["status"] == "PASS"
    assert any("contradict" in one for one in flag(verdict, ARMED)["needs_review"])


def test_a_call_without_result_shows_nothing() -> None:
    """What a call returned is not known where it has no result (AUDIT-15)."""

    def change(draft: Draft) -> None:
        draft.calls = [one for one in draft.calls
                       if (one["call_id"], one["record"]) != ("c3", "result")]  # fmt: skip

    verdict = judged(change)
    assert flag(verdict, READ)["status"] == "FAIL"
    assert verdict.failure_class == INFRA


def test_first_and_last_are_chosen_under_any_name() -> None:
    """Times of any name choose, and what has none comes last (AUDIT-14, AUDIT-24)."""

    def change(draft: Draft) -> None:
        late = dict(draft.event("input_processed"), at=None, timestamp=at(60), seq=30, tick=2000)
        never = dict(late, timestamp=None, seq=31)
        draft.testmod[2:2] = [late, never]

    assert flag(judged(change), MACHINE)["evidence"][0] == "testmod:seq3"
