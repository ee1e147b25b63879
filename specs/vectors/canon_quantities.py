"""The vectors of exact quantities and times."""

from typing import Any

Vector = dict[str, Any]

_FORTY = "1234567890" * 4


def _accepted(kind: str, name: str, clause: int, value: object, output: object) -> Vector:
    start = {"name": f"{kind}-{name}", "comment": _comment(value), "clause": f"CANON-{clause}"}
    verdict = {"expect": "accept", "code": None, "kind": kind}
    return start | verdict | {"input": value, "output": output}


def _refused(kind: str, name: str, clause: int, value: object, code: str) -> Vector:
    start = {"name": f"{kind}-{name}", "comment": _comment(value), "clause": f"CANON-{clause}"}
    return start | {"expect": "refuse", "code": code, "kind": kind, "input": value}


def _comment(value: object) -> str:
    text = str(value)
    return text if len(text) <= 48 else f"{text[:24]}… of {len(text)} characters"


def quantities() -> list[Vector]:
    """Return the vectors of CANON-32 to CANON-35."""
    return [*_decimals(), *_numbers(), *_quotients()]


def _decimals() -> list[Vector]:
    good, bad = _accepted, _refused
    spellings = {
        "plus": "+1",
        "leading-zero": "01",
        "trailing-zero": "1.50",
        "trailing-zero-of-whole": "1.0",
        "negative-zero": "-0",
        "no-whole-part": ".5",
        "no-decimals": "1.",
        "exponent": "1e3",
        "space": " 1",
        "line-end": "1\n",
        "empty": "",
        "sign-alone": "-",
        "underscore": "1_000",
        "arabic-digits": "\u0661",
        "infinity": "Infinity",
        "comma": "1,5",
    }
    return [
        *(
            good("decimal", f"accepted-{number}", 32, text, text)
            for number, text in enumerate(("0", "7", "-7", "10", "0.5", "-0.05", "1234567890.123"))
        ),
        *(bad("decimal", name, 32, text, "E_DECIMAL") for name, text in spellings.items()),
        good("decimal", "40-digits", 34, _FORTY[:-1] + "1", _FORTY[:-1] + "1"),
        good("decimal", "highest-place", 34, "1" + "0" * 103, "1" + "0" * 103),
        good("decimal", "lowest-place", 34, "0." + "0" * 102 + "1", "0." + "0" * 102 + "1"),
        bad("decimal", "41-digits", 34, "1" * 41, "E_NUMBER_RANGE"),
        bad("decimal", "41-digits-with-zeros", 34, "1." + "0" * 39 + "1", "E_NUMBER_RANGE"),
        bad("decimal", "place-104", 34, "1" + "0" * 104, "E_NUMBER_RANGE"),
        bad("decimal", "place-minus-104", 34, "0." + "0" * 103 + "1", "E_NUMBER_RANGE"),
    ]


def _numbers() -> list[Vector]:
    good, bad = _accepted, _refused
    readings = {
        "zero": ("0", "0"),
        "negative-zero": ("-0", "0"),
        "zero-with-decimals": ("-0.000", "0"),
        "integer": ("120", "120"),
        "decimals": ("1.50", "1.5"),
        "whole-with-decimals": ("2.00", "2"),
        "exponent": ("1e3", "1000"),
        "exponent-capital-plus": ("1E+3", "1000"),
        "exponent-negative": ("-12.5e-3", "-0.0125"),
        "exponent-moves-point": ("1.25e1", "12.5"),
        "exponent-with-zeros": ("1e007", "10000000"),
        "no-float-has-it": ("0.1", "0.1"),
        "beyond-float": ("9007199254740993.0000001", "9007199254740993.0000001"),
        "of-a-float": ("0.000021000000000000002", "0.000021000000000000002"),
    }
    other = {
        "plus": "+1",
        "leading-zero": "01",
        "no-whole-part": ".5",
        "no-decimals": "1.",
        "no-exponent": "1e",
        "nan": "NaN",
        "infinity": "-Infinity",
        "hexadecimal": "0x10",
        "space": "1 ",
        "line-end": "1\n",
        "empty": "",
        "true": "true",
    }
    return [
        *(good("number", name, 33, text, output) for name, (text, output) in readings.items()),
        *(bad("number", name, 33, text, "E_NUMBER") for name, text in other.items()),
        good("number", "40-digits", 34, _FORTY + "e0", _FORTY),
        good("number", "exponent-64", 34, "1e64", "1" + "0" * 64),
        good("number", "exponent-minus-64", 34, "1e-64", "0." + "0" * 63 + "1"),
        good("number", "largest", 34, "9" * 40 + "e64", "9" * 40 + "0" * 64),
        good("number", "finest", 34, f"0.{'0' * 38}1e-64", "0." + "0" * 102 + "1"),
        bad("number", "41-digits", 34, "1" * 41, "E_NUMBER_RANGE"),
        bad("number", "41-digits-all-zero", 34, "0." + "0" * 40, "E_NUMBER_RANGE"),
        bad("number", "exponent-65", 34, "1e65", "E_NUMBER_RANGE"),
        bad("number", "exponent-minus-65", 34, "1e-65", "E_NUMBER_RANGE"),
        bad("number", "exponent-bomb", 34, "1e999999999", "E_NUMBER_RANGE"),
        bad("number", "exponent-of-zero", 34, "0e65", "E_NUMBER_RANGE"),
        bad("number", "exponent-long", 34, "1e" + "9" * 5000, "E_NUMBER_RANGE"),
    ]


