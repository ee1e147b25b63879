"""``review``: a signed answer to what the newest verdict on a run left to people."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import typer

from .edge import entropy, now
from .errors import UsageInvalid, check_text
from .options import DEFAULT_LEDGER, Json, LedgerPath, PassphraseFile, SigningKeys
from .text import emit, line, note, pairs, safe, warn

if TYPE_CHECKING:
    from ledger.audit.reviewing import Answered

_Status = Literal["resolved", "rejected", "pending"]
_STATUSES: tuple[_Status, ...] = get_args(_Status)


def review(
    run: Annotated[str, typer.Option("--run", metavar="R", help="The run's name for itself.")],
    review_id: Annotated[
        str,
        typer.Option("--id", metavar="ID", help="What is answered, as machine_operated.causality."),
    ],
    status: Annotated[
        str, typer.Option("--status", metavar="S", help=f"One of {', '.join(_STATUSES)}.")
    ],
    reason: Annotated[
        str, typer.Option("--note", metavar="TEXT", help="Why: a sentence that others can contest.")
    ],
    key: SigningKeys,
    evidence: Annotated[
        list[str] | None,
        typer.Option(
            "--evidence",
            metavar="REF",
            help="What you looked at, as trajectory:CALL, testmod:seq3 or fixture:ready; repeat for"
            " several.",
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="NAME", help="Who looked, where the key does not say it."),
    ] = None,
    verdict: Annotated[
        int | None,
        typer.Option(
            "--verdict", metavar="SEQ", min=0, help="The verdict you read; refused if not newest."
        ),
    ] = None,
    ledger: LedgerPath = DEFAULT_LEDGER,
    passphrase_file: PassphraseFile = None,
    json: Json = False,
) -> int:
    """Sign the answer to a review that a run waits for.

    It answers the newest verdict, and binds it and what is cited. Once one of these changes, or the
    audit finds something else for the flag, it no longer counts, and the next verdict says so.
    """
    from ledger.audit.reviewing import answer_review

    from .keyring import load_keys
    from .ledgers import replayed

    chosen = next((one for one in _STATUSES if one == status), None)
    if chosen is None:
        words = " or ".join(_STATUSES)
        raise UsageInvalid(f"Invalid value for '--status': {status!r} is not {words}")
    refs = evidence or []
    texts = [("--run", run), ("--id", review_id), ("--note", reason), ("--by", by)]
    for option, text in [*texts, *(("--evidence", ref) for ref in refs)]:
        if text is not None:
            check_text(text, option)
    signers = load_keys(key, passphrase_file)
    with replayed(ledger, write=True) as (opened, replay):
        done = answer_review(
            opened,
            replay,
            run,
            review_id,
            chosen,
            reason,
            refs,
            signers,
            by=by,
            verdict=verdict,
            at=now(),
            entropy=entropy,
        )
    for one in done.reported:
        when = "after" if one.seq > done.verdict else "before"
        warn(
            f"event {one.seq} reports {safe(one.review)} as {safe(one.status)}, {when} the verdict"
            f" that this answers, event {done.verdict}; this review goes before it"
        )
    if json:
        emit(_document(done, reason))
    else:
        _print(done, reason, ledger)
    return 0


def _document(done: "Answered", reason: str) -> dict[str, Any]:
    verdict = done.next.verdict
    return {
        "seq": done.seq,
        "run": done.run,
        "review": done.review,
        "status": done.status,
        "reason": reason,
        "verdict": done.verdict,
        "evidence": [{"ref": ref, "events": events} for ref, events in done.cited.refs.items()],
        "counts": done.uncounted is None,
        "why": done.uncounted,
        "affected": {
            "attempts": [],
            "editions": [],
            "runs": [done.run],
            "flag": done.flag,
            "flag_status": done.flag_status,
            "overall": verdict.overall,
            "failure_class": verdict.failure_class,
        },
    }


def _print(done: "Answered", reason: str, ledger: Path) -> None:
    line(f"{done.status} {safe(done.review)} of run {safe(done.run)}, by event {done.seq}")
    pairs(
        [
            ("answers", f"event {done.verdict}, the newest verdict on the run"),
            *[
                (safe(ref), f"event{'' if len(events) == 1 else 's'} {', '.join(map(str, events))}")
                for ref, events in done.cited.refs.items()
            ],
            ("note", safe(reason)),
            ("next", f"{safe(done.flag)} {done.flag_status}, overall {_overall(done)}"),
        ]
    )
    if done.uncounted is not None:
        warn(
            f"it does not count as the run is now: {done.uncounted}; audit the run again, and"
            " answer that verdict"
        )
    words = ["coldledger", "audit", done.run, "--ledger", str(ledger)]
    note(f"The next audit of the run takes it in: `{safe(shlex.join(words))}`.")


def _overall(done: "Answered") -> str:
    verdict = done.next.verdict
    return verdict.overall if verdict.failure_class is None else f"FAIL, {verdict.failure_class}"
