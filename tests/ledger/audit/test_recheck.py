"""``replay --check`` computes every verdict again, and says which it could not."""

import os
from typing import Any

import pytest
from audited_runs import (
    AT,
    MAINTAINER,
    RUN,
    AuditedRun,
    answered,
    concluded,
    mark,
    replayed,
    take,
)
from msgspec.structs import replace

from canon import decode, encode
from ledger.audit.conclude import concluded_at
from ledger.check import check_ledger
from ledger.entry import read_entry
from ledger.events import VERDICT
from ledger.maintain import redact
from ledger.store import Ledger


def verdicts(ledger: Ledger) -> dict[str, int]:
    """Return how many verdicts were computed again; the ledger holds."""
    found = check_ledger(ledger)
    assert found.error is None
    return found.verdicts


def forge(ledger: Ledger, seq: int, data: bytes | None = None, **fields: Any) -> int:
    """Append a verdict like that of event *seq*, with other fields or other bytes."""
    kept = ledger.blob(seq, VERDICT)
    assert kept is not None
    event = replace(concluded_at(ledger, seq), supersedes=seq, **fields)
    with ledger.batch(at=AT, entropy=os.urandom) as batch:
        return batch.append(event, {VERDICT: kept.data if data is None else data})


def remove(ledger: Ledger, *slots: tuple[int, str]) -> None:
    """Redact slots."""
    redact(
        ledger, replayed(ledger), list(slots), "privacy", "names", [MAINTAINER],
        at=AT, entropy=os.urandom,
    )  # fmt: skip


def history(ledger: Ledger, run: AuditedRun) -> list[int]:
    """Make a ledger with four verdicts; return their events."""
    made = []
    take(ledger, run)
    made.append(concluded(ledger).seq or 0)
    answered(ledger)
    made.append(concluded(ledger).seq or 0)
    run.append("trajectory.jsonl", mark(8))
    take(ledger, run)
    made.append(concluded(ledger).seq or 0)
    run.replace("test/mod.jsonl", "input_processed", "input_attempt")
    take(ledger, run)
    made.append(concluded(ledger).seq or 0)
    return made


def test_every_verdict_is_computed_as_of_its_own_place(ledger: Ledger, run: AuditedRun) -> None:
    """AUDIT-110: from the files, reviews and rules of its position."""
    made = history(ledger, run)
    assert verdicts(ledger) == {"of": 4, "recomputed": 4, "other_auditor": 0, "withheld": 0}
    assert list(replayed(ledger).runs.verdicts) == made


def test_other_bytes_are_named(ledger: Ledger, run: AuditedRun) -> None:
    """AUDIT-110: a verdict whose body was made up, although the event contradicts nothing."""
    made = history(ledger, run)
    kept = ledger.blob(made[-1], VERDICT)
    assert kept is not None
    body: Any = decode(kept.data)
    forged = forge(ledger, made[-1], encode(body | {"review_problems": ["none"]}))
    found = check_ledger(ledger)
    assert found.error is not None
    assert (found.error.code, found.error.seq) == ("E_VERDICT_DIFFERS", forged)
    assert (found.error.step, found.ok) == ("verdicts", False)
    assert found.verdicts["recomputed"] == len(made)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"overall": "PENDING", "failure_class": None, "flags": []}, "flags"),
        ({"failure_class": "INFRA_ERROR"}, "failure_class"),
        ({"reviews": []}, "reviews"),
    ],
)
def test_an_event_that_says_other_than_its_rules_give_is_named(
    ledger: Ledger, run: AuditedRun, fields: dict[str, Any], named: str
) -> None:
    """AUDIT-110: what an event says in short is computed too, whatever its body is."""
    forged = forge(ledger, history(ledger, run)[-1], encode({"schema": "other"}), **fields)
    found = check_ledger(ledger)
    assert found.error is not None
    assert (found.error.code, found.error.seq) == ("E_VERDICT_DIFFERS", forged)
    assert f"got {named}" in found.error.message


def test_a_file_that_was_not_looked_at_is_noticed(ledger: Ledger, run: AuditedRun) -> None:
    """AUDIT-110: a verdict is about all files that the run has."""
    last = history(ledger, run)[-1]
    forge(ledger, last, sources=concluded_at(ledger, last).sources[:-1])
    found = check_ledger(ledger)
    assert found.error is not None
    assert "got sources" in found.error.message


def test_the_verdict_of_another_auditor_is_counted(ledger: Ledger, run: AuditedRun) -> None:
    """AUDIT-111: this program cannot tell what another version of it would say."""
    made = history(ledger, run)
    kept = ledger.blob(made[-1], VERDICT)
    assert kept is not None
    body: Any = decode(kept.data)
    older = "coldledger/0.0.1"
    said = encode(body | {"auditor": older, "review_problems": ["as it was then"]})
    forge(ledger, made[-1], said, auditor=older)
    assert verdicts(ledger) == {"of": 5, "recomputed": 4, "other_auditor": 1, "withheld": 0}


@pytest.mark.parametrize("slot", ["content", "line", "verdict", "digest"])
def test_what_is_withheld_is_counted(ledger: Ledger, run: AuditedRun, slot: str) -> None:
    """AUDIT-112: a document, a line, or the verdict itself; digests are computed again."""
    made = history(ledger, run)
    fixture = next(
        seq for seq in concluded_at(ledger, made[-1]).sources if _role(ledger, seq) == "fixture"
    )
    cited = answered_line(ledger)
    place = {"content": fixture, "line": cited, "verdict": made[-1], "digest": fixture}[slot]
    remove(ledger, (place, slot))
    found = verdicts(ledger)
    withheld = {"content": 4, "line": 3, "verdict": 1, "digest": 0}[slot]
    assert found == {
        "of": 4, "recomputed": 4 - withheld, "other_auditor": 0, "withheld": withheld,
    }  # fmt: skip


def test_a_verdict_on_a_run_with_withheld_bytes_is_computed(
    ledger: Ledger, run: AuditedRun
) -> None:
    """AUDIT-112: it is the verdict that differs which cannot be judged, not every one."""
    take(ledger, run)
    first = concluded(ledger).seq or 0
    sources = concluded_at(ledger, first).sources
    fixture = next(seq for seq in sources if _role(ledger, seq) == "fixture")
    remove(ledger, (fixture, "content"))
    second = concluded(ledger)
    assert (second.appended, second.unheld) == (False, f"the bytes of event {fixture}, fixture")
    forge(
        ledger,
        first,
        second.judgement.verdict.data,
        flags=second.judgement.event(RUN, first).flags,
        overall=second.judgement.verdict.overall,
    )
    body = second.judgement.verdict.body
    assert [one["path"] for one in body["withheld"]] == ["fixture.json"]
    assert verdicts(ledger) == {"of": 2, "recomputed": 1, "other_auditor": 0, "withheld": 1}


def _role(ledger: Ledger, seq: int) -> Any:
    data = ledger.entry(seq)
    assert data is not None
    return read_entry(data, seq).body["role"]


def answered_line(ledger: Ledger) -> int:
    """Return the event of the first processing, which the last version of the test side lacks."""
    return next(
        blob.seq
        for blob in ledger.blobs()
        if blob.slot == "line" and b"input_processed" in blob.data
    )


def test_a_ledger_without_runs_has_nothing_to_compute(ledger: Ledger) -> None:
    """The counts are there all the same."""
    assert verdicts(ledger) == {"of": 0, "recomputed": 0, "other_auditor": 0, "withheld": 0}
