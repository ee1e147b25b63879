"""Made-up runs, and a ledger to take them into."""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from ledger.entry import read_entry
from ledger.runs.directory import Directory
from ledger.runs.intake.held import Held
from ledger.runs.intake.observing import observe
from ledger.runs.intake.passing import in_memory_ledger
from ledger.runs.intake.report import RunReport
from ledger.store import Ledger

AT = "2026-03-01T00:00:00.000000Z"
RUN = "run-01"


class MadeRun:
    """A run directory that tests write and change."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, path: str, content: bytes | str | Mapping[str, Any]) -> Path:
        """Write a file: bytes, text, or an object as JSON."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            target.write_bytes(content)
        else:
            text = content if isinstance(content, str) else json.dumps(content, indent=2)
            target.write_bytes(text.encode())
        return target

    def lines(self, path: str, *records: Mapping[str, Any]) -> Path:
        """Write records as JSON lines."""
        return self.write(path, "".join(json.dumps(one) + "\n" for one in records))

    def append(self, path: str, *records: Mapping[str, Any]) -> None:
        """Append records as JSON lines."""
        with (self.root / path).open("ab") as out:
            for one in records:
                out.write(json.dumps(one).encode() + b"\n")

    def edit(self, path: str, **fields: Any) -> None:
        """Change members of a JSON document."""
        said = json.loads((self.root / path).read_bytes())
        self.write(path, said | fields)

    def read(self, path: str) -> bytes:
        """Return the bytes of a file."""
        return (self.root / path).read_bytes()


class Shelf:
    """A ledger with what tests ask of it."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.founded = ledger.size

    def take(self, made: MadeRun | Path, **options: Any) -> RunReport:
        """Take a run in."""
        root = made.root if isinstance(made, MadeRun) else made
        options = {"at": AT} | options
        return observe(self.ledger, Directory(root), entropy=os.urandom, **options)

    def types(self) -> list[str]:
        """Return the types of the entries about runs."""
        return [read_entry(data).type for _, data in self.ledger.entries(self.founded)]

    def bodies(self, type_: str) -> list[dict[str, Any]]:
        """Return the bodies of the entries of a type."""
        entries = (read_entry(data) for _, data in self.ledger.entries())
        return [dict(entry.body) for entry in entries if entry.type == type_]

    def blob(self, seq: int, slot: str) -> bytes | None:
        """Return the bytes in a slot."""
        found = self.ledger.blob(seq, slot)
        return None if found is None else found.data

    def held(self, as_of: int | None = None, run: str = RUN) -> Held:
        """Return a run as the ledger holds it."""
        return Held(self.ledger, run, as_of)

    def text(self, role: str, as_of: int | None = None) -> bytes:
        """Return the bytes of the one present file of a role."""
        held = self.held(as_of)
        (file,) = (file for file in held.files() if (file.role, file.state) == (role, "present"))
        return held.data(file)


@pytest.fixture
def shelf() -> Iterator[Shelf]:
    """Return a founded ledger that is not kept."""
    with in_memory_ledger(at=AT, entropy=os.urandom) as ledger:
        yield Shelf(ledger)


@pytest.fixture
def run(tmp_path: Path) -> MadeRun:
    """Return a small run with a file of nearly every role."""
    return write_run(tmp_path / RUN)


def write_run(root: Path, name: str = RUN) -> MadeRun:
    """Write a small run into a new folder."""
    root.mkdir(parents=True)
    made = MadeRun(root)
    made.write(
        "run.json",
        {
            "schema": "mc-agent-coldstart-run/1",
            "run_id": name,
            "created_at": "2026-02-01T10:00:00Z",
            "harness": {"name": "pi", "model": "first", "provider": "maker", "version": "1.50"},
            "task": {"path": "task.md", "source": "task.md"},
            "imports": [{"path": "imports/session.jsonl", "records": 2}],
            "artifacts": [{"label": "jar", "path": "artifacts/001-a.jar", "phase": "agent"}],
            "status": "open",
            "notes": [],
        },
    )
    made.write("task.md", "Operate the machine.\n")
    made.write("imports/session.jsonl", '{"type":"session"}\n{"type":"message"}\n')
    made.write("artifacts/001-a.jar", b"PK\x03\x04\x00\xff")
    made.write(
        "visibility.json",
        {
            "schema": "mc-agent-coldstart-visibility/1",
            "files": [
                {"path": "README.md", "size": 3, "copy": "visibility/files/README.md"},
                {"path": "big.bin", "size": 9_000_000, "copy": None},
            ],
        },
    )
    made.write("visibility/files/README.md", "hi\n")
    made.write(
        "evidence.json",
        {
            "schema": "mc-agent-coldstart-evidence/1",
            "agent_logger": {"path": "agent/log.jsonl", "normalized": "agent/norm.jsonl"},
            "test_mod": {"path": "test/mod.jsonl"},
            "answer": {"path": "answer.json"},
            "oracle": None,
        },
    )
    made.lines("agent/log.jsonl", {"event": "logger_armed", "tick": 1, "seq": 1})
    made.lines("agent/norm.jsonl", {"event": "logger_armed", "tick": 1, "source_sha256": "00"})
    made.lines(
        "test/mod.jsonl", {"event": "input_processed", "tick": 4, "seq": 1}, {"event": "end"}
    )
    made.write("answer.json", {"carts": []})
    made.lines("reviews.jsonl", {"id": "machine_operated.causality", "status": "pending"})
    made.lines(
        "trajectory.jsonl",
        {"record": "header", "run_id": name, "seq": 0},
        {"record": "call", "call_id": "c1", "tool": "bash", "arguments": {}, "seq": 1},
        {"record": "result", "call_id": "c1", "status": "ok", "seq": 2},
    )
    return made
