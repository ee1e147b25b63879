"""Words for people: safe for terminals, plain where nobody wants colour, no markup from data."""

import io
import json
import shlex
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cli.boards import print_attempts, print_board
from cli.tables import Column, Group, grouped, table
from cli.text import (
    command_lines,
    count,
    emit,
    note,
    paint,
    pairs,
    prose,
    safe,
    short,
    warn,
)
from cli.text import (
    shown as shown_value,
)


@pytest.fixture(autouse=True)
def no_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no setting of whoever runs the tests tell how wide text is."""
    monkeypatch.delenv("COLUMNS", raising=False)


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


@given(st.text(st.characters(exclude_categories=[])))
@example("\x1b]0;owned\x07")
@example("\u202etxt.exe")
@example("\ud800")
@example("a\r\nb")
def test_safe_text_prints_as_one_line(text: str) -> None:
    """Whatever a file held, what is shown has no controls and can be encoded."""
    shown = safe(text)
    assert shown.isprintable()
    shown.encode()


@given(st.text(st.characters(categories=["L", "N", "P"])))
def test_safe_text_leaves_ordinary_text_alone(text: str) -> None:
    """Letters of any language stay what they are."""
    assert safe(text) == text


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, "\x1b[1mx\x1b[0m"),
        ({"NO_COLOR": "1"}, "x"),
        ({"NO_COLOR": ""}, "\x1b[1mx\x1b[0m"),
        ({"TERM": "dumb"}, "x"),
    ],
)
def test_colour_is_for_terminals_that_want_it(
    variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NO_COLOR takes it away, and so does a stream that is no terminal."""
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert paint("x", "1", Terminal()) == expected
    assert paint("x", "1", io.StringIO()) == "x"


def test_a_document_is_ascii_and_exact(capsys: pytest.CaptureFixture[str]) -> None:
    """JSON carries any text in characters that every terminal has, and never a NaN."""
    emit({"é": "\x1b\u202e\ud800"})
    out = capsys.readouterr().out
    assert out.isascii()
    assert json.loads(out) == {"é": "\x1b\u202e\ud800"}
    with pytest.raises(ValueError, match="not JSON compliant"):
        emit({"cost": float("nan")})


def test_counts_agree_with_their_nouns() -> None:
    """One event, several events; digests are cut with an ellipsis."""
    assert [count(0, "event"), count(1, "event"), count(1200, "event")] == [
        "0 events",
        "1 event",
        "1,200 events",
    ]
    assert short("ab" * 32) == "abababababab…"
    assert short(None) == "—"


def test_tables_take_no_markup_and_no_controls(capsys: pytest.CaptureFixture[str]) -> None:
    """A cell is text, also where it looks like markup, an emoji code or an escape sequence."""
    table([Column("name")], [["[bold]x[/bold] :smile: \x1b[31m"]])
    assert "[bold]x[/bold] :smile: \\x1b[31m" in capsys.readouterr().out


