"""A run directory as it stands on the disk (RUN-10 to RUN-23)."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .contents import File
from .discovery import discover, document_of, path_in
from .fields import digest
from .layout import FIXED, MAX_FILE_BYTES, STREAMS, Role
from .paths import EXPLAINED, find

_CHUNK_BYTES = 2**20


class Directory:
    """The files of a run directory.

    What stands in it is looked up once: a file that changes while it is read is noticed by its
    digest, by whoever compares.
    """

    def __init__(self, root: Path) -> None:
        """Look at the directory *root*."""
        self.root = root
        self._withheld: Mapping[str, tuple[bytes | None, str]] = {}
        withheld = self._seen("withheld", FIXED["withheld"])
        self._withheld = dict(_withheld(document_of(withheld, self.data)))
        self._files = discover(self._seen, self.data)

    def files(self) -> Sequence[File]:
        """Return its files (``contents.Contents.files``)."""
        return self._files

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

    def _seen(self, role: Role, path: str) -> File:
        """Say how a file stands (``discovery.Lookup``)."""
        found = find(self.root, path)
        if found.path is None and found.fault is None:
            named, why = self._withheld.get(path, (None, ""))
            if path in self._withheld:
                return File(role, path, "withheld", why=why or "withheld", sha256=named)
            return File(role, path, "absent", why="no such file")
        if found.path is None:
            return File(role, path, "refused", why=EXPLAINED[found.fault or "unreadable"])
        raw, canonical, size = hashlib.sha256(), Canonical(), 0
        lines = _Lines()
        try:
            with open(found.path, "rb") as stream:
                while chunk := stream.read(_CHUNK_BYTES):
                    size += len(chunk)
                    raw.update(chunk)
                    canonical.update(chunk)
                    lines.update(chunk)
        except OSError as fault:
            return File(role, path, "refused", why=fault.strerror or EXPLAINED["unreadable"])
        if (lines.longest if role in STREAMS else size) > MAX_FILE_BYTES:
            return File(role, path, "refused", EXPLAINED["too_large"], size, raw.digest())
        return File(role, path, "present", None, size, raw.digest(), canonical.digest())


class _Lines:
    """How long the longest line is, if it is longer than what is read at once."""

    def __init__(self) -> None:
        self.longest = self._begun = 0

    def update(self, data: bytes) -> None:
        """Add bytes."""
        first = data.find(b"\n")
        self._begun += len(data) if first < 0 else first
        self.longest = max(self.longest, self._begun)
        if first >= 0:
            self._begun = len(data) - data.rfind(b"\n") - 1


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


def _withheld(document: Mapping[str, Any]) -> Iterator[tuple[str, tuple[bytes | None, str]]]:
    """Yield path, and (digest, reason), of each file that is said to be withheld."""
    listed = document.get("files")
    for item in listed if isinstance(listed, list) else ():
        path = path_in(item, "path")
        if path is not None:
            yield path, (digest(path_in(item, "sha256")), path_in(item, "reason") or "")
