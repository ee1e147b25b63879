"""A release that was read to its end, and the events it becomes (``specs/importers.md``)."""

import io
from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from canon.refusal import Refusal
from ledger.errors import DuplicateRow, SchemaInvalid
from ledger.events import RECORD, AttemptReported, CorrectionReported, RecordQuarantined
from ledger.identities import attempt_key
from ledger.importers.findings import Findings, Problem, problem_of
from ledger.importers.importer import Record
from ledger.importers.reading import placed
from ledger.importers.shelf import MEMORY_BYTES, Shelf
from ledger.importers.source_json import Found, Json, kind_of
from ledger.importers.source_rows import Split

from .correction import Correction, read_correction
from .envelope import CORRECTIONS, ROWS
from .matrix import fitting
from .quick import quick_row
from .release import Release, read_release
from .row import Read, read_row
from .tally import Tally
from .trial import Trial, attempt_of
from .waiting import Waiting, pack, unpack
from .whole import release_flags


class ReleaseReading:
    """The rows of one release, read and waiting; implements ``Reading``."""

    def __init__(self, stream: BinaryIO, place: str, *, memory_bytes: int = MEMORY_BYTES) -> None:
        """Read *stream* to its end.

        Args:
            stream: The file, at its start.
            place: Names it in refusals.
            memory_bytes: How much of its rows may wait in memory.

        Raises:
            Refusal: It is no release.
        """
        self.findings = Findings()
        self._place = place
        self._shelf = Shelf(pack, unpack, memory_bytes=memory_bytes)
        self._tally = Tally()
        self._seen: dict[bytes, int] = {}
        self._strays: dict[str, str] = {}
        try:
            split = Split(stream, ROWS, place, quick=quick_row)
            for index, raw, found in split:
                self._take(index, raw, found)
            self._finish(split)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Forget the rows."""
        self._shelf.close()

    def parts(self) -> Iterator[bytes]:
        """Yield the envelope and each row."""
        yield self._envelope
        for waiting in self._shelf:
            yield waiting.raw

    def records(self, source: int) -> Iterator[Record]:
        """Yield the release, its rows and its corrections as events of *source*; once."""
        report = msgspec.structs.replace(
            self._release.report, source=source, flags=list(self._flags)
        )
        yield Record(report, {RECORD: self._envelope})
        runs: dict[str, str | None] = {}
        for index, waiting in enumerate(self._shelf):
            found = waiting.found
            if isinstance(found, Problem):
                yield _quarantined(found, waiting.raw, source)
                continue
            attempt = place_row(found, self._release, source=source, index=index)
            for flag in attempt.flags:
                self.findings.add_flag(flag, f"/{ROWS}/{index}")
            if attempt.run_id in self._corrected:
                known = attempt.run_id in runs
                runs[attempt.run_id] = None if known else attempt.attempt
            key = attempt_key(attempt.attempt, attempt.started_at)
            yield Record(attempt, {RECORD: waiting.raw}, key)
        for index, (raw, correction) in enumerate(self._corrections):
            if isinstance(correction, Problem):
                yield _quarantined(correction, raw, source)
            else:
                yield Record(self._correction(correction, runs, source, index), {RECORD: raw})

    def _take(self, index: int, raw: bytes, found: "Found | Read") -> None:
        pointer = f"/{ROWS}/{index}"
        try:
            # A value that is already refused names its place in full.
            read = found if isinstance(found, Read) else read_row(_value(found))
            trial = read.trial
            identity = bytes.fromhex(trial.attempt[4:])
            first = self._seen.setdefault(identity, index)
            if first != index:
                raise DuplicateRow("", f"the trial of /{ROWS}/{first} again", "each trial once")
        except Refusal as refusal:
            problem = problem_of(refusal, self._place, pointer)
            self.findings.add_problem(problem)
            self._shelf.put(Waiting(raw, problem), len(raw))
            return
        for odd in read.problems:
            self.findings.add_problem(problem_of(odd, self._place, pointer))
        for name in read.unmapped:
            self._strays.setdefault(name, f"{pointer}{name}")
        self._tally.add(trial, index)
        self._shelf.put(Waiting(raw, trial), len(raw))

    def _finish(self, split: Split) -> None:
        """Read what stands around the rows, now that all of it is known."""
        self.size_bytes, self.sha256 = split.size_bytes, split.sha256()
        self._envelope = split.envelope()
        if split.count is None:
            got = kind_of(split.members[ROWS]) if ROWS in split.members else "no such field"
            raise SchemaInvalid(f"{self._place}#/{ROWS}", got, "an array of rows")
        self.rows = split.count
        try:
            self._release = read_release(split.members)
        except Refusal as refusal:
            raise placed(refusal, f"{self._place}#") from None
        self.name = self._release.report.release
        self._flags = release_flags(self._release, split.members, self._tally)
        for flag, count, pointer in self._flags:
            self.findings.add_flag(flag, pointer, count)
        self._corrections = list(self._read_corrections(split.members.get(CORRECTIONS)))
        self._corrected = {
            correction.run_id
            for _, correction in self._corrections
            if isinstance(correction, Correction)
        }
        self.unmapped = (*self._release.unmapped, *self._strays.values())

    def _read_corrections(self, listed: Json) -> Iterator[tuple[bytes, Correction | Problem]]:
        if listed is None:
            return
        if not isinstance(listed, list):
            place = f"{self._place}#/{CORRECTIONS}"
            raise SchemaInvalid(place, kind_of(listed), "an array or null")
        for index, raw, found in Split(io.BytesIO(self._envelope), CORRECTIONS, self._place):
            try:
                yield raw, read_correction(_value(found))
            except Refusal as refusal:
                problem = problem_of(refusal, self._place, f"/{CORRECTIONS}/{index}")
                self.findings.add_problem(problem)
                yield raw, problem

    def _correction(
        self, correction: Correction, runs: dict[str, str | None], source: int, index: int
    ) -> CorrectionReported:
        return CorrectionReported(
            index=index,
            author=None,
            fields=correction.fields,
            run_id=correction.run_id,
            source=source,
            attempt=runs.get(correction.run_id),
            release=self.name,
            category=correction.category,
            decided_at=None,
        )


def place_row(trial: Trial, release: Release, *, source: int, index: int) -> AttemptReported:
    """Return a row in its place in *release*: with what a row alone does not say."""
    matrix, certain = fitting(release.matrices, trial)
    return attempt_of(
        trial,
        source=source,
        index=index,
        release=release.report.release,
        matrix=matrix,
        flags=trial.flags if certain else sorted([*trial.flags, "source_ambiguous"]),
    )


def _value(found: Found) -> Json:
    if isinstance(found, Refusal):
        raise type(found)("", found.got, found.expected)
    return found


def _quarantined(problem: Problem, raw: bytes, source: int) -> Record:
    event = RecordQuarantined(code=problem.code, source=source, pointer=problem.pointer)
    reason = problem.message.encode("utf-8", "backslashreplace")
    return Record(event, {RECORD: raw, "reason": reason})
