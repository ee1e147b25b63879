"""Events of runs at their places: what is known of them, and no way to leave one out (EVENT-73)."""

from typing import Any, get_args

import msgspec
import pytest
from bundle_run import AGAIN, ANSWER, DECIDED, GROWN, LOGGER, MANIFEST, MARK, RUN, run_draft
from hypothesis import given
from hypothesis import strategies as st

from canon.refusal import Refusal
from ledger.entry import Signed, read_entry, read_event
from ledger.events import (
    MANY,
    RECORD_OF,
    STREAM_ROLES,
    AuditConcluded,
    FileObserved,
    FileRole,
    FileState,
    ItemDeclared,
)
from ledger.run_files import RunFiles
from ledger.runs import contents, layout

EVENTS: list[Any] = [read_event(read_entry(data)) for data in run_draft().made().entries]
FIRST, LAST = MANIFEST, AGAIN


def taken(events: list[tuple[int, Any]]) -> RunFiles:
    """Return what is known after events, each at its own number."""
    rules = {event.rules for event in EVENTS if isinstance(event, AuditConcluded)}
    runs = RunFiles(rules)
    for seq, event in events:
        match event:
            case FileObserved():
                runs.file(seq, event)
            case AuditConcluded():
                runs.verdict(seq, event)
            case Signed():
                runs.idle(seq)
                runs.answered(event.decision)  # type: ignore[arg-type]
                runs.review(seq, RUN)
            case _:
                runs.record(seq, event)
    runs.idle(len(EVENTS))
    return runs


def own(*, without: int | None = None) -> list[tuple[int, Any]]:
    """Return the events of the run with their numbers; those behind one left out move up."""
    kept = [seq for seq in range(FIRST, LAST + 1) if seq != without]
    return list(zip(range(FIRST, LAST + 1), (EVENTS[seq] for seq in kept), strict=False))


def test_roles_and_states_are_those_of_run_directories() -> None:
    """Events and directories name the same roles, streams and states."""
    assert set(get_args(FileRole)) == set(layout.ROLES)
    assert STREAM_ROLES == layout.STREAMS
    assert get_args(FileState) == get_args(contents.State)
    assert set(get_args(FileRole)) >= MANY
    assert {role for role in RECORD_OF if RECORD_OF[role] is ItemDeclared} == {
        "manifest",
        "evidence",
        "visibility",
        "withheld",
    }


def test_every_event_is_known_to_be_of_its_run() -> None:
    """Files and records are; verdicts and reviews, which nothing cites, are not (EVENT-84)."""
    runs = taken(own())
    of_run = {seq for seq in range(len(EVENTS)) if runs.run_of(seq) == RUN}
    assert of_run == set(range(MANIFEST, AGAIN + 1)) - {DECIDED - 1, DECIDED, AGAIN}
    assert runs.newest_verdict(RUN) == AGAIN
    assert (runs.count, RUN in runs.runs, "run-02" in runs.runs) == (1, True, False)


@pytest.mark.parametrize("seq", [seq for seq in range(FIRST, LAST) if seq != ANSWER])
def test_no_event_of_a_run_can_be_left_out_unseen(seq: int) -> None:
    """Each has a line, a file or a verdict behind it that misses it, or moves to another place."""
    with pytest.raises(Refusal):
        taken(own(without=seq))


@given(st.permutations(range(FIRST, LAST + 1)))
def test_only_one_order_of_lines_holds(order: list[int]) -> None:
    """Whatever order is taken holds every file with its records right behind it."""
    try:
        taken(list(zip(range(FIRST, LAST + 1), (EVENTS[seq] for seq in order), strict=True)))
    except Refusal:
        return
    assert order == sorted(order)


def test_a_log_does_not_end_within_a_file() -> None:
    """A line that is missing at the end is missed there (EVENT-73)."""
    runs = RunFiles(())
    runs.file(GROWN, _first(EVENTS[GROWN]))
    runs.record(GROWN + 1, _line(EVENTS[MARK], 0, GROWN))
    with pytest.raises(Refusal) as refused:
        runs.idle(GROWN + 2)
    assert refused.value.code == "E_FILE_ORDER"
    assert f"line 1 of file {GROWN}" in refused.value.message


def _first(event: FileObserved) -> FileObserved:
    return msgspec.structs.replace(event, kept=0, supersedes=None)


def _line(event: Any, line: int, source: int) -> Any:
    return msgspec.structs.replace(event, line=line, source=source)


def test_numbers_of_records_are_known_without_keeping_them() -> None:
    """A file of a million lines takes the room of one file."""
    runs = RunFiles(())
    file = _first(EVENTS[LOGGER])
    lines = 5_000
    runs.file(9, msgspec.structs.replace(file, records=lines, size_bytes=10**6))
    for line in range(lines):
        runs.record(10 + line, _line(EVENTS[LOGGER + 1], line, 9))
    assert (runs.run_of(9), runs.run_of(9 + lines), runs.run_of(10 + lines)) == (RUN, RUN, None)
    assert sum(len(value) for value in vars(runs).values() if hasattr(value, "__len__")) < 10
