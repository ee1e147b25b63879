"""Forged bundles that break the rules of one type of decision (EVENT-30 to EVENT-38)."""

from typing import Any

from bundle_decisions import AUTHORITY, FREEZE, correction, exclusion, with_decision
from bundle_vector import Asked, Vector, lean
from bundle_world import holder, roles, root
from forge import Draft, Map, Row, decision, key

from canon.digest import sha256
from signing.root import LogKey
from signing.trust import TrustRoot, parse_root

_TRUST = "E_TRUST_CHAIN"
_ROW = 4
"""Number of the first attempt's report in a lean draft."""


def types() -> list[Vector]:
    """Return the vectors."""
    return [*_first(), *_later(), *_attempts(), *_freezes(), *_redactions()]


def next_root(before: TrustRoot, **changed: Any) -> TrustRoot:
    """Return version 2: another log key, and Ben alone holds role root."""
    return root(
        **{
            "version": before.version + 1,
            "prev": before.digest,
            "keys": [
                holder("ada", "Ada", ["maintainer", "publisher"]),
                holder("ben", "Ben", ["maintainer", "root"]),
                holder("cleo", "Cleo", ["auditor"], alg=-8),
            ],
            "log_keys": [
                LogKey(key=key("log").public, start=0, end=FREEZE),
                LogKey(key=key("log two").public, start=FREEZE, end=None),
            ],
            **changed,
        }
    )


def adoption(data: bytes, *signers: str) -> Row:
    """Return the adoption of a later trust root."""
    return decision("trust.adopted/1", {"doc": sha256(data)}, signers)


def adopting(data: bytes, *signers: str, sealed_by: str = "log two") -> Draft:
    """Return a lean draft in which a later trust root is adopted."""
    draft = with_decision(adoption(data, *signers))
    draft.documents[sha256(data)] = data
    draft.sealed_by = sealed_by
    return draft


def _first() -> list[Vector]:
    policy = lean()
    policy.rows[0], policy.rows[1] = policy.rows[1], policy.rows[0]
    policy.rows[0].targets = []
    other = root(quorum=1)
    stranger = lean()
    stranger.rows[0].says["doc"] = other.digest
    stranger.documents[other.digest] = other.data
    # The genesis stays that of the pinned root, and so does its document.
    stranger.freeze = lambda manifest: manifest.update(
        docs=sorted({*manifest["docs"], sha256(stranger.root)})
    )
    return [
        Vector("policy-first", "EVENT-30", "Entry 0 freezes a policy.", policy, "E_DECISION",
               AUTHORITY, 0),
        Vector("first-root-exchanged", "EVENT-31", "Entry 0 adopts another first trust root.",
               stranger, _TRUST, AUTHORITY, 0),
    ]  # fmt: skip


def _later() -> list[Vector]:
    first = parse_root(lean().root)
    good = next_root(first).data
    unrelated = next_root(first, prev=bytes(32)).data
    skipping = next_root(first, version=3).data
    elsewhere = next_root(first, log="log.example/other").data
    branch = next_root(first, quorum=1).data
    careful = root(roles=roles(root=2))
    careful_next = next_root(careful, keys=[holder("ben", "Ben", ["maintainer", "root"]),
                                            holder("ada", "Ada", ["publisher", "root"])],
                             roles=roles(root=2)).data  # fmt: skip
    threshold = adopting(careful_next, "ben")
    threshold.replace_root(careful.data)
    threshold.rows[0].signers = ["ada", "ben"]
    rows = [
        ("root-by-new-holders-only", "Carl, whom only version 2 names, signed it.",
         adopting(next_root(first, keys=[holder("carl", "Carl", ["root"]),
                                         holder("ada", "Ada", ["publisher"])]).data, "carl"),
         None),
        ("root-by-old-holders-only", "Ada signed, who holds no role in version 2.",
         adopting(good, "ada"), None),
        ("root-below-threshold", "One signed, version 1 needs two.", threshold, None),
        ("root-of-other-predecessor", "It names another digest before it.",
         adopting(unrelated, "ben"), None),
        ("root-skips-a-version", "Version 3 follows version 1.", adopting(skipping, "ben"), None),
        ("root-of-other-log", "It is of another log.", adopting(elsewhere, "ben"), None),
        ("root-of-other-branch", "The log adopts another version 2 than was pinned.",
         adopting(branch, "ben"), [good]),
    ]  # fmt: skip
    return [
        Vector(name, "EVENT-32", comment, draft, _TRUST, AUTHORITY, FREEZE, Asked(pinned))
        for name, comment, draft, pinned in rows
    ]


