"""``invalidate``, ``source list``, ``source withdraw``: decisions on tasks and whole files."""

import json
from pathlib import Path

import pytest
from cli_place import KEY, RELEASE, TRUST, Run

TASK, VERSION = "d01-stuck-mail-queue", 1
NAMED = ("--task", TASK, "--version", VERSION)
WHY = ("--reason", "the verifier passes without a repair", "--key", KEY)


def rows_of(run: Run) -> list[dict[str, object]]:
    """Return the list of attempts."""
    rows: list[dict[str, object]] = run("attempts", "--json").json
    return rows


def its(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """Return the attempts at the task."""
    return [row for row in rows if row["task"] == f"{TASK}@{VERSION}"]


def plain(text: str) -> str:
    """Return text with its lines joined."""
    return " ".join(text.split())


def again(place: Path, name: str, count: int) -> None:
    """Write another file of the release, with the first *count* rows and a new title."""
    release = json.loads((place / "results.json").read_text())
    release["runs"] = release["runs"][:count]
    release["title"] = f"{release['title']}, again"
    (place / name).write_text(json.dumps(release))


def test_every_system_loses_the_task(run: Run) -> None:
    """All attempts at it are excluded by the decision, and say so; others are as before."""
    before = rows_of(run)
    board = run("leaderboard", "--json").json["totals"]
    done = run("invalidate", *NAMED, *WHY, "--json").json
    after = rows_of(run)
    assert done["affected"]["attempts"] == [row["attempt"] for row in its(before)]
    assert done["affected"]["editions"] == ["later", "spring"]
    assert (done["task"], done["evidence"]) == (f"{TASK}@{VERSION}", {"events": [], "outside": []})
    assert len({row["system"] for row in its(after)}) > 1
    for old, new in zip(before, after, strict=True):
        if new["task"] != f"{TASK}@{VERSION}":
            assert old == new
            continue
        assert (new["state"], new["cost"]) == ("excluded", old["cost"])
        assert done["seq"] in [one["seq"] for one in new["decisions"]]  # type: ignore[attr-defined]
    totals = run("leaderboard", "--json").json["totals"]
    assert totals["attempts"] == board["attempts"]
    assert totals["invalidated"] == len(its(before))
    assert totals["evaluated"] + totals["unavailable"] + totals["excluded"] == totals["attempts"]
    assert f"({totals['invalidated']} at invalid tasks)" in plain(run("leaderboard").out)
    assert plain(run("attempts").out).count("task_invalidated") == len(its(before)) - 1
    assert run("status", "--json").json["invalidated_tasks"] == [f"{TASK}@{VERSION}"]
    assert "1 task invalid" in run("status").out
    assert run("replay", "--check").code == 0


def test_what_is_reported_later_is_invalid_too(place: Path, run: Run) -> None:
    """An invalidation is of the version of the task, not of the rows that there were."""
    assert run("init", "--ledger", "new.db", "--origin", "example.org/x", "--keys", "k").code == 0
    words = ("--reason", "x", "--key", "k/root.key", "--ledger", "new.db", "--json")
    refused = run("invalidate", *NAMED, *words)
    assert (refused.code, refused.json["error"]["code"]) == (1, "E_TASK_UNKNOWN")
    assert "--unreported" in refused.json["error"]["hint"]
    done = run("invalidate", *NAMED, "--unreported", *words).json
    assert done["affected"] == {"attempts": [], "editions": []}
    run("import", "results.json", "--ledger", "new.db")
    rows = its(run("attempts", "--ledger", "new.db", "--json").json)
    assert rows
    assert {row["state"] for row in rows} == {"excluded"}


def test_an_edition_carries_it(place: Path, run: Run) -> None:
    """The bundle verifies, lists it, and `diff` and `explain` name it."""
    seq = run("invalidate", *NAMED, *WHY, "--json").json["seq"]
    run("edition", "freeze", "summer", "--from", RELEASE, "--key", KEY)
    run("edition", "export", "summer", "-o", "summer.bundle", "--key", KEY)
    assert run("verify", "summer.bundle", "--trust", TRUST).code == 0
    assert run("show", "summer.bundle", "--json").json["invalidations"] == [seq]
    assert "1 invalidations" in run("show", "summer.bundle").out
    found = run("diff", "later.bundle", "summer.bundle", "--trust", TRUST, "--json").json
    assert found["changed"]
    assert {tuple(one["because"]) for one in found["changed"]} == {(seq,)}
    for name in ("passed", "invalidated"):
        events = run("explain", f"system/*/task/*/{name}", "--json").json["events"]
        assert [one["why"] for one in events if one["seq"] == seq] == [
            f"invalidated {TASK}@{VERSION}"
        ]
    first = its(rows_of(run))[0]["seq"]
    shown = run("show", first, "--json").json["decisions"]
    assert (seq, "task.invalidated/1") in [(one["seq"], one["type"]) for one in shown]


def test_an_invalidation_is_not_repeated(run: Run) -> None:
    """The second is refused with the event of the first."""
    seq = run("invalidate", *NAMED, *WHY, "--json").json["seq"]
    error = run("invalidate", *NAMED, *WHY, "--json").json["error"]
    assert error["code"] == "E_INVALIDATED"
    assert f"by event {seq}" in error["message"]


@pytest.mark.parametrize(
    ("named", "near"),
    [(("--task", "d01-stuck-mail-quee", "--version", 1), TASK),
     (("--task", TASK, "--version", 9), "one of 1")],
)  # fmt: skip
def test_an_unknown_task_is_refused_with_near_ones(
    named: tuple[object, ...], near: str, run: Run
) -> None:
    """A slip of the pen takes nothing away without a word."""
    ran = run("invalidate", *named, *WHY, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, "E_TASK_UNKNOWN")
    assert near in ran.json["error"]["message"]


def test_strangers_invalidate_and_withdraw_nothing(run: Run) -> None:
    """A key that the trust root does not name is refused, and the ledger stays as it is."""
    run("key", "new", "stranger.key")
    before = run("status", "--json").json
    why = ("--reason", "x", "--key", "stranger.key", "--json")
    for words in (("invalidate", *NAMED), ("source", "withdraw", RELEASE)):
        ran = run(*words, *why)
        assert (ran.code, ran.json["error"]["code"]) == (1, "E_KEY_UNKNOWN")
    assert run("status", "--json").json == before


@pytest.mark.parametrize("name", ["2026-spring.1", "a-long-name-of-a-release-2026-spring.12"])
@pytest.mark.parametrize("width", [62, 80, 100, 120])
def test_names_of_sources_can_be_typed_again(
    width: int, name: str, place: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every name is whole and the table within its width: other columns are folded first."""
    release = json.loads((place / "results.json").read_text()) | {"version": name}
    for note in ("one", "two"):
        (place / "again.json").write_text(json.dumps(release | {"note": note}))
        run("import", "again.json")
    monkeypatch.setenv("COLUMNS", str(width))
    rows = run("source", "list").out.splitlines()
    assert max(map(len, rows)) <= width
    assert sum(name in row.split() for row in rows) == 2
    assert any(RELEASE in row.split() for row in rows)


def test_sources_are_listed_as_they_stand(
    place: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Current, superseded by an event, withdrawn by one; also as it was before."""
    monkeypatch.setenv("COLUMNS", "120")
    again(place, "again.json", 5)
    run("import", "again.json")
    first, second = run("source", "list", "--json").json["sources"]
    assert (first["state"], first["superseded_by"]) == ("superseded", second["seq"])
    assert (second["state"], second["supersedes"], second["rows"]) == ("current", first["seq"], 5)
    assert (first["name"], first["quarantined"]) == (RELEASE, 0)
    assert len(first["sha256"]) == 64
    assert first["sha256_public"] is False
    seq = run("source", "withdraw", second["seq"], *WHY, "--json").json["seq"]
    rows = run("source", "list", "--json").json["sources"]
    assert [(row["state"], row["withdrawn_by"]) for row in rows] == [
        ("superseded", None),
        ("withdrawn", seq),
    ]
    out = plain(run("source", "list").out)
    assert f"superseded by {second['seq']}" in out
    assert f"withdrawn by {seq}" in out
    earlier = run("source", "list", "--as-of", second["seq"], "--json").json["sources"]
    assert [row["state"] for row in earlier] == ["current"]


@pytest.mark.parametrize("by", ["seq", "name", "sha256"])
def test_a_source_can_be_named_in_three_ways(by: str, run: Run) -> None:
    """By number, by name, by the first digits of its digest."""
    (source,) = run("source", "list", "--json").json["sources"]
    name = str(source[by])[:12] if by == "sha256" else source[by]
    done = run("source", "withdraw", name, *WHY, "--json").json
    assert (done["source"], done["name"], done["reinstates"]) == (source["seq"], RELEASE, None)
    rows = rows_of(run)
    assert done["affected"]["attempts"] == [row["attempt"] for row in rows]
    assert {row["state"] for row in rows} == {"excluded"}
    assert {row["exclusion"] for row in rows} == {"infrastructure", "source_withdrawn"}
    assert all("source_withdrawn" in row["flags"] for row in rows)  # type: ignore[operator]
    assert run("status", "--json").json["withdrawn_sources"] == [source["seq"]]
    assert "of withdrawn sources" in plain(run("leaderboard").out)
    assert run("replay", "--check").code == 0


def test_what_was_replaced_comes_back_only_when_asked(place: Path, run: Run) -> None:
    """Without --reinstate the older file stays replaced; a second withdrawal can say so."""
    again(place, "again.json", 5)
    before = run("leaderboard", "--edition", RELEASE, "--json").json["totals"]
    run("import", "again.json")
    plain = run("source", "withdraw", RELEASE, *WHY)
    assert "does not count again" in plain.err
    totals = run("leaderboard", "--edition", RELEASE, "--json").json["totals"]
    assert (totals["attempts"], totals["withdrawn"], totals["evaluated"]) == (5, 5, 0)
    newest = run("source", "list", "--json").json["sources"][-1]["seq"]
    error = run("source", "withdraw", newest, *WHY, "--json").json["error"]
    assert error["code"] == "E_WITHDRAWAL"
    assert "counts again" in run("source", "withdraw", newest, "--reinstate", *WHY).err
    assert run("leaderboard", "--edition", RELEASE, "--json").json["totals"] == before
    refused = run("source", "withdraw", newest, "--reinstate", *WHY, "--json").json["error"]
    assert refused["code"] == "E_WITHDRAWAL"
    assert run("replay", "--check").code == 0


def test_a_source_that_replaced_nothing_reinstates_nothing(run: Run) -> None:
    """It is refused before anything is signed."""
    error = run("source", "withdraw", RELEASE, "--reinstate", *WHY, "--json").json["error"]
    assert error["code"] == "E_WITHDRAWAL"
    assert "--reinstate" in error["message"]


@pytest.mark.parametrize("name", ["20260101.0.1", "0", "99", "abcdef012345", "x"])
def test_an_unknown_source_is_refused(name: str, run: Run) -> None:
    """With near names, where there are any."""
    ran = run("source", "withdraw", name, *WHY, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, "E_SOURCE_UNKNOWN")
    if name.startswith("2026"):
        assert RELEASE in ran.json["error"]["message"]


def test_a_reason_is_needed(run: Run) -> None:
    """Nobody can contest what nobody gave a reason for."""
    for words in (("invalidate", *NAMED), ("source", "withdraw", RELEASE)):
        ran = run(*words, "--reason", " ", "--key", KEY, "--json")
        assert (ran.code, ran.json["error"]["code"]) == (1, "E_REASON")
        assert run(*words, "--key", KEY).code == 64


def test_importing_a_withdrawn_file_again_says_so(run: Run) -> None:
    """It is known, adds nothing, and does not count; whoever imports it is told."""
    seq = run("source", "withdraw", RELEASE, *WHY, "--json").json["seq"]
    size = run("status", "--json").json["size"]
    ran = run("import", "results.json")
    assert ran.code == 0
    assert f"event {seq} withdrew it" in ran.err
    assert run("status", "--json").json["size"] == size
