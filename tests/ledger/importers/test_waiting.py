"""Rows that wait for the end of their file, in memory or on disk."""

import copy
import io
import json
from typing import Any

import pytest

from ledger.errors import StorageFull
from ledger.importers.replaybook.reading import ReleaseReading
from ledger.importers.shelf import Shelf

Document = dict[str, Any]


@pytest.fixture
def numbers() -> Shelf[int]:
    """Return a shelf of numbers with room for three of them in memory."""
    return Shelf(lambda n: n.to_bytes(4, "big"), lambda b: int.from_bytes(b, "big"), memory_bytes=3)


def test_values_come_back_in_order(numbers: Shelf[int]) -> None:
    """Those in memory, then those on disk, and again."""
    for number in range(100):
        numbers.put(number, 1)
    assert list(numbers) == list(range(100))
    assert list(numbers) == list(range(100))
    numbers.close()


def test_a_large_value_does_not_overtake(numbers: Shelf[int]) -> None:
    """Once a value is on disk, smaller ones that follow it are too."""
    for number, size in ((1, 1), (2, 50), (3, 1), (4, 0)):
        numbers.put(number, size)
    assert list(numbers) == [1, 2, 3, 4]
    numbers.close()


def test_an_empty_shelf_has_nothing(numbers: Shelf[int]) -> None:
    """And closing it is nothing to worry about."""
    assert list(numbers) == []
    numbers.close()


def test_a_full_disk_is_told(numbers: Shelf[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's words, and where the room is missing."""

    def refuse(**_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with pytest.raises(StorageFull) as caught:
        numbers.put(1, 9)
    assert caught.value.got == "No space left on device"


def test_rows_on_disk_are_the_rows_in_memory(release: Document) -> None:
    """Nothing is lost on the way: nulls, parts, flags, problems."""
    rows = release["runs"]
    rows[3]["reward"] = 7
    rows[4]["usage"] = rows[5]["verification"] = rows[6]["recording"] = None
    rows[7]["verification"]["after_agent_timeout"] = {"durable_repair": True}
    rows[8]["finished_at"] = "2026-02-28T09:00:00Z"
    rows.append(copy.deepcopy(rows[0]))
    release["corrections"] = [{"run_id": rows[1]["run_id"], "changes": {"failure": "x"}}]
    data = json.dumps(release).encode()
    found = []
    for memory_bytes in (0, 2_000, 2**20):
        reading = ReleaseReading(io.BytesIO(data), "x", memory_bytes=memory_bytes)
        found.append((list(reading.records(5)), reading.findings.flags()))
        reading.close()
    assert found[0] == found[1] == found[2]
    assert len(found[0][0]) == 1 + 13 + 1
