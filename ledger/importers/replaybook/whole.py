"""The flags of a release as a whole (IMPORT-21 to IMPORT-24, IMPORT-40 to IMPORT-42)."""

from collections.abc import Iterable

from ledger.events.observed import ReleaseFlag
from ledger.importers.source_json import Json
from ledger.spelling import alike

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
    counted: tuple[tuple[ReleaseFlag, tuple[int, str]], ...] = (
        ("attempt_number_repeated", _repeated(tally.cells.values())),
        ("conditions_contradicted", _contradicted(release, tally.cells)),
        ("incomplete_rectangle", _gaps(release, tally.cells)),
        ("names_alike", _alike(tally.cells)),
    )
    return sorted([*flags, *((flag, many, first) for flag, (many, first) in counted if many)])


def _repeated(cells: Iterable[Cell]) -> tuple[int, str]:
    """Count the rows whose attempt number an earlier row of the cell has; point at the first."""
    return _counted([(1, index) for cell in cells for index in cell.repeated])


def _contradicted(release: Release, cells: dict[CellKey, Cell]) -> tuple[int, str]:
    """Count the rows of another agent, or under another limit, than the release says."""
    agent, limit = release.report.agent[0], release.report.timeout_s
    found = []
    for key, cell in cells.items():
        if agent is not None and key.agent != agent:
            found.append((cell.counts["trials"], cell.first))
        elif limit is not None:
            found += [rows for stated, rows in cell.limits.items() if stated != limit]
    return _counted(found)


def _alike(cells: dict[CellKey, Cell]) -> tuple[int, str]:
    """Count the names beyond the first of those that are alike; point at the first such name."""
    found = []
    for kind in ("agent", "model", "reasoning_effort", "scenario"):
        firsts: dict[str, int] = {}
        for key, cell in cells.items():
            name = getattr(key, kind)
            if name is not None:
                firsts[name] = min(firsts.get(name, cell.first), cell.first)
        for group in alike(firsts, kind):
            found += [(1, row) for row in sorted(firsts[name] for name in group)[1:]]
    return _counted(found)


def _counted(found: list[tuple[int, int]]) -> tuple[int, str]:
    """Return how many rows were found, each pair a number of rows and the first of them."""
    first = min((row for _, row in found), default=0)
    return sum(rows for rows, _ in found), f"/{ROWS}/{first}"


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
