"""Files that commands read: any kind of thing may stand at a path, and none makes them wait."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from cli_place import KEY, LOG_KEY, TRUST, Run

READING = {
    "verify": ("verify", "@", "--trust", TRUST),
    "verify --trust": ("verify", "spring.bundle", "--trust", "@"),
    "verify --since": ("verify", "spring.bundle", "--trust", TRUST, "--since", "@"),
    "verify --policy": ("verify", "spring.bundle", "--trust", TRUST, "--policy", "@"),
    "diff OLD": ("diff", "@", "later.bundle", "--trust", TRUST),
    "diff NEW": ("diff", "spring.bundle", "@", "--trust", TRUST),
    "show": ("show", "@"),
    "restore": ("restore", "@", "--trust", TRUST, "--ledger", "new.db"),
    "import": ("import", "@"),
    "replay --since": ("replay", "--check", "--since", "@"),
    "replay --trust": ("replay", "--check", "--trust", "@"),
    "edition sign": ("edition", "sign", "@", "--key", KEY, "--role", "auditor"),
    "edition sign --trust": (
        "edition", "sign", "spring.bundle", "--key", KEY, "--role", "auditor", "--trust", "@",
    ),
    "--key": ("checkpoint", "--log-key", "@"),
    "--passphrase-file": ("checkpoint", "--log-key", "sealed/log.key", "--passphrase-file", "@"),
    "--ledger": ("status", "--ledger", "@"),
    "--ledger to write": ("import", "results.json", "--ledger", "@"),
}  # fmt: skip


@pytest.fixture
def pipe(place: Path, run: Run) -> Path:
    """Return a pipe that nobody writes to, beside keys with a passphrase."""
    (place / "word").write_text("secret")
    (place / "word").chmod(0o600)
    made = run(
        "init", "--ledger", "sealed.db", "--keys", "sealed", "--encrypt", "--passphrase-file",
        "word", "--json",
    )  # fmt: skip
    assert made.code == 0
    os.mkfifo(place / "pipe")
    return place / "pipe"


@contextmanager
def patience(seconds: int) -> Iterator[None]:
    """Fail what waits for longer."""
    import signal

    def wake(*_: object) -> None:
        raise TimeoutError("it waits")

    before = signal.signal(signal.SIGALRM, wake)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("name", READING)
def test_what_is_no_regular_file_is_refused_at_once(name: str, pipe: Path, run: Run) -> None:
    """A pipe without a writer, a folder, an endless device, and a file that has no end."""
    files = _names(pipe.parent)
    for special in ("pipe", "keys", "/dev/zero", "/dev/full"):
        words = [special if word == "@" else word for word in READING[name]]
        with patience(20):
            ran = run(*words, "--json")
        assert ran.code == 1, special
        error = ran.json.get("error") or ran.json["refused"][0]
        assert error["code"] not in ("E_INTERNAL", "E_SYSTEM"), special
        assert error["hint"]
    assert _names(pipe.parent) == files


def _names(folder: Path) -> set[str]:
    """Return what stands in a folder, but for what SQLite keeps beside its files."""
    return {name for name in os.listdir(folder) if not name.endswith(("-wal", "-shm"))}


HOSTILE = {
    "E_NOT_A_LEDGER": "PRAGMA application_id = 5",
    "E_LEDGER_VERSION": "PRAGMA user_version = 9",
    "E_LEDGER_SCHEMA": "CREATE TRIGGER mine AFTER INSERT ON blobs BEGIN DELETE FROM blobs; END",
}
USING = (
    ("status",), ("log",), ("show", "5"), ("attempts",), ("leaderboard",),
    ("explain", "system/*/task/*/passed"), ("replay",), ("replay", "--check"),
    ("import", "results.json"), ("import", "--dry-run", "results.json"), ("backup", "b.db"),
    ("checkpoint", "--log-key", LOG_KEY), ("edition", "freeze", "x", "--key", KEY),
    ("edition", "export", "spring", "-o", "x.bundle", "--key", KEY),
)  # fmt: skip


@pytest.mark.parametrize("code", HOSTILE)
@pytest.mark.parametrize("words", USING, ids=lambda words: " ".join(words[:2]))
def test_every_command_refuses_a_ledger_that_is_none(
    code: str, words: tuple[str, ...], place: Path, run: Run
) -> None:
    """With its code, in both forms, and without a trace (STORE-19)."""
    with closing(sqlite3.connect(place / "coldledger.db")) as database:
        database.execute(HOSTILE[code])
        database.commit()
    for side in ("-wal", "-shm"):
        (place / f"coldledger.db{side}").unlink(missing_ok=True)
    before = sorted(os.listdir(place)), (place / "coldledger.db").read_bytes()
    ran = run(*words, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, code)
    shown = run(*words)
    assert (shown.code, shown.out) == (1, "")
    assert shown.err.startswith(f"error[{code}]: coldledger.db")
    assert "\n\nhint: " in shown.err
    assert (sorted(os.listdir(place)), (place / "coldledger.db").read_bytes()) == before


def test_a_pipe_is_refused_with_what_to_do_instead(pipe: Path, run: Run) -> None:
    """Which pipes are read is said where another one is refused."""
    ran = run("verify", "pipe", "--trust", TRUST)
    assert ran.err == (
        "error[E_UNREADABLE]: pipe: got a named pipe, expected a bundle\n\n"
        "hint: save it to a file first: only /dev/stdin, and what the shell opens for <(…), may be"
        " a pipe\n"
    )
    assert pipe.is_fifo()


def test_what_the_shell_opened_may_be_a_pipe(place: Path) -> None:
    """Standard input, and what `<(…)` stands for: somebody writes to them already."""
    start = [sys.executable, "-c", "from cli.main import run; run()", "verify"]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    data = (place / "spring.bundle").read_bytes()
    ran = subprocess.run(
        [*start, "/dev/stdin", "--trust", TRUST], input=data, capture_output=True, env=env
    )
    assert ran.returncode == 0, ran.stderr
    read, write = os.pipe()
    os.write(write, (place / TRUST).read_bytes())
    os.close(write)
    ran = subprocess.run(
        [*start, "spring.bundle", "--trust", f"/dev/fd/{read}"],
        pass_fds=[read],
        capture_output=True,
        env=env,
    )
    os.close(read)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize(
    "text",
    [
        b"id = 'mine'\nversion = 1\nrules = " + b"[" * 5_000 + b"]" * 5_000,
        b"version = " + b"9" * 5_000,
        b"id = '\xff'",
        b"a." * 3_000 + b"b = 1",
        b"x = " + b"{a=" * 3_000 + b"1" + b"}" * 3_000,
        b"version = 1e999999999",
        b"version = 99999-99-99",
        b"\xff\xfe",
        b"",
    ],
    ids=lambda text: str(text[:12]),
)
def test_conditions_that_are_none_are_refused(text: bytes, place: Path, run: Run) -> None:
    """Nested without end, numbers without end, no UTF-8, nothing (VERIFY-21)."""
    (place / "odd.toml").write_bytes(text)
    ran = run("verify", "spring.bundle", "--trust", TRUST, "--policy", "odd.toml", "--json")
    assert ran.code == 1
    assert ran.json["error"]["code"] in ("E_CONDITIONS", "E_LIMIT")


@pytest.mark.parametrize("name", ["a b", "what?", "100%", "a#b", "ü", "-x", "\udcff"])
def test_files_may_have_any_name(name: str, place: Path, run: Run) -> None:
    """Ledgers, bundles and checkpoints, read and written (STORE-22)."""
    ledger, bundle, note = (f"./{name}.{end}" for end in ("db", "bundle", "note"))
    (place / "coldledger.db").rename(place / ledger)
    assert run("status", "--ledger", ledger, "--json").json["size"] > 0
    export = run("edition", "export", "spring", "-o", bundle, "--ledger", ledger, "--key", KEY)
    assert export.code == 0
    kept = run("checkpoint", "-o", note, "--ledger", ledger, "--log-key", LOG_KEY, "--json")
    assert kept.json["size"] > 0
    assert run("replay", "--check", "--since", note, "--ledger", ledger).code == 0
    assert run("verify", bundle, "--trust", TRUST, "--json").json["ok"]
    assert run("backup", f"./{name}.copy", "--ledger", ledger, "--json").code == 0
