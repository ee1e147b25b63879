"""Forged bundles whose manifest or figures claim what is not so (BUNDLE-7 to 11, VERIFY-14)."""

from collections.abc import Callable

from bundle_decisions import CATEGORY, correction, exclusion, with_decision
from bundle_types import redaction
from bundle_vector import FREEZE, RELEASE, ROW, SOURCE, Asked, Vector, lean, thin
from bundle_world import FAILED, release, root, row, world
from forge import Draft, Map

from canon import encode, labelled
from canon.digest import FIGURES, sha256

PASSED = "system/*/task/*/passed"
_OTHER_LOG = "log.example/other"
_EARLIER = "2026.0"
_LATER = FREEZE + 3
"""Number of the freeze where three decisions stand before it."""

Change = Callable[[Map], object]


def claims() -> list[Vector]:
    """Return the vectors."""
    return [*_shapes(), *_identity(), *_lists(), *_sizes(), *_figures(), *_earlier()]


def _frozen(change: Change, draft: Draft | None = None) -> Draft:
    draft = lean() if draft is None else draft
    draft.freeze = change
    return draft


def _put(name: str, value: object) -> Change:
    return lambda manifest: manifest.update({name: value})


def _shapes() -> list[Vector]:
    rows: list[tuple[str, str, Change]] = [
        ("manifest-without-limits", "A field is missing.", lambda manifest: manifest.pop("limits")),
        ("manifest-with-text-for-digest", "A digest in base64 where its 32 bytes must stand.",
         _put("root", "A" * 43 + "=")),
        ("manifest-targets-unsorted", "The targets do not ascend.", _put("targets", [1, 0])),
        ("manifest-figure-of-bytes", "A figure that holds a byte string.",
         lambda manifest: manifest["figures"].update({PASSED: [b"1"]})),
        ("manifest-without-figures", "An edition without any figure.", _put("figures", {})),
    ]  # fmt: skip
    floating = lean()
    floating.items = lambda items: [items[0], _with_float(items[1]), *items[2:]]
    return [
        *(
            Vector(name, "BUNDLE-7", comment, _frozen(change), "E_SHAPE", "canonical")
            for name, comment, change in rows
        ),
        Vector("manifest-with-float", "BUNDLE-7", "The size is a float.", floating, "E_CBOR_FLOAT",
               "canonical"),
    ]  # fmt: skip


def _with_float(item: bytes) -> bytes:
    """Write the size in a manifest's item, 5, as the float 5.0: two bytes more."""
    # The item is 82 01, then a head of three bytes, then the manifest.
    made = item[5:].replace(b"\x64size\x05", b"\x64size\xf9\x45\x00")
    return item[:3] + len(made).to_bytes(2, "big") + made


def _identity() -> list[Vector]:
    foreign = lean()
    pinned = foreign.root
    foreign.replace_root(root(log=_OTHER_LOG).data)
    swapped = lean()
    swapped.manifest = _put("status", "draft")
    renamed = lean()
    renamed.rows[FREEZE].decision = _put("edition", "2026.2")
    nothing = lean()
    slots = {"record": bytes(32)}
    body = {"code": "E_JSON", "blobs": slots, "source": SOURCE, "pointer": "/corrections/0"}
    nothing.rows[FREEZE].entry = lambda entry: entry.update(
        type="record.quarantined/1", actor="recorder", body=body
    )
    code, step = "E_MANIFEST", "manifest"
    return [
        Vector("bundle-of-other-log", "BUNDLE-9", "A whole bundle of another log.", foreign,
               "E_ORIGIN", "checkpoint", asked=Asked([pinned])),
        Vector("manifest-exchanged", "BUNDLE-10", "The manifest was changed after its freeze.",
               swapped, code, step, FREEZE),
        Vector("manifest-of-other-name", "BUNDLE-10", "The freeze names another edition.", renamed,
               code, step, FREEZE),
        Vector("last-entry-is-no-freeze", "BUNDLE-10", "The last entry is an observation.", nothing,
               code, step),
    ]  # fmt: skip


def decided() -> Draft:
    """Return a lean draft with a correction, an exclusion and a redaction in it."""
    changes = [[CATEGORY, "not_repaired", "flooded"]]
    return with_decision(correction(changes), exclusion(), redaction([ROW, "record"]))


