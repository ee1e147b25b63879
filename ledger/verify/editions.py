"""Editions as they are frozen, each recomputed at its own size (VERIFY-24).

The manifest of an earlier edition is a document of every later bundle, and whoever restores the
ledger takes it over. So it is not taken on trust because somebody signed its freeze.
"""

from collections.abc import Callable

from canon.digest import sha256
from canon.refusal import Refusal
from ledger.edition.manifest import Manifest, parse_manifest
from ledger.edition.state import State, figures_of, state_of
from ledger.entry import Signed
from ledger.errors import DocumentMismatch, ManifestMismatch
from ledger.events import EditionFrozen
from ledger.replay import Entered, Replay

from .claims import check_figures, check_state

MANIFEST, FIGURES = "manifest", "figures"


class Editions:
    """Watches a replay for editions.

    Attributes:
        step: What was being checked, should a refusal come.
    """

    def __init__(self, replay: Replay, document: Callable[[bytes], bytes | None]) -> None:
        """Start before entry 0.

        Args:
            replay: Takes the entries.
            document: Finds manifests by digest.
        """
        self.step = MANIFEST
        self._replay, self._document = replay, document
        self._state: State | None = None
        replay.freezing = self._note

    def check(self, entered: Entered) -> str | None:
        """Recompute the edition that an entry has frozen; return its name, None if it froze none.

        Raises:
            Refusal: Its manifest is missing or another, or states what the entries do not give.
        """
        state, self._state = self._state, None
        event = entered.event
        if state is None or not isinstance(event, Signed):
            return None
        frozen = event.decision
        if not isinstance(frozen, EditionFrozen):
            return None
        self.step = MANIFEST
        data = self._document(frozen.manifest)
        digest = None if data is None else sha256(data)
        if data is None or digest != frozen.manifest:
            raise DocumentMismatch(
                f"manifest of {frozen.edition!r}",
                "no document" if digest is None else digest.hex(),
                frozen.manifest.hex(),
                seq=frozen.size,
            )
        try:
            manifest = parse_manifest(data)
        except Refusal as refusal:
            refusal.seq = frozen.size
            raise
        check_frozen(frozen, manifest, frozen.manifest)
        check_state(manifest, state, frozen.size)
        self.step = FIGURES
        check_figures(manifest, figures_of(self._replay, frozen.releases), frozen.size)
        return frozen.edition

    def _note(self) -> None:
        self._state = state_of(self._replay)


def check_frozen(frozen: EditionFrozen, manifest: Manifest, digest: bytes) -> None:
    """Refuse a manifest that is not the one that a freeze names.

    Raises:
        ManifestMismatch: Edition, size, root or digest are others.
    """
    named = (frozen.edition, frozen.size, frozen.root, frozen.manifest)
    if named != (manifest.edition, manifest.size, manifest.root, digest):
        raise ManifestMismatch(
            f"event {frozen.size}",
            f"{frozen.edition!r}, size {frozen.size}, manifest {frozen.manifest.hex()[:16]}…",
            f"{manifest.edition!r}, size {manifest.size}, manifest {digest.hex()[:16]}…",
            seq=frozen.size,
        )
