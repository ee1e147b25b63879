"""A session of a person's work, as pi wrote it: the numbers that are known of it come out."""

from pathlib import Path

import pytest

from ledger.runs.pi import Imported, Report, Session, read_session

NOW = "2026-04-01T00:00:00.000000Z"


@pytest.fixture(scope="module")
def real(shared: Path) -> Session:
    """Return the session, read where it stands."""
    return read_session(shared / "data" / "pi-session" / "large-session.jsonl")


@pytest.fixture(scope="module")
def records(real: Session) -> list[Imported]:
    """Return its records."""
    return list(real.records(phase="agent", now=NOW))


@pytest.fixture(scope="module")
def report(real: Session, records: list[Imported]) -> Report:
    """Return its report, which is whole when all records are read."""
    assert records
    return real.report


def test_everything_in_the_session_is_counted(report: Report) -> None:
    """Lines, messages by role, calls, failures, ends of turns: as known of the file."""
    assert (report.version, report.lines, report.unread) == (1, 1019, 0)
    assert report.messages == {"assistant": 453, "toolResult": 373, "user": 88}
    assert report.entries["message"] == 914
    assert (report.calls, report.results, report.errors) == (391, 373, 19)
    assert report.stop_reasons == {"toolUse": 366, "stop": 65, "aborted": 21, "error": 1}
    assert set(report.providers) == {"anthropic", "openai"}


def test_what_the_session_cost_is_exact(report: Report) -> None:
    """The sum is exact to the last digit that the file has: $30.3302, rounded."""
    assert report.spent.cost_usd == "30.330197700000000001"
    assert (report.spent.turns, report.spent.unpriced) == (453, 0)


def test_what_was_never_answered(report: Report, records: list[Imported]) -> None:
    """Eighteen calls have no result; each is a record, and is listed with its line."""
    called = {one.record["call_id"] for one in records if one.record["record"] == "call"}
    answered = {one.record["call_id"] for one in records if one.record["record"] == "result"}
    assert {one.call_id for one in report.unanswered} == called - answered
    assert report.unanswered_count == len(report.unanswered) == 18
    assert report.problems.counts == {"E_PI_UNANSWERED": 18}
    ends = {(one.line, one.stop_reason) for one in report.unanswered}
    assert ends == {(33, "error"), (234, "aborted"), (843, "aborted")}


def test_records_come_in_the_order_of_their_lines(records: list[Imported]) -> None:
    """Records come in the order of lines, times never go back, calls precede their results."""
    assert [one.line for one in records] == sorted(one.line for one in records)
    times = [one.record["at"] for one in records]
    assert times == sorted(times)
    seen: set[str] = set()
    for one in records:
        if one.record["record"] == "call":
            seen.add(one.record["call_id"])
        else:
            assert one.record["call_id"] in seen


def test_long_results_are_handed_over_whole(records: list[Imported]) -> None:
    """One result has 20,000 characters or more; its record has less, and the attachment all."""
    (long,) = [one for one in records if one.attachment]
    body, attachment = long.record["result"], long.attachment
    assert attachment is not None
    assert body["truncated"] is True
    assert body["sha256"] == attachment.sha256.hex()
    text = attachment.data.decode()
    assert body["characters"] == len(text) >= 20_000
    head, _, rest = body["text"].partition("\n[")
    assert text.startswith(head[:10_000])
    assert text.endswith(rest[-10_000:])
