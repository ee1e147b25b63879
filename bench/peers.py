"""Peers: what others do with the same events, where they are installed."""

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from .inputs import Inputs
from .watch import Watch

GIT = shutil.which("git")


def missing(peer: str) -> bool:
    """Tell whether *peer* is not installed."""
    if peer == "git":
        return GIT is None
    return peer != "JSONL" and find_spec(peer) is None


def jsonl_append(inputs: Inputs, watch: Watch) -> int:
    """Write lines of JSON, each with the hash of the line before; durable every 1,000."""
    with _folder(inputs) as folder:
        return _write_lines(inputs, folder / "log.jsonl", watch)


def jsonl_verify(inputs: Inputs, watch: Watch) -> int:
    """Read the lines, and check hash by hash."""
    with _folder(inputs) as folder:
        path = folder / "log.jsonl"
        count = _write_lines(inputs, path, Watch())
        with watch.running(), path.open("rb") as lines:
            before = ""
            for line in lines:
                event = json.loads(line)
                written = json.dumps(event, sort_keys=True, separators=(",", ":")).encode()
                if event["prev"] != before or written + b"\n" != line:
                    raise AssertionError("broken link")
                before = hashlib.sha256(written).hexdigest()
    return count


def pymerkle_append(inputs: Inputs, watch: Watch) -> int:
    """Append the entries to pymerkle's tree in SQLite, 1,000 at once."""
    with _folder(inputs) as folder:
        return _grow_tree(inputs, folder / "tree.db", watch)


def pymerkle_recheck(inputs: Inputs, watch: Watch) -> int:
    """Hash every entry again, compare with the stored leaf, and compute the root anew."""
    with _folder(inputs) as folder:
        path = folder / "tree.db"
        count = _grow_tree(inputs, path, Watch())
        entries = [entry for _, entry in chain.from_iterable(inputs.entries())]
        tree = _tree(path)
        with tree, watch.running():
            for index, entry in enumerate(entries, start=1):
                if tree.hash_buff(entry) != tree.get_leaf(index):
                    raise AssertionError(f"leaf {index}")
            tree.get_root()
    return count


def eventsourcing_append(inputs: Inputs, watch: Watch) -> int:
    """Save the events with eventsourcing, an aggregate for every 1,000."""
    with _folder(inputs) as folder:
        count, _ = _save(inputs, _application(folder), watch)
    return count


def eventsourcing_replay(inputs: Inputs, watch: Watch) -> int:
    """Build every aggregate again from its events."""
    with _folder(inputs) as folder:
        application = _application(folder)
        count, names = _save(inputs, application, Watch())
        with watch.running():
            for name in names:
                application.repository.get(name)
    return count


def git_import(inputs: Inputs, watch: Watch) -> int:
    """Import the entries into git, a file each and a commit for every 1,000."""
    with _folder(inputs) as folder:
        return _import(inputs, folder, watch)


def git_fsck(inputs: Inputs, watch: Watch) -> int:
    """Let git check what was imported."""
    with _folder(inputs) as folder:
        count = _import(inputs, folder, Watch())
        with watch.running():
            _git(folder, "fsck", "--full", "--no-progress")
    return count


def _write_lines(inputs: Inputs, path: Path, watch: Watch) -> int:
    seq, before = 0, ""
    with path.open("wb") as out:
        for events in inputs.attempts():
            bodies = [msgspec.to_builtins(event) for event in events]
            with watch.running():
                for body in bodies:
                    event = {"seq": seq, "prev": before, "body": body}
                    line = json.dumps(event, sort_keys=True, separators=(",", ":")).encode()
                    before = hashlib.sha256(line).hexdigest()
                    out.write(line + b"\n")
                    seq += 1
                out.flush()
                os.fsync(out.fileno())
    return seq


def _grow_tree(inputs: Inputs, path: Path, watch: Watch) -> int:
    count = 0
    tree = _tree(path)
    with tree:
        for batch in inputs.entries():
            entries = [entry for _, entry in batch]
            with watch.running():
                tree.append_entries(entries)
            count += len(entries)
    return count


def _tree(path: Path) -> Any:
    return import_module("pymerkle").SqliteTree(str(path))


def _application(folder: Path) -> Any:
    return import_module("eventsourcing.application").Application(
        env={
            "PERSISTENCE_MODULE": "eventsourcing.sqlite",
            "SQLITE_DBNAME": str(folder / "events.db"),
        }
    )


@cache
def _aggregate() -> Any:
    """Return the class of an aggregate; a peer that is not installed has none to inherit from."""
    domain: Any = import_module("eventsourcing.domain")

    class Reports(domain.Aggregate):  # type: ignore[misc]  # known only where it is installed
        """Rows that were reported."""

        @domain.event("Reported")  # type: ignore[untyped-decorator]  # the same
        def report(self, record: str) -> None:
            """Note one row, given as JSON."""
            self.record = record

    # Stored events name their class by module and name, so it must be found there.
    Reports.__qualname__ = Reports.__name__
    globals()[Reports.__name__] = Reports
    return Reports


def _save(inputs: Inputs, application: Any, watch: Watch) -> tuple[int, list[Any]]:
    """Return how many events were saved, and the names of their aggregates."""
    reports_of = _aggregate()
    count, names = 0, []
    for events in inputs.attempts():
        records = [msgspec.json.encode(event).decode() for event in events]
        with watch.running():
            reports = reports_of()
            for record in records:
                reports.report(record)
            application.save(reports)
        count += len(records)
        names.append(reports.id)
    return count, names


def _import(inputs: Inputs, folder: Path, watch: Watch) -> int:
    count = 0
    stream = folder / "stream"
    with stream.open("wb") as out:
        for number, batch in enumerate(inputs.entries()):
            for seq, entry in batch:
                out.write(b"blob\nmark :%d\ndata %d\n%s\n" % (seq + 1, len(entry), entry))
            out.write(b"commit refs/heads/main\ncommitter bench <bench@example.org> 0 +0000\n")
            out.write(b"data 0\n")
            for seq, _ in batch:
                out.write(b"M 100644 :%d %d/%d\n" % (seq + 1, number, seq))
            count += len(batch)
    _git(folder, "init", "--quiet", "--bare", "--initial-branch=main", "log.git")
    with watch.running(), stream.open("rb") as source:
        _git(folder, "fast-import", "--quiet", source=source)
    return count


def _git(folder: Path, *arguments: str, source: Any = None) -> None:
    where = ["--git-dir", str(folder / "log.git")] if arguments[0] != "init" else []
    subprocess.run(  # noqa: S603 - git, on a folder of our own
        [GIT or "git", *where, *arguments], cwd=folder, stdin=source, check=True
    )


@contextmanager
def _folder(inputs: Inputs) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=inputs.folder) as folder:
        yield Path(folder)
