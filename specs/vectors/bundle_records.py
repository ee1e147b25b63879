"""Forged bundles whose disclosed bytes are wrong, or say else than the entries (steps 7 and 8)."""

import json
from collections.abc import Callable
from dataclasses import replace

from bundle_claims import decided
from bundle_decisions import exclusion, with_decision
from bundle_vector import FREEZE, RELEASE, ROW, SOURCE, Vector, lean, thin
from bundle_world import FAILED, plain, release, row, world
from forge import Disclosed, Draft, Map, Row, seeded

from ledger.importers.source_rows import reassemble

_EXTRACTION = "extraction"


def records() -> list[Vector]:
    """Return the vectors."""
    return [*_disclosures(), *_observations(), *_quarantine()]


def _showing(draft: Draft | None = None) -> Draft:
    """Return a draft that discloses raw records and reasons."""
    draft = lean() if draft is None else draft
    draft.disclose = lambda slot: slot in ("reason", "record")
    return draft


def _disclosing(change: Callable[[list[Disclosed]], list[Disclosed]]) -> Draft:
    draft = _showing()
    draft.disclosed = change
    return draft


def _disclosures() -> list[Vector]:
    def salted(blobs: list[Disclosed]) -> list[Disclosed]:
        seq, slot, _, data = blobs[-1]
        return [*blobs[:-1], (seq, slot, bytes(32), data)]

    def exchanged(blobs: list[Disclosed]) -> list[Disclosed]:
        (one, slot, salt, data), (two, _, other_salt, other_data) = blobs
        return [(one, slot, other_salt, other_data), (two, slot, salt, data)]

    def changed(blobs: list[Disclosed]) -> list[Disclosed]:
        seq, slot, salt, data = blobs[-1]
        return [*blobs[:-1], (seq, slot, salt, data.replace(b'"w"', b'"v"'))]

    refilled = _showing(decided())
    salt, data = refilled.rows[ROW].blobs["record"]
    refilled.disclosed = lambda blobs: sorted([*blobs, (ROW, "record", salt, data)])
    otherwise = _showing(decided())
    otherwise.disclosed = lambda blobs: sorted([*blobs, (ROW, "record", salt, b"{}")])
    code, step = "E_COMMITMENT", "disclosures"
    return [
        Vector("disclosure-of-later-entry", "BUNDLE-13", "Bytes of an entry that comes later.",
               _late(), "E_DISCLOSURE", step),
        Vector("disclosure-of-no-slot", "BUNDLE-15", "The entry commits to no such slot.",
               _disclosing(lambda blobs: [*blobs, (ROW, "score", bytes(32), b"1")]),
               "E_DISCLOSURE", step, ROW),
        Vector("record-changed", "BUNDLE-16", "The bytes are not those committed to.",
               _disclosing(changed), code, step, ROW),
        Vector("salt-changed", "BUNDLE-16", "The salt is another.", _disclosing(salted), code, step,
               ROW),
        Vector("records-exchanged", "BUNDLE-16", "Two records have changed places.",
               _disclosing(exchanged), code, step, RELEASE),
        Vector("redacted-slot-refilled", "BUNDLE-17", "The very bytes that were redacted.",
               refilled, "E_REDACTION", step, ROW),
        Vector("reason-of-no-byte", "BUNDLE-21", "The disclosed reason says nothing.",
               _reason(b""), "E_REASON", step, FREEZE),
        Vector("reason-of-no-text", "BUNDLE-21", "The disclosed reason is not UTF-8.",
               _reason(b"\xff\xfe"), "E_REASON", step, FREEZE),
        Vector("redacted-slot-filled-otherwise", "BUNDLE-17", "Other bytes than were redacted.",
               otherwise, "E_REDACTION", step, ROW),
    ]  # fmt: skip


def _reason(data: bytes) -> Draft:
    row = exclusion()
    row.blobs["reason"] = (row.blobs["reason"][0], data)
    return _showing(with_decision(row))


def _late() -> Draft:
    """Return a draft with a disclosure of entry 99 after its only chunk."""
    draft = lean()
    disclosure = b"\x85\x04\x18\x63\x66record\x58\x20" + bytes(32) + b"\x81\x40"
    draft.items = lambda items: [*items[:5], disclosure, *items[5:]]
    return draft


