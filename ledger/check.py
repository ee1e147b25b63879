"""Checking a ledger file against itself (``specs/store.md``): ``coldledger replay --check``.

The chain says whether entries are whole; every other table must be what the entries give. A file
cannot show that its tail was cut off, or that its history was rewritten by whoever holds the
keys: a kept checkpoint shows both.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from canon.digest import commitment_of, sha256
from canon.refusal import Refusal
from signing.checkpoint import Checkpoint, check_newer
from signing.errors import Rollback

from .blocks import Row, blocks
from .decide import replay_of
from .entry import Signed
from .errors import (
    ChainBroken,
    CommitmentMismatch,
    DisclosureUnexpected,
    DocumentMismatch,
    IndexMismatch,
    LedgerCorrupt,
    RedactionInvalid,
)
from .events import MAX_RECORD_BYTES, RECORD, AttemptReported, Observation
from .grounds import check_reason
from .identities import keys_of
from .pattern import Seen
from .projections.attempts import Attempts
from .replay import Entered, Replay
from .store import Ledger, Within
from .tables import check_position, check_rows, position
from .verify.editions import Editions
from .verify.extraction import Extraction, Origin
from .verify.kept import check_kept, check_same_root
from .verify.verdict import Fault

if TYPE_CHECKING:
    from .verify.ahead import Found, Readers

_KEY_BYTES = 1_024
"""More than any blob has that says which identity its event has."""

_NO_VERDICTS = {"of": 0, "recomputed": 0, "other_auditor": 0, "withheld": 0}


class FileVerdict(Struct, kw_only=True):
    """What checking a ledger file found.

    Attributes:
        ok: Whether everything held.
        size, root: Of the entries that were accepted; the root in hex.
        error: The first fault, null when *ok*.
        withheld: Slots whose bytes the file does not hold, redacted ones not counted.
        redacted: Slots whose bytes a decision deleted.
        editions: Frozen editions whose figures were recomputed and agree.
        extraction_checked, extraction_of: Raw records read again, of how many there are.
        verdicts: Verdicts on runs, and how many of them were computed again and agree.
    """

    ok: bool = False
    size: int = 0
    root: str | None = None
    error: Fault | None = None
    withheld: int = 0
    redacted: int = 0
    editions: list[str] = []
    extraction_checked: int = 0
    extraction_of: int = 0
    verdicts: dict[str, int] = field(default_factory=lambda: dict(_NO_VERDICTS))

    def document(self) -> dict[str, Any]:
        """Return the verdict as the JSON document of the command line."""
        return {
            "ok": self.ok,
            "size": self.size,
            "root": self.root,
            "error": None if self.error is None else self.error.document(),
            "withheld": self.withheld,
            "redacted": self.redacted,
            "editions": self.editions,
            "extraction": {"checked": self.extraction_checked, "of": self.extraction_of},
            "verdicts": self.verdicts,
        }


def check_ledger(
    ledger: Ledger,
    *,
    trust: Sequence[bytes] = (),
    since: Checkpoint | None = None,
    progress: Callable[[int], None] | None = None,
    readers: "Readers | None" = None,
) -> FileVerdict:
    """Replay a ledger file from event 0 and compare every table with what comes out.

    Args:
        ledger: The file, which is only read.
        trust: Bytes of trust roots from outside the file; none means its own first root.
        since: A checkpoint that was kept; the file must continue its log.
        progress: Called with the number of entries taken.
        readers: Processes that read ahead; None to read here alone. The verdict is the same.
    """
    check = _Check(ledger, since, trust)
    try:
        with ledger.snapshot():
            check.run(progress, readers)
    except Refusal as refusal:
        if isinstance(refusal, DocumentMismatch):
            refusal.remedy = "restore the newest good backup: a document of this file is not whole"
        check.verdict.error = Fault.of(refusal, check.step, None)
    else:
        check.verdict.ok = True
    return check.close()


class _Check:
    """One check of one file."""

    def __init__(self, ledger: Ledger, since: Checkpoint | None, trust: Sequence[bytes]) -> None:
        self.verdict = FileVerdict()
        self.step = "canonical"
        self._ledger, self._since = ledger, since
        self._replay: Replay | None = None
        self._extraction = Extraction(self._attempts)
        self._keys = 0
        self._firsts: dict[str, int] = {}
        self._newest: dict[str, int] = {}
        self._held = 0
        self._view = position(ledger)
        self._trust = trust
        self._editions: Editions | None = None

    def run(self, progress: Callable[[int], None] | None, readers: "Readers | None" = None) -> None:
        """Take entries block by block, each with its blobs, then the other tables."""
        try:
            replay = self._replay = replay_of(self._ledger, self._trust)
        except Refusal as refusal:
            if refusal.seq is None:
                refusal.seq = 0
            raise
        self._editions = Editions(replay, self._ledger.document)
        self._check_documents()
        if self._since is not None:
            self.step = "consistency"
            check_kept(self._since, replay.origin)
        for block, found in blocks(self._ledger, readers):
            self._block(replay, block, found)
            if progress is not None:
                progress(replay.size)
        self.step = "chain"
        replay.finish()
        self._check_beyond(replay)
        self._check_tables(replay)
        self._check_files()
        self._check_verdicts(replay)
        self.step = "consistency"
        if self._since is not None:
            self._check_newer(self._since, Checkpoint(replay.origin, replay.size, replay.root()))

    def close(self) -> FileVerdict:
        """Return the verdict with what was counted."""
        verdict, replay = self.verdict, self._replay
        verdict.extraction_checked = self._extraction.checked
        verdict.extraction_of = self._extraction.records
        if replay is not None:
            verdict.size, verdict.root = replay.size, replay.root().hex()
            verdict.redacted = len(replay.authority.redacted)
            verdict.withheld = replay.committed - self._held - verdict.redacted
        return verdict

    def _check_newer(self, since: Checkpoint, head: Checkpoint) -> None:
        try:
            check_newer(since, head)
        except Rollback as refusal:
            refusal.seq = head.size  # the first that is missing
            raise

    def _attempts(self) -> Attempts:
        assert self._replay is not None, "records are read only after a replay began"  # noqa: S101
        return self._replay.attempts

    def _block(self, replay: Replay, block: list[Row], found: "Found | None") -> None:
        # One blob after the other: they may be large, and a block may have thousands.
        blobs = self._ledger.blobs_within(MAX_RECORD_BYTES, block[0][0], block[-1][0] + 1)
        ahead = next(blobs, None)
        agreed = {} if found is None else found.agreed
        for place, (seq, data) in enumerate(block):
            seen = None if found is None else found.seen[place]
            entered = self._entry(replay, seq, data, seen)
            short: dict[str, bytes] = {}
            while ahead is not None and ahead.seq == seq:
                self._check_blob(entered, ahead, agreed)
                if ahead.data is not None and len(ahead.data) <= _KEY_BYTES:
                    short[ahead.slot] = ahead.data
                ahead = next(blobs, None)
            self._check_keys(entered, short)
        if ahead is not None:
            self.step = "disclosures"
            raise DisclosureUnexpected(
                f"blob of {ahead.seq}", "bytes", "no such event", seq=ahead.seq
            )

    def _entry(self, replay: Replay, seq: int, data: object, seen: Seen | None) -> Entered:
        self.step = "chain"
        since = self._since
        if since is not None and replay.size == since.size:
            self.step = "consistency"
            check_same_root(since, replay.root())
            self.step = "chain"
        if seq != replay.size or not isinstance(data, bytes):
            raise ChainBroken(
                f"event {replay.size}", f"a row for {seq}", "its entry", seq=replay.size
            )
        self._check_view(replay)
        try:
            entered = replay.take(data, seen)
        except Refusal:
            self.step = replay.step
            raise
        self._extraction.count(entered)
        self._check_edition(entered)
        return entered

    def _check_edition(self, entered: Entered) -> None:
        editions = self._editions
        if editions is None:
            return
        try:
            edition = editions.check(entered)
        except Refusal:
            self.step = editions.step
            raise
        if edition is not None:
            self.verdict.editions.append(edition)

    def _check_blob(self, entered: Entered, blob: Within, agreed: Mapping[int, Origin]) -> None:
        self.step = "disclosures"
        seq, slot, salt, data = blob
        place = f"blob {seq}/{slot}"
        promised = entered.commitments.get(slot)
        if promised is None:
            raise DisclosureUnexpected(place, "bytes", "no such slot", seq=seq)
        pieces = self._ledger.pieces(seq, slot) if data is None else (data,)
        origin = agreed.get(seq) if slot == RECORD else None
        if origin is None and commitment_of(salt, pieces) != promised:
            raise CommitmentMismatch(place, "other bytes", "those committed to", seq=seq)
        if data is not None:
            check_reason(entered.event, slot, data, place, seq)
        self.step = "extraction"
        if data is not None:
            self._extraction.check(entered, slot, data, origin)
        else:
            self._extraction.unread(entered, slot)
        self._held += 1

    def _check_keys(self, entered: Entered, held: dict[str, bytes]) -> None:
        self.step = "index"
        seq = entered.entry.seq
        for text, newest in keys_of(entered.event, held.get):
            if newest:
                self._newest[text] = seq
                continue
            first = self._first(entered.event, text, seq)
            found = self._ledger.seq_of(text)
            if found != first:
                raise IndexMismatch(f"identity {text}", f"event {found}", f"event {first}", seq=seq)
            self._keys += first == seq

    def _first(self, event: Observation | Signed, text: str, seq: int) -> int:
        """Return the first event with an identity; of attempts, the replay keeps account."""
        if isinstance(event, AttemptReported) and self._replay is not None:
            first = self._replay.attempts.first_report(event.attempt)
            return seq if first is None else first
        return self._firsts.setdefault(text, seq)

    def _check_view(self, replay: Replay) -> None:
        """Compare the table of attempts where it says that it was made."""
        if self._view is not None and replay.size == self._view.size:
            self._view = None
            self.step = "view"
            check_rows(self._ledger, replay)

    def _check_beyond(self, replay: Replay) -> None:
        """Refuse what belongs to events that there are not: the file has lost its tail."""
        self._check_view(replay)
        self.step = "disclosures"
        for outside in (self._ledger.blobs(-(2**63), 0), self._ledger.blobs(replay.size)):
            for blob in outside:
                raise DisclosureUnexpected(
                    f"blob {blob.seq}/{blob.slot}", "bytes", "no such event", seq=blob.seq
                )
        if self._view is not None:
            self.step = "view"
            raise IndexMismatch(
                "view of attempts", f"size {self._view.size}", f"at most {replay.size}"
            )

    def _check_files(self) -> None:
        """Compare with their digests the files that one pass could not follow (STORE-27)."""
        if not self._extraction.lost:
            return
        from .runs.intake.summing import check_sums  # few files go back to an earlier line

        self.step = "extraction"
        for seq in self._extraction.lost:
            check_sums(self._ledger, seq)

    def _check_verdicts(self, replay: Replay) -> None:
        """Compute the verdicts on runs again, once everything they are found by was compared."""
        if not replay.runs.verdicts:
            return
        from .audit.recheck import Rechecked, recheck  # few ledgers hold runs

        self.step = "verdicts"
        counts = Rechecked()
        try:
            recheck(self._ledger, replay.runs.verdicts, counts)
        finally:
            self.verdict.verdicts = counts.document()

    def _check_documents(self) -> None:
        self.step = "documents"
        for digest, data in self._ledger.documents():
            if sha256(data) != digest:
                raise DocumentMismatch("documents", sha256(data).hex(), digest.hex())

    def _check_tables(self, replay: Replay) -> None:
        """Compare the tables that are made from the entries."""
        self.step = "chain"
        rows = self._ledger.count()
        if rows != replay.size:
            got = f"{rows} rows, some at numbers that no event has"
            raise ChainBroken("events", got, f"{replay.size} rows, from 0 on")
        self.step = "root"
        if self._ledger.origin != replay.origin:
            raise LedgerCorrupt("head row", repr(self._ledger.origin), repr(replay.origin))
        size, leaf, root = self._ledger.head()
        if (size, leaf, root) != (replay.size, replay.leaf, replay.root()):
            raise LedgerCorrupt(
                "head row",
                f"size {size}, leaf {leaf.hex()[:12]}…",
                f"size {replay.size}, leaf {replay.leaf.hex()[:12]}…",
                seq=replay.size - 1 if size == replay.size else min(size, replay.size),
            )
        self.step = "view"
        check_position(self._ledger)
        self.step = "index"
        for text, seq in self._newest.items():
            found = self._ledger.seq_of(text)
            if found != seq:
                raise IndexMismatch(f"identity {text}", f"event {found}", f"event {seq}", seq=seq)
        rows = sum(1 for _ in self._ledger.identities())
        if rows != self._keys + len(self._newest):
            raise IndexMismatch("identities", f"{rows} rows", f"{self._keys + len(self._newest)}")
        self.step = "disclosures"
        for (seq, slot), by in replay.authority.redacted.items():
            if self._ledger.blob(seq, slot) is not None:
                raise RedactionInvalid(
                    f"blob {seq}/{slot}", "bytes", f"nothing: event {by} redacted it", seq=seq
                )
        for digest in replay.documents:
            self.step = "documents"
            if self._ledger.document(digest) is None:
                raise DocumentMismatch("documents", "none", digest.hex())
