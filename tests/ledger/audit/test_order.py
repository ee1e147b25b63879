"""Order, sessions of the world, and the view by time."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged_runs import FLAGS, Draft, at, flag, judged, statuses

from ledger.audit import Dated, chronological
from ledger.audit.chronology import chronology
from ledger.audit.order import Clock, Moment, contradicts, rank, relation

ARMED = FLAGS[1]


def moment(when: int | None = None, tick: int | None = None, seq: int | None = None,
           clock: Clock | None = None, domain: int = 0) -> Moment:  # fmt: skip
    """Return a moment of a stream with one session."""
    if clock is None:
        clock = Clock("testmod")
        clock.domain(tick)
    return Moment(when, tick, seq, clock, domain)


@pytest.mark.parametrize(
    ("one", "two", "same_stream", "expected"),
    [
        ((1, None, None), (2, None, None), False, "before"),
        ((2, None, None), (1, None, None), False, "after"),
        ((1, 9, None), (2, 3, None), False, "before"),
        ((1, 3, 9), (1, 4, 2), False, "before"),
        ((None, 4, None), (9, 3, None), False, "after"),
        ((1, 3, 1), (1, 3, 2), True, "before"),
        ((1, 3, 1), (1, 3, 2), False, None),
        ((1, None, 2), (1, None, 1), True, "after"),
        ((None, 3, 2), (None, 3, 1), True, "after"),
        ((None, None, 1), (None, None, 2), True, None),
        ((1, None, 1), (None, None, 2), True, None),
        ((1, None, 5), (1, None, 5), True, None),
        ((None, None, None), (1, 1, 1), True, None),
    ],
)
def test_two_records_are_ordered_where_a_clock_says_so(
    one: tuple[int | None, int | None, int | None],
    two: tuple[int | None, int | None, int | None],
    same_stream: bool,
    expected: str | None,
) -> None:
    """Times, then ticks, then numbers of one file; else nobody knows (AUDIT-20, AUDIT-21)."""
    clock = Clock("testmod")
    clock.domain(0)
    other = clock if same_stream else None
    first, second = moment(*one, clock), moment(*two, other)
    assert relation(first, second) == expected


INSTANTS = st.none() | st.integers(-3, 3) | st.builds(Fraction, st.integers(-3, 3), st.just(2))
MOMENTS = st.builds(moment, INSTANTS, st.none() | st.integers(0, 3), st.none() | st.integers(0, 3))


@given(MOMENTS, MOMENTS)
def test_relation_is_one_way(one: Moment, two: Moment) -> None:
    """What comes before comes not after, seen from either side."""
    turned = {"before": "after", "after": "before", None: None}
    assert relation(two, one) == turned[relation(one, two)]
    assert contradicts(one, two) == contradicts(two, one)
    assert relation(one, one) is None


def test_ticks_of_another_session_are_not_compared() -> None:
    """A server that starts again counts from its own beginning (AUDIT-22)."""
    clock = Clock("testmod")
    domains = [clock.domain(tick) for tick in (7012, 7013, 0, 5)]
    assert domains == [0, 0, 1, 1]
    first, second = moment(tick=7012, clock=clock), moment(tick=5, clock=clock, domain=1)
    assert relation(first, second) is None
    assert relation(moment(1, 7012, clock=clock), moment(2, 5, clock=clock, domain=1)) == "before"
    assert relation(moment(tick=0), second) is None


@pytest.mark.parametrize(
    ("records", "sessions"),
    [
        ([(1, None, True), (2, None, False)], 1),
        ([(1, None, False), (2, None, True)], 2),
        ([(1, "a", False), (2, "a", False), (3, "b", False)], 2),
        ([(1, "a", False), (2, None, False), (3, "a", False)], 1),
        ([(None, None, False), (5, None, False), (None, None, False), (6, None, False)], 1),
        ([(5, None, False), (5, None, False), (4, None, False)], 2),
    ],
)
def test_where_sessions_begin(
    records: list[tuple[int | None, str | None, bool]], sessions: int
) -> None:
    """Where ticks go back, an instance is ready, or the session has another name (AUDIT-22)."""
    clock = Clock("testmod")
    for tick, session, ready in records:
        clock.domain(tick, session, ready=ready)
    assert len(clock.sessions) == sessions


def test_named_sessions_of_two_files() -> None:
    """Two files share a clock where both name the same session (AUDIT-22)."""
    mod, log = Clock("testmod"), Clock("logger")
    for tick, session in ((9, "a"), (1, "b")):
        mod.domain(tick, session)
    log.domain(1, "b")
    late = moment(tick=3, clock=log)
    assert relation(moment(tick=1, clock=mod, domain=1), late) == "before"
    assert relation(moment(tick=1, clock=mod, domain=0), late) is None


def test_a_restart_leaves_the_order_to_a_reviewer() -> None:
    """Without times a log of several sessions is not ordered against another (AUDIT-23)."""

    def restarted(draft: Draft) -> None:
        for event in ("logger_armed", "input_processed"):
            draft.event(event).update(at=None)
        draft.testmod.insert(0, {"event": "end", "tick": 9_000, "seq": 0})

    verdict = judged(restarted)
    assert statuses(verdict)[ARMED] == "PENDING"
    assert [one["id"] for one in flag(verdict, ARMED)["required_review"]] == [
        "logger_armed_before_activation.running",
        "logger_armed_before_activation.ordering",
    ]


def test_what_lacks_a_time_comes_last() -> None:
    """What lacks a time comes last, then what lacks a tick, then a number (AUDIT-24)."""
    ranks = [rank(1, 1, 1), rank(1, 1, None), rank(1, None, 1), rank(2, 0, 0), rank(None, 0, 0)]
    assert ranks == sorted(ranks)


def test_chronology_of_a_run() -> None:
    """Every record once, by time, with its own file, line and number (AUDIT-25)."""
    draft = Draft()
    listed = chronology(draft.contents())
    times = [one.at for one in listed if one.at is not None]
    assert times == sorted(times)
    assert len(listed) == 7 + len(draft.testmod) + len(draft.logger)
    assert [one.ref for one in listed if one.what == "input_processed"] == ["testmod:seq3"]
    assert [one.what for one in listed][:3] == ["header", "instance_ready", "call write"]


def test_an_untimed_record_stays_where_it_is() -> None:
    """It stands behind the one before it in its file (AUDIT-25)."""
    draft = Draft()
    draft.event("cart_ejected", "box-2").update(at=None)
    refs = [one.ref for one in chronology(draft.contents())]
    assert refs.index("testmod:seq5") == refs.index("testmod:seq4") + 1


DATED = st.builds(
    Dated,
    stream=st.sampled_from(["trajectory", "testmod", "logger"]),
    line=st.integers(1, 50),
    what=st.just("x"),
    ref=st.just("x:1"),
    at=INSTANTS,
    tick=st.none() | st.integers(0, 3),
    domain=st.integers(0, 1),
    seq=st.none() | st.integers(0, 3),
)


@given(st.lists(DATED, max_size=12))
def test_the_view_loses_and_changes_nothing(records: list[Dated]) -> None:
    """It is an order of the same records, and sorting it again changes nothing (AUDIT-25)."""
    listed = chronological(records)
    assert sorted(map(id, listed)) == sorted(map(id, records))
    timed = [one.at for one in listed if one.at is not None]
    assert timed == sorted(timed)


def test_a_session_imported_late_is_shown_in_its_place() -> None:
    """Records that came into the file later stand where their time belongs (AUDIT-25)."""
    draft = Draft()
    draft.calls = draft.calls[2:] + draft.calls[:2]
    refs = [one.ref for one in chronology(draft.contents()) if one.what.startswith("call")]
    assert refs == ["trajectory:c1", "trajectory:c2", "trajectory:c3"]
    assert at(10) < at(20)
