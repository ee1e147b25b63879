"""Numbers from a manifest, looked up without a hash that whoever chose them could foresee."""

from bisect import bisect_left
from collections.abc import Sequence


class Ascending:
    """Tells whether a number is 0 or one of some numbers that ascend.

    Decisions on the log as a whole are made in view of entry 0, so its leaf is wanted whatever a
    manifest lists.
    """

    def __init__(self, numbers: Sequence[int]) -> None:
        self._numbers = numbers

    def __contains__(self, number: object) -> bool:
        """Look by halving: a table of integers can be filled so that each collides with all."""
        if not isinstance(number, int):
            return False
        at = bisect_left(self._numbers, number)
        return number == 0 or (at < len(self._numbers) and self._numbers[at] == number)
