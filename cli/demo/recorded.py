"""The part of the story about a run: judged, reviewed, and watched from a ledger."""

from pathlib import Path

from cli import samples
from cli.samples.runs import NAME

from .stage import Stage

QUESTION = "machine_operated.causality"
_LINE = 5


def judge_a_run(stage: Stage, folder: Path, ledger: Path, key: Path) -> None:
    """Tell it.

    Args:
        stage: Where.
        folder: Of the samples.
        ledger: Which there is already.
        key: That holds the role of a reviewer.
    """
    samples.write_run(folder)
    run = folder / "runs" / NAME
    stage.step(
        "A run is judged",
        "An agent had to operate a machine. The run was recorded line by line, and five flags say "
        "what its evidence shows. One question no program can decide: the run waits for a person.",
    )
    stage.run("import", run, "--ledger", ledger)
    stage.run("audit", NAME, "--ledger", ledger, exits=2, shown=16)
    waiting = stage.ask("audit", NAME, "--ledger", ledger, exits=2)
    open_flags = [flag["flag"] for flag in waiting["flags"] if flag["status"] == "PENDING"]
    stage.holds(open_flags == ["machine_operated"], "one flag of five is open", open_flags)

    stage.step(
        "A reviewer answers",
        "The answer is signed. It names the records that it cites and the verdict that it answers, "
        "and no longer counts once one of them is another. The first verdict stays beside the "
        "second.",
    )
    note = "lever and machine move in the same tick of the recording"
    cited = ("--evidence", "testmod:seq3", "--evidence", "trajectory:c2-lever")
    decision = ("--id", QUESTION, "--status", "resolved", "--note", note, *cited)
    stage.run("review", "--run", NAME, *decision, "--ledger", ledger, "--key", key)
    stage.run("audit", NAME, "--ledger", ledger, shown=8)
    judged = stage.ask("audit", NAME, "--ledger", ledger)
    stage.holds(judged["overall"] == "PASS", "the run passes", judged["overall"])
    verdicts = stage.ask("status", "--ledger", ledger)["events"].get("audit.concluded/1")
    stage.holds(verdicts == 2, "asked twice, there are two verdicts and no third", verdicts)

    stage.step(
        "A line is deleted from the directory",
        "Whoever holds a directory can change it. A ledger that took it in knows every byte.",
    )
    trajectory = run / "trajectory.jsonl"
    lines = trajectory.read_bytes().splitlines(keepends=True)
    trajectory.write_bytes(b"".join([*lines[: _LINE - 1], *lines[_LINE:]]))
    stage.remark(f"line {_LINE} of {trajectory} is deleted")
    compared = ("run", "validate", "--run-dir", run, "--ledger", ledger)
    stage.run(*compared, exits=1)
    problems = stage.ask(*compared, exits=1)["problems"]
    places = [problem["line"] for problem in problems if problem["code"] == "lines_removed"]
    stage.holds(places == [_LINE], f"it is named: line {_LINE}", problems)
