"""Results as a table for people, or as a document for programs."""

from collections.abc import Sequence
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from .rounds import Result
from .watch import Measured

_MIB = 2**20
_MARKS = {True: "yes", False: "NO", None: ""}


def show(results: Sequence[Result], console: Console) -> None:
    """Print results as tables: the limits, then the peers."""
    for title, peers in (("Limits", False), ("Peers", True)):
        chosen = [result for result in results if (result.pair.group == "peers") == peers]
        if chosen:
            console.print(_table(title, chosen))


def document(results: Sequence[Result]) -> list[dict[str, Any]]:
    """Return results as JSON holds them."""
    return [
        {
            "work": result.pair.work,
            "baseline": result.pair.baseline,
            "size": result.size,
            "clock": result.clock,
            "ratio": {
                "median": result.ratio,
                "min": min(result.ratios),
                "max": max(result.ratios),
            },
            "at_most": result.pair.at_most,
            "holds": result.holds,
            "peak_bytes": result.peak_bytes,
            "fits": result.fits,
            "ours_us": _each(result.ours, result.clock),
            "baseline_us": _each(result.limits, result.clock),
        }
        for result in results
    ]


def _table(title: str, results: Sequence[Result]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column("work")
    for name in ("size", "ours", "limit"):
        table.add_column(name, justify="right")
    table.add_column("against")
    for name in ("ratio", "to reach", "holds?", "peak MiB"):
        table.add_column(name, justify="right")
    for result in results:
        pair = result.pair
        low, high = min(result.ratios), max(result.ratios)
        memory = f"{result.peak_bytes / _MIB:.0f}"
        table.add_row(
            pair.title,
            f"{result.size:,}",
            _shown(_each(result.ours, result.clock)),
            _shown(_each(result.limits, result.clock)),
            pair.against,
            f"{result.ratio:.2f} ({low:.2f}–{high:.2f})",
            "" if pair.at_most is None else f"≤ {pair.at_most:.3g}",
            _MARKS[result.holds],
            memory if result.fits is not False else f"{memory} OVER",
        )
    return table


def _each(measured: Sequence[Measured], clock: str) -> float:
    """Return the median time for one thing, in microseconds."""
    times: list[float] = [getattr(one, clock) / one.things for one in measured]
    return median(times) * 1e6


def _shown(microseconds: float) -> str:
    return f"{microseconds:.2f} µs" if microseconds < 1_000 else f"{microseconds / 1_000:.1f} ms"
