"""``timeline``: every event that bears on a thing, in the order of the ledger."""

import json
from pathlib import Path
from typing import Any

import pytest
from cli_place import KEY, RELEASE, Run, attempts_of

TASK = "d01-stuck-mail-queue@1"
INDEX = 1
"""The row of the attempt that lives long; nothing was decided about it before."""
WHY = ("--reason", "because", "--key", KEY, "--json")


def whats(document: dict[str, Any]) -> dict[int, str]:
    """Return what each event did, by its number."""
    return {one["seq"]: one["what"] for one in document["events"]}


def again(place: Path, name: str, **changed: object) -> None:
    """Write the release anew, with a row changed and the last left out."""
    release = json.loads((place / "results.json").read_text())
    release["runs"][INDEX] |= changed
    release["runs"].pop()
    (place / name).write_text(json.dumps(release))


@pytest.fixture
def lived(place: Path, run: Run) -> tuple[str, dict[str, int]]:
    """Return an attempt with a long life, and the numbers of its events by what they did."""
    first = run("attempts", "--json").json[INDEX]
    attempt, seqs = first["attempt"], {"reported": first["seq"]}
    again(place, "again.json", agent_duration_seconds=1)
    assert run("import", "again.json").code == 0
    sources = run("source", "list", "--json").json["sources"]
    seqs["replaced"] = sources[-1]["seq"]
    seqs["repeated"] = seqs["replaced"] + 2 + INDEX
    words = ("--target", attempt, *WHY)
    seqs["corrected"] = run("correct", "--set", "reward=0", *words).json["seq"]
    seqs["excluded"] = run(
        "exclude", "--class", "provider", "--evidence", "x", *words
    ).json["seq"]  # fmt: skip
    scenario, _, version = first["task"].partition("@")
    named = ("--task", scenario, "--version", version)
    seqs["invalidated"] = run("invalidate", *named, *WHY).json["seq"]
    slot = f"{seqs['reported']}/record"
    seqs["redacted"] = run(
        "redact", "--slot", slot, "--ground", "privacy", "--yes", *WHY
    ).json["seq"]  # fmt: skip
    run("edition", "freeze", "summer", "--key", KEY)
    seqs["frozen"] = run("status", "--json").json["size"] - 1
    seqs["withdrawn"] = run("source", "withdraw", seqs["replaced"], *WHY).json["seq"]
    return attempt, seqs


def test_the_life_of_an_attempt(lived: tuple[str, dict[str, int]], run: Run) -> None:
    """Each event once, with its claimed time and actor, and how the attempt stands now."""
    attempt, seqs = lived
    document = run("timeline", attempt, "--json").json
    assert (document["kind"], document["id"]) == ("attempt", attempt)
    what = whats(document)
    assert list(what) == sorted(what)
    assert what[seqs["reported"]].startswith(f"reported by row {INDEX} of {RELEASE}: evaluated")
    assert what[seqs["repeated"]].endswith("with other agent_duration_s")
    assert "which reports it too" in what[seqs["replaced"]]
    assert what[seqs["corrected"]] == "corrected: reward 1 → 0"
    assert what[seqs["excluded"]] == "excluded: provider"
    assert what[seqs["invalidated"]].startswith("invalidated ")
    assert what[seqs["redacted"]] == f"deleted the bytes of {seqs['reported']}/record"
    assert what[seqs["frozen"]] == "stands in the frozen edition summer"
    assert what[seqs["withdrawn"]].startswith(f"withdrew source {seqs['replaced']}")
    rows = {row["attempt"]: row for row in run("attempts", "--json").json}
    assert document["state"] == {k: v for k, v in rows[attempt].items() if k != "decisions"}
    assert document["state"]["state"] == "excluded"
    listed = {one["seq"]: one for one in run("log", "--all", "--json").json["events"]}
    for one in document["events"]:
        assert {key: listed[one["seq"]][key] for key in ("at", "type", "actor")} == {
            key: one[key] for key in ("at", "type", "actor")
        }
    text = run("timeline", attempt[:12]).out
    assert "excluded: provider" in text
    assert text.startswith(f"attempt {attempt}, as of size ")


def test_as_of_a_size_nothing_later_is_told(lived: tuple[str, dict[str, int]], run: Run) -> None:
    """What was not there yet is not there, and the state is that of then."""
    attempt, seqs = lived
    document = run("timeline", attempt, "--as-of", seqs["corrected"] + 1, "--json").json
    assert max(whats(document)) == seqs["corrected"]
    assert document["state"]["state"] == "valid"


