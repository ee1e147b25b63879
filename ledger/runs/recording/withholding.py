"""Files of a run that are not shown, named with the reason (RUN-86)."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from canon.excerpt import excerpt
from ledger.errors import RecordField, RunPath, RunUnreadable
from ledger.files import whole_file
from ledger.runs.fields import digest, text
from ledger.runs.layout import FIXED, WITHHELD_SCHEMA
from ledger.runs.paths import EXPLAINED, fault_of, find
from ledger.runs.problems import shown

from .changing import change, manifest_in, pretty
from .keeping import digest_of


def withhold(
    run_dir: Path,
    path: str,
    reason: str,
    *,
    entropy: Callable[[int], bytes],
    sha256: str | None = None,
) -> Mapping[str, Any]:
    """Enter a file into withheld.json, and return the entry.

    The file itself is not touched: it counts as withheld where it is not there. Nothing goes into
    the trajectory, which may be withheld too.

    Args:
        run_dir: The run directory.
        path: As the run names the file.
        reason: Why it is not shown.
        entropy: Returns that many random bytes.
        sha256: Its digest; by default that of the file, if it is still there.
    """
    manifest_in(run_dir)
    fault = fault_of(path)
    if fault is not None:
        raise RunPath(excerpt(path), EXPLAINED[fault], "a path inside of the run")
    if path in (FIXED["manifest"], FIXED["withheld"]):
        raise RunPath(path, "what says which run this is", "another file of the run")
    if text(reason) is None:
        raise RecordField("reason", shown(reason), "why the file is withheld")
    if sha256 is not None and digest(sha256) is None:
        raise RecordField("sha256", shown(sha256), "64 hexadecimal digits")
    found = find(run_dir, path)
    if sha256 is None and found.path is not None:
        sha256 = digest_of(found.path)[0].hex()
    entry = {"path": path, "sha256": sha256, "reason": reason}

    def edit(said: dict[str, Any]) -> None:
        listed = said.get("files")
        if not isinstance(listed, list):
            raise RunUnreadable(FIXED["withheld"], shown(listed), "a list of files")
        kept = [one for one in listed if not isinstance(one, dict) or one.get("path") != path]
        said["files"] = [*kept, entry]

    target = run_dir / FIXED["withheld"]
    if target.exists():
        change(run_dir, FIXED["withheld"], edit)
    else:
        with whole_file(target, entropy) as new:
            new.write_bytes(pretty({"schema": WITHHELD_SCHEMA, "files": [entry]}))
    return entry
