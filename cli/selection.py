"""What ``--edition`` and ``--as-of`` select: a frozen edition, a release, or all there is."""

from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from ledger.decide import replay_of
from ledger.edition.export import frozen_edition
from ledger.edition.manifest import parse_manifest
from ledger.edition.state import status_policy
from ledger.errors import EditionUnknown
from ledger.projections import View
from ledger.replay import Replay
from ledger.rules import Policy
from ledger.store import Ledger

from .ledgers import advance, check_size


class Selection(NamedTuple):
    """A state of the attempts, and which of them count.

    Attributes:
        name: Of the edition or release; None for the whole ledger.
        kind: ``edition`` (frozen), ``release`` or ``ledger``.
        replay: Up to where the selection looks.
        releases: Versions whose rows count; none means every attempt.
        policy: The status policy in force there.
        published: Figures of the manifest, of a frozen edition only.
        size: Number of events that the figures cover.
    """

    name: str | None
    kind: str
    replay: Replay
    releases: list[str]
    policy: Policy
    published: dict[str, Any] | None
    size: int

    def figures(self) -> dict[str, Any]:
        """Return path to value: as published, or as the state gives it now."""
        return self.view().figures() if self.published is None else self.published

    def view(self) -> View:
        """Return a view of the state, for questions about single figures."""
        return View(self.replay.attempts, self.releases, self.policy)

    def heading(self) -> str:
        """Say in a line what is shown."""
        match self.kind:
            case "edition":
                what = f"frozen edition {self.name}"
            case "release":
                what = f"release {self.name}, as it stands"
            case _:
                what = "every attempt, as it stands"
        return f"{what}, as of size {self.size:,}; rules {self.policy.label}"

    def document(self) -> dict[str, Any]:
        """Return what is selected, for JSON."""
        return {
            "edition": self.name,
            "selected": self.kind,
            "size": self.size,
            "policy": self.policy.label,
        }


@contextmanager
def selected(
    path: Path, edition: str | None = None, as_of: int | None = None
) -> Iterator[Selection]:
    """Open a ledger at what is selected; a frozen edition wins over a release of its name.

    Raises:
        EditionUnknown: No edition and no release has that name there.
        SizeUnknown: The ledger has fewer than *as_of* events.
    """
    with Ledger.open(path) as ledger:
        check_size(ledger, as_of)
        replay = replay_of(ledger)
        at = None if edition is None else ledger.seq_of(f"edition:{edition}")
        if edition is not None and at is not None and (as_of is None or at < as_of):
            advance(ledger, replay, at + 1)
            frozen, data = frozen_edition(ledger, replay, edition)
            published = parse_manifest(data).figures
            yield Selection(
                edition,
                "edition",
                replay,
                frozen.releases,
                status_policy(replay),
                published,
                frozen.size,
            )
            return
        advance(ledger, replay, as_of)
        known = replay.attempts.releases.keys()
        if edition is not None and edition not in known:
            near = get_close_matches(edition, [*replay.authority.editions, *known])
            expected = ", ".join(near) or "a frozen edition or an imported release"
            raise EditionUnknown("--edition", repr(edition), expected)
        yield Selection(
            edition,
            "ledger" if edition is None else "release",
            replay,
            [] if edition is None else [edition],
            status_policy(replay),
            None,
            replay.size,
        )
