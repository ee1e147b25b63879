"""A real run, as far as it was published, and the negatives of another one, read in place."""

import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from judged_runs import FLAGS, Json, rules, sha, statuses

from ledger.audit import Verdict, audit
from ledger.audit.chronology import chronology
from ledger.runs.directory import Directory

MACHINE, ARMED, CAPTURED, READ, CORRECT = FLAGS
NOT_PUBLISHED = "it was not published"
PLACES = {
    "agent_logger": "freeze/romlog.jsonl",
    "test_mod": "evidence/testmod.jsonl",
    "answer": "evidence/answer.json",
    "oracle": "evidence/oracle.json",
    "fixture": "fixture/ready-snapshot.json",
    "restore": "evidence/restore-evidence.json",
    "preflight": "preflight/preflight.json",
}
"""Slot to a path inside of the run; the published ones are absolute, of another machine."""

PUBLISHED = {
    "evidence/testmod.jsonl": "result/testmod.experiment.jsonl",
    "evidence/view.jsonl": "result/agent-logger.norm.jsonl",
    "evidence/answer.json": "result/answer.json",
    "evidence/oracle.json": "result/oracle.json",
    "evidence/restore-evidence.json": "verification/restore-evidence.json",
    "reviews.jsonl": "verification/reviews.jsonl",
    "run.json": "trajectory/run.json",
}


@pytest.fixture(scope="module")
def published(shared: Path) -> Path:
    """Return what was published of the run."""
    return shared / "data" / "cold-start-runs" / "rom20"


@pytest.fixture(scope="module")
def theirs(published: Path) -> Json:
    """Return the verdict that was published with it."""
    said: Json = json.loads((published / "verification/audit.json").read_bytes())
    return said


