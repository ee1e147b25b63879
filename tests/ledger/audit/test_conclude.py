"""Verdicts as events: once each, side by side, and the same bytes from the same events."""

import os
from pathlib import Path
from typing import Any

import pytest
from audited_runs import (
    AT,
    CAUSALITY,
    MAINTAINER,
    QUESTIONS,
    RUN,
    AuditedRun,
    concluded,
    mark,
    replayed,
    reported,
    slot_of,
    statuses,
    take,
)

from canon import decode, encode, sha256
from ledger.audit import audit, bind
from ledger.audit import conclude as concluding
from ledger.audit.conclude import conclude, frozen_rules
from ledger.audit.verdict import AUDITOR
from ledger.check import check_ledger
from ledger.entry import read_entry
from ledger.errors import RulesNotFrozen, RunUnknown
from ledger.events import VERDICT
from ledger.founding import freeze_policy
from ledger.runs.directory import Directory
from ledger.runs.intake.passing import in_memory_ledger
from ledger.store import Ledger


def body_of(ledger: Ledger, seq: int) -> dict[str, Any]:
    """Return the body of an entry."""
    data = ledger.entry(seq)
    assert data is not None
    return dict(read_entry(data, seq).body)


def test_a_verdict_is_an_event_that_says_what_it_rests_on(
    ledger: Ledger, reviewed: AuditedRun
) -> None:
    """AUDIT-100: flags, rules, auditor, files and reviews; the bytes in full in its slot."""
    take(ledger, reviewed)
    size = ledger.size
    done = concluded(ledger)
    assert (done.seq, done.appended, done.before, done.size) == (size, True, None, size)
    body = body_of(ledger, size)
    assert body["run"] == RUN
    assert body["overall"] == "PASS"
    assert body["failure_class"] is None
    assert body["auditor"] == AUDITOR
    assert body["rules"] == frozen_rules(ledger).digest
    assert {tuple(one) for one in body["flags"]} == set(statuses(done).items())
    files = [
        seq
        for seq, data in ledger.entries(0, size)
        if read_entry(data, seq).type == "file.observed/1"
    ]
    assert body["sources"] == files
    assert (body["reviews"], body["supersedes"]) == ([], None)
    assert slot_of(ledger, size, VERDICT) == done.judgement.verdict.data
    assert check_ledger(ledger).document()["verdicts"] == {
        "of": 1, "recomputed": 1, "other_auditor": 0, "withheld": 0,
    }  # fmt: skip


def test_the_same_inputs_append_nothing(ledger: Ledger, run: AuditedRun) -> None:
    """AUDIT-101: at any time, by whatever writes beside it in the ledger."""
    take(ledger, run)
    first = concluded(ledger)
    size = ledger.size
    for at in (AT, "2027-01-01T00:00:00.000000Z"):
        again = conclude(ledger, RUN, frozen_rules(ledger), at=at, entropy=os.urandom)
        assert (again.seq, again.appended) == (first.seq, False)
        assert again.judgement.verdict.data == first.judgement.verdict.data
    take(ledger, run)
    assert concluded(ledger).appended is False
    assert ledger.size == size


def test_a_ledger_and_a_directory_give_the_same_bytes(ledger: Ledger, reviewed: AuditedRun) -> None:
    """AUDIT-70: nothing of a ledger is in a verdict that no signed review is in."""
    take(ledger, reviewed)
    done = concluded(ledger)
    beside = audit(Directory(reviewed.root), bind(frozen_rules(ledger)))
    assert done.judgement.verdict.data == beside.data


def test_a_changed_file_gives_a_verdict_beside_the_old_one(
    ledger: Ledger, reviewed: AuditedRun
) -> None:
    """AUDIT-100, AUDIT-103: the older stands, and is what the ledger says as of its size."""
    take(ledger, reviewed)
    first = concluded(ledger)
    assert first.seq is not None
    reviewed.replace("answer.json", "minecraft:dirt", "minecraft:sand")
    take(ledger, reviewed)
    second = concluded(ledger)
    assert second.seq is not None
    assert statuses(second)["answer_correct"] == "FAIL"
    assert second.judgement.verdict.failure_class == "AGENT_FAIL"
    assert (second.before, body_of(ledger, second.seq)["supersedes"]) == (first.seq, first.seq)
    assert slot_of(ledger, first.seq, VERDICT) == first.judgement.verdict.data
    size = ledger.size
    for one in (first, second):
        earlier = concluded(ledger, as_of=one.seq)
        assert earlier.judgement.verdict.data == one.judgement.verdict.data
        assert (earlier.seq, earlier.appended, earlier.size) == (None, False, one.seq)
    assert ledger.size == size
    reviewed.replace("answer.json", "minecraft:sand", "minecraft:dirt")
    take(ledger, reviewed)
    third = concluded(ledger)
    assert third.appended
    assert third.judgement.verdict.data == first.judgement.verdict.data
    assert check_ledger(ledger).document()["verdicts"]["recomputed"] == 3


