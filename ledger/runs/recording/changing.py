"""Documents of a run directory, read for changing them, and replaced whole (RUN-75)."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ledger.errors import RunMissing, RunUnreadable
from ledger.files import replaced_file
from ledger.runs.fields import text
from ledger.runs.json_text import parse, text_of
from ledger.runs.layout import FIXED, MAX_DOCUMENT_BYTES, RUN_SCHEMA
from ledger.runs.problems import shown

from .keeping import inside


def manifest_in(run_dir: Path) -> Mapping[str, Any]:
    """Return run.json, which says which run it is.

    Raises:
        RunMissing: There is none.
        RunUnreadable: It is not of this schema, or has no run id.
    """
    if not run_dir.is_dir():
        raise RunMissing(str(run_dir), "no such directory", "a run that was opened")
    said = document_in(run_dir, FIXED["manifest"])
    if said.get("schema") != RUN_SCHEMA:
        raise RunUnreadable(FIXED["manifest"], shown(said.get("schema")), RUN_SCHEMA)
    if text(said.get("run_id")) is None:
        raise RunUnreadable(FIXED["manifest"], "no run_id", "a run id")
    return said


def document_in(run_dir: Path, name: str) -> dict[str, Any]:
    """Return a JSON object that a run has as a file.

    Raises:
        RunMissing: There is no such file.
        RunUnreadable: It is no JSON object.
    """
    path = inside(run_dir, name, missing=RunMissing)
    return _object(path.read_bytes()[: MAX_DOCUMENT_BYTES + 1], name)


def change(
    run_dir: Path,
    name: str,
    edit: Callable[[dict[str, Any]], None],
    then: Callable[[], object] | None = None,
) -> None:
    """Let *edit* change a JSON object that a run has as a file; it is replaced whole (RUN-75).

    *then* is called when the disk has the new bytes, and the file still is the old one: what it
    raises leaves it as it is (RUN-88).
    """
    path = inside(run_dir, name, missing=RunMissing)
    with replaced_file(path) as (old, new):
        said = _object(old.read(MAX_DOCUMENT_BYTES + 1), name)
        edit(said)
        new.write(pretty(said))
        if then is not None:
            new.flush()
            os.fsync(new.fileno())
            then()


def listed(run_dir: Path, name: str) -> list[Any]:
    """Return a list of run.json, an empty one where it has none (RUN-80, RUN-83)."""
    return _list_in(document_in(run_dir, FIXED["manifest"]), name)


def enter(
    run_dir: Path, name: str, entry: Mapping[str, Any], then: Callable[[], object] | None = None
) -> None:
    """Add an entry to a list of run.json; *then* as in :func:`change`."""
    change(
        run_dir,
        FIXED["manifest"],
        lambda said: said.update({name: [*_list_in(said, name), entry]}),
        then,
    )


def pretty(said: Mapping[str, Any]) -> bytes:
    """Return a document as JSON text for people, a line for each field, in UTF-8."""

    def lines(value: Any, indent: str) -> str:
        deeper = indent + "  "
        if isinstance(value, Mapping) and value:
            rows = [f"{deeper}{text_of(k)}: {lines(v, deeper)}" for k, v in value.items()]
            return "{\n" + ",\n".join(rows) + f"\n{indent}}}"
        if isinstance(value, list | tuple) and value:
            rows = [f"{deeper}{lines(one, deeper)}" for one in value]
            return "[\n" + ",\n".join(rows) + f"\n{indent}]"
        return text_of(value)

    return lines(said, "").encode() + b"\n"


def _list_in(manifest: Mapping[str, Any], name: str) -> list[Any]:
    found = manifest.get(name)
    if found is None:
        return []
    if not isinstance(found, list):
        raise RunUnreadable(f"{FIXED['manifest']} {name}", shown(found), "a list")
    return found


def _object(data: bytes, name: str) -> dict[str, Any]:
    if len(data) > MAX_DOCUMENT_BYTES:
        raise RunUnreadable(name, "more than 16 MiB", "a document")
    parsed = parse(data)
    if parsed.why is not None or not isinstance(parsed.said, dict):
        raise RunUnreadable(name, parsed.why or "JSON that is no object", "a JSON object")
    return parsed.said
