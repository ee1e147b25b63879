"""``python -m bench``: measure, and print ratios; see ``specs/performance.md``."""

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from rich.console import Console

from .plan import GROUPS, PAIRS, PEERS
from .rounds import make, run
from .table import document, show

_CLOCKS = {"wall": "seconds", "cpu": "cpu_seconds"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the arguments name, and return the exit code."""
    asked = _parser().parse_args(arguments)
    sizes = sorted({int(size) for size in asked.events.split(",")})
    groups = GROUPS if asked.only is None else asked.only.split(",")
    strangers = set(groups) - set(GROUPS)
    if strangers:
        _parser().error(f"--only knows {', '.join(GROUPS)}")
    pairs = [pair for pair in (*PAIRS, *PEERS) if pair.group in groups]
    messages, clock = Console(stderr=True), _CLOCKS[asked.clock]
    kept = None if asked.folder is None else nullcontext(asked.folder)
    with (
        kept or tempfile.TemporaryDirectory(prefix="coldledger-bench-") as name,
        messages.status("") as status,
    ):
        folder = Path(name)
        make(folder, sizes, status.update)
        results = list(run(pairs, folder, sizes, asked.rounds, clock, status.update))
    if asked.json:
        sys.stdout.write(json.dumps(document(results), indent=2) + "\n")
    else:
        show(results, Console(width=None if sys.stdout.isatty() else 140))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--events", default="10000,100000", help="rows, separated by commas")
    parser.add_argument("--rounds", type=int, default=3, help="how often each pair is measured")
    parser.add_argument("--only", help=f"groups, separated by commas, of {', '.join(GROUPS)}")
    parser.add_argument("--clock", choices=_CLOCKS, default="wall", help="elapsed, or processor")
    parser.add_argument("--folder", help="keep the inputs here, and use those that are there")
    parser.add_argument("--json", action="store_true", help="print a JSON document")
    return parser


if __name__ == "__main__":
    sys.exit(main())
