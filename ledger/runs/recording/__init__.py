"""Recording: a run directory opened, added to, mended, and withheld in part (RUN-70 to RUN-96)."""

from .opening import Harness, Task, open_run, task_of
from .recorder import STATEMENTS, Recorder
from .repairing import Repair, repair
from .withholding import withhold

__all__ = [
    "STATEMENTS",
    "Harness",
    "Recorder",
    "Repair",
    "Task",
    "open_run",
    "repair",
    "task_of",
    "withhold",
]
