"""One valid run, one fault each: every word that validation has for it."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from run_made import RUN_ID, change, digest, lines_of, moment, put_lines, whole

from ledger.runs import problems as told
from ledger.runs.directory import Directory
from ledger.runs.layout import MAX_LINE_BYTES, TRAJECTORY_SCHEMA
from ledger.runs.structure import problems, structure

Break = Callable[[Path], Any]
SPECS = Path(__file__).resolve().parents[3] / "specs"
AGAINST_A_LEDGER = {"not_in_ledger", "vanished", "unnamed", "line_ends"}


def edited(name: str, edit: Callable[[list[Any]], Any]) -> Break:
    """Change the records of a file."""

    def go(root: Path) -> None:
        records = lines_of(root / name)
        edit(records)
        put_lines(root / name, records)

    return go


def record(number: int, **fields: Any) -> Break:
    """Set fields of the record in a line of the trajectory."""
    return edited("trajectory.jsonl", lambda all_: all_[number - 1].update(fields))


def without(number: int, name: str) -> Break:
    """Take a field out of the record in a line of the trajectory."""
    return edited("trajectory.jsonl", lambda all_: all_[number - 1].pop(name))


def more(**fields: Any) -> Break:
    """Append a record to the trajectory."""
    base = {"schema": TRAJECTORY_SCHEMA, "run_id": RUN_ID, "seq": 900, "at": moment(900)}
    return edited("trajectory.jsonl", lambda all_: all_.append(base | fields))


def document(name: str, **fields: Any) -> Break:
    """Set fields of a document."""
    return lambda root: change(root / name, **fields)


def declared(slot: str, value: Any) -> Break:
    """Declare something in a slot of evidence.json."""
    return document("evidence.json", **{slot: value})


def raw(name: str, data: bytes) -> Break:
    """Write other bytes into a file."""
    return lambda root: (root / name).write_bytes(data)


def appended(name: str, data: bytes) -> Break:
    """Append bytes to a file."""
    return lambda root: (root / name).write_bytes((root / name).read_bytes() + data)


def gone(name: str) -> Break:
    """Delete a file."""
    return lambda root: (root / name).unlink()


def rehashed(slot: str, name: str, data: bytes) -> Break:
    """Write other bytes into a file that is evidence, and declare them."""

    def go(root: Path) -> None:
        (root / name).write_bytes(data)
        change(root / "evidence.json", **{slot: {"path": name, "sha256": digest(root / name)}})

    return go


def linked(name: str) -> Break:
    """Put a link to the file in its place."""

    def go(root: Path) -> None:
        (root / name).rename(root.parent / "elsewhere")
        (root / name).symlink_to(root.parent / "elsewhere")

    return go


def swapped(one: int, two: int) -> Break:
    """Let two lines of the trajectory change places, each with the number of the place."""

    def swap(records: list[Any]) -> None:
        a, b = records[one - 1], records[two - 1]
        a["seq"], b["seq"] = b["seq"], a["seq"]
        records[one - 1], records[two - 1] = b, a

    return edited("trajectory.jsonl", swap)


END = 20
"""The line behind the last one of the valid run."""

T, R, D, V = "trajectory.jsonl", "reviews.jsonl", "derivations.jsonl", "visibility.json"
PIN = {"path": "answer.json", "sha256": "0" * 64}
BAD_DIGEST = {"path": "answer.json", "sha256": "no digest"}

FAULTS: dict[str, tuple[Break, str, int | None, str]] = {
    # files (RUN-10, RUN-11, RUN-20, RUN-21, RUN-45)
    "no manifest": (gone("run.json"), "run.json", None, "missing"),
    "no task": (gone("task.md"), "task.md", None, "missing"),
    "no inventory": (gone(V), V, None, "missing"),
    "no evidence": (gone("evidence.json"), "evidence.json", None, "missing"),
    "no trajectory": (gone(T), T, None, "missing"),
    "an artifact is gone": (gone("artifacts/001-logger.jar"), "artifacts/001-logger.jar", None,
                            "missing"),
    "an import is gone": (gone("imports/session.jsonl"), "imports/session.jsonl", None, "missing"),
    "a copy is gone": (gone("visibility/files/notes/machine.md"),
                       "visibility/files/notes/machine.md", None, "missing"),
    "evidence is gone": (gone("oracle.json"), "oracle.json", None, "missing"),
    "an absolute path": (declared("oracle", {"path": "/etc/passwd"}), "/etc/passwd", None,
                         "absolute"),
    "another system's path": (declared("oracle", {"path": "F:\\runs\\oracle.json"}),
                              "F:\\runs\\oracle.json", None, "absolute"),
    "a path that climbs": (declared("oracle", {"path": "a/../../oracle.json"}),
                           "a/../../oracle.json", None, "climbs"),
    "a link": (linked("oracle.json"), "oracle.json", None, "symlink"),
    "an empty path": (declared("oracle", {"path": "./"}), "./", None, "empty_path"),
    "a folder": (declared("oracle", {"path": "agent"}), "agent", None, "not_a_file"),
    "another task": (appended("task.md", b"\n"), "task.md", None, "hash_differs"),
    "another copy": (appended("visibility/files/notes/machine.md", b"\n"),
                     "visibility/files/notes/machine.md", None, "hash_differs"),
    "another artifact": (appended("artifacts/001-logger.jar", b"\n"), "artifacts/001-logger.jar",
                         None, "hash_differs"),
    "another session": (appended("imports/session.jsonl", b"\n"), "imports/session.jsonl", None,
                        "hash_differs"),
    "another answer": (raw("answer.json", b"{}"), "answer.json", None, "hash_differs"),
    "another view": (appended("agent/logger.norm.jsonl", b"{}\n"), "agent/logger.norm.jsonl", None,
                     "hash_differs"),
    # documents (RUN-42 to RUN-47)
    "an empty manifest": (raw("run.json", b""), "run.json", None, "empty_file"),
    "half a manifest": (raw("run.json", b'{"schema": '), "run.json", None, "not_json"),
    "a list for a manifest": (raw("run.json", b"[]"), "run.json", None, "not_an_object"),
    "a binary inventory": (raw(V, b"\xff\xfe\x00"), V, None, "not_utf8"),
    "a name twice": (raw("evidence.json", b'{"oracle": null, "oracle": null}'), "evidence.json",
                     None, "duplicate_name"),
    "a deep manifest": (raw("run.json", b'{"a":' + b"[" * 100_000), "run.json", None, "too_deep"),
    "a long manifest": (raw("run.json", b" " * (MAX_LINE_BYTES + 1)), "run.json", None,
                        "too_long"),
    "another schema": (document("run.json", schema="x"), "run.json", None, "schema"),
    "no run id": (document("run.json", run_id=" "), "run.json", None, "field"),
    "no time of opening": (document("run.json", created_at="soon"), "run.json", None, "time"),
    "no digest of the task": (document("run.json", task={"path": "task.md"}), "run.json", None,
                              "hash_missing"),
    "no task in the manifest": (document("run.json", task=None), "run.json", None, "field"),
    "another trajectory": (document("run.json", trajectory={"path": "b.jsonl"}), "run.json", None,
                           "field"),
    "a trajectory that is no object": (document("run.json", trajectory="b"), "run.json", None,
                                       "field"),
    "imports that are no list": (document("run.json", imports={}), "run.json", None, "field"),
    "an artifact without a path": (document("run.json", artifacts=[{"sha256": "0" * 64}]),
                                   "run.json", None, "field"),
    "an artifact without a digest": (document("run.json", artifacts=[{"path": "answer.json"}]),
                                     "run.json", None, "hash_missing"),
    "an artifact of no phase": (document("run.json", artifacts=[PIN | {"phase": "party"}]),
                                "run.json", None, "phase"),
    "another inventory": (document(V, schema="x"), V, None, "schema"),
    "no list of files": (document(V, files=None), V, None, "field"),
    "a file without a path": (document(V, files=[{"sha256": "0" * 64}]), V, None, "field"),
    "a copy that is no path": (document(V, files=[PIN | {"copy": 1}]), V, None, "field"),
    "a copy without a digest": (document(V, files=[{"path": "a", "copy": "answer.json"}]), V, None,
                                "hash_missing"),
    "a large file without a digest": (document(V, files=[{"path": "a", "copy": None}]), V, None,
                                      "hash_missing"),
    "a large file with a bad one": (document(V, files=[{"path": "a", "copy": None, "sha256": 1}]),
                                    V, None, "hash_malformed"),
    "another count": (document(V, file_count=7), V, None, "count"),
    "another count in the manifest": (
        document("run.json", visibility={"path": V, "file_count": True}), "run.json", None, "count"
    ),
    "a slot that is a text": (declared("oracle", "oracle.json"), "evidence.json", None, "field"),
    "a slot without a path": (declared("oracle", {"sha256": "0" * 64}), "evidence.json", None,
                              "field"),
    "a digest that is none": (declared("answer", BAD_DIGEST), "evidence.json", None,
                              "hash_malformed"),
    "a view without a digest": (
        declared("agent_logger", {"path": "agent/logger.jsonl",
                                  "normalized": "agent/logger.norm.jsonl"}),
        "evidence.json", None, "hash_missing",
    ),
    "a view that is no path": (
        declared("agent_logger", {"path": "agent/logger.jsonl", "normalized": 1}),
        "evidence.json", None, "field",
    ),
    "an answer that is a list": (rehashed("answer", "answer.json", b"[]"), "answer.json", None,
                                 "not_an_object"),
    "an empty oracle": (rehashed("oracle", "oracle.json", b""), "oracle.json", None, "empty_file"),
    "a broken log": (rehashed("test_mod", "test/testmod.jsonl", b"{}\n{]\n{}\n"),
                     "test/testmod.jsonl", 2, "not_json"),
    "a torn log": (rehashed("test_mod", "test/testmod.jsonl", b'{}\n{"a'), "test/testmod.jsonl", 2,
                   "truncated"),
    # the trajectory (RUN-48, RUN-50 to RUN-58)
    "an empty trajectory": (raw(T, b""), T, None, "empty_file"),
    "a torn record": (appended(T, b'{"record": "ca'), T, END, "truncated"),
    "a binary record": (appended(T, b"\xff\xfe\n"), T, END, "not_utf8"),
    "a blank line": (appended(T, b"\n"), T, END, "blank"),
    "a list": (appended(T, b"[]\n"), T, END, "not_an_object"),
    "a long line": (appended(T, b'"' + b"x" * MAX_LINE_BYTES + b'"\n'), T, END, "too_long"),
    "no header": (edited(T, lambda all_: all_.pop(0)), T, 1, "header_missing"),
    "a second header": (more(record="header"), T, END, "header_repeated"),
    "a header of another schema": (record(1, schema="x"), T, 1, "schema"),
    "a header without schema": (without(1, "schema"), T, 1, "schema"),
    "a record of another schema": (record(3, schema="x"), T, 3, "schema"),
    "an unknown kind": (more(record="dance"), T, END, "kind"),
    "no kind": (without(7, "record"), T, 7, "kind"),
    "a header without run id": (without(1, "run_id"), T, 1, "run_id"),
    "another run": (record(3, run_id="other"), T, 3, "run_id"),
    "another run by its other name": (record(3, runId="other"), T, 3, "run_id"),
    "a run id that is a number": (record(3, run_id=5), T, 3, "run_id"),
    "no number": (without(7, "seq"), T, 7, "seq"),
    "a number that is a text": (record(7, seq="7"), T, 7, "seq"),
    "a number that is true": (record(7, seq=True), T, 7, "seq"),
    "a number with a fraction": (record(7, seq=7.5), T, 7, "seq"),
    "a number twice": (record(7, seq=6), T, 7, "seq_order"),
    "no time": (record(7, at="later"), T, 7, "time"),
    "a time that is true": (record(7, at=True), T, 7, "time"),
    "a header of no time": (record(1, created_at="later"), T, 1, "time"),
    "time goes back": (record(7, at=moment(2)), T, 7, "time_order"),
    "before the run was opened": (record(1, created_at=moment(3)), T, 2, "time_order"),
    "an unknown phase": (record(3, phase="party"), T, 3, "phase"),
    "a phase that is a list": (record(3, phase=[]), T, 3, "phase"),
    "a phase record without phase": (without(2, "phase"), T, 2, "phase"),
    "a phase record without actor": (without(2, "actor"), T, 2, "actor"),
    "an unknown actor": (record(3, actor="nobody"), T, 3, "actor"),
    "an unknown status": (record(4, status="fine"), T, 4, "status"),
    "no status": (without(4, "status"), T, 4, "status"),
    "a call without a name": (more(record="call", tool="t", arguments={}), T, END, "call_id"),
    "a result without a name": (more(record="result", status="ok"), T, END, "call_id"),
    "a call without a tool": (without(3, "tool"), T, 3, "tool"),
    "a call without arguments": (without(3, "arguments"), T, 3, "arguments"),
    "a mark without a name": (record(7, name=""), T, 7, "name"),
    "a call twice": (more(record="call", call_id="c1", tool="t", arguments={}), T, END,
                     "call_repeated"),
    "a call alone": (more(record="call", call_id="c9", tool="t", arguments={}), T, END,
                     "call_without_result"),
    "a result alone": (more(record="result", call_id="c9", status="ok"), T, END,
                       "result_without_call"),
    "a second result": (more(record="result", call_id="c1", status="ok"), T, END,
                        "result_repeated"),
    "a result above its call": (swapped(3, 4), T, 3, "result_before_call"),
    "a result earlier than its call": (record(4, at=moment(3)), T, 4, "result_before_call"),
    # reviews and derivations (RUN-60, RUN-61)
    "a broken review": (appended(R, b"{]\n"), R, 3, "not_json"),
    "a derivation that is a list": (appended(D, b"[]\n"), D, 2, "not_an_object"),
}  # fmt: skip
REVIEW = {"id": "x.y", "status": "resolved", "by": "me", "at": moment(1), "evidence": ["a:b"]}
REVIEWS: list[dict[str, Any]] = [
    REVIEW | {"id": None}, REVIEW | {"id": ""}, REVIEW | {"status": "fine"},
    REVIEW | {"by": " "}, REVIEW | {"at": None}, REVIEW | {"at": "soon"},
    REVIEW | {"evidence": []}, REVIEW | {"evidence": None}, REVIEW | {"evidence": "a:b"},
    REVIEW | {"evidence": ["a:b", " "]}, REVIEW | {"evidence": ["a:b", 1]},
    REVIEW | {"status": "rejected", "by": None}, REVIEW | {"status": "rejected", "at": None},
    REVIEW | {"status": "pending", "at": "soon"}, REVIEW | {"status": "pending", "by": 5},
]  # fmt: skip
DERIVATION = {"output": PIN, "inputs": [PIN], "tool": "t", "producer": "agent", "at": moment(1)}
DERIVATIONS: list[dict[str, Any]] = [
    DERIVATION | {"output": {"path": "a"}}, DERIVATION | {"output": None},
    DERIVATION | {"inputs": []}, DERIVATION | {"inputs": [PIN, BAD_DIGEST]},
    DERIVATION | {"tool": ""}, DERIVATION | {"producer": "nobody"},
    DERIVATION | {"producer": None}, DERIVATION | {"at": None},
]  # fmt: skip


@pytest.fixture(scope="module")
def valid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the valid run."""
    return whole(tmp_path_factory.mktemp("runs") / "run")


