"""Forged bundles that break the rules of one type of decision (EVENT-30 to EVENT-38)."""

from typing import Any

from bundle_decisions import AUTHORITY, CATEGORY, correction, exclusion, why, with_decision
from bundle_vector import FREEZE, RELEASE, ROW, SOURCE, Asked, Vector, lean
from bundle_world import ADA, ADA_TOO, BEN, CLEO, holder, roles, root
from forge import Draft, Map, Row, decision, key, seeded

from canon.digest import sha256
from signing.root import LogKey
from signing.trust import TrustRoot, parse_root

_EXPIRES = "2027-01-01T00:00:00.000000Z"
"""A field without effect here, by which a trust root is another one."""
_NOBODY = "att-" + "0" * 32


def types() -> list[Vector]:
    """Return the vectors."""
    return [*_first(), *_later(), *_attempts(), *_freezes(), *_redactions()]


def next_root(before: TrustRoot, **changed: Any) -> TrustRoot:
    """Return version 2: another log key, another key of Ada's, and Ben alone holds role root."""
    log_keys = [
        LogKey(key=key("log").public, start=0, end=FREEZE),
        LogKey(key=key("log two").public, start=FREEZE, end=None),
    ]
    arguments = {
        "version": before.version + 1,
        "prev": before.digest,
        "keys": [ADA_TOO, BEN, CLEO],
        "log_keys": log_keys,
    }
    return root(**(arguments | changed))


def adopting(data: bytes, *signers: str) -> Draft:
    """Return a lean draft in which a later trust root is adopted, and Ada publishes by it."""
    draft = with_decision(decision("trust.adopted/1", {"doc": sha256(data)}, signers))
    draft.documents[sha256(data)] = data
    draft.sealed_by = "log two"
    draft.rows[-1].signers = ["ada two"]
    draft.published_by = [("ada two", "publisher")]
    return draft


def _first() -> list[Vector]:
    policy = lean()
    policy.rows[:2] = policy.rows[1::-1]
    policy.rows[0].targets = []
    other = root(expires=_EXPIRES)
    stranger = lean()
    stranger.rows[0].says["doc"] = other.digest
    stranger.documents[other.digest] = other.data

    def with_both(manifest: Map) -> None:
        manifest["docs"] = sorted({*manifest["docs"], sha256(stranger.root)})

    # The genesis stays that of the pinned root, and so does its document.
    stranger.freeze = with_both
    late = lean()
    late.rows[:FREEZE] = late.rows[SOURCE:FREEZE] + late.rows[:SOURCE]
    for row in late.rows[1 : FREEZE - SOURCE]:
        row.says["source"] = 0
    late.row("trust.adopted/1")[1].targets = [0]
    return [
        Vector("policy-first", "EVENT-30", "Entry 0 freezes a policy.", policy, "E_DECISION",
               AUTHORITY, 0),
        Vector("file-first", "EVENT-30", "A file comes first, and the first trust root behind it.",
               late, "E_DECISION", AUTHORITY, 0),
        Vector("first-root-exchanged", "EVENT-31", "Entry 0 adopts another first trust root.",
               stranger, "E_TRUST_CHAIN", AUTHORITY, 0),
    ]  # fmt: skip


def _later() -> list[Vector]:
    first = parse_root(lean().root)
    good = next_root(first).data
    careful = root(roles=roles(root=2))
    careful_next = next_root(careful, keys=[ADA, BEN, CLEO], roles=roles(root=2)).data
    below = adopting(careful_next, "ben")
    below.replace_root(careful.data)
    below.rows[0].signers = ["ada", "ben"]
    strangers = next_root(first, keys=[ADA_TOO, holder("carl", "Carl", ["root"]), CLEO]).data
    rows: list[tuple[str, str, Draft, list[bytes] | None]] = [
        ("root-by-new-holders-only", "Carl signed, whom only version 2 names.",
         adopting(strangers, "carl"), None),
        ("root-by-old-holders-only", "Ada signed, whose key version 2 does not name.",
         adopting(good, "ada"), None),
        ("root-below-threshold", "One signed, two are needed.", below, None),
        ("root-of-other-predecessor", "It names another digest before it.",
         adopting(next_root(first, prev=bytes(32)).data, "ben"), None),
        ("root-of-other-branch", "The log adopts another version 2 than the one that is pinned.",
         adopting(next_root(first, expires=_EXPIRES).data, "ben"), [good]),
    ]  # fmt: skip
    return [
        Vector(name, "EVENT-32", comment, draft, "E_TRUST_CHAIN", AUTHORITY, FREEZE, Asked(pinned))
        for name, comment, draft, pinned in rows
    ]


