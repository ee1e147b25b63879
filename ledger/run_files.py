"""Events of runs: a file and its new records, and verdicts (EVENT-70 to EVENT-82).

What was seen of a file stands together with the records that were new in it. What an older version
had too is not told again: `kept` counts it. So a line that is left out, moved to another file or
told twice is noticed here, with every record withheld.
"""

from bisect import bisect_right
from collections.abc import Collection, Container, Sequence
from itertools import pairwise

from msgspec import UNSET, Struct

from .errors import (
    CitedElsewhere,
    FileOrder,
    FileState,
    SupersedesMismatch,
    VerdictInvalid,
    VerdictUnknown,
)
from .events import (
    CANONICAL,
    CONTENT,
    DIGEST,
    MANY,
    RECORD_OF,
    STREAM_ROLES,
    WHY,
    AuditConcluded,
    FileObserved,
    FileRole,
    ReviewDecided,
    RunRecord,
)


class _File(Struct, gc=False):
    """A version of a file.

    Attributes:
        run, role: Of what.
        seq: Its ``file.observed/1``.
        kept, records: How many records are told before, and how many it has.
        replaced: Whether a newer version superseded it.
    """

    run: str
    role: FileRole
    seq: int
    kept: int
    records: int
    replaced: bool = False

    @property
    def last(self) -> int:
        """Number of its last event."""
        return self.seq + self.records - self.kept


