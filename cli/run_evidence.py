"""``run``: files kept and declared, reviews, derivations, and whether the run is whole."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .edge import entropy, opened
from .errors import UsageInvalid
from .options import Json
from .runs import Actor, At, Note, RunDir, WatchingLedger, recording, watching
from .text import count, emit, line, note, safe, short, warn

if TYPE_CHECKING:
    from ledger.runs.problems import Problem
    from ledger.runs.structure import Structure

_PLACEHOLDERS = ("YOUR NAME", "WHAT YOU SAW")
"""What an audit prints where a person has to say something."""

Slot = Annotated[
    str,
    typer.Option(
        "--slot",
        metavar="S",
        help="agent_logger, test_mod, answer, oracle, fixture, restore, preflight or review.",
    ),
]


def artifact(
    run_dir: RunDir,
    path: Annotated[Path, typer.Option("--path", metavar="FILE", help="The file to keep.")],
    label: Annotated[
        str | None, typer.Option("--label", metavar="TEXT", help="What it is; else its name.")
    ] = None,
    phase: Annotated[str, typer.Option("--phase", metavar="P", help="When it was made.")] = "agent",
    actor: Actor = "agent",
    at: At = None,
    ledger: WatchingLedger = None,
    json: Json = False,
) -> int:
    """Keep a copy of a file in the run, with its digest: code, a build, a script."""
    with recording(run_dir, ledger) as recorder, opened(path, "a file to keep"):
        kept = recorder.artifact(
            path, label or path.name, cwd=Path.cwd(), phase=phase, actor=actor, at=at
        )
    if json:
        emit(dict(kept))
    else:
        line(f"kept {safe(kept['path'])}  {short(kept['sha256'])}")
    return 0


def declare(
    run_dir: RunDir,
    slot: Slot,
    path: Annotated[
        str, typer.Option("--path", metavar="FILE", help="The file, inside of the run.")
    ],
    normalized: Annotated[
        str | None,
        typer.Option(
            "--normalized", metavar="FILE", help="The normalized view of the agent's log."
        ),
    ] = None,
    note: Note = None,
    ledger: WatchingLedger = None,
    json: Json = False,
) -> int:
    """Declare a file of the run as evidence, with its digest, which is checked from then on."""
    with recording(run_dir, ledger) as recorder:
        declared = recorder.declare(slot, path, cwd=Path.cwd(), normalized=normalized, note=note)
    if json:
        emit({"slot": slot, **declared})
    else:
        line(f"declared {safe(slot)}: {safe(declared['path'])}  {short(declared['sha256'])}")
    return 0


def review(
    run_dir: RunDir,
    question: Annotated[
        str,
        typer.Option("--id", metavar="ID", help="The question, as machine_operated.causality."),
    ],
    status: Annotated[
        str, typer.Option("--status", metavar="S", help="resolved, rejected or pending.")
    ],
    by: Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who reviewed it.")] = None,
    note: Note = None,
    evidence: Annotated[
        list[str] | None,
        typer.Option(
            "--evidence",
            metavar="REF",
            help="What was looked at, as testmod:seq3 or trajectory:c2; may be repeated.",
        ),
    ] = None,
    at: At = None,
    ledger: WatchingLedger = None,
    json: Json = False,
) -> int:
    """Record what a person decided about a question that the audit asks."""
    for option, said in (("--by", by), ("--note", note)):
        if said in _PLACEHOLDERS:
            raise UsageInvalid(
                f"{option} is still {said!r}", remedy=f"put what it stands for into {option}"
            )
    from ledger.audit.unresolved import unresolved
    from ledger.runs.directory import Directory

    with recording(run_dir, ledger) as recorder:
        made = recorder.review(question, status, by=by, note=note, evidence=evidence or (), at=at)
    known = _questions()
    if question not in known:
        warn(f"the rules have no question {safe(question)}; they ask {', '.join(known)}")
    for ref in unresolved(Directory(run_dir), evidence or ()):
        warn(f"the run has nothing like {ref}: until it does, the question stays open")
    if json:
        emit(dict(made))
    else:
        line(f"{safe(question)}: {safe(status)}")
    return 0


def attest(
    run_dir: RunDir,
    by: Annotated[str, typer.Option("--by", metavar="NAME", help="Who vouches for it.")],
    no_design_discussion: Annotated[
        bool,
        typer.Option(
            "--no-design-discussion", help="The session has no design discussion of the machine."
        ),
    ] = False,
    no_standard_answer: Annotated[
        bool, typer.Option("--no-standard-answer", help="It has no standard answer.")
    ] = False,
    no_earlier_solution: Annotated[
        bool,
        typer.Option(
            "--no-earlier-solution", help="It has no earlier script or trajectory that solved it."
        ),
    ] = False,
    note: Note = None,
    actor: Actor = "operator",
    ledger: WatchingLedger = None,
    json: Json = False,
) -> int:
    """Record that somebody vouches for the agent's clean context; each statement by itself."""
    given = {
        "no_design_discussion": no_design_discussion,
        "no_standard_answer": no_standard_answer,
        "no_earlier_solution": no_earlier_solution,
    }
    stated = [name for name, is_stated in given.items() if is_stated]
    with recording(run_dir, ledger) as recorder:
        made = recorder.attest(by, stated, note=note, actor=actor or "operator")
    if json:
        emit({"seq": made["seq"], "at": made["at"], "by": by, **given})
    else:
        line(f"{made['seq']:,}  {safe(by)} attests {', '.join(stated)}")
    for name in given:
        if name not in stated:
            warn(f"nobody states {name}")
    return 0


