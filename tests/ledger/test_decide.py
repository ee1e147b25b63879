"""Deciding: what is signed is judged before it is kept, by the judge that verifies (STORE-6)."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from bundle_world import (
    ADA,
    AT,
    BEN,
    CLEO,
    FAILED,
    Entropy,
    World,
    release,
    roles,
    root,
    row,
    world,
)
from forge import key

from canon import decode, encode
from canon.refusal import Refusal
from ledger.authority import check_value
from ledger.check import check_ledger
from ledger.decide import algorithm_of, catch_up, decide, replay_of
from ledger.errors import (
    AttemptUnknown,
    CorrectionInvalid,
    ReasonMissing,
    RedactionInvalid,
    ShapeInvalid,
)
from ledger.founding import first_root, found, freeze_policy
from ledger.maintain import correct, exclude, redact
from ledger.naming import resolve
from ledger.rules import shipped
from ledger.store import Ledger
from signing.errors import KeyUnknown, RoleMissing, SignatureInvalid, ThresholdUnmet


@pytest.fixture
def made() -> Iterator[World]:
    """Return a ledger with two attempts and an edition."""
    with world("decide") as here:
        here.imports(release([row(1), row(2, **FAILED)]))
        here.freezes()
        yield here


def refused(made: World, refusal: type[Refusal], act: Callable[[], object]) -> None:
    """Do what must be refused, with nothing appended."""
    before = (made.ledger.head(), list(made.ledger.blobs()), list(made.ledger.identities()))
    with pytest.raises(refusal):
        act()
    assert before == (made.ledger.head(), list(made.ledger.blobs()), list(made.ledger.identities()))


def test_a_correction_counts_from_then_on(made: World) -> None:
    """The field has its new value, and the edition that counts the attempt is named."""
    two = made.attempt(1)
    done = correct(
        made.ledger,
        made.replay,
        two[:12],
        {"failure_category": "null", "reward": "1"},
        "the verifier was broken",
        [key("ben")],
        at=AT,
        entropy=Entropy("c"),
    )
    assert (done.seq, done.attempts, done.editions) == (8, [two], ["2026.1"])
    assert made.replay.attempts.value_of(two, "reward") == 1
    assert made.replay.attempts.value_of(two, "failure_category") is None
    reason = made.ledger.blob(8, "reason")
    assert reason is not None
    assert reason.data == b"the verifier was broken"
    assert check_ledger(made.ledger).error is None


@pytest.mark.parametrize(
    ("values", "refusal"),
    [
        ({"reward": "0"}, CorrectionInvalid),
        ({"reward": "2"}, CorrectionInvalid),
        ({"status": "lost"}, CorrectionInvalid),
        ({"status": "null"}, CorrectionInvalid),
        ({"failure_category": "w" * 65}, CorrectionInvalid),
        ({"failure_category": "two\nlines"}, CorrectionInvalid),
        ({"model": "oak"}, CorrectionInvalid),
        ({}, CorrectionInvalid),
    ],
)
def test_a_correction_that_cannot_be_is_refused(
    made: World, values: dict[str, str], refusal: type[Refusal]
) -> None:
    """No change, no such value, no such field: nothing is appended (STORE-6)."""
    two = made.attempt(1)
    refused(made, refusal, lambda: made.corrects(two, **values))
    assert made.corrects(two, reward="1") == 8


@pytest.mark.parametrize(
    ("field", "value", "possible"),
    [
        ("status", "evaluated", True),
        ("status", None, False),
        ("reward", 1, True),
        ("reward", True, False),
        ("reward", "1", False),
        ("failure_category", None, True),
        ("failure_category", "é" * 32, True),
        ("failure_category", "é" * 33, False),
        ("failure_category", "", False),
        ("failure_category", "a\x85b", False),
        ("failure_category", 1, False),
        ("agent", "x", False),
    ],
)
def test_the_values_that_a_field_can_have(field: str, value: Any, possible: bool) -> None:
    """By kind and bytes, whatever Unicode a Python knows (EVENT-34)."""
    if possible:
        check_value(field, value, "here")
        return
    with pytest.raises(CorrectionInvalid):
        check_value(field, value, "here")


def test_authority_is_asked_at_appending(made: World) -> None:
    """A stranger, an auditor: refused as they would be at verifying (STORE-6)."""
    two = made.attempt(1)
    refused(made, KeyUnknown, lambda: made.corrects(two, by="stranger", reward="1"))
    refused(made, RoleMissing, lambda: made.corrects(two, by="cleo", reward="1"))
    refused(made, KeyUnknown, lambda: made.excludes(two, by="stranger"))
    refused(made, RoleMissing, lambda: made.redacts((5, "record"), by="cleo"))
    assert made.excludes(two) == 8


def test_a_threshold_takes_as_many_people() -> None:
    """One maintainer cannot decide where two must; both together can (STORE-6)."""
    first = root(roles=roles(maintainer=2), keys=[ADA, BEN, CLEO])
    with pytest.raises(ThresholdUnmet), world("two", first):
        raise AssertionError("the shipped policies cannot be frozen by one")


def test_reasons_and_evidence_are_asked_for(made: World) -> None:
    """A decision that nobody can contest is refused before it is signed."""
    two, edge = made.attempt(1), {"at": AT, "entropy": Entropy("r")}
    ledger, replay, ben = made.ledger, made.replay, [key("ben")]
    refused(
        made,
        ReasonMissing,
        lambda: correct(ledger, replay, two, {"reward": "1"}, " ", ben, **edge),
    )
    refused(
        made,
        ReasonMissing,
        lambda: exclude(ledger, replay, two, "provider", "lost", [], ben, **edge),
    )
    refused(
        made,
        ReasonMissing,
        lambda: redact(ledger, replay, [(5, "record")], "privacy", "", ben, **edge),
    )


def test_a_class_that_is_none_is_refused_as_a_shape(made: World) -> None:
    """What a field cannot hold is refused before anything is signed (EVENT-8)."""
    two, edge = made.attempt(1), {"at": AT, "entropy": Entropy("r")}
    refused(
        made,
        ShapeInvalid,
        lambda: exclude(
            made.ledger, made.replay, two, "bad luck", "lost", [two], [key("ben")], **edge
        ),
    )


def test_an_attempt_is_named_by_eight_first_characters(made: World) -> None:
    """Fewer, unknown, or of several attempts: refused with the number of them."""
    two = made.attempt(1)
    assert resolve(made.replay, two) == resolve(made.replay, two[:8]) == two
    for target in (two[:7], "att-zzzzzzzz", "", "att-"):
        with pytest.raises(AttemptUnknown):
            resolve(made.replay, target)


def test_a_redaction_is_for_good(made: World) -> None:
    """Once, of a slot that there is; a decision's own reason can be redacted too (EVENT-38)."""
    reasoned = made.corrects(made.attempt(1), reward="1")
    assert made.redacts((5, "record"), (reasoned, "reason")) == 9
    for slots in ([(5, "record")], [(5, "notes")], [(6, "record"), (5, "record")]):
        refused(made, RedactionInvalid, lambda slots=slots: made.redacts(*slots))
    assert check_ledger(made.ledger).error is None
    assert {(5, "record"), (8, "reason")} == made.replay.authority.redacted.keys()