class RunFiles:
    """Takes the events of runs in order, and knows of which run each event is."""

    def __init__(self, rules: Container[bytes]) -> None:
        """Start before event 0.

        Args:
            rules: Digests of the policies that were frozen so far, in force or not.
        """
        self._rules = rules
        self._files: list[_File] = []
        self._starts: list[int] = []
        self._only: dict[tuple[str, FileRole], int] = {}
        self._verdicts: dict[int, str] = {}
        self._newest: dict[str, int] = {}
        self._reviews: dict[int, str] = {}
        self._names: dict[str, str] = {}
        self._open: _File | None = None
        self._line = 0

    @property
    def runs(self) -> Collection[str]:
        """The runs that any event is about."""
        return self._names.keys()

    @property
    def count(self) -> int:
        """How many runs there are."""
        return len(self._names)

    @property
    def verdicts(self) -> Collection[int]:
        """The events of all verdicts, ascending."""
        return self._verdicts.keys()

    def idle(self, seq: int) -> None:
        """Accept that no record of a file stands at *seq*.

        Raises:
            FileOrder: One has to.
        """
        if self._open is not None:
            raise FileOrder(f"event {seq}", "an event of something else", self._expected())

    def record(self, seq: int, event: RunRecord) -> None:
        """Accept a record at its place, or refuse it.

        Raises:
            FileOrder: It is not the next of its file, or of another type than its file has.
        """
        file = self._open
        if file is None or event.source != file.seq:
            raise FileOrder(f"event {seq}, source", str(event.source), self._expected())
        if type(event) is not RECORD_OF.get(file.role):
            raise FileOrder(f"event {seq}", event.wire, self._expected())
        if event.line != self._line:
            raise FileOrder(f"event {seq}, line", str(event.line), self._expected())
        self._line += 1
        if self._line == file.records:
            self._open = None

    def file(self, seq: int, event: FileObserved) -> None:
        """Accept what was seen of a file, or refuse it.

        Raises:
            FileState: Its fields and slots contradict its state.
            SupersedesMismatch: It does not replace what it has to.
        """
        self.idle(seq)
        _check_state(seq, event)
        before = self._before(seq, event)
        if event.kept > event.records or event.kept > (0 if before is None else before.records):
            most = 0 if before is None else min(before.records, event.records)
            raise FileState(f"event {seq}, kept", str(event.kept), f"at most {most}")
        if before is not None:
            before.replaced = True
        file = _File(self._name(event.run), event.role, seq, event.kept, event.records)
        if event.role not in MANY:
            self._only[file.run, file.role] = len(self._files)
        self._files.append(file)
        self._starts.append(seq)
        if event.records > event.kept:
            self._open, self._line = file, event.kept

    def verdict(self, seq: int, event: AuditConcluded) -> None:
        """Accept a verdict, or refuse it.

        Raises:
            SupersedesMismatch: It does not name the newest verdict on its run.
            VerdictInvalid: What it rests on is not there, or it contradicts itself.
        """
        self.idle(seq)
        newest = self._newest.get(event.run)
        if event.supersedes != newest:
            raise SupersedesMismatch(
                f"event {seq}, supersedes",
                _of(event.supersedes),
                f"{_of(newest)}, the newest verdict on {event.run!r}",
                remedy="audit the run with `coldledger audit`, which names what it replaces",
            )
        _check_ascending(seq, "sources", event.sources)
        if not event.sources:
            raise VerdictInvalid(f"event {seq}, sources", "none", "one or more files of the run")
        for number in event.sources:
            file = self._file_at(number)
            if file is None or file.seq != number or file.run != event.run or file.replaced:
                expected = f"newest versions of files of {event.run!r}"
                raise VerdictInvalid(f"event {seq}, sources", str(number), expected)
        _check_ascending(seq, "reviews", event.reviews)
        for number in event.reviews:
            if self._reviews.get(number) != event.run:
                expected = f"signed reviews of {event.run!r}"
                raise VerdictInvalid(f"event {seq}, reviews", str(number), expected)
        if event.rules not in self._rules:
            expected = "the digest of a policy that was frozen before"
            raise VerdictInvalid(f"event {seq}, rules", event.rules.hex(), expected)
        _check_flags(seq, event)
        self._newest[event.run] = seq
        self._verdicts[seq] = self._name(event.run)

    def answered(self, review: ReviewDecided) -> set[int]:
        """Return the verdict that a review answers, and what it cites (EVENT-83, EVENT-84).

        Raises:
            VerdictUnknown: The verdict is none on its run.
            CitedElsewhere: It cites what is no file and no record of its run.
        """
        run, verdict = review.run, review.verdict
        if self._verdicts.get(verdict) != run:
            raise VerdictUnknown("decision", f"event {verdict}", f"a verdict on run {run!r}")
        for number in review.cited:
            if self.run_of(number) != run:
                expected = f"a file or a record of run {run!r}"
                raise CitedElsewhere("decision", f"event {number}", expected)
        return {verdict, *review.cited}

    def review(self, seq: int, run: str) -> None:
        """Note a signed review that was judged to be allowed at *seq*."""
        self._reviews[seq] = self._name(run)

    def run_of(self, seq: int) -> str | None:
        """Return the run that a file, or a record of a file, is of; None for any other event."""
        file = self._file_at(seq)
        return None if file is None or seq > file.last else file.run

    def events_of(self, run: str) -> list[int]:
        """Return the numbers of the files, verdicts and signed reviews of a run, ascending."""
        files = [file.seq for file in self._files if file.run == run]
        verdicts = [seq for seq, name in self._verdicts.items() if name == run]
        return sorted([*files, *verdicts, *(s for s, name in self._reviews.items() if name == run)])

    def newest_verdict(self, run: str) -> int | None:
        """Return the number of the newest verdict on a run."""
        return self._newest.get(run)

    def _before(self, seq: int, event: FileObserved) -> _File | None:
        """Return the version that *event* says it replaces."""
        if event.role not in MANY:
            place = self._only.get((event.run, event.role))
            newest = None if place is None else self._files[place]
            if event.supersedes != (None if newest is None else newest.seq):
                expected = f"the newest {event.role} of {event.run!r}"
                raise SupersedesMismatch(
                    f"event {seq}, supersedes",
                    _of(event.supersedes),
                    f"{_of(None if newest is None else newest.seq)}, {expected}",
                )
            return newest
        if event.supersedes is None:
            return None
        file = self._file_at(event.supersedes)
        if (
            file is None
            or file.seq != event.supersedes
            or (file.run, file.role, file.replaced) != (event.run, event.role, False)
        ):
            raise SupersedesMismatch(
                f"event {seq}, supersedes",
                _of(event.supersedes),
                f"null, or a newest version of a file of {event.run!r} for the same",
            )
        return file

    def _file_at(self, seq: int) -> _File | None:
        """Return the newest file that is not behind *seq*."""
        place = bisect_right(self._starts, seq)
        return self._files[place - 1] if place else None

    def _name(self, run: str) -> str:
        """Return one text for a run, however many events name it."""
        return self._names.setdefault(run, run)

    def _expected(self) -> str:
        """Return what has to come next."""
        file = self._open
        if file is None:
            return "a file before it that has such records, with nothing in between"
        return f"line {self._line} of file {file.seq}, `{RECORD_OF[file.role].wire}`"


