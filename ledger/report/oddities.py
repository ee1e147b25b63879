"""What is odd about releases as wholes, as their importer found it (``specs/importers.md``)."""

from collections.abc import Iterable

from ledger.projections import Attempts
from ledger.projections.attempts import Release
from ledger.projections.sources import conditions_of

from .partial import left_out
from .rows import Row


def release_flags(state: Attempts, releases: Iterable[str]) -> list[Row]:
    """Return ``release``, ``flag``, ``count`` and ``first`` of each flag, by release and flag.

    Records that could not be read are counted under ``set_aside``: no figure holds them. Under
    ``repeats_in_part`` are attempts of an earlier release that are left out of a cell of which
    others are repeated.

    The report that governs a release tells; ``first`` is a pointer into its file.

    Args:
        state: Of all attempts.
        releases: Versions of releases; none selects every one.
    """
    selected = set(releases) or state.releases.keys()
    missing = left_out(state)
    return [
        {"release": version, "flag": flag, "count": count, "first": pointer}
        for version in sorted(selected & state.releases.keys())
        if (report := conditions_of(state, version)) is not None
        for flag, count, pointer in _flags(state, report, missing.get(version, 0))
    ]


def _flags(state: Attempts, report: Release, missing: int) -> list[tuple[str, int, str]]:
    """Return what is odd about a release: its own flags, and what only a ledger can know."""
    flags = list(report.flags)
    aside = state.quarantined.get(report.source)
    if aside is not None:
        flags.append(("set_aside", aside, state.first_fault[report.source]))
    if missing:
        flags.append(("repeats_in_part", missing, ""))
    return sorted(flags)
