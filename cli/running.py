"""``run``: a run opened, and its trajectory recorded call by call."""

from pathlib import Path
from typing import Annotated, Any

import typer

from .edge import entropy, now, opened, read_file, variables
from .options import Json
from .runs import (
    Actor,
    At,
    Instance,
    Note,
    Phase,
    RunDir,
    RunId,
    SomeActor,
    SomePhase,
    WatchingLedger,
    json_of,
    object_of,
    recording,
    result_of,
    tell,
    watching,
)
from .text import count, emit, line, pairs, safe, short, warn

CallId = Annotated[
    str, typer.Option("--call-id", metavar="ID", help="Name of the call, once in a run.")
]


def init(
    run_dir: Annotated[
        Path, typer.Option("--run-dir", metavar="D", help="Where nothing is: the new run.")
    ],
    task_file: Annotated[
        Path, typer.Option("--task-file", metavar="FILE", help="What the agent is asked.")
    ],
    run_id: Annotated[
        str | None,
        typer.Option("--run-id", metavar="ID", help="What the run is called; else as D is."),
    ] = None,
    harness: Annotated[
        str, typer.Option("--harness", metavar="NAME", help="What runs the agent.")
    ] = "",
    model: Annotated[str, typer.Option("--model", metavar="NAME", help="The model.")] = "",
    provider: Annotated[
        str, typer.Option("--provider", metavar="NAME", help="Who serves the model.")
    ] = "",
    harness_version: Annotated[
        str, typer.Option("--harness-version", metavar="V", help="Version of the harness.")
    ] = "",
    notes: Annotated[
        list[str] | None,
        typer.Option("--note", metavar="TEXT", help="For whoever reads the run; may be repeated."),
    ] = None,
    visible: Annotated[
        list[Path] | None,
        typer.Option(
            "--visible",
            metavar="PATH",
            help="A file or folder that the agent can read; may be repeated.",
        ),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(
            "--exclude", metavar="PATTERN", help="Left out of those, as .git; may be repeated."
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="The configuration of the harness, to keep."),
    ] = None,
    player_uuid: Annotated[
        str | None,
        typer.Option("--player-uuid", metavar="UUID", help="The player that the agent acts as."),
    ] = None,
    ledger: WatchingLedger = None,
    json: Json = False,
) -> int:
    """Open a run: its task, what is visible, and an empty trajectory.

    Do it before the session starts. Of this machine only relative paths and names are kept.
    """
    from ledger.runs.recording import Harness, open_run, task_of

    cwd = Path.cwd()
    data = read_file(task_file, "the task of a run")
    with watching(run_dir, ledger):
        made = open_run(
            run_dir,
            run_id=run_dir.resolve().name if run_id is None else run_id,
            task=task_of(task_file, cwd, data, player_uuid=player_uuid),
            harness=Harness(harness, harness_version, model, provider),
            clock=now,
            entropy=entropy,
            cwd=cwd,
            repo=_repository(cwd),
            visible=visible or (),
            exclude=exclude or (),
            configuration=None if config is None else _configuration(config),
            notes=notes or (),
        )
    seen = made["visibility"]["file_count"]
    missing = _missing(run_dir)
    if json:
        document = {name: made[name] for name in ("run_id", "created_at", "harness", "repo")}
        document |= {"run_dir": str(run_dir), "task_sha256": made["task"]["sha256"]}
        emit(document | {"visible": seen, "missing": missing})
    else:
        line(f"opened {safe(run_dir)}")
        pairs(
            [
                ("run", safe(made["run_id"])),
                ("task", short(made["task"]["sha256"])),
                ("visible", count(seen, "file")),
            ]
        )
    for path in missing:
        warn(f"not visible, since it cannot be read: {path}")
    return 0


def call(
    run_dir: RunDir,
    call_id: CallId,
    tool: Annotated[str, typer.Option("--tool", metavar="NAME", help="What was called.")],
    arguments: Annotated[
        str, typer.Option("--arguments", metavar="JSON", help="What it was called with.")
    ] = "{}",
    phase: Phase = "agent",
    actor: Actor = "agent",
    instance: Instance = None,
    dimension: Annotated[
        str | None, typer.Option("--dimension", metavar="NAME", help="The dimension of the world.")
    ] = None,
    tick: Annotated[
        int | None, typer.Option("--tick", metavar="N", help="The tick of the game.")
    ] = None,
    note: Note = None,
    at: At = None,
    run_id: RunId = None,
    ledger: WatchingLedger = None,
    json: Json = False,
) -> int:
    """Record that a tool was called; its result is recorded by `coldledger run result`.

    A ledger that takes the run in makes call id, tool, actor, phase and instance public: every
    bundle of it has them, whatever is withheld. Put nothing into them that is private.
    """
    said = json_of(arguments, "--arguments")
    with recording(run_dir, ledger, run_id) as recorder:
        made = recorder.call(
            call_id, tool, said, phase=phase, actor=actor, at=at,
            instance=instance, dimension=dimension, tick=tick, note=note,
        )  # fmt: skip
    return tell(made, json=json)


