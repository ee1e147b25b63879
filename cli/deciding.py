"""``correct``, ``exclude``, ``redact``: the maintainer's decisions."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from .edge import entropy, interactive, now
from .errors import UsageInvalid, check_word
from .options import DEFAULT_LEDGER, Json, LedgerPath, PassphraseFile, Reason, SigningKeys
from .text import count, emit, line, note, safe

if TYPE_CHECKING:
    from ledger.maintain import Affected

Target = Annotated[
    str,
    typer.Option(
        "--target", metavar="ATTEMPT", help="The attempt, or eight or more characters of it."
    ),
]
CLASSES = ("infrastructure", "provider", "verifier_defect", "task_defect")
_GROUND_BYTES = 64
_SLOT = re.compile(r"([0-9]{1,18})/([a-z][a-z0-9_]{0,31})")


def correct(
    target: Target,
    values: Annotated[
        list[str],
        typer.Option(
            "--set",
            metavar="FIELD=VALUE",
            help="status, reward or failure_category; null for none; repeat for several.",
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
    signers = load_keys(key, passphrase_file)
    with replayed(ledger, write=True) as (opened, replay):
        affected = decide(
            opened, replay, target, changes, reason, signers, at=now(), entropy=entropy
        )
    return _report("corrected", affected, json)


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
    not do.
    """
    from ledger.maintain import exclude as decide

    from .keyring import load_keys
    from .ledgers import replayed

    if cause not in CLASSES:
        raise UsageInvalid(f"Invalid value for '--class': {cause!r} is not {' or '.join(CLASSES)}")
    signers = load_keys(key, passphrase_file)
    with replayed(ledger, write=True) as (opened, replay):
        affected = decide(
            opened, replay, target, cause, reason, evidence, signers, at=now(), entropy=entropy
        )
    return _report("excluded", affected, json)


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
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask again at a terminal.")] = False,
    ledger: LedgerPath = DEFAULT_LEDGER,
    passphrase_file: PassphraseFile = None,
    json: Json = False,
) -> int:
    """Delete bytes behind commitments for good.

    Chain and figures stand. Copies, backups and bundles that were handed out before still hold
    them.
    """
    from ledger.maintain import redact as decide

    from .errors import EventUnknown
    from .keyring import load_keys
    from .ledgers import replayed

    chosen = [_slot(text) for text in slots]
    check_word(ground, "--ground", _GROUND_BYTES)
    signers = load_keys(key, passphrase_file)
    if interactive() and not yes:
        ask = f"Delete the bytes of {count(len(chosen), 'slot')} for good?"
        if not typer.confirm(ask, err=True):
            note("nothing was deleted")
            return 1
    with replayed(ledger, write=True) as (opened, replay):
        for seq, _ in chosen:
            if seq >= replay.size:
                expected = f"a number below {replay.size}"
                raise EventUnknown("--slot", f"event {seq}", expected)
        affected = decide(
            opened, replay, chosen, ground, reason, signers, at=now(), entropy=entropy
        )
    return _report("redacted", affected, json)


def _assignments(values: Sequence[str]) -> dict[str, str]:
    changes: dict[str, str] = {}
    for text in values:
        field, equals, value = text.partition("=")
        if not equals or not field:
            raise UsageInvalid(f"Invalid value for '--set': {text!r} is not FIELD=VALUE")
        if field in changes:
            raise UsageInvalid(f"Invalid value for '--set': {field!r} is set twice")
        changes[field] = value
    return changes


def _slot(text: str) -> tuple[int, str]:
    match = _SLOT.fullmatch(text)
    if match is None:
        raise UsageInvalid(f"Invalid value for '--slot': {text!r} is not SEQ/SLOT")
    return int(match[1]), match[2]


def _report(verb: str, affected: "Affected", json: bool) -> int:
    if json:
        emit(
            {
                "seq": affected.seq,
                "affected": {"attempts": affected.attempts, "editions": affected.editions},
            }
        )
        return 0
    names = ", ".join(map(safe, affected.attempts))
    line(f"{verb}{' ' + names if names else ''}, by event {affected.seq}")
    if affected.editions:
        note(f"Frozen before, and standing as they were: {', '.join(map(safe, affected.editions))}")
        note("Freeze a new edition to publish the figures as they are now.")
    return 0
