"""Invalidations, withdrawals and frozen policies: bundles that hold, and forged ones.

EVENT-50 to EVENT-57, and what a manifest must say of such decisions (BUNDLE-11, VERIFY-14).
"""

from typing import Any

from bundle_decisions import AUTHORITY, CATEGORY, correction, exclusion, why, with_decision
from bundle_types import redaction
from bundle_vector import FREEZE, POLICY, RELEASE, ROW, SOURCE, Vector, lean
from bundle_world import FAILED, release, roles, root, row, world
from forge import Draft, Map, Row, decision

from canon import decode, encode, labelled
from canon.digest import FIGURES, sha256
from signing.root import Role

_STATUS = "status/replaybook"
_POLICY = "disclosure/made-up"
_FIRST = "system/*/task/*/cost_status"
"""The first figure, in order, that a decision on the only attempt changes."""


def invalidations() -> list[Vector]:
    """Return the vectors."""
    return [
        *_accepted(),
        *_reasons(),
        *_policies(),
        *_invalidated(),
        *_withdrawn(),
        *_claimed(),
    ]


def invalidation(version: int = 1, signers: tuple[str, ...] = ("ben",), **more: Any) -> Row:
    """Return an invalidation of a version of the one task."""
    says = {"evidence": [], "scenario": "w", "scenario_version": version}
    more.setdefault("blobs", why("reason"))
    return decision("task.invalidated/1", says, signers, **more)


def withdrawal(source: int, reinstates: int | None = None, **more: Any) -> Row:
    """Return the withdrawal of a source."""
    says = {"source": source, "reinstates": reinstates}
    more.setdefault("blobs", why("reason"))
    return decision("source.withdrawn/1", says, ["ben"], **more)


def judged_draft() -> Draft:
    """Return an edition in which a task is invalid and sources are withdrawn."""
    first, late = row(1), row(2, scenario_version=2)
    with world("judged") as made:
        made.imports(release([first, late, row(3, **FAILED)]))
        made.invalidates()
        made.imports(release([row(4, scenario_version=2), first], "20260201.0.0"), "two.json")
        made.withdraws(made.source(1))
        made.imports(release([late], "20260201.0.0"), "three.json")
        made.withdraws(made.source(2))
        made.imports(release([late, row(5, scenario_version=2)]), "four.json")
        made.withdraws(made.source(3), reinstate=True)
        made.freezes()
        return made.draft()


def _replaced() -> Draft:
    """Return an edition of a release whose first source a second one replaced."""
    with world("replaced") as made:
        made.imports(release([row(1)]))
        made.imports(release([row(1), row(2)]), "again.json")
        made.freezes()
        return made.draft()


def _accepted() -> list[Vector]:
    disclosed = judged_draft()
    disclosed.disclose = lambda slot: slot == "reason"
    again = invalidation()
    again.says["nonce"] = bytes(16)
    return [
        Vector("judged", "BUNDLE-11", "A task is invalid, three sources are withdrawn.", disclosed),
        Vector("invalidated-unreported", "EVENT-54", "Nothing is reported at the version.",
               with_decision(invalidation(2))),
        Vector("invalidated-twice", "EVENT-54", "A second time, in view of the first.",
               with_decision(invalidation(), again)),
        Vector("reinstated", "EVENT-57", "What the withdrawn source had replaced counts again.",
               _withdrawing(_replaced(), 1, 0)),
        Vector("withdrawn-then-reinstated", "EVENT-56", "A second withdrawal reinstates.",
               _withdrawing(_withdrawing(_replaced(), 1, None), 1, 0)),
    ]  # fmt: skip


def _withdrawing(draft: Draft, source: int, reinstates: int | None) -> Draft:
    """Add the withdrawal of a source; both are given by the order of imports."""
    numbers = [seq for seq, row in enumerate(draft.rows) if row.type == "source.imported/1"]
    draft.add(withdrawal(numbers[source], None if reinstates is None else numbers[reinstates]))
    return draft


