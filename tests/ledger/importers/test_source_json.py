"""Reading foreign JSON: nothing lost, nothing guessed, and only refusals raised."""

import io
import json
import math
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canon.refusal import Refusal
from ledger.errors import JsonDepth, JsonDuplicateKey, JsonSyntax, JsonTruncated, SourceLimit
from ledger.importers.source_json import (
    DEPTH_LIMIT,
    NonFinite,
    Number,
    bytes_of,
    delimit,
    depth_of,
    kind_of,
    parse,
    text_of,
)
from ledger.importers.source_rows import Split

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters())
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def plain(value: Any) -> Any:
    """Return a parsed value as ``json.loads`` gives it."""
    match value:
        case Number(literal):
            return float(literal)
        case NonFinite(literal):
            return float(literal)
        case dict():
            return {key: plain(item) for key, item in value.items()}
        case list():
            return [plain(item) for item in value]
        case _:
            return value


@given(VALUES, st.sampled_from([None, 0, 1, "\t"]), st.booleans())
def test_a_valid_document_means_what_json_says(value: Any, indent: Any, ascii_: bool) -> None:
    """Whatever the layout and the spelling of its text."""
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_)
    data = text.encode("utf-8", "surrogatepass")
    assert plain(parse(text_of(data).encode("utf-8", "surrogateescape"), "x")) == json.loads(
        text_of(data)
    )


@given(st.binary(max_size=200))
def test_random_bytes_are_read_or_refused(data: bytes) -> None:
    """Nothing but a refusal is ever raised."""
    code = "E_JSON"
    try:
        parse(data, "x")
    except Refusal as refusal:
        code = refusal.code
    assert code.startswith("E_JSON")


@given(st.text(alphabet='{}[]",:0123456789.eE+-truefalsnNIiy\\ u\n', max_size=60))
def test_text_that_is_nearly_json_is_read_or_refused(text: str) -> None:
    """As Python's own reader decides, but for the keys that stand twice."""
    try:
        parse(text.encode(), "x")
    except JsonDuplicateKey:
        json.loads(text)
    except Refusal:
        with pytest.raises((ValueError, RecursionError)):
            json.loads(text)


@given(st.binary(max_size=100))
def test_bytes_become_text_and_back(data: bytes) -> None:
    """Invalid UTF-8 included."""
    assert bytes_of(text_of(data)) == data


@given(VALUES, st.integers(min_value=1, max_value=10))
def test_a_document_cut_short_is_called_so(value: Any, missing: int) -> None:
    """An object that lost its end is truncated, wherever the cut is."""
    text = json.dumps({"key": value})
    with pytest.raises(JsonTruncated):
        parse(text[:-missing].encode(), "x")


@pytest.mark.parametrize(
    "literal",
    ["0.1", "1e400", "-0.0", "12345678901234567890.5", "1E5", "0.30000000000000004"],
)
def test_numbers_stay_as_they_are_written(literal: str) -> None:
    """No amount passes through a float."""
    assert parse(literal.encode(), "x") == Number(literal)


@pytest.mark.parametrize("literal", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_are_none_are_kept_apart(literal: str) -> None:
    """They are only refused where a field is read that cannot be one."""
    assert parse(f"[{literal}]".encode(), "x") == [NonFinite(literal)]


@pytest.mark.parametrize("digits", [39, 640, 4_300, 4_301, 20_000])
def test_integers_of_any_length_are_read(digits: int) -> None:
    """Python converts no more than 4,300 digits; the rest stays text."""
    found = parse(b'{"a": {"b": ' + b"9" * digits + b"}}", "x")
    assert isinstance(found, dict)
    expected = 10**digits - 1 if digits <= 4_300 else Number("9" * digits)
    assert found["a"] == {"b": expected}


def test_a_long_integer_does_not_hide_a_key_that_stands_twice() -> None:
    """Reading again without conversion starts afresh."""
    with pytest.raises(JsonDuplicateKey):
        parse(b'[{"a": 1, "a": 2}, ' + b"9" * 5_000 + b"]", "x")


@pytest.mark.parametrize("text", ['{"a": 1, "a": 1}', '[{"b": {"a": 1, "\\u0061": 2}}]'])
def test_a_key_twice_is_refused(text: str) -> None:
    """However it is spelled and whatever its values."""
    with pytest.raises(JsonDuplicateKey) as caught:
        parse(text.encode(), "place")
    assert caught.value.place == "place"
    assert "'a'" in caught.value.got


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_nesting_has_a_limit(opening: str) -> None:
    """64 levels are read, 65 are not, and a million do not exhaust the stack."""
    closing = "]" if opening == "[" else "}"

    def nested(depth: int) -> bytes:
        return (opening * (depth - 1) + "[]" + closing * (depth - 1)).encode()

    assert depth_of(parse(nested(DEPTH_LIMIT), "x")) == DEPTH_LIMIT
    for depth in (DEPTH_LIMIT + 1, 900, 5_000):
        with pytest.raises(JsonDepth) as caught:
            parse(nested(depth), "x")
        assert caught.value.got == f"{depth} levels of nesting"
    with pytest.raises(JsonDepth):
        parse(opening.encode() * 50_000, "x")


def test_brackets_in_text_do_not_nest() -> None:
    """Only structure counts, whatever a text holds."""
    text = '"' + "[{" * 100 + '\\"]"'
    assert parse(f"[{text}]".encode(), "x") == [json.loads(text)]
    assert delimit(f'["[\\"[", {text}] tail', 0) == (len(f'["[\\"[", {text}]'), 1)


def test_a_byte_order_mark_is_passed_over() -> None:
    """UTF-8 with a mark is JSON to many writers."""
    assert parse(b"\xef\xbb\xbf {}", "x") == {}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32", "utf-32-be"])
def test_other_encodings_are_named(encoding: str) -> None:
    """The bytes are shown, not a guess."""
    with pytest.raises(JsonSyntax) as caught:
        parse('{"a": 1}'.encode(encoding), "x")
    assert caught.value.expected == "JSON in UTF-8"


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("[1,\n 2,\n x]", 3, 2), ("x", 1, 1), ("[1]\n\n]", 3, 1), ('{"a": 1,\r\n"b" 2}', 2, 5)],
)
def test_a_fault_has_line_and_column(text: str, line: int, column: int) -> None:
    """Counted from one, as editors do."""
    with pytest.raises(JsonSyntax) as caught:
        parse(text.encode(), "file")
    assert caught.value.place == f"file, line {line} column {column}"