def _quotients() -> list[Vector]:
    good = _accepted
    wide = 2**63
    forms: dict[str, tuple[Any, str]] = {
        "whole": ("3", "3/1"),
        "ends": ("0.375", "3/8"),
        "negative": ("-0.2", "-1/5"),
        "zero": ("0", "0/1"),
        "does-not-end": ([1, 3], "1/3"),
        "negative-pair": ([-2, 7], "-2/7"),
        "improper": ([22, 7], "22/7"),
        "wide-denominator": ([1, str(3 * wide)], f"1/{3 * wide}"),
        "wide-numerator": ([str(wide), 3], f"{wide}/3"),
        "narrow-numerator": ([-wide, 3], f"{-wide}/3"),
        "ends-too-late": ([1, str(2**104)], f"1/{2**104}"),
        "too-many-digits": ([str(10**41 + 1), 10], f"{10**41 + 1}/10"),
    }
    faults: dict[str, object] = {
        "not-reduced": [2, 6],
        "pair-that-ends": [1, 2],
        "pair-of-whole": [3, 1],
        "denominator-0": [1, 0],
        "denominator-negative": [1, -3],
        "text-within-int64": ["1", 3],
        "wide-integer": [wide, 3],
        "text-with-zero": ["0" + str(wide), 3],
        "three-parts": [1, 3, 1],
        "one-part": [1],
        "integer-alone": 3,
        "true-as-part": [True, 3],
        "null-as-part": [None, 3],
    }
    long = "1" + "0" * 639
    return [
        *(good("quotient", name, 35, form, output) for name, (form, output) in forms.items()),
        *(_refused("quotient", name, 35, form, "E_QUOTIENT") for name, form in faults.items()),
        _refused("quotient", "text-not-canonical", 32, "0.50", "E_DECIMAL"),
        good("quotient", "640-digits", 34, [long, 3], f"{long}/3"),
        _refused("quotient", "641-digits", 34, [long + "0", 3], "E_NUMBER_RANGE"),
    ]


def times() -> list[Vector]:
    """Return the vectors of CANON-36 to CANON-38."""
    good, bad = _accepted, _refused
    readings = {
        "utc": ("2024-02-29T12:00:00Z", "2024-02-29T12:00:00.000000Z"),
        "milliseconds": ("2024-02-29T12:00:00.250Z", "2024-02-29T12:00:00.250000Z"),
        "microseconds": ("2024-02-29T12:00:00.000001Z", "2024-02-29T12:00:00.000001Z"),
        "zeros-after-six": ("2024-02-29T12:00:00.123456000Z", "2024-02-29T12:00:00.123456Z"),
        "offset": ("2024-02-29T12:00:00+02:00", "2024-02-29T10:00:00.000000Z"),
        "offset-over-midnight": ("2024-02-29T23:30:00.5-05:30", "2024-03-01T05:00:00.500000Z"),
        "offset-zero": ("2024-02-29T12:00:00+00:00", "2024-02-29T12:00:00.000000Z"),
        "offset-unknown": ("2024-02-29T12:00:00-00:00", "2024-02-29T12:00:00.000000Z"),
        "space-and-small-letters": ("2024-02-29 12:00:00z", "2024-02-29T12:00:00.000000Z"),
        "first-year": ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"),
        "last-moment": ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
    }
    canonical = {
        "no-decimals": "2024-02-29T12:00:00Z",
        "milliseconds": "2024-02-29T12:00:00.250Z",
        "offset-zero": "2024-02-29T12:00:00.000000+00:00",
        "offset": "2024-02-29T12:00:00.000000+02:00",
        "small-z": "2024-02-29T12:00:00.000000z",
        "space": "2024-02-29 12:00:00.000000Z",
        "no-leap-year": "2023-02-29T12:00:00.000000Z",
        "month-13": "2024-13-01T12:00:00.000000Z",
        "hour-24": "2024-02-29T24:00:00.000000Z",
        "leap-second": "2016-12-31T23:59:60.000000Z",
        "year-0": "0000-01-01T00:00:00.000000Z",
        "line-end": "2024-02-29T12:00:00.000000Z\n",
        "arabic-digits": "\u0662024-02-29T12:00:00.000000Z",
    }
    foreign = {
        "date-alone": "2024-02-29",
        "no-seconds": "2024-02-29T12:00Z",
        "basic-form": "20240229T120000Z",
        "offset-without-colon": "2024-02-29T12:00:00+0200",
        "offset-24": "2024-02-29T12:00:00+24:00",
        "offset-minute-60": "2024-02-29T12:00:00+01:60",
        "no-decimals-after-point": "2024-02-29T12:00:00.Z",
        "comma": "2024-02-29T12:00:00,5Z",
        "leap-second": "2016-12-31T23:59:60Z",
        "hour-24": "2024-02-29T24:00:00Z",
        "before-year-1": "0001-01-01T00:00:00+01:00",
        "after-year-9999": "9999-12-31T23:59:59-01:00",
        "epoch": "1709208000",
    }
    whole = "2024-02-29T12:00:00.000000Z"
    fine, finer = "2024-02-29T12:00:00.1234567Z", "2024-02-29T12:00:00.000000001Z"
    return [
        good("canonical", "whole", 36, whole, whole),
        good("canonical", "last", 36, "9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
        *(bad("canonical", name, 36, text, "E_INSTANT") for name, text in canonical.items()),
        *(good("foreign", name, 36, text, output) for name, (text, output) in readings.items()),
        *(bad("foreign", name, 36, text, "E_INSTANT") for name, text in foreign.items()),
        bad("foreign", "naive", 37, "2024-02-29T12:00:00.5", "E_INSTANT_NAIVE"),
        bad("foreign", "naive-with-space", 37, "2024-02-29 12:00:00", "E_INSTANT_NAIVE"),
        bad("foreign", "seventh-decimal", 38, fine, "E_INSTANT_PRECISION"),
        bad("foreign", "ninth-decimal", 38, finer, "E_INSTANT_PRECISION"),
    ]
