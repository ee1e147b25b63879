"""``replay`` and ``checkpoint``: the log against itself, and its head for others to keep."""

from pathlib import Path
from typing import Annotated, Any

import typer

from .edge import MOST_JOBS, Progress, entropy, readers
from .errors import UsageInvalid
from .options import DEFAULT_LEDGER, AsOf, Json, LedgerPath, LogKey, PassphraseFile
from .text import count, emit, line, pairs, safe


def replay(
    ledger: LedgerPath = DEFAULT_LEDGER,
    check: Annotated[
        bool, typer.Option("--check", help="Compare every table of the file with the events.")
    ] = False,
    as_of: AsOf = None,
    since: Annotated[
        Path | None,
        typer.Option(
            "--since", metavar="CHECKPOINT", help="A checkpoint that you kept; checks the file."
        ),
    ] = None,
    trust: Annotated[
        Path | None,
        typer.Option(
            "--trust", metavar="ROOT", help="Believe checkpoints by this root's log keys."
        ),
    ] = None,
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs",
            metavar="N",
            min=0,
            max=MOST_JOBS,
            help="Read ahead with N processes, 0 for one on each core; with --check.",
        ),
    ] = 1,
    json: Json = False,
) -> int:
    """Rebuild the state from the events, or check the file.

    Each decision is judged again where it stands, and the table of attempts is made anew. With
    --check nothing is written: every other table must be what the events give, and every frozen
    figure too.
    """
    if check or since is not None:
        if as_of is not None:
            raise UsageInvalid("--as-of replays a part, so it cannot be given with --check")
        return _check(ledger, since, trust, jobs, json)
    return _rebuild(ledger, as_of, json)


def checkpoint(
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="FILE", help="Where it goes; else to stdout."),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option("--key", metavar="FILE", help="A key beside which log.key is looked for."),
    ] = None,
    log_key: LogKey = None,
    ledger: LedgerPath = DEFAULT_LEDGER,
    passphrase_file: PassphraseFile = None,
    json: Json = False,
) -> int:
    """Sign the present head of the log, for readers to keep.

    Whoever keeps it can show later that nothing before it was changed or dropped.
    """
    from ledger.files import whole_file
    from signing.checkpoint import Checkpoint, render_checkpoint, sign_checkpoint

    from .keyring import load_log_key
    from .ledgers import replayed

    with replayed(ledger) as (_, state):
        private = load_log_key(log_key, key, passphrase_file, state.authority.root)
        head = Checkpoint(state.origin, state.size, state.root())
    body = head.body()
    data = render_checkpoint(body, sign_checkpoint(private, head.origin, body))
    if out is not None:
        with whole_file(out, entropy) as beside:
            beside.write_bytes(data)
    if json:
        emit(
            {
                "checkpoint": None if out is None else str(out),
                "note": data.decode(),
                "origin": head.origin,
                "size": head.size,
                "root": head.root.hex(),
            }
        )
    elif out is None:
        line(data.decode().rstrip("\n"))
    else:
        line(f"wrote {safe(out)}: {count(head.size, 'event')}, root {head.root.hex()}")
    return 0


def _check(path: Path, since: Path | None, trust: Path | None, jobs: int, json: bool) -> int:
    from ledger.check import check_ledger
    from ledger.decide import replay_of
    from ledger.store import Ledger

    from .questions import kept_checkpoint
    from .reading import root_bytes
    from .verdicts import continued, file_warnings, print_file_verdict

    with (
        Ledger.open(path) as opened,
        Progress("checking", opened.size) as progress,
        readers(jobs) as ahead,
    ):
        kept, roots = None, [] if trust is None else [root_bytes(trust)]
        if since is not None:
            kept = kept_checkpoint(since, replay_of(opened, roots).lineage.pinned)
        verdict = check_ledger(
            opened, trust=roots, since=kept, progress=progress.report, readers=ahead
        )
    if json:
        found = None if kept is None else continued(kept, verdict.error, ok=verdict.ok)
        emit({**verdict.document(), "since": found, "warnings": file_warnings(verdict)})
    else:
        print_file_verdict(verdict, str(path), kept)
    return 0 if verdict.ok else 1


def _rebuild(path: Path, as_of: int | None, json: bool) -> int:
    from canon.refusal import Refusal
    from ledger.decide import replay_of
    from ledger.store import Ledger
    from ledger.tables import rebuild

    from .failing import document as refusal_document
    from .ledgers import advance, check_size
    from .text import complain, fault_of

    with Ledger.open(path, write=as_of is None) as opened:
        check_size(opened, as_of)
        state = replay_of(opened)
        fault: Refusal | None = None
        try:
            advance(opened, state, as_of)
            if as_of is None:
                rebuild(opened, state)
        except Refusal as refusal:
            fault = refusal
        size, root = state.size, state.root().hex()
    attempts = len(state.attempts.latest)
    if json:
        error: Any = None if fault is None else refusal_document(fault)
        emit(
            {"ok": fault is None, "size": size, "root": root, "error": error, "attempts": attempts}
        )
    else:
        line(f"{'replayed' if fault is None else 'REFUSED after'} {count(size, 'event')}")
        pairs([("root", root), ("attempts", f"{attempts:,}")])
        if fault is not None:
            complain(fault_of(fault))
    return 0 if fault is None else 1
