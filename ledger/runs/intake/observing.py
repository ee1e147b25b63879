"""Taking a run into a ledger: what is new of it, in one transaction (KEEP-1 to KEEP-10).

A file that stands as it stood adds nothing; one that grew adds its new lines; one that changed is
a new version beside the old one. A run that is recorded live is taken in after every record.
"""

import os
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Protocol

from ledger.errors import RunChanged
from ledger.runs.contents import Contents
from ledger.runs.directory import Directory
from ledger.runs.layout import FIXED, Role

from .naming import name_of
from .report import RunReport, printable
from .taking import Batch, Progress, Taking
from .versions import Holdings

_TRIES = 3
_TELLING: tuple[Role, ...] = ("manifest", "trajectory")


class Appendable(Holdings, Protocol):
    """What taking a run in needs of a ledger."""

    def batch(self, *, at: str, entropy: Callable[[int], bytes]) -> AbstractContextManager[Batch]:
        """Begin a transaction that commits when its block ends well."""


def observe(
    ledger: Appendable,
    contents: Contents | Callable[[], Contents],
    *,
    at: str,
    entropy: Callable[[int], bytes],
    roles: Collection[Role] | None = None,
    run: str | None = None,
    place: str | None = None,
    dry_run: bool = False,
    recount: bool = False,
    progress: Progress | None = None,
) -> RunReport:
    """Take a run into a ledger: all that is new of it, or nothing.

    Args:
        ledger: Where to.
        contents: The run; or what looks at it, once nobody else can append.
        at: Time to claim, canonical.
        entropy: Returns that many random bytes.
        roles: Only files of these roles; all, if not given.
        run: What to call a run that does not say its name; without it, such a run is refused.
        place: Where the run is, for the report.
        dry_run: Report, and append nothing.
        recount: Read known records again, to count those that cannot be read.
        progress: Told how far it is.

    Raises:
        RunUnnamed: The run does not say which run it is.
        RunOther: Another run bears its name.
        RunChanged: A file changed meanwhile, each time where it was looked at three times.
        RunLine: A line is too long to be kept.
    """

    def take(batch: Batch | None) -> RunReport:
        looked = contents() if callable(contents) else contents
        taking = Taking(ledger, looked, name_of(looked, run), batch)
        return taking.take(roles, place, recount=recount, progress=progress)

    if dry_run:
        with ledger.snapshot():
            return take(None)
    for _ in range(_TRIES - 1 if callable(contents) else 0):
        # Somebody may be recording: then the next look finds all of what this one found half of.
        with suppress(RunChanged), ledger.batch(at=at, entropy=entropy) as batch:
            return take(batch)
    with ledger.batch(at=at, entropy=entropy) as batch:
        return take(batch)


def is_run(path: Path) -> bool:
    """Tell whether a folder looks like a run: one without either file is none."""
    return path.is_dir() and any(os.path.lexists(path / FIXED[role]) for role in _TELLING)


def observe_directory(
    ledger: Appendable,
    root: Path,
    *,
    at: str,
    entropy: Callable[[int], bytes],
    dry_run: bool = False,
    progress: Progress | None = None,
) -> RunReport:
    """Take the run in a directory into a ledger, as ``coldledger import`` does."""
    return observe(
        ledger,
        lambda: Directory(root),
        at=at,
        entropy=entropy,
        place=printable(str(root)),
        dry_run=dry_run,
        recount=True,
        progress=progress,
    )
