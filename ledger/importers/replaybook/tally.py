"""Running sums over the rows of a release, by system and scenario (IMPORT-21).

Sums of money are exact. Of what only medians are asked of, whole billionths are kept, at eight
bytes a row: medians are compared with numbers that went through binary64 at the source.
"""

from array import array
from collections import Counter
from collections.abc import Iterable
from decimal import Context, Decimal, Inexact
from struct import Struct
from typing import Any, NamedTuple

from ledger.events import Recording

from .trial import OfUsage, Trial

# Amounts have at most 40 digits within 10^±103: 400 digits hold any sum of them exactly.
_EXACT = Context(prec=400, traps=[Inexact])
_NOTHING = Decimal(0)
_NONE = -(2**63)
_MOST = 2**63 - 1
_PLACES = 9
RECORDED = Recording.__struct_fields__
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
_SMALL = 2**16
_packed = Struct(f"{len(RECORDED)}q").pack


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
        numbers: Attempt numbers; those beyond 16 bits as bytes.
        repeated: Index of each row whose attempt number an earlier row has.
        limits: The agent's limit in seconds to how many rows state it and the first of them.
        counts: Counts by name, as the source names them.
        money: Exact sums by name.
        failures: Failed rows by category.
        missing: Unavailable rows by category.
        durations: Of the evaluated rows, billionths of a second.
    """

    __slots__ = (
        "_recorded",
        "counts",
        "durations",
        "failures",
        "first",
        "limits",
        "missing",
        "money",
        "numbers",
        "repeated",
    )

    def __init__(self, first: int) -> None:
        self.first = first
        self.numbers: set[int | bytes] = set()
        self.repeated: list[int] = []
        self.limits: dict[str, tuple[int, int]] = {}
        self.counts = dict.fromkeys((*COUNTED, *TOKENS), 0)
        self.money: dict[str, Decimal] = {}
        self.failures: Counter[str | None] = Counter()
        self.missing: Counter[str | None] = Counter()
        self.durations = array("q")
        # Row by row what the recordings say, in the order of `RECORDED`: one call adds a row.
        self._recorded = bytearray()

    def recorded(self, name: str) -> list[int]:
        """Return what the recordings say under a name of ``RECORDED``, in billionths."""
        values = memoryview(self._recorded).cast("q")[RECORDED.index(name) :: len(RECORDED)]
        return [value for value in values if value != _NONE]

    def add(self, trial: Trial, index: int) -> None:
        """Add the row that stands at *index*."""
        counts = self.counts
        counts["trials"] += 1
        # Python looks up integers by what they are, so large ones could be chosen to collide.
        number = trial.number if trial.number < _SMALL else trial.number.to_bytes(8, "big")
        if number in self.numbers:
            self.repeated.append(index)
        self.numbers.add(number)
        if trial.agent_timeout_s is not None:
            known, first = self.limits.get(trial.agent_timeout_s, (0, index))
            self.limits[trial.agent_timeout_s] = known + 1, first
        if trial.status == "evaluated":
            counts["evaluated"] += 1
            if trial.agent_duration_s is not None:
                self.durations.append(_billionths(trial.agent_duration_s))
            if trial.reward:
                counts["passed"] += 1
            else:
                counts["failed"] += 1
                self.failures[trial.failure_category] += 1
        else:
            counts["unavailable"] += 1
            self.missing[trial.failure_category] += 1
        if trial.usage is not None:
            self._add_usage(trial.usage)
        if trial.recording is not None:
            counts["recording_reported_trials"] += 1
            values = [
                _NONE if value is None else _billionths(str(value)) for value in trial.recording
            ]
            self._recorded += _packed(*values)
        if trial.after is not None and trial.after[0]:
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
        self._recorded.extend(other._recorded)
        for name, amount in other.money.items():
            self._pay(name, amount)

    def _add_usage(self, usage: OfUsage) -> None:
        counts = self.counts
        cost, tokens_in, tokens_out, _, cached, _, subscription = usage
        counts["usage_reported_trials"] += 1
        counts["input_tokens"] += tokens_in or 0
        counts["output_tokens"] += tokens_out or 0
        counts["cache_read_tokens"] += cached or 0
        if cost is not None:
            counts["cost_reported_trials"] += 1
            self._pay("known_cost_usd", Decimal(cost))
        if subscription is not None:
            counts["subscription_usage_reported_trials"] += 1
            self._pay("subscription_usage_usd", Decimal(subscription))

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

    def add(self, trial: Trial, index: int) -> None:
        """Add the row that stands at *index*."""
        # A plain tuple, which is quicker to make, finds what is kept under a named one.
        key: Any = (
            trial.agent, trial.model, trial.reasoning_effort, trial.scenario, trial.scenario_version
        )  # fmt: skip
        cell = self.cells.get(key)
        if cell is None:
            cell = self.cells[CellKey(*key)] = Cell(index)
        cell.add(trial, index)

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


def _billionths(text: str) -> int:
    """Return a canonical decimal cut after nine places, and at 63 bits (IMPORT-21)."""
    whole, _, rest = text.partition(".")
    return max(-_MOST, min(_MOST, int(whole + rest[:_PLACES].ljust(_PLACES, "0"))))


def _sum(cells: Iterable[Cell]) -> Cell:
    total: Cell | None = None
    for cell in cells:
        if total is None:
            total = Cell(cell.first)
        total.absorb(cell)
    return Cell(0) if total is None else total
