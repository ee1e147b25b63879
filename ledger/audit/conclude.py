"""Verdicts in a ledger: an audit that comes to another verdict than before is an event.

The same files, signed reviews, rules and auditor give the same bytes, and the same bytes are not
told twice. Verdicts that differ stand side by side; none replaces what an older one said
(AUDIT-100 to AUDIT-104).
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET, Struct
from msgspec.structs import replace

from canon.excerpt import excerpt
from ledger.entry import Signed, read_entry, read_event
from ledger.errors import RulesNotFrozen, RunUnknown
from ledger.events import VERDICT, AuditConcluded, PolicyFrozen
from ledger.identities import run_key, verdict_key
from ledger.naming import near_or_few
from ledger.rules import Policy, parse_policy
from ledger.runs.contents import File
from ledger.runs.intake.committed import Committed
from ledger.runs.intake.held import Held
from ledger.store import Batch, Entropy, Ledger

from .judge import Bound, bind
from .replaced import Replaced, outdated, replaced
from .signed import SignedReview, signed_reviews
from .unheld import first_unheld
from .verdict import AUDITOR, Verdict, audit

RULES = "audit/cold-start-v1"
"""The policy that runs are audited by, where nobody names another."""

TRIES = 4
"""How often a run is audited that others append to meanwhile, before they have to wait."""

_FROZEN = PolicyFrozen.wire.encode()


class Judgement(Struct, frozen=True):
    """What an audit of a run in a ledger came to, and what it looked at.

    Attributes:
        verdict: The verdict.
        rules: The rules, 32 bytes.
        files: The files of the run, as they stood.
        reviews: The signed reviews of it, the newest on each question.
    """

    verdict: Verdict
    rules: bytes
    files: Sequence[File]
    reviews: Sequence[SignedReview]

    @property
    def sources(self) -> list[int]:
        """The events of the files, ascending."""
        return sorted({file.seq for file in self.files if file.seq is not None})

    def event(self, run: str, supersedes: int | None) -> AuditConcluded:
        """Return the event that tells it."""
        body = self.verdict.body
        return AuditConcluded(
            run=run,
            flags=[(one["flag"], one["status"]) for one in body["flags"]],
            rules=self.rules,
            auditor=AUDITOR,
            overall=self.verdict.overall,
            reviews=[one.seq for one in self.reviews],
            sources=self.sources,
            supersedes=supersedes,
            failure_class=self.verdict.failure_class,
        )

    def uncounted(self) -> Iterator[tuple[SignedReview, str]]:
        """Yield signed reviews that decide nothing, and why."""
        weighed = {one["entry"]: one for one in self.verdict.body["reviews"]}
        for review in self.reviews:
            entry = review.said.entry
            one = weighed.get(None if entry is None else entry.hex())
            if one is None:
                yield review, review.said.why or "the flag does not ask for it any more"
            elif not one["counts"]:
                yield review, one["why"]


class Concluded(Struct, frozen=True):
    """What became of an audit.

    Attributes:
        run: The run.
        judgement: What it came to.
        size: As of how many events.
        seq: The event that tells the verdict; None where nothing was to be appended.
        appended: Whether that event is new.
        before: The newest verdict on the run before, or None.
        unheld: Which bytes the ledger has not, so that nothing was appended; None where that is
            not why.
        replaced: Files that were replaced since the verdict before (AUDIT-105).
        outdated: Questions that count as reported before that, with those files.
    """

    run: str
    judgement: Judgement
    size: int
    seq: int | None
    appended: bool
    before: int | None
    unheld: str | None = None
    replaced: Sequence[Replaced] = ()
    outdated: Mapping[str, Sequence[Replaced]] = {}


def conclude(
    ledger: Ledger,
    run: str,
    rules: Policy,
    *,
    at: str,
    entropy: Entropy,
    as_of: int | None = None,
    dry_run: bool = False,
) -> Concluded:
    """Audit a run as a ledger holds it, and append the verdict unless it is there already.

    Args:
        ledger: The ledger; open for writing, unless nothing is to be appended.
        run: The run's own name for itself.
        rules: What it is judged by; a policy of the log where a verdict is to be appended.
        at: Time to claim.
        entropy: Returns that many random bytes.
        as_of: Number of events that count; nothing is appended where it is given.
        dry_run: Append nothing.

    Raises:
        RunUnknown: The ledger has no file of the run.
        RulesNotFrozen: The rules are no policy of the log.
        AuditPredicateUnknown: The rules name what this program does not have.
    """
    done = _conclude(ledger, run, rules, at=at, entropy=entropy, as_of=as_of, dry_run=dry_run)
    with ledger.snapshot():
        earlier = _earlier(ledger, done, as_of)
        if earlier is None:
            return done
        files = replaced(ledger, concluded_at(ledger, earlier), done.size)
        body = done.judgement.verdict.body
        late = outdated(ledger, run, body, files, done.size)
        return replace(done, replaced=files, outdated=late)


def _conclude(
    ledger: Ledger,
    run: str,
    rules: Policy,
    *,
    at: str,
    entropy: Entropy,
    as_of: int | None,
    dry_run: bool,
) -> Concluded:
    bound = bind(rules)
    if as_of is not None or dry_run:
        with ledger.snapshot() as size:
            judgement = judge(ledger, run, bound, as_of)
            before = ledger.seq_of(verdict_key(run)) if as_of is None else None
            return Concluded(run, judgement, _least(size, as_of), None, False, before)
    _check_frozen(ledger, rules)
    for left in reversed(range(TRIES)):
        with ledger.snapshot() as size:
            judgement = judge(ledger, run, bound)
            told = _told(ledger, run, judgement)
        if told is not None:
            return Concluded(run, judgement, size, told, False, told)
        with ledger.batch(at=at, entropy=entropy) as batch:
            if batch.size != size and not _stands(ledger, run, judgement):
                if left:
                    continue  # and let others append meanwhile
                judgement = judge(ledger, run, bound)
            return _append(ledger, batch, run, judgement)
    raise AssertionError("the last try appends or finds the verdict")


def judge(ledger: Ledger, run: str, rules: Bound, as_of: int | None = None) -> Judgement:
    """Audit a run as a ledger holds it, which should not change its state meanwhile.

    Raises:
        RunUnknown: The ledger has no file of the run.
        CommitmentMismatch: Bytes of the run are others than those that were recorded.
    """
    read = Committed(ledger)
    held = Held(read, run, as_of)
    if not held.known or not any(file.seq is not None for file in held.files()):
        raise _unknown(ledger, run, as_of)
    reviews = signed_reviews(read, run, as_of)
    verdict = audit(held, rules, [one.said for one in reviews])
    return Judgement(verdict, rules.policy.digest, held.files(), reviews)


def frozen_rules(ledger: Ledger, name: str = RULES, as_of: int | None = None) -> Policy:
    """Return the rules that are in force under *name*; the log is looked through for them.

    Raises:
        RulesNotFrozen: No policy of that name was ever in force.
    """
    found: bytes | None = None
    for seq, data in ledger.entries(0, as_of):
        if _FROZEN in data:
            event = read_event(read_entry(data, seq))
            said = event.decision if isinstance(event, Signed) else None
            if isinstance(said, PolicyFrozen) and said.policy == name:
                found = said.doc
    document = None if found is None else ledger.document(found)
    if document is None:
        raise RulesNotFrozen(f"policy {name}", "no such policy in this log", "rules of the log")
    return parse_policy(document)


def _append(ledger: Ledger, batch: Batch, run: str, judgement: Judgement) -> Concluded:
    """Append a verdict while nobody else can, unless somebody else just has."""
    size, before = batch.size, ledger.seq_of(verdict_key(run))
    told = _told(ledger, run, judgement)
    if told is not None:
        return Concluded(run, judgement, size, told, False, told)
    sources = () if before is None else concluded_at(ledger, before).sources
    unheld = first_unheld(ledger, run, sources)
    if unheld is not None:
        return Concluded(run, judgement, size, None, False, before, unheld)
    seq = batch.append(judgement.event(run, before), {VERDICT: judgement.verdict.data})
    return Concluded(run, judgement, size, seq, True, before)


def _earlier(ledger: Ledger, done: Concluded, as_of: int | None) -> int | None:
    """Return the newest verdict that is not the one that *done* came to, but stands before it."""
    newest = ledger.seq_of(verdict_key(done.run))
    if as_of is None:
        told = _told(ledger, done.run, done.judgement)
        return newest if told is None else concluded_at(ledger, told).supersedes
    while newest is not None and newest >= as_of:
        newest = concluded_at(ledger, newest).supersedes
    return newest


def _told(ledger: Ledger, run: str, judgement: Judgement) -> int | None:
    """Return the newest verdict on a run where it says the very same (AUDIT-101)."""
    newest = ledger.seq_of(verdict_key(run))
    if newest is None:
        return None
    event = concluded_at(ledger, newest)
    blob = Committed(ledger).blob(newest, VERDICT)
    same = event == judgement.event(run, event.supersedes)
    return newest if same and blob is not None and blob.data == judgement.verdict.data else None


def concluded_at(ledger: Ledger, seq: int) -> AuditConcluded:
    """Return the verdict in event *seq* without its commitments.

    Raises:
        LookupError: There is none.
    """
    data = ledger.entry(seq)
    event = None if data is None else read_event(read_entry(data, seq))
    if not isinstance(event, AuditConcluded):
        raise LookupError(f"event {seq} is no verdict")
    return replace(event, blobs=UNSET)


def _stands(ledger: Ledger, run: str, judgement: Judgement) -> bool:
    """Tell whether everything that was looked at is as it was (AUDIT-102)."""
    read = Committed(ledger)
    files = Held(read, run).files()
    return files == judgement.files and signed_reviews(read, run) == judgement.reviews


def _check_frozen(ledger: Ledger, rules: Policy) -> None:
    if ledger.document(rules.digest) is None:
        got = f"rules of digest {rules.digest.hex()[:16]}…, which no decision froze"
        raise RulesNotFrozen(f"policy {rules.label}", got, "a policy of this log")


def _unknown(ledger: Ledger, run: str, as_of: int | None) -> RunUnknown:
    names = [key.removeprefix(run_key("")) for key, _ in ledger.identities("run")]
    where = "" if as_of is None else f" as of size {as_of}"
    expected = near_or_few(run, names) or "a run that the ledger holds"
    return RunUnknown("run", f"{excerpt(run)}{where}", expected)


def _least(size: int, as_of: int | None) -> int:
    return size if as_of is None else min(size, as_of)