def test_later_decisions_see_earlier_ones(made: World) -> None:
    """Whoever decides again is bound to the newest decision, in any process (EVENT-24)."""
    two = made.attempt(1)
    made.corrects(two, failure_category="flooded")
    with Ledger.open(made.path, write=True) as other:
        fresh = replay_of(other)
        correct(
            other,
            fresh,
            two,
            {"failure_category": "dried"},
            "it was dry",
            [key("ben")],
            at=AT,
            entropy=Entropy("o"),
        )
    made.excludes(two)
    catch_up(made.replay, made.ledger)
    targets = made.replay.authority.targets
    assert {0, 6, 8, 9} <= targets
    assert check_ledger(made.ledger).error is None


def test_a_replay_of_a_part_is_that_part(made: World) -> None:
    """Up to a size, and on from there, is the same as at once."""
    parts, whole = replay_of(made.ledger), replay_of(made.ledger)
    for stop in (1, 4, 4, 7, None):
        catch_up(parts, made.ledger, stop)
        assert parts.size == (made.ledger.size if stop is None else stop)
    seen: list[int] = []
    catch_up(whole, made.ledger, progress=seen.append)
    assert (parts.leaf, parts.root(), parts.types) == (whole.leaf, whole.root(), whole.types)
    assert seen == [0]
    assert whole.root() == made.ledger.root()


def test_a_decision_of_no_known_key_is_not_signed(made: World) -> None:
    """The trust root gives the algorithm, so it must know the key."""
    assert algorithm_of(made.root, key("cleo")) == -8
    assert algorithm_of(made.root, key("ada")) == -19
    for trust in (made.root, None):
        with pytest.raises(KeyUnknown):
            algorithm_of(trust, key("stranger"))


def test_founding_makes_a_whole_ledger_or_none(tmp_path: Any) -> None:
    """The trust root and every shipped policy are in it, and it checks (STORE-8)."""
    one, log = key("one"), key("one log")
    trust = first_root("log.example/one", one, log, "One")
    with pytest.raises((KeyUnknown, SignatureInvalid)):
        found(tmp_path / "bad.db", trust, key("stranger"), at=AT, entropy=Entropy("f"))
    assert list(tmp_path.iterdir()) == []
    done = found(tmp_path / "good.db", trust, one, at=AT, entropy=Entropy("f"))
    assert [path.name for path in tmp_path.iterdir()] == ["good.db"]
    with Ledger.open(tmp_path / "good.db") as ledger:
        assert ledger.size == done.size == 1 + len(shipped())
        replay = replay_of(ledger)
        catch_up(replay, ledger)
        assert set(replay.authority.policies) == set(shipped())
        assert check_ledger(ledger).error is None


def test_a_policy_replaces_the_one_of_its_name(made: World) -> None:
    """The newest counts, of a higher version and in view of the one before (EVENT-24, EVENT-58)."""
    shipped = made.ledger.document(made.replay.authority.policies["status/replaybook"][0])
    assert shipped is not None
    rules: Any = decode(shipped)
    seq = freeze_policy(
        made.ledger,
        made.replay,
        "status/replaybook",
        encode({**rules, "version": 2}),
        [key("ben")],
        at=AT,
        entropy=Entropy("p"),
    )
    assert made.replay.authority.policies["status/replaybook"][1] == seq == 8
    assert check_ledger(made.ledger).error is None


def test_a_name_over_its_bytes_is_refused_at_appending(made: World) -> None:
    """What the pattern of a field cannot count, the judge does (EVENT-10)."""
    digest = made.replay.authority.policies["status/replaybook"][0]

    def act() -> None:
        decide(
            made.ledger,
            made.replay,
            "policy.frozen/1",
            lambda _: {"policy": "é" * 129, "doc": digest},
            [key("ben")],
            at=AT,
            entropy=Entropy("n"),
        )

    refused(made, ShapeInvalid, act)
