"""Several processes give the verdict of one, to the letter (VERIFY-17)."""

import io
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from bundle_vectors import VECTORS, content, question
from bundle_world import FAILED, World, release, root, row, world

from ledger.bundle import items, read_items
from ledger.bundle.items import Chunk, Disclosure, Item
from ledger.bundle.reader import Core
from ledger.check import FileVerdict, check_ledger
from ledger.events import RECORD
from ledger.store import Ledger
from ledger.verify import ahead, extraction
from ledger.verify.ahead import Readers
from ledger.verify.bundle import verify_bundle
from ledger.verify.question import Question
from ledger.verify.segments import Segments

REPO = Path(__file__).resolve().parents[3]
ROWS = 300
"""More than one chunk holds."""


@pytest.fixture(scope="module")
def readers() -> Iterator[Readers]:
    """Return two processes."""
    with Readers(2) as started:
        yield started


def trial(number: int) -> dict[str, Any]:
    """Return a row; every seventh failed."""
    day = f"2026-01-0{1 + number // 100}T0{number % 100 // 60}:{number % 60:02}"
    times = {"started_at": f"{day}:00Z", "finished_at": f"{day}:30Z"}
    return row(number, **times, **({} if number % 7 else FAILED))


@pytest.fixture(scope="module")
def made() -> Iterator[World]:
    """Return a ledger of two files, the second with more rows than a chunk holds."""
    with world("ahead") as here:
        here.imports(release([trial(1), trial(2)], version="1.0.0"))
        here.imports(release([trial(number) for number in range(1, ROWS + 1)], version="2.0.0"))
        here.freezes()
        yield here


@pytest.fixture(scope="module")
def sound(made: World) -> bytes:
    """Return its bundle, with every slot disclosed."""
    draft = made.draft()
    draft.disclose = lambda _: True
    return draft.made().data


def verdict(data: bytes, readers: Readers | None = None) -> dict[str, Any]:
    """Return the verdict on a bundle of the made ledger."""
    return verify_bundle(io.BytesIO(data), Question([root().data]), readers=readers)[0].document()


VERIFIED = [one for one in VECTORS if one["step"] is not None or one["expect"] == "accept"]


@pytest.mark.parametrize("vector", [pytest.param(one, id=one["name"]) for one in VERIFIED])
def test_a_vector_gets_the_same_verdict(vector: dict[str, Any], readers: Readers) -> None:
    """Steps, code, message, number and offset are those of a process alone."""
    data, asked = content(vector["input"]), vector["question"]
    alone, _ = verify_bundle(io.BytesIO(data), question(asked))
    together, _ = verify_bundle(io.BytesIO(data), question(asked), readers=readers)
    assert together.document() == alone.document()


