"""Rows of a release: what is read, what is flagged and kept."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from ledger.identity import attempt_id

Document = dict[str, Any]
Change = Callable[..., Document]


def with_literal(document: Document, literal: str) -> bytes:
    """Return the document as JSON in which the text ``@@`` is a literal of any spelling."""
    return json.dumps(document).replace('"@@"', literal).encode()


def row_of(shelf: Any, document: Document | bytes, index: int = 0) -> dict[str, Any]:
    """Import a document and return the body of the row with that index."""
    report = shelf.take(document)
    assert report.quarantined == 0
    found: dict[str, Any] = shelf.bodies("attempt.reported")[index]
    return found


def test_a_row_is_read_field_by_field(shelf: Any, release: Document) -> None:
    """Every field of the wire, from a row that has all of them."""
    body = row_of(shelf, release, 10)
    assert body.pop("blobs").keys() == {"record"}
    assert body == {
        "agent": "walker",
        "flags": [],
        "index": 10,
        "model": "maker/second",
        "usage": {
            "cost_usd": "0.025",
            "input_tokens": 1002,
            "output_tokens": 200,
            "reasoning_tokens": None,
            "cache_read_tokens": 30,
            "cache_creation_tokens": 0,
            "subscription_usage_usd": None,
        },
        "absent": ["usage.reasoning_tokens", "usage.subscription_usage_usd"],
        "matrix": "matrix-2026-02-28.aa11",
        "number": 2,
        "phases": {
            "host_reboot": False,
            "immediate_http": False,
            "service_restart": False,
            "after_agent_timeout": None,
        },
        "reward": 0,
        "run_id": "102-full-disk-maker-second-reasoning-low-2",
        "source": 0,
        "status": "evaluated",
        "attempt": attempt_id(
            agent="walker",
            model="maker/second",
            effort="low",
            scenario="102-full-disk",
            version=3,
            number=2,
            started_at="2026-02-28T10:17:00.000000Z",
            finished_at="2026-02-28T10:17:50.000000Z",
        ),
        "release": "20260301.0.0",
        "scenario": "102-full-disk",
        "recording": {
            "tool_calls": 6,
            "model_rounds": 6,
            "tool_duration_seconds": "2",
            "model_duration_seconds": "30.125",
            "total_duration_seconds": "39.5",
            "first_non_read_only_tool_seconds": None,
            "post_first_non_read_only_seconds": None,
        },
        "started_at": "2026-02-28T10:17:00.000000Z",
        "failed_text": True,
        "finished_at": "2026-02-28T10:17:50.000000Z",
        "agent_timeout_s": "600",
        "agent_duration_s": "42",
        "failure_category": "disk_still_full",
        "reasoning_effort": "low",
        "scenario_version": 3,
    }


def test_rows_of_the_first_months_are_read(shelf: Any, old_release: Document) -> None:
    """What they lack is null, and listed as absent rather than null."""
    body = row_of(shelf, old_release)
    assert body["recording"] is body["reasoning_effort"] is None
    assert body["absent"] == [
        "reasoning_effort",
        "recording",
        "usage.reasoning_tokens",
        "usage.subscription_usage_usd",
        "verification.after_agent_timeout",
    ]


def test_absent_null_and_zero_stay_apart(shelf: Any, release: Document) -> None:
    """Three rows that look alike to a reader who does not care."""
    rows = release["runs"]
    del rows[0]["usage"]["cost_usd"]
    rows[1]["usage"]["cost_usd"] = None
    rows[2]["usage"]["cost_usd"] = 0
    del rows[3]["usage"], rows[3]["verification"]
    rows[4]["usage"] = rows[4]["verification"] = None
    rows[5]["usage"] = rows[5]["verification"] = {}
    shelf.take(release)
    found = [
        (body["usage"] and body["usage"]["cost_usd"], "usage.cost_usd" in body["absent"])
        for body in shelf.bodies("attempt.reported")[:3]
    ]
    assert found == [(None, True), (None, False), ("0", False)]
    missing, null, empty = shelf.bodies("attempt.reported")[3:6]
    assert (missing["usage"], null["usage"]) == (None, None)
    assert {"usage", "verification"} <= set(missing["absent"])
    assert null["absent"] == []
    assert set(empty["usage"].values()) == {None}
    assert "verification.host_reboot" in empty["absent"]


def test_an_absent_effort_is_the_null_effort(shelf: Any, release: Document) -> None:
    """The identity of a trial does not change when the source learns a field."""
    old, new = copy.deepcopy(release["runs"][0]), release["runs"][0]
    del old["reasoning_effort"]
    new["reasoning_effort"] = None
    release["runs"] = [new]
    shelf.take(release)
    release["runs"] = [old]
    assert shelf.take(release).known == 1


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        ("0.1", "0.1"),
        ("0.30000000000000004", "0.30000000000000004"),
        ("1e-7", "0.0000001"),
        ("0.10", "0.1"),
        ("5", "5"),
        ("5.0", "5"),
        ("1.5E+2", "150"),
        ("-0", "0"),
        ("0.0", "0"),
    ],
)
def test_money_is_exactly_what_was_written(
    shelf: Any, changed: Change, literal: str, text: str
) -> None:
    """Never what a float makes of it."""
    body = row_of(shelf, with_literal(changed(0, usage={"cost_usd": "@@"}), literal))
    assert body["usage"]["cost_usd"] == text


@pytest.mark.parametrize(
    ("literal", "flag", "code"),
    [
        ("-0.01", "cost_negative", "E_COST_NEGATIVE"),
        ("-1", "cost_negative", "E_COST_NEGATIVE"),
        ("NaN", "cost_not_finite", "E_COST_NOT_FINITE"),
        ("-Infinity", "cost_not_finite", "E_COST_NOT_FINITE"),
        ("1e400", "cost_out_of_range", "E_COST_RANGE"),
        ("1e-400", "cost_out_of_range", "E_COST_RANGE"),
        ("0." + "1" * 41, "cost_out_of_range", "E_COST_RANGE"),
        ("9" * 5_000, "cost_out_of_range", "E_COST_RANGE"),
    ],
)
@pytest.mark.parametrize("field", ["cost_usd", "subscription_usage_usd"])
def test_money_that_nobody_paid_is_unknown(
    shelf: Any, changed: Change, field: str, literal: str, flag: str, code: str
) -> None:
    """The row counts, its cost does not; the report says where and why."""
    path = shelf.write(with_literal(changed(4, usage={field: "@@"}), literal))
    report = shelf.take(path)
    body = shelf.bodies("attempt.reported")[4]
    assert body["usage"][field] is None
    assert body["flags"] == [flag]
    (problem,) = report.problems
    assert (problem.code, problem.pointer) == (code, f"/runs/4/usage/{field}")
    assert problem.place == f"{path}#/runs/4/usage/{field}"
    assert problem.message.startswith(f"{problem.place}: got ")
    assert report.quarantined == 0


FLAGGED: list[tuple[str, Document]] = [
    ("category_not_a_word", {"reward": 0, "verification": None, "failure_category": "x" * 65}),
    ("category_not_a_word", {"failure_category": "two\nlines"}),
    ("category_not_a_word", {"failure_category": ""}),
    ("category_not_a_word", {"failure_category": "half \ud800"}),
    ("category_not_a_word", {"failure_category": "e\u0301"}),
    (
        "category_not_a_word",
        {"verification": {"after_agent_timeout": {"failure_category": "\x7f"}}},
    ),
    ("duration_over_timeout", {"agent_duration_seconds": 601}),
    ("duration_over_timeout", {"agent_duration_seconds": 600.5}),
    ("failed_without_category", {"reward": 0, "verification": None}),
    ("finished_before_started", {"finished_at": "2026-02-28T10:00:59Z"}),
    ("finished_before_started", {"agent_duration_seconds": -1}),
    ("reward_contradicts_phases", {"verification": {"host_reboot": False}}),
    (
        "reward_contradicts_phases",
        {
            "reward": 0,
            "failure_category": "x",
            "verification": {
                "immediate_http": 1 == 1,
                "service_restart": True,
                "host_reboot": True,
            },
        },
    ),
    ("source_ambiguous", {"model": "maker/unheard-of"}),
    ("source_ambiguous", {"started_at": "2026-02-28T09:59:57Z"}),
    ("source_ambiguous", {"attempt": 4}),
    (
        "spend_on_unavailable",
        {
            "trial_status": "unavailable",
            "failure_category": "x",
            "recording": None,
            "usage": {"cost_usd": 0.5},
        },
    ),
    (
        "unavailable_after_progress",
        {"trial_status": "unavailable", "failure_category": "x", "usage": None},
    ),
    (
        "unavailable_after_progress",
        {
            "trial_status": "unavailable",
            "failure_category": "x",
            "recording": None,
            "usage": {"output_tokens": 1},
        },
    ),
    (
        "unavailable_without_category",
        {"trial_status": "unavailable", "usage": None, "recording": None},
    ),
    ("zero_cost_nothing_ran", {"usage": {"cost_usd": 0, "input_tokens": 0}}),
]


@pytest.mark.parametrize(("flag", "fields"), FLAGGED)
def test_an_odd_row_is_kept_and_flagged(
    shelf: Any, changed: Change, flag: str, fields: Document
) -> None:
    """Each oddity has its flag, alone where it stands alone."""
    report = shelf.take(changed(0, **fields))
    assert shelf.bodies("attempt.reported")[0]["flags"] == [flag]
    assert flag in {found.flag for found in report.flags}
    assert report.quarantined == 0


NOT_FLAGGED: list[Document] = [
    {"agent_duration_seconds": 600},
    {"agent_duration_seconds": 600.0},
    {"agent_duration_seconds": None},
    {"finished_at": "2026-02-28T10:01:00Z"},
    {"verification": {"host_reboot": None}},
    {"verification": {"after_agent_timeout": {"durable_repair": True, "failure": "late"}}},
    {"usage": {"cost_usd": 0, "input_tokens": 12}},
    {"usage": {"cost_usd": None, "input_tokens": 0}},
    {"usage": None, "recording": None},
    {"agent_timeout_seconds": None},
    {
        "trial_status": "unavailable",
        "failure_category": "x",
        "usage": {"cost_usd": 0, "input_tokens": 5, "output_tokens": 0},
        "recording": {"model_rounds": 1, "tool_calls": 0},
    },
    {"failure": "some prose of a row that passed"},
]


@pytest.mark.parametrize("fields", NOT_FLAGGED)
def test_what_is_not_odd_has_no_flag(shelf: Any, changed: Change, fields: Document) -> None:
    """At the edge of each rule."""
    assert row_of(shelf, changed(0, **fields))["flags"] == []


def test_flags_are_sorted_and_stand_once(shelf: Any, changed: Change) -> None:
    """A row may be odd in many ways."""
    fields: Document = {
        "trial_status": "unavailable",
        "model": "maker/unheard-of",
        "finished_at": "2026-02-28T10:00:00Z",
        "agent_duration_seconds": -5,
        "usage": {"cost_usd": 1, "output_tokens": 3},
    }
    assert row_of(shelf, changed(0, **fields))["flags"] == [
        "finished_before_started",
        "source_ambiguous",
        "spend_on_unavailable",
        "unavailable_after_progress",
        "unavailable_without_category",
    ]


def test_fractions_of_seconds_and_offsets_are_read(shelf: Any, changed: Change) -> None:
    """A time with its offset is the same instant in UTC."""
    body = row_of(shelf, changed(0, started_at="2026-02-28T11:01:00.5+01:00"))
    assert body["started_at"] == "2026-02-28T10:01:00.500000Z"


def test_names_of_any_script_are_read(shelf: Any, changed: Change) -> None:
    """One line of NFC is a name."""
    assert row_of(shelf, changed(0, model="作者/模型-é"))["model"] == "作者/模型-é"


def test_whole_numbers_may_have_a_point(shelf: Any, changed: Change) -> None:
    """3.0 is 3, exactly."""
    document = changed(0, reward="@@", usage={"input_tokens": 12.0})
    body = row_of(shelf, with_literal(document, "1.0"))
    assert (body["reward"], body["usage"]["input_tokens"]) == (1, 12)
