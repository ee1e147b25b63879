"""``status``, ``log``, ``show``: what a ledger holds, and what a bundle says of itself."""

import json
from pathlib import Path

import pytest
from cli_place import KEY, ORIGIN, RELEASE, Run


def test_status_counts_everything(run: Run) -> None:
    """The document has what the contract names, and names beside the counts."""
    found = run("status", "--json").json
    assert (found["origin"], found["runs"], found["editions"]) == (ORIGIN, 0, 2)
    assert found["edition_names"] == ["later", "spring"]
    assert found["releases"] == [RELEASE]
    assert found["size"] == sum(found["events"].values())
    assert found["attempts"] == found["events"]["attempt.reported/1"]
    assert (found["excluded"], found["corrected"]) == (1, 0)
    assert len(found["root"]) == 64


def test_status_reads_well(run: Run) -> None:
    """People see the same facts, each in a line."""
    out = run("status").out
    assert out.startswith(f"{ORIGIN}  (coldledger.db)\n")
    assert "1 excluded, 0 corrected" in out
    assert "later, spring" in out
    assert "attempt.reported/1" in out


def test_the_log_shows_the_newest_events(run: Run) -> None:
    """By default the newest twenty, in the order of the log, one line each."""
    size = run("status", "--json").json["size"]
    found = run("log", "--json").json
    assert found["size"] == size
    assert [one["seq"] for one in found["events"]] == list(range(size - 20, size))
    out = run("log").out
    assert f"20 events of {size} in {ORIGIN}" in out
    assert len(out.splitlines()) == 2 + 20 + 2
    assert max(map(len, out.splitlines())) <= 100


def test_the_log_can_be_narrowed(run: Run) -> None:
    """By type or family, from a number on, to a number of events, or all of it."""
    size = run("status", "--json").json["size"]
    assert len(run("log", "--all", "--json").json["events"]) == size
    some = run("log", "--from", "2", "--limit", "3", "--json").json["events"]
    assert [one["seq"] for one in some] == [2, 3, 4]
    for type_ in ("edition", "edition.frozen", "edition.frozen/1"):
        frozen = run("log", "--type", type_, "--json").json["events"]
        assert [one["about"].split(",")[0] for one in frozen] == ["spring", "later"]
    assert run("log", "--type", "edit", "--json").json["events"] == []
    newest = run("log", "--type", "attempt.reported", "--limit", "1", "--json").json["events"]
    first = run("log", "--type", "attempt", "--from", "0", "--limit", "1", "--json").json["events"]
    assert newest[0]["seq"] > first[0]["seq"] == 5


def test_every_event_can_be_shown(run: Run) -> None:
    """Each type has a document and a text; a chain of leaves runs through them."""
    prev = None
    for row in run("log", "--all", "--json").json["events"]:
        found = run("show", row["seq"], "--json").json
        assert found["leaf"] == row["leaf"]
        assert prev in (None, found["prev"])
        prev = found["leaf"]
        assert found["about"]
        text = run("show", row["seq"]).out
        assert text.startswith(f"event {row['seq']}  {row['type']}\n")
        assert found["leaf"] in text


def test_a_decision_shows_who_signed_and_why(run: Run) -> None:
    """The keys of the signatures and the reason in prose stand there."""
    seq = run("log", "--type", "attempt.excluded", "--json").json["events"][0]["seq"]
    kid = run("key", "show", KEY, "--json").json["kid"]
    found = run("show", seq, "--json").json
    assert found["signed_by"] == [kid]
    assert found["slots"]["reason"]["state"] == "held"
    text = run("show", seq).out
    assert kid in text
    assert "host rebooted" in text


def test_a_slot_is_written_byte_for_byte(place: Path, run: Run) -> None:
    """What is held comes out as it came in; what is not held is refused."""
    record = run("show", 5, "--slot", "record").out
    assert record in (place / "results.json").read_text()
    assert json.loads(record)["trial_status"]
    document = run("show", 5, "--slot", "record", "--json").json
    assert bytes.fromhex(document["hex"]).decode() == record
    assert run("show", 5, "--slot", "nothing", "--json").json["error"]["code"] == "E_EVENT_UNKNOWN"


def test_redacted_and_withheld_slots_say_so(run: Run) -> None:
    """A slot without bytes tells whether they were deleted or never handed over."""
    redact = ("redact", "--slot", "5/record", "--ground", "privacy", "--reason", "a name")
    seq = run(*redact, "--key", KEY, "--json").json["seq"]
    found = run("show", 5, "--json").json["slots"]["record"]
    assert (found["state"], found["redacted_by"], found["bytes"]) == ("redacted", seq, None)
    assert "slot record: redacted, —" in run("show", 5).out
    run("restore", "spring.bundle", "--trust", "keys/trust-root.cbor", "--ledger", "r.db")
    withheld = run("show", 3, "--ledger", "r.db", "--json").json["slots"]["path"]
    assert (withheld["state"], withheld["redacted_by"]) == ("withheld", None)


@pytest.mark.parametrize("seq", ["100000", "99999999999999999999999"])
def test_a_number_that_is_none_is_refused(seq: str, run: Run) -> None:
    """There is no such event, and the message says how far the numbers go."""
    error = run("show", seq, "--json").json["error"]
    assert error["code"] == "E_EVENT_UNKNOWN"
    assert "a number below" in error["message"]


def test_a_bundle_is_shown_unverified(run: Run) -> None:
    """What it says of itself is shown, under a word that nobody can take for a verdict."""
    ran = run("show", "spring.bundle")
    assert ran.out.startswith("UNVERIFIED  spring.bundle\n")
    assert "founder as publisher" in ran.out
    assert "coldledger verify" in ran.err
    found = run("show", "spring.bundle", "--json").json
    assert found["verified"] is False
    assert (found["edition"], found["log"]) == ("spring", ORIGIN)
    assert found["size"] + 1 == sum(found["events"].values())


def test_a_torn_bundle_is_not_shown(place: Path, run: Run) -> None:
    """Half a bundle is no bundle, and a text is none either."""
    (place / "torn").write_bytes((place / "spring.bundle").read_bytes()[:-9])
    assert run("show", "torn", "--json").json["error"]["code"] == "E_TRUNCATED"
    assert run("show", "results.json").code == 1
