"""Forged bundles whose disclosed bytes are wrong, or say else than the entries (steps 7 and 8)."""

import json
from collections.abc import Callable

from bundle_claims import decided
from bundle_vector import FREEZE, POLICY, RELEASE, ROW, SOURCE, Vector, lean
from bundle_world import FAILED, row
from forge import Disclosed, Draft, Map, Row, seeded

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
    ]  # fmt: skip


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
        ("attempt-renamed", "The entry gives the attempt another identity.",
         _observed(ROW, {"attempt": "att-" + "0" * 32}), ROW),
        ("conditions-invented", "The entry names another suite than the release's record.",
         _observed(RELEASE, {"suite": "wells-v2"}), RELEASE),
        ("record-of-nothing", "The record cannot be read.", _observed(ROW, {}, b"{"), ROW),
        ("source-of-no-import", "The entry names a source that is none.",
         _observed(ROW, {"source": POLICY}), ROW),
    ]  # fmt: skip
    version = _observed(SOURCE, {"importer": "replaybook/9"})
    return [
        *(
            Vector(name, "VERIFY-8", comment, draft, "E_EXTRACT", _EXTRACTION, seq)
            for name, comment, draft, seq in rows
        ),
        Vector("importer-of-version-9", "VERIFY-8", "The source names an importer that nobody has.",
               version, "E_IMPORTER", _EXTRACTION, RELEASE),
    ]  # fmt: skip


def quarantined(record: Map, code: str) -> Draft:
    """Return a draft in which a second row was set aside."""
    draft = _showing()
    salted = (seeded("quarantined record", 32), json.dumps(record).encode())
    says = {"code": code, "source": SOURCE, "pointer": "/runs/1"}
    draft.add(Row("record.quarantined/1", says, blobs={"record": salted}))
    return draft


def _quarantine() -> list[Vector]:
    failed, unreadable = row(2, **FAILED), row(2, reward=2)
    rows = [
        ("failure-set-aside", "A failure that reads well was set aside.",
         quarantined(failed, "E_REWARD")),
        ("failure-called-repeated", "A failure was set aside as if it were repeated.",
         quarantined(failed, "E_DUPLICATE_ROW")),
        ("set-aside-for-other-reason", "The row is unreadable in another way than was said.",
         quarantined(unreadable, "E_STATUS_UNKNOWN")),
    ]  # fmt: skip
    return [
        Vector("row-set-aside", "VERIFY-8", "A row whose reward is 2 cannot be counted.",
               quarantined(unreadable, "E_REWARD")),
        Vector("row-repeated", "VERIFY-8", "A row that its source reported before.",
               quarantined(row(1, **FAILED), "E_DUPLICATE_ROW")),
        *(
            Vector(name, "VERIFY-8", comment, draft, "E_EXTRACT", _EXTRACTION, FREEZE)
            for name, comment, draft in rows
        ),
    ]  # fmt: skip