def test_what_no_flag_is_about_is_an_input_all_the_same(ledger: Ledger, run: AuditedRun) -> None:
    """AUDIT-100: a trajectory that grew is another file, so the verdict names it."""
    take(ledger, run)
    first = concluded(ledger)
    run.append("trajectory.jsonl", mark(8))
    take(ledger, run)
    second = concluded(ledger)
    assert second.appended
    assert statuses(second) == statuses(first)
    flags = [one["mechanical"] for one in second.judgement.verdict.body["flags"]]
    assert flags == [one["mechanical"] for one in first.judgement.verdict.body["flags"]]


def test_a_rejection_that_is_dropped_from_the_run_stays_in_the_ledger(
    ledger: Ledger, reviewed: AuditedRun
) -> None:
    """Each version of reviews.jsonl is in the log, and so is the verdict that counted it."""
    reviewed.append("reviews.jsonl", reported(CAUSALITY, "rejected", 50))
    take(ledger, reviewed)
    failed = concluded(ledger)
    assert failed.judgement.verdict.failure_class == "AGENT_FAIL"
    kept = reviewed.read("reviews.jsonl").splitlines(keepends=True)
    reviewed.write("reviews.jsonl", b"".join(kept[: len(QUESTIONS)]))
    take(ledger, reviewed)
    passed = concluded(ledger)
    assert passed.judgement.verdict.overall == "PASS"
    assert passed.before == failed.seq
    lines = [
        blob.data for blob in ledger.blobs() if blob.slot == "line" and b"rejected" in blob.data
    ]
    assert lines == [kept[-1]]
    assert failed.seq is not None
    kept_body: Any = decode(slot_of(ledger, failed.seq, VERDICT) or b"")
    assert kept_body["overall"] == "FAIL"


def test_the_verdict_says_which_reviews_nobody_signed(ledger: Ledger, reviewed: AuditedRun) -> None:
    """Reviews found in a run are reported: they count, by that name."""
    take(ledger, reviewed)
    reviews = concluded(ledger).judgement.verdict.body["reviews"]
    assert {one["kind"] for one in reviews} == {"reported"}
    assert all(one["counts"] and one["entry"] is None for one in reviews)


def test_a_dry_run_appends_nothing(ledger: Ledger, run: AuditedRun) -> None:
    """AUDIT-103: the verdict is told and not recorded."""
    take(ledger, run)
    head = ledger.head()
    done = concluded(ledger, dry_run=True)
    assert (done.seq, done.appended, done.size) == (None, False, ledger.size)
    assert ledger.head() == head


def test_a_run_that_the_ledger_does_not_hold_is_refused(ledger: Ledger, run: AuditedRun) -> None:
    """By a name like it, and as of before it was taken in."""
    founded = ledger.size
    take(ledger, run)
    with pytest.raises(RunUnknown) as caught:
        conclude(ledger, "run-02", frozen_rules(ledger), at=AT, entropy=os.urandom)
    assert (caught.value.got, caught.value.expected) == ("'run-02'", RUN)
    with pytest.raises(RunUnknown) as caught:
        concluded(ledger, as_of=founded)
    assert f"as of size {founded}" in caught.value.got


def test_rules_have_to_be_a_policy_of_the_log(run: AuditedRun) -> None:
    """AUDIT-104: an older ledger says so; a verdict that is not recorded needs no log."""
    with in_memory_ledger(at=AT, entropy=os.urandom) as newer:
        rules = frozen_rules(newer)
    with in_memory_ledger(at=AT, entropy=os.urandom, policies={}) as older:
        take(older, run)
        with pytest.raises(RulesNotFrozen):
            frozen_rules(older)
        with pytest.raises(RulesNotFrozen) as caught:
            conclude(older, RUN, rules, at=AT, entropy=os.urandom)
        assert "--dry-run" in caught.value.remedy
        size = older.size
        done = conclude(older, RUN, rules, at=AT, entropy=os.urandom, dry_run=True)
        assert (done.judgement.verdict.overall, older.size) == ("PENDING", size)


def test_the_rules_are_those_in_force_at_a_size(ledger: Ledger) -> None:
    """Before a policy is frozen there are none."""
    assert frozen_rules(ledger).name == "audit/cold-start-v1"
    with pytest.raises(RulesNotFrozen):
        frozen_rules(ledger, as_of=1)
    with pytest.raises(RulesNotFrozen):
        frozen_rules(ledger, "audit/other")


