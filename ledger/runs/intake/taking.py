"""The files of a run on their way into a ledger, counted as they go (KEEP-1 to KEEP-10)."""

import hashlib
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Protocol

from canon import encode, labelled
from ledger.errors import RunChanged, RunLine
from ledger.events import (
    CANONICAL,
    CONTENT,
    DIGEST,
    LINE,
    MANY,
    PATH,
    STREAM_ROLES,
    WHY,
    FileObserved,
    Observation,
)
from ledger.identities import run_key
from ledger.runs.contents import Contents, File
from ledger.runs.declared import declared
from ledger.runs.discovery import OPTIONAL
from ledger.runs.extraction import READER, event_of
from ledger.runs.layout import MAX_FILE_BYTES, Role

from .naming import check_same
from .report import FORMAT, MAX_LISTED, Faults, FileTaken, RunReport, printable
from .versions import Holdings, Version, Versions, path_bytes

PROGRESS_RECORDS = 1_000
_FILES = b"coldledger/run-files/1"
_AS_LOOKED_AT = "the bytes that it had when the run was looked at"

Progress = Callable[[int], None]
"""Called with the records that were read so far."""


class Batch(Protocol):
    """What taking a run in needs of a transaction of the ledger."""

    @property
    def size(self) -> int:
        """Sequence number of the next event."""

    def append(
        self,
        event: Observation,
        blobs: Mapping[str, bytes] | None = None,
        *,
        actor: str = ...,
    ) -> int:
        """Append an event, index its identities, and return its number."""


