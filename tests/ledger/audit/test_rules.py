"""Rules are data: other flags by another document, and none that this program cannot apply."""

from typing import Any

import pytest
from judged_runs import Draft, judged, rules

from canon import decode, encode
from ledger.audit import Bound, Facts, Finding, audit, bind, check, predicate
from ledger.audit.predicates import checks, predicates
from ledger.errors import AuditPredicateUnknown, PolicyKind
from ledger.rules import parse_policy, shipped

REVIEW = "cargo_reported.looked"


@predicate("test_fixture_of_carts")
def fixture_of_carts(facts: Facts) -> Finding | None:
    """Hold where the fixture says that carts are what is asked for."""
    said = facts.document("fixture")
    return Finding() if said is not None and said.get("asks") == "carts" else None


@predicate("test_fixture_of_no_carts")
def fixture_of_no_carts(facts: Facts) -> Finding | None:
    """Hold where it does not."""
    return None if fixture_of_carts(facts) is not None else Finding(notes=("nobody asked",))


@predicate("test_carts_counted")
def carts_counted(facts: Facts) -> Finding | None:
    """Hold where there is an answer, and count its carts."""
    return None if facts.answer is None else Finding(said={"count": len(facts.answer.carts)})


@check("test_answer_small")
def answer_small(facts: Facts) -> Any:
    """Find something where the answer is long."""
    if facts.answer is not None and len(facts.answer.carts) > 2:
        yield "the answer has more than two carts"


def document(**changes: Any) -> bytes:
    """Return a small policy of another benchmark."""
    said: Any = decode(shipped()["audit/cold-start-v1"])
    given = ["test_fixture_of_carts", "test_carts_counted"]
    flag = {
        "flag": "cargo_reported",
        "rows": [
            {"when": ["test_fixture_of_no_carts"], "then": "NOT_APPLICABLE", "reviews": [],
             "summary": "not_asked"},
            {"when": given, "then": "PASS", "reviews": [REVIEW], "summary": "counted"},
        ],
    }  # fmt: skip
    said["policy"] = "audit/cargo"
    said["rules"] |= {
        "checks": [{"check": "test_answer_small", "ground": "FIXTURE_INVALID"}],
        "flags": [flag],
        "questions": {REVIEW: "Did somebody look?"},
        "summaries": {"not_asked": "nobody asks for carts", "counted": "{count} carts of {all}"},
        "exits": {"PASS": 0, "FAIL": 10, "PENDING": 20},
        **changes,
    }
    return encode(said)


def other(**changes: Any) -> Bound:
    """Return the small policy, bound."""
    return bind(parse_policy(document(**changes)))


def test_another_benchmark_has_its_own_flags() -> None:
    """Its flag, its review, its exit codes, its sentence; nothing of cold starts (AUDIT-40)."""
    draft = Draft()
    draft.fixture["asks"] = "carts"
    verdict = audit(draft.contents(), other())
    (flag,) = verdict.body["flags"]
    assert (flag["flag"], flag["status"]) == ("cargo_reported", "PENDING")
    assert flag["summary"].endswith("2 carts of {all}")
    assert (verdict.overall, verdict.exit_code) == ("PENDING", 20)
    assert verdict.body["rules"]["policy"] == "audit/cargo"
    draft.reviews = [draft.review(REVIEW, ["fixture:carts"])]
    assert audit(draft.contents(), other()).overall == "PASS"


def test_its_checks_decide_too() -> None:
    """What a check finds makes of the run what the rules say (AUDIT-41, AUDIT-82)."""
    draft = Draft()
    draft.answer["carts"].append({"uuid": "box-3", "items": []})
    verdict = audit(draft.contents(), other())
    assert (verdict.overall, verdict.failure_class, verdict.exit_code) == (
        "FAIL",
        "FIXTURE_INVALID",
        10,
    )


