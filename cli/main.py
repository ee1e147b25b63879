"""The entry: fast paths that need neither typer nor a database, and the boundary for errors.

Exit codes: 0 holds, 1 refused or failed, 2 pending, 64 wrong usage, 70 internal error; 130 after
Ctrl-C, 143 after SIGTERM, and 141 where whoever read the output went away, as a shell says of
signals.
"""

import gc
import os
import sys
from collections.abc import Sequence

INTERRUPTED, HUNG_UP, TERMINATED = 130, 141, 143
REFUSED, MISUSED, BROKEN = 1, 64, 70


class Terminated(KeyboardInterrupt):
    """SIGTERM: it unwinds as Ctrl-C does, so that nothing is left half written (STORE-25)."""


def run() -> None:
    """Run the program and exit; the console script."""
    if sys.argv[1:2] == ["verify"]:
        # msgspec prefers it to `typing`, which has all that is needed since Python 3.11; without
        # it verifying starts a fifth faster. Nothing else runs in this process.
        sys.modules.setdefault("typing_extensions", None)  # type: ignore[arg-type]
        gc.disable()  # until all is loaded: nothing of it is garbage, and looking takes a tenth
    elif sys.argv[1:2] != ["--version"]:
        # These two write nothing, so that SIGTERM may end them as it ends any program.
        _unwind_on_sigterm()
    code = main(sys.argv[1:])
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = HUNG_UP
    if code == HUNG_UP:
        # What is left in the buffer has nowhere to go; flushing it at exit would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def main(argv: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # a character that the terminal has not is no reason to fail
            reconfigure(errors="backslashreplace")
    try:
        return _dispatch(list(argv))
    except Terminated:
        sys.stderr.write("terminated\n")
        return TERMINATED
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    except BrokenPipeError:
        return HUNG_UP
    except Exception as fault:
        from .failing import failed

        return failed(fault, as_json=_wants_json(argv))


def _unwind_on_sigterm() -> None:
    import signal

    def terminate(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # cleaning up takes a moment
        raise Terminated

    signal.signal(signal.SIGTERM, terminate)


def _dispatch(argv: list[str]) -> int:
    if argv[:1] == ["--version"]:
        from ledger.version import __version__

        sys.stdout.write(f"coldledger {__version__}\n")
        return 0
    if argv[:1] == ["verify"]:
        from .verifying import verify

        return verify(argv[1:])
    from .app import invoke

    return invoke(argv)


def _wants_json(argv: Sequence[str]) -> bool:
    options = argv[: argv.index("--")] if "--" in argv else argv
    return "--json" in options
