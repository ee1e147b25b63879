"""Times: ``YYYY-MM-DDTHH:MM:SS.ffffffZ``, in UTC, to the microsecond (``specs/canon.md``, Times).

One instant has one text, so that texts compare as times do. Leap seconds have no such text.
"""

import re
from datetime import UTC, datetime, timedelta

from canon.errors import InstantNaive, InstantPrecision, InstantText
from canon.excerpt import excerpt

FORM = "YYYY-MM-DDTHH:MM:SS.ffffffZ"

_CANONICAL = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z", re.ASCII
)
_FOREIGN = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]+))?"
    r"([Zz]|[+-][0-9]{2}:[0-9]{2})?",
    re.ASCII,
)


def parse_instant(text: str) -> datetime:
    """Return the time that canonical *text* stands for, with zone UTC (CANON-36).

    Raises:
        InstantText: The text has another form, or names no time of the calendar.

    """
    if not _CANONICAL.fullmatch(text):
        raise InstantText("time", excerpt(text), FORM)
    return _calendar(text[:10], text[11:19], text[20:26], text)


def instant_text(value: datetime) -> str:
    """Return the canonical text of *value*, whatever its zone (CANON-36).

    Raises:
        InstantNaive: The value has no zone (CANON-37).
        InstantText: The time in UTC is outside the years 1 to 9999.

    """
    if value.utcoffset() is None:
        raise InstantNaive("time", value.isoformat(), "a time with its offset from UTC")
    try:
        utc = value.astimezone(UTC)
    except OverflowError:
        raise InstantText("time", value.isoformat(), "a year of 1 to 9999 in UTC") from None
    return utc.isoformat(timespec="microseconds")[:26] + "Z"


def read_instant(text: str) -> str:
    """Return the canonical text of a time in the form of RFC 3339 (CANON-36).

    Args:
        text: Seconds may have any number of decimals, of which at most six are significant; T and
            Z may be small, T may be a space.

    Raises:
        InstantText: The text has another form, or names no time of the calendar.
        InstantNaive: The text has neither Z nor an offset (CANON-37).
        InstantPrecision: The seventh decimal or a later one is not zero (CANON-38).

    """
    match = _FOREIGN.fullmatch(text)
    if match is None:
        raise InstantText("time", excerpt(text), "a time in the form of RFC 3339")
    day, clock, decimals, zone = match.groups()
    fraction = (decimals or "").rstrip("0")
    if len(fraction) > 6:
        raise InstantPrecision("time", excerpt(text), "at most six significant decimals")
    local = _calendar(day, clock, fraction, text)
    if zone is None:
        raise InstantNaive("time", excerpt(text), "a time with Z or its offset from UTC")
    if zone in "Zz":
        return instant_text(local)
    hours, minutes = int(zone[1:3]), int(zone[4:6])
    if hours > 23 or minutes > 59:
        raise InstantText("time", excerpt(text), "an offset below 24:00")
    offset = timedelta(hours=hours, minutes=minutes)
    try:
        return instant_text(local + offset if zone[0] == "-" else local - offset)
    except OverflowError:
        raise InstantText("time", excerpt(text), "a year of 1 to 9999 in UTC") from None


def _calendar(day: str, clock: str, fraction: str, source: str) -> datetime:
    """Return the time of the calendar, in UTC, or refuse the 30th of February.

    Part by part: what ``datetime.fromisoformat`` takes (24:00) depends on the Python version.
    """
    year, month, date = map(int, day.split("-"))
    hour, minute, second = map(int, clock.split(":"))
    try:
        return datetime(year, month, date, hour, minute, second, int(f"{fraction:0<6}"), UTC)
    except ValueError as error:
        raise InstantText("time", excerpt(source), f"a time of the calendar ({error})") from None
