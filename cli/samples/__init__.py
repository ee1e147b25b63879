"""Made-up results and a run to try coldledger on: the same bytes wherever they are made."""

from collections.abc import Mapping
from pathlib import Path

from .releases import files
from .runs import run_files

__all__ = ["files", "run_files", "write", "write_run"]


def write(folder: Path) -> list[Path]:
    """Write the sample releases into *folder*, which is made if it is not there."""
    return _write(folder, files())


def write_run(folder: Path) -> list[Path]:
    """Write the sample run into *folder*, below ``runs``; return its files."""
    return _write(folder, run_files())


def _write(folder: Path, named: Mapping[str, bytes]) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, data in named.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        paths.append(path)
    return paths
