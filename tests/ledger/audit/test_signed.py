"""Signed reviews: what they bind, when they count, and when they no longer do."""

import os
from typing import Any

import pytest
from audited_runs import (
    AT,
    CAUSALITY,
    INDEPENDENCE,
    MAINTAINER,
    QUESTIONS,
    REVIEWER,
    RUN,
    RUNNING,
    SECOND,
    AuditedRun,
    answered,
    concluded,
    mark,
    replayed,
    reported,
    statuses,
    take,
)

from canon.refusal import Refusal
from ledger.audit.signed import signed_reviews
from ledger.check import check_ledger
from ledger.decide import decide
from ledger.entry import Signed, read_entry, read_event
from ledger.events import ReviewDecided
from ledger.maintain import redact
from ledger.store import Ledger


@pytest.fixture
def open_run(ledger: Ledger, run: AuditedRun) -> AuditedRun:
    """Return a run that was taken in and audited, and waits for its reviews."""
    take(ledger, run)
    assert concluded(ledger).judgement.verdict.overall == "PENDING"
    return run


def decision(ledger: Ledger, seq: int) -> ReviewDecided:
    """Return the signed review in an event."""
    data = ledger.entry(seq)
    assert data is not None
    event = read_event(read_entry(data, seq))
    assert isinstance(event, Signed)
    assert isinstance(event.decision, ReviewDecided)
    return event.decision


def record(ledger: Ledger, seq: int) -> bytes:
    """Return the line in an event."""
    blob = ledger.blob(seq, "line")
    assert blob is not None
    return blob.data


def refused(ledger: Ledger, **options: Any) -> Refusal:
    """Return why a review is refused; the ledger is as it was."""
    head = ledger.head()
    with pytest.raises(Refusal) as caught:
        answered(ledger, **options)
    assert ledger.head() == head
    return caught.value


def weighed(done: Any) -> list[dict[str, Any]]:
    """Return the reviews that a verdict weighed."""
    found: list[dict[str, Any]] = done.judgement.verdict.body["reviews"]
    return found


@pytest.mark.usefixtures("open_run")
def test_a_signed_review_binds_lines_and_the_verdict(ledger: Ledger) -> None:
    """AUDIT-120: the events of what it cites and of what it answers are targets, with leaves."""
    verdict = concluded(ledger).seq
    done = answered(ledger, refs=("trajectory:c2", "testmod:seq003", "fixture:ready"))
    said = decision(ledger, done.seq)
    assert (said.run, said.review, said.status, said.verdict) == (
        RUN, CAUSALITY, "resolved", verdict,
    )  # fmt: skip
    call, test, fixture = done.cited.refs.values()
    assert [b'"call_id": "c2"' in record(ledger, seq) for seq in call] == [True, True]
    assert [b"input_processed" in record(ledger, seq) for seq in test] == [True]
    data = ledger.entry(fixture[0])
    assert data is not None
    assert read_entry(data, fixture[0]).body["role"] == "fixture"
    assert said.cited == sorted([*call, *test, *fixture])
    assert [seq for seq, _ in said.target] == sorted([*said.cited, verdict or 0])
    (review,) = signed_reviews(ledger, RUN)
    assert review.said.refs == ("trajectory:c2", "testmod:seq003", "fixture:ready")
    assert (review.said.note, review.said.by) == ("looked", REVIEWER.kid.hex())
    assert review.said.fresh


@pytest.mark.usefixtures("open_run")
def test_signed_reviews_count(ledger: Ledger) -> None:
    """AUDIT-121: each says what the next audit comes to, and the audit comes to it."""
    expected = [("PASS", "PENDING"), ("PASS", "PENDING"), ("PASS", "PASS")]
    seqs, after = [], concluded(ledger)
    for review, (flag, overall) in zip(QUESTIONS, expected, strict=True):
        done = answered(ledger, review)
        assert done.uncounted is None
        assert (done.flag_status, done.next.verdict.overall) == (flag, overall)
        seqs.append(done.seq)
        after = concluded(ledger)
        assert after.appended
        assert after.judgement.verdict.data == done.next.verdict.data
    assert [(one["kind"], one["counts"]) for one in weighed(after)] == [("signed", True)] * 3
    data = ledger.entry(after.seq or 0)
    assert data is not None
    assert read_entry(data, after.seq or 0).body["reviews"] == seqs
    assert concluded(ledger).appended is False
    assert check_ledger(ledger).document()["verdicts"]["recomputed"] == 4