def test_rows_and_their_records_are_read_elsewhere(
    sound: bytes, readers: Readers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that judges opens no commitment of a row and reads no record of one again."""
    expected = verdict(sound)
    assert expected["ok"]
    compared, opened = [], []
    compare, commitment = extraction.compare, items.commitment

    def comparing(entry: Any, *rest: Any) -> None:
        compared.append(entry.type)
        compare(entry, *rest)

    def opening(salt: bytes, data: bytes) -> bytes:
        opened.append(data)
        return commitment(salt, data)

    monkeypatch.setattr(extraction, "compare", comparing)
    monkeypatch.setattr(items, "commitment", opening)
    assert verdict(sound, readers) == expected
    assert compared == ["release.reported/1"] * 2
    assert not [data for data in opened if b'"run_id": "w-q-' in data[:200]]


def places(data: bytes) -> Iterator[tuple[str, int]]:
    """Yield what may be changed, and where: entries and records of the second chunk and others."""
    items: list[Item] = list(read_items(io.BytesIO(data), Core()))
    chunks = [item for item in items if isinstance(item, Chunk)]
    yield "entry", chunks[0].offsets[20] + 400
    yield "entry", chunks[1].offsets[3] + 700
    yield "head", chunks[1].offsets[5]
    records = [item for item in items if isinstance(item, Disclosure) and item.slot == RECORD]
    for record in (records[0], records[9], records[-1]):
        yield "salt", record.offset + 16
        yield "record", data.index(record.data, record.offset) + 9
        yield "number", record.offset + 2
    yield "checkpoint", items[-2].offset + 30


def test_a_change_is_named_as_by_one_process(sound: bytes, readers: Readers) -> None:
    """Whatever byte is another, code, step, number, offset and message are the same."""
    codes = set()
    for what, at in places(sound):
        changed = sound[:at] + bytes([sound[at] ^ 1]) + sound[at + 1 :]
        expected = verdict(changed)
        assert verdict(changed, readers) == expected, what
        assert expected["error"] is not None, what
        codes.add(expected["error"]["code"])
    assert len(codes) > 3


def test_a_file_cut_short_is_named_as_by_one_process(sound: bytes, readers: Readers) -> None:
    """The fault in framing that was met ahead waits for its turn."""
    for part in (3, 5, 7, 8, 9):
        cut = sound[: len(sound) * part // 10]
        expected = verdict(cut)
        assert expected["error"]["code"] == "E_TRUNCATED"
        assert verdict(cut, readers) == expected


def test_two_faults_are_named_in_order(sound: bytes, readers: Readers) -> None:
    """A false record is named before an entry of the next chunk, though both were read ahead."""
    found = dict(reversed(list(places(sound))))
    changed = bytearray(sound)
    for at in (found["record"], found["checkpoint"]):
        changed[at] ^= 1
    expected = verdict(bytes(changed))
    assert expected["error"]["code"] == "E_COMMITMENT"
    assert verdict(bytes(changed), readers) == expected


def test_a_record_that_two_disclosures_give_is_judged_as_it_comes(
    sound: bytes, readers: Readers
) -> None:
    """A good one behind a bad one does not make the bad one good."""
    items = list(read_items(io.BytesIO(sound), Core()))
    record = [item for item in items if isinstance(item, Disclosure) and item.slot == RECORD][5]
    end = next(item.offset for item in items if item.offset > record.offset)
    good = sound[record.offset : end]
    bad = good.replace(b'"reward": 1', b'"reward": 0')
    assert bad != good
    changed = sound[: record.offset] + bad + good + sound[end:]
    expected = verdict(changed)
    assert expected["error"]["code"] == "E_COMMITMENT"
    assert verdict(changed, readers) == expected


def test_little_waits(sound: bytes, readers: Readers, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a bundle is, no more is read ahead than fits."""
    monkeypatch.setattr("ledger.verify.segments.WAITING_BYTES", 10_000)
    assert verdict(sound, readers)["ok"]
    core, taken = Core(), []

    def counted() -> Iterator[Item]:
        for item in read_items(io.BytesIO(sound), core):
            taken.append(item)
            yield item

    segments = Segments(counted(), readers)
    chunk = next(item for item in segments if isinstance(item, Chunk))
    assert sum(isinstance(item, Chunk) for item in taken) == 1
    assert segments.seen(0) is None  # no record waits with it, so nothing was handed over
    assert chunk is next(item for item in taken if isinstance(item, Chunk))


def test_a_process_that_dies_changes_nothing(sound: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever judges reads the rest alone."""
    with Readers(1) as dying:
        assert verdict(sound, dying)["ok"]
        (pid,) = dying._pool._processes
        os.kill(pid, signal.SIGKILL)
        assert verdict(sound, dying)["ok"]
        assert verdict(sound, dying)["ok"]
    monkeypatch.setattr(ahead.marshal, "loads", lambda _: 1 / 0)
    with Readers(1) as other:
        assert verdict(sound, other)["ok"]


_KILLED = """
import os, signal
from ledger.verify.ahead import Readers
if __name__ == "__main__":
    readers = Readers(1)
    readers.submit([b""], []).result()
    print(*readers._pool._processes, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_no_process_outlives_the_one_that_judges(tmp_path: Path) -> None:
    """A program that is killed cannot tell them to end."""
    program = tmp_path / "killed.py"
    program.write_text(_KILLED)
    done = subprocess.run(
        [sys.executable, program],
        capture_output=True,
        text=True,
        check=False,
        cwd=REPO,
        env={**os.environ, "PYTHONPATH": str(REPO)},
    )
    pid = int(done.stdout)
    for _ in range(600):
        if not Path(f"/proc/{pid}").exists() or "\nState:\tZ" in _status(pid):
            return
        time.sleep(0.05)
    pytest.fail(f"{pid} still runs")


def _status(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return "\nState:\tZ"


def test_none_is_one_for_each_core() -> None:
    """So `--jobs 0` asks for."""
    with Readers(0) as started:
        assert started.count == len(os.sched_getaffinity(0))


def checked(path: Path, readers: Readers | None) -> FileVerdict:
    """Return the verdict on a ledger file."""
    with Ledger.open(path) as opened:
        return check_ledger(opened, readers=readers)


EDITS = {
    "none": "SELECT 1",
    "entry": "UPDATE events SET entry = CAST(entry || x'00' AS BLOB) WHERE seq = 290",
    "other": "UPDATE events SET entry = (SELECT entry FROM events WHERE seq = 9) WHERE seq = 280",
    "gap": "DELETE FROM events WHERE seq = 150",
    "tail": "DELETE FROM events WHERE seq > 200",
    "salt": "UPDATE blobs SET salt = zeroblob(32) WHERE seq = 199 AND slot = 'record'",
    "record": "UPDATE blobs SET bytes = zeroblob(9) WHERE seq = 299 AND slot = 'record'",
    "blob": "INSERT INTO blobs VALUES (99, 'more', zeroblob(32), x'00')",
    "index": "UPDATE identities SET seq = seq + 1 WHERE seq = 250",
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_ledger_file_gets_the_same_verdict(
    edit: str, made: World, tmp_path: Path, readers: Readers
) -> None:
    """Read ahead or not, the first number that is wrong is named (STORE-4)."""
    path = tmp_path / "copy.db"
    made.ledger.backup(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(EDITS[edit])
    alone = checked(path, None)
    assert checked(path, readers).document() == alone.document()
    assert alone.ok == (edit == "none")
