"""Ctrl-C and SIGTERM in the middle of work: no trace of it stays, and the exit code says which."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cli import samples
from cli.main import main
from ledger.store import Ledger

REPO = Path(__file__).resolve().parents[2]
ROWS, MORE = 2_500, 15_000
KEY, TRUST = "keys/root.key", "keys/trust-root.cbor"
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}
WORKS = {
    "import": ("import", "large.json"),
    "backup": ("backup", "copy.db"),
    "export": ("edition", "export", "wide", "-o", "wide.bundle", "--key", KEY),
    "restore": ("restore", "kept.bundle", "--trust", TRUST, "--ledger", "again.db"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a folder with a ledger and a bundle of some size, and a file to import."""
    place = tmp_path_factory.mktemp("signals")
    source: Any = json.loads(
        max(samples.files().values(), key=lambda data: len(json.loads(data)["runs"]))
    )
    rows = source["runs"]
    files = (("20270101.0.0", "first.json", ROWS), ("20270102.0.0", "large.json", MORE))
    for version, name, count in files:
        many = [
            rows[number % len(rows)]
            | {"attempt": number, "run_id": f"run-{number}", "agent": f"agent-{version}"}
            for number in range(1, count + 1)
        ]
        (place / name).write_text(json.dumps(source | {"version": version, "runs": many}))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        for variable in ("COLDLEDGER", "COLDLEDGER_LOG_KEY", "COLDLEDGER_PASSPHRASE"):
            patch.delenv(variable, raising=False)
        for words in (
            ("init", "--origin", "example.org/signals", "--keys", "keys"),
            ("import", "first.json"),
            ("edition", "freeze", "wide", "--key", KEY),
            ("edition", "export", "wide", "-o", "kept.bundle", "--key", KEY),
        ):
            assert main([*words, "--json"]) == 0, words
        yield place


def at_work(folder: Path, name: str) -> Callable[[], bool]:
    """Return what tells that a command is in the middle of its work."""
    if name != "import":
        return lambda: any(one.startswith(".") for one in os.listdir(folder))
    wal = folder / "coldledger.db-wal"
    return lambda: wal.exists() and wal.stat().st_size > 0


def names(folder: Path) -> set[str]:
    """Return what stands in a folder, but for what SQLite keeps beside its files."""
    return {one for one in os.listdir(folder) if not one.endswith(("-wal", "-shm"))}


def _started(name: str, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", "from cli.main import run; run()", *WORKS[name], "--json"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(REPO)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("number", CODES, ids=lambda number: number.name)
@pytest.mark.parametrize("name", WORKS)
def test_a_signal_leaves_nothing_half_done(name: str, number: signal.Signals, folder: Path) -> None:
    """Neither a row nor a file, and no traceback (STORE-1, STORE-25)."""
    before, size = names(folder), _size(folder)
    busy = at_work(folder, name)
    assert not busy()
    running = _started(name, folder)
    while not busy() and running.poll() is None:
        time.sleep(0.0005)
    running.send_signal(number)
    out, err = running.communicate(timeout=60)
    if running.returncode == 0:
        for new in names(folder) - before:
            (folder / new).unlink()
        pytest.skip("this machine is done before it can be interrupted")
    assert running.returncode == CODES[number], (out, err)
    assert out == ""
    assert err in ("interrupted\n", "terminated\n")
    assert names(folder) == before
    assert _size(folder) == size


def _size(folder: Path) -> int:
    """Return the size of the ledger, and leave nothing of SQLite's beside it."""
    with Ledger.open(folder / "coldledger.db") as ledger:
        size = ledger.size
    for side in ("-wal", "-shm"):
        (folder / f"coldledger.db{side}").unlink(missing_ok=True)
    return size


def test_the_log_holds_after_all_that(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And what was interrupted can be done again."""
    ledger = ("--ledger", str(folder / "coldledger.db"))
    assert main(["replay", "--check", *ledger, "--json"]) == 0
    assert main(["import", str(folder / "large.json"), *ledger, "--json"]) == 0
    capsys.readouterr()
