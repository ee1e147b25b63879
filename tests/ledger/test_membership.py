"""Which attempts an edition counts, and what its bundle holds beside them."""

from bundle_world import FAILED, RELEASE, release, row, world

from ledger.membership import Uncounted, counts, editions_with, uncounted

OTHER = "20260201.0.0"


def test_an_edition_counts_its_releases_up_to_its_size() -> None:
    """Later reports, other releases and replaced rows are beside it."""
    with world("membership") as made:
        made.imports(release([row(1), row(2, **FAILED)]))
        made.imports(release([row(2, **FAILED), row(3)], OTHER), "other.json")
        made.freezes("some", [RELEASE])
        made.freezes("all")
        made.imports(release([row(4)], "20260301.0.0"), "late.json")
        one, two, three, four = map(made.attempt, range(4))
        state, frozen = made.replay.attempts, made.replay.authority.editions
        counted = [attempt for attempt in (one, two, three, four)
                   if counts(state, frozen["some"], attempt)]  # fmt: skip
        assert counted == [one, two]
        assert uncounted(state, frozen["some"]) == Uncounted([OTHER], 1)
        assert uncounted(state, frozen["all"]) == Uncounted([], 0)
        assert editions_with(made.replay, two) == ["all", "some"]
        assert editions_with(made.replay, three) == ["all"]
        assert editions_with(made.replay, four) == []


def test_a_replaced_source_is_counted_by_editions_from_before() -> None:
    """What a later file of the release leaves out stands in what was frozen earlier."""
    with world("replaced") as made:
        made.imports(release([row(1), row(2)]))
        made.freezes("before", [RELEASE])
        made.imports(release([row(1)]), "again.json")
        made.freezes("after", [RELEASE])
        two = made.attempt(1)
        assert editions_with(made.replay, two) == ["before"]
        frozen = made.replay.authority.editions["after"]
        assert uncounted(made.replay.attempts, frozen) == Uncounted([], 1)
