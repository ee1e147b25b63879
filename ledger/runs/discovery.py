"""Which files a run has: those that every run has, and those that its own documents name.

A directory and a ledger answer for one file at a time; what is asked for, and in which order, is
decided here for both, so that they list the same files (RUN-10, RUN-11).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from .contents import File
from .json_text import read_document
from .layout import (
    CONFIGURATIONS,
    FIXED,
    MAX_DOCUMENT_BYTES,
    MAX_NAMED,
    REVIEWS,
    ROLES,
    SLOTS,
    Role,
)

Lookup = Callable[[Role, str], File]
"""Says how the file of a role and a path stands."""

Reader = Callable[[File], bytes]
"""Returns the bytes of a file that is present."""

OPTIONAL: tuple[tuple[Role, str], ...] = (
    ("withheld", FIXED["withheld"]),
    *(("configuration", path) for path in CONFIGURATIONS),
    ("reviews", REVIEWS),
    ("derivations", FIXED["derivations"]),
)
"""Files that no document names: they belong to a run where they are there, or are withheld."""


def discover(lookup: Lookup, read: Reader) -> Sequence[File]:
    """Return the files of a run in the order of ``layout.ROLES``, and of the run within a role."""
    found = _Found(lookup, read)
    found.look()
    rank = {role: number for number, role in enumerate(ROLES)}
    return sorted(found.files.values(), key=lambda file: rank[file.role])


def document_of(file: File, read: Reader) -> Mapping[str, Any]:
    """Return what a document of a run says; an empty map where that cannot be known."""
    return object_of(file, read) or {}


def object_of(file: File, read: Reader) -> Mapping[str, Any] | None:
    """Return what a document says; None where it cannot be read, which is not to say nothing."""
    if file.state != "present" or (file.size_bytes or 0) > MAX_DOCUMENT_BYTES:
        return None
    said, _ = read_document(read(file))
    return said if isinstance(said, Mapping) else None


class _Found:
    """The files that were asked for so far."""

    def __init__(self, lookup: Lookup, read: Reader) -> None:
        self.files: dict[tuple[Role, str], File] = {}
        self._lookup, self._read = lookup, read

    def look(self) -> None:
        """Ask for every file that the run has."""
        manifest = self._document("manifest")
        for role, path in OPTIONAL[:-2]:
            self._note_if_there(role, path)
        self._note("task", FIXED["task"])
        for copy in _texts(self._document("visibility"), "files", "copy"):
            self._note("visible", copy)
        evidence = self._document("evidence")
        stored: tuple[Role, ...] = ("import", "artifact")
        for role in stored:
            for path in _texts(manifest, f"{role}s", "path"):
                self._note(role, path)
        for slot in SLOTS:
            self._declare(slot, evidence.get(slot), "path")
        self._declare("normalized", evidence.get("agent_logger"), "normalized")
        review = evidence.get("review")
        if path_in(review, "path") is None:
            self._note_if_there("reviews", REVIEWS)
        else:
            self._declare("reviews", review, "path")
        self._note_if_there("derivations", FIXED["derivations"])
        self._note("trajectory", FIXED["trajectory"])

    def _document(self, role: Role) -> Mapping[str, Any]:
        return document_of(self._note(role, FIXED[role]), self._read)

    def _declare(self, role: Role, slot: object, key: str) -> None:
        path = path_in(slot, key)
        if path is not None:
            self._note(role, path)

    def _note(self, role: Role, path: str) -> File:
        file = self.files.get((role, path))
        if file is None:
            file = self.files[role, path] = self._lookup(role, path)
        return file

    def _note_if_there(self, role: Role, path: str) -> None:
        file = self._lookup(role, path)
        if file.state != "absent":
            self.files.setdefault((role, path), file)


def path_in(slot: object, key: str) -> str | None:
    """Return the text that an object of a document has under *key*, None where it has none."""
    path = slot.get(key) if isinstance(slot, Mapping) else None
    return path if isinstance(path, str) else None


def _texts(document: Mapping[str, Any], key: str, inner: str) -> Iterator[str]:
    listed = document.get(key)
    if not isinstance(listed, list) or len(listed) > MAX_NAMED:
        return
    for item in listed:
        path = path_in(item, inner)
        if path is not None:
            yield path
