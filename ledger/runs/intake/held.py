"""A run as a ledger holds it: its files, bytes and lines, at any size (KEEP-11 to KEEP-13)."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO

from ledger.events import CANONICAL, MANY, STREAM_ROLES, WHY
from ledger.runs.contents import File
from ledger.runs.directory import Canonical
from ledger.runs.discovery import discover
from ledger.runs.layout import ROLES, Role

from .versions import Holdings, Version, Versions

_NOT_TAKEN_IN = "the ledger has nothing of it"


class Held:
    """The files of a run, from the events about it (``contents.Contents``).

    The ledger should not change its state meanwhile: whoever reads holds a snapshot of it.
    """

    def __init__(self, ledger: Holdings, run: str, as_of: int | None = None) -> None:
        """Look at *run* in *ledger*.

        Args:
            ledger: The ledger.
            run: The run's own name for itself.
            as_of: Number of events that count; all, if not given.
        """
        self._versions = Versions(ledger, run, as_of)
        self._lost = False
        self._files = self._listed()

    @property
    def known(self) -> bool:
        """Whether the ledger has anything of the run."""
        return self._versions.known

    def files(self) -> Sequence[File]:
        """Return its files (``contents.Contents.files``)."""
        return self._files

    def data(self, file: File) -> bytes:
        """Return the bytes of a file that is present."""
        version = self._version(file)
        if version.event.role in STREAM_ROLES:
            return b"".join(self.lines(file))
        content = self._versions.content(version)
        if content is None:
            raise LookupError(f"the bytes of {file.path!r} are withheld")
        return content

    def lines(self, file: File) -> Iterator[bytes]:
        """Yield the lines of a file that is present, each with its end."""
        version = self._version(file)
        if version.event.role not in STREAM_ROLES:
            yield from BytesIO(self.data(file))
            return
        for seq, data in self._versions.records(version):
            if data is None:
                raise LookupError(f"the bytes of event {seq} are withheld")
            yield data

    def _version(self, file: File) -> Version:
        if file.seq is None:
            raise LookupError(f"no event is about {file.path!r}")
        return self._versions.at(file.seq)

    def _listed(self) -> Sequence[File]:
        found = {(file.role, file.path): file for file in discover(self._seen, self.data)}
        if self._lost:
            # A document that names files is withheld: what was named by it is known all the same.
            for version in self._versions.named():
                role, path = version.event.role, version.path
                if path is not None and version.event.state != "absent":
                    found.setdefault((role, path), self._file(version, role, path))
        rank = {role: number for number, role in enumerate(ROLES)}
        return sorted(found.values(), key=lambda file: rank[file.role])

    def _seen(self, role: Role, path: str) -> File:
        """Say how a file stands (``discovery.Lookup``)."""
        version = self._versions.newest(role, path)
        if version is None or (version.path is not None and version.path != path):
            return File(role, path, "absent", why=_NOT_TAKEN_IN)
        return self._file(version, role, path)

    def _file(self, version: Version, role: Role, path: str) -> File:
        event, versions = version.event, self._versions
        digest, canonical = versions.digest(version), versions.digest(version, CANONICAL)
        if event.state != "present":
            why = versions.text(version, WHY) or f"the reason in event {version.seq} is withheld"
            return File(
                role, path, event.state, why, event.size_bytes, digest, canonical, version.seq
            )
        withheld = versions.first_withheld(version)
        if withheld is not None:
            self._lost = self._lost or role not in MANY
            seq, line = withheld
            which = "" if line is None else f", line {line + 1}"
            why = f"the bytes of event {seq}{which} are withheld"
            return File(
                role, path, "withheld", why, event.size_bytes, digest, canonical, version.seq
            )
        size = event.size_bytes
        file = File(role, path, "present", None, size, digest, canonical, version.seq)
        if digest is not None and canonical is not None:
            return file
        made = _digests(self.lines(file) if role in STREAM_ROLES else (self.data(file),))
        return File(role, path, "present", None, size, *made, version.seq)


def _digests(pieces: Iterable[bytes]) -> tuple[bytes, bytes]:
    """Return the digests of a file of which the event's own are withheld."""
    raw, canonical = hashlib.sha256(), Canonical()
    for piece in pieces:
        raw.update(piece)
        canonical.update(piece)
    return raw.digest(), canonical.digest()
