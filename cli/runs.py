"""What the commands of ``run`` share: options, a recorder, and the ledger that looks on."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .edge import entropy, environment, now
from .errors import UsageInvalid, check_text
from .options import DEFAULT_LEDGER
from .text import emit, line, note, safe

if TYPE_CHECKING:
    from ledger.runs.recording import Recorder

RunDir = Annotated[Path, typer.Option("--run-dir", metavar="D", help="The run directory.")]
WatchingLedger = Annotated[
    Path | None,
    typer.Option(
        "--ledger", metavar="PATH", help="Take the run into this ledger too, as it stands then."
    ),
]
_PHASE = typer.Option("--phase", metavar="P", help="One of prepare, restore, agent and audit.")
_ACTOR = typer.Option(
    "--actor", metavar="A", help="One of operator, test, agent, restore, harness and reviewer."
)
Phase = Annotated[str | None, _PHASE]
SomePhase = Annotated[str, _PHASE]
Actor = Annotated[str | None, _ACTOR]
SomeActor = Annotated[str, _ACTOR]
At = Annotated[
    str | None,
    typer.Option("--at", metavar="TIME", help="When it happened, RFC 3339 in UTC; else now."),
]
RunId = Annotated[
    str | None,
    typer.Option("--run-id", metavar="ID", help="The run that is meant; another is refused."),
]
Instance = Annotated[
    str | None, typer.Option("--instance", metavar="NAME", help="The instance of the world.")
]
Note = Annotated[str | None, typer.Option("--note", metavar="TEXT", help="For whoever reads it.")]

_QUOTES = "write the JSON whole, in single quotes for the shell"
_MEANT_AS_JSON = re.compile(r'\s*(?:\{|\[\s*(?:["{\[]|[-+0-9.eE]*\s*(?:,|$)))')
"""What begins an object or a list; a time or a word in brackets begins a line of a log."""

_SHOWN = ("run_id", "record", "seq", "at", "call_id", "tool", "status", "phase", "actor", "name")


def ledger_of(target: str, ledger: Path | None, as_of: int | None) -> Path | None:
    """Return the ledger in which *target* is a run; None where it is a directory.

    Raises:
        UsageInvalid: It is no directory, and no ledger is named or lies here.
    """
    check_text(target, "D|RUN")
    if ledger is None and as_of is None and Path(target).is_dir():
        return None
    if ledger is not None:
        return ledger
    named = environment("COLDLEDGER")
    found = DEFAULT_LEDGER if named is None else Path(named)
    if named is None and not found.exists():
        raise UsageInvalid(
            f"{target!r} is no folder, and there is no ledger {str(found)!r} here",
            remedy="give the path of a run directory, or --ledger with the name of a run",
        )
    return found


@contextmanager
def recording(
    run_dir: Path, ledger: Path | None, run_id: str | None = None
) -> "Iterator[Recorder]":
    """Give a recorder; what it appends is taken into the ledger too.

    The ledger is opened first, so that a wrong one is refused before anything is recorded.
    """
    from ledger.errors import RunForeign
    from ledger.runs.problems import shown
    from ledger.runs.recording import Recorder

    with (
        following(run_dir, ledger) as follow,
        Recorder(run_dir, clock=now, on_append=follow) as recorder,
    ):
        if run_id is not None and run_id != recorder.run_id:
            raise RunForeign("--run-id", shown(run_id), shown(recorder.run_id))
        yield recorder


@contextmanager
def following(run_dir: Path, ledger: Path | None) -> Iterator[Callable[[], None]]:
    """Give what takes the run into a ledger as it stands, and does nothing where none is named."""
    if ledger is None:
        yield lambda: None
        return
    from ledger.runs.intake.following import follow

    with follow(ledger, run_dir, now=now, entropy=entropy) as follower:

        def tell() -> None:
            from canon.refusal import Refusal

            try:
                report = follower()
            except (Refusal, OSError):
                note(
                    "It is recorded in the run, and not yet in the ledger: run `coldledger import"
                    f" {safe(run_dir)}` once this is seen to."
                )
                raise
            note(f"{report.events:,} events appended to {safe(ledger)}")

        yield tell


@contextmanager
def watching(run_dir: Path, ledger: Path | None) -> Iterator[None]:
    """Take the run into a ledger, if one is named, when the block has ended well."""
    with following(run_dir, ledger) as follow:
        yield
        follow()


def json_of(given: str, option: str) -> Any:
    """Return what JSON text on the command line says, numbers as they are written.

    Raises:
        UsageInvalid: It is no JSON.
    """
    from ledger.runs.json_text import parse

    parsed = parse(given.encode(errors="surrogatepass"))
    if parsed.why is not None:
        raise UsageInvalid(f"{option} is no JSON: {parsed.why}", remedy=_QUOTES)
    return parsed.said


def result_of(given: str, option: str) -> Any:
    """Return a result: JSON, or plain text, which stands for an object with that text.

    Raises:
        UsageInvalid: It begins like an object or a list, and is none.
    """
    from ledger.runs.json_text import parse

    parsed = parse(given.encode(errors="surrogatepass"))
    if parsed.fault is None:
        return {"text": parsed.said} if isinstance(parsed.said, str) else parsed.said
    if _MEANT_AS_JSON.match(given):
        raise UsageInvalid(
            f"{option} begins like JSON and is none: {parsed.why}",
            remedy=f"{_QUOTES}; text that looks like it is taken as a JSON text",
        )
    return {"text": given}


def object_of(given: str | None, option: str) -> Mapping[str, Any] | None:
    """Return the JSON object that an option gives.

    Raises:
        UsageInvalid: It is none.
    """
    from ledger.runs.problems import shown

    if given is None:
        return None
    said = json_of(given, option)
    if not isinstance(said, dict):
        raise UsageInvalid(f"{option} is {shown(said)}, not a JSON object", remedy=_QUOTES)
    return said


def tell(record: Mapping[str, Any], *, json: bool) -> int:
    """Print what was recorded, without what may be long."""
    shown = {name: record[name] for name in _SHOWN if record.get(name) is not None}
    if json:
        emit(shown)
    else:
        words = [safe(shown[name]) for name in ("call_id", "tool", "status", "phase", "name")
                 if name in shown]  # fmt: skip
        line(f"{shown['seq']:,}  {shown['record']}  {' '.join(words)}".rstrip())
    return 0
