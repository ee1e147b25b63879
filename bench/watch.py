"""What one measurement is: time inside the marked stretches, and the most memory ever held."""

import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

_STATUS = Path("/proc/self/status")
_KIB = 1_024


class Measured(Struct, frozen=True):
    """What a process measured of its own work.

    Attributes:
        seconds: Elapsed, in the marked stretches.
        cpu_seconds: Of the processor, in the same stretches, children included.
        things: How many events, entries or runs were worked on.
        peak_bytes: Most memory that the process held, from its start on.

    """

    seconds: float
    cpu_seconds: float
    things: int
    peak_bytes: int


class Watch:
    """Adds up the stretches of a work that count; making the input does not."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.cpu_seconds = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count what happens inside the block."""
        cpu, start = _cpu(), time.perf_counter()
        try:
            yield
        finally:
            self.seconds += time.perf_counter() - start
            self.cpu_seconds += _cpu() - cpu

    def measured(self, things: int) -> Measured:
        """Return what was counted so far, about *things*."""
        return Measured(self.seconds, self.cpu_seconds, things, peak_bytes())


def peak_bytes() -> int:
    """Return the most memory that this process held.

    Linux counts what the parent held before ``exec`` into ``ru_maxrss``, so its own account of
    the process is asked first.
    """
    if _STATUS.exists():
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * _KIB
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * _KIB


def _cpu() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