def _check_state(seq: int, event: FileObserved) -> None:
    """Refuse fields and slots that the state of a file does not allow (EVENT-71, EVENT-72)."""
    place, slots = f"event {seq}", () if event.blobs is UNSET else tuple(event.blobs)
    if event.state == "present":
        if event.size_bytes is None:
            raise FileState(f"{place}, size_bytes", "null", "its size: it is present")
        unfit = [WHY, CONTENT] if event.role in STREAM_ROLES else [WHY]
    else:
        if event.records:
            raise FileState(f"{place}, records", str(event.records), f"0: it is {event.state}")
        if event.size_bytes is not None and event.state != "refused":
            raise FileState(f"{place}, size_bytes", str(event.size_bytes), "null")
        unfit = [CANONICAL, CONTENT, *([DIGEST] if event.state == "absent" else [])]
    for slot in unfit:
        if slot in slots:
            expected = f"none: its role is {event.role}, and it is {event.state}"
            raise FileState(f"{place}, blobs", f"a slot `{slot}`", expected)
    if event.role in STREAM_ROLES and bool(event.size_bytes) != bool(event.records):
        expected = f"records of {event.size_bytes or 0} bytes"
        raise FileState(f"{place}, records", str(event.records), expected)
    if event.records and event.role not in RECORD_OF:
        raise FileState(f"{place}, records", str(event.records), f"0 of the role {event.role}")
    if event.kept and event.role not in STREAM_ROLES:
        raise FileState(f"{place}, kept", str(event.kept), f"0 of the role {event.role}")


def _check_ascending(seq: int, name: str, numbers: Sequence[int]) -> None:
    if any(one >= two for one, two in pairwise(numbers)):
        got = str(numbers[:8])
        raise VerdictInvalid(f"event {seq}, {name}", got, "ascending, each once")


def _check_flags(seq: int, event: AuditConcluded) -> None:
    """Refuse flags twice, and a verdict that its own flags contradict (EVENT-80)."""
    names = [name for name, _ in event.flags]
    if len(set(names)) < len(names):
        raise VerdictInvalid(f"event {seq}, flags", "a flag twice", "each flag once")
    failed = event.overall == "FAIL"
    if failed != (event.failure_class is not None):
        expected = "a class where, and only where, the run failed"
        got = "null" if event.failure_class is None else event.failure_class
        raise VerdictInvalid(f"event {seq}, failure_class", got, expected)
    statuses = {status for _, status in event.flags}
    worst = next((one for one in ("FAIL", "PENDING") if one in statuses), "PASS")
    if (event.overall, worst) in (("PASS", "FAIL"), ("PASS", "PENDING"), ("PENDING", "FAIL")):
        raise VerdictInvalid(f"event {seq}, overall", event.overall, f"{worst}, as a flag says")


def _of(seq: int | None) -> str:
    return "null" if seq is None else str(seq)