def _observed(seq: int, says: Map, record: bytes | None = None) -> Draft:
    """Return a draft with fields of one entry changed, or its record, and all else made to fit."""
    draft = _showing()
    draft.rows[seq].says.update(says)
    if record is not None:
        draft.rows[seq].blobs["record"] = (seeded("another record", 32), record)
    return draft


def _one_more() -> Draft:
    """Return a draft with a row that no record of the file has."""
    draft = _showing(thin(plain(row(1, **FAILED), row(2))))
    one = thin(plain(row(1, **FAILED)))
    draft.rows[RELEASE].blobs["record"] = one.rows[RELEASE].blobs["record"]
    return draft


def _uncorrected() -> Draft:
    """Return a draft that leaves out what its file says of a correction."""
    draft = _corrected()
    del draft.rows[ROW + 1]
    return draft


def _digested() -> Draft:
    draft = _showing()
    draft.rows[SOURCE].blobs["digest"] = (seeded("another digest", 32), bytes(32))
    draft.disclose = lambda slot: slot in ("digest", "record")
    return draft


def _unnumbered() -> bytes:
    record = lean().rows[RELEASE].blobs["record"][1]
    return record.replace(b"\n  0\n", b"\n  7\n")


def _alone(flags: list[str]) -> Draft:
    draft = _observed(ROW, {"flags": flags})
    draft.disclosed = lambda blobs: [blob for blob in blobs if blob[0] == ROW]
    return draft


def _observations() -> list[Vector]:
    says = lean().rows[ROW].says
    unknown = {**says["usage"], "cost_usd": None}
    flags = ["cost_negative", *says["flags"]]
    rows: list[tuple[str, str, Draft, int]] = [
        ("reward-invented", "The entry says 1, its record says 0.", _observed(ROW, {"reward": 1}),
         ROW),
        ("flag-invented", "A flag is set that the record does not raise.",
         _observed(ROW, {"flags": flags}), ROW),
        ("cost-hidden", "The entry calls a cost unknown that its record states.",
         _observed(ROW, {"usage": unknown}), ROW),
        ("conditions-invented", "The entry names another suite than the release's record.",
         _observed(RELEASE, {"suite": "wells-v2"}), RELEASE),
        ("record-of-nothing", "The record cannot be read.", _observed(ROW, {}, b"{"), ROW),
        ("flag-without-context", "A flag is set that the row cannot have; its release is withheld.",
         _alone(flags), ROW),
    ]  # fmt: skip
    files: list[tuple[str, str, Draft, int]] = [
        ("rows-of-another-number", "The source states a row more than its record, and it is there.",
         _one_more(), SOURCE),
        ("correction-left-out", "The log lacks a correction that the release's record has.",
         _uncorrected(), SOURCE),
        ("length-of-another-file", "The source states another length than its records have.",
         _observed(SOURCE, {"size_bytes": 1}), SOURCE),
        ("digest-of-another-file", "The source states another digest than its records have.",
         _observed(SOURCE, {"sha256": bytes(32)}), SOURCE),
        ("digest-slot-of-another-file", "The disclosed digest is not that of the records.",
         _digested(), SOURCE),
        ("rows-not-numbered", "The release's record has something else where its row stood.",
         _observed(RELEASE, {}, _unnumbered()), RELEASE),
    ]  # fmt: skip
    version = _observed(SOURCE, {"importer": "replaybook/9"})
    return [
        *(
            Vector(name, clause, comment, draft, "E_EXTRACT", _EXTRACTION, seq)
            for clause, some in (("VERIFY-8", rows), ("VERIFY-23", files))
            for name, comment, draft, seq in some
        ),
        Vector("importer-of-version-9", "VERIFY-8", "The source names an importer that nobody has.",
               version, "E_IMPORTER", _EXTRACTION, RELEASE),
    ]  # fmt: skip