def test_the_verdict_tells_signed_from_reported(ledger: Ledger, reviewed: AuditedRun) -> None:
    """Both are listed by their kinds; what was signed goes before."""
    take(ledger, reviewed)
    concluded(ledger)
    answered(ledger)
    done = concluded(ledger)
    kinds = {(one["id"], one["kind"]): one["counts"] for one in weighed(done)}
    assert kinds == {
        (CAUSALITY, "signed"): True,
        (CAUSALITY, "reported"): False,
        (RUNNING, "reported"): True,
        (INDEPENDENCE, "reported"): True,
    }


def test_a_signed_rejection_fails_what_a_reported_entry_resolved(
    ledger: Ledger, reviewed: AuditedRun
) -> None:
    """AUDIT-121: and a later signed one takes it back."""
    take(ledger, reviewed)
    concluded(ledger)
    done = answered(ledger, status="rejected", refs=())
    assert (done.flag_status, done.next.verdict.failure_class) == ("FAIL", "AGENT_FAIL")
    failed = concluded(ledger)
    assert statuses(failed)["machine_operated"] == "FAIL"
    reviewed.append("reviews.jsonl", reported(CAUSALITY, "resolved", 55))
    take(ledger, reviewed)
    assert statuses(concluded(ledger))["machine_operated"] == "FAIL"
    again = answered(ledger)
    assert again.next.verdict.overall == "PASS"
    assert [one.seq for one in signed_reviews(ledger, RUN)] == [again.seq]
    assert [one.seq for one in signed_reviews(ledger, RUN, again.seq)] == [done.seq]
    assert signed_reviews(ledger, RUN, done.seq) == []
    assert check_ledger(ledger).ok


def test_it_goes_stale_when_a_cited_line_changes(ledger: Ledger, open_run: AuditedRun) -> None:
    """AUDIT-122: also where the audit finds the same as before."""
    answered(ledger, refs=("trajectory:c3", "trajectory:c2"))
    open_run.replace("trajectory.jsonl", "cart-1 stone dirt", "cart-1  stone dirt")
    take(ledger, open_run)
    done = concluded(ledger)
    assert statuses(done)["machine_operated"] == "PENDING"
    (one,) = weighed(done)
    assert (one["counts"], one["kind"]) == (False, "signed")
    assert "is not in trajectory any more since event" in one["why"]
    ((review, why),) = done.judgement.uncounted()
    assert (review.said.id, why) == (CAUSALITY, one["why"])
    flags = {one["flag"]: one["mechanical"] for one in done.judgement.verdict.body["flags"]}
    first = concluded(ledger, as_of=review.seq).judgement.verdict.body["flags"]
    assert flags["machine_operated"] == first[0]["mechanical"]
    assert answered(ledger, refs=("trajectory:c3",)).uncounted is None
    assert statuses(concluded(ledger))["machine_operated"] == "PASS"


def test_a_signed_rejection_is_not_washed_out(ledger: Ledger, reviewed: AuditedRun) -> None:
    """AUDIT-58: a reported review and a change of what it cites leave the question open."""
    take(ledger, reviewed)
    concluded(ledger)
    signed = answered(ledger, status="rejected", refs=("testmod:seq3",)).seq
    assert concluded(ledger).judgement.verdict.overall == "FAIL"
    reviewed.append("reviews.jsonl", reported(CAUSALITY, "resolved", 55))
    reviewed.replace("test/mod.jsonl", '"event": "input_processed"', '"event":  "input_processed"')
    take(ledger, reviewed)
    done = concluded(ledger)
    assert done.judgement.verdict.overall == "PENDING"
    flag = done.judgement.verdict.body["flags"][0]
    (asked,) = flag["required_review"]
    assert asked["lapsed"].startswith(f"the signed review in event {signed} of {CAUSALITY} lapsed:")
    assert asked["lapsed"] in flag["summary"]
    assert [one["counts"] for one in weighed(done) if one["id"] == CAUSALITY] == [False, False]
    assert answered(ledger, refs=("testmod:seq3",)).next.verdict.overall == "PASS"
    assert check_ledger(ledger).ok


