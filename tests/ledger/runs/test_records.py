"""Lines of a run, read."""

import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.runs.fields import ALIASES, digest, text, whole
from ledger.runs.layout import MAX_LINE_BYTES
from ledger.runs.records import (
    LineFault,
    Pinned,
    derived,
    line_digest,
    read_line,
    recorded,
    reviewed,
    witnessed,
)
from ledger.runs.times import instant

NEW_YEAR = 1_767_225_600_000_000


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"{not json}\n", "not_json"),
        (b'{"a": 1} {"b": 2}\n', "not_json"),
        (b'{"a": NaN}\n', "not_json"),
        (b'{"a": ' + b"9" * 5_000 + b"}\n", "not_json"),
        (b"[1]\n", "not_an_object"),
        (b"null", "not_an_object"),
        (b'{"a": 1, "b": {"c": 2, "c": 3}}', "duplicate_name"),
        (b"\xff\xfe{\x00}\x00", "not_utf8"),
        (b'{"a":' + b"[" * 100_000, "too_deep"),
        (b'{"a":' + b"[" * 256 + b"]" * 256 + b"}", "too_deep"),
        (b'{"a":' + b'{"b":' * 256 + b"1" + b"}" * 257, "too_deep"),
        (b'{"a": 1e99999999999999999999}', "not_json"),
        (b'{"a": -1e-99999999999999999999}', "not_json"),
        (b" \r\n", "blank"),
        (b"", "blank"),
        (b'{"a": "' + b"x" * MAX_LINE_BYTES + b'"}', "too_long"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_line_that_is_no_record_is_named_by_one_word(line: bytes, fault: LineFault) -> None:
    """The same word whichever record was expected (RUN-30)."""
    assert read_line(line) == (None, fault)
    for read in (recorded, witnessed, reviewed, derived):
        assert read(line) == type(read(line))(fault=fault)


@pytest.mark.parametrize(
    "line",
    [
        b'{"a":' + b"[" * 255 + b"]" * 255 + b"}",
        b'{"a": [' + b"[]," * 1_000 + b"{}]}",
        b'{"a": "' + b"[" * 1_000 + b'\\"{{{\\\\", "b": ["' + b"]" * 300 + b'"]}',
    ],
)
def test_what_is_not_too_deep_is_read(line: bytes) -> None:
    """Brackets in texts, and beside each other, are no nesting (RUN-30)."""
    said, fault = read_line(line)
    assert fault is None
    assert said == json.loads(line)


def test_how_deep_is_too_deep_is_the_same_for_every_caller() -> None:
    """A verifier that stands deeper on its stack must read the same record (RUN-30)."""

    def from_below(depth: int) -> object:
        return from_below(depth - 1) if depth else [read_line(one) for one in lines]

    lines = [b'{"a":' + b"[" * depth + b"]" * depth + b"}" for depth in (255, 256, 800, 940)]
    assert from_below(400) == from_below(0)


def test_names_that_stand_twice_are_found_among_many() -> None:
    """In time that grows with their number, not with its square."""
    names = b", ".join(b'"%d": 1' % number for number in range(200_000))
    assert read_line(b'{"z": 1, ' + names + b', "z": 1}') == (None, "duplicate_name")


def test_numbers_are_read_as_they_are_written() -> None:
    """No float stands between the text and what is compared (RUN-30)."""
    said, fault = read_line(b'\xef\xbb\xbf{"a": 0.1, "b": 12345678901234567890}\r\n')
    assert fault is None
    assert said == {"a": Decimal("0.1"), "b": 12345678901234567890}


@pytest.mark.parametrize(
    ("value", "microseconds"),
    [
        ("2026-01-01T00:00:00Z", NEW_YEAR),
        ("2026-01-01t00:00:00z", NEW_YEAR),
        ("2026-01-01 00:00", NEW_YEAR),
        ("2026-01-01T00:00:00", NEW_YEAR),
        ("2026-01-01T01:00:00.000001+01:00", NEW_YEAR + 1),
        ("2026-01-01T05:30:00+0530", NEW_YEAR),
        ("2025-12-31T19:00:00-05", NEW_YEAR),
        ("2026-01-01T00:00:00,5Z", NEW_YEAR + 500_000),
        ("2026-01-01T00:00:00.0000001Z", NEW_YEAR + Fraction(1, 10)),
        (1_767_225_600, NEW_YEAR),
        ("1767225600", NEW_YEAR),
        ("1767225600.25", NEW_YEAR + 250_000),
        (Decimal("1767225600.000000125"), NEW_YEAR + Fraction(1, 8)),
        (Decimal("1.7672256E+9"), NEW_YEAR),
        (0, 0),
        (-1, -1_000_000),
    ],
)
def test_times_are_read_exactly(value: Any, microseconds: int | Fraction) -> None:
    """Numbers are seconds since 1970, texts have an offset or are UTC (RUN-32)."""
    assert instant(value) == microseconds


@pytest.mark.parametrize(
    "value",
    [
        None, True, False, "", " ", "now", "2026-01-01", "20260101T000000Z", "2026-02-30T00:00:00Z",
        "2026-01-01T24:00:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00+24:00",
        "2026-01-01T00:00:00+01:60", "2026-01-01T00:00:00 Z", " 2026-01-01T00:00:00Z", "١", "1_0",
        "nan", "inf", "1e99", "1e-999999", Decimal("1e999999999"), Decimal("1e-999999999"),
        10**30, "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", [], {},
    ],
)  # fmt: skip
def test_what_is_no_time_is_none(value: Any) -> None:
    """Truth values, dates without a time, and short texts that would fill the memory (RUN-32)."""
    assert instant(value) is None


@given(st.integers(-62_135_596_800_000_000, 253_402_300_799_999_999), st.integers(-23, 23))
def test_one_instant_has_one_value(microseconds: int, hours: int) -> None:
    """However it is written: as seconds, as text, in another offset (RUN-32)."""
    from datetime import UTC, datetime, timedelta, timezone

    at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=microseconds)
    seconds = Decimal(microseconds) / 10**6
    written: list[Any] = [at.isoformat(), at.isoformat().replace("+00:00", "Z"), seconds]
    written.append(f"{seconds:f}")
    if timedelta(days=1) < at - datetime.min.replace(tzinfo=UTC) and at.year < 9999:
        written.append(at.astimezone(timezone(timedelta(hours=hours))).isoformat())
    assert {instant(one) for one in written} == {microseconds}