def test_tables_keep_within_their_width(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wide cells give way; those that must stay whole do; nothing is lost by folding."""
    monkeypatch.setenv("COLUMNS", "60")
    columns = [Column("id", whole=True), Column("text"), Column("cut", cut=True)]
    grouped(columns, [Group("first", [["att-12345678", "x" * 80, "y" * 80]]), Group("second", [])])
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 60
    assert out.count("x") == 80 + "text".count("x")
    assert out.count("y") < 80
    assert "att-12345678" in out
    assert all(line == line.rstrip() for line in out.splitlines())


ROW: dict[str, Any] = {
    "agent": "a",
    "model": "m",
    "reasoning_effort": None,
    "attempts": 3,
    "evaluated": 3,
    "unavailable": 0,
    "excluded": 0,
    "pending": 0,
    "verified_repairs": 2,
    "pass_rate": "2/3",
    "evaluated_spend_usd": "0.30",
    "evaluated_cost_reported": 2,
    "evaluated_cost_missing": 1,
    "cost_status": "lower_bound",
    "unavailable_spend_usd": None,
    "unavailable_cost_missing": 0,
    "excluded_spend_usd": None,
    "excluded_cost_missing": 0,
    "subscription_usage_usd": None,
    "figure_prefix": "system/*/task/*/",
    "price_per_durable_repair_usd": "0.15",
    "price_is_lower_bound": True,
    "median_evaluated_duration_s": None,
    "failure_categories": {"<null>": 1},
    "unavailable_categories": {},
    "flags": ["cost_lower_bound"],
}


def board(totals: dict[str, Any] | None, *systems: dict[str, Any]) -> dict[str, Any]:
    """Return a leaderboard of one cohort."""
    tables = {"totals": totals, "by_model": [*systems], "by_scenario_model": []}
    odd: dict[str, Any] = {"release_flags": [], "names_alike": []}
    return {**tables, "cohorts": [{"cohort": None, **tables}], **odd}


def shown(capsys: pytest.CaptureFixture[str], **changes: Any) -> str:
    """Return the line of one system in a leaderboard."""
    print_board(board(None, ROW | changes))
    return next(one for one in capsys.readouterr().out.splitlines() if one.startswith("a m "))


def test_a_lower_bound_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    """Where a cost is missing, price and spend are at least what is shown."""
    line = shown(capsys)
    assert "≥ 0.1500" in line
    assert "≥ 0.3000" in line


@pytest.mark.parametrize(
    ("changes", "price"),
    [
        ({"price_per_durable_repair_usd": None, "price_is_lower_bound": None}, "unknown"),
        (
            {
                "price_per_durable_repair_usd": None,
                "price_is_lower_bound": None,
                "verified_repairs": 0,
            },
            "—",
        ),
        ({"price_per_durable_repair_usd": "0", "price_is_lower_bound": False}, "0"),
        ({"price_per_durable_repair_usd": "0.0000012", "price_is_lower_bound": False}, "1.2e-6"),
        ({"price_per_durable_repair_usd": "0.123456", "price_is_lower_bound": False}, "0.1235"),
    ],
)
def test_prices_that_are_not_known_are_never_zero(
    changes: dict[str, Any], price: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unknown, not applicable, free and very cheap are four different things."""
    assert f" {price} " in shown(capsys, **changes)


def test_a_board_says_what_it_counts_over(capsys: pytest.CaptureFixture[str]) -> None:
    """Below the table stand the denominator, exclusions and the state of the cost."""
    print_board(board(ROW, ROW))
    out = capsys.readouterr().out
    assert "over 3 evaluated of 3 attempts; 0 unavailable, 0 excluded, 0 pending." in out
    assert "Cost lower_bound: of evaluated attempts, 2 report one and 1 do not" in out
    assert "Failed: <null> 1." in out
    assert "Flags of a m: cost_lower_bound." in out
    assert "≥ marks what is at least that much" in out
    assert "— stands where there is nothing to count" in " ".join(out.split())


def test_marks_are_explained_where_they_are_used(capsys: pytest.CaptureFixture[str]) -> None:
    """A table without them says nothing about them."""
    known = {
        "price_is_lower_bound": False,
        "evaluated_cost_missing": 0,
        "median_evaluated_duration_s": "3",
    }
    print_board(board(ROW | known, ROW | known))
    out = capsys.readouterr().out
    assert "≥" not in out
    assert "—" not in out
    nothing = {"pass_rate": None, "evaluated": 0, "verified_repairs": 0}
    print_board(board(ROW | known, ROW | known | nothing))
    assert "— stands where there is nothing to count." in capsys.readouterr().out


def test_systems_with_the_same_flags_share_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    """What is said of several systems is said once."""
    others = [ROW | {"agent": name} for name in ("b", "c")]
    print_board(board(ROW, ROW, *others, ROW | {"agent": "d", "flags": ["cost_unknown"]}))
    flags = [one for one in capsys.readouterr().out.splitlines() if one.startswith("Flags of ")]
    assert flags == [
        "Flags of a m, b m, c m: cost_lower_bound.",
        "Flags of d m: cost_unknown.",
    ]


def test_spend_beside_the_price_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Of unavailable and excluded attempts, at least that much where some is missing, and usage."""
    changes = {
        "unavailable_spend_usd": "0.5",
        "unavailable_cost_missing": 1,
        "excluded_spend_usd": "0.25",
        "subscription_usage_usd": "1.5",
    }
    print_board(board(ROW | changes, ROW))
    said = "≥ 0.5000 on unavailable attempts, 0.2500 on excluded attempts, 1.5000 of subscription"
    out = " ".join(capsys.readouterr().out.split())
    assert f"Spend beside it, USD: {said} usage." in out


def test_prose_keeps_within_the_columns_that_there_are(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sentences break between words, also in values, warnings and hints; words stay whole."""
    monkeypatch.setenv("COLUMNS", "40")
    words = " ".join(["word"] * 30)
    prose(words, "    ", "  - ")
    pairs([("name", words)])
    note(words)
    warn(words)
    out, err = capsys.readouterr()
    for text in (out, err):
        assert text.count("word") == 60
        assert max(map(len, text.splitlines())) <= 40
    prose("x" * 80)
    assert capsys.readouterr().out == "x" * 80 + "\n"
    print_board(board(ROW, ROW))
    foot = capsys.readouterr().out.partition("Repairs are")[2].partition("What the repairs")[0]
    assert max(map(len, foot.splitlines())) <= 40


def test_a_long_command_is_broken_before_options() -> None:
    """A shell takes its lines as one: never inside quotes, and none too long without need."""
    command = """coldledger exclude --target a --reason 'it -is so' --why 'it'"'"'s -x' --key k"""
    lines = command_lines(command, 36, "    ")
    assert lines == [
        "coldledger exclude --target a \\",
        "    --reason 'it -is so' \\",
        """    --why 'it'"'"'s -x' --key k""",
    ]
    assert shlex.split("\n".join(lines).replace("\\\n", "")) == shlex.split(command)
    assert command_lines(command, 200, "") == [command]


def test_a_value_that_is_none_is_a_dash() -> None:
    """No Python shows through."""
    assert (shown_value(None), shown_value(0), shown_value("a\x1b")) == ("—", "0", "a\\x1b")


def test_cohorts_are_kept_apart(capsys: pytest.CaptureFixture[str]) -> None:
    """Different conditions give different tables, and no total over them."""
    tables = {"totals": ROW, "by_model": [ROW], "by_scenario_model": []}
    cohorts = [{"cohort": name, **tables} for name in ("0123", "4567")]
    print_board({**board(None), "cohorts": cohorts}, tasks=True)
    out = capsys.readouterr().out
    assert out.startswith("2 cohorts ran under different conditions and are not compared.\n")
    assert out.count("all systems") == 2


def test_no_attempts_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """An empty list is not an empty table."""
    print_attempts([])
    assert capsys.readouterr().out == "no attempts\n"
