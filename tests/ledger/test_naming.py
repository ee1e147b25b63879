"""What a maintainer means by a few characters, a number or a few words."""

from collections.abc import Iterator

import pytest
from bundle_world import FAILED, World, release, row, world

from ledger.errors import (
    AttemptUnknown,
    EventUnknown,
    EvidenceInvalid,
    NameUnknown,
    ReasonMissing,
    RedactionInvalid,
)
from ledger.naming import check_slot, evidence_of, resolve
from ledger.things import thing_of


@pytest.fixture
def made() -> Iterator[World]:
    """Return a ledger with two attempts."""
    with world("naming") as here:
        here.imports(release([row(1), row(2, **FAILED)]))
        here.attempt(0)
        yield here


def test_an_attempt_is_named_by_its_digits_too(made: World) -> None:
    """Eight of them are enough, with or without what stands before them."""
    two = made.attempt(1)
    digits = two.removeprefix("att-")
    for target in (two, two[:12], digits, digits[:8]):
        assert resolve(made.replay, target) == two


def test_a_beginning_of_several_attempts_is_refused(
    made: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both ask for more of one of them, and name them."""
    monkeypatch.setattr("ledger.naming.MIN_PREFIX", 4)
    with pytest.raises(AttemptUnknown) as one:
        resolve(made.replay, "att-")
    with pytest.raises(NameUnknown) as other:
        thing_of(made.replay, "att-", list)
    assert one.value.got == other.value.got == "'att-', which 2 attempts begin with"
    assert made.attempt(0) in other.value.expected


def test_evidence_is_sorted_out(made: World) -> None:
    """Attempts and numbers become events, once each; the rest stays as it was given."""
    one, two = made.attempt(0), made.attempt(1)
    given = [two, "3", one[:12], "3", "ticket 7", "12 angry men", "ticket 7", "abcdef0123"]
    found = evidence_of(made.replay, given)
    assert found.events == [3, 5, 6]
    assert found.outside == ["ticket 7", "12 angry men", "abcdef0123"]


@pytest.mark.parametrize("reference", ["", "\t", "7", "00000000000000000000", "att-", "a\u2028b"])
def test_evidence_that_names_nothing_is_refused(reference: str, made: World) -> None:
    """The ledger has seven events, and no attempt begins so."""
    with pytest.raises(EvidenceInvalid):
        evidence_of(made.replay, [reference])


def test_no_evidence_is_none(made: World) -> None:
    """A decision that nobody can contest."""
    with pytest.raises(ReasonMissing):
        evidence_of(made.replay, [])


def test_slots_are_checked_before_they_are_deleted(made: World) -> None:
    """A slot has to be there, and not to be gone already; the message says what there is."""
    check_slot(made.replay, 5, "record")
    with pytest.raises(EventUnknown):
        check_slot(made.replay, made.replay.size, "record")
    with pytest.raises(RedactionInvalid) as refused:
        check_slot(made.replay, 6, "notes")
    assert "6/record" in refused.value.expected
    by = made.redacts((5, "record"))
    with pytest.raises(RedactionInvalid) as refused:
        check_slot(made.replay, 5, "record")
    assert f"event {by}" in refused.value.got