@pytest.mark.parametrize("times", [1, concluding.TRIES, concluding.TRIES + 3])
def test_a_run_that_grows_meanwhile_is_judged_as_it_stands(
    ledger: Ledger, run: AuditedRun, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    """AUDIT-102: a verdict is never about what stood before; in the end others have to wait."""
    take(ledger, run)
    judged = concluding.judge
    calls = []

    def slow(*args: Any) -> Any:
        found = judged(*args)
        calls.append(found)
        if len(calls) <= min(times, concluding.TRIES):
            ledger.connection.execute("COMMIT")  # the snapshot, so that the same process appends
            run.append("trajectory.jsonl", mark(7 + len(calls)))
            take(ledger, run)
            ledger.connection.execute("BEGIN")
        return found

    monkeypatch.setattr(concluding, "judge", slow)
    done = concluded(ledger)
    assert len(calls) == min(times, concluding.TRIES) + 1
    assert done.appended
    assert done.judgement.verdict.data == calls[-1].verdict.data
    monkeypatch.undo()
    assert concluded(ledger).appended is False
    assert check_ledger(ledger).ok


def test_what_others_append_beside_it_is_no_reason_to_audit_again(
    ledger: Ledger, run: AuditedRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """AUDIT-102: only what the verdict rests on is compared."""
    take(ledger, run)
    other = AuditedRun(tmp_path / "other")
    other.replace("run.json", RUN, "run-02")
    judged = concluding.judge
    calls = []

    def slow(*args: Any) -> Any:
        found = judged(*args)
        calls.append(found)
        ledger.connection.execute("COMMIT")
        take(ledger, other)
        ledger.connection.execute("BEGIN")
        return found

    monkeypatch.setattr(concluding, "judge", slow)
    size = ledger.size
    done = concluded(ledger)
    assert len(calls) == 1
    assert done.appended
    assert done.seq is not None
    assert done.seq > size
    monkeypatch.undo()
    assert check_ledger(ledger).ok


def test_two_auditors_at_once_tell_one_verdict(
    ledger: Ledger, run: AuditedRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """AUDIT-101: whoever comes second finds it there."""
    take(ledger, run)
    judged = concluding.judge

    def slow(*args: Any) -> Any:
        found = judged(*args)
        monkeypatch.undo()
        ledger.connection.execute("COMMIT")
        assert concluded(ledger).appended
        ledger.connection.execute("BEGIN")
        return found

    monkeypatch.setattr(concluding, "judge", slow)
    size = ledger.size
    done = concluded(ledger)
    assert (done.seq, done.appended, ledger.size) == (size, False, size + 1)


def test_other_rules_give_another_verdict(ledger: Ledger, run: AuditedRun) -> None:
    """AUDIT-101: the rules in force are another policy, with the same words in it."""
    take(ledger, run)
    first, old = concluded(ledger), frozen_rules(ledger)
    values: Any = decode(ledger.document(old.digest) or b"")
    data = encode(values | {"version": old.version + 1})
    freeze_policy(ledger, replayed(ledger), old.name, data, [MAINTAINER], at=AT, entropy=os.urandom)
    assert frozen_rules(ledger).version == old.version + 1
    second = concluded(ledger)
    assert (second.appended, second.before) == (True, first.seq)
    assert statuses(second) == statuses(first)
    assert body_of(ledger, second.seq or 0)["rules"] == sha256(data)
    back = conclude(ledger, RUN, old, at=AT, entropy=os.urandom)
    assert back.judgement.verdict.data == first.judgement.verdict.data
    assert (back.appended, back.before) == (True, second.seq)
    assert check_ledger(ledger).document()["verdicts"]["recomputed"] == 3


def test_files_that_were_replaced_since_the_verdict_before(
    ledger: Ledger, reviewed: AuditedRun
) -> None:
    """AUDIT-105: the events of both, and which reported reviews were made before."""
    take(ledger, reviewed)
    first = concluded(ledger)
    assert (first.replaced, first.outdated) == ((), {})
    reviewed.append("trajectory.jsonl", mark(8))
    take(ledger, reviewed)
    assert list(concluded(ledger).replaced) == []
    reviewed.replace("test/mod.jsonl", '"tick": 230', '"tick": 231')
    take(ledger, reviewed)
    size = ledger.size
    tried = concluded(ledger, dry_run=True)
    done = concluded(ledger)
    found = {one.role: one for one in done.replaced}
    assert sorted(found) == ["evidence", "test_mod"]
    change = found["test_mod"]
    assert change.path == "test/mod.jsonl"
    assert change.before in first.judgement.sources
    assert change.now in done.judgement.sources
    assert list(done.outdated) == sorted(QUESTIONS)
    assert [one.path for one in done.outdated[CAUSALITY]] == ["test/mod.jsonl"]
    again = concluded(ledger)
    before = concluded(ledger, as_of=size)
    assert (again.appended, again.seq) == (False, done.seq)
    assert tried.replaced == done.replaced == again.replaced == before.replaced
    reviewed.append("reviews.jsonl", reported(CAUSALITY, "resolved", 55))
    take(ledger, reviewed)
    assert concluded(ledger).outdated == {}
