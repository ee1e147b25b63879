"""The life of a run: what was seen of its files, what was concluded, and what people answered."""

from collections.abc import Callable
from typing import Any

from ledger.events import AuditConcluded, FileObserved, ReviewDecided
from ledger.replay import Replay

from .rows import Row


def life_of_run(
    replay: Replay, run: str, event_of: Callable[[int], Any]
) -> tuple[list[tuple[int, str]], Row]:
    """Return (number, what it did) of the events about a run, and how the run stands.

    Args:
        replay: As of where it is looked.
        run: Its name.
        event_of: Gives what an event says, by number.
    """
    moments: list[tuple[int, str]] = []
    replaced: set[int] = set()
    files: dict[int, int] = {}
    reviews: dict[str, str] = {}
    newest: AuditConcluded | None = None
    for seq in replay.runs.events_of(run):
        match event_of(seq):
            case FileObserved() as seen:
                moments.append((seq, _seen(seen)))
                files[seq] = seen.records
                if seen.supersedes is not None:
                    replaced.add(seen.supersedes)
            case AuditConcluded() as newest:
                why = "" if newest.failure_class is None else f", {newest.failure_class}"
                moments.append((seq, f"judged: {newest.overall}{why}"))
            case ReviewDecided(review=review, status=status, verdict=verdict):
                moments.append((seq, f"reviewed: {review} {status}, on verdict {verdict}"))
                reviews[review] = status
            case _:
                pass  # only these three are kept by run
    standing = {seq: records for seq, records in files.items() if seq not in replaced}
    return moments, {
        "files": len(standing),
        "records": sum(standing.values()),
        "overall": None if newest is None else newest.overall,
        "failure_class": None if newest is None else newest.failure_class,
        "reviews": [f"{review} {status}" for review, status in sorted(reviews.items())],
    }


def _seen(seen: FileObserved) -> str:
    what = f"{seen.role}: {seen.state}"
    if seen.records:
        what += f", {seen.records - seen.kept:,} new of {seen.records:,} records"
    return what if seen.supersedes is None else f"{what}, in place of {seen.supersedes}"
