"""Forged bundles whose manifest, figures or records claim what is not so (BUNDLE-7 to 17, steps 8, 14)."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from bundle_decisions import FREEZE, attempt, correction, exclusion, with_decision
from bundle_types import redaction
from bundle_vector import Asked, Vector, lean
from bundle_world import FAILED, row
from forge import Disclosed, Draft, Map, Row, seeded

from canon import encode, labelled
from canon.digest import FIGURES, sha256
from signing.root import LogKey

_SOURCE, _RELEASE, _ONE, _TWO = 2, 3, 4, 5
_PASSED = "system/*/task/*/passed"


def claims() -> list[Vector]:
    """Return the vectors."""
    return [
        *_shapes(),
        *_identity(),
        *_lists(),
        *_figures(),
        *_disclosures(),
        *_records(),
        *_quarantine(),
    ]


def _frozen(change: Callable[[Map], object], draft: Draft | None = None) -> Draft:
    draft = lean() if draft is None else draft
    draft.freeze = change
    return draft


def _put(name: str, value: object) -> Callable[[Map], object]:
    return lambda manifest: manifest.update({name: value})


def _shapes() -> list[Vector]:
    shape = "E_SHAPE"
    rows: list[tuple[str, str, Callable[[Map], object]]] = [
        ("manifest-without-limits", "A field is missing.", lambda manifest: manifest.pop("limits")),
        ("manifest-with-time", "A field more: when it was made.",
         _put("made_at", "2026-01-02T03:04:05.000000Z")),
        ("manifest-with-text-for-digest", "A digest in base64 where its 32 bytes must stand.",
         _put("root", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")),
        ("manifest-targets-unsorted", "The targets do not ascend.", _put("targets", [1, 0])),
        ("manifest-figure-of-bytes", "A figure that holds a byte string.",
         lambda manifest: manifest["figures"].update({_PASSED: [b"1"]})),
        ("manifest-without-figures", "An edition without any figure.", _put("figures", {})),
    ]  # fmt: skip
    vectors = [
        Vector(name, "BUNDLE-7", comment, _frozen(change), shape, "canonical")
        for name, comment, change in rows
    ]
    floating = lean()
    floating.items = lambda items: [items[0], _with_float(items[1]), *items[2:]]
    comment = "A figure is a float."
    return [
        *vectors,
        Vector("manifest-with-float", "BUNDLE-7", comment, floating, "E_CBOR_FLOAT", "canonical"),
    ]


def _with_float(item: bytes) -> bytes:
    """Write the size of the manifest, 6, as the float 6.0: two bytes more."""
    manifest = item[item.index(b"\xaf") if b"\xaf" in item[:6] else 5 :]
    made = manifest.replace(b"\x64size\x06", b"\x64size\xf9\x46\x00")
    return b"\x82\x01" + b"\x59" + len(made).to_bytes(2, "big") + made


def _identity() -> list[Vector]:
    foreign = lean()
    pinned = foreign.root
    foreign.origin = "log.example/other"
    from bundle_world import root

    foreign.replace_root(root(log="log.example/other").data)
    swapped = lean()

    def other_status(manifest: Map) -> None:
        manifest["status"] = "draft"

    swapped.manifest = other_status
    nothing = lean()

    def no_freeze(entry: Map) -> None:
        entry |= {
            "type": "record.quarantined/1",
            "actor": "recorder",
            "body": {"code": "E_JSON", "source": _SOURCE, "pointer": ""},
        }

    nothing.rows[FREEZE].entry = no_freeze
    renamed = lean()
    renamed.rows[FREEZE].decision = lambda says: says.update(edition="2026.2")
    return [
        Vector("bundle-of-other-log", "BUNDLE-9", "A whole bundle of another log.", foreign,
               "E_ORIGIN", "checkpoint", asked=Asked([pinned])),
        Vector("manifest-exchanged", "BUNDLE-10", "The manifest was changed after its freeze.",
               swapped, "E_MANIFEST", "manifest", FREEZE),
        Vector("manifest-of-other-name", "BUNDLE-10", "The freeze names another edition.", renamed,
               "E_MANIFEST", "manifest", FREEZE),
        Vector("last-entry-is-no-freeze", "BUNDLE-10", "The last entry is an observation.", nothing,
               "E_MANIFEST", "manifest"),
    ]  # fmt: skip


def decided() -> Draft:
    """Return a lean draft with a correction, an exclusion and a redaction in it."""
    changes = [["failure_category", "not_repaired", "flooded"]]
    return with_decision(correction(changes), exclusion(), redaction([_ONE, "record"]))


def _lists() -> list[Vector]:
    state = "E_MANIFEST_STATE"
    size = FREEZE + 3
    stranger = b"\xa0"

    def listed(manifest: Map) -> None:
        manifest["docs"] = sorted([*manifest["docs"], sha256(stranger)])

    extra = _frozen(listed, decided())
    extra.documents[sha256(stranger)] = stranger
    rows: list[tuple[str, str, Draft]] = [
        ("docs-too-many", "A document that no decision names.", extra),
        ("policies-omitted", "The policy in force is not listed.",
         _frozen(_put("policies", {}), decided())),
        ("corrections-omitted", "A correction in force is not listed.",
         _frozen(_put("corrections", []), decided())),
        ("exclusions-omitted", "An exclusion in force is not listed.",
         _frozen(_put("exclusions", []), decided())),
        ("invalidation-invented", "An invalidation is listed that nobody decided.",
         _frozen(_put("invalidations", [1]), decided())),
        ("target-invented", "A target is listed that no decision has.",
         _frozen(_put("targets", [0, 2, 4, 5, 6]), decided())),
        ("redaction-omitted", "A redaction is not listed.", _frozen(_put("redacted", []), decided())),
        ("redaction-invented", "A slot is listed as redacted that is withheld.",
         _frozen(_put("redacted", [[_ONE, "record", 8], [_TWO, "record", 8]]), decided())),
        ("disclosure-invented", "Slots are listed as public, and no policy says so.",
         _frozen(_put("disclosure", [{"slot": "record", "class": "public", "reason": "none",
                                      "inspect": []}]), decided())),
    ]  # fmt: skip
    vectors = [
        Vector(name, "BUNDLE-11", comment, draft, state, "manifest", size)
        for name, comment, draft in rows
    ]
    comment = "A target is not listed, so that its leaf was not kept when its turn came."
    omitted = _frozen(_put("targets", [0]), decided())
    vectors.append(
        Vector("target-omitted", "BUNDLE-11", comment, omitted, state, "authority", FREEZE)
    )
    comment = "The manifest says that it covers an entry less."
    fewer = _frozen(_put("size", FREEZE - 1))
    vectors.append(Vector("manifest-size", "BUNDLE-18", comment, fewer, "E_ROOT", "root"))
    comment = "The manifest names another root over what it covers."
    other = _frozen(_put("root", bytes(32)))
    vectors.append(Vector("manifest-root", "BUNDLE-18", comment, other, "E_ROOT", "root"))
    return vectors


def _figures() -> list[Vector]:
    def published(change: Callable[[Map], object]) -> Draft:
        def edit(manifest: Map) -> None:
            change(manifest["figures"])
            manifest["figures_sha256"] = labelled(FIGURES, encode(manifest["figures"]))

        return _frozen(edit)

    rows: list[tuple[str, str, Callable[[Map], object]]] = [
        ("figure-edited", "One repair more than the rows give; all is signed.",
         lambda figures: figures.update({_PASSED: 2})),
        ("figure-omitted", "A figure is left out.", lambda figures: figures.pop(_PASSED)),
        ("figure-of-other-kind", "The figure 1 as true.",
         lambda figures: figures.update({_PASSED: True})),
    ]  # fmt: skip
    vectors = [
        Vector(name, "VERIFY-14", comment, published(change), "E_FIGURE", "figures", FREEZE,
               names=_PASSED)
        for name, comment, change in rows
    ]  # fmt: skip
    invented = published(lambda figures: figures.update({"system/*/task/*/praise": 1}))
    comment = "A figure that no policy gives."
    digest = _frozen(_put("figures_sha256", bytes(32)))
    other = "The digest is not that of the figures beside it."
    return [
        *vectors,
        Vector("figure-invented", "VERIFY-14", comment, invented, "E_FIGURE", "figures", FREEZE,
               names="system/*/task/*/praise"),
        Vector("figures-digest", "BUNDLE-8", other, digest, "E_FIGURES_DIGEST", "figures"),
    ]  # fmt: skip


def _disclosing(
    change: Callable[[list[Disclosed]], list[Disclosed]], draft: Draft | None = None
) -> Draft:
    draft = lean() if draft is None else draft
    draft.disclose = lambda slot: slot == "record"
    draft.disclosed = change
    return draft


def _disclosures() -> list[Vector]:
    def salted(blobs: list[Disclosed]) -> list[Disclosed]:
        seq, slot, _, data = blobs[-1]
        return [*blobs[:-1], (seq, slot, bytes(32), data)]

    def exchanged(blobs: list[Disclosed]) -> list[Disclosed]:
        (one, slot, *rest), (two, _, *others) = blobs[-2:]
        return [*blobs[:-2], (one, slot, *others), (two, slot, *rest)]  # type: ignore[arg-type]

    def changed(blobs: list[Disclosed]) -> list[Disclosed]:
        seq, slot, salt, data = blobs[-1]
        return [*blobs[:-1], (seq, slot, salt, data.replace(b"dry-well", b"wet-well"))]

    draft = decided()
    gone = draft.rows[_ONE].blobs["record"]
    refilled = _disclosing(lambda blobs: sorted([*blobs, (_ONE, "record", *gone)]), draft)
    refilled.disclose = lambda slot: slot in ("reason", "record")
    return [
        Vector("disclosure-of-later-entry", "BUNDLE-13", "Bytes of an entry of a later chunk.",
               _late(), "E_DISCLOSURE", "disclosures"),
        Vector("disclosure-of-no-slot", "BUNDLE-15", "The entry commits to no such slot.",
               _disclosing(lambda blobs: [*blobs, (_TWO, "score", bytes(32), b"1")]),
               "E_DISCLOSURE", "disclosures", _TWO),
        Vector("record-changed", "BUNDLE-16", "The bytes are not those committed to.",
               _disclosing(changed), "E_COMMITMENT", "disclosures", _TWO),
        Vector("salt-changed", "BUNDLE-16", "The salt is another.", _disclosing(salted),
               "E_COMMITMENT", "disclosures", _TWO),
        Vector("records-exchanged", "BUNDLE-16", "Two records have changed places.",
               _disclosing(exchanged), "E_COMMITMENT", "disclosures", _ONE),
        Vector("redacted-slot-refilled", "BUNDLE-17", "The very bytes that were redacted.",
               refilled, "E_REDACTION", "disclosures", _ONE),
    ]  # fmt: skip


def _late() -> Draft:
    draft = lean()
    disclosure = b"\x85\x04\x18\x63\x66record\x58\x20" + bytes(32) + b"\x81\x40"
    draft.items = lambda items: [*items[:5], disclosure, *items[5:]]
    return draft


def _observed(seq: int, says: Map, record: bytes | None = None) -> Draft:
    """Return a lean draft that discloses records, with fields of one entry, or its record, changed."""
    draft = lean()
    draft.disclose = lambda slot: slot == "record"
    draft.rows[seq].says.update(says)
    if record is not None:
        draft.rows[seq].blobs["record"] = (seeded("another record", 32), record)
    return draft


def _records() -> list[Vector]:
    false = "E_EXTRACT"
    flag = lean().rows[_ONE].says["flags"]
    rows: list[tuple[str, str, Draft, str, int]] = [
        ("reward-invented", "The entry says 1, its record says 0.",
         _observed(_TWO, {"reward": 1}), false, _TWO),
        ("category-invented", "The entry has another word than its record.",
         _observed(_TWO, {"failure_category": "flooded"}), false, _TWO),
        ("flag-hidden", "A flag is set that its record does not raise.",
         _observed(_ONE, {"flags": ["cost_negative", *flag]}), false, _ONE),
        ("cost-of-null", "The entry calls a cost unknown that its record states.",
         _observed(_ONE, {"usage": {**lean().rows[_ONE].says["usage"], "cost_usd": None}}), false,
         _ONE),
        ("attempt-renamed", "The entry gives the attempt another identity.",
         _observed(_ONE, {"attempt": "att-" + "0" * 32}), false, _ONE),
        ("release-conditions", "The entry names another suite than the release's record.",
         _observed(_RELEASE, {"suite": "wells-v2"}), false, _RELEASE),
        ("record-of-nothing", "The record cannot be read.", _observed(_ONE, {}, b"{"), false, _ONE),
        ("source-of-no-import", "The entry names a source that is none.",
         _observed(_ONE, {"source": 1}), false, _ONE),
        ("importer-of-version-9", "The source names an importer that nobody has.",
         _observed(_SOURCE, {"importer": "replaybook/9"}), "E_IMPORTER", _RELEASE),
    ]  # fmt: skip
    return [
        Vector(name, "VERIFY-8", comment, draft, code, "extraction", seq)
        for name, comment, draft, code, seq in rows
    ]


def quarantined(record: Map, code: str, pointer: str = "/runs/2") -> Draft:
    """Return a lean draft in which a third row was set aside."""
    draft = lean()
    draft.disclose = lambda slot: slot == "record"
    salted = (seeded("quarantined record", 32), json.dumps(record).encode())
    says: dict[str, Any] = {"code": code, "source": _SOURCE, "pointer": pointer}
    draft.add(Row("record.quarantined/1", says, blobs={"record": salted}))
    return draft


def _quarantine() -> list[Vector]:
    false, step = "E_EXTRACT", "extraction"
    failed = row(3, **FAILED)
    return [
        Vector("row-set-aside", "VERIFY-8", "A row whose reward is 2 cannot be counted.",
               quarantined(row(3, reward=2), "E_REWARD")),
        Vector("row-repeated", "VERIFY-8", "A row that its source reported before.",
               quarantined(row(1), "E_DUPLICATE_ROW")),
        Vector("failure-set-aside", "VERIFY-8", "A failure that reads well was set aside.",
               quarantined(failed, "E_REWARD"), false, step, FREEZE),
        Vector("failure-called-repeated", "VERIFY-8", "A failure was set aside as if repeated.",
               quarantined(failed, "E_DUPLICATE_ROW"), false, step, FREEZE),
        Vector("set-aside-for-other-reason", "VERIFY-8", "The row is unreadable in another way.",
               quarantined(row(3, reward=2), "E_STATUS_UNKNOWN"), false, step, FREEZE),
    ]  # fmt: skip


__all__ = ["Asked", "LogKey", "attempt", "claims", "decided", "partial", "quarantined"]
