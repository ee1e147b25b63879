"""A ledger that follows a run while it is recorded: what is appended here is appended there."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Self

from ledger.runs.directory import Directory
from ledger.runs.layout import Role
from ledger.store import Ledger

from .observing import observe
from .report import RunReport


class Follower:
    """Takes a run into a ledger again whenever it is called. A context manager.

    Several processes may follow one run into one ledger: the directory is looked at once the
    ledger is locked, so nobody appends what was true before another's turn.
    """

    def __init__(
        self,
        ledger: Ledger,
        root: Path,
        *,
        now: Callable[[], str],
        entropy: Callable[[int], bytes],
    ) -> None:
        """Follow the run in *root*; see :func:`follow`."""
        self._ledger, self._root, self._now, self._entropy = ledger, root, now, entropy

    def __call__(self, roles: Collection[Role] | None = None) -> RunReport:
        """Append what is new of the run, of files of these roles or of all, durably.

        Raises:
            RunUnnamed, RunOther, RunChanged, RunLine: As ``observe`` has them.
        """
        return observe(
            self._ledger,
            lambda: Directory(self._root),
            at=self._now(),
            entropy=self._entropy,
            roles=roles,
            place=str(self._root),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the ledger."""
        self._ledger.close()


def follow(
    ledger: Path,
    root: Path,
    *,
    now: Callable[[], str],
    entropy: Callable[[int], bytes],
) -> Follower:
    """Open a ledger, and return what takes the run in *root* into it after every record.

    Args:
        ledger: The ledger's file, opened once.
        root: The run directory.
        now: Returns the time to claim, canonical.
        entropy: Returns that many random bytes.

    Raises:
        LedgerMissing, NotALedger, LedgerReadOnly: As the store has them.
    """
    return Follower(Ledger.open(ledger, write=True), root, now=now, entropy=entropy)
