"""Decisions on more than one attempt: a task version that is invalid, a source that is withdrawn.

Neither can be aimed at a system: they touch every attempt at the task, and every row of the source.
"""

from collections.abc import Sequence

from signing.keys import PrivateKey

from .decide import catch_up, decide
from .errors import InvalidatedAlready, TaskUnknown, WithdrawalInvalid
from .events import SourceWithdrawn, TaskInvalidated
from .identity import task_id
from .maintain import Affected, blobs_of, check_reason
from .membership import editions_counting
from .naming import Evidence, evidence_of, near_names
from .projections.attempts import Attempts
from .projections.sources import reinstatable
from .replay import Replay
from .store import Batch, Entropy, Ledger

_NOTHING = Evidence([], [])


class Invalidated(Affected, frozen=True):
    """What an invalidation did.

    Attributes:
        task: The version of the task, ``scenario@version``.
        evidence: Numbers of events that bear it out.
        outside: References to what is not in the ledger.
    """

    task: str
    evidence: list[int]
    outside: list[str]


class Withdrawn(Affected, frozen=True):
    """What a withdrawal did.

    Attributes:
        source: Number of the source.
        name: What its file says it is.
        reinstates: The source that counts again, or None.
        possible: The source that could have been made to count again, or None.
    """

    source: int
    name: str
    reinstates: int | None
    possible: int | None


def invalidate(
    ledger: Ledger,
    replay: Replay,
    scenario: str,
    version: int,
    reason: str,
    evidence: Sequence[str],
    signers: Sequence[PrivateKey],
    *,
    unreported: bool = False,
    at: str,
    entropy: Entropy,
) -> Invalidated:
    """Take every attempt at a version of a task out of the valid trials, of whatever system.

    Args:
        ledger: Open for writing.
        replay: A replay of this ledger.
        scenario: Name of the task.
        version: Its version.
        reason: Why; kept in a blob.
        evidence: Attempts, numbers of events, or references outside; may be empty.
        signers: Keys of maintainers.
        unreported: Whether a version will do that no attempt is reported at yet.
        at: Claimed time.
        entropy: Returns that many random bytes.

    Raises:
        EvidenceInvalid, InvalidatedAlready, ReasonMissing, TaskUnknown: As they say.
        Refusal: The signers have no authority.
    """
    check_reason(reason)
    catch_up(replay, ledger)
    named = evidence_of(replay, evidence) if evidence else _NOTHING
    task = task_id(scenario, version)

    def fields(_: Batch) -> dict[str, object]:
        state = replay.attempts
        before = state.invalidations.get((scenario, version))
        if before:
            raise InvalidatedAlready(
                "--task, --version",
                f"{task}, invalidated already by event {before[-1].seq}",
                "a version that counts",
            )
        if not unreported:
            _check_reported(state, scenario, version)
        return {"scenario": scenario, "scenario_version": version, "evidence": named.events}

    seq = decide(
        ledger,
        replay,
        TaskInvalidated.wire,
        fields,
        signers,
        blobs=blobs_of(reason, named),
        at=at,
        entropy=entropy,
    )
    attempts = _attempts_at(replay.attempts, scenario, version)
    editions = editions_counting(replay, attempts)
    return Invalidated(seq, attempts, editions, task, named.events, named.outside)


def withdraw(
    ledger: Ledger,
    replay: Replay,
    source: int,
    reason: str,
    signers: Sequence[PrivateKey],
    *,
    reinstate: bool = False,
    at: str,
    entropy: Entropy,
) -> Withdrawn:
    """Take what a source reports out of what counts; its rows stay visible.

    Args:
        ledger: Open for writing.
        replay: A replay of this ledger.
        source: Number of the source; see :func:`ledger.naming.resolve_source`.
        reason: Why; kept in a blob.
        signers: Keys of maintainers.
        reinstate: Whether the source that it replaced counts again.
        at: Claimed time.
        entropy: Returns that many random bytes.

    Raises:
        ReasonMissing, SourceUnknown, WithdrawalInvalid: As they say.
        Refusal: The signers have no authority.
    """
    check_reason(reason)
    catch_up(replay, ledger)
    again: list[int | None] = []

    def fields(_: Batch) -> dict[str, object]:
        possible = reinstatable(replay.attempts, source)
        if reinstate and possible is None:
            raise WithdrawalInvalid(
                "--reinstate",
                f"source {source} has replaced nothing that could count again",
                "a source that replaced another, and that none has replaced",
            )
        again.append(possible)
        return {"source": source, "reinstates": possible if reinstate else None}

    seq = decide(
        ledger,
        replay,
        SourceWithdrawn.wire,
        fields,
        signers,
        blobs=blobs_of(reason, _NOTHING),
        at=at,
        entropy=entropy,
    )
    state, possible = replay.attempts, again[-1]
    attempts = attempts_of(state, [source, *([possible] if reinstate and possible else [])])
    return Withdrawn(
        seq,
        attempts,
        editions_counting(replay, attempts),
        source,
        state.sources[source].name,
        possible if reinstate else None,
        possible,
    )


def _attempts_at(state: Attempts, scenario: str, version: int) -> list[str]:
    """Return the attempts at a version of a task, in the order of their first reports."""
    at = [(place.scenario, place.version) == (scenario, version) for place in state.places.values]
    return [attempt for attempt, row in state.latest.items() if at[state.rows.link(row)[0]]]


def attempts_of(state: Attempts, sources: Sequence[int]) -> list[str]:
    """Return the attempts that any of *sources* reports, in the order of their rows there."""
    among = [place.source in sources for place in state.places.values]
    found = {
        attempt: None
        for row, attempt in enumerate(state.rows.attempt)
        if among[state.rows.link(row)[0]]
    }
    return list(found)


def _check_reported(state: Attempts, scenario: str, version: int) -> None:
    """Refuse a version of a task that nothing reports.

    Raises:
        TaskUnknown: It names versions of that task, or tasks of a like name.
    """
    known: dict[str, set[int]] = {}
    for place in state.places.values:
        known.setdefault(place.scenario, set()).add(place.version)
    if version in known.get(scenario, ()):
        return
    if scenario in known:
        versions = ", ".join(map(str, sorted(known[scenario])))
        raise TaskUnknown("--version", f"{version} of {scenario!r}", f"one of {versions}")
    near = near_names(scenario, known) or "a task that attempts are reported at"
    raise TaskUnknown("--task", repr(scenario[:200]), near)