def result(
    run_dir: RunDir,
    call_id: CallId,
    status: Annotated[
        str, typer.Option("--status", metavar="S", help="ok, error, or open where it never came.")
    ],
    said: Annotated[
        str | None,
        typer.Option("--result", metavar="JSON", help="What came back; plain text is taken too."),
    ] = None,
    error: Annotated[
        str | None, typer.Option("--error", metavar="TEXT", help="What went wrong.")
    ] = None,
    duration_ms: Annotated[
        int | None,
        typer.Option("--duration-ms", metavar="N", min=0, help="How long it took, milliseconds."),
    ] = None,
    tool_name: Annotated[
        str | None, typer.Option("--tool-name", metavar="NAME", help="The tool, as it says itself.")
    ] = None,
    phase: Phase = None,
    actor: Actor = "agent",
    at: At = None,
    run_id: RunId = None,
    ledger: WatchingLedger = None,
    json: Json = False,
) -> int:
    """Record what a call came to, once for each call."""
    came = None if said is None else result_of(said, "--result")
    with recording(run_dir, ledger, run_id) as recorder:
        made = recorder.result(
            call_id, status, result=came, phase=phase, actor=actor, at=at,
            error=error, duration_ms=duration_ms, tool_name=tool_name,
        )  # fmt: skip
    return tell(made, json=json)


def phase(
    run_dir: RunDir,
    phase: SomePhase,
    actor: SomeActor,
    evidence: Annotated[
        list[str] | None,
        typer.Option("--evidence", metavar="REF", help="What shows it; may be repeated."),
    ] = None,
    instance: Instance = None,
    note: Note = None,
    at: At = None,
    run_id: RunId = None,
    ledger: WatchingLedger = None,
    json: Json = False,
) -> int:
    """Record that a phase of the run began."""
    with recording(run_dir, ledger, run_id) as recorder:
        made = recorder.phase(
            phase, actor, evidence=evidence or (), at=at, instance=instance, note=note
        )
    return tell(made, json=json)


def mark(
    run_dir: RunDir,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="What the mark says.")],
    data: Annotated[
        str | None, typer.Option("--data", metavar="JSON", help="An object with the particulars.")
    ] = None,
    phase: Phase = None,
    actor: Actor = "operator",
    note: Note = None,
    at: At = None,
    run_id: RunId = None,
    ledger: WatchingLedger = None,
    json: Json = False,
) -> int:
    """Record a fact beside the calls of a run."""
    said = object_of(data, "--data")
    with recording(run_dir, ledger, run_id) as recorder:
        made = recorder.mark(name, said, actor=actor, phase=phase, at=at, note=note)
    return tell(made, json=json)


def record(
    run_dir: RunDir,
    records: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="RECORD",
            help="A record as JSON, without seq; several are kept all or none.",
            show_default=False,
        ),
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Records from a file, one on each line."),
    ] = None,
    ledger: WatchingLedger = None,
    json: Json = False,
) -> int:
    """Record calls, results, phases and marks as they are, as other harnesses write them.

    Run id, schema and time are filled in where they are missing; the number always is.
    """
    from .errors import UsageInvalid

    if (source is None) == (not records):
        raise UsageInvalid("either records or --from FILE is needed")
    said = [object_of(one, f"record {number}") or {} for number, one in enumerate(records or (), 1)]
    if source is not None:
        said = _records(source)
    with recording(run_dir, ledger) as recorder:
        made = recorder.record_all(said)
    if json:
        emit({"records": len(made), "first_seq": made[0]["seq"], "last_seq": made[-1]["seq"]})
        return 0
    for one in made:
        tell(one, json=False)
    return 0


def repair(run_dir: RunDir, json: Json = False) -> int:
    """Take a torn last line off the trajectory; its bytes are kept in a file beside it.

    A crash can leave half a record, which was never acknowledged. A whole record that lacks only
    its line end gets it.
    """
    from ledger.runs.recording import repair as repaired

    made = repaired(run_dir)
    if json:
        rows = [{"file": one.file, "torn_bytes": one.torn_bytes, "kept": one.kept} for one in made]
        emit({"repaired": rows})
        return 0
    for one in made:
        did = "got its line end" if one.kept is None else f"is in {safe(one.kept)} now"
        line(f"{one.file}: the last line, {count(one.torn_bytes, 'byte')}, {did}")
    if not made:
        line("nothing is torn")
    return 0


def _records(source: Path) -> list[Any]:
    from ledger.errors import RecordField
    from ledger.runs.problems import LINE_GOT
    from ledger.runs.records import read_line

    read: list[Any] = []
    with opened(source, "records of a run") as stream:
        for number, one in enumerate(stream, 1):
            said, fault = read_line(one)
            if fault == "blank":
                continue
            if said is None:
                raise RecordField(f"{source}:{number}", LINE_GOT[fault or "not_json"], "a record")
            read.append(said)
    if not read:
        raise RecordField(str(source), "no record", "a record on each line")
    return read


def _repository(cwd: Path) -> dict[str, Any] | None:
    """Return the state of the work tree, without saying where on this machine it is."""
    from ledger.preflight import repository

    found = repository(cwd, variables())
    if found["root"] is None:
        return None
    return {**found, "root": ".", "name": Path(found["root"]).name}


def _configuration(path: Path) -> tuple[str, bytes]:
    from ledger.errors import RecordField
    from ledger.preflight import is_redacted, read_config

    read = read_config(read_file(path, "the configuration of a harness"), path.name)
    if is_redacted(read):
        raise RecordField(
            str(path), "a configuration with secrets", "one that everybody may read",
            remedy="leave --config out: `coldledger preflight run --run-dir` keeps a copy without"
            " them",
        )  # fmt: skip
    return read.suffix.removeprefix("."), read.data


def _missing(run_dir: Path) -> list[str]:
    from ledger.runs.layout import FIXED
    from ledger.runs.recording.changing import document_in

    listed = document_in(run_dir, FIXED["visibility"])["missing"]
    return [f"{one['path']} ({one['note']})" for one in listed]