def _attempts() -> list[Vector]:
    nobody = exclusion()
    nobody.says["attempt"] = "att-" + "0" * 32
    nobody.targets = [0]
    unknown = correction([["reward", 0, 1]], targets=[0])
    unknown.says["attempt"] = "att-" + "0" * 32
    category = "failure_category"
    rows: list[tuple[str, str, list[list[Any]]]] = [
        ("correction-of-nothing", "No field is changed.", []),
        ("correction-of-other-value", "The value that it replaces is not the one that stands.",
         [["reward", 1, 0]]),
        ("correction-to-the-same", "The value stays as it is.",
         [[category, "not_repaired", "not_repaired"]]),
        ("correction-unsorted", "The fields do not ascend.",
         [["reward", 0, 1], [category, "not_repaired", None]]),
        ("correction-to-reward-2", "No attempt can have this reward.", [["reward", 0, 2]]),
        ("correction-to-no-word", "A category of 65 bytes.",
         [[category, "not_repaired", "w" * 65]]),
    ]  # fmt: skip
    return [
        Vector("exclusion-of-nobody", "EVENT-33", "No entry reports the attempt.",
               with_decision(nobody), "E_ATTEMPT_UNKNOWN", AUTHORITY, FREEZE),
        Vector("correction-of-nobody", "EVENT-33", "No entry reports the attempt.",
               with_decision(unknown), "E_ATTEMPT_UNKNOWN", AUTHORITY, FREEZE),
        *(
            Vector(name, "EVENT-34", comment, with_decision(correction(changes)), "E_CORRECTION",
                   AUTHORITY, FREEZE)
            for name, comment, changes in rows
        ),
    ]  # fmt: skip


def _freezes() -> list[Vector]:
    def frozen(change: Any, manifest: Any = None) -> Draft:
        draft = lean()
        draft.rows[FREEZE].decision = change
        if manifest is not None:
            draft.freeze = manifest
        return draft

    stale = lean()
    nothing = Row("record.quarantined/1", {"code": "E_JSON", "source": 2, "pointer": ""})
    stale.add(nothing)

    def early(says: Map) -> None:
        says["size"] -= 1

    stale.rows[-1].decision = early
    stale.freeze = early
    twice = lean()
    twice.rows.append(decision("edition.frozen/1", dict(twice.rows[FREEZE].says), ["ada"]))
    twice.rows[-1].says["nonce"] = bytes(16)
    return [
        Vector("freeze-too-late", "EVENT-35", "An entry came between, so that it is not covered.",
               stale, "E_STALE", AUTHORITY, FREEZE + 1),
        Vector("freeze-of-other-root", "EVENT-36", "It names another tree over the entries.",
               frozen(lambda says: says.update(root=bytes(32))), "E_FREEZE_ROOT", AUTHORITY,
               FREEZE),
        Vector("edition-twice", "EVENT-37", "A second edition of the same name.", twice,
               "E_EDITION_NAME", AUTHORITY, FREEZE + 1),
    ]  # fmt: skip


def redaction(*slots: list[Any], targets: list[int] | None = None) -> Row:
    """Return a redaction of slots, each [position, name]."""
    says = {"slots": list(slots), "ground": "privacy"}
    return decision("disclosure.redacted/1", says, ["ben"], targets=targets)


def _redactions() -> list[Vector]:
    record, other = [_ROW, "record"], [_ROW + 1, "record"]
    twice = with_decision(redaction(record), redaction(record, other))
    rows = [
        ("redaction-of-nothing", "No slot.", with_decision(redaction()), FREEZE),
        ("redaction-of-no-slot", "The entry commits to no such slot.",
         with_decision(redaction([_ROW, "notes"])), FREEZE),
        ("redaction-unsorted", "The slots do not ascend.",
         with_decision(redaction(other, record)), FREEZE),
        ("redaction-twice", "One slot is redacted again.", twice, FREEZE + 1),
    ]  # fmt: skip
    return [
        Vector(name, "EVENT-38", comment, draft, "E_REDACTION", AUTHORITY, seq)
        for name, comment, draft, seq in rows
    ]
