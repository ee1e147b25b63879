"""What is odd about a row, gathered while it is read."""

from canon.refusal import Refusal
from ledger.events.observed import RowFlag


class Notes:
    """Flags and problems of one row.

    Attributes:
        flags: What the entry says.
        problems: What the report of the import says besides.
    """

    __slots__ = ("flags", "problems")

    def __init__(self) -> None:
        self.flags: list[RowFlag] = []
        self.problems: list[Refusal] = []

    def add(self, flag: RowFlag, problem: Refusal | None = None) -> None:
        """Note *flag*, and the *problem* behind it where a person should hear of it."""
        self.flags.append(flag)
        if problem is not None:
            self.problems.append(problem)

    def sorted_flags(self) -> list[RowFlag]:
        """Return the flags, each once."""
        return sorted(set(self.flags)) if self.flags else []
