"""What holds of every verdict: reviews never mend, lines are not time, the bytes are the same."""

import os
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pycddl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged_runs import (
    CAUSALITY,
    INDEPENDENCE,
    RUNNING,
    Draft,
    judged,
    rules,
    statuses,
    without,
)

from canon import decode, encode, labelled
from ledger.audit import Verdict, audit
from ledger.audit.plain import LONGEST, MOST, plain, plain_list
from ledger.audit.verdict import VERDICT
from ledger.runs.directory import Directory
from ledger.runs.intake.held import Held
from ledger.runs.intake.passing import taken_in

SPECS = Path(__file__).resolve().parents[3] / "specs"
SCHEMA = pycddl.Schema((SPECS / "cddl" / "audit.cddl").read_text())
QUESTIONS = (CAUSALITY, RUNNING, INDEPENDENCE, "machine_operated.ordering",
             "logger_armed_before_activation.ordering", "transient_outputs_captured.window",
             "transient_outputs_captured.inventory", "agent_read_log.linkage")  # fmt: skip
AT = "2026-05-01T00:00:00.000000Z"

EVENTS = ("input_processed", "logger_armed", "cart_ejected", "cart_observed", "cart_removed")
FIELDS = ("at", "tick", "seq", "uuid", "items", "instance")


def spoil(draft: Draft, lost: Sequence[tuple[str, str]], dropped: Sequence[str]) -> None:
    """Take fields and events out of a run."""
    for event, field in lost:
        without(draft.event(event), field)
    draft.drop(*dropped)


SPOILED = st.tuples(
    st.lists(st.tuples(st.sampled_from(EVENTS), st.sampled_from(FIELDS)), max_size=5),
    st.lists(st.sampled_from(EVENTS), max_size=1),
)
REVIEWS = st.lists(
    st.builds(
        Draft.review,
        st.sampled_from(QUESTIONS),
        st.lists(st.sampled_from(["trajectory:c2", "testmod:seq1", "testmod:seq99"]), min_size=1,
                 max_size=2),
        st.sampled_from(["resolved", "rejected", "pending"]),
    ),
    max_size=6,
)  # fmt: skip


def mechanical(verdict: Verdict) -> dict[str, str]:
    """Return what each flag is before reviews."""
    return {one["flag"]: one["mechanical"]["status"] for one in verdict.body["flags"]}


@given(SPOILED, REVIEWS)
def test_no_review_makes_a_pass(spoiled: Any, reviews: list[Any]) -> None:
    """Whatever is resolved, what is not a pass by itself is none with reviews (AUDIT-52)."""

    def change(draft: Draft) -> None:
        spoil(draft, *spoiled)
        draft.reviews = list(reviews)

    verdict = judged(change)
    before = mechanical(verdict)
    bare = judged(lambda d: spoil(d, *spoiled), lambda d: setattr(d, "reviews", []))
    assert mechanical(bare) == before
    for name, status in statuses(verdict).items():
        assert status == before[name] or before[name] == "PASS"
    if any(status == "FAIL" for status in before.values()):
        assert verdict.overall == "FAIL"
    SCHEMA.validate_cbor(verdict.data)


@given(SPOILED, st.integers(0, 2**32))
def test_the_order_of_evidence_lines_is_not_their_order_in_time(spoiled: Any, seed: int) -> None:
    """Where every record has its time, lines may stand in any order (AUDIT-14, AUDIT-20)."""
    lost = [one for one in spoiled[0] if one[1] not in ("at", "tick")]

    def change(draft: Draft) -> None:
        spoil(draft, lost, spoiled[1])

    def shuffle(draft: Draft) -> None:
        Random(seed).shuffle(draft.testmod)
        Random(seed).shuffle(draft.logger)

    first, second = judged(change), judged(change, shuffle)
    assert statuses(first) == statuses(second)
    assert mechanical(first) == mechanical(second)


@given(SPOILED)
def test_twice_the_same_bytes(spoiled: Any) -> None:
    """Nothing of a verdict comes from anywhere but the run and the rules (AUDIT-70)."""
    first = judged(lambda d: spoil(d, *spoiled))
    second = judged(lambda d: spoil(d, *spoiled))
    assert (first.data, first.sha256) == (second.data, second.sha256)
    assert encode(decode(first.data)) == first.data
    assert first.sha256 == labelled(VERDICT, first.data)


@pytest.mark.parametrize("reviewed", [True, False])
def test_memory_directory_and_ledger_agree(tmp_path: Path, reviewed: bool) -> None:
    """Wherever the run is kept, its verdict is the same, byte for byte (AUDIT-70, AUDIT-71)."""
    draft = Draft()
    if not reviewed:
        draft.reviews = []
        draft.testmod.insert(3, b"\n")
        draft.withheld["evidence/restore.json"] = {"reason": "names"}
    draft.write(tmp_path)
    at_hand = audit(Directory(tmp_path), rules())
    with taken_in(Directory(tmp_path), "x", at=AT, entropy=os.urandom, policies={}) as taken:
        held = audit(Held(*taken), rules())
    assert held.data == at_hand.data
    SCHEMA.validate_cbor(held.data)
    if reviewed:
        assert audit(draft.contents(), rules()).data == at_hand.data


def test_nothing_of_the_machine_is_in_a_verdict(tmp_path: Path) -> None:
    """No path of the folder, no time of asking (AUDIT-70)."""
    data = audit(Directory(Draft().write(tmp_path)), rules()).data
    assert str(tmp_path).encode() not in data
    assert b"2026-04-05" in data


HOSTILE = ["\ud800", "e\u0301", "\u0378", "x" * 5_000, "\x1b[31m", "\u202e", "\0", "a\nb"]


@pytest.mark.parametrize("text", HOSTILE)
def test_any_text_of_a_run_can_be_shown(text: str) -> None:
    """Verdicts are canonical whatever a run says (AUDIT-71, AUDIT-72)."""

    def change(draft: Draft) -> None:
        draft.run["harness"]["model"] = text
        draft.reviews[0]["note"] = text
        draft.event("cart_ejected").update(uuid=text or "x")
        for kind in ("call", "result"):
            draft.record("c2", kind).update(call_id=text)

    verdict = judged(change)
    SCHEMA.validate_cbor(verdict.data)
    assert verdict.overall == "FAIL"


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=50))
def test_plain_text_is_canonical(text: str) -> None:
    """It can be encoded, and what is plain already stays (AUDIT-72)."""
    shown = plain(text)
    assert decode(encode(shown)) == shown
    assert plain(shown) == shown
    if text.isascii():
        assert shown == text


def test_long_texts_and_lists_are_cut() -> None:
    """And say so (AUDIT-72)."""
    assert len(plain("x" * 9_999)) == LONGEST
    assert plain("x" * 9_999).endswith("…")
    listed = plain_list(map(str, range(5_000)))
    assert (len(listed), listed[-1]) == (MOST, "4001 more")
    assert plain_list(["a"] * MOST) == ["a"] * MOST
