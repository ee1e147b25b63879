"""Laws of the events of a file: no way to leave one out, move one or count one twice."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from bundle_world import FAILED, release, row
from hypothesis import given
from hypothesis import strategies as st

from canon.refusal import Refusal
from ledger.errors import FileOrder
from ledger.events import (
    AttemptReported,
    CorrectionReported,
    Observation,
    RecordQuarantined,
    SourceImported,
)
from ledger.filing import Filing
from ledger.importers import import_file
from ledger.projections import attempts
from ledger.run_files import RunFiles

AT = "2026-01-01T00:00:00.000000Z"


class Taken:
    """A ledger in memory, as far as an import needs one; also its own transaction."""

    def __init__(self) -> None:
        self.events: list[Observation] = []
        self.keys: dict[str, int] = {}

    @property
    def size(self) -> int:
        """Number of the next event."""
        return len(self.events)

    def seq_of(self, key: str) -> int | None:
        """Return the newest source of a name."""
        return self.keys.get(key)

    def known(self, keys: Sequence[str]) -> dict[str, int]:
        """Return no attempts."""
        return {}

    def identities(self, kind: str | None = None) -> Iterator[tuple[str, int]]:
        """Yield no identities."""
        yield from ()

    def entries(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Yield no entries: nothing is compared here."""
        yield from ()

    def entry(self, seq: int) -> bytes | None:
        """Return no entry."""

    def append(
        self, event: Observation, blobs: Mapping[str, bytes] | None = None, **_: object
    ) -> int:
        """Append an event, without its blobs."""
        if isinstance(event, SourceImported):
            self.keys[f"release:{event.name}"] = self.size
        self.events.append(event)
        return self.size - 1

    @contextmanager
    def batch(self, *, at: str, entropy: Callable[[int], bytes]) -> Iterator["Taken"]:
        """Give itself."""
        yield self


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> list[Observation]:
    """Return the events of three files: rows, one set aside, corrections; one replaces another."""
    folder, taken = tmp_path_factory.mktemp("filed"), Taken()
    corrections = [
        {"run_id": f"w-q-{number}", "original": {}, "changes": {"failure_category": "flooded"}}
        for number in (1, 2)
    ]
    rows = [row(1, **FAILED), row(2, **FAILED), row(3, reward=2), row(4)]
    files = [
        release(rows, corrections=corrections),
        release([row(5), row(1, **FAILED)], "20260102.0.0"),
        release(rows[:2], title="again"),
    ]
    for number, data in enumerate(files):
        path = Path(folder / f"{number}.json")
        path.write_bytes(data)
        import_file(taken, path, at=AT, entropy=bytes)  # type: ignore[arg-type]
    assert sum(isinstance(event, RecordQuarantined) for event in taken.events) == 1
    return taken.events


def moved(event: Observation, seqs: Mapping[int, int]) -> Observation:
    """Return an event that names its source by the number that this has now."""
    changed: dict[str, Any] = {}
    if not isinstance(event, SourceImported):
        changed["source"] = seqs.get(event.source, event.source)
    elif event.supersedes is not None:
        changed["supersedes"] = seqs.get(event.supersedes, event.supersedes)
    return msgspec.structs.replace(event, **changed)


def taken(order: Sequence[tuple[int, Observation]]) -> str | None:
    """Take events, each renumbered to where it stands now; return the code of the refusal."""
    seqs: dict[int, int] = {}
    for now, (before, _) in enumerate(order):
        seqs.setdefault(before, now)
    filing, state = Filing(RunFiles(())), attempts.empty()
    try:
        for seq, (_, event) in enumerate(order):
            here = moved(event, seqs)
            filing.observation(seq, here, state)
            state = attempts.step(state, seq, here)
        filing.decision(len(order))
    except Refusal as refusal:
        return refusal.code
    return None