def quarantined(record: Map, code: str) -> Draft:
    """Return a draft in which a second row was set aside."""
    draft = _showing(thin(plain(row(1, **FAILED), row(2, reward=2))))
    aside = draft.rows[ROW + 1]
    aside.says["code"] = code
    aside.blobs["record"] = (seeded("quarantined record", 32), json.dumps(record).encode())
    # The file's length and digest are those that it has with this row.
    envelope, first = (draft.rows[seq].blobs["record"][1] for seq in (RELEASE, ROW))
    whole = reassemble(envelope, "runs", [first, aside.blobs["record"][1]])
    draft.rows[SOURCE].says["size_bytes"] = len(whole)
    return draft


def _corrected() -> Draft:
    """Return a draft whose file says that it corrected its one row."""
    correction = {"run_id": "w-q-1", "original": {}, "changes": {"failure_category": "flooded"}}
    with world() as made:
        made.imports(release([row(1, **FAILED)], corrections=[correction]))
        made.freezes()
        return _showing(thin(made.draft()))


def _correction_aside() -> Draft:
    draft = _corrected()
    says = {"code": "E_CORRECTION_FIELD", "source": SOURCE, "pointer": "/corrections/0"}
    draft.rows[ROW + 1] = replace(draft.rows[ROW + 1], type="record.quarantined/1", says=says)
    return draft


def _run_together() -> Draft:
    """Return a draft in which two failures stand as one record, and the file is the true one."""
    draft = _showing(thin(plain(row(1), row(2, **FAILED), row(3, **FAILED))))
    salted = [draft.rows[seq].blobs["record"] for seq in range(RELEASE, FREEZE + 2)]
    (salt, envelope), *rows = salted
    whole = reassemble(envelope, "runs", [data for _, data in rows])
    both = whole[whole.index(rows[1][1]) : whole.index(rows[2][1]) + len(rows[2][1])]
    before, _, behind = envelope.rpartition(b"2")
    draft.rows[RELEASE].blobs["record"] = salt, before[: before.rindex(b"1") + 1] + behind
    draft.rows[SOURCE].says["rows"] = 2
    del draft.rows[ROW + 2]
    draft.rows[ROW + 1] = Row(
        "record.quarantined/1",
        {"code": "E_JSON", "source": SOURCE, "pointer": "/runs/1"},
        blobs={"record": (rows[1][0], both)},
    )
    return draft


def _correction_exchanged() -> Draft:
    """Return a draft whose correction has a reason that its release does not give."""
    draft = _corrected()
    said = draft.rows[ROW + 1]
    salt, data = said.blobs["record"]
    said.blobs["record"] = salt, data.replace(b'"run_id"', b'"reason": "made up", "run_id"')
    return draft


def _quarantine() -> list[Vector]:
    failed, unreadable = row(2, **FAILED), row(2, reward=2)
    rows = [
        ("failure-set-aside", "A failure that reads well was set aside.",
         quarantined(failed, "E_REWARD"), ROW + 1),
        ("failures-run-together", "Two failures stand as one record, which cannot be read.",
         _run_together(), ROW + 1),
        ("failure-called-repeated", "A failure was set aside as if it were repeated.",
         quarantined(failed, "E_DUPLICATE_ROW"), ROW + 1),
        ("correction-set-aside", "A correction that reads well was set aside.", _correction_aside(),
         ROW + 1),
        ("set-aside-for-other-reason", "The row is unreadable in another way than was said.",
         quarantined(unreadable, "E_STATUS_UNKNOWN"), ROW + 1),
    ]  # fmt: skip
    return [
        Vector("correction-exchanged", "VERIFY-23", "Its record is not the one in its release.",
               _correction_exchanged(), "E_EXTRACT", _EXTRACTION, ROW + 1),
        Vector("row-set-aside", "VERIFY-8", "A row whose reward is 2 cannot be counted.",
               quarantined(unreadable, "E_REWARD")),
        Vector("row-repeated", "VERIFY-8", "A row that its source reported before.",
               quarantined(row(1, **FAILED), "E_DUPLICATE_ROW")),
        *(
            Vector(name, "VERIFY-8", comment, draft, "E_EXTRACT", _EXTRACTION, seq)
            for name, comment, draft, seq in rows
        ),
    ]  # fmt: skip
