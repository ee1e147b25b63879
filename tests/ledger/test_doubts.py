"""What is doubtful about a correction, though it is allowed."""

from collections.abc import Iterator

import pytest
from bundle_world import FAILED, LOST, World, release, row, world

from ledger.authority import Value
from ledger.doubts import doubts

PASSED_, FAILED_, LOST_ = range(3)


@pytest.fixture(scope="module")
def made() -> Iterator[World]:
    """Return a ledger with a repair, a failure and an unavailable attempt."""
    with world("doubts") as here:
        here.imports(release([row(1), row(2, **FAILED), row(3, **LOST)]))
        here.attempt(0)
        yield here


@pytest.mark.parametrize(
    ("index", "changes", "words"),
    [
        (FAILED_, {"failure_category": "provider"}, []),
        (FAILED_, {"failure_category": None, "reward": 1}, []),
        (FAILED_, {"reward": 1}, ["no failure category"]),
        (FAILED_, {"failure_category": None}, ["has no category"]),
        (FAILED_, {"failure_category": "not_repared"}, ["near it are 'not_repaired'"]),
        (FAILED_, {"failure_category": "NOT REPAIRED"}, ["near it are 'not_repaired'"]),
        (PASSED_, {"failure_category": "not_repaired"}, ["no failure category"]),
        (PASSED_, {"reward": 0}, ["has no category"]),
        (PASSED_, {"reward": 0, "failure_category": "not_repaired"}, []),
        (PASSED_, {"status": "unavailable"}, ["counts no longer"]),
        (LOST_, {"reward": 1}, ["has no effect"]),
        (LOST_, {"reward": 1, "status": "evaluated"}, ["no failure category"]),
        (LOST_, {"status": "evaluated"}, []),
    ],
)
def test_a_doubt_is_about_what_would_stand(
    index: int, changes: dict[str, Value], words: list[str], made: World
) -> None:
    """Each names the contradiction, and nothing is said of what fits."""
    found = doubts(made.replay.attempts, made.attempt(index), changes)
    assert len(found) == len(words)
    for doubt, word in zip(found, words, strict=True):
        assert word in doubt


def test_words_of_corrections_are_known_words() -> None:
    """A word that a maintainer gave before is not new; nor does an exclusion go unsaid."""
    with world("words") as here:
        here.imports(release([row(1, **FAILED), row(2, **FAILED)]))
        one, two = here.attempt(0), here.attempt(1)
        assert doubts(here.replay.attempts, two, {"failure_category": "flooded"})
        here.corrects(one, failure_category="flooded")
        assert doubts(here.replay.attempts, two, {"failure_category": "flooded"}) == []
        seq = here.excludes(two)
        (doubt,) = doubts(here.replay.attempts, two, {"failure_category": "flooded"})
        assert f"event {seq}" in doubt


def test_what_counts_nowhere_is_said() -> None:
    """A correction at an invalid task, or of what only a withdrawn source reports."""
    with world("nowhere") as here:
        here.imports(release([row(1, **FAILED), row(2, scenario_version=2, **FAILED)]))
        first, second = here.attempt(0), here.attempt(1)
        invalidated = here.invalidates()
        changes: dict[str, Value] = {"failure_category": "provider"}
        state = here.replay.attempts
        said = doubts(state, first, changes)
        assert any(f"its task is invalid by event {invalidated}" in one for one in said)
        assert not any("no count changes" in one for one in doubts(state, second, changes))
        withdrawn = here.withdraws(here.source(0))
        said = doubts(here.replay.attempts, second, changes)
        assert any(f"its source is withdrawn by event {withdrawn}" in one for one in said)
