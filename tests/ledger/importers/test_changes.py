"""What a file says otherwise than was reported before (IMPORT-7, IMPORT-39)."""

import copy
from typing import Any

Document = dict[str, Any]


def forget(shelf: Any, seq: int, slot: str) -> None:
    """Withhold a slot, as a ledger does that was restored from a public bundle."""
    shelf.ledger.connection.execute("DROP TRIGGER IF EXISTS blobs_no_delete")
    done = shelf.ledger.connection.execute(
        "DELETE FROM blobs WHERE seq = ? AND slot = ?", (seq, slot)
    )
    assert done.rowcount == 1


def test_changed_fields_are_named(shelf: Any, release: Document) -> None:
    """Each with the event that said otherwise, and the one that says so now (IMPORT-39)."""
    shelf.take(release)
    release["runs"][1]["failure_category"] = "another_word"
    release["runs"][1]["usage"]["cost_usd"] = 7.25
    release["tier"] = "another"
    report = shelf.take(release)
    (change,) = report.changed
    assert (change.was_event, change.event) == (3, 17)
    assert change.attempt == shelf.bodies("attempt.reported")[1]["attempt"]
    fields = {one.field: (one.old, one.new) for one in change.fields}
    assert set(fields) == {"failure_category", "usage.cost_usd"}
    assert fields["usage.cost_usd"][1] == "7.25"
    assert [one.field for one in report.conditions] == ["tier", "comparability"]
    assert (report.dropped, report.editions) == ([], [])


def test_a_dry_run_names_them_too(shelf: Any, release: Document) -> None:
    """With no event for what would be appended (IMPORT-39)."""
    shelf.take(release)
    release["runs"][0]["failure_category"] = "another_word"
    (change,) = shelf.take(release, dry_run=True).changed
    assert (change.was_event, change.event) == (2, None)


def test_other_conditions_of_a_known_trial_are_named(shelf: Any, release: Document) -> None:
    """Another release says that its trials ran under another limit (IMPORT-39)."""
    shelf.take(release)
    release["version"] = "20260302.0.0"
    assert shelf.take(release).changed == []
    release["version"] = "20260303.0.0"
    release["compatibility"]["agent_timeout_seconds"] = 601
    report = shelf.take(release)
    assert len(report.changed) == len(release["runs"])
    keys = [body["comparability"].hex() for body in shelf.bodies("release.reported")]
    for change in report.changed:
        (field,) = change.fields
        assert (field.field, field.old, field.new) == ("comparability", keys[0], keys[2])


def test_dropped_attempts_are_named(shelf: Any, release: Document) -> None:
    """A row that the new file leaves out is no longer reported by its release (IMPORT-39)."""
    shelf.take(release)
    gone = shelf.bodies("attempt.reported")[3]["attempt"]
    del release["runs"][3]
    report = shelf.take(release)
    assert report.dropped == [gone]
    assert (report.changed, report.superseded) == ([], 1)


def test_the_same_again_changes_nothing(shelf: Any, release: Document) -> None:
    """A file that was imported before has nothing to say (IMPORT-7, IMPORT-39)."""
    shelf.take(release)
    report = shelf.take(release)
    assert (report.changed, report.conditions, report.dropped) == ([], [], [])
    assert (report.same_file, report.perhaps) == (True, [])


def test_a_file_is_known_by_its_bytes_where_its_digest_is_withheld(
    shelf: Any, release: Document
) -> None:
    """Envelope and rows are the file (IMPORT-7)."""
    shelf.take(release)
    key = next(key for key, _ in shelf.ledger.identities("source"))
    shelf.ledger.connection.execute("DELETE FROM identities WHERE key = ?", (key,))
    forget(shelf, 0, "digest")
    same = shelf.take(release)
    assert (same.events, same.same_file, same.seq) == (0, True, 0)
    other = copy.deepcopy(release)
    other["runs"][0]["failure_category"] = "another_word"
    changed = shelf.take(other)
    assert (changed.same_file, changed.supersedes) == (False, 0)


def test_what_cannot_be_told_is_said(shelf: Any, release: Document) -> None:
    """A row is withheld, so the file may be the one that was imported (IMPORT-7)."""
    shelf.take(release)
    key = next(key for key, _ in shelf.ledger.identities("source"))
    shelf.ledger.connection.execute("DELETE FROM identities WHERE key = ?", (key,))
    forget(shelf, 0, "digest")
    forget(shelf, 4, "record")
    report = shelf.take(release)
    assert (report.same_file, report.perhaps, report.supersedes) == (None, [0], 0)
