"""Laws of sessions, over random trees, random cuts and random damage."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pi_sessions import Made

from canon.refusal import Refusal
from ledger.errors import PiChanged, PiSessionInvalid
from ledger.runs.pi import Imported, lines, read_session

NOW = "2026-04-01T00:00:00.000000Z"


def records(data: bytes, folder: Path) -> list[dict[str, Any]]:
    """Return the records of a session."""
    return [one.record for one in imported(data, folder)]


def imported(data: bytes, folder: Path) -> list[Imported]:
    """Return the records of a session, with their lines."""
    path = folder / "session.jsonl"
    path.write_bytes(data)
    return list(read_session(path).records(phase="agent", now=NOW))


def tree(parents: list[int], version: int = 3) -> Made:
    """Return a session in which entry *n* follows ``parents[n]``; 0 is no entry: a root.

    Entry *n*, from 1, calls ``cN``.
    """
    made = Made(version)
    for number, parent in enumerate(parents, 1):
        made.back(f"a{parent}" if parent else None).calls(f"c{number}")
    return made


@st.composite
def trees(draw: st.DrawFn) -> list[int]:
    """Draw what each entry follows: any earlier one, or nothing."""
    length = draw(st.integers(0, 25))
    return [draw(st.integers(0, number)) for number in range(length)]


@given(parents=trees())
def test_the_active_branch_and_nothing_else(parents: list[int], tmp_path: Path) -> None:
    """PI-2: the calls that come out are those on the way from the last entry to its root."""
    expected, at = [], len(parents)
    while at:
        expected.append(f"c{at}")
        at = parents[at - 1]
    found = records(tree(parents).data(), tmp_path)
    assert [one["call_id"] for one in found] == expected[::-1]


@given(parents=trees())
def test_what_is_left_is_counted(parents: list[int], tmp_path: Path) -> None:
    """PI-2: no call is lost: it is imported, or counted as one of another branch."""
    path = tmp_path / "session.jsonl"
    path.write_bytes(tree(parents).data())
    session = read_session(path)
    found = list(session.records(phase="agent", now=NOW))
    assert session.report.calls == len(found)
    assert session.report.calls + session.report.aside.calls == len(parents)


@given(length=st.integers(1, 12), data=st.data())
def test_a_cut_loses_nothing_before_it(length: int, data: st.DataObject, tmp_path: Path) -> None:
    """PI-5: of a file that is cut off anywhere, everything before the cut is read."""
    version = data.draw(st.sampled_from((1, 2, 3)))
    made = Made(version)
    for number in range(1, length + 1):
        made.calls(f"c{number}").result(f"c{number}", "é" * number)
    whole = made.data()
    cut = data.draw(st.integers(0, len(whole)))
    if cut < len(made.lines[0].encode()):
        with pytest.raises(PiSessionInvalid):
            records(whole[:cut], tmp_path)
        return
    kept = whole[:cut]
    full = kept.count(b"\n") + (kept[kept.rfind(b"\n") + 1 :] == made_line(made, kept))
    everything = imported(whole, tmp_path)
    assert imported(kept, tmp_path) == [one for one in everything if one.line <= full]


@given(parents=trees(), data=st.data())
def test_a_cut_tree_is_the_tree_of_its_whole_lines(
    parents: list[int], data: st.DataObject, tmp_path: Path
) -> None:
    """PI-2, PI-5: half a line at the end changes nothing: neither what it says nor its place."""
    whole = tree(parents).data()
    header = whole.index(b"\n") + 1
    cut = data.draw(st.integers(header, len(whole)))
    kept = whole[:cut]
    end = kept.rfind(b"\n") + 1
    if whole[cut : cut + 1] == b"\n":
        end = cut
    assert records(kept, tmp_path) == records(whole[:end], tmp_path)


def made_line(made: Made, kept: bytes) -> bytes | None:
    """Return the line in which a file ends, whole; None where it ends after one."""
    number = kept.count(b"\n")
    return made.lines[number].encode() if number < len(made.lines) else None


@given(length=st.integers(2, 12), data=st.data())
def test_a_broken_line_loses_itself(length: int, data: st.DataObject, tmp_path: Path) -> None:
    """PI-5: whatever stands on one line, every other line of a linear session is read."""
    made = tree(list(range(length)), data.draw(st.sampled_from((1, 3))))
    broken = data.draw(st.integers(1, length - 1))
    keep = data.draw(st.integers(0, len(made.lines[broken]) - 1))
    rubbish = data.draw(st.binary(max_size=6)).replace(b"\n", b"")
    all_lines = [line.encode() for line in made.lines]
    all_lines[broken] = all_lines[broken][:keep] + rubbish
    found = [one["call_id"] for one in records(b"\n".join(all_lines), tmp_path)]
    others = [f"c{number}" for number in range(1, length + 1) if number != broken]
    assert [one for one in found if one != f"c{broken}"] == others


@given(noise=st.binary(max_size=300), where=st.integers(0, 2_000))
def test_no_bytes_are_too_much(noise: bytes, where: int, tmp_path: Path) -> None:
    """PI-5: a session with any bytes in it is read, or refused with a code; nothing else."""
    whole = Made().calls("c1").result("c1").calls("c2").result("c2").data()
    at = min(where, len(whole))
    code, found = None, []
    try:
        found = records(whole[:at] + noise + whole[at:], tmp_path)
    except Refusal as refusal:
        code = refusal.code
    assert code in (None, "E_PI_SESSION", "E_PI_VERSION")
    assert json.dumps([one for one in found if one["record"] == "result"])
    assert {one["record"] for one in found} <= {"call", "result"}


def test_each_version_of_pi_gives_the_same_records(tmp_path: Path) -> None:
    """PI-1, PI-2: the same session gives the same records in each version, names apart."""
    made = []
    for version in (1, 2, 3):
        session = Made(version).user().calls("c1", "c2").result("c1").result("c2").user()
        found = records(session.data(), tmp_path)
        for one in found:
            one["origin"].pop("entry", None)
        made.append(found)
    assert made[0] == made[1] == made[2]
    assert len(made[0]) == 4


def test_a_session_that_grows_is_read_as_far_as_it_was(tmp_path: Path) -> None:
    """PI-3: what is appended after the branch was found is not there yet."""
    path = tmp_path / "session.jsonl"
    made = Made().calls("c1").result("c1")
    path.write_bytes(made.data())
    session = read_session(path)
    path.write_bytes(made.calls("c2").data())
    assert [one.line for one in session.records(phase="agent", now=NOW)] == [2, 3]


@pytest.mark.parametrize(
    "change", [lambda data: data[:-5], lambda data: data.replace(b"c1", b"c9")]
)
def test_a_session_that_changes_is_refused(change: Any, tmp_path: Path) -> None:
    """PI-3: other bytes than those of which the branch was found are no session to report of."""
    path = tmp_path / "session.jsonl"
    data = Made().calls("c1").result("c1").data()
    path.write_bytes(data)
    session = read_session(path)
    path.write_bytes(change(data))
    with pytest.raises(PiChanged):
        list(session.records(phase="agent", now=NOW))


def test_a_line_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PI-4: it is named and passed over; the line after it is read, and so is its place."""
    monkeypatch.setattr(lines, "LINE_LIMIT", 1_000)
    made = Made().calls("c1").result("c1", "x" * 3_000_000).calls("c2").result("c2")
    path = tmp_path / "session.jsonl"
    path.write_bytes(made.data())
    session = read_session(path)
    found = list(session.records(phase="agent", now=NOW))
    assert [one.record["call_id"] for one in found] == ["c1", "c2", "c2"]
    problems = [(one.line, one.code) for one in session.report.problems.kept]
    assert problems == [(2, "E_PI_UNANSWERED"), (3, "E_PI_LINE_LONG")]


