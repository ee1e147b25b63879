"""``correct``, ``exclude``, ``redact``: the maintainer's decisions."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .edge import entropy, interactive, now
from .errors import UsageInvalid, check_text, check_word
from .options import DEFAULT_LEDGER, Json, LedgerPath, PassphraseFile, Reason, SigningKeys
from .text import count, emit, line, note, pairs, safe, shown, warn

if TYPE_CHECKING:
    from ledger.maintain import Affected

Target = Annotated[
    str,
    typer.Option(
        "--target",
        metavar="ATTEMPT",
        help="The attempt, or eight or more first characters of it, with or without att-.",
    ),
]
CLASSES = ("infrastructure", "provider", "verifier_defect", "task_defect")
_SLOT = re.compile(r"([0-9]{1,18})/([a-z][a-z0-9_]{0,31})")

_FOR_GOOD = "redact deletes for good, and there is no terminal to ask at"
_SAY_YES = "look at each slot with `coldledger show SEQ --slot NAME`, then add --yes"


def correct(
    target: Target,
    values: Annotated[
        list[str],
        typer.Option(
            "--set",
            metavar="FIELD=VALUE",
            help="status (evaluated, unavailable), reward (0, 1) or failure_category (a word, or"
            " null for none); repeat for several.",
        ),
    ],
    reason: Reason,
    key: SigningKeys,
    ledger: LedgerPath = DEFAULT_LEDGER,
    passphrase_file: PassphraseFile = None,
    json: Json = False,
) -> int:
    """Correct fields of an attempt, for every later figure.

    What was reported stays. Editions frozen before stand as they were.
    """
    from ledger.maintain import correct as decide

    from .keyring import load_keys
    from .ledgers import replayed

    changes = _assignments(values)
    check_text(reason, "--reason")
    signers = load_keys(key, passphrase_file)
    with replayed(ledger, write=True) as (opened, replay):
        done = decide(opened, replay, target, changes, reason, signers, at=now(), entropy=entropy)
    for doubt in done.doubts:
        warn(doubt)
    if json:
        changed = [change._asdict() for change in done.changes]
        emit_affected(done, changes=changed, reason=reason, warnings=done.doubts)
        return 0
    line(f"corrected {safe(done.attempts[0])}, by event {done.seq}")
    rows = [(one.field, f"{shown(one.old)} → {shown(one.new)}") for one in done.changes]
    pairs([*rows, ("reason", safe(reason))])
    say_what_stands(done)
    return 0


def exclude(
    target: Target,
    cause: Annotated[
        str, typer.Option("--class", metavar="C", help=f"One of {', '.join(CLASSES)}.")
    ],
    reason: Reason,
    evidence: Annotated[
        list[str],
        typer.Option(
            "--evidence",
            metavar="REF",
            help="An attempt, a number of an event, or a reference outside; repeat for several.",
        ),
    ],
    key: SigningKeys,
    ledger: LedgerPath = DEFAULT_LEDGER,
    passphrase_file: PassphraseFile = None,
    json: Json = False,
) -> int:
    """Take an attempt out of the valid trials.

    It stays visible, with its cost. Never because the agent failed: only for what the agent did
    not do. An exclusion stands: no command takes it back yet.
    """
    from ledger.maintain import exclude as decide

    from .keyring import load_keys
    from .ledgers import replayed

    if cause not in CLASSES:
        raise UsageInvalid(f"Invalid value for '--class': {cause!r} is not {' or '.join(CLASSES)}")
    check_text(reason, "--reason")
    for reference in evidence:
        check_text(reference, "--evidence")
    signers = load_keys(key, passphrase_file)
    with replayed(ledger, write=True) as (opened, replay):
        done = decide(
            opened, replay, target, cause, reason, evidence, signers, at=now(), entropy=entropy
        )
    if json:
        before = None if done.before is None else done.before.seq
        cited = {"events": done.evidence, "outside": done.outside}
        emit_affected(done, **{"class": cause}, reason=reason, evidence=cited, replaces=before)
        return 0
    line(f"excluded {safe(done.attempts[0])}, by event {done.seq}")
    cited_by = [f"event {seq}" for seq in done.evidence] + list(map(safe, done.outside))
    pairs([("class", cause), ("evidence", "; ".join(cited_by)), ("reason", safe(reason))])
    if done.before is not None:
        note(f"It was excluded by event {done.before.seq} already, as {done.before.cause}.")
    note("An exclusion stands: no command takes it back yet.")
    say_what_stands(done)
    return 0


def redact(
    slots: Annotated[
        list[str],
        typer.Option(
            "--slot", metavar="SEQ/SLOT", help="Bytes to delete, as 7/record; repeat for several."
        ),
    ],
    ground: Annotated[
        str, typer.Option("--ground", metavar="WORD", help="Why it must go, in one word.")
    ],
    reason: Reason,
    key: SigningKeys,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask; needed off a terminal.")] = False,
    ledger: LedgerPath = DEFAULT_LEDGER,
    passphrase_file: PassphraseFile = None,
    json: Json = False,
) -> int:
    """Delete bytes behind commitments for good.

    Asks first; where nobody can be asked, --yes must be given. Chain and figures stand. Copies,
    backups and bundles that were handed out before still hold them.
    """
    from ledger.events.fields import MAX_CATEGORY_BYTES
    from ledger.maintain import redact as decide

    from .keyring import load_keys
    from .ledgers import replayed

    chosen = [_slot(text) for text in slots]
    check_word(ground, "--ground", MAX_CATEGORY_BYTES)
    if len(ground.split()) != 1:
        raise UsageInvalid(f"Invalid value for '--ground': {ground!r} is not one word")
    check_text(reason, "--reason")
    if not (yes or interactive()):
        raise UsageInvalid(_FOR_GOOD, remedy=_SAY_YES)
    signers = load_keys(key, passphrase_file)
    if not yes:
        ask = f"Delete the bytes of {count(len(chosen), 'slot')} for good?"
        if not typer.confirm(ask, err=True):
            note("nothing was deleted")
            return 1
    with replayed(ledger, write=True) as (opened, replay):
        done = decide(opened, replay, chosen, ground, reason, signers, at=now(), entropy=entropy)
    if json:
        deleted = [
            {"seq": one.seq, "slot": one.slot, "bytes": one.size_bytes} for one in done.slots
        ]
        emit_affected(done, ground=ground, reason=reason, slots=deleted)
        return 0
    line(f"redacted {count(len(done.slots), 'slot')}, by event {done.seq}")
    rows = [(f"{one.seq}/{one.slot}", _deleted(one.size_bytes)) for one in done.slots]
    pairs([*rows, ("ground", safe(ground)), ("reason", safe(reason))])
    note("Every figure and every commitment stands; only the bytes are gone.")
    if done.editions:
        names = ", ".join(map(safe, done.editions))
        note(f"Editions that cover it: {names}. What is exported of them from now on lacks it.")
    note("Bundles, backups and copies made before may still hold it.")
    return 0


def _assignments(values: Sequence[str]) -> dict[str, str]:
    changes: dict[str, str] = {}
    for text in values:
        field, equals, value = text.partition("=")
        if not equals or not field:
            raise UsageInvalid(f"Invalid value for '--set': {text!r} is not FIELD=VALUE")
        if field in changes:
            raise UsageInvalid(f"Invalid value for '--set': {field!r} is set twice")
        check_text(value, "--set")
        changes[field] = value
    return changes


def _slot(text: str) -> tuple[int, str]:
    match = _SLOT.fullmatch(text)
    if match is None:
        raise UsageInvalid(f"Invalid value for '--slot': {text!r} is not SEQ/SLOT")
    return int(match[1]), match[2]


def _deleted(size: int | None) -> str:
    return "not held here" if size is None else f"{count(size, 'byte')} deleted"


def emit_affected(done: "Affected", **said: Any) -> None:
    """Print what a decision did, as the contract has it, and what else it *said*."""
    affected = {"attempts": done.attempts, "editions": done.editions}
    emit({"seq": done.seq, "affected": affected, **said})


def say_what_stands(done: "Affected", what: str = "it") -> None:
    """Say which editions a decision does not reach that count *what* it is about."""
    if not done.editions:
        note(f"No frozen edition counts {what}.")
        return
    names = ", ".join(map(safe, done.editions))
    note(f"Frozen editions that count {what}, and stand as they were: {names}.")
    note("Freeze a new edition to publish the figures as they are now.")
