"""Running sums over the rows of a release, by system and scenario (IMPORT-21).

Sums of money are exact. Medians are only ever compared with numbers that went through binary64
at the source, so binary64 holds the values here, at eight bytes a row.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from decimal import Context, Decimal, Inexact
from operator import attrgetter
from typing import NamedTuple

from ledger.events import AttemptReported, Recording, Usage

# Amounts have at most 40 digits within 10^±103: 400 digits hold any sum of them exactly.
_EXACT = Context(prec=400, traps=[Inexact])
_NOTHING = Decimal(0)
RECORDED = (
    "model_rounds",
    "model_duration_seconds",
    "tool_calls",
    "tool_duration_seconds",
    "total_duration_seconds",
    "first_non_read_only_tool_seconds",
    "post_first_non_read_only_seconds",
)
COUNTED = (
    "trials",
    "evaluated",
    "unavailable",
    "passed",
    "failed",
    "cost_reported_trials",
    "usage_reported_trials",
    "durable_repairs_after_timeout",
    "subscription_usage_reported_trials",
    "recording_reported_trials",
)
TOKENS = ("input_tokens", "output_tokens", "cache_read_tokens")
_recorded: Callable[[Recording], tuple[str | int | None, ...]] = attrgetter(*RECORDED)


class CellKey(NamedTuple):
    """What the rows of a cell have in common; names are those of the source."""

    agent: str
    model: str
    reasoning_effort: str | None
    scenario: str
    scenario_version: int


class Cell:
    """Sums over some rows.

    Attributes:
        first: Index of the first row.
        numbers: Attempt numbers.
        counts: Counts by name, as the source names them.
        money: Exact sums by name.
        failures: Failed rows by category.
        missing: Unavailable rows by category.
        durations: Of the evaluated rows, seconds.
        recorded: What the recordings say, in the order of ``RECORDED``.
    """

    __slots__ = (
        "counts",
        "durations",
        "failures",
        "first",
        "missing",
        "money",
        "numbers",
        "recorded",
    )

    def __init__(self, first: int) -> None:
        self.first = first
        self.numbers: set[int] = set()
        self.counts = dict.fromkeys((*COUNTED, *TOKENS), 0)
        self.money: dict[str, Decimal] = {}
        self.failures: Counter[str | None] = Counter()
        self.missing: Counter[str | None] = Counter()
        self.durations = array("d")
        self.recorded = tuple(array("d") for _ in RECORDED)

    def add(self, row: AttemptReported) -> None:
        """Add a row."""
        counts = self.counts
        counts["trials"] += 1
        self.numbers.add(row.number)
        if row.status == "evaluated":
            counts["evaluated"] += 1
            if row.agent_duration_s is not None:
                self.durations.append(float(row.agent_duration_s))
            if row.reward:
                counts["passed"] += 1
            else:
                counts["failed"] += 1
                self.failures[row.failure_category] += 1
        else:
            counts["unavailable"] += 1
            self.missing[row.failure_category] += 1
        if row.usage is not None:
            self._add_usage(row.usage)
        if row.recording is not None:
            counts["recording_reported_trials"] += 1
            for values, value in zip(self.recorded, _recorded(row.recording), strict=True):
                if value is not None:
                    values.append(float(value))
        after = None if row.phases is None else row.phases.after_agent_timeout
        if after is not None and after.durable_repair:
            counts["durable_repairs_after_timeout"] += 1

    def absorb(self, other: "Cell") -> None:
        """Add what another cell holds."""
        self.first = min(self.first, other.first)
        self.numbers |= other.numbers
        for name, count in other.counts.items():
            self.counts[name] += count
        self.failures += other.failures
        self.missing += other.missing
        self.durations.extend(other.durations)
        for mine, its in zip(self.recorded, other.recorded, strict=True):
            mine.extend(its)
        for name, amount in other.money.items():
            self._pay(name, amount)

    def _add_usage(self, usage: Usage) -> None:
        counts = self.counts
        counts["usage_reported_trials"] += 1
        counts["input_tokens"] += usage.input_tokens or 0
        counts["output_tokens"] += usage.output_tokens or 0
        counts["cache_read_tokens"] += usage.cache_read_tokens or 0
        if usage.cost_usd is not None:
            counts["cost_reported_trials"] += 1
            self._pay("known_cost_usd", Decimal(usage.cost_usd))
        if usage.subscription_usage_usd is not None:
            counts["subscription_usage_reported_trials"] += 1
            self._pay("subscription_usage_usd", Decimal(usage.subscription_usage_usd))

    def _pay(self, name: str, amount: Decimal) -> None:
        self.money[name] = _EXACT.add(self.money.get(name, _NOTHING), amount)


class Tally:
    """Sums over the rows of a release.

    Attributes:
        cells: By system and scenario.
    """

    def __init__(self) -> None:
        self.cells: dict[CellKey, Cell] = {}
        self._indexes: dict[tuple[str, ...], dict[tuple[object, ...], list[Cell]]] = {}

    def add(self, row: AttemptReported, index: int) -> None:
        """Add the row that stands at *index*."""
        key = CellKey(
            row.agent, row.model, row.reasoning_effort, row.scenario, row.scenario_version
        )
        cell = self.cells.get(key)
        if cell is None:
            cell = self.cells[key] = Cell(index)
        cell.add(row)

    def total(self) -> Cell:
        """Return the sum over all rows."""
        return _sum(self.cells.values())

    def where(self, fields: dict[str, object]) -> Cell | None:
        """Return the sum over the cells whose key has these *fields*, None if none has.

        Call it once the last row was added.
        """
        names = tuple(fields)
        index = self._indexes.get(names)
        if index is None:
            index = self._indexes[names] = {}
            for key, cell in self.cells.items():
                place = tuple(getattr(key, name) for name in names)
                index.setdefault(place, []).append(cell)
        found = index.get(tuple(fields.values()))
        if found is None:
            return None
        if len(found) > 1:
            found[:] = [_sum(found)]
        return found[0]


def _sum(cells: Iterable[Cell]) -> Cell:
    total: Cell | None = None
    for cell in cells:
        if total is None:
            total = Cell(cell.first)
        total.absorb(cell)
    return Cell(0) if total is None else total
