"""Bundles that hold: what every other vector differs from in one thing."""

from dataclasses import replace

from bundle_claims import decided
from bundle_decisions import correction
from bundle_seals import under
from bundle_types import adopting, next_root
from bundle_vector import FREEZE, Asked, Vector, lean, note
from bundle_world import FAILED, WITNESSES, plain, release, root, row, witness, world
from forge import Draft

from canon import leaf_hash, root_of
from canon.digest import sha256
from signing.trust import parse_root

_NOON = 1_767_355_200
_CONDITIONS = """\
id = "release"
version = 1
rules = [
  { kind = "signed-by", role = "publisher", controller = "Ada" },
  { kind = "min-events", count = 7 },
  { kind = "max-withheld", count = 0 },
  { kind = "records-checked" },
  { kind = "root-pinned" },
]
"""
_WITNESSED = 'id = "seen"\nversion = 1\nrules = [{ kind = "witnessed", count = 2 }]\n'


def accepted() -> list[Vector]:
    """Return the vectors."""
    return [*_one_core(), *_decided(), *_rotated(), *_editions(), *_kept(), _witnessed()]


def _public(slot: str) -> bool:
    return slot in ("reason", "record")


def _one_core() -> list[Vector]:
    rows = row(1), row(2, **FAILED)
    public, private, closed = plain(*rows), plain(*rows), plain(*rows)
    public.disclose, private.disclose = _public, lambda _: True
    return [
        Vector("public", "BUNDLE-1", "Records are disclosed, the source's path is not.", public),
        Vector("private", "BUNDLE-3", "Every slot is disclosed; the core is that of `public`.",
               private),
        Vector("closed", "BUNDLE-12", "No slot is disclosed; the core is that of `public`.",
               closed),
        Vector("every-condition", "VERIFY-16", "Every condition but witnesses holds.", private,
               asked=Asked(trust_sha256=sha256(private.root).hex(), conditions=_CONDITIONS)),
        Vector("lean", "CHAIN-1", "What most forgeries here start from.", lean()),
    ]  # fmt: skip


def decided_draft() -> Draft:
    """Return an edition after another one, with decisions of every kind in between."""
    with world() as made:
        made.imports(release([row(1, **FAILED)]))
        made.freezes("2026.0")
        one = made.attempt(0)
        made.corrects(one, failure_category="flooded")
        made.corrects(one, status="unavailable", reward="1")
        made.excludes(one)
        made.redacts((5, "record"))
        made.freezes()
        return made.draft()


def _decided() -> list[Vector]:
    draft = decided_draft()
    draft.disclose = lambda slot: slot == "reason"
    again = correction([["failure_category", "flooded", None]])
    small = decided()
    small.add(replace(again, says={**again.says, "nonce": bytes(16)}), at=FREEZE + 1)
    return [
        Vector("decided", "BUNDLE-11",
               "Two corrections, an exclusion and a redaction; an earlier edition is a document.",
               draft),
        Vector("corrected-twice", "EVENT-24",
               "A second correction of the same field, made in view of the first.", small),
    ]  # fmt: skip


def _rotated() -> list[Vector]:
    first = parse_root(lean().root)
    second = next_root(first).data
    draft = adopting(second, "ben")
    return [
        Vector("rotated", "EVENT-32", "The log adopts version 2, which seals with another key.",
               draft, asked=Asked([first.data])),
        Vector("rotated-and-pinned", "EVENT-31", "The same, with version 2 pinned.", draft,
               asked=Asked([second])),
        Vector("rotated-with-both", "EVENT-31", "The same, with both versions given.", draft,
               asked=Asked([second, first.data])),
    ]  # fmt: skip


def _editions() -> list[Vector]:
    with world() as made:
        made.imports(release([row(1), row(2, **FAILED)]), "one.json")
        made.imports(release([row(1), row(3)], "20260201.0.0"), "two.json")
        made.freezes("2026.2", ["20260201.0.0"])
        draft = made.draft()
    return [
        Vector("of-one-release", "VERIFY-14", "Two releases were imported, one was frozen.", draft)
    ]


def _kept() -> list[Vector]:
    leaves = [leaf_hash(entry) for entry in lean().made().entries]
    rows = [("kept-of-4", 4, "CHAIN-8"), ("kept-of-all", len(leaves), "CHAIN-10")]
    return [
        Vector(name, clause, f"A checkpoint of {size} entries was kept, and is continued.", lean(),
               asked=Asked(since=note(size, root_of(leaves[:size]))))
        for name, size, clause in rows
    ]  # fmt: skip


def _witnessed() -> Vector:
    north, _, south = WITNESSES
    draft = under(root(quorum=2, witnesses=list(map(witness, WITNESSES))).data)
    draft.cosigned_by = [(north, _NOON), (south, _NOON)]
    comment = "Two operators cosigned, not after the verifier's clock."
    asked = Asked(now=_NOON, conditions=_WITNESSED)
    return Vector("witnessed", "VERIFY-12", comment, draft, asked=asked)
