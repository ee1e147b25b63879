"""The files that works read: made once per size, by the ledger's own commands."""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ledger.decide import catch_up, replay_of
from ledger.edition.export import export
from ledger.edition.freeze import freeze
from ledger.events import AttemptReported
from ledger.founding import first_root, found
from ledger.importers import import_file
from ledger.maintain import correct
from ledger.pattern import AttemptPattern
from ledger.replay import Replay
from ledger.store import Ledger
from signing.keys import PrivateKey

from .releases import write_releases
from .runs import write_run

AT = "2026-02-01T00:00:00.000000Z"
BATCH_EVENTS = 1_000
EDITION = "bench"
_CORRECTED_EVERY = 100


class Inputs:
    """A folder with releases of *size* rows, their ledger, and two bundles of it.

    Attributes:
        size: Rows.
        ledger: A ledger with every row imported, one decision for each hundred rows, and a freeze.
        full: Its bundle, with the bytes of every slot.
        bare: The same, with no slot's bytes.
        root: Its trust root.
        run: A run directory whose trajectory has as many records.

    """

    def __init__(self, folder: Path, size: int) -> None:
        self.folder, self.size = folder / str(size), size
        self.ledger = self.folder / "ledger.db"
        self.full = self.folder / "full.bundle"
        self.bare = self.folder / "bare.bundle"
        self.root = self.folder / "trust-root.cbor"
        self.run = self.folder / "run"

    @property
    def releases(self) -> list[Path]:
        """The releases, in the order of their rows."""
        return sorted(self.folder.glob("*.json"))

    def make(self) -> None:
        """Make the files, unless they are there."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if not self.run.exists():
            write_run(self.folder, self.size)
        if self.bare.exists():
            return
        write_releases(self.folder, self.size)
        signer, log_key = (PrivateKey.generate(os.urandom(32)) for _ in range(2))
        root = first_root("example.org/bench", signer, log_key, "bench")
        self.root.write_bytes(root.data)
        found(self.ledger, root, signer, at=AT, entropy=os.urandom)
        with Ledger.open(self.ledger, write=True) as ledger:
            for path in self.releases:
                import_file(ledger, path, at=AT, entropy=os.urandom)
            replay = replay_of(ledger)
            catch_up(replay, ledger)
            for attempt in list(islice(replay.attempts.latest, 0, None, _CORRECTED_EVERY)):
                _correct(ledger, replay, attempt, signer)
            freeze(ledger, replay, EDITION, (), [signer], status="draft", at=AT, entropy=os.urandom)
            for path, disclosed in ((self.full, _every), (self.bare, _none)):
                with path.open("xb") as out:
                    export(
                        ledger,
                        replay,
                        EDITION,
                        out,
                        log_key=log_key,
                        signer=signer,
                        role="publisher",
                        disclose=disclosed,
                    )

    def entries(self) -> Iterator[list[tuple[int, bytes]]]:
        """Yield the entries of the ledger with their numbers, a batch at a time."""
        with Ledger.open(self.ledger) as ledger:
            for first in range(0, ledger.size, BATCH_EVENTS):
                yield list(ledger.entries(first, first + BATCH_EVENTS))

    def attempts(self) -> Iterator[list[AttemptReported]]:
        """Yield the rows as events that commit to their record, a batch at a time."""
        pattern = AttemptPattern(after=0)
        for batch in self.entries():
            found = (pattern.read(data) for _, data in batch)
            yield [event for _, event in filter(None, found)]


def _every(_: str) -> bool:
    return True


def _none(_: str) -> bool:
    return False


def _correct(ledger: Ledger, replay: Replay, attempt: str, signer: PrivateKey) -> None:
    """Change the category of an attempt, as a maintainer would."""
    correct(
        ledger,
        replay,
        attempt,
        {"failure_category": "found_by_review"},
        "The recording shows another cause than the source names.",
        [signer],
        at=AT,
        entropy=os.urandom,
    )
