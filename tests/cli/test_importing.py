"""``import``: what it says of each file, and when it exits 1."""

import json
from pathlib import Path
from typing import Any

import pytest
from cli_place import RELEASE, Run


@pytest.fixture
def release(place: Path) -> dict[str, Any]:
    """Return the release of the prepared folder, to be changed."""
    found: dict[str, Any] = json.loads((place / "results.json").read_text())
    return found


def test_the_same_file_again_adds_nothing(run: Run) -> None:
    """Every attempt is known, and the ledger keeps its size."""
    before = run("status", "--json").json
    ran = run("import", "results.json", "--json")
    source = ran.json["sources"][0]
    assert ran.code == 0
    assert (source["events"], source["new"], source["known"]) == (0, 0, before["attempts"])
    assert run("status", "--json").json["size"] == before["size"]


def test_a_known_file_is_not_said_to_be_imported(
    place: Path, run: Run, release: dict[str, Any]
) -> None:
    """The words say that it is known, as which event, and what took its place since."""
    told = run("import", "results.json")
    seq = run("import", "results.json", "--json").json["sources"][0]["seq"]
    assert told.out.startswith(f"known already: results.json: {RELEASE}, replaybook-release/1\n")
    assert f"it is event {seq}; nothing was appended\n" in told.out
    assert "imported results.json" not in told.out
    assert not told.err
    (place / "newer.json").write_text(json.dumps(release | {"note": "again"}))
    newer = run("import", "newer.json", "--json").json["sources"][0]
    assert newer["supersedes"] == seq
    for words in (["results.json"], ["--dry-run", "results.json"]):
        told = run("import", *words)
        assert told.out.startswith("known already: ")
        assert told.err.startswith(f"event {newer['seq']} superseded it: it does not count")
    again = run("import", "results.json", "--json").json["sources"][0]
    assert again["superseded_by"] == newer["seq"]


def test_a_new_file_is_told_in_numbers(place: Path, run: Run, release: dict[str, Any]) -> None:
    """Another release of the same trials adds memberships and no attempts."""
    (place / "again.json").write_text(json.dumps(release | {"version": "20260102.0.0"}))
    dry = run("import", "--dry-run", "again.json", "--json").json["sources"][0]
    size = run("status", "--json").json["size"]
    ran = run("import", "again.json")
    real = run("import", "again.json", "--json").json["sources"][0]
    assert f"{dry['events']} events, 0 new, {dry['known']} known, 0 set aside" in ran.out
    assert run("status", "--json").json["size"] == size + dry["events"]
    assert (real["events"], real["known"]) == (0, dry["known"])


def test_a_dry_run_appends_nothing(place: Path, run: Run, release: dict[str, Any]) -> None:
    """It reports the same and leaves the ledger as it is."""
    (place / "again.json").write_text(json.dumps(release | {"version": "20260102.0.0"}))
    before = run("status", "--json").json
    ran = run("import", "--dry-run", "again.json")
    assert ran.out.startswith("would import again.json: 20260102.0.0, replaybook-release/1\n")
    assert run("status", "--json").json == before


def test_what_cannot_be_read_is_set_aside(place: Path, run: Run, release: dict[str, Any]) -> None:
    """One bad row exits 1, names the problem with its place, and costs no other row."""
    release["runs"][0]["trial_status"] = "abandoned"
    (place / "odd.json").write_text(json.dumps(release | {"version": "20260102.0.0"}))
    ran = run("import", "odd.json")
    assert ran.code == 1
    assert "1 set aside" in ran.out
    assert "problem[E_STATUS_UNKNOWN]: odd.json#/runs/0" in ran.err
    assert "hint: " in ran.err
    assert run("import", "odd.json", "--json").json["sources"][0]["quarantined"] == 1


def test_a_refused_file_does_not_stop_the_others(place: Path, run: Run) -> None:
    """Each file is whole or not at all; the first refusal is the error of the document."""
    (place / "torn.json").write_text('{"schema_version": 1, "runs": [')
    words = ("import", "torn.json", "absent.json", "results.json")
    ran = run(*words, "--json")
    assert ran.code == 1
    assert [source["path"] for source in ran.json["sources"]] == ["results.json"]
    assert [one["path"] for one in ran.json["refused"]] == ["torn.json", "absent.json"]
    assert ran.json["error"]["code"] == ran.json["refused"][0]["code"] == "E_JSON_TRUNCATED"
    shown = run(*words)
    assert shown.code == 1
    assert shown.err.count("error[") == 2
    assert f"results.json: {RELEASE}" in shown.out


def test_the_format_can_be_named(run: Run) -> None:
    """A format that this version has is taken by name; another is refused with the list."""
    assert run("import", "--format", "replaybook-release/1", "results.json").code == 0
    ran = run("import", "--format", "nonsense", "results.json", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (64, "E_FORMAT_NAME")
    assert "replaybook-release/1" in ran.json["error"]["message"]


def test_many_problems_are_cut_short(place: Path, run: Run, release: dict[str, Any]) -> None:
    """People see the first ten on stderr; the document has them all."""
    for row in release["runs"]:
        row["reward"] = 7
    (place / "odd.json").write_text(json.dumps(release | {"version": "20260102.0.0"}))
    ran = run("import", "--dry-run", "odd.json")
    assert ran.err.count("problem[") == 10
    assert f"and {len(release['runs']) - 10} problems more" in ran.err
    document = run("import", "--dry-run", "odd.json", "--json").json
    assert len(document["sources"][0]["problems"]) == len(release["runs"])