def test_not_applicable_is_no_pass() -> None:
    """A flag that does not apply neither passes nor fails, and alone decides nothing (AUDIT-47)."""
    verdict = audit(Draft().contents(), other())
    (flag,) = verdict.body["flags"]
    assert (flag["status"], flag["needs_review"]) == ("NOT_APPLICABLE", ["nobody asked"])
    assert (verdict.overall, verdict.failure_class) == ("PENDING", None)
    assert verdict.body["pending_reasons"] == ["no flag of the rules applies to this run"]


def test_not_applicable_beside_a_pass() -> None:
    """Beside a flag that passes it does no harm (AUDIT-47)."""
    said: Any = decode(document())
    counted = {"when": ["test_carts_counted"], "then": "PASS", "reviews": [], "summary": "counted"}
    flags = [*said["rules"]["flags"], {"flag": "counted", "rows": [counted]}]
    verdict = audit(Draft().contents(), other(flags=flags))
    assert [one["status"] for one in verdict.body["flags"]] == ["NOT_APPLICABLE", "PASS"]
    assert verdict.overall == "PASS"


def test_a_flag_that_no_row_decides_waits() -> None:
    """Rules with a gap pass nobody (AUDIT-42)."""
    row = {"when": ["test_fixture_of_carts"], "then": "PASS", "reviews": [], "summary": "counted"}
    verdict = audit(Draft().contents(), other(flags=[{"flag": "gap", "rows": [row]}]))
    (flag,) = verdict.body["flags"]
    assert (flag["status"], verdict.overall) == ("PENDING", "PENDING")
    assert flag["summary"] == "no row of the rules decides this flag"


@pytest.mark.parametrize(
    ("changes", "got"),
    [
        ({"checks": [{"check": "weather", "ground": "PENDING"}]}, "check 'weather'"),
        (
            {"flags": [{"flag": "x", "rows": [
                {"when": ["carts", "test_carts_counted"], "then": "FAIL", "reviews": [],
                 "summary": "counted"}]}]},
            "predicate 'carts'",
        ),
    ],
)  # fmt: skip
def test_what_the_program_does_not_have_is_refused(changes: Any, got: str) -> None:
    """No run is judged by rules of which a part would be left out (AUDIT-44)."""
    policy = parse_policy(document(**changes))
    with pytest.raises(AuditPredicateUnknown) as caught:
        bind(policy)
    assert (caught.value.code, caught.value.got) == ("E_AUDIT_PREDICATE", got)


def test_rules_of_another_family_are_refused() -> None:
    """A run is judged by rules of audits."""
    with pytest.raises(PolicyKind):
        bind(parse_policy(shipped()["status/replaybook"]))


def test_a_name_stands_for_one_function() -> None:
    """Two modules cannot register the same name, so that no policy changes its meaning."""
    with pytest.raises(ValueError, match="two predicates"):
        predicate("no_input_processed")(carts_counted)
    with pytest.raises(ValueError, match="two checks"):
        check("structure")(answer_small)


def test_every_name_of_the_shipped_rules_says_what_it_looks_at() -> None:
    """Each predicate and each check has a sentence, and none is there for nothing (AUDIT-40)."""
    used = {name for flag in rules().rules.flags for row in flag.rows for name in row.when}
    known = {name for name in predicates() if not name.startswith("test_")}
    assert used == known
    listed = {one.check for one in rules().rules.checks}
    assert listed == {name for name in checks() if not name.startswith("test_")}
    for function in (*predicates().values(), *checks().values()):
        assert (function.__doc__ or "").splitlines()[0].endswith(".")


def test_every_sentence_of_the_shipped_rules_is_filled_in() -> None:
    """No summary of a real verdict has a gap, and no sentence is there for nothing."""
    shown = rules().rules
    used = {row.summary for flag in shown.flags for row in flag.rows}
    assert used == set(shown.summaries)
    assert {one for flag in shown.flags for row in flag.rows for one in row.reviews} == set(
        shown.questions
    )
    for one in judged().body["flags"]:
        assert "{" not in one["summary"]