def test_it_goes_stale_when_a_cited_document_changes(ledger: Ledger, open_run: AuditedRun) -> None:
    """AUDIT-122: a document is cited whole."""
    answered(ledger, INDEPENDENCE, refs=("fixture:ready",))
    open_run.write("fixture.json", {"status": "ready", "ready": True, "note": "again"})
    open_run.declare()
    take(ledger, open_run)
    (one,) = weighed(concluded(ledger))
    assert one["why"] is not None
    assert "is not in fixture any more" in one["why"]


def test_it_goes_stale_when_the_flag_is_another(ledger: Ledger, open_run: AuditedRun) -> None:
    """AUDIT-56: another call is the last before the processing now."""
    answered(ledger, refs=("testmod:seq3",))
    open_run.replace("trajectory.jsonl", '"c2"', '"c2-again"')
    take(ledger, open_run)
    done = concluded(ledger)
    (one,) = weighed(done)
    assert (one["counts"], statuses(done)["machine_operated"]) == (False, "PENDING")
    assert one["why"] == "it answers another state of the flag than this one"


def test_a_review_of_what_nobody_asks_any_more_is_said_so(
    ledger: Ledger, open_run: AuditedRun
) -> None:
    """AUDIT-122: the flag fails by itself now."""
    answered(ledger, refs=("trajectory:c2",))
    open_run.replace("test/mod.jsonl", "input_processed", "input_attempt")
    take(ledger, open_run)
    done = concluded(ledger)
    assert statuses(done)["machine_operated"] == "FAIL"
    ((_, why),) = done.judgement.uncounted()
    assert why == "the flag does not ask for it any more"


def test_growth_that_it_is_not_about_leaves_it_fresh(ledger: Ledger, open_run: AuditedRun) -> None:
    """AUDIT-122: lines that are appended, another run, another document, a reported review."""
    done = answered(ledger)
    for number in range(3):
        open_run.append("trajectory.jsonl", mark(8 + number))
        open_run.append("test/mod.jsonl", {"event": "note", "seq": 7 + number})
        open_run.append("reviews.jsonl", reported(RUNNING))
        open_run.write("restore.json", {"status": "ok", "number": number})
        open_run.declare()
        take(ledger, open_run)
        after = concluded(ledger)
        assert after.appended
        assert statuses(after)["machine_operated"] == "PASS"
        assert [one.seq for one in signed_reviews(ledger, RUN)] == [done.seq]


def test_two_reviewers_at_once(ledger: Ledger, open_run: AuditedRun) -> None:
    """AUDIT-123: the second is in view of the first, and is the one that counts."""
    stale = replayed(ledger)
    first = answered(ledger)
    second = answered(ledger, status="rejected", refs=(), key=SECOND, replay=stale)
    assert first.seq in [seq for seq, _ in decision(ledger, second.seq).target]
    assert statuses(concluded(ledger))["machine_operated"] == "FAIL"
    assert [one.said.by for one in signed_reviews(ledger, RUN)] == [SECOND.kid.hex()]
    assert open_run.root.is_dir()
    assert check_ledger(ledger).ok


@pytest.mark.usefixtures("open_run")
def test_who_looked_stands_beside_the_key(ledger: Ledger) -> None:
    """AUDIT-120: a name is said by the signer, and never without the key."""
    answered(ledger, by="Ada")
    (one,) = signed_reviews(ledger, RUN)
    assert one.said.by == f"Ada, by key {REVIEWER.kid.hex()[:16]}"


@pytest.mark.usefixtures("open_run")
def test_what_is_refused_before_anything_is_signed(ledger: Ledger) -> None:
    """AUDIT-120: each by its own code, with what to do."""
    wrong = ["trajectory:c9", "testmod:seq99", "oracle:x", "answer:carts", "c2", "fixture:none"]
    refusal = refused(ledger, refs=["trajectory:c2", *wrong])
    assert refusal.code == "E_REF"
    assert all(f"{ref} (" in refusal.got for ref in wrong)
    assert "trajectory:c2 (" not in refusal.got
    assert refused(ledger, refs=[]).code == "E_REASON"
    refusal = refused(ledger, review="transient_outputs_captured.window")
    assert (refusal.code, CAUSALITY in refusal.expected) == ("E_REVIEW_UNASKED", True)
    assert refused(ledger, verdict=3).code == "E_VERDICT_NONE"
    refusal = refused(ledger, key=MAINTAINER)
    assert refusal.code == "E_ROLE"


