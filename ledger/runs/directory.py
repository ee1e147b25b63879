"""A run directory as it stands on the disk (RUN-10 to RUN-23)."""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .contents import File
from .json_text import read_document
from .layout import (
    CONFIGURATIONS,
    FIXED,
    MAX_DOCUMENT_BYTES,
    MAX_FILE_BYTES,
    REQUIRED,
    REVIEWS,
    ROLES,
    SLOTS,
    STREAMS,
    Role,
)
from .paths import EXPLAINED, Found, find

_CHUNK_BYTES = 2**20


class Directory:
    """The files of a run directory.

    What stands in it is looked up once: a file that changes while it is read is noticed by its
    digest, by whoever compares.
    """

    def __init__(self, root: Path) -> None:
        """Look at the directory *root*."""
        self.root = root
        self._found: dict[tuple[Role, str], File] = {}
        self._withheld: Mapping[str, tuple[bytes | None, str]] = {}
        self._look()

    def files(self) -> Sequence[File]:
        """Return its files (``contents.Contents.files``)."""
        rank = {role: number for number, role in enumerate(ROLES)}
        return sorted(self._found.values(), key=lambda file: rank[file.role])

    def data(self, file: File) -> bytes:
        """Return the bytes of a file."""
        return self._path(file).read_bytes()

    def lines(self, file: File) -> Iterator[bytes]:
        """Yield the lines of a file, each with its end."""
        with open(self._path(file), "rb") as stream:
            yield from stream

    def _path(self, file: File) -> Path:
        found = find(self.root, file.path)
        if found.path is None:
            raise FileNotFoundError(file.path)
        return found.path

    def _look(self) -> None:
        withheld = self._document("withheld")
        self._withheld = dict(_withheld(withheld))
        manifest = self._document("manifest")
        self._note("task", FIXED["task"])
        for copy in _texts(self._document("visibility"), "files", "copy"):
            self._note("visible", copy)
        evidence = self._document("evidence")
        for stored in ("import", "artifact"):
            role: Role = "import" if stored == "import" else "artifact"
            for path in _texts(manifest, f"{stored}s", "path"):
                self._note(role, path)
        for path in CONFIGURATIONS:
            if os.path.lexists(self.root / path):
                self._note("configuration", path)
        for slot in SLOTS:
            self._declare(slot, evidence.get(slot), "path")
        self._declare("normalized", evidence.get("agent_logger"), "normalized")
        review = evidence.get("review")
        if _path_in(review, "path") is not None:
            self._declare("reviews", review, "path")
        elif os.path.lexists(self.root / REVIEWS):
            self._note("reviews", REVIEWS)
        if os.path.lexists(self.root / FIXED["derivations"]):
            self._note("derivations", FIXED["derivations"])
        self._note("trajectory", FIXED["trajectory"])

    def _document(self, role: Role) -> Mapping[str, Any]:
        """Note a document with a fixed name, and return what it says; an empty map if nothing."""
        if role not in REQUIRED and not os.path.lexists(self.root / FIXED[role]):
            return {}
        file = self._note(role, FIXED[role])
        if file.state != "present" or (file.size_bytes or 0) > MAX_DOCUMENT_BYTES:
            return {}
        said, _ = read_document(self.data(file))
        return said if isinstance(said, Mapping) else {}

    def _declare(self, role: Role, slot: object, key: str) -> None:
        path = _path_in(slot, key)
        if path is not None:
            self._note(role, path)

    def _note(self, role: Role, path: str) -> File:
        file = self._found.get((role, path))
        if file is None:
            file = self._found[role, path] = self._seen(role, path, find(self.root, path))
        return file

    def _seen(self, role: Role, path: str, found: Found) -> File:
        if found.path is None and found.fault is None:
            digest, why = self._withheld.get(path, (None, ""))
            if path in self._withheld:
                return File(role, path, "withheld", why=why or "withheld", sha256=digest)
            return File(role, path, "absent", why="no such file")
        if found.path is None:
            return File(role, path, "refused", why=EXPLAINED[found.fault or "unreadable"])
        raw, canonical, size = hashlib.sha256(), Canonical(), 0
        try:
            with open(found.path, "rb") as stream:
                while chunk := stream.read(_CHUNK_BYTES):
                    size += len(chunk)
                    raw.update(chunk)
                    canonical.update(chunk)
        except OSError as fault:
            return File(role, path, "refused", why=fault.strerror or EXPLAINED["unreadable"])
        if role not in STREAMS and size > MAX_FILE_BYTES:
            return File(role, path, "refused", EXPLAINED["too_large"], size, raw.digest())
        return File(role, path, "present", None, size, raw.digest(), canonical.digest())


class Canonical:
    """A SHA-256 that reads every CR LF as LF, so that line ends do not matter (RUN-22)."""

    def __init__(self) -> None:
        """Start with no bytes."""
        self._hash = hashlib.sha256()
        self._held = b""

    def update(self, data: bytes) -> None:
        """Add bytes."""
        data = self._held + data
        self._held = b"\r" if data.endswith(b"\r") else b""
        if self._held:
            data = data[:-1]
        self._hash.update(data.replace(b"\r\n", b"\n"))

    def digest(self) -> bytes:
        """Return the digest, 32 bytes."""
        ended = self._hash.copy()
        ended.update(self._held)
        return ended.digest()


def _path_in(slot: object, key: str) -> str | None:
    path = slot.get(key) if isinstance(slot, Mapping) else None
    return path if isinstance(path, str) else None


def _texts(document: Mapping[str, Any], key: str, inner: str) -> Iterator[str]:
    listed = document.get(key)
    for item in listed if isinstance(listed, list) else ():
        path = _path_in(item, inner)
        if path is not None:
            yield path


def _withheld(document: Mapping[str, Any]) -> Iterator[tuple[str, tuple[bytes | None, str]]]:
    """Yield path, and (digest, reason), of each file that is said to be withheld."""
    listed = document.get("files")
    for item in listed if isinstance(listed, list) else ():
        path = _path_in(item, "path")
        if path is not None:
            digest, reason = _path_in(item, "sha256"), _path_in(item, "reason")
            yield path, (_digest(digest), reason or "")


def _digest(text: str | None) -> bytes | None:
    try:
        digest = bytes.fromhex(text or "")
    except ValueError:
        return None
    return digest if len(digest) == hashlib.sha256().digest_size else None
