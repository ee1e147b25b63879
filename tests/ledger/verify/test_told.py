"""What a verdict tells of conditions, kept checkpoints and steps."""

import io
from typing import Any

import pytest
from bundle_vector import lean
from bundle_vectors import VECTORS, content, fault_of, question, verdict_of
from bundle_world import root
from refusals import assert_said

from canon.errors import Consistency, Limit, ProofSize
from ledger.errors import ConditionsMalformed
from ledger.verify.bundle import verify_bundle
from ledger.verify.conditions import (
    MAX_CONDITIONS_BYTES,
    Conditions,
    SignedBy,
    failure,
    read_conditions,
)
from ledger.verify.kept import check_continued, check_kept, check_same_root
from ledger.verify.question import Question
from ledger.verify.steps import NOT_PROVED, ONE_HISTORY, Step
from ledger.verify.verdict import Fault, Signer, Verdict
from signing.checkpoint import Checkpoint
from signing.errors import OtherOrigin, Rollback, SplitView

CONDITIONS = {
    "condition-auditor": ("(signed-by)", "none", "a valid signature as 'auditor'"),
    "condition-controller": (
        "(signed-by)",
        "none",
        "a valid signature as 'publisher' by 'Bea'",
    ),
    "condition-events": ("(min-events)", "5 events", "at least 6"),
    "condition-pinned": ("(root-pinned)", "no digest", "--trust-sha256"),
    "condition-records": (
        "(records-checked)",
        "0 of 2 records checked",
        "all of them, and at least one",
    ),
    "condition-withheld": ("(max-withheld)", "4 slots withheld", "at most 3"),
    "condition-witnesses": ("(witnessed)", "0 witnesses", "at least 1"),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_an_unmet_condition_says_what_it_found(name: str) -> None:
    """Which rule, what the verdict has, and what the rule wants."""
    fault = fault_of(next(one for one in VECTORS if one["name"] == name))
    kind, got, expected = CONDITIONS[name]
    assert fault.message == f"gate, rule 0 {kind}: got {got}, expected {expected}"


@pytest.mark.parametrize(
    ("role", "controller", "holds"),
    [
        ("a", None, True),
        ("a", "Ada", True),
        ("a", "Bea", False),
        ("b", "Bea", True),
        ("b", "Ada", False),
        ("c", None, False),
    ],
)
def test_a_signer_is_one_with_role_and_controller(
    role: str, controller: str | None, holds: bool
) -> None:
    """Both of one signature, not each of another."""
    signers = [
        Signer(controller="Ada", role="a", kid=""),
        Signer(controller="Bea", role="b", kid=""),
    ]
    found = failure(SignedBy(role, controller), Verdict(signers=signers))
    assert (found is None) is holds


def edge(kind: str, more: str = "") -> Conditions:
    """Return conditions of one rule."""
    return read_conditions(
        f'id = "edge"\nversion = 1\nrules = [{{ kind = "{kind}"{more} }}]\n', "conditions"
    )


@pytest.mark.parametrize(
    ("kind", "count", "verdict", "holds"),
    [
        ("min-events", 5, Verdict(size=5), True),
        ("min-events", 6, Verdict(size=5), False),
        ("min-events", 1, Verdict(), False),
        ("witnessed", 2, Verdict(witnesses=["a", "b"]), True),
        ("witnessed", 2, Verdict(witnesses=["a"]), False),
        ("max-withheld", 2, Verdict(withheld=2), True),
        ("max-withheld", 2, Verdict(withheld=3), False),
        ("max-withheld", 2, Verdict(), False),
        ("max-withheld", 0, Verdict(withheld=0), True),
        ("records-checked", None, Verdict(extraction_checked=1, extraction_of=1), True),
        ("records-checked", None, Verdict(extraction_checked=1, extraction_of=2), False),
        ("records-checked", None, Verdict(), False),
        ("root-pinned", None, Verdict(pinned_by_digest=True), True),
        ("root-pinned", None, Verdict(), False),
    ],
)
def test_a_rule_holds_up_to_its_count(
    kind: str, count: int | None, verdict: Verdict, holds: bool
) -> None:
    """The count itself is enough, and what was not reached is not."""
    conditions = edge(kind, "" if count is None else f", count = {count}")
    found = failure(conditions.rules[0], verdict)
    assert (found is None) is holds


KEPT = Checkpoint("log.example/a", 8, b"\1" * 32)


def test_a_kept_checkpoint_is_of_the_log_and_of_something() -> None:
    """Another log, or an empty one, is nothing to compare with."""
    check_kept(KEPT, "log.example/a")
    check_kept(Checkpoint("log.example/a", 1, bytes(32)), "log.example/a")
    with pytest.raises(OtherOrigin) as other:
        check_kept(KEPT, "log.example/b")
    assert (other.value.got, other.value.expected) == ("'log.example/a'", "'log.example/b'")
    with pytest.raises(ProofSize) as empty:
        check_kept(Checkpoint("log.example/a", 0, bytes(32)), "log.example/a")
    for refusal in (other.value, empty.value):
        assert refusal.place == "kept checkpoint"
        assert_said(refusal)


def test_the_entries_led_to_the_kept_root() -> None:
    """Or the log was written anew."""
    check_same_root(KEPT, b"\1" * 32)
    with pytest.raises(Consistency) as refused:
        check_same_root(KEPT, b"\2" * 32)
    assert refused.value.place == "tree of 8 entries"
    assert_said(refused.value)


def test_a_head_follows_the_kept_one() -> None:
    """A smaller one may just be older, so the hint is another."""
    check_continued(KEPT, KEPT)
    check_continued(KEPT, Checkpoint("log.example/a", 9, bytes(32)))
    with pytest.raises(SplitView):
        check_continued(KEPT, Checkpoint("log.example/a", 8, bytes(32)))
    with pytest.raises(Rollback) as refused:
        check_continued(KEPT, Checkpoint("log.example/a", 7, bytes(32)))
    assert refused.value.remedy != Rollback.remedy
    assert "--since" in refused.value.remedy


def test_a_verdict_says_how_far_each_step_came() -> None:
    """Held, failed, not asked for, or not finished."""
    verdict = Verdict(
        steps={Step.FRAMING: True, Step.CHAIN: False, Step.POLICY: None},
        unasked=frozenset({Step.POLICY}),
    )
    states = {one["name"]: (one["ok"], one["state"]) for one in verdict.document()["steps"]}
    assert states["framing"] == (True, "held")
    assert states["chain"] == (False, "failed")
    assert states["policy"] == (None, "not_asked")
    assert states["root"] == (None, "not_finished")
    assert list(states) == [step.value for step in Step]


@pytest.mark.parametrize(
    ("verdict", "more"),
    [
        (Verdict(), [ONE_HISTORY]),
        (Verdict(witnesses=["w"]), []),
        (Verdict(steps={Step.CONSISTENCY: True}), []),
        (Verdict(steps={Step.CONSISTENCY: None}), [ONE_HISTORY]),
        (Verdict(steps={Step.WITNESSES: True}), [ONE_HISTORY]),
    ],
)
def test_one_history_is_proved_by_witness_or_checkpoint(verdict: Verdict, more: list[str]) -> None:
    """Without either, what the holders of keys wrote elsewhere is unknown."""
    assert verdict.document()["does_not_prove"] == [*NOT_PROVED, *more]


def test_a_fault_is_told_in_the_document() -> None:
    """All its parts, under their names."""
    fault = Fault(code="E_X", message="m", hint="h", step="chain", seq=3, offset=9)
    assert Verdict(error=fault).document()["error"] == {
        "code": "E_X", "message": "m", "hint": "h", "step": "chain", "seq": 3, "offset": 9,
    }  # fmt: skip
    assert Verdict().document()["error"] is None


def test_what_passed_is_counted_and_shown_chunk_by_chunk() -> None:
    """The number of entries so far; every item reaches the sink."""
    seen: list[int] = []
    items: list[tuple[str, int]] = []
    made = lean().made()
    verdict, verified = verify_bundle(
        io.BytesIO(made.data),
        Question([root().data]),
        sink=lambda item, entered: items.append((type(item).__name__, len(entered))),
        progress=seen.append,
    )
    assert verified is not None
    assert seen == [len(made.entries)]
    assert items[0] == ("Header", 0)
    assert ("Chunk", len(made.entries)) in items
    assert [name for name, count in items if count] == ["Chunk"]
    assert verdict.size == len(made.entries) - 1


ACCEPTED = [one for one in VECTORS if one["expect"] == "accept"]


@pytest.mark.parametrize("vector", [pytest.param(one, id=one["name"]) for one in ACCEPTED])
def test_what_a_question_leaves_out_is_not_asked(vector: dict[str, Any]) -> None:
    """Consistency, policy and witnesses; the rest always is."""
    asked = vector["question"]
    document = verdict_of(vector).document()
    states = {one["name"]: one["state"] for one in document["steps"]}
    assert (states["consistency"] == "held") is (asked["since"] is not None)
    assert (states["policy"] == "held") is (asked["conditions"] is not None)
    assert (states["witnesses"] == "held") is bool(document["witnesses"])
    assert set(states.values()) <= {"held", "not_asked"}
    assert document["root_pinned_by_digest"] is (asked["trust_sha256"] is not None)
    verdict, verified = verify_bundle(io.BytesIO(content(vector["input"])), question(asked))
    assert verified is not None
    assert document["figures"] == {"compared": len(verified.manifest.figures), "differing": 0}
    assert document["size"] == verified.frozen.size == verified.manifest.size
    assert document["edition"] == verified.frozen.edition
    assert (document["status"], document["software"], document["limits"]) == (
        verified.manifest.status,
        verified.manifest.software,
        verified.manifest.limits,
    )
    assert document["root"] == verified.manifest.root.hex()
    assert verified.head.size == verified.replay.size == verified.manifest.size + 1
    assert verified.head.root == verified.replay.root()
    assert document["extraction"]["of"] == verdict.extraction_of > 0
    signers = [(one["controller"], one["role"]) for one in document["signers"]]
    assert signers == [(one.controller, one.role) for one in verdict.signers]
    assert {role for _, role in signers} >= {"publisher"}


@pytest.mark.parametrize(
    "text", ["#" * (MAX_CONDITIONS_BYTES + 1), "#" + "ä" * (MAX_CONDITIONS_BYTES // 2)]
)
def test_conditions_have_a_length(text: str) -> None:
    """Counted in bytes."""
    with pytest.raises(Limit) as refused:
        read_conditions(text, "conditions")
    got = f"more than {MAX_CONDITIONS_BYTES} bytes"
    assert (refused.value.place, refused.value.got) == ("conditions", got)
    assert refused.value.remedy == "keep the conditions alone in the file"
    with pytest.raises(ConditionsMalformed):
        read_conditions(text[:-1], "conditions")


def test_conditions_have_a_depth() -> None:
    """What nests without end is refused as what it is."""
    with pytest.raises(ConditionsMalformed) as refused:
        read_conditions(f"rules = {'[' * 8_000}", "conditions")
    assert refused.value.got == "arrays or tables nested too deep"
    assert_said(refused.value)
