"""``run list``: the runs of a ledger, and what names them where one is wrong."""

from pathlib import Path

from audited_runs import QUESTIONS, RUN
from cli_place import RUNS, Run
from judged_runs import Draft

LEDGER = ("--ledger", RUNS)


def test_runs_with_their_newest_verdict(run: Run, place: Path) -> None:
    """Files, records, verdict and open questions; a run that nobody audited has none."""
    assert run("import", Draft().write(place / "made"), *LEDGER).code == 0
    rows = {one["run"]: one for one in run("run", "list", *LEDGER, "--json").json["runs"]}
    assert sorted(rows) == ["night-7", RUN]
    audited = run("audit", RUN, *LEDGER, "--json").json
    judged = rows[RUN]
    assert (judged["verdict"], judged["overall"]) == (audited["event"], "PENDING")
    assert judged["open"] == list(QUESTIONS)
    assert judged["files"] == sum(one["state"] != "absent" for one in audited["inputs"])
    assert judged["records"] > 0
    fresh = rows["night-7"]
    assert (fresh["verdict"], fresh["overall"], fresh["open"]) == (None, None, [])
    assert fresh["records"] > 0
    shown = run("run", "list", *LEDGER).out
    assert f"PENDING, event {audited['event']}" in " ".join(shown.split())
    assert "2 runs in" in shown


def test_a_ledger_without_runs(run: Run) -> None:
    """It says so; status does not point to the list."""
    assert run("run", "list").out.startswith("0 runs in")
    assert "run list" not in run("status").out
    assert "coldledger run list" in run("status", *LEDGER).out


def test_a_wrong_name_names_the_few_there_are(run: Run) -> None:
    """The message has the names, and the hint has the command."""
    for command in (("audit", "zzz"), ("run", "chronology", "zzz")):
        fault = run(*command, *LEDGER, "--json").json["error"]
        assert fault["code"] == "E_RUN_UNKNOWN"
        assert RUN in fault["message"]
        assert "coldledger run list" in fault["hint"]


def test_what_the_run_withholds_is_told_from_what_a_ledger_redacts(run: Run, place: Path) -> None:
    """``log`` says who keeps the bytes back: the run, or a decision."""
    draft = Draft()
    draft.withheld = {"trajectory.jsonl": {"reason": "names"}}
    assert run("import", draft.write(place / "kept"), *LEDGER).code == 0
    shown = run("log", *LEDGER, "--type", "file.observed", "--all", "--json").json["events"]
    told = [one["about"] for one in shown if ", withheld" in one["about"]]
    assert told == ["night-7: trajectory, withheld by the run"]
