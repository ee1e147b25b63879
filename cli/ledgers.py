"""Opening a ledger for a command: replayed up to where the command looks."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ledger.decide import catch_up, replay_of
from ledger.replay import Replay
from ledger.store import Ledger

from .edge import Progress
from .errors import SizeUnknown


@contextmanager
def replayed(
    path: Path, *, write: bool = False, as_of: int | None = None
) -> Iterator[tuple[Ledger, Replay]]:
    """Open a ledger and replay it, all of it or as it was with *as_of* events.

    Raises:
        SizeUnknown: The ledger has fewer events.
    """
    with Ledger.open(path, write=write) as ledger:
        replay = replay_of(ledger)
        advance(ledger, replay, as_of)
        yield ledger, replay


def advance(ledger: Ledger, replay: Replay, stop: int | None = None) -> None:
    """Take the entries that *replay* has not seen, up to *stop* or the end."""
    size = ledger.size
    if stop is not None and stop > size:
        raise SizeUnknown("--as-of", f"{stop}", f"at most {size}, the size of the ledger")
    with Progress("replaying", size if stop is None else stop) as progress:
        catch_up(replay, ledger, stop, progress.report)