def test_the_limit_of_a_text(tmp_path: Path) -> None:
    """PI-11: 20,000 characters are cut where no other limit is given; 19,999 are not."""
    made = Made().calls("c1", "c2").result("c1", "é" * 19_999).result("c2", "é" * 20_000)
    bodies = [one["result"] for one in records(made.data(), tmp_path)[2:]]
    assert [one["truncated"] for one in bodies] == [False, True]
    assert [len(one["text"]) for one in bodies] == [19_999, 20_000]


@given(text=st.text(max_size=60), limit=st.integers(1, 70))
def test_a_cut_text_is_whole_in_its_attachment(text: str, limit: int, tmp_path: Path) -> None:
    """PI-11, PI-12: head and tail are those of the text, and the attachment is all of it."""
    path = tmp_path / "session.jsonl"
    path.write_bytes(Made().calls("c1").result("c1", text).data())
    made = list(read_session(path).records(phase="agent", now=NOW, max_text=limit))
    body, attachment = made[1].record["result"], made[1].attachment
    assert body["truncated"] == (len(text) >= limit) == (attachment is not None)
    if attachment is None or len(text) == limit:
        assert body["text"] == text
    else:
        tail = limit // 2
        assert body["text"].startswith(text[: limit - tail] + "\n[")
        assert body["text"].endswith("]\n" + text[len(text) - tail :])
    if attachment is not None:
        assert attachment.data.decode() == text
        assert attachment.path == body["full"] == f"imports/results/{body['sha256']}.txt"
