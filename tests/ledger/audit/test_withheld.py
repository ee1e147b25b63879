"""What is withheld is neither there nor absent: the run waits, and says for what."""

from collections.abc import Callable

import pytest
from judged_runs import CAUSALITY, FLAGS, TASK, Draft, flag, judged, sha, statuses

MACHINE, ARMED, CAPTURED, READ, CORRECT = FLAGS
PASS, FAIL, PENDING = "PASS", "FAIL", "PENDING"
WHY = "names of players"


def hide(path: str, sha256: str | None = None) -> Callable[[Draft], object]:
    """Withhold a file."""
    said = {"reason": WHY} | ({} if sha256 is None else {"sha256": sha256})
    return lambda draft: draft.withheld.update({path: said})


@pytest.mark.parametrize(
    ("path", "flags"),
    [
        ("trajectory.jsonl", [PENDING, PENDING, PASS, PENDING, PENDING]),
        ("test/mod.jsonl", [PENDING, PENDING, PENDING, PASS, PENDING]),
        ("out/captures.jsonl", [PASS, PENDING, PENDING, PENDING, PASS]),
        ("evidence/answer.json", [PASS, PASS, PASS, PASS, PENDING]),
        ("evidence/oracle.json", [PASS, PASS, PASS, PASS, PENDING]),
        ("evidence/fixture.json", [PASS, PASS, PASS, PASS, PENDING]),
        ("evidence/restore.json", [PASS] * 5),
        ("task.md", [PASS] * 5),
        ("reviews.jsonl", [PENDING, PENDING, PASS, PASS, PENDING]),
        ("derivations.jsonl", [PASS, PASS, PASS, PASS, PENDING]),
        ("evidence.json", [PENDING] * 5),
    ],
)
def test_nothing_fails_for_a_file_that_is_not_shown(path: str, flags: list[str]) -> None:
    """Nothing fails for what is not shown; what does not need it is judged (AUDIT-13, AUDIT-43)."""
    verdict = judged(lambda d: setattr(d, "derivations", []), hide(path))
    assert (verdict.overall, verdict.failure_class, verdict.exit_code) == ("PENDING", None, 2)
    expected = dict(zip(FLAGS, flags, strict=True))
    if path == "trajectory.jsonl":
        expected[CORRECT] = PASS
    assert statuses(verdict) == expected
    assert verdict.body["infra_errors"] == []
    assert [(one["path"], one["why"]) for one in verdict.body["withheld"]] == [(path, WHY)]
    assert any(path in one and WHY in one for one in verdict.body["pending_reasons"])


def test_the_summary_names_the_file_and_the_reason() -> None:
    """Whoever reads a flag sees what it waits for (AUDIT-43)."""
    found = flag(judged(hide("trajectory.jsonl")), MACHINE)
    assert found["summary"] == f"cannot be judged, since trajectory.jsonl is withheld: {WHY}"
    assert (found["missing"], found["required_review"]) == (["trajectory.jsonl"], [])


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (lambda d: d.drop("input_processed"), MACHINE),
        (lambda d: d.drop("logger_armed"), ARMED),
        (lambda d: d.event("logger_armed").update(at=None, tick=402) or [
            one.update(at=None) for one in d.testmod], ARMED),
        (lambda d: d.drop("cart_observed"), READ),
        (lambda d: d.answer["carts"].pop(), CORRECT),
    ],
)  # fmt: skip
def test_what_fails_without_it_fails(change: Callable[[Draft], object], name: str) -> None:
    """A failure that needs nothing of what is withheld is a failure (AUDIT-43)."""
    verdict = judged(change, hide("trajectory.jsonl"))
    assert statuses(verdict)[name] == FAIL
    assert (verdict.overall, verdict.failure_class) == ("FAIL", "AGENT_FAIL")


def test_a_view_of_a_log_that_is_withheld() -> None:
    """Its records are judged where the raw log's digest is known, and the run waits (AUDIT-12)."""

    def view(draft: Draft) -> None:
        raw = draft.written()["out/captures.jsonl"]
        draft.normalized = [{**one, "source_sha256": sha(raw)} for one in draft.logger]

    verdict = judged(view, hide("out/captures.jsonl"))
    assert set(statuses(verdict).values()) == {PASS}
    assert (verdict.overall, verdict.body["infra_errors"]) == ("PENDING", [])

    def stale_view(draft: Draft) -> None:
        draft.normalized = [{**one, "source_sha256": "1" * 64} for one in draft.logger]

    stale = judged(stale_view, hide("out/captures.jsonl"))
    assert stale.failure_class == "INFRA_ERROR"


def test_a_review_that_cites_it_stays_open() -> None:
    """Nobody can look it up, so it proves nothing yet (AUDIT-54)."""

    def cite(draft: Draft) -> None:
        draft.reviews[0] = draft.review(CAUSALITY, ["testmod:seq3", "restore:ok"])

    verdict = judged(cite, hide("evidence/restore.json"))
    assert statuses(verdict)[MACHINE] == PENDING
    assert verdict.body["review_problems"] == [
        f"{CAUSALITY}: restore:ok would be in evidence/restore.json, which is withheld"
    ]


def test_a_withheld_digest_is_compared() -> None:
    """What is stated of a file that is not shown can agree with its declaration."""
    verdict = judged(hide("task.md", sha(TASK)))
    (task,) = [one for one in verdict.body["inputs"] if one["role"] == "task"]
    assert (task["state"], task["equal"], task["size"]) == ("withheld", "raw", None)
    assert verdict.body["withheld"][0]["sha256"] == sha(TASK)


def test_a_failure_goes_before_waiting() -> None:
    """A run that fails is not held open by what else is withheld (AUDIT-46)."""
    verdict = judged(lambda d: d.drop("input_processed"), hide("task.md"))
    assert (verdict.overall, verdict.failure_class) == ("FAIL", "AGENT_FAIL")


def test_nothing_of_the_context_is_guessed() -> None:
    """Without the trajectory nobody knows who vouched for what."""
    context = judged(hide("trajectory.jsonl")).body["context"]
    assert (context["clean_context"], context["task_read"]) == (None, None)
    assert context["preflight"]["withheld"] == "trajectory.jsonl"
