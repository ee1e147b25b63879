"""Made-up releases to try coldledger on: the same bytes wherever they are made."""

from pathlib import Path

from .releases import files

__all__ = ["files", "write"]


def write(folder: Path) -> list[Path]:
    """Write the sample files into *folder*, which is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, data in files().items():
        path = folder / name
        path.write_bytes(data)
        paths.append(path)
    return paths
