"""A lie for the demo: an edition with a figure that its events do not give, signed all the same.

No command does this. It takes the library, and the keys of somebody who may publish: what a
dishonest publisher has.
"""

from pathlib import Path

import msgspec

from canon import sha256
from cli.edge import entropy, now
from ledger.decide import catch_up, decide, replay_of
from ledger.edition.freeze import LIMITS, manifest_of
from ledger.edition.manifest import Figure, figures_digest, manifest_bytes
from ledger.events import EditionFrozen
from ledger.store import Batch, Ledger
from signing.keys import PrivateKey


def freeze_lie(
    path: Path, key: Path, edition: str, releases: list[str], figure: str, value: Figure
) -> None:
    """Freeze an edition in which *figure* has another value than the events give it.

    Args:
        path: A ledger.
        key: A private key that may publish.
        edition: A new name.
        releases: The releases that it counts.
        figure: Path of a figure that the edition has.
        value: What to say instead.

    """
    with Ledger.open(path, write=True) as ledger:
        replay = replay_of(ledger)
        catch_up(replay, ledger)
        honest = manifest_of(replay, edition, releases, status="final", limits=LIMITS)
        figures = {**honest.figures, figure: value}
        lie = msgspec.structs.replace(
            honest, figures=figures, figures_sha256=figures_digest(figures)
        )
        data = manifest_bytes(lie)

        def fields(batch: Batch) -> dict[str, object]:
            batch.put_document(sha256(data), data)
            return {
                "edition": edition,
                "size": lie.size,
                "root": lie.root,
                "manifest": sha256(data),
                "releases": sorted(releases),
            }

        signers = [PrivateKey.load(key)]
        decide(ledger, replay, EditionFrozen.wire, fields, signers, at=now(), entropy=entropy)