def _lists() -> list[Vector]:
    stranger = b"\xa0"
    extra = decided()
    extra.documents[sha256(stranger)] = stranger

    def with_stranger(manifest: Map) -> None:
        manifest["docs"] = sorted([*manifest["docs"], sha256(stranger)])

    by = FREEZE + 2
    public = {"slot": "record", "class": "public", "reason": "none", "inspect": []}
    rows: list[tuple[str, str, Draft]] = [
        ("docs-too-many", "A document that no decision names.", _frozen(with_stranger, extra)),
        *(
            (name, comment, _frozen(_put(field, value), decided()))
            for name, comment, field, value in (
                ("policies-omitted", "The policy in force is not listed.", "policies", {}),
                ("corrections-omitted", "A correction in force is not listed.", "corrections", []),
                ("exclusions-omitted", "An exclusion in force is not listed.", "exclusions", []),
                ("invalidation-invented", "An invalidation is listed that nobody decided.",
                 "invalidations", [1]),
                ("target-invented", "A target is listed that no decision has.", "targets",
                 [0, SOURCE, ROW, FREEZE]),
                ("redaction-omitted", "A redaction is not listed.", "redacted", []),
                ("redaction-invented", "A slot is listed as redacted that is only withheld.",
                 "redacted", [[RELEASE, "record", by], [ROW, "record", by]]),
                ("disclosure-invented", "A slot is listed as public, and no policy says so.",
                 "disclosure", [public]),
            )
        ),
    ]  # fmt: skip
    omitted = _frozen(_put("targets", [0]), decided())
    code = "E_MANIFEST_STATE"
    return [
        *(
            Vector(name, "BUNDLE-11", comment, draft, code, "manifest", _LATER)
            for name, comment, draft in rows
        ),
        Vector("target-omitted", "BUNDLE-11", "A target is not listed: its leaf was not kept.",
               omitted, code, "authority", FREEZE),
    ]  # fmt: skip


def _sizes() -> list[Vector]:
    rows = [
        ("manifest-size", "The manifest says that it covers an entry less.", "size", FREEZE - 1),
        ("manifest-root", "The manifest names another root over what it covers.", "root",
         bytes(32)),
    ]  # fmt: skip
    return [
        Vector(name, "BUNDLE-18", comment, _frozen(_put(field, value)), "E_ROOT", "root")
        for name, comment, field, value in rows
    ]


def _figures() -> list[Vector]:
    def published(change: Change) -> Draft:
        def edit(manifest: Map) -> None:
            change(manifest["figures"])
            manifest["figures_sha256"] = labelled(FIGURES, encode(manifest["figures"]))

        return _frozen(edit)

    praise = "system/*/task/*/praise"
    rows: list[tuple[str, str, Change, str]] = [
        ("figure-edited", "One repair more than the rows give; all is signed.", _put(PASSED, 1),
         PASSED),
        ("figure-omitted", "A figure is left out.", lambda figures: figures.pop(PASSED), PASSED),
        ("figure-of-other-kind", "The figure 0 as false.", _put(PASSED, False), PASSED),
        ("figure-invented", "A figure that no policy gives.", _put(praise, 1), praise),
    ]  # fmt: skip
    digest = _frozen(_put("figures_sha256", bytes(32)))
    return [
        *(
            Vector(name, "VERIFY-14", comment, published(change), "E_FIGURE", "figures", FREEZE,
                   names=path)
            for name, comment, change, path in rows
        ),
        Vector("edition-of-nothing", "VERIFY-14", "No attempt was reported below it.", _empty(),
               "E_EMPTY", "figures", RELEASE + 1),
        Vector("figures-digest", "BUNDLE-8", "The digest is not that of the figures beside it.",
               digest, "E_FIGURES_DIGEST", "figures"),
    ]  # fmt: skip


def _empty() -> Draft:
    """Return an edition over a file without rows, which no command would freeze."""
    draft = lean()
    del draft.rows[ROW]
    draft.rows[SOURCE].says["rows"] = 0
    return draft


def _earlier() -> list[Vector]:
    """Forge the manifest of an edition that a later one has as a document."""

    def edition(change: Change) -> Draft:
        with world() as made:
            made.imports(release([row(1, **FAILED)]))
            made.freezes(_EARLIER)
            made.freezes()
            draft = thin(made.draft())
        draft.freeze = lambda manifest: (
            change(manifest) if manifest["edition"] == _EARLIER else None
        )
        return draft

    def repaired(manifest: Map) -> None:
        manifest["figures"][PASSED] += 1
        manifest["figures_sha256"] = labelled(FIGURES, encode(manifest["figures"]))

    cases: list[tuple[str, str, Change, str, str]] = [
        ("earlier-of-other-shape", "It lacks a field.", lambda manifest: manifest.pop("limits"),
         "E_SHAPE", "manifest"),
        ("earlier-of-other-size", "It is of another size than its freeze.", _put("size", 4),
         "E_MANIFEST", "manifest"),
        ("earlier-of-other-lists", "It lists a target that no decision has.",
         _put("targets", [0, 1]), "E_MANIFEST_STATE", "manifest"),
        ("earlier-of-other-figures", "It counts a repair that no row gives.", repaired, "E_FIGURE",
         "figures"),
    ]  # fmt: skip
    later = lean()
    later.freeze = _put("size", FREEZE + 1)
    return [
        *(
            Vector(name, "VERIFY-24", comment, edition(change), code, step, FREEZE)
            for name, comment, change, code, step in cases
        ),
        Vector("manifest-of-later-size", "VERIFY-24", "By its size a later freeze has to come.",
               later, "E_DOCUMENT", "manifest", FREEZE),
    ]  # fmt: skip
