"""The program as a process: its pipes, its exit codes, its answer to Ctrl-C."""

import json
import os
import subprocess
import sys
from pathlib import Path

PROGRAM = [sys.executable, "-c", "from cli.main import run; run()"]
REPO = Path(__file__).resolve().parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(REPO)}


def test_a_story_in_processes(place: Path) -> None:
    """Version, verdict and refusal come as in one process, with nothing on the wrong stream."""

    def program(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*PROGRAM, *words],
            cwd=place,
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )

    assert program("--version").stdout.startswith("coldledger ")
    done = program("verify", "spring.bundle", "--trust", "keys/trust-root.cbor", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["ok"] is True
    done = program("key", "new", "a.key", "--encrypt")
    assert (done.returncode, done.stdout) == (1, "")
    assert "E_PASSPHRASE_MISSING" in done.stderr


def test_a_reader_that_goes_away_ends_it(place: Path) -> None:
    """``| head`` leaves no traceback, and the exit code of a hang-up."""
    with subprocess.Popen(
        [*PROGRAM, "log", "--all", "--json"],
        cwd=place,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141