def _attempts() -> list[Vector]:
    nobody = exclusion(targets=[0])
    nobody.says["attempt"] = _NOBODY
    long = "w" * 65
    rows: list[tuple[str, str, list[list[Any]]]] = [
        ("correction-of-nothing", "No field is changed.", []),
        ("correction-of-other-value", "The value that it replaces is not the one that stands.",
         [["reward", 1, 0]]),
        ("correction-to-the-same", "The value stays as it is.",
         [[CATEGORY, "not_repaired", "not_repaired"]]),
        ("correction-unsorted", "The fields do not ascend.",
         [["reward", 0, 1], [CATEGORY, "not_repaired", None]]),
        ("correction-to-reward-2", "No attempt can have this reward.", [["reward", 0, 2]]),
        ("correction-to-no-word", "A category of 65 bytes.", [[CATEGORY, "not_repaired", long]]),
    ]  # fmt: skip
    return [
        Vector("exclusion-of-nobody", "EVENT-33", "No entry reports the attempt.",
               with_decision(nobody), "E_ATTEMPT_UNKNOWN", AUTHORITY, FREEZE),
        *(
            Vector(name, "EVENT-34", comment, with_decision(correction(changes)), "E_CORRECTION",
                   AUTHORITY, FREEZE)
            for name, comment, changes in rows
        ),
    ]  # fmt: skip


def _freezes() -> list[Vector]:
    def early(says: Map) -> None:
        says["size"] -= 1

    stale = with_decision(
        Row(
            "record.quarantined/1",
            {"code": "E_JSON", "source": SOURCE, "pointer": "/corrections/0"},
            blobs={"record": (seeded("a record", 32), b"{")},
        )
    )
    stale.rows[-1].decision = stale.freeze = early
    rooted = lean()
    rooted.rows[FREEZE].decision = lambda says: says.update(root=bytes(32))
    # The second freeze must see the first, which therefore must be among the targets so far.
    twice = lean()
    twice.rows.append(exclusion(targets=[ROW, FREEZE]))
    again = {**twice.rows[FREEZE].says, "nonce": bytes(16)}
    twice.rows.append(decision("edition.frozen/1", again, ["ada"]))
    rows = [
        ("freeze-too-late", "EVENT-35", "An entry came between, which the edition does not cover.",
         stale, "E_STALE", FREEZE + 1),
        ("freeze-of-other-root", "EVENT-36", "It names another tree over the entries.", rooted,
         "E_FREEZE_ROOT", FREEZE),
        ("edition-twice", "EVENT-37", "A second edition of the same name.", twice,
         "E_EDITION_NAME", FREEZE + 2),
    ]  # fmt: skip
    return [
        Vector(name, clause, comment, draft, code, AUTHORITY, seq)
        for name, clause, comment, draft, code, seq in rows
    ]


def redaction(*slots: list[Any]) -> Row:
    """Return a redaction of slots, each [position, name]."""
    says = {"slots": list(slots), "ground": "privacy"}
    return decision("disclosure.redacted/1", says, ["ben"], blobs=why("reason"))


def _redactions() -> list[Vector]:
    one, two = [RELEASE, "record"], [ROW, "record"]
    rows = [
        ("redaction-of-nothing", "No slot.", with_decision(redaction()), FREEZE),
        ("redaction-of-no-slot", "The entry commits to no such slot.",
         with_decision(redaction([ROW, "notes"])), FREEZE),
        ("redaction-unsorted", "The slots do not ascend.", with_decision(redaction(two, one)),
         FREEZE),
        ("redaction-twice", "One slot is redacted again.",
         with_decision(redaction(one), redaction(one, two)), FREEZE + 1),
    ]  # fmt: skip
    return [
        Vector(name, "EVENT-38", comment, draft, "E_REDACTION", AUTHORITY, seq)
        for name, comment, draft, seq in rows
    ]
