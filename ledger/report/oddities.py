"""What is odd about releases as wholes, as their importer found it (``specs/importers.md``)."""

from collections.abc import Iterable
from typing import TypeAlias

from ledger.projections import Attempts

Row: TypeAlias = dict[str, object]


def release_flags(state: Attempts, releases: Iterable[str]) -> list[Row]:
    """Return ``release``, ``flag``, ``count`` and ``first`` of each flag, by release and flag.

    The newest report of a release tells; ``first`` is a pointer into its file.

    Args:
        state: Of all attempts.
        releases: Versions of releases; none selects every one.
    """
    selected = set(releases) or state.releases.keys()
    return [
        {"release": version, "flag": flag, "count": count, "first": pointer}
        for version in sorted(selected & state.releases.keys())
        for flag, count, pointer in sorted(state.releases[version][-1].flags)
    ]
