"""Whatever is recorded is valid; whatever is changed then is named."""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from run_made import lines_of, moment, opened, put_lines, recorder, whole

from canon.refusal import Refusal
from ledger.runs.directory import Directory
from ledger.runs.layout import ACTORS, PHASES, STATUSES
from ledger.runs.recording import STATEMENTS, Recorder, appender
from ledger.runs.structure import problems

SLOW = settings(
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)  # fmt: skip
CALL_IDS = st.sampled_from(["a", "b", "c", "", " ", "\ud800", "x" * 500])
PHASE, ACTOR = st.sampled_from([*PHASES, "party"]), st.sampled_from([*ACTORS, "nobody"])
TIMES = st.none() | st.integers(-5, 60).map(moment) | st.sampled_from(["soon", ""])
Step = Callable[[Recorder], Any]


def step(name: str, *given: Any, **named: Any) -> Step:
    """Return what calls a method of the recorder."""
    return lambda recording: getattr(recording, name)(*given, **named)


STEPS = st.one_of(
    st.builds(lambda c, v, p, a, t: step("call", c, "t", v, phase=p, actor=a, at=t),
              CALL_IDS, VALUES, PHASE, ACTOR, TIMES),
    st.builds(lambda c, s, v, t: step("result", c, s, result=v, at=t),
              CALL_IDS, st.sampled_from([*STATUSES, "fine"]), VALUES, TIMES),
    st.builds(lambda p, a, t: step("phase", p, a, at=t), PHASE, ACTOR, TIMES),
    st.builds(lambda n, v, t: step("mark", n, {"v": v}, at=t), st.text(), VALUES, TIMES),
    st.builds(lambda r: step("record", r), st.dictionaries(
        st.sampled_from(["record", "name", "run_id", "call_id", "tool", "at", "phase"]),
        st.sampled_from(["mark", "call", "first", "a", "agent"]) | VALUES)),
    st.builds(lambda s: step("declare", s, "task.md", cwd=Path("/")),
              st.sampled_from(["answer", "test_mod", "pockets"])),
    st.builds(lambda s, b, e, t: step("review", "x.y", s, by=b, evidence=e, at=t),
              st.sampled_from(["resolved", "rejected", "pending", "fine"]),
              st.none() | st.text(), st.lists(st.text(), max_size=2), TIMES),
    st.builds(lambda b, s: step("attest", b, s), st.text(),
              st.lists(st.sampled_from([*STATEMENTS, "more"]))),
    st.builds(lambda p: step("derive", "task.md", ["run.json"], tool="t", producer=p,
                             cwd=Path("/")), ACTOR),
    st.builds(lambda n: step("artifact", Path(n), n, cwd=Path("/")),
              st.sampled_from(["/etc/hostname", "/nowhere"])),
)  # fmt: skip


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder for one example after the other; clocks that are behind catch up at once."""
    monkeypatch.setattr(appender, "_PAUSE_SECONDS", 0)
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@SLOW
@given(steps=st.lists(STEPS, max_size=12))
def test_whatever_is_recorded_is_valid(steps: list[Step], place: Path) -> None:
    """Steps are taken or refused, never half; only results may be missing (RUN-76)."""
    run = place / "run"
    shutil.rmtree(run, ignore_errors=True)
    opened(run)
    with recorder(run) as recording:
        for one in steps:
            before = (run / "trajectory.jsonl").read_bytes()
            try:
                one(recording)
            except Refusal:
                assert (run / "trajectory.jsonl").read_bytes() == before
    # A task is no log of a test mod, and was declared as one all the same.
    lines = {one.code for one in problems(Directory(run)) if one.file != "task.md"}
    assert lines <= {"call_without_result"}
    with recorder(run, 70) as recording:
        for record in lines_of(run / "trajectory.jsonl"):
            if record["record"] == "call":
                with suppress(Refusal):  # it has one
                    recording.result(record["call_id"], "open")
    assert [one for one in problems(Directory(run)) if one.file != "task.md"] == []


@pytest.fixture(scope="module")
def valid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a valid run with everything in it."""
    return whole(tmp_path_factory.mktemp("laws") / "run")


HASHED = (
    "task.md", "visibility/files/notes/machine.md", "artifacts/001-logger.jar",
    "imports/session.jsonl", "agent/logger.jsonl", "agent/logger.norm.jsonl", "test/testmod.jsonl",
    "answer.json", "oracle.json", "fixture/ready.json", "restore/verify.json",
    "preflight/preflight.json",
)  # fmt: skip
"""Files of which some document has the digest."""
DOCUMENTS = ("run.json", "visibility.json", "evidence.json")
STREAMS = ("trajectory.jsonl", "reviews.jsonl", "derivations.jsonl")