class Taking:
    """A run on its way into a ledger; without a batch, its events are only counted."""

    def __init__(self, ledger: Holdings, contents: Contents, run: str, batch: Batch | None) -> None:
        """Prepare to take a run in.

        Args:
            ledger: The ledger, before anything of this is appended.
            contents: The run.
            run: Its name.
            batch: Where events go.
        """
        self._ledger, self._contents, self._run, self._batch = ledger, contents, run, batch
        self._versions = Versions(ledger, run)
        self._seq = ledger.seq_of(run_key(run))
        self._recount = False
        self._progress: Progress = _silent
        self._events = self._new = self._known = self._superseded = 0
        self._changed: list[FileTaken] = []
        self._faults = Faults()
        self._differ = 0

    def take(
        self,
        roles: Collection[Role] | None,
        place: str | None,
        *,
        recount: bool = False,
        progress: Progress | None = None,
    ) -> RunReport:
        """Take in the files of these roles, and return what became of them."""
        self._recount, self._progress = recount, progress or _silent
        check_same(self._versions, self._contents)
        files = self._contents.files()
        for file in (*files, *self._gone(files)):
            if roles is None or file.role in roles:
                self._take(file)
        return RunReport(
            path=place or self._run,
            name=self._run,
            format=FORMAT,
            sha256=files_digest(files).hex(),
            rows=self._new + self._known,
            events=self._events,
            new=self._new,
            known=self._known,
            quarantined=self._faults.set_aside,
            superseded=self._superseded,
            seq=self._seq,
            dry_run=self._batch is None,
            files=len(files),
            changed=self._changed,
            changed_left_out=self._differ - len(self._changed),
            flags=self._faults.flags(),
            problems=self._faults.problems,
            problems_left_out=self._faults.set_aside - len(self._faults.problems),
        )

    def _gone(self, files: Sequence[File]) -> Iterator[File]:
        """Yield files that no document names, which were there and are not any more."""
        there = {(file.role, file.path) for file in files}
        roles = {file.role for file in files if file.role not in MANY}
        for role, path in OPTIONAL:
            if role not in roles and (role, path) not in there:
                before = self._versions.newest(role, path)
                if before is not None and (before.event.state, before.path) != ("absent", path):
                    yield File(role, path, "absent", why="no such file")

    def _take(self, file: File) -> None:
        before = self._versions.newest(file.role, file.path)
        if before is not None and self._is_same(before, file):
            self._note_known(before, file)
            return
        is_stream = file.state == "present" and file.role in STREAM_ROLES
        blobs, items, kept = _slots(file), [], 0
        if is_stream:
            records, kept = self._measure(file, before)
        elif file.state == "present":
            data = blobs[CONTENT] = self._data(file)
            items = declared(file.role, data)
            records = len(items)
        else:
            records = 0
        event = FileObserved(
            run=self._run,
            kept=kept,
            role=file.role,
            state=file.state,
            reader=READER,
            records=records,
            size_bytes=_size(file),
            supersedes=None if before is None else before.seq,
        )
        source = self._append(event, blobs)
        self._note_changed(file, event, source)
        if is_stream:
            self._take_lines(file, kept, source)
        for line, item in enumerate(items):
            self._take_record(file, line, item.raw, source, slot=item.slot)

    def _take_lines(self, file: File, kept: int, source: int) -> None:
        for line, data in enumerate(self._lines(file)):
            if line >= kept:
                self._take_record(file, line, data, source)
            else:
                self._pass(file, line, data, source)

    def _take_record(
        self, file: File, line: int, data: bytes, source: int, slot: str | None = None
    ) -> None:
        event = event_of(file.role, line, data, source, slot)
        self._new += 1
        self._count(file, line, event.fault)
        self._append(event, {LINE: data})

    def _note_known(self, before: Version, file: File) -> None:
        """Count the records of a file that stands as it stood."""
        if not self._recount or not before.event.records:
            self._known += before.event.records
        elif file.role in STREAM_ROLES:
            for line, data in enumerate(self._lines(file)):
                self._pass(file, line, data, before.seq)
        else:
            for line, item in enumerate(declared(file.role, self._data(file))):
                self._pass(file, line, item.raw, before.seq, slot=item.slot)

    def _pass(
        self, file: File, line: int, data: bytes, source: int, slot: str | None = None
    ) -> None:
        """Count a record that the ledger has."""
        self._known += 1
        if self._recount:
            self._count(file, line, event_of(file.role, line, data, source, slot).fault)

    def _count(self, file: File, line: int, fault: str | None) -> None:
        if fault is not None:
            before = ":" if file.role in STREAM_ROLES else ", file "
            self._faults.add(fault, f"{printable(file.path)}{before}{line + 1}")
        if (done := self._new + self._known) % PROGRESS_RECORDS == 0:
            self._progress(done)

    def _note_changed(self, file: File, event: FileObserved, seq: int) -> None:
        self._superseded += event.supersedes is not None
        self._differ += 1
        if len(self._changed) < MAX_LISTED:
            self._changed.append(
                FileTaken(
                    role=file.role,
                    path=printable(file.path),
                    state=file.state,
                    event=None if self._batch is None else seq,
                    supersedes=event.supersedes,
                    kept=event.kept,
                    records=event.records,
                )
            )

    def _append(self, event: Observation, blobs: Mapping[str, bytes]) -> int:
        """Append an event, or count it; return its number."""
        seq = self._ledger.size + self._events if self._batch is None else self._batch.size
        self._events += 1
        if self._batch is not None:
            self._batch.append(event, blobs)
            self._seq = seq if self._seq is None else self._seq
        return seq

    def _is_same(self, before: Version, file: File) -> bool:
        """Tell whether a file stands as a version says, as far as that can be known."""
        event = before.event
        if (event.state, event.size_bytes) != (file.state, _size(file)):
            return False
        if before.path not in (None, file.path):
            return False
        if file.state != "present" and self._versions.text(before, WHY) not in (None, file.why):
            return False
        digest = self._versions.digest(before)
        if digest is not None or not event.blobs or DIGEST not in event.blobs:
            return digest == file.sha256
        # The digest is withheld: what is left of the bytes tells.
        return file.state != "present" or self._has_bytes(before, file)

    def _has_bytes(self, before: Version, file: File) -> bool:
        """Tell whether a file has the bytes of a version, wherever those are at hand."""
        if file.role not in STREAM_ROLES:
            return self._versions.content(before) in (None, self._data(file))
        same = True
        with closing(self._versions.records(before)) as old:
            for line in self._lines(file):
                same = same and next(old, (0, b""))[1] in (None, line)
            return same and next(old, None) is None

    def _measure(self, file: File, before: Version | None) -> tuple[int, int]:
        """Return how many records a file has, and how many of them a version has too."""
        was = None if before is None else before.event
        known = None if before is None else self._versions.digest(before)
        digest, size, records, grew = hashlib.sha256(), 0, 0, False
        for line in self._lines(file):
            digest.update(line)
            size += len(line)
            records += 1
            if was is not None and (records, size) == (was.records, was.size_bytes):
                grew = digest.digest() == known
        if before is None or was is None:
            return records, 0
        return records, was.records if grew else self._common(file, before)

    def _common(self, file: File, before: Version) -> int:
        """Return how many lines from its start a file has in common with a version."""
        with closing(self._versions.records(before)) as old, closing(self._lines(file)) as new:
            kept = 0
            # A line that is withheld cannot be compared, so it counts as another one.
            while (line := next(new, None)) is not None and next(old, (0, None))[1] == line:
                kept += 1
            return kept

    def _lines(self, file: File) -> Generator[bytes, None, None]:
        """Yield the lines of a file as it was looked at; what was appended since is not read.

        Raises:
            RunChanged: Its bytes are not those that were looked at.
            RunLine: A line is longer than a blob can be.
        """
        left, digest = file.size_bytes or 0, hashlib.sha256()
        try:
            for number, line in enumerate(self._contents.lines(file), start=1):
                line = line[:left] if len(line) > left else line
                if not line:
                    break
                if len(line) > MAX_FILE_BYTES:
                    got = f"{len(line)} bytes"
                    raise RunLine(
                        f"{printable(file.path)}:{number}", got, f"at most {MAX_FILE_BYTES}"
                    )
                digest.update(line)
                left -= len(line)
                yield line
        except OSError as fault:
            raise RunChanged(
                printable(file.path), fault.strerror or str(fault), _AS_LOOKED_AT
            ) from None
        if left or digest.digest() != file.sha256:
            raise RunChanged(printable(file.path), "other bytes", _AS_LOOKED_AT)

    def _data(self, file: File) -> bytes:
        try:
            data = self._contents.data(file)
        except OSError as fault:
            raise RunChanged(
                printable(file.path), fault.strerror or str(fault), _AS_LOOKED_AT
            ) from None
        if hashlib.sha256(data).digest() != file.sha256:
            raise RunChanged(printable(file.path), "other bytes", _AS_LOOKED_AT)
        return data


def files_digest(files: Sequence[File]) -> bytes:
    """Return one digest over what the files of a run are, 32 bytes (KEEP-8)."""
    listed = [[file.role, path_bytes(file.path), file.state, file.sha256] for file in files]
    return labelled(_FILES, encode(listed))


def _slots(file: File) -> dict[str, bytes]:
    """Return what an event about a file commits to, beside its content."""
    slots = {PATH: path_bytes(file.path)}
    if file.state != "absent" and file.sha256 is not None:
        slots[DIGEST] = file.sha256
    if file.state == "present" and file.canonical is not None:
        slots[CANONICAL] = file.canonical
    if file.state != "present":
        slots[WHY] = path_bytes(file.why or file.state)
    return slots


def _size(file: File) -> int | None:
    """Return the size that an event states: of what is at hand, or was and cannot be kept."""
    return file.size_bytes if file.state in ("present", "refused") else None


def _silent(_: int) -> None:
    """Tell nobody."""
