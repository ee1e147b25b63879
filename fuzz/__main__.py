"""``python -m fuzz``: hostile bytes for each surface in turn, guided by coverage.

Needs atheris, which ``pip install coldledger[fuzz]`` brings. Exit code 1 if anything was found.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from .surfaces import SURFACES, Surface

_FIGURES = re.compile(
    r"cov: (?P<cov>\d+)|number_of_executed_units: (?P<runs>\d+)"
    r"|average_exec_per_sec: +(?P<speed>\d+)|peak_rss_mb: +(?P<mib>\d+)"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz the surfaces that the arguments name, and return the exit code."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    unknown = set(asked.surface) - set(SURFACES)
    if unknown:
        parser.error(f"no surface {' or '.join(sorted(unknown))}: any of {', '.join(SURFACES)}")
    asked.surface = asked.surface or list(SURFACES)
    folder = Path(asked.folder)
    if asked.replay is not None:
        return _replay([SURFACES[name] for name in asked.surface], Path(asked.replay))
    broken = [name for name in asked.surface if not _fuzzed(name, asked.seconds, folder)]
    if broken:
        sys.stdout.write(f"broken: {', '.join(broken)}; inputs in {folder / 'findings'}\n")
    return 1 if broken else 0


def _fuzzed(name: str, seconds: int, folder: Path) -> bool:
    """Fuzz one surface in a process of its own, print a line about it, and tell whether it held."""
    command = [sys.executable, "-m", "fuzz.run", name, str(seconds)]
    command += [str(folder / "corpus" / name), str(folder / "findings")]
    log = folder / f"{name}.log"
    folder.mkdir(parents=True, exist_ok=True)
    with log.open("w", encoding="utf-8") as out:
        done = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, check=False)  # noqa: S603
    figures: dict[str, str] = {}
    for found in _FIGURES.finditer(log.read_text("utf-8", "replace")):
        figures |= {key: value for key, value in found.groupdict().items() if value}
    said = ", ".join(f"{key} {figures.get(key, '?')}" for key in ("runs", "speed", "cov", "mib"))
    held = done.returncode == 0
    sys.stdout.write(f"{name}: {said}, {'held' if held else f'BROKEN, see {log}'}\n")
    sys.stdout.flush()
    return held


def _replay(surfaces: Sequence[Surface], path: Path) -> int:
    """Judge one input again, without atheris."""
    data = path.read_bytes()
    for surface in surfaces:
        surface.check(data, 1.0)
        sys.stdout.write(f"{surface.name}: held\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("surface", nargs="*", help=f"any of {', '.join(SURFACES)}; all without one")
    parser.add_argument("--seconds", type=int, default=600, help="for each surface")
    parser.add_argument("--folder", default="build/fuzz", help="for corpus, findings and logs")
    parser.add_argument("--replay", metavar="FILE", help="judge one input again, and do no more")
    return parser


if __name__ == "__main__":
    sys.exit(main())