def _reasons() -> list[Vector]:
    changes = [[CATEGORY, "not_repaired", "flooded"]]
    erased = redaction([ROW, "record"])
    erased.blobs = {}
    rows = [
        ("correction-without-reason", "50", correction(changes, blobs={})),
        ("exclusion-without-reason", "50", exclusion(blobs=why("evidence"))),
        ("invalidation-without-reason", "50", invalidation(blobs=why("evidence"))),
        ("withdrawal-without-reason", "50", withdrawal(SOURCE, blobs={})),
        ("redaction-without-reason", "50", erased),
        ("exclusion-without-evidence", "51", exclusion(blobs=why("reason"))),
    ]
    cited = exclusion(blobs=why("reason"))
    cited.says["evidence"] = [RELEASE]
    wrong = [
        ("evidence-of-the-log-itself", "Event 0 bears nothing out.", [0]),
        ("evidence-in-other-order", "Its evidence does not ascend.", [ROW, RELEASE]),
        ("evidence-twice", "One event is named twice.", [RELEASE, RELEASE]),
    ]
    return [
        *(
            Vector(name, "EVENT-51", comment, with_decision(_citing(evidence)), "E_EVIDENCE",
                   AUTHORITY, FREEZE)
            for name, comment, evidence in wrong
        ),
        Vector("evidence-in-the-log", "EVENT-51", "An event is evidence enough.",
               with_decision(cited)),
        *(
            Vector(name, f"EVENT-{clause}",
                   "It commits to no reason." if clause == "50" else "Nothing bears it out.",
                   with_decision(made), "E_REASON", AUTHORITY, FREEZE)
            for name, clause, made in rows
        ),
    ]  # fmt: skip


def _citing(evidence: list[int]) -> Row:
    made = exclusion(blobs=why("reason"))
    made.says["evidence"] = evidence
    return made


def _again(version: int) -> Draft:
    """Return a draft in which the rules for figures are frozen again, with another content."""
    draft = lean()
    rules: Any = decode(draft.documents[draft.rows[POLICY].says["doc"]])
    rules = {**rules, "version": version}
    rules["rules"]["repair"]["rewards"] = [0]
    data = encode(rules)
    frozen = decision("policy.frozen/1", {"doc": sha256(data), "policy": _STATUS}, ["ben"])
    made = with_decision(frozen)
    made.documents[sha256(data)] = data
    return made


def _freezing(document: object, name: str = _POLICY) -> Draft:
    data = document if isinstance(document, bytes) else encode(document)  # type: ignore[arg-type]
    draft = with_decision(
        decision("policy.frozen/1", {"doc": sha256(data), "policy": name}, ["ben"])
    )
    draft.documents[sha256(data)] = data
    return draft


def _policies() -> list[Vector]:
    unlisted = {"class": "restricted", "reason": "nobody decided", "inspect": ["auditor"]}
    slots = [{"slot": "record", "class": "public", "reason": "anyone can read it", "inspect": []}]
    good = {"type": "coldledger/policy/1", "policy": _POLICY, "version": 1,
            "rules": {"slots": slots, "unlisted": unlisted}}  # fmt: skip
    future = {**good, "policy": "weather/made-up", "rules": {"umbrella": True}}
    rows: list[tuple[str, str, object, str]] = [
        ("policy-is-none", "A document that is a map of something else.", {"a": 1},
         "E_POLICY_SHAPE"),
        ("policy-of-version-0", "A policy of version 0.", {**good, "version": 0}, "E_POLICY_SHAPE"),
        ("policy-not-canonical", "A document that is no canonical CBOR.", b"\xa1\x61a\xf9\x3c\x00",
         "E_CBOR_FLOAT"),
        ("policy-with-other-rules", "Rules that its family has not.",
         {**good, "rules": {"umbrella": True}}, "E_POLICY_SHAPE"),
        ("policy-contradicting-itself", "Two rules for one slot.",
         {**good, "rules": {"slots": slots * 2, "unlisted": unlisted}}, "E_POLICY_RULE"),
    ]  # fmt: skip
    return [
        Vector("policy-of-unknown-family", "EVENT-52", "A policy that nobody here can apply yet.",
               _freezing(future, "weather/made-up")),
        *(
            Vector(name, "EVENT-52", comment, _freezing(document), code, AUTHORITY, FREEZE)
            for name, comment, document, code in rows
        ),
        Vector("policy-of-other-name", "EVENT-53", "It is frozen under another name than its own.",
               _freezing(good, "disclosure/default"), "E_POLICY_NAME", AUTHORITY, FREEZE),
        Vector("policy-of-same-version", "EVENT-58", "Other rules under the version in force.",
               _again(1), "E_POLICY_VERSION", AUTHORITY, FREEZE),
        Vector("policy-of-next-version", "EVENT-58", "Other rules, under a version of their own.",
               _again(2)),
    ]  # fmt: skip


