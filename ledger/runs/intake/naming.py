"""Which run a run says it is, and whether that is the run that bore the name before (KEEP-7)."""

from collections.abc import Mapping
from typing import Any

import msgspec

from canon.excerpt import excerpt
from canon.text import is_canonical_text
from ledger.errors import RunOther, RunUnnamed
from ledger.events.fields import MAX_IDENTIFIER_BYTES, Identifier
from ledger.runs.contents import Contents, File
from ledger.runs.discovery import document_of
from ledger.runs.json_text import read_document
from ledger.runs.layout import FIXED

from .versions import Versions

_SAME = ("created_at", "task", "harness")
"""What run.json says at first and for ever."""


def manifest_of(contents: Contents) -> Mapping[str, Any]:
    """Return what run.json says, an empty map where that cannot be known."""
    file = _manifest(contents)
    return {} if file is None else document_of(file, contents.data)


def name_of(contents: Contents, otherwise: str | None = None) -> str:
    """Return the name that a run gives itself in run.json.

    Args:
        contents: The run.
        otherwise: What to call a run that has no name.

    Raises:
        RunUnnamed: It has no name that can stand in an entry.
    """
    file = _manifest(contents)
    named = manifest_of(contents).get("run_id")
    if is_name(named):
        return str(named)
    if otherwise is not None:
        return otherwise
    raise RunUnnamed(FIXED["manifest"], _got(file, contents, named), "a run_id, one line of text")


def is_name(named: object) -> bool:
    """Tell whether a value can be a run's name: one line of 1 to 256 bytes of text."""
    try:
        text = msgspec.convert(named, Identifier)
    except msgspec.ValidationError:
        return False
    return is_canonical_text(text) and len(text.encode()) <= MAX_IDENTIFIER_BYTES


def check_same(versions: Versions, contents: Contents) -> None:
    """Refuse a run that is not the one that bore its name first.

    Raises:
        RunOther: Its run.json says that it began at another time, or with another task or harness.
    """
    now = manifest_of(contents)
    first = _first(versions)
    if not now or not first:
        return
    for field in _SAME:
        if first.get(field) != now.get(field):
            raise RunOther(
                f"{FIXED['manifest']}, {field}",
                excerpt(_shown(now.get(field))),
                f"{excerpt(_shown(first.get(field)))}, as the run {versions.run!r} began",
            )


def _first(versions: Versions) -> Mapping[str, Any]:
    """Return what the earliest run.json says that can be read."""
    for version in reversed(list(versions.all_of("manifest", FIXED["manifest"]))):
        data = versions.content(version)
        said = None if data is None else read_document(data)[0]
        if isinstance(said, Mapping):
            return said
    return {}


def _manifest(contents: Contents) -> File | None:
    return next((file for file in contents.files() if file.role == "manifest"), None)


def _got(file: File | None, contents: Contents, named: object) -> str:
    if file is None or file.state != "present":
        return "no such file" if file is None else file.why or file.state
    if named is None:
        _, why = read_document(contents.data(file))
        return why or "no run_id"
    return excerpt(_shown(named))


def _shown(value: object) -> str:
    return value if isinstance(value, str) else repr(value)