def test_an_import_is_in_order(events: list[Observation]) -> None:
    """What the importer makes is what the rules ask for (EVENT-40 to EVENT-45)."""
    assert taken(list(enumerate(events))) is None


def test_no_event_of_a_file_can_be_left_out(events: list[Observation]) -> None:
    """But the last correction, which only the file's own record knows of (EVENT-42, VERIFY-23)."""
    order = list(enumerate(events))
    spared = [seq for seq in range(len(order)) if taken(order[:seq] + order[seq + 1 :]) is None]
    last = max(seq for seq, event in order if isinstance(event, CorrectionReported))
    assert spared == [last]


@given(data=st.data())
def test_no_event_can_stand_twice_or_elsewhere(
    events: list[Observation], data: st.DataObject
) -> None:
    """Wherever one is put again or moved to, all else as it was (EVENT-42, EVENT-44)."""
    order = list(enumerate(events))
    place = data.draw(st.integers(0, len(order) - 1))
    to = data.draw(st.integers(0, len(order)))
    assert taken([*order[:to], order[place], *order[to:]]) is not None
    rest = order[:place] + order[place + 1 :]
    to = data.draw(st.integers(0, len(rest)).filter(lambda number: number != place))
    assert taken([*rest[:to], order[place], *rest[to:]]) is not None


_CHANGES: dict[str, Any] = {
    "agent": "another",
    "model": "another",
    "reasoning_effort": "another",
    "scenario": "another",
    "scenario_version": 99,
    "number": 99,
    "started_at": AT,
    "finished_at": AT,
    "attempt": f"att-{0:032x}",
    "index": 99,
    "source": 99,
    "release": "another",
    "matrix": "another",
}


@pytest.mark.parametrize("name", _CHANGES)
def test_what_places_a_row_cannot_be_changed(events: list[Observation], name: str) -> None:
    """Each field that says which trial of which file a row is (EVENT-42, EVENT-43, EVENT-45)."""
    for seq, event in enumerate(events):
        if isinstance(event, AttemptReported):
            changed = msgspec.structs.replace(event, **{name: _CHANGES[name]})
            order = list(enumerate(events))
            order[seq] = (seq, changed)
            assert taken(order) is not None


def test_what_a_source_replaces_is_asked_before_whether_its_place_is_free(
    events: list[Observation],
) -> None:
    """A clause that stands before another is asked before it (EVENT-40 to EVENT-42)."""
    first = next(event for event in events if isinstance(event, SourceImported))
    hidden = msgspec.structs.replace(first, sha256=None)
    again = msgspec.structs.replace(hidden, supersedes=0)
    public = msgspec.structs.replace(first, sha256=bytes(32))
    twice = msgspec.structs.replace(again, sha256=bytes(32))
    assert taken([(0, first), (1, hidden)]) == "E_SUPERSEDES"
    assert taken([(0, public), (1, twice)]) == "E_SOURCE_TWICE"
    assert taken([(0, first), (1, again)]) == "E_FILE_ORDER"


def test_a_log_cannot_end_within_a_file(events: list[Observation]) -> None:
    """Nor can a decision stand there (EVENT-42)."""
    filing, state = Filing(RunFiles(())), attempts.empty()
    for seq, event in enumerate(events[:4]):
        filing.observation(seq, event, state)
        state = attempts.step(state, seq, event)
    with pytest.raises(FileOrder):
        filing.decision(4)


def test_the_samples_are_in_order(tmp_path: Path) -> None:
    """All that the project ships goes through (EVENT-40 to EVENT-45)."""
    made = Taken()
    samples = sorted((Path(__file__).parents[2] / "samples").glob("*.json"))
    for path in samples:
        import_file(made, path, at=AT, entropy=bytes)  # type: ignore[arg-type]
    assert taken(list(enumerate(made.events))) is None
    assert sum(len(json.loads(path.read_text())["runs"]) for path in samples) == sum(
        isinstance(event, AttemptReported) for event in made.events
    )
