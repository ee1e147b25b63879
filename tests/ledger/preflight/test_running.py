"""Commands end in time, with all that they started, and keep nobody waiting."""

import os
import sys
import time
from pathlib import Path

import pytest

from ledger.preflight import running
from ledger.preflight.running import Ended, run, started

SLEEP = "import time; time.sleep(60)"


def command(text: str, folder: Path, seconds: int = 20) -> Ended:
    """Run a piece of Python."""
    return run([sys.executable, "-c", text], seconds, folder, dict(os.environ), folder)


def is_alive(pid: int) -> bool:
    """Tell whether a process runs; one that ended and was not asked for its code does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def gone(pid: int) -> bool:
    """Tell whether a process is gone within two seconds."""
    until = time.monotonic() + 2
    while is_alive(pid) and time.monotonic() < until:
        time.sleep(0.02)
    return not is_alive(pid)


def test_a_command_ends_with_its_code_and_all_it_said(tmp_path: Path) -> None:
    """PRE-15: stdout and stderr in the order in which they were written."""
    text = (
        "import sys\nfor n in range(3):\n"
        "    print(n, flush=True); print(n, file=sys.stderr, flush=True)\nsys.exit(3)"
    )
    ended = command(text, tmp_path)
    assert (ended.exit_code, ended.problem, ended.ok) == (3, None, False)
    assert ended.output.split() == [b"0", b"0", b"1", b"1", b"2", b"2"]
    assert ended.how == "exit code 3"
    assert list(tmp_path.iterdir()) == []


def test_a_command_reads_nothing(tmp_path: Path) -> None:
    """PRE-14: one that asks finds the end of its input, and does not wait."""
    assert command("print(repr(input.__name__)); import sys; print(sys.stdin.read() == '')",
                   tmp_path).text.split() == ["'input'", "True"]  # fmt: skip


def test_a_signal_is_a_negative_code(tmp_path: Path) -> None:
    """PRE-13: what ended by itself has a code."""
    ended = command("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", tmp_path)
    assert (ended.exit_code, ended.problem) == (-15, None)


def test_a_command_whose_time_is_over_is_killed_with_its_children(tmp_path: Path) -> None:
    """PRE-13: the whole group, and there is no exit code."""
    text = (
        "import subprocess, sys\n"
        f"child = subprocess.Popen([sys.executable, '-c', {SLEEP!r}])\n"
        "print(child.pid, flush=True)\nchild.wait()"
    )
    start = time.monotonic()
    ended = command(text, tmp_path, seconds=3)
    assert time.monotonic() - start < 30
    assert (ended.exit_code, ended.problem) == (None, "no end within 3 s")
    assert ended.milliseconds >= 3000
    assert gone(int(ended.text))


def test_a_child_that_keeps_the_output_open_makes_nobody_wait(tmp_path: Path) -> None:
    """PRE-14: the command ended, and what it left is killed."""
    text = (
        "import subprocess, sys\n"
        f"child = subprocess.Popen([sys.executable, '-c', {SLEEP!r}])\n"
        "print(child.pid, flush=True)"
    )
    start = time.monotonic()
    ended = command(text, tmp_path, seconds=60)
    assert time.monotonic() - start < 30
    assert (ended.exit_code, ended.problem) == (0, None)
    assert gone(int(ended.text))


def test_a_command_that_ignores_signals_is_killed(tmp_path: Path) -> None:
    """PRE-13: nobody can refuse to end."""
    text = (
        "import os, signal, time\n"
        "for one in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):\n"
        "    signal.signal(one, signal.SIG_IGN)\n"
        "print(os.getpid(), flush=True); time.sleep(60)"
    )
    ended = command(text, tmp_path, seconds=3)
    assert ended.exit_code is None
    assert gone(int(ended.text))


def test_a_command_that_never_stops_talking_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PRE-13: more than the limit of output, and there is no exit code."""
    monkeypatch.setattr(running, "MAX_OUTPUT_BYTES", 100_000)
    ended = command("while True: print('x' * 1000)", tmp_path)
    assert (ended.exit_code, ended.problem) == (None, "more than 100000 bytes of output")
    assert len(ended.output) == 100_000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["/no/such/program"], "No such file or directory"),
        (["no-such-program-on-path"], "No such file or directory"),
        (["a\0b"], "embedded null byte"),
        (["/"], "Permission denied"),
    ],
)
def test_a_command_that_cannot_be_run_has_no_code(
    tmp_path: Path, words: list[str], said: str
) -> None:
    """PRE-13: the system's own words say why."""
    ended = run(words, 5, tmp_path, dict(os.environ), tmp_path)
    assert (ended.exit_code, ended.output) == (None, b"")
    assert ended.problem == ended.how == f"not runnable: {said}"


def test_a_file_that_is_no_program_has_no_code(tmp_path: Path) -> None:
    """PRE-13: it may be executable, and be none."""
    path = tmp_path / "program"
    path.write_bytes(b"\x00\x01\x02")
    path.chmod(0o755)
    ended = run([str(path)], 5, tmp_path, dict(os.environ), tmp_path)
    assert ended.problem == "not runnable: Exec format error"


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    """PRE-13: the command could not be run there."""
    ended = run([sys.executable, "-V"], 5, tmp_path / "no", dict(os.environ), tmp_path)
    assert ended.exit_code is None


def test_whoever_interrupts_leaves_nothing_running(tmp_path: Path) -> None:
    """PRE-13: Ctrl-C reaches no other group, so the block kills what it started."""
    seen: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        _interrupted(tmp_path, seen)
    assert gone(*seen)


def _interrupted(folder: Path, seen: list[int]) -> None:
    with started([sys.executable, "-c", SLEEP], folder, dict(os.environ), folder) as process:
        seen.append(process._popen.pid)
        assert is_alive(*seen)
        raise KeyboardInterrupt
