"""Every claim of a manifest by itself, against what the entries give (VERIFY-13, VERIFY-14)."""

import io
from typing import Any

import pytest
from bundle_claims import decided
from bundle_world import root
from msgspec.structs import replace

from ledger.edition.manifest import Disclosed, Manifest, figures_digest
from ledger.edition.state import State
from ledger.errors import FigureMismatch, FiguresDigest, ManifestState
from ledger.verify.bundle import verify_bundle
from ledger.verify.claims import check_figures, check_state, differing, same
from ledger.verify.question import Question

OTHER: dict[str, Any] = {
    "size": 1,
    "root": b"\1" * 32,
    "docs": [bytes(32)],
    "policies": {"status/replaybook": bytes(32)},
    "corrections": [99],
    "exclusions": [99],
    "invalidations": [99],
    "targets": [99],
    "redacted": [(9, "record", 99)],
    "disclosure": [Disclosed(slot="score", class_="public", reason="none", inspect=[])],
}


@pytest.fixture(scope="module")
def manifest() -> Manifest:
    """Return the manifest of a bundle that holds."""
    data = decided().made().data
    _, verified = verify_bundle(io.BytesIO(data), Question([root().data]))
    assert verified is not None
    return verified.manifest


def state_as_claimed(manifest: Manifest) -> State:
    """Return the state that a manifest claims."""
    claimed = {name: getattr(manifest, name) for name in OTHER if name != "docs"}
    return State(documents=manifest.docs, **claimed)


def test_what_is_claimed_is_compared_and_holds(manifest: Manifest) -> None:
    """The same state, and the same figures: their paths are returned, sorted."""
    check_state(manifest, state_as_claimed(manifest), 7)
    assert check_figures(manifest, manifest.figures, 7) == sorted(manifest.figures)


@pytest.mark.parametrize("name", OTHER)
def test_each_list_is_compared(manifest: Manifest, name: str) -> None:
    """The refusal names the list and the freeze, and shows both sides."""
    changed = replace(manifest, **{name: OTHER[name]})
    with pytest.raises(ManifestState) as refused:
        check_state(changed, state_as_claimed(manifest), 7)
    assert (refused.value.place, refused.value.seq) == (f"manifest, {name}", 7)
    assert refused.value.got[:8] != ""
    assert refused.value.got != refused.value.expected


def test_a_long_list_is_shown_in_part(manifest: Manifest) -> None:
    """At most 120 characters; as many are shown whole."""
    state = state_as_claimed(manifest)
    for number, shown in ((10**117, 120), (10**118, 120), (10**116, 119)):
        with pytest.raises(ManifestState) as refused:
            check_state(replace(manifest, targets=[number]), state, 7)
        assert len(refused.value.got) == shown
        assert refused.value.got.endswith("…") is (number == 10**118)


def test_each_figure_is_compared(manifest: Manifest) -> None:
    """The first path that differs, in order, whichever side it is on."""
    path = sorted(manifest.figures)[0]
    for given, got, expected in (
        ({**manifest.figures, path: "x"}, repr(manifest.figures[path]), "'x'"),
        ({**manifest.figures, "!": 1}, "no such figure", "1"),
    ):
        with pytest.raises(FigureMismatch) as refused:
            check_figures(manifest, given, 7)
        assert refused.value.place == f"figure {'!' if '!' in given else path}"
        assert (refused.value.got, refused.value.expected) == (got, expected)
        assert refused.value.seq == 7
    missing = {other: value for other, value in manifest.figures.items() if other != path}
    with pytest.raises(FigureMismatch) as refused:
        check_figures(manifest, missing, 7)
    assert refused.value.expected == "no such figure"
    with pytest.raises(FiguresDigest) as digest:
        check_figures(replace(manifest, figures_sha256=bytes(32)), manifest.figures, 7)
    assert digest.value.got == "0" * 16
    assert figures_digest(manifest.figures) == manifest.figures_sha256


def test_what_differs_is_listed() -> None:
    """Values, kinds, and paths of one side only; sorted."""
    one = {"a": 1, "b": True, "c": [1, "x"], "e": 0}
    two = {"a": 1, "b": 1, "c": [1, "y"], "d": 0}
    assert differing(one, two) == differing(two, one) == ["b", "c", "d", "e"]
    assert differing(one, one) == []


@pytest.mark.parametrize(
    ("one", "two", "equal"),
    [
        (1, 1, True),
        (1, True, False),
        (0, False, False),
        (1, "1", False),
        (None, None, True),
        (None, 0, False),
        ([], [], True),
        ([1], [1], True),
        ([1], [1, 1], False),
        ([1, 1], [1], False),
        ([1], [True], False),
        ([[1]], [[True]], False),
        ([1], 1, False),
        (1, [1], False),
        ([1, 2], [2, 1], False),
    ],
)
def test_kinds_of_values_stay_apart(one: object, two: object, equal: bool) -> None:
    """A number is no boolean, and no text, inside lists neither."""
    assert same(one, two) is equal
