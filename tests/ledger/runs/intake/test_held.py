"""A run read out of a ledger again: what the directory has, and had."""

import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.check import check_ledger
from ledger.runs.contents import Contents, File
from ledger.runs.directory import Directory
from ledger.runs.intake.held import Held
from ledger.runs.intake.observing import observe
from ledger.runs.intake.passing import in_memory_ledger

AT = "2026-03-01T00:00:00.000000Z"


def stand(contents: Contents) -> list[tuple[object, ...]]:
    """Return all that a run says of its files, in its order."""
    return [_stand(contents, file) for file in contents.files()]


def _stand(contents: Contents, file: File) -> tuple[object, ...]:
    said = (file.role, file.path, file.state, file.why, file.size_bytes, file.sha256)
    if file.state != "present":
        return (*said, file.canonical)
    lines = list(contents.lines(file))
    assert b"".join(lines) == contents.data(file)
    return (*said, file.canonical, lines)


def test_a_run_comes_out_as_it_went_in(shelf: Any, run: Any) -> None:
    """KEEP-11: files, digests, bytes and lines are those of the directory."""
    (run.root / "answer.json").unlink()
    run.edit("evidence.json", oracle={"path": "../oracle.json"}, fixture={"path": "no.json"})
    shelf.take(run)
    assert stand(shelf.held()) == stand(Directory(run.root))


def test_every_earlier_size_gives_what_stood_then(shelf: Any, run: Any) -> None:
    """KEEP-12: at the size before a change, the bytes before it."""
    seen = []
    for number in range(4):
        run.append("trajectory.jsonl", {"record": "mark", "name": str(number)})
        run.edit("run.json", notes=[number])
        run.write("answer.json", {"carts": [number]})
        if number == 2:
            (run.root / "reviews.jsonl").unlink()
        shelf.take(run)
        seen.append((shelf.ledger.size, stand(Directory(run.root))))
    for size, stood in seen:
        assert stand(shelf.held(as_of=size)) == stood


def test_half_of_a_file_is_nothing_of_it(shelf: Any, run: Any) -> None:
    """KEEP-12: at a size within a file's records, its version before counts."""
    shelf.take(run)
    before = shelf.ledger.size
    run.append("trajectory.jsonl", {"record": "mark"}, {"record": "mark"})
    shelf.take(run)
    was = shelf.text("trajectory", as_of=before)
    assert [shelf.text("trajectory", as_of=before + more) for more in (1, 2)] == [was, was]
    assert shelf.text("trajectory", as_of=before + 3) == run.read("trajectory.jsonl")


def test_what_a_ledger_has_nothing_of_is_absent(shelf: Any) -> None:
    """A run that was never taken in has the files that every run has, and none of them is there."""
    held = shelf.held(run="unknown")
    assert not held.known
    assert {file.state for file in held.files()} == {"absent"}
    with pytest.raises(LookupError):
        held.data(held.files()[0])


def test_a_long_chain_of_versions_is_followed(shelf: Any, run: Any) -> None:
    """KEEP-12: a run that was recorded live has a version for each record."""
    for number in range(60):
        run.append("trajectory.jsonl", {"record": "mark", "name": str(number)})
        assert shelf.take(run, roles=["trajectory"]).new == (4 if number == 0 else 1)
    shelf.take(run)
    assert stand(shelf.held()) == stand(Directory(run.root))


def test_paths_that_are_no_text_are_told_apart(shelf: Any, run: Any) -> None:
    """KEEP-2: half of a surrogate pair is a path of its own, whatever is written like it."""
    paths = ["a\ud800", "a\\ud800", "a\\xed\\xa0\\x80", ":61eda080", "aí\xa0"]
    for number in range(3):
        run.edit("run.json", artifacts=[{"path": path} for path in paths], notes=[number])
        for path in paths[1:number]:
            run.write(path, path)
        shelf.take(run)
        assert stand(shelf.held()) == stand(Directory(run.root))
    assert check_ledger(shelf.ledger).ok


PATHS = ("answer.json", "a/b.jsonl", "reviews.jsonl", "trajectory.jsonl", "withheld.json", "x")
SLOT = st.none() | st.fixed_dictionaries({"path": st.sampled_from((*PATHS, "../up", "/abs", ""))})
LINE = st.sampled_from(
    [b"{}\n", b'{"seq":1}\n', b'{"seq":1}\r\n', b"\n", b"no", b"\xff\n", b'{"id":"a"}\n']
)
BYTES = st.lists(LINE, max_size=5).map(b"".join)
LISTED = st.lists(SLOT.filter(bool) | st.just({"copy": "x"}), max_size=3)
DOCUMENT = st.fixed_dictionaries(
    {},
    optional={
        "artifacts": LISTED,
        "imports": LISTED,
        "files": LISTED,
        "agent_logger": SLOT | st.just({"path": "a/b.jsonl", "normalized": "a/b.jsonl"}),
        "test_mod": SLOT,
        "answer": SLOT,
        "review": SLOT,
    },
).map(lambda said: json.dumps({"run_id": "r", **said}).encode())
CHANGE = st.tuples(
    st.sampled_from((*PATHS, "task.md", "derivations.jsonl", "preflight/config.json")),
    st.none() | BYTES | BYTES.map(lambda more: (b"+", more)),
) | st.tuples(
    st.sampled_from(("run.json", "evidence.json", "visibility.json", "withheld.json")), DOCUMENT
)


def change(root: Path, path: str, what: Any) -> None:
    """Write a file, append to it, or take it away."""
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    if what is None:
        target.unlink(missing_ok=True)
    elif isinstance(what, tuple):
        target.write_bytes((target.read_bytes() if target.exists() else b"") + what[1])
    else:
        target.write_bytes(what)


@given(steps=st.lists(st.lists(CHANGE, min_size=1, max_size=4), min_size=1, max_size=5))
def test_any_history_of_any_run_comes_out_as_it_went_in(
    steps: Sequence[Sequence[tuple[str, Any]]],
) -> None:
    """KEEP-11, KEEP-12: at every size that a run was taken in at, it stands as it stood."""
    seen = []
    with (
        tempfile.TemporaryDirectory() as name,
        in_memory_ledger(at=AT, entropy=os.urandom) as ledger,
    ):
        root = Path(name)
        for step in steps:
            for path, what in step:
                change(root, path, what)
            contents = Directory(root)
            report = observe(ledger, contents, at=AT, entropy=os.urandom, run="r")
            assert report.seq is not None
            seen.append((ledger.size, stand(contents)))
            again = observe(ledger, Directory(root), at=AT, entropy=os.urandom, run="r")
            assert (again.events, again.known) == (0, report.known + report.new)
        for size, stood in seen:
            assert stand(Held(ledger, "r", size)) == stood
