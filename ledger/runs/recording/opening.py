"""A new run directory: whole, or not at all (RUN-90 to RUN-96)."""

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from ledger.errors import FileUnwritable, RecordField, RunExists
from ledger.runs.fields import text
from ledger.runs.json_text import text_of
from ledger.runs.layout import (
    EVIDENCE_SCHEMA,
    FIXED,
    PREFLIGHT_FOLDER,
    RUN_SCHEMA,
    SLOTS,
    TRAJECTORY_SCHEMA,
)
from ledger.runs.problems import shown

from .changing import pretty
from .keeping import safe_name, source_name, sync_folder, write_new
from .visibility import visibility

_RUN_ID_CHARS = 128
_EVIDENCE_NOTE = (
    "declare evidence with `coldledger run declare`: paths are relative to the run, and digests"
    " are checked"
)


class Harness(Struct, frozen=True):
    """What runs the agent, as the user names it; nothing of it is checked here."""

    name: str
    version: str
    model: str
    provider: str


class Task(Struct, frozen=True):
    """What the agent is asked.

    Attributes:
        data: The exact bytes that it is handed.
        source: Where they came from: a file name, or a path from the working folder.
        player_uuid: Of the player that it acts as.
        note: About the task.
    """

    data: bytes
    source: str
    player_uuid: str | None = None
    note: str | None = None


def task_of(path: Path, cwd: Path, data: bytes, *, player_uuid: str | None = None) -> Task:
    """Return the task that a file holds; a path outside of *cwd* is kept as a name alone."""
    return Task(data, source_name(path, cwd), player_uuid)


def open_run(
    run_dir: Path,
    *,
    run_id: str,
    task: Task,
    harness: Harness,
    clock: Callable[[], str],
    entropy: Callable[[int], bytes],
    cwd: Path,
    repo: Mapping[str, Any] | None = None,
    visible: Sequence[Path] = (),
    exclude: Sequence[str] = (),
    configuration: tuple[str, bytes] | None = None,
    notes: Sequence[str] = (),
) -> Mapping[str, Any]:
    """Make a run directory and return its run.json.

    All of it is made beside its place and then renamed, so a crash leaves nothing under its name.

    Args:
        run_dir: Where nothing is, or an empty folder.
        run_id: What the run is called; its ledger knows it by this.
        task: What the agent is asked.
        harness: What runs the agent.
        clock: Returns the present time, RFC 3339 in UTC.
        entropy: Returns that many random bytes.
        cwd: Where the agent works; paths are kept relative to it.
        repo: State of the work tree, if it is one: root, commit, branch, dirty_entries.
        visible: Files and folders that the agent can read beside its task.
        exclude: Patterns of what is left out of those.
        configuration: Ending, ``json`` or ``toml``, and bytes of the configuration of the harness.
        notes: For whoever reads the run.

    Raises:
        RunExists: Something stands there, or it is inside of another run.
        RecordField: The run id is no plain text of 1 to 128 characters.
        FileUnwritable: It cannot be written.
    """
    if text(run_id) is None or len(run_id) > _RUN_ID_CHARS or not run_id.isprintable():
        raise RecordField("run_id", shown(run_id), "1 to 128 plain characters")
    _check_free(run_dir)
    _check_alone(run_dir)
    beside = run_dir.parent / f".{safe_name(run_dir.name)}.{entropy(4).hex()}.new"
    created_at = clock()
    try:
        run_dir.parent.mkdir(parents=True, exist_ok=True)
        beside.mkdir()
        seen = visibility(
            visible,
            exclude=exclude,
            cwd=cwd,
            run_dir=beside,
            leave_out=run_dir,
            created_at=created_at,
        )
        manifest = _manifest(run_id, created_at, task, harness, repo, notes, seen["file_count"])
        for name, data in _files(manifest, task, seen, configuration):
            _write(beside, name, data)
        _take_place(beside, run_dir)
    except OSError as fault:
        got = fault.strerror or str(fault)
        raise FileUnwritable(str(run_dir), got, "a place for a run") from fault
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    sync_folder(run_dir.parent)
    return manifest


def _check_alone(run_dir: Path) -> None:
    """Refuse a place inside of another run, whose files and inventory it would be part of."""
    for folder in Path(os.path.realpath(run_dir)).parents:
        if (folder / FIXED["manifest"]).is_file() and (folder / FIXED["trajectory"]).is_file():
            raise RunExists(
                str(run_dir), f"a place inside of the run {folder.name}", "one outside of all runs",
                remedy="choose a directory beside that run",
            )  # fmt: skip


def _check_free(run_dir: Path) -> None:
    if not os.path.lexists(run_dir):
        return
    if run_dir.is_symlink() or not run_dir.is_dir():
        raise RunExists(str(run_dir), "a file or a link", "a path where nothing is")
    if any(run_dir.iterdir()):
        raise RunExists(str(run_dir), "a folder that is not empty", "a path where nothing is")


def _take_place(beside: Path, run_dir: Path) -> None:
    """Give the finished directory its name: renaming fails where a folder holds something."""
    try:
        if run_dir.is_dir():
            run_dir.rmdir()  # not every system renames over an empty folder
        beside.rename(run_dir)
    except OSError:
        _check_free(run_dir)
        raise


def _manifest(
    run_id: str,
    created_at: str,
    task: Task,
    harness: Harness,
    repo: Mapping[str, Any] | None,
    notes: Sequence[str],
    visible: int,
) -> dict[str, Any]:
    return {
        "schema": RUN_SCHEMA,
        "run_id": run_id,
        "created_at": created_at,
        "repo": repo,
        "harness": asdict(harness),
        "task": {
            "path": FIXED["task"],
            "source": task.source,
            "sha256": hashlib.sha256(task.data).hexdigest(),
            "player_uuid": task.player_uuid,
            "note": task.note,
        },
        "trajectory": {"path": FIXED["trajectory"]},
        "visibility": {"path": FIXED["visibility"], "file_count": visible},
        "imports": [],
        "status": "open",
        "notes": list(notes),
        "artifacts": [],
    }


def _files(
    manifest: Mapping[str, Any],
    task: Task,
    seen: Mapping[str, Any],
    configuration: tuple[str, bytes] | None,
) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a new run by their names; last run.json, without which nothing is one."""
    yield FIXED["task"], task.data
    yield FIXED["visibility"], pretty(seen)
    header = {"schema": TRAJECTORY_SCHEMA, "record": "header"}
    header |= {name: manifest[name] for name in ("run_id", "created_at", "harness")}
    yield FIXED["trajectory"], text_of({**header, "seq": 1}).encode() + b"\n"
    slots = dict.fromkeys((*SLOTS, "review"))
    evidence = {"schema": EVIDENCE_SCHEMA, "note": _EVIDENCE_NOTE, **slots}
    yield FIXED["evidence"], pretty(evidence)
    if configuration is not None:
        ending, data = configuration
        yield f"{PREFLIGHT_FOLDER}/config.{ending}", data
    yield FIXED["manifest"], pretty(manifest)


def _write(folder: Path, name: str, data: bytes) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    write_new(path, data)