@pytest.mark.parametrize(
    ("value", "number"),
    [(7, 7), ("007", 7), ("-1", -1), (Decimal("5.0"), 5), (Decimal("1E+2"), 100), (0, 0),
     (True, None), ("1.0", None), ("", None), ("-", None), ("١", None), (Decimal("5.5"), None),
     (Decimal("1E+999999999"), None), (Decimal("1E-999999999"), None), (2**63, None),
     ("9" * 5_000, None), ([], None)],
)  # fmt: skip
def test_a_whole_number_is_read_as_digits_or_text(value: Any, number: int | None) -> None:
    """Digit strings count, a truth value and a fraction do not (RUN-32)."""
    assert whole(value) == number


def test_what_is_no_text_and_no_digest_is_nothing() -> None:
    """An empty text is none; a digest has 64 hexadecimal digits (RUN-32)."""
    assert (text("a"), text(""), text(" "), text(1)) == ("a", None, None, None)
    assert digest("ab" * 32) == digest("AB" * 32) == b"\xab" * 32
    spaced = "aaaa " * 12 + "aaaa"  # 64 characters, and fewer bytes than a digest has
    wrong = ("ab" * 31, "zz" * 32, " a" * 32, spaced, "é" * 64, None)
    assert [digest(one) for one in wrong] == [None] * 6


@pytest.mark.parametrize("field", sorted(ALIASES))
def test_the_first_name_that_is_there_holds_the_field(field: str) -> None:
    """A name with null is not there; one with another kind is, and is malformed (RUN-31)."""
    import json

    values: dict[str, Any] = {"tick": 3, "seq": 3, "at": 3}
    names = ALIASES[field]
    for first, name in enumerate(names):
        said = dict.fromkeys(names[:first]) | {name: values.get(field, "x")}
        said |= {later: values.get(field, "y") for later in names[first + 1 :]}
        read = witnessed(json.dumps(said).encode())
        expected: Any = 3_000_000 if field == "at" else 3 if field in values else "x"
        assert getattr(read, field) == expected
    wrong = witnessed(json.dumps({names[0]: [], names[1]: values.get(field, "x")}).encode())
    assert getattr(wrong, field) is None
    assert names[0] in wrong.malformed


def test_a_record_of_each_family() -> None:
    """Fields that are absent are None, and the whole object is kept (RUN-33 to RUN-36)."""
    call = recorded(
        b'{"record": "call", "run_id": "r", "seq": 4, "call_id": "c1", "tool": "bash",'
        b' "arguments": {"a": 1.50}, "phase": "agent", "actor": "agent", "at": 1, "lab": "a"}'
    )
    assert (call.record, call.seq, call.call_id, call.tool) == ("call", 4, "c1", "bash")
    assert (call.at, call.instance, call.phase, call.actor) == (1_000_000, "a", "agent", "agent")
    assert str(call.arguments["a"]) == "1.50"
    assert (call.status, call.name, call.fault, call.malformed) == (None, None, None, ())
    assert call.raw["run_id"] == "r"
    seen = witnessed(
        b'{"type": "end", "time": 2, "sequence": 9, "ready": true, "source_sha256": 1}'
    )
    assert (seen.event, seen.at, seen.literal_at) == ("end", 2_000_000, None)
    assert (seen.seq, seen.literal_seq, seen.malformed) == (9, None, ("source_sha256",))
    review = reviewed(b'{"id": "x.y", "status": "resolved", "by": "me", "evidence": ["a", " "]}')
    assert (review.id, review.status, review.by) == ("x.y", "resolved", "me")
    assert (review.at, review.evidence) == (None, ("a", " "))
    assert reviewed(b'{"evidence": ["a", 1]}').malformed == ("evidence",)
    pin = b'{"path": "a", "sha256": "' + b"0" * 64 + b'"}'
    made = derived(b'{"output": ' + pin + b', "inputs": [' + pin + b'], "tool": "t"}')
    assert (made.output, made.inputs) == (Pinned("a", bytes(32)), (Pinned("a", bytes(32)),))
    assert derived(b'{"output": {}, "inputs": [' + pin + b", 1]}").malformed == ("output", "inputs")


def test_lines_are_hashed_without_their_end() -> None:
    """As references name them (RUN-37)."""
    assert line_digest(b"{}\n") == line_digest(b"{}\r\n") == line_digest(b"{}")
    assert line_digest(b"{}\r\r\n") != line_digest(b"{}")