def _invalidated() -> list[Vector]:
    nobody = {**roles(), "maintainer": Role(threshold=1, decides=("policy.frozen/1",))}
    cited = invalidation(targets=[0])
    cited.says["evidence"] = [RELEASE]
    twice = with_decision(invalidation(), invalidation(targets=[0]))
    twice.rows[FREEZE + 1].says["nonce"] = bytes(16)
    rows: list[tuple[str, str, str, Draft, str, int]] = [
        ("invalidated-by-an-auditor", "EVENT-22", "An auditor invalidates a task.",
         with_decision(invalidation(signers=("cleo",))), "E_ROLE", FREEZE),
        ("nobody-invalidates", "EVENT-22", "No role of the trust root decides invalidations.",
         with_decision(invalidation(), first=root(roles=nobody).data), "E_AUTHORITY", FREEZE),
        ("invalidated-without-entry-0", "EVENT-24", "Made in view of the row alone.",
         with_decision(invalidation(targets=[ROW])), "E_TARGET", FREEZE),
        ("invalidation-evidence-unseen", "EVENT-24", "Evidence that is no target.",
         with_decision(cited), "E_TARGET", FREEZE),
        ("invalidated-in-ignorance", "EVENT-24", "A second time, not in view of the first.",
         twice, "E_TARGET", FREEZE + 1),
    ]  # fmt: skip
    return [
        Vector(name, clause, comment, draft, code, AUTHORITY, seq)
        for name, clause, comment, draft, code, seq in rows
    ]


def _withdrawn() -> list[Vector]:
    twice = _withdrawing(_withdrawing(_replaced(), 1, None), 1, None)
    back = _withdrawing(_withdrawing(_replaced(), 1, 0), 1, 0)
    for draft in (twice, back):
        draft.rows[-2].says["nonce"] = bytes(16)
    rows: list[tuple[str, str, str, Draft, str]] = [
        ("withdrawal-of-no-source", "EVENT-55", "It is a row that is withdrawn.",
         with_decision(withdrawal(ROW, targets=[ROW])), "E_SOURCE_UNKNOWN"),
        ("withdrawal-unseen", "EVENT-24", "Not made in view of the source.",
         with_decision(withdrawal(SOURCE, targets=[0])), "E_TARGET"),
        ("withdrawn-twice", "EVENT-56", "The source is withdrawn already.", twice, "E_WITHDRAWAL"),
        ("reinstated-twice", "EVENT-56", "The other source counts again already.", back,
         "E_WITHDRAWAL"),
        ("reinstates-nothing", "EVENT-57", "The source had replaced none.",
         with_decision(withdrawal(SOURCE, RELEASE)), "E_WITHDRAWAL"),
        ("reinstates-itself", "EVENT-57", "The source that is withdrawn is to count again.",
         _withdrawing(_replaced(), 1, 1), "E_WITHDRAWAL"),
        ("reinstates-beside-newer", "EVENT-57", "A newer source stands in its place.",
         _withdrawing(_replaced(), 0, 1), "E_WITHDRAWAL"),
    ]  # fmt: skip
    return [
        Vector(name, clause, comment, draft, code, AUTHORITY, len(draft.rows) - 2)
        for name, clause, comment, draft, code in rows
    ]


def _claimed() -> list[Vector]:
    """Return manifests that say otherwise; the honest figures are those of the lists."""

    def omitted(manifest: Map) -> None:
        manifest["invalidations"] = []

    def counted(manifest: Map) -> None:
        manifest["figures"] |= honest
        manifest["figures_sha256"] = labelled(FIGURES, encode(manifest["figures"]))

    with world("claimed") as made:
        made.imports(release([row(1)]))
        made.freezes()
        sound = made.draft()
    honest: Map = {}
    sound.freeze = lambda manifest: honest.update(manifest["figures"])
    sound.made()
    rows: list[tuple[str, str, Any, str, str, Any, str | None]] = [
        ("invalidation-omitted", "BUNDLE-11", invalidation(), "E_MANIFEST_STATE", "manifest",
         omitted, None),
        ("withdrawal-omitted", "BUNDLE-11", None, "E_MANIFEST_STATE", "manifest", omitted, None),
        ("invalidation-not-applied", "VERIFY-14", invalidation(), "E_FIGURE", "figures", counted,
         _FIRST),
        ("withdrawal-not-applied", "VERIFY-14", None, "E_FIGURE", "figures", counted, _FIRST),
    ]  # fmt: skip
    vectors = []
    for name, clause, made_row, code, step, change, path in rows:
        draft = sound.copy()
        if made_row is None:
            _withdrawing(draft, 0, None)
        else:
            draft.add(made_row)
        draft.freeze = change
        comment = (
            "The decision is in the log, and not in the manifest's list."
            if change is omitted
            else "The figures are those without the decision."
        )
        seq = len(draft.rows) - 1
        vectors.append(Vector(name, clause, comment, draft, code, step, seq, names=path))
    assert lean().rows[SOURCE].type == "source.imported/1"  # noqa: S101 - what is withdrawn above
    return vectors