@SLOW
@given(data=st.data())
def test_a_byte_that_is_changed_is_named(data: st.DataObject, valid: Path) -> None:
    """In each file that a digest covers: another byte, one more, one less (RUN-45)."""
    path = valid / data.draw(st.sampled_from(HASHED))
    before = path.read_bytes()
    at = data.draw(st.integers(0, len(before) - 1))
    other = bytes([data.draw(st.integers(0, 255).filter(lambda byte: byte != before[at]))])
    changed = data.draw(st.sampled_from([
        before[:at] + other + before[at + 1:], before[:at] + other + before[at:],
        before[:at] + before[at + 1:], before[:at],
    ]))  # fmt: skip
    try:
        path.write_bytes(changed)
        named = {one.file for one in problems(Directory(valid))}
    finally:
        path.write_bytes(before)
    assert path.relative_to(valid).as_posix() in named


@SLOW
@given(data=st.data())
def test_a_file_that_is_gone_or_cut_is_named(data: st.DataObject, valid: Path) -> None:
    """Documents and streams in the middle of a line, with the line (RUN-10, RUN-47, RUN-48)."""
    name = data.draw(st.sampled_from([*HASHED, *DOCUMENTS, *STREAMS]))
    path = valid / name
    before = path.read_bytes()
    cut = data.draw(st.none() | st.integers(1, len(before) - 2))
    if name in STREAMS and cut is not None and before[cut - 1 : cut + 1].count(b"\n"):
        cut -= 3  # between two lines nothing is torn
    try:
        if cut is None:
            path.unlink()
        else:
            path.write_bytes(before[:cut])
        found = problems(Directory(valid))
    finally:
        path.write_bytes(before)
    optional = cut is None and name in ("reviews.jsonl", "derivations.jsonl")
    assert any(one.file == name for one in found) != optional
    if name in STREAMS and cut is not None:
        torn = (name, before[:cut].count(b"\n") + 1)
        assert torn in {(one.file, one.line) for one in found if one.code != "review"}


MUST: dict[str, tuple[str, ...]] = {
    "header": ("schema", "run_id", "record", "seq"),
    "call": ("record", "seq", "call_id", "tool", "arguments"),
    "result": ("record", "seq", "call_id", "status"),
    "phase": ("record", "seq", "phase", "actor"),
    "mark": ("record", "seq", "name"),
}


@SLOW
@given(data=st.data())
def test_a_record_that_is_changed_is_named_by_its_line(data: st.DataObject, valid: Path) -> None:
    """Each field that a record must have, taken out or made something else (RUN-50 to RUN-58)."""
    path = valid / "trajectory.jsonl"
    before = path.read_bytes()
    records = lines_of(path)
    number = data.draw(st.integers(0, len(records) - 1))
    record = records[number]
    field = data.draw(st.sampled_from(MUST[record["record"]]))
    if data.draw(st.booleans()):
        del record[field]
    elif field == "arguments":
        return  # any JSON will do
    else:
        record[field] = data.draw(st.sampled_from([None, True, [], {}, 0.5, "", "nothing known"])
                                  .filter(lambda value: not _still_good(field, value)))  # fmt: skip
    try:
        put_lines(path, records)
        found = problems(Directory(valid))
    finally:
        path.write_bytes(before)
    assert (path.name, number + 1) in {(one.file, one.line) for one in found}


def _still_good(field: str, value: Any) -> bool:
    """Tell whether a field may have a value, as far as the record alone tells."""
    return field in ("tool", "name", "call_id") and value == "nothing known"


@SLOW
@given(data=st.data())
def test_lines_that_are_moved_repeated_or_dropped_are_named(
    data: st.DataObject, valid: Path
) -> None:
    """But for marks and phases at the end, which nothing in the run counts (RUN-53, RUN-56)."""
    path = valid / "trajectory.jsonl"
    before = path.read_bytes()
    lines = before.splitlines(keepends=True)
    at = data.draw(st.integers(0, len(lines) - 1))
    other = data.draw(st.integers(0, len(lines) - 1).filter(lambda number: number != at))
    kind = json.loads(lines[at])["record"]
    do = data.draw(st.sampled_from(["swap", "repeat", "drop"]))
    if do == "swap":
        lines[at], lines[other] = lines[other], lines[at]
    elif do == "repeat":
        lines.insert(other, lines[at])
    elif kind in ("mark", "phase"):
        return
    else:
        del lines[at]
    try:
        path.write_bytes(b"".join(lines))
        found = problems(Directory(valid))
    finally:
        path.write_bytes(before)
    assert path.name in {one.file for one in found}