def test_an_attempt_has_several_names(lived: tuple[str, dict[str, int]], run: Run) -> None:
    """Its beginning, its row, and what its source calls it."""
    attempt, seqs = lived
    run_id = run("show", seqs["reported"], "--json").json["body"]["run_id"]
    for name in (attempt[:12], attempt[4:16], f"{RELEASE}#{INDEX}", run_id, f"attempt:{attempt}"):
        assert run("timeline", name, "--json").json["id"] == attempt


def test_what_was_left_out_says_so(lived: tuple[str, dict[str, int]], run: Run) -> None:
    """An attempt that the newer file does not report."""
    _, seqs = lived
    last = [row for row in run("attempts", "--json").json if row["releases"] == []][-1]
    dropped = next(
        row["attempt"] for row in run("attempts", "--json").json
        if "dropped_by_source" in row["flags"] and "source_withdrawn" not in row["flags"]
    )  # fmt: skip
    assert last
    what = whats(run("timeline", dropped, "--json").json)
    assert what[seqs["replaced"]].endswith("which leaves it out")


def test_tasks_systems_and_sources(lived: tuple[str, dict[str, int]], run: Run) -> None:
    """Rows of a source are one line; decisions name the attempt."""
    attempt, seqs = lived
    row = next(row for row in run("attempts", "--json").json if row["attempt"] == attempt)
    for name, kind in ((row["task"], "task"), (row["system"], "system"), (RELEASE, "release")):
        document = run("timeline", name, "--json").json
        assert (document["kind"], document["id"]) == (kind, name)
        what = whats(document)
        assert "attempts of it" in what[seqs["replaced"]]
        assert f"{attempt[:12]}: excluded: provider" in what[seqs["excluded"]]
        assert what.keys() >= {seqs["invalidated"], seqs["withdrawn"], seqs["frozen"]}
        state = document["state"]
        assert state["attempts"] == state["valid"] + state["excluded"] + state["pending"]
        valid = state["repaired"] + state["failed"] + state["unavailable"]
        assert valid == state["valid"]
    document = run("timeline", seqs["replaced"], "--json").json
    assert document["kind"] == "source"
    assert document["state"]["state"] == "withdrawn"
    assert whats(document).keys() >= {seqs["replaced"], seqs["withdrawn"]}


def test_an_edition_tells_what_came_since(lived: tuple[str, dict[str, int]], run: Run) -> None:
    """Its rules, its freeze, and later decisions on what it counts."""
    _, seqs = lived
    document = run("timeline", "spring", "--json").json
    what = whats(document)
    assert "put status/replaybook in force" in what.values()
    assert any(text.startswith("froze spring") for text in what.values())
    assert what.keys() >= {seqs["excluded"], seqs["invalidated"], seqs["withdrawn"]}
    assert document["state"]["since"] >= 3
    summer = whats(run("timeline", "edition:summer", "--json").json)
    assert seqs["excluded"] not in summer
    assert seqs["withdrawn"] in summer


def test_what_came_since_is_known_by_its_event_and_not_by_its_words(place: Path, run: Run) -> None:
    """A category may be called what the line of a freeze says."""
    attempt = attempts_of(place / "coldledger.db", "repaired")[0]
    category = ("--set", "failure_category=frozen edition", "--target", attempt)
    seq = run("correct", *category, *WHY).json["seq"]
    assert "frozen edition" in whats(run("timeline", "spring", "--json").json)[seq]


def test_a_name_of_several_things_is_refused(place: Path, run: Run) -> None:
    """Until a kind stands before it."""
    run("edition", "freeze", TASK, "--key", KEY)
    error = run("timeline", TASK, "--json").json["error"]
    assert error["code"] == "E_NAME_UNKNOWN"
    assert f"task:{TASK}, edition:{TASK}" in error["message"]
    assert run("timeline", f"task:{TASK}", "--json").json["kind"] == "task"
    assert run("timeline", f"edition:{TASK}", "--json").json["kind"] == "edition"


@pytest.mark.parametrize("name", ["nothing", "0", "99999", f"{RELEASE}#999", "x#1", "task:x", ""])
def test_what_is_no_name_is_refused(name: str, run: Run) -> None:
    """With near names where there are any."""
    ran = run("timeline", name, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, "E_NAME_UNKNOWN")


def test_near_names_are_shown(place: Path, run: Run) -> None:
    """A slip of the pen is answered with what may have been meant."""
    assert attempts_of(place / "coldledger.db", "repaired")
    assert TASK in run("timeline", TASK[:-3] + "@1", "--json").json["error"]["message"]
