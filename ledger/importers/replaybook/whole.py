"""The flags of a release as a whole (IMPORT-21 to IMPORT-24)."""

from collections.abc import Iterable

from ledger.events.observed import ReleaseFlag
from ledger.importers.source_json import Json

from .aggregates import mismatches, unbalanced
from .envelope import ROWS
from .release import Release
from .tally import Cell, CellKey, Tally

MINIMUM_ATTEMPTS = 3


def release_flags(
    release: Release, members: dict[str, Json], tally: Tally
) -> list[tuple[ReleaseFlag, int, str]]:
    """Return [flag, how often, pointer to the first], sorted."""
    found: tuple[tuple[ReleaseFlag, list[str]], ...] = (
        ("aggregate_mismatch", list(mismatches(members, tally))),
        ("categories_do_not_add_up", list(unbalanced(members, tally))),
        ("fewer_than_3_attempts", _few(tally.cells.values())),
    )
    flags = [(flag, len(pointers), pointers[0]) for flag, pointers in found if pointers]
    gaps, first = _gaps(release, tally.cells)
    return [*flags, ("incomplete_rectangle", gaps, first)] if gaps else flags


def _few(cells: Iterable[Cell]) -> list[str]:
    """Point at the first row of each cell that has fewer than three."""
    return [f"/{ROWS}/{cell.first}" for cell in cells if cell.counts["trials"] < MINIMUM_ATTEMPTS]


def _gaps(release: Release, cells: dict[CellKey, Cell]) -> tuple[int, str]:
    """Count the cells of systems × scenarios that lack an attempt number; point at the first.

    The release says how many attempts a cell has; where it does not, the fullest cell does. The
    cells without a row are counted and never listed: there may be any number of them.
    """
    systems = {(key.agent, key.model, key.reasoning_effort) for key in cells}
    tasks = release.scenarios | {(key.scenario, key.scenario_version) for key in cells}
    planned = release.report.per_cell
    if planned is None:
        planned = max((len(cell.numbers) for cell in cells.values()), default=0)
    short = [cell.first for cell in cells.values() if len(cell.numbers) < planned]
    gaps = len(systems) * len(tasks) - len(cells) + len(short)
    return gaps, f"/{ROWS}/{short[0]}" if short else f"/{ROWS}"
