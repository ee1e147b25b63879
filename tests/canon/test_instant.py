"""Laws of times: one text for one instant, in the order of time."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

import canon

OFFSETS = st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29), timezones=OFFSETS)  # noqa: DTZ001


@given(MOMENTS)
def test_round_trip(moment: datetime) -> None:
    """A moment of any zone has one text of 27 characters, which is read as the same moment."""
    text = canon.instant_text(moment)
    assert len(text) == 27
    assert canon.parse_instant(text) == moment
    assert canon.parse_instant(text).tzinfo is UTC
    assert canon.instant_text(canon.parse_instant(text)) == text


@given(MOMENTS, MOMENTS)
def test_texts_sort_as_times(one: datetime, other: datetime) -> None:
    """Comparing texts is comparing times."""
    assert (canon.instant_text(one) < canon.instant_text(other)) == (one < other)


@given(MOMENTS, st.sampled_from("Tt "), st.integers(0, 3))
def test_foreign_time_is_the_same_moment(moment: datetime, gap: str, zeros: int) -> None:
    """What Python writes with an offset is read as the moment it means."""
    text = moment.isoformat(sep=gap, timespec="microseconds")
    padded = text[:26] + "0" * zeros + text[26:]
    assert canon.read_instant(padded) == canon.instant_text(moment)


@given(MOMENTS)
def test_canonical_text_is_read_as_itself(moment: datetime) -> None:
    """Reading a canonical time changes nothing."""
    text = canon.instant_text(moment)
    assert canon.read_instant(text) == text


@given(st.text("0123456789-:.TZ+ ", max_size=32))
def test_any_text_is_read_or_refused(text: str) -> None:
    """No text crashes either reader."""
    try:
        read = canon.read_instant(text)
    except (canon.InstantText, canon.InstantNaive, canon.InstantPrecision):
        with pytest.raises(canon.InstantText):
            canon.parse_instant(text)
    else:
        assert canon.instant_text(canon.parse_instant(read)) == read


def test_naive_moment_is_refused() -> None:
    """A moment without zone is no instant."""
    with pytest.raises(canon.InstantNaive):
        canon.instant_text(datetime(2024, 2, 29, 12))  # noqa: DTZ001


def test_moment_outside_the_calendar_in_utc_is_refused() -> None:
    """The last hour of year 9999 in New York is in year 10000 in UTC."""
    moment = datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-5)))
    with pytest.raises(canon.InstantText):
        canon.instant_text(moment)


def test_naive_text_that_is_no_time_is_no_time() -> None:
    """The calendar comes before the zone: what names no time lacks more than a zone."""
    with pytest.raises(canon.InstantText):
        canon.read_instant("2023-02-29T12:00:00")