@pytest.fixture
def run(valid: Path, tmp_path: Path) -> Path:
    """Return a copy of the valid run."""
    import shutil

    return Path(shutil.copytree(valid, tmp_path / "run"))


def test_a_whole_run_is_valid(valid: Path) -> None:
    """Whatever the recorder does, it makes no problem (RUN-10, RUN-62)."""
    found = structure(Directory(valid))
    assert [problem.message for problem in found.problems] == []
    assert found.document() == {
        "schema": "mc-agent-coldstart-validation/1", "valid": True, "problems": [], "withheld": []
    }  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named_with_file_and_line(name: str, run: Path) -> None:
    """Each by its word; other problems may follow from it (RUN-10 to RUN-21, RUN-40 to RUN-59)."""
    fault, file, line, code = FAULTS[name]
    fault(run)
    found = structure(Directory(run))
    assert (file, line, code) in {(one.file, one.line, one.code) for one in found.problems}
    assert not found.valid


@pytest.mark.parametrize("entry", REVIEWS, ids=str)
def test_a_review_that_lacks_something_is_named(entry: Any, run: Path) -> None:
    """What it must have depends on its status (RUN-60)."""
    edited(R, lambda all_: all_.append(entry))(run)
    assert [(one.file, one.line, one.code) for one in problems(Directory(run))] == [
        (R, 3, "review")
    ]


