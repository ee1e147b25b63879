"""The maintainer's decisions: what is wrong is said, nothing that was observed is erased."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from signing.keys import PrivateKey

from .authority import check_value
from .decide import catch_up, decide
from .errors import AttemptUnknown, CorrectionInvalid, ReasonMissing
from .events import AttemptCorrected, AttemptExcluded, DisclosureRedacted, EditionFrozen
from .replay import Replay
from .store import Batch, Entropy, Ledger

MIN_PREFIX = 8


class Affected(Struct, frozen=True):
    """What a decision touches.

    Attributes:
        seq: Its number.
        attempts: Attempts whose figures it can change.
        editions: Frozen editions that count one of them, and stand as they were.
    """

    seq: int
    attempts: list[str]
    editions: list[str]


def resolve(replay: Replay, target: str) -> str:
    """Return the attempt that *target* names: its identity, or eight or more first characters.

    Raises:
        AttemptUnknown: None, or more than one.
    """
    known = replay.attempts.latest
    if target in known:
        return target
    found = [name for name in known if name.startswith(target)] if len(target) >= MIN_PREFIX else []
    if len(found) != 1:
        got = f"{target!r}, which {len(found)} attempts begin with" if found else repr(target)
        raise AttemptUnknown("--target", got, "one attempt of this ledger")
    return found[0]


def correct(
    ledger: Ledger,
    replay: Replay,
    target: str,
    values: Mapping[str, str],
    reason: str,
    signers: Sequence[PrivateKey],
    *,
    at: str,
    entropy: Entropy,
) -> Affected:
    """Replace fields of an attempt in every later figure.

    Args:
        ledger: Open for writing.
        replay: A replay of this ledger.
        target: The attempt; see :func:`resolve`.
        values: Field to new value as text; ``null`` is null.
        reason: Why; kept in a blob.
        signers: Keys of maintainers.
        at: Claimed time.
        entropy: Returns that many random bytes.

    Raises:
        AttemptUnknown, CorrectionInvalid, ReasonMissing: As they say.
        Refusal: The signers have no authority.
    """
    _check_reason(reason)
    catch_up(replay, ledger)
    attempt = resolve(replay, target)

    def fields(_: Batch) -> dict[str, object]:
        changes = []
        for field, text in sorted(values.items()):
            before = replay.attempts.value_of(attempt, field)
            now = _typed(field, text)
            check_value(field, now, "--set")
            if type(now) is type(before) and now == before:
                raise CorrectionInvalid(f"--set {field}", repr(now), "a value that differs")
            changes.append([field, before, now])
        return {"attempt": attempt, "changes": changes}

    seq = decide(
        ledger,
        replay,
        AttemptCorrected.wire,
        fields,
        signers,
        blobs={"reason": reason.encode()},
        at=at,
        entropy=entropy,
    )
    return Affected(seq, [attempt], _editions(replay, attempt))


def exclude(
    ledger: Ledger,
    replay: Replay,
    target: str,
    cause: str,
    reason: str,
    evidence: Sequence[str],
    signers: Sequence[PrivateKey],
    *,
    at: str,
    entropy: Entropy,
) -> Affected:
    """Take an attempt out of the valid trials; it stays visible, with its cost.

    Args:
        ledger: Open for writing.
        replay: A replay of this ledger.
        target: The attempt; see :func:`resolve`.
        cause: Class of the exclusion.
        reason: Why; kept in a blob.
        evidence: Attempts, numbers of events, or references outside, which go into a blob.
        signers: Keys of maintainers.
        at: Claimed time.
        entropy: Returns that many random bytes.
    """
    _check_reason(reason)
    if not evidence:
        raise ReasonMissing("--evidence", "nothing", "at least one reference")
    catch_up(replay, ledger)
    attempt = resolve(replay, target)
    numbers: set[int] = set()
    outside: list[str] = []
    for reference in evidence:
        number = _event_of(replay, reference)
        if number is None:
            outside.append(reference)
        else:
            numbers.add(number)
    blobs = {"reason": reason.encode()}
    if outside:
        blobs["evidence"] = "\n".join(outside).encode()

    def fields(_: Batch) -> dict[str, object]:
        return {"attempt": attempt, "cause": cause, "evidence": sorted(numbers)}

    seq = decide(
        ledger,
        replay,
        AttemptExcluded.wire,
        fields,
        signers,
        blobs=blobs,
        at=at,
        entropy=entropy,
    )
    return Affected(seq, [attempt], _editions(replay, attempt))


def redact(
    ledger: Ledger,
    replay: Replay,
    slots: Sequence[tuple[int, str]],
    ground: str,
    reason: str,
    signers: Sequence[PrivateKey],
    *,
    at: str,
    entropy: Entropy,
) -> Affected:
    """Delete the bytes of *slots* for good; their commitments, and every figure, stand.

    Args:
        ledger: Open for writing.
        replay: A replay of this ledger.
        slots: (number of the event, slot).
        ground: Class of the reason, one word.
        reason: Why; kept in a blob.
        signers: Keys of maintainers.
        at: Claimed time.
        entropy: Returns that many random bytes.
    """
    _check_reason(reason)
    catch_up(replay, ledger)
    ordered = sorted(set(slots))

    def fields(batch: Batch) -> dict[str, object]:
        for seq, slot in ordered:
            batch.delete_blob(seq, slot)
        return {"slots": [[seq, slot] for seq, slot in ordered], "ground": ground}

    seq = decide(
        ledger,
        replay,
        DisclosureRedacted.wire,
        fields,
        signers,
        blobs={"reason": reason.encode()},
        at=at,
        entropy=entropy,
    )
    ledger.forget_pages()
    return Affected(seq, [], sorted(replay.authority.editions))


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise ReasonMissing("--reason", "nothing", "a sentence that others can contest")


def _typed(field: str, text: str) -> int | str | None:
    if text == "null":
        return None
    if field == "reward":
        return int(text) if text in ("0", "1") else text
    return text


def _event_of(replay: Replay, reference: str) -> int | None:
    """Return the event that a reference names, or None where it points outside the ledger."""
    if reference.isascii() and reference.isdigit() and int(reference) < replay.size:
        return int(reference)
    return replay.attempts.first_report(reference)


def _editions(replay: Replay, attempt: str) -> list[str]:
    """Return the frozen editions that count *attempt*."""
    return sorted(
        name
        for name, frozen in replay.authority.editions.items()
        if _counts(replay, frozen, attempt)
    )


def _counts(replay: Replay, frozen: EditionFrozen, attempt: str) -> bool:
    state = replay.attempts
    for row in state.rows_of(attempt):
        numbers = state.rows.read(row)
        if numbers.seq >= frozen.size:
            continue
        place = state.places.values[numbers.place]
        if not frozen.releases:
            return True
        replaced = state.superseded.get(place.source, frozen.size)
        if place.release in frozen.releases and replaced >= frozen.size:
            return True
    return False