@pytest.mark.parametrize(
    "text",
    ['"\\', '"\\u', '"\\u12', '"\\ud83d\\u', "[1.", "[1e", "[-", "[tru", "[Infin", '{"a":', "[1,"],
)
def test_cuts_inside_a_token_are_truncations(text: str) -> None:
    """The end is missing, which is not the same as being wrong."""
    with pytest.raises(JsonTruncated):
        parse(text.encode(), "x")


@pytest.mark.parametrize(
    "text", ['"\\x"', '"\\u12g4"', "[1.]", "[tru]", "{a", "[.5]", "[+1]", "[0x1]"]
)
def test_what_no_end_could_mend_is_wrong(text: str) -> None:
    """Whatever followed, it would not be JSON."""
    with pytest.raises(JsonSyntax):
        parse(text.encode(), "x")


def test_lone_surrogates_are_kept() -> None:
    """Escaped or as invalid bytes, they reach whoever reads the field."""
    assert parse(b'["\\ud800", "\xff"]', "x") == ["\ud800", "\udcff"]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "null"),
        (True, "true"),
        (12, "number 12"),
        (10**60, "a number of many digits"),
        (Number("1.5"), "number 1.5"),
        (Number("1" * 60), "a number of 60 characters"),
        (NonFinite("NaN"), "NaN"),
        ("a\n", "text 'a\\n'"),
        ([], "an array"),
        ({}, "an object"),
    ],
)
def test_a_kind_is_said_in_few_words(value: Any, said: str) -> None:
    """For messages; no value is ever repeated in full."""
    assert kind_of(value) == said


def test_plain_is_exact_enough_to_compare() -> None:
    """`plain` turns literals into what `json` makes of them."""
    assert plain([Number("0.1"), NonFinite("-Infinity")]) == [0.1, -math.inf]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("[" * 2_000 + '"' + '\\"' * 500_000, 2),
        ('["a", "' + '\\"' * 500_000 + '"]', 2),
        ("[" * 200_000 + '"\\' * 100_000, 2),
    ],
    ids=["open", "closed", "deep"],
)
def test_no_character_of_a_string_is_looked_at_twice(text: str, seconds: int) -> None:
    """Escaped quotes without an end once took the square of their number (IMPORT-43)."""
    begun = time.process_time()
    delimit(text, 0)
    assert time.process_time() - begun < seconds


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("[" + "[]," * (2**18 - 2) + "[]]", False),
        ("[" + "[]," * (2**18 - 1) + "[]]", True),
        ("{" + ",".join(f'"{n:06}":0' for n in range(2**18 - 1)) + "}", False),
        ("{" + ",".join(f'"{n:06}":0' for n in range(2**18)) + "}", True),
        ("[" + "0," * (2**20 - 2) + "0]", False),
        ("[" + "0," * (2**20 - 1) + "0]", True),
        ('["' + "[{:," * 2**19 + '"]', False),
    ],
)
def test_values_are_counted_before_they_are_made(text: str, refused: bool) -> None:
    """By the marks outside strings (IMPORT-43), whether the text stands alone or in a file."""
    for read in (parse, lambda data, place: list(Split(io.BytesIO(data), "runs", place))):
        data = (text if read is parse else f'{{"runs": [0], "x": {text}}}').encode()
        if refused:
            with pytest.raises(SourceLimit):
                read(data, "x")
        else:
            read(data, "x")
