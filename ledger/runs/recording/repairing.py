"""A torn last line taken off a file of a run, and kept beside it (RUN-74)."""

from pathlib import Path

from msgspec import Struct

from ledger.errors import RunMissing
from ledger.runs.layout import FIXED, REVIEWS
from ledger.runs.records import read_line

from .changing import manifest_in
from .keeping import write_new
from .sink import Sink

_FILES = (FIXED["trajectory"], REVIEWS, FIXED["derivations"])


class Repair(Struct, frozen=True):
    """What was done to one file.

    Attributes:
        file: Which.
        torn_bytes: How many bytes had no line end.
        kept: Where they are now; None where they were a whole record, which got its line end.
    """

    file: str
    torn_bytes: int
    kept: str | None


def repair(run_dir: Path) -> list[Repair]:
    """Make the files of lines of a run end with a line, and return what was done.

    A last line without its end that is a whole record gets the end. Half a record was never
    acknowledged: its bytes move into a file beside, and a file beside is never overwritten.
    """
    manifest_in(run_dir)
    return [made for name in _FILES for made in _repaired(run_dir, name)]


def _repaired(run_dir: Path, name: str) -> list[Repair]:
    sink = Sink(run_dir / name, name)
    try:
        with sink.locked():
            torn = sink.torn()
            if not torn:
                return []
            said, _ = read_line(torn)
            if said is not None:
                sink.append(b"\n")
                return [Repair(name, len(torn), None)]
            kept = _keep(run_dir, name, torn)
            # From here on the bytes are safe, whatever happens to the file itself.
            sink.shorten(len(torn))
            return [Repair(name, len(torn), kept)]
    except RunMissing:
        return []
    finally:
        sink.close()


def _keep(run_dir: Path, name: str, torn: bytes) -> str:
    number = 1
    while True:
        kept = f"{name}.torn-{number}"
        try:
            write_new(run_dir / kept, torn)
        except FileExistsError:
            number += 1
            continue
        return kept