def test_there_is_nothing_to_answer_before_an_audit(ledger: Ledger, run: AuditedRun) -> None:
    """The run has to be in the ledger, and to be judged."""
    assert refused(ledger).code == "E_RUN_UNKNOWN"
    take(ledger, run)
    refusal = refused(ledger)
    assert refusal.code == "E_VERDICT_NONE"
    assert "coldledger audit" in refusal.remedy


def test_an_older_verdict_cannot_be_answered_by_name(ledger: Ledger, open_run: AuditedRun) -> None:
    """AUDIT-120: whoever names the verdict that he read learns that there is a newer one."""
    old = concluded(ledger).seq
    open_run.append("trajectory.jsonl", mark(8))
    take(ledger, open_run)
    new = concluded(ledger).seq
    refusal = refused(ledger, verdict=old)
    assert (refusal.code, str(new) in refusal.expected) == ("E_VERDICT_NONE", True)
    assert answered(ledger, verdict=new).verdict == new


@pytest.mark.usefixtures("open_run")
@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"run": "run-02"}, "E_VERDICT_UNKNOWN"),
        ({"verdict": 5}, "E_VERDICT_UNKNOWN"),
        ({"cited": [1]}, "E_CITED"),
        ({"cited": []}, "E_REASON"),
    ],
)
def test_a_review_of_something_else_is_refused_by_the_judge(
    ledger: Ledger, changes: dict[str, Any], code: str
) -> None:
    """EVENT-83 to EVENT-85: a signature holds for its run, verdict and records alone."""
    good = decision(ledger, answered(ledger).seq)
    fields = {"run": RUN, "review": CAUSALITY, "status": "resolved", "verdict": good.verdict}
    said = {**fields, "cited": good.cited, **changes}
    with pytest.raises(Refusal) as caught:
        decide(
            ledger, replayed(ledger), "review.decided/1", lambda _: said, [REVIEWER],
            blobs={"reason": b"x"}, at=AT, entropy=os.urandom,
        )  # fmt: skip
    assert caught.value.code == code


@pytest.mark.usefixtures("open_run")
def test_the_leaf_of_another_record_is_refused(ledger: Ledger) -> None:
    """EVENT-24: what was signed in view of one line does not hold for another."""
    good = decision(ledger, answered(ledger).seq)
    target = [[seq, leaf] for seq, leaf in good.target]
    target[0][1] = bytes(32)
    fields = {"run": RUN, "review": CAUSALITY, "status": "resolved", "verdict": good.verdict}
    said = {**fields, "cited": good.cited, "target": target}
    with pytest.raises(Refusal) as caught:
        decide(
            ledger, replayed(ledger), "review.decided/1", lambda _: said, [REVIEWER],
            blobs={"reason": b"x"}, at=AT, entropy=os.urandom,
        )  # fmt: skip
    assert caught.value.code == "E_TARGET"


@pytest.mark.usefixtures("open_run")
def test_withheld_words_of_a_review_change_nothing_that_counts(ledger: Ledger) -> None:
    """AUDIT-122: its reason and what it names may go; what it cites is bound by events."""
    done = answered(ledger)
    before = statuses(concluded(ledger))
    slots = [(done.seq, "reason"), (done.seq, "evidence")]
    redact(
        ledger, replayed(ledger), slots, "privacy", "names", [MAINTAINER],
        at=AT, entropy=os.urandom,
    )  # fmt: skip
    (one,) = signed_reviews(ledger, RUN)
    assert (one.said.refs, one.said.note, one.said.fresh) == ((), "the reason is withheld", True)
    assert statuses(concluded(ledger)) == before


@pytest.mark.usefixtures("open_run")
def test_a_review_of_a_verdict_that_is_withheld_does_not_count(ledger: Ledger) -> None:
    """AUDIT-122: nobody could tell whether the flag is what it was."""
    done = answered(ledger)
    redact(
        ledger, replayed(ledger), [(done.verdict, "verdict")], "privacy", "names", [MAINTAINER],
        at=AT, entropy=os.urandom,
    )  # fmt: skip
    (one,) = signed_reviews(ledger, RUN)
    assert one.said.why == (
        f"the bytes of the verdict that it answers, event {done.verdict}, are withheld"
    )
    assert statuses(concluded(ledger))["machine_operated"] == "PENDING"
    assert refused(ledger, review=CAUSALITY, verdict=done.verdict).code == "E_VERDICT_NONE"
