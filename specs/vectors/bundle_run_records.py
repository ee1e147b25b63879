"""Forged bundles in which what is disclosed of a run says else (VERIFY-25, VERIFY-26)."""

import json

from bundle_run import (
    AGAIN,
    ARMED,
    ARTIFACT,
    BROKEN,
    CALL,
    CALL_LINE,
    DERIVED,
    EXTRACTION,
    GROWN,
    JAR,
    LOGGER,
    LOGGER_LINES,
    MANIFEST,
    MANIFEST_SAYS,
    REPORTED,
    RESULT,
    RESULT_LINE,
    SLOT,
    changed,
    run_draft,
    salted,
    shown,
    whole_verdict,
)
from bundle_vector import Vector
from forge import Draft

from canon.digest import sha256


def run_records() -> list[Vector]:
    """Return the vectors."""
    two = CALL_LINE + RESULT_LINE
    named = b'{"path": "build/other.jar", "size": 3, "phase": "agent"}'
    longer = json.dumps({**MANIFEST_SAYS, "imports": [{"path": "a"}]}).encode()
    bad = [
        ("line-actor-changed", "VERIFY-25", "A call of the agent is told as the operator's.",
         _told(CALL, actor="operator"), CALL),
        ("line-time-changed", "VERIFY-25", "A line has another time.",
         _told(RESULT, at="2026-01-01T00:00:04.000000Z"), RESULT),
        ("line-fault-hidden", "VERIFY-25", "A line that is no record passes for one.",
         _told(BROKEN, fault=None), BROKEN),
        ("evidence-instance-changed", "VERIFY-25", "Evidence is from another instance.",
         _told(ARMED, instance="lab-b"), ARMED),
        ("reported-review-resolved", "VERIFY-25", "A pending review is told as resolved.",
         _told(REPORTED, status="resolved"), REPORTED),
        ("derivation-producer-changed", "VERIFY-25", "A derivation is told of another producer.",
         _told(DERIVED, producer="test"), DERIVED),
        ("item-size-changed", "VERIFY-25", "An item has another size.",
         _told(JAR, size_bytes=4), JAR),
        ("item-under-another-slot", "VERIFY-25", "Evidence is told under another slot.",
         _told(SLOT, slot="oracle"), SLOT),
        ("item-of-no-document", "VERIFY-25", "The document has another item in its place.",
         _rewritten(JAR, "line", named), JAR),
        ("document-of-more-items", "VERIFY-25", "The document names a file more.",
         _rewritten(MANIFEST, "content", longer, size_bytes=len(longer)), MANIFEST),
        ("two-lines-as-one", "VERIFY-25", "Two lines pass for one.",
         _rewritten(CALL, "line", two), CALL),
        ("line-without-end", "VERIFY-25", "A line in the middle has no end.",
         _rewritten(RESULT, "line", RESULT_LINE[:-1]), RESULT),
        ("document-size-changed", "VERIFY-26", "A document has another length.",
         _told(ARTIFACT, size_bytes=4), ARTIFACT),
        ("stream-size-changed", "VERIFY-26", "A stream has another length.",
         _told(LOGGER, size_bytes=400), LOGGER),
        ("document-digest-changed", "VERIFY-26", "A document has another digest.",
         _rewritten(ARTIFACT, "digest", bytes(32)), ARTIFACT),
        ("stream-digest-changed", "VERIFY-26", "A stream has another digest.",
         _rewritten(LOGGER, "digest", bytes(32)), LOGGER),
        ("stream-canonical-changed", "VERIFY-26", "Line ends were made alike otherwise.",
         _rewritten(LOGGER, "canonical", sha256(b"".join(LOGGER_LINES))), LOGGER),
        ("grown-digest-changed", "VERIFY-26", "A stream that grew has another digest.",
         _rewritten(GROWN, "digest", bytes(32)), GROWN),
        ("digest-of-31-bytes", "VERIFY-26", "A digest of a byte less.",
         _rewritten(ARTIFACT, "digest", bytes(31)), ARTIFACT),
    ]  # fmt: skip
    says = run_draft().rows[AGAIN].says
    other = whole_verdict({**says, "overall": "PENDING"})
    bad += [
        ("verdict-overall-changed", "VERIFY-27", "A pending verdict is told as a pass.",
         _rewritten(AGAIN, "verdict", other), AGAIN),
        ("verdict-flag-changed", "VERIFY-27", "A flag has another status.",
         _told(AGAIN, flags=[["machine_operated", "NOT_APPLICABLE"], says["flags"][1]]), AGAIN),
        ("verdict-auditor-changed", "VERIFY-27", "Another auditor is named.",
         _told(AGAIN, auditor="somebody else"), AGAIN),
        ("verdict-of-floats", "VERIFY-27", "A verdict that is not canonical.",
         _rewritten(AGAIN, "verdict", b"\xf9\x3c\x00"), AGAIN),
    ]  # fmt: skip
    unknown = whole_verdict({**says, "overall": "PENDING"}, "somebody/1")
    return [
        Vector("verdict-of-another-schema", "VERIFY-27", "Nothing is known of what it says.",
               _rewritten(AGAIN, "verdict", unknown)),
        *(
            Vector(name, clause, comment, draft, "E_EXTRACT", EXTRACTION, seq)
            for name, clause, comment, draft, seq in bad
        ),
        Vector("run-of-unknown-reader", "VERIFY-25", "A record was read by another program.",
               _told(LOGGER, reader="cold-start-run/9"), "E_IMPORTER", EXTRACTION, ARMED),
        Vector("run-of-unknown-reader-withheld", "VERIFY-25", "The same, with every slot withheld.",
               changed(LOGGER, reader="cold-start-run/9")),
    ]  # fmt: skip


def _told(seq: int, /, **says: object) -> Draft:
    return shown(changed(seq, **says))


def _rewritten(seq: int, slot: str, data: bytes, **says: object) -> Draft:
    """Return a draft in which a slot honestly commits to other bytes."""
    draft = _told(seq, **says)
    draft.rows[seq].blobs.update(salted(seq, {slot: data}))
    return draft
