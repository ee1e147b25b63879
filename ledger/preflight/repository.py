"""Which repository the present folder is in, as far as git knows."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_SECONDS = 20


def repository(folder: Path, environ: Mapping[str, str]) -> dict[str, Any]:
    """Return root, commit, branch and how many entries are changed; None for what is not known."""
    root = _git(folder, environ, "rev-parse", "--show-toplevel")
    changed = _git(folder, environ, "status", "--porcelain") if root else None
    return {
        "root": root,
        "commit": _git(folder, environ, "rev-parse", "--verify", "HEAD") if root else None,
        "branch": _git(folder, environ, "rev-parse", "--abbrev-ref", "HEAD") if root else None,
        "dirty_entries": None if changed is None else len(changed.splitlines()),
    }


def _git(folder: Path, environ: Mapping[str, str], *words: str) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603 - a question that changes nothing
            ["git", *words],  # noqa: S607 - the one of PATH, as for whoever works there
            cwd=folder,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    said = done.stdout.decode("utf-8", "replace").strip("\n")
    return said if done.returncode == 0 else None
