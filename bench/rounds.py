"""Rounds of pairs: A, B, A, B, … so that a machine that slows down slows both."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median

import msgspec
from msgspec import Struct

from .child import MAKE
from .plan import PAIRS, Pair, memory_limit
from .watch import Measured

WARM = 20
LONG = 20_000
"""Rows from which on some pairs are measured once."""

_OURS = frozenset(pair.work for pair in PAIRS)

Tell = Callable[[str], None]


class Result(Struct, frozen=True, kw_only=True):
    """What the rounds of one pair at one size gave.

    Attributes:
        pair: The pair.
        size: Rows in the inputs.
        clock: Which time was measured, ``seconds`` or ``cpu_seconds``.
        ours, limits: What each round measured, of the work and of its baseline.
        ratios: Time per thing of the work over that of the baseline, one a round.

    """

    pair: Pair
    size: int
    clock: str
    ours: list[Measured]
    limits: list[Measured]
    ratios: list[float]

    @property
    def ratio(self) -> float:
        """Median of the ratios."""
        return median(self.ratios)

    @property
    def holds(self) -> bool | None:
        """Whether the ratio is within what is set; None where nothing is."""
        return None if self.pair.at_most is None else self.ratio <= self.pair.at_most

    @property
    def peak_bytes(self) -> int:
        """Most memory that the work held in any round."""
        return max(measured.peak_bytes for measured in self.ours)

    @property
    def fits(self) -> bool | None:
        """Whether its memory is within the limit; None where there is none."""
        return self.peak_bytes <= memory_limit(self.size) if self.pair.limits_memory else None


def make(folder: Path, sizes: Sequence[int], tell: Tell) -> None:
    """Make the inputs of every size."""
    for size in (WARM, *sizes):
        tell(f"making {size} rows")
        _child(MAKE, folder, size)


def run(
    pairs: Sequence[Pair], folder: Path, sizes: Sequence[int], rounds: int, clock: str, tell: Tell
) -> Iterator[Result]:
    """Yield a result for each pair and size.

    Args:
        pairs: What to measure.
        folder: Where the inputs are.
        sizes: Rows, ascending.
        rounds: How often.
        clock: ``seconds`` or ``cpu_seconds``, but for pairs of which only the first says anything.
        tell: Told what is being measured.

    """
    for size in (WARM, *sizes):
        here = [pair for pair in pairs if size in _sizes(pair, sizes)]
        found: dict[str, Result] = {
            _name(pair): Result(
                pair=pair,
                size=size,
                clock="seconds" if pair.wall else clock,
                ours=[],
                limits=[],
                ratios=[],
            )
            for pair in here
        }
        for number in range(rounds if here else 0):
            done: dict[str, Measured] = {}
            for pair in here:
                if number and pair.once and size > LONG:
                    continue
                tell(f"round {number + 1} of {rounds}, {size} rows: {pair.title}")
                for work in (pair.baseline, pair.work):
                    # A work is measured once a round; a baseline again for each pair.
                    if work not in done or work not in _OURS:
                        done[work] = measure(work, folder, size)
                result, limit, ours = found[_name(pair)], done[pair.baseline], done[pair.work]
                result.limits.append(limit)
                result.ours.append(ours)
                result.ratios.append(_each(ours, result.clock) / _each(limit, result.clock))
        yield from found.values()


def measure(work: str, folder: Path, size: int) -> Measured:
    """Return what a process of its own measures."""
    return msgspec.json.decode(_child(work, folder, size), type=Measured)


def _child(work: str, folder: Path, size: int) -> bytes:
    command = [sys.executable, "-m", "bench.child", work, str(folder), str(size), str(WARM)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)  # noqa: S603 - our own
    return done.stdout


def _each(measured: Measured, clock: str) -> float:
    seconds: float = getattr(measured, clock)
    return seconds / measured.things


def _sizes(pair: Pair, sizes: Sequence[int]) -> Sequence[int]:
    return {"each": sizes, "least": sizes[:1], "most": sizes[-1:], "warm": (WARM,)}[pair.at]


def _name(pair: Pair) -> str:
    return f"{pair.work} {pair.baseline}"
