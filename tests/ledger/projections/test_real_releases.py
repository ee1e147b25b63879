"""Three real releases, read by the importer: every figure that an exact recomputation gives."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, get_args

import pytest

from ledger.events import Observation
from ledger.events.observed import RowFlag
from ledger.importers import import_file
from ledger.projections import Attempts, View, empty, figures, fold
from ledger.report import attempts, explanation, leaderboard
from ledger.rules import parse_policy, shipped

POLICY = parse_policy(shipped()["status/replaybook"])
VERSIONS = ("20260810.0.0", "20260820.0.0", "20260822.0.2")
TABLES = {
    "by_model": ("agent", "model", "reasoning_effort"),
    "by_scenario_model": ("scenario", "scenario_version", "agent", "model", "reasoning_effort"),
}
# Oddities of single rows, which the recomputation does not look at.
ROW_FLAGS = set(get_args(RowFlag)) - {"duration_over_timeout", "spend_on_unavailable"}


class Memory:
    """A ledger in memory, as far as an import needs one; also its own transaction."""

    def __init__(self) -> None:
        self.events: list[Observation] = []

    @property
    def size(self) -> int:
        """Number of the next event."""
        return len(self.events)

    def seq_of(self, key: str) -> int | None:
        """Return None: nothing here was imported before."""

    def known(self, keys: Sequence[str]) -> dict[str, int]:
        """Return no identities."""
        return {}

    def identities(self, kind: str | None = None) -> Iterator[tuple[str, int]]:
        """Yield no identities."""
        yield from ()

    def append(
        self, event: Observation, blobs: Mapping[str, bytes] | None = None, **_: object
    ) -> int:
        """Append an event, without its blobs."""
        self.events.append(event)
        return len(self.events) - 1

    @contextmanager
    def batch(self, *, at: str, entropy: Callable[[int], bytes]) -> Iterator["Memory"]:
        """Give itself."""
        yield self


@pytest.fixture(scope="module")
def expected(shared: Path) -> dict[str, Any]:
    """Return the figures of each release."""
    found: dict[str, Any] = json.loads((shared / "data/replaybook/expected.json").read_text())
    return found["releases"]


@pytest.fixture(scope="module")
def state(shared: Path) -> Attempts:
    """Return the state after importing the three releases."""
    memory = Memory()
    for version in VERSIONS:
        import_file(
            memory,
            shared / "data/replaybook" / f"{version}.json",
            at="2026-08-23T00:00:00.000000Z",
            entropy=bytes,
        )
    return fold(empty(), enumerate(memory.events))


def same(one: object, two: object) -> bool:
    """Tell whether two values are equal, amounts to twelve places."""
    if one == two:
        return True
    try:
        off = Decimal(str(one)) - Decimal(str(two))
    except (InvalidOperation, TypeError):
        return False
    return abs(off) <= Decimal("0.000000000001")


def compare(got: dict[str, Any], want: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that differ, with both values."""
    found = {
        name: (got.get(name), value)
        for name, value in want.items()
        if name != "flags" and not same(got.get(name), value)
    }
    if set(got["flags"]) - ROW_FLAGS != set(want["flags"]):
        found["flags"] = (got["flags"], want["flags"])
    return found


@pytest.mark.parametrize("version", VERSIONS)
def test_every_field(version: str, state: Attempts, expected: dict[str, Any]) -> None:
    """Totals and every row of both tables have every field of the recomputation."""
    board: dict[str, Any] = leaderboard(figures(state, [version], POLICY), POLICY)
    want = expected[version]
    assert compare(board["totals"], want["totals"]) == {}
    for table, key in TABLES.items():
        got = {tuple(row[name] for name in key): row for row in board[table]}
        assert len(got) == len(board[table]) == len(want[table])
        for row in want[table]:
            assert compare(got[tuple(row[name] for name in key)], row) == {}


def test_three_cohorts(state: Attempts, expected: dict[str, Any]) -> None:
    """The three share no table; each of their totals is that of the release alone."""
    view = View(state, (), POLICY)
    assert len(view.cohorts) == 3
    board: dict[str, Any] = leaderboard(view.figures(), POLICY)
    assert board["totals"] is None
    totals = [cohort["totals"]["verified_repairs"] for cohort in board["cohorts"]]
    wanted = [expected[version]["totals"]["verified_repairs"] for version in VERSIONS]
    assert sorted(totals) == sorted(wanted)


def test_importing_again_changes_nothing(state: Attempts, shared: Path) -> None:
    """A second source of the same rows, in place of the first, gives the same figures."""
    memory = Memory()
    path = shared / "data/replaybook" / f"{VERSIONS[0]}.json"
    for _ in range(2):
        import_file(memory, path, at="2026-08-23T00:00:00.000000Z", entropy=bytes)
    half = len(memory.events) // 2
    first, second = memory.events[0], memory.events[half]
    fields = {name: getattr(first, name) for name in first.__struct_fields__}
    memory.events[half] = type(second)(**fields | {"supersedes": 0})
    again = fold(empty(), enumerate(memory.events))
    assert len(again.latest) == 45
    assert figures(again, (), POLICY) == figures(state, [VERSIONS[0]], POLICY)


def test_list_and_explanation(state: Attempts) -> None:
    """Every attempt is listed, and a figure is told by as many rows as it counts."""
    listed = attempts(state, ["20260810.0.0"], POLICY)
    assert len(listed) == 45
    assert sum(row["strict_pass"] is True for row in listed) == 39
    assert sum(row["strict_pass"] is None for row in listed) == 1
    view = View(state, ["20260810.0.0"], POLICY)
    document: dict[str, Any] = explanation(view, "system/*/task/*/passed")
    rows = [one for one in document["events"] if one["type"] == "attempt.reported/1"]
    assert (document["value"], len(rows)) == (39, 39)