@pytest.mark.parametrize("entry", DERIVATIONS, ids=str)
def test_a_derivation_that_lacks_something_is_named(entry: Any, run: Path) -> None:
    """Digests of what was made and of what from, a tool, a producer, a time (RUN-61)."""
    edited(D, lambda all_: all_.append(entry))(run)
    assert [(one.file, one.line, one.code) for one in problems(Directory(run))] == [
        (D, 2, "derivation")
    ]


def test_reviews_of_each_status_may_be_well_formed(run: Path) -> None:
    """A pending one needs the least (RUN-60)."""
    entries = [REVIEW, REVIEW | {"status": "rejected", "evidence": []},
               {"id": "x", "status": "pending"}]  # fmt: skip
    edited(R, lambda all_: all_.extend(entries))(run)
    assert problems(Directory(run)) == []


def test_reviews_may_stand_elsewhere(run: Path) -> None:
    """Where evidence.json says so, the usual file is no part of the run (RUN-11)."""
    put_lines(run / "seen/by.jsonl", [REVIEW | {"status": "fine"}])
    (run / R).write_text("nonsense\n")
    change(run / "evidence.json", review={"path": "seen/by.jsonl"})
    assert [(one.file, one.code) for one in problems(Directory(run))] == [
        ("seen/by.jsonl", "review")
    ]


def test_every_word_is_on_the_page_and_in_a_row_here() -> None:
    """The table, the hints and the faults of this file are one list (RUN-40)."""
    page = (SPECS / "runs.md").read_text(encoding="utf-8")
    table = page.partition("### Problems")[2].partition("## Rules")[0]
    listed = set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))
    assert listed == set(told.HINTS) - AGAINST_A_LEDGER
    made = {code for _, _, _, code in FAULTS.values()} | {"review", "derivation", "more"}
    assert listed - made == {"unreadable", "too_large"}  # which are in test_directory.py