@pytest.fixture(scope="module")
def run(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Put the run together: what was published, and the rest as withheld."""
    root = tmp_path_factory.mktemp("rom20")
    for path, source in PUBLISHED.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(published / source, root / path)
    said = json.loads((published / "trajectory/evidence.json").read_bytes())
    for slot, path in PLACES.items():
        said[slot]["path"] = path
    said["agent_logger"]["normalized"] = "evidence/view.jsonl"
    (root / "evidence.json").write_text(json.dumps(said))
    manifest = json.loads((root / "run.json").read_bytes())
    missing = {path: said[slot]["sha256"] for slot, path in PLACES.items()
               if not (root / path).exists()}  # fmt: skip
    for item in (*manifest["imports"], *manifest["artifacts"]):
        missing[item["path"]] = item["sha256"]
    missing |= {"task.md": manifest["task"]["sha256"], "trajectory.jsonl": None,
                "visibility.json": None}  # fmt: skip
    files = [{"path": path, "reason": NOT_PUBLISHED} | ({"sha256": digest} if digest else {})
             for path, digest in missing.items()]  # fmt: skip
    (root / "withheld.json").write_text(
        json.dumps({"schema": "coldledger-withheld/1", "files": files})
    )
    return root


@pytest.fixture(scope="module")
def ours(run: Path) -> Verdict:
    """Return our verdict on it."""
    return audit(Directory(run), rules())


def flag_of(said: Any, name: str) -> Json:
    """Return a flag of a verdict."""
    return next(one for one in said["flags"] if one["flag"] == name)


def test_what_needs_no_trajectory_comes_out_as_published(ours: Verdict, theirs: Json) -> None:
    """Transient outputs and the answer pass, as they did; nothing else is claimed."""
    assert statuses(ours) == {
        MACHINE: "PENDING",
        ARMED: "PENDING",
        CAPTURED: flag_of(theirs, CAPTURED)["status"],
        READ: "PENDING",
        CORRECT: flag_of(theirs, CORRECT)["status"],
    }
    assert (ours.overall, ours.failure_class) == ("PENDING", None)
    assert ours.body["infra_errors"] == []
    assert ours.body["fixture_errors"] == []


def test_the_same_records_are_cited(ours: Verdict, theirs: Json) -> None:
    """Ejections, captures and the oracle's references are those of the published verdict."""
    mine, published = (flag_of(said, CAPTURED)["evidence"] for said in (ours.body, theirs))
    assert set(mine) == set(published)
    mine, published = (flag_of(said, CORRECT)["evidence"] for said in (ours.body, theirs))
    assert set(published) <= set(mine)


def test_what_needs_the_trajectory_says_so(ours: Verdict) -> None:
    """The flags that wait name the file that is not there, and why."""
    for name in (MACHINE, ARMED, READ):
        found = flag_of(ours.body, name)
        assert found["missing"] == ["trajectory.jsonl"]
        assert NOT_PUBLISHED in found["summary"]
    assert {one["path"] for one in ours.body["withheld"]} >= {
        "trajectory.jsonl",
        "freeze/romlog.jsonl",
        "fixture/ready-snapshot.json",
        "preflight/preflight.json",
        "artifacts/006-rom20-agent-logger.jar",
        "imports/agent-session.jsonl",
        "task.md",
    }


def test_the_review_that_can_be_looked_up_counts(ours: Verdict, theirs: Json) -> None:
    """Its ten references are in the run; who resolved it is as published."""
    (mine,) = flag_of(ours.body, CORRECT)["review_resolutions"]
    (published,) = flag_of(theirs, CORRECT)["review_resolutions"]
    assert [mine[name] for name in ("id", "status", "by", "note", "evidence")] == [
        published[name] for name in ("id", "status", "by", "note", "evidence")
    ]
    assert ours.body["review_problems"] == []


def test_the_view_names_the_log_that_was_not_published(ours: Verdict) -> None:
    """By its digest, so that its records count although the log is withheld."""
    (step,) = [one for one in ours.body["lineage"]["made"] if one["by"] == "source_sha256"]
    assert step["inputs"][0]["role"] == "agent_logger"
    assert step["inputs"][0]["equal"] == "raw"


def test_sessions_of_the_server_are_told_apart(run: Path) -> None:
    """Three of its four: the ticks of the third go on where those of the second end (AUDIT-22)."""
    listed = [one for one in chronology(Directory(run)) if one.stream == "testmod"]
    assert sorted({one.domain for one in listed}) == [0, 1, 2]
    assert [one.domain for one in listed] == sorted(one.domain for one in listed)


def test_identical_hash_was_a_label(published: Path) -> None:
    """Answer and oracle were called identical; they differ in line ends, which is computed."""
    said = json.loads((published / "manifest.EXCERPT.json").read_bytes())
    for name in ("answer", "oracle"):
        (entry,) = [one for one in said["self_contradictions"] if one["file"] == f"{name}.json"]
        data = (published / f"result/{name}.json").read_bytes()
        assert "identical" in entry["role_label"]
        assert sha(data) == entry["derived_sha256"] != entry["original_sha256"]
        assert sha(data.replace(b"\n", b"\r\n")) == entry["original_sha256"]


def test_an_oracle_of_the_agents_own_script_is_shown(run: Path, tmp_path: Path) -> None:
    """It was: recorded as a derivation, the agent's hand in it and in the projection is named."""
    root = shutil.copytree(run, tmp_path / "run")
    digests = {path: sha((root / path).read_bytes()) for path in
               ("evidence/testmod.jsonl", "evidence/oracle.json")}  # fmt: skip
    raw = "bdc736ca9ae734f64cbe189c215483f905496892a95fd9be344cde7058d4ba32"
    source = {"path": "freeze/audit.jsonl", "sha256": raw}
    records = [
        {"output": {"path": path, "sha256": digest}, "inputs": [source],
         "tool": "make_evidence.py", "producer": "agent", "at": "2026-09-26T06:48:00Z"}
        for path, digest in digests.items()
    ]  # fmt: skip
    (root / "derivations.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    verdict = audit(Directory(root), rules())
    assert verdict.body["lineage"]["by_agent"] == ["oracle", "test_mod"]
    assert statuses(verdict)[CORRECT] == "FAIL"
    assert [one["tool"] for one in verdict.body["lineage"]["oracle"]] == ["make_evidence.py"]


def test_two_projections_of_one_log_differ(published: Path) -> None:
    """The first had left records out of their order; references to the second are good."""
    later, earlier = (
        [json.loads(line) for line in (published / "result" / name).read_text().splitlines()]
        for name in ("testmod.experiment.jsonl", "testmod.experiment.v1.jsonl")
    )
    assert sorted(one["seq"] for one in later) == [one["seq"] for one in later]
    assert {one["seq"] for one in earlier} == {one["seq"] for one in later}


@pytest.fixture(scope="module")
def negatives(shared: Path) -> Path:
    """Return runs that were spoiled on purpose."""
    return shared / "data" / "cold-start-runs" / "rom21" / "negatives"


def cases(folder: Path) -> Sequence[Json]:
    """Return what the summary says of each."""
    said: Sequence[Json] = json.loads((folder / "summary.json").read_bytes())["cases"]
    return said


def test_the_summary_says_what_its_files_say(negatives: Path) -> None:
    """Each case, word for word, and there is a file for each."""
    found = cases(negatives)
    assert len(found) == 8
    for case in found:
        inside = negatives / case["case"] / "negative.json"
        path = inside if inside.exists() else negatives / f"{case['case']}.json"
        assert json.loads(path.read_bytes()) == case


def test_every_negative_failed_for_what_was_done_to_it(negatives: Path) -> None:
    """The check that was expected is among those that failed, so none passed by luck."""
    found = cases(negatives)
    assert all(case["expectedCheck"] in case["failedChecks"] for case in found)
    assert all(case["verdict"] == "fail" and case["failClosed"] for case in found)
    said = json.loads((negatives / "summary.json").read_bytes())
    assert said["allFailClosed"] is all(case["failClosed"] for case in found)
    assert {case["kind"] for case in found} == {"live", "offline"}


def test_a_check_over_nothing_passed_there(negatives: Path) -> None:
    """Their order and inventory pass where there was no cart; ours fail for the same reason."""
    said = json.loads((negatives / "neg-no_machine_operation" / "verification.json").read_bytes())
    failed = [name for name, check in said["checks"].items() if not check["pass"]]
    assert failed == said["failures"]
    assert said["pressedOperations"] == 0
    vacuous = ("capture_timing", "output_order", "inventory_matches")
    assert all(said["checks"][name]["pass"] for name in vacuous)
    (case,) = [one for one in cases(negatives) if one["case"] == "no_machine_operation"]
    assert case["failedChecks"] == said["failures"]


def test_ours_fails_over_nothing(run: Path, tmp_path: Path) -> None:
    """Without a processing and without a cart nothing passes vacuously."""
    root = shutil.copytree(run, tmp_path / "run")
    path = root / "evidence/testmod.jsonl"
    lines = [line for line in path.read_text().splitlines()
             if json.loads(line)["event"] not in ("input_processed", "cart_ejected",
                                                  "cart_removed")]  # fmt: skip
    path.write_text("".join(line + "\n" for line in lines))
    said = json.loads((root / "evidence.json").read_bytes())
    said["test_mod"]["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (root / "evidence.json").write_text(json.dumps(said))
    verdict = audit(Directory(root), rules())
    found = statuses(verdict)
    assert [found[name] for name in (MACHINE, ARMED, CAPTURED)] == ["FAIL"] * 3
    assert verdict.failure_class == "AGENT_FAIL"
