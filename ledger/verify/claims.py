"""What a manifest claims against what the entries give (``specs/verify.md`` steps 13 and 14)."""

from collections.abc import Mapping
from typing import Any

from ledger.edition.manifest import Manifest, figures_digest
from ledger.edition.state import State, check_not_empty
from ledger.errors import FigureMismatch, FiguresDigest, ManifestState, RootMismatch
from ledger.rules import SHIPPED
from signing.checkpoint import Checkpoint

from .verdict import Ruled

_LINE = 120


def check_head(
    head: Checkpoint, size: int, root: bytes, manifest: Manifest, state: State | None
) -> None:
    """Refuse a checkpoint or a manifest of other entries.

    Args:
        head: What the checkpoint states.
        size: Number of the entries.
        root: Tree root over them, 32 bytes.
        manifest: The manifest, whose edition the last entry freezes.
        state: Of the entries before that, None where there are fewer.

    Raises:
        RootMismatch: One of the two states another size or root.
    """
    if (head.size, head.root) != (size, root):
        raise RootMismatch(
            "checkpoint",
            f"size {head.size}, root {head.root.hex()[:16]}…",
            f"size {size}, root {root.hex()[:16]}…",
        )
    if state is None or size != manifest.size + 1:
        raise RootMismatch(
            "entries", f"{size}", f"{manifest.size + 1}, up to the freeze at the end"
        )
    if manifest.root != state.root:
        raise RootMismatch("manifest, root", manifest.root.hex()[:16], state.root.hex()[:16])


def check_state(manifest: Manifest, state: State, seq: int) -> None:
    """Refuse a manifest whose lists or policies are not those that the entries give.

    Raises:
        ManifestState: It names the first that differs.
    """
    stated: dict[str, tuple[object, object]] = {
        "size": (manifest.size, state.size),
        "root": (manifest.root.hex(), state.root.hex()),
        "docs": (manifest.docs, state.documents),
        "policies": (manifest.policies, state.policies),
        "corrections": (manifest.corrections, state.corrections),
        "exclusions": (manifest.exclusions, state.exclusions),
        "invalidations": (manifest.invalidations, state.invalidations),
        "targets": (manifest.targets, state.targets),
        "redacted": (manifest.redacted, state.redacted),
        "disclosure": (manifest.disclosure, state.disclosure),
    }
    for name, (got, expected) in stated.items():
        if got != expected:
            raise ManifestState(f"manifest, {name}", _brief(got), _brief(expected), seq=seq)


def ruled(state: State, versions: Mapping[str, int]) -> list[Ruled]:
    """Return the policies in force, and whether each is the one that this program ships."""
    return [
        Ruled(
            name=name,
            version=versions[name],
            digest=digest.hex(),
            shipped=SHIPPED.get(name) == digest.hex(),
        )
        for name, digest in state.policies.items()
    ]


def differing(published: Mapping[str, Any], given: Mapping[str, Any]) -> list[str]:
    """Return the paths whose values differ or that only one side has, sorted."""
    return sorted(
        path
        for path in given.keys() | published.keys()
        if path not in given or path not in published or not same(given[path], published[path])
    )


def check_figures(manifest: Manifest, given: Mapping[str, Any], seq: int) -> list[str]:
    """Refuse figures that are not those *given* by the entries; return the paths compared.

    Raises:
        NothingToFreeze: The edition counts no attempt.
        FiguresDigest: The manifest's own digest of its figures is another.
        FigureMismatch: It names the first path, in order, that differs.
    """
    check_not_empty(given, f"edition {manifest.edition!r}", seq)
    published = manifest.figures
    if figures_digest(published) != manifest.figures_sha256:
        raise FiguresDigest(
            "manifest, figures_sha256", manifest.figures_sha256.hex()[:16], "that of its figures"
        )
    wrong = differing(published, given)
    if wrong:
        path = wrong[0]
        raise FigureMismatch(
            f"figure {path}",
            repr(published[path]) if path in published else "no such figure",
            repr(given[path]) if path in given else "no such figure",
            seq=seq,
        )
    return sorted(published)


def same(one: object, two: object) -> bool:
    """Compare figures so that 1, true and "1" stay apart, inside lists too."""
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(same, one, two))
    return type(one) is type(two) and one == two


def _brief(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LINE else f"{text[: _LINE - 1]}…"
