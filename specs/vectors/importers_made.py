"""The release that vectors about importers change, and the form of such a vector."""

import copy
import json
from typing import Any

Vector = dict[str, Any]
Document = dict[str, Any]


def row(**fields: Any) -> Document:
    """Return a sound row, changed."""
    return {
        "run_id": "101-stuck-queue-maker-first-1",
        "scenario": "101-stuck-queue",
        "scenario_version": 2,
        "agent": "walker",
        "model": "maker/first",
        "reasoning_effort": "low",
        "attempt": 1,
        "started_at": "2026-02-28T10:03:00Z",
        "finished_at": "2026-02-28T10:03:50Z",
        "reward": 1,
        "trial_status": "evaluated",
    } | fields


def failed(**fields: Any) -> Document:
    """Return a row that failed with a category, changed."""
    return row(reward=0, failure_category="queue_still_stuck", **fields)


def lost(**fields: Any) -> Document:
    """Return a row that was unavailable with a category, changed."""
    changed = {"trial_status": "unavailable", "failure_category": "provider_down"} | fields
    return row(reward=0, **changed)


def release(*rows: Any, **members: Any) -> Document:
    """Return a release of *rows*, one if none is given, with nothing odd about it."""
    listed = list(rows) or [row()]
    return {
        "schema_version": 1,
        "version": "20260301.0.0",
        "title": "A cohort",
        "compatibility": {"suite": "matrix-v1", "attempts": 1, "agent_timeout_seconds": 600},
        "sources": [{"source": "matrix-a"}],
        "runs": listed,
    } | members


def three(**fields: Any) -> list[Document]:
    """Return three attempts of one cell, changed alike."""
    return [row(attempt=number, run_id=f"run-{number}", **fields) for number in (1, 2, 3)]


def text_of(document: Any, **literals: str) -> str:
    """Return *document* as JSON, in which the text ``@name`` is replaced by a literal."""
    text = json.dumps(document)
    for name, literal in literals.items():
        text = text.replace(f'"@{name}"', literal)
    return text


def taken(
    name: str,
    clause: int,
    comment: str,
    *files: Document | str | bytes,
    reports: list[Document] | None = None,
    events: list[list[Any]] | None = None,
    **fields: Any,
) -> Vector:
    """Return a vector of files that are imported in order.

    Args:
        name: Of the vector.
        clause: Number of the clause.
        comment: What is to be seen.
        files: Documents, JSON texts, or bytes.
        reports: For each file, members that its report has.
        events: For each event from the first, its type and fields that it has; null for any.
        fields: Anything else.
    """
    return {
        "name": name,
        "comment": comment,
        "clause": f"IMPORT-{clause}",
        "expect": "accept",
        "code": None,
        "files": [_file(file) for file in files],
        "reports": [{}] * len(files) if reports is None else reports,
        "events": events or [],
    } | fields


def aside(
    name: str, clause: int, comment: str, code: str, pointer: str, bad: Any, **literals: str
) -> Vector:
    """Return a vector of a release in which the row between two sound ones is set aside.

    Its verdict is about the record, so it expects a refusal although the file is imported.
    """
    rows = three()
    rows[1] = bad
    pointer = f"/runs/1{pointer}"
    report = {
        "new": 2,
        "quarantined": 1,
        "problems": [{"code": code, "pointer": pointer}],
    }
    events = [
        None,
        None,
        ["attempt.reported/1", {"index": 0}],
        ["record.quarantined/1", {"code": code, "pointer": pointer}],
        ["attempt.reported/1", {"index": 2}],
    ]
    file = text_of(release(*rows), **literals)
    made = taken(name, clause, comment, file, reports=[report], events=events)
    return made | {"expect": "refuse", "code": code, "refused": "record"}


def refused(
    name: str,
    clause: int,
    comment: str,
    code: str,
    place: str,
    *files: Document | str | bytes,
    **fields: Any,
) -> Vector:
    """Return a vector of files of which the last is refused whole, at a place in it."""
    made = taken(name, clause, comment, *files, **fields)
    return made | {"expect": "refuse", "code": code, "refused": "file", "place": place}


def flagged(name: str, clause: int, comment: str, flags: list[str], *rows: Any) -> Vector:
    """Return a vector of a release whose first row has exactly these flags."""
    events = [None, None, ["attempt.reported/1", {"flags": flags}]]
    return taken(name, clause, comment, release(*rows), events=events)


def whole(name: str, clause: int, comment: str, flags: list[Any], document: Document) -> Vector:
    """Return a vector of a release that has exactly these flags itself."""
    events = [None, ["release.reported/1", {"flags": flags}]]
    return taken(name, clause, comment, document, events=events)


def _file(file: Document | str | bytes) -> Any:
    if isinstance(file, bytes):
        return {"hex": file.hex()}
    return file if isinstance(file, str) else json.dumps(copy.deepcopy(file))
