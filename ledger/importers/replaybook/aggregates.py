"""The sums that a release stores, against those that its rows give (IMPORT-21, IMPORT-22)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from canon.refusal import Refusal
from ledger.importers.reading import count, quantity
from ledger.importers.source_json import Json

from .tally import COUNTED, RECORDED, TOKENS, Cell, CellKey, Tally

_MONEY = {
    "known_cost_usd": "cost_reported_trials",
    "subscription_usage_usd": "subscription_usage_reported_trials",
}
_GROUPS = {
    "by_model": ("agent", "model", "reasoning_effort"),
    "by_scenario_model": CellKey._fields,
}
# Stored sums and medians went through binary64, whose rounding is far below this.
_NOTHING = Fraction(0)
_TOLERANCE = _BILLIONTH = Fraction(1, 10**9)


def mismatches(members: dict[str, Json], tally: Tally) -> Iterator[str]:
    """Yield pointers to the stored aggregates that the rows do not give."""
    medians = _Medians()
    for stored, pointer, cell in _stored(members, tally):
        if cell is None:
            yield pointer
            continue
        for name, agrees in _judgements(stored, cell, medians):
            if not agrees:
                yield f"{pointer}/{name}"


def unbalanced(members: dict[str, Json], tally: Tally) -> Iterator[str]:
    """Yield pointers to stored categories that do not add up to the failures stored beside them."""
    for stored, pointer, _ in _stored(members, tally):
        if "failure_categories" in stored and "failed" in stored:
            words = _words(stored["failure_categories"])
            if words is None or not _is_number(stored["failed"], sum(words.values())):
                yield f"{pointer}/failure_categories"


def _stored(
    members: dict[str, Json], tally: Tally
) -> Iterator[tuple[dict[str, Json], str, Cell | None]]:
    """Yield each stored aggregate, a pointer to it, and the sum over the rows it speaks of."""
    totals = members.get("totals")
    if isinstance(totals, dict):
        yield totals, "/totals", tally.total()
    for table, names in _GROUPS.items():
        listed = members.get(table)
        if not isinstance(listed, list):
            continue
        for index, stored in enumerate(listed):
            if isinstance(stored, dict):
                fields = {name: _plain(stored[name]) for name in names if name in stored}
                yield stored, f"/{table}/{index}", tally.where(fields) if fields else None


def _plain(value: Json) -> object:
    """Return what names a cell as a cell's key has it."""
    if value is None or isinstance(value, str):
        return value
    try:
        return count(value, "")
    except Refusal:
        return ()


class _Medians:
    """The medians of cells, each found once, however often a source states it."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, str], tuple[Cell, Fraction | None]] = {}

    def of(self, cell: Cell, name: str) -> Fraction | None:
        """Return the median of what is recorded under *name*, or of the durations."""
        # The cell is kept, so that no other one can come to stand at its address.
        known = self._found.get((id(cell), name))
        if known is None:
            values = cell.recorded(name) if name in RECORDED else cell.durations
            known = self._found[id(cell), name] = cell, _median(values)
        return known[1]


def _judgements(
    stored: dict[str, Json], cell: Cell, medians: _Medians
) -> Iterator[tuple[str, bool]]:
    """Yield each figure of *stored* that the rows determine, and whether they give it."""
    get = stored.get
    for name in COUNTED:
        if name in stored:
            yield name, _is_number(get(name), cell.counts[name])
    for name in TOKENS:
        if name in stored:
            nothing = not cell.counts["usage_reported_trials"]
            yield name, _is_sum(get(name), Fraction(cell.counts[name]), nothing)
    for name, reported in _MONEY.items():
        if name in stored:
            amount = Fraction(cell.money.get(name, 0))
            yield name, _is_sum(get(name), amount, not cell.counts[reported])
    if "median_duration_seconds" in stored:
        median = medians.of(cell, "durations")
        yield "median_duration_seconds", _is_median(get("median_duration_seconds"), median)
    for recorded in RECORDED:
        name = f"median_{recorded}"
        if name in stored:
            yield name, _is_median(get(name), medians.of(cell, recorded))
    if "pass_rate" in stored:
        evaluated = cell.counts["evaluated"]
        rate = Fraction(cell.counts["passed"], evaluated) if evaluated else None
        yield "pass_rate", _is_number(get("pass_rate"), rate)
    for name, words in (
        ("failure_categories", cell.failures),
        ("unavailable_categories", cell.missing),
    ):
        if name in stored:
            yield name, _are_words(get(name), words)


def _median(billionths: Sequence[int]) -> Fraction | None:
    """Return the middle value, or the mean of the two in the middle."""
    if not billionths:
        return None
    ordered, half = sorted(billionths), len(billionths) // 2
    middle = ordered[half] + ordered[half if len(ordered) % 2 else half - 1]
    return middle * _BILLIONTH / 2


def _is_number(stored: Json, expected: Fraction | int | None, least: Fraction = _NOTHING) -> bool:
    """Compare with what the source rounded; a difference of *least* does not count either."""
    if stored is None or expected is None:
        return stored is None and expected is None
    try:
        found, wanted = Fraction(quantity(stored, "")), Fraction(expected)
    except Refusal:
        return False
    return bool(abs(found - wanted) <= max(least, _TOLERANCE * max(abs(found), abs(wanted))))


def _is_median(stored: Json, expected: Fraction | None) -> bool:
    return _is_number(stored, expected, _BILLIONTH)


def _is_sum(stored: Json, expected: Fraction, nothing: bool) -> bool:
    """Compare a sum; where no row reports a value the source may write null or, wrongly, 0."""
    return (nothing and stored is None) or _is_number(stored, expected)


def _are_words(stored: Json, expected: Counter[str | None]) -> bool:
    """Compare categories; rows without one may stand under a word of the source's choice."""
    words = _words(stored)
    if words is None:
        return False
    nameless = expected[None]
    if len(words) < len(expected) - (None in expected):
        return False  # without a look at each, which many stored cells could ask for
    given = Counter({word: many for word, many in expected.items() if word is not None})
    if given - words:
        return False
    rest = words - given
    return not rest or sum(rest.values()) == nameless


def _words(stored: Json) -> Counter[str] | None:
    if not isinstance(stored, dict):
        return None
    try:
        return Counter({word: count(many, "") for word, many in stored.items()})
    except Refusal:
        return None