def derive(
    run_dir: RunDir,
    output: Annotated[
        str, typer.Option("--output", metavar="FILE", help="What was made, inside of the run.")
    ],
    inputs: Annotated[
        list[str],
        typer.Option("--input", metavar="FILE", help="What it was made from; may be repeated."),
    ],
    tool: Annotated[str, typer.Option("--tool", metavar="NAME", help="What made it.")],
    producer: Annotated[
        str,
        typer.Option("--producer", metavar="A", help="Who had it made: agent, test, operator, …"),
    ],
    note: Note = None,
    ledger: WatchingLedger = None,
    json: Json = False,
) -> int:
    """Record that a file of the run was made from others of it, and by whom."""
    with recording(run_dir, ledger) as recorder:
        made = recorder.derive(
            output, inputs, tool=tool, producer=producer, cwd=Path.cwd(), note=note
        )
    if json:
        emit(dict(made))
    else:
        sources = ", ".join(safe(one["path"]) for one in made["inputs"])
        line(f"{safe(made['output']['path'])} is made from {sources}")
    return 0


def withhold(
    run_dir: RunDir,
    path: Annotated[str, typer.Option("--path", metavar="FILE", help="As the run names it.")],
    reason: Annotated[str, typer.Option("--reason", metavar="T", help="Why it is not shown.")],
    sha256: Annotated[
        str | None,
        typer.Option("--sha256", metavar="HEX", help="Its digest; else that of the file there."),
    ] = None,
    ledger: WatchingLedger = None,
    json: Json = False,
) -> int:
    """Name a file that a copy of the run does not show, and why; the file is not touched."""
    from ledger.runs.directory import Directory
    from ledger.runs.recording import withhold as entered

    with watching(run_dir, ledger):
        entry = entered(run_dir, path, reason, entropy=entropy, sha256=sha256)
    if json:
        emit(dict(entry))
    else:
        line(f"withheld {safe(path)}  {short(entry['sha256'])}")
    named = {file.path: file.role for file in Directory(run_dir).files()}
    if path not in named:
        warn(f"the run names no file {safe(path)}: nothing of it is withheld by this")
    if named.get(path) in ("agent_logger", "normalized"):
        note("The trajectory may quote what the agent read of its log: look there too.")
    if (run_dir / path).exists():
        note("The file is still there: take it out of the copy that you give away.")
    return 0


def validate(
    run_dir: RunDir,
    ledger: Annotated[
        Path | None,
        typer.Option("--ledger", metavar="PATH", help="Compare the run with what this ledger has."),
    ] = None,
    json: Json = False,
) -> int:
    """Say whether a run is whole and in order, file by file and line by line; exit 1 if not.

    With --ledger also whether it still is what that ledger took in.
    """
    from ledger.errors import RunMissing
    from ledger.runs.directory import Directory
    from ledger.runs.structure import Structure, structure

    if not run_dir.is_dir():
        raise RunMissing(str(run_dir), "no such directory", "a run that was opened")
    contents = Directory(run_dir)
    found = structure(contents)
    if ledger is not None:
        from ledger.runs.intake.compare import compare
        from ledger.store import Ledger

        with Ledger.open(ledger) as opened:
            found = Structure([*found.problems, *compare(opened, contents)], found.withheld)
    if json:
        emit(found.document())
    else:
        _print(found, run_dir)
    return 0 if found.valid else 1


def _questions() -> list[str]:
    """Return the reviews that the rules ask for by which runs are audited."""
    from ledger.audit.conclude import RULES
    from ledger.rules import audit_rules, parse_policy, shipped

    return sorted(audit_rules(parse_policy(shipped()[RULES])).questions)


def _print(found: "Structure", run_dir: Path) -> None:
    hinted: set[str] = set()
    for problem in found.problems:
        _print_problem(problem, with_hint=problem.code not in hinted)
        hinted.add(problem.code)
    for file in found.withheld:
        line(f"{safe(file.path)}: withheld, not judged: {safe(file.why)}")
    if found.valid:
        judged = "what is here of it is valid" if found.withheld else "valid"
        line(f"{safe(run_dir)}: {judged}")
    else:
        line(f"{safe(run_dir)}: {count(len(found.problems), 'problem')}")


def _print_problem(problem: "Problem", *, with_hint: bool) -> None:
    line(safe(problem.message))
    if with_hint:
        line(f"  hint: {safe(problem.hint)}")
