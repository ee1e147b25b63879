"""Quantities at the limits of what a source may report go through every command that prints."""

import json
from collections.abc import Iterator
from decimal import Decimal
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from cli_place import KEY, TRUST, Run

from cli import samples

VERSION = "20260909.0.0"
EXTREMES = (
    "1e64",
    "1e-64",
    "9.999999999999999999999999999999999999999e64",
    "1." + "0" * 38 + "1",
    "1" + "0" * 38 + "1",
    "0.000049999999999999999999999999999999999",
    "1e-64",
    "0",
    "123456789012345.67895",
)
COMMANDS = (
    ("status",),
    ("log", "--all"),
    ("attempts",),
    ("attempts", "--edition", VERSION),
    ("leaderboard",),
    ("leaderboard", "--edition", VERSION, "--tasks"),
    ("explain", f"{VERSION}:system/*/task/*/passed"),
    ("explain", f"{VERSION}:"),
    ("replay",),
    ("replay", "--check"),
)


@pytest.fixture
def release(place: Path) -> Path:
    """Return a file whose rows report extreme durations and costs."""
    source: Any = json.loads(
        max(samples.files().values(), key=lambda data: len(json.loads(data)["runs"]))
    )
    source["version"] = VERSION
    values: Iterator[str] = cycle(EXTREMES)
    changed = 0
    for row in source["runs"]:
        row["agent_duration_seconds"] = f"@{next(values)}@"
        if row.get("usage"):
            row["usage"]["cost_usd"] = f"@{next(values)}@"
        changed += 1
    assert changed > len(EXTREMES)
    path = place / "extreme.json"
    path.write_text(json.dumps(source).replace('"@', "").replace('@"', ""))
    return path


def test_every_command_prints_extreme_quantities(release: Path, run: Run) -> None:
    """For people and as JSON, frozen and verified too (CANON-34)."""
    made = run("import", release, "--json")
    assert (made.code, made.json["sources"][0]["quarantined"]) == (0, 0), made.out
    for command in COMMANDS:
        for words in (command, (*command, "--json")):
            ran = run(*words)
            assert ran.code == 0, (words, ran.err or ran.out)
    assert run("edition", "freeze", "wide", "--from", VERSION, "--key", KEY).code == 0
    assert run("edition", "export", "wide", "-o", "wide.bundle", "--key", KEY).code == 0
    for words in (
        ("verify", "wide.bundle", "--trust", TRUST),
        ("show", "wide.bundle"),
        ("leaderboard", "--edition", "wide", "--tasks"),
        ("explain", "wide:"),
        ("restore", "wide.bundle", "--trust", TRUST, "--ledger", "again.db"),
    ):
        ran = run(*words)
        assert ran.code == 0, (words, ran.err)
    for as_json in ((), ("--json",)):
        assert run("diff", "spring.bundle", "wide.bundle", "--trust", TRUST, *as_json).code == 1


def test_a_large_amount_is_shown_as_a_power_of_ten(release: Path, run: Run) -> None:
    """A table with a hundred digits in a cell could not be read; JSON has them all."""
    run("import", release)
    rows = run("attempts", "--edition", VERSION, "--json").json
    amounts = [row["cost"]["usd"] for row in rows] + [
        row["phases"]["agent_execution"] for row in rows
    ]
    huge = [amount for amount in amounts if amount is not None and Decimal(amount) == 10**64]
    assert huge
    assert "1.0000e+64" in run("attempts", "--edition", VERSION).out
