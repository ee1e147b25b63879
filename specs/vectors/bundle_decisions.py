"""Forged bundles with decisions that may not stand where they stand (EVENT-20 to EVENT-25)."""

from collections.abc import Callable
from typing import Any

from bundle_vector import FREEZE, POLICY, RELEASE, ROW, Vector, lean
from bundle_world import ADA, ADA_TOO, BEN, CLEO, DORA, roles, root
from forge import Draft, Map, Row, decision, key, seeded

from canon import decode
from signing.cose import sign_decision
from signing.root import Role

AUTHORITY = "authority"
CATEGORY = "failure_category"
_MAINTAINERS = [ADA, ADA_TOO, BEN, CLEO]


def attempt() -> str:
    """Return the identity of the one attempt of a lean draft."""
    return str(lean().rows[ROW].says["attempt"])


def why(*slots: str) -> dict[str, tuple[bytes, bytes]]:
    """Return the bytes of slots that say why, each with its salt."""
    return {slot: (seeded(f"salt {slot}", 32), f"the {slot}".encode()) for slot in slots}


def exclusion(signers: tuple[str, ...] = ("ben",), **more: Any) -> Row:
    """Return an exclusion of the attempt."""
    says = {"attempt": attempt(), "cause": "provider", "evidence": []}
    more.setdefault("blobs", why("evidence", "reason"))
    return decision("attempt.excluded/1", says, signers, **more)


def correction(changes: list[list[Any]], **more: Any) -> Row:
    """Return a correction of the attempt, which failed as ``not_repaired``."""
    says = {"attempt": attempt(), "changes": changes}
    more.setdefault("blobs", why("reason"))
    return decision("attempt.corrected/1", says, ["ben"], **more)


def with_decision(*rows: Row, first: bytes | None = None) -> Draft:
    """Return a lean draft with decisions in front of the freeze, perhaps under another root."""
    draft = lean()
    if first is not None:
        draft.replace_root(first)
    for row in rows:
        draft.add(row)
    return draft


def decisions() -> list[Vector]:
    """Return the vectors."""
    return [*_bound(), *_used_twice(), *_signed(), *_thresholds(), *_until(), *_targets(), *_doc()]


def _set(name: str, value: object) -> Callable[[Map], object]:
    return lambda says: says.update({name: value})


def _bound() -> list[Vector]:
    rows = [
        ("decision-of-other-type", "EVENT-20", "What was signed says that it is a correction.",
         exclusion(decision=_set("type", "attempt.corrected/1")), "E_DECISION"),
        ("decision-of-other-log", "EVENT-20", "What was signed was signed for another log.",
         exclusion(decision=_set("log", "log.example/other")), "E_REPLAY"),
        ("decision-by-other-actor", "EVENT-22", "The entry says that a publisher decided.",
         exclusion(actor="publisher"), "E_DECISION"),
    ]  # fmt: skip
    return [
        Vector(name, clause, comment, with_decision(row), code, AUTHORITY, FREEZE)
        for name, clause, comment, row, code in rows
    ]


def _used_twice() -> list[Vector]:
    entry: Any = decode(with_decision(exclusion()).made().entries[FREEZE])
    twice = with_decision(exclusion(), exclusion(entry=_set("body", entry["body"])))
    other = correction([[CATEGORY, "not_repaired", "flooded"]])
    nonce = with_decision(exclusion(), other)
    nonce.rows[FREEZE + 1].says["nonce"] = nonce.rows[FREEZE].says["nonce"]
    rows = [
        ("decision-twice", "A decision, with its signatures, stands in the log a second time.",
         twice),
        ("nonce-twice", "Another decision with a nonce that was used before.", nonce),
    ]  # fmt: skip
    return [
        Vector(name, "EVENT-21", comment, draft, "E_REPLAY", AUTHORITY, FREEZE + 1)
        for name, comment, draft in rows
    ]


def _signed() -> list[Vector]:
    def flipped(_: bytes, honest: list[bytes]) -> list[bytes]:
        return [honest[0][:-1] + bytes([honest[0][-1] ^ 1])]

    def misdeclared(payload: bytes, _: list[bytes]) -> list[bytes]:
        return [sign_decision(key("ben"), -8, payload)]

    nobody = {**roles(), "maintainer": Role(threshold=1, decides=("policy.frozen/1",))}
    revoked = root(keys=[ADA, BEN, CLEO, DORA]).data
    rows: list[tuple[str, str, Draft, str]] = [
        ("signature-flipped", "A bit of the signature is another.",
         with_decision(exclusion(envelopes=flipped)), "E_SIG"),
        ("signed-with-other-alg", "The key is for -19, the envelope says -8.",
         with_decision(exclusion(envelopes=misdeclared)), "E_ALG_KEY"),
        ("signed-by-a-stranger", "The trust root does not know the key.",
         with_decision(exclusion(("stranger",))), "E_KEY_UNKNOWN"),
        ("signed-after-revocation", "The key was in force below 3.",
         with_decision(exclusion(("dora",)), first=revoked), "E_KEY_SPAN"),
        ("signed-in-other-role", "An auditor excludes an attempt.",
         with_decision(exclusion(("cleo",))), "E_ROLE"),
        ("nobody-decides", "No role of the trust root decides exclusions.",
         with_decision(exclusion(), first=root(roles=nobody).data), "E_AUTHORITY"),
    ]  # fmt: skip
    return [
        Vector(name, "EVENT-22", comment, draft, code, AUTHORITY, FREEZE)
        for name, comment, draft, code in rows
    ]


def _thresholds() -> list[Vector]:
    two = root(roles=roles(maintainer=2), keys=_MAINTAINERS).data

    def draft(*signers: str, **more: Any) -> Draft:
        made = with_decision(exclusion(signers, **more), first=two)
        made.rows[POLICY].signers = ["ada", "ben"]
        return made

    rows = [
        ("one-of-two", "One maintainer signed, two are needed.", draft("ben"), "E_THRESHOLD"),
        ("one-key-twice", "One key signed twice, two are needed.",
         draft("ben", envelopes=lambda _, honest: honest * 2), "E_THRESHOLD"),
        ("one-person-twice", "Two keys of one controller signed.", draft("ada", "ada two"),
         "E_THRESHOLD"),
        ("signatures-unsorted", "The signatures do not ascend by key id.",
         draft("ada", "ben", envelopes=lambda _, honest: honest[::-1]), "E_SIG_ORDER"),
    ]  # fmt: skip
    comment = "Two maintainers signed, two are needed."
    return [
        Vector("two-of-two", "EVENT-22", comment, draft("ada", "ben")),
        *(
            Vector(name, "EVENT-22", comment, made, code, AUTHORITY, FREEZE)
            for name, comment, made, code in rows
        ),
    ]


def _until() -> list[Vector]:
    def until(last: int) -> Draft:
        return with_decision(exclusion(decision=_set("until", last)))

    return [
        Vector("until-its-position", "EVENT-23", "A decision at the last position that it allows.",
               until(FREEZE)),
        Vector("held-back", "EVENT-23", "A decision after the last position that it allows.",
               until(FREEZE - 1), "E_UNTIL", AUTHORITY, FREEZE),
    ]  # fmt: skip


def _targets() -> list[Vector]:
    def swapped(says: Map) -> None:
        says["target"] = says["target"][::-1]

    def unborn(says: Map) -> None:
        says["target"].append([FREEZE, bytes(32)])

    evidence = exclusion(targets=[ROW])
    evidence.says["evidence"] = [RELEASE]
    founded = lean()
    founded.rows[0].decision = _set("target", [[0, bytes(32)]])
    says = {**lean().rows[POLICY].says, "nonce": bytes(16)}
    policy = decision("policy.frozen/1", says, ["ben"], targets=[POLICY])
    older = correction([[CATEGORY, "not_repaired", "flooded"]])
    itself = lean()
    itself.rows[FREEZE].targets = [0, FREEZE]
    rows: list[tuple[str, str, Draft, int]] = [
        ("target-of-other-leaf", "The leaf is not the one that stands there.",
         with_decision(exclusion(decision=_set("target", [[ROW, bytes(32)]]))), FREEZE),
        ("no-target", "Made in view of nothing.", with_decision(exclusion(targets=[])), FREEZE),
        ("targets-unsorted", "Two targets that do not ascend.",
         with_decision(exclusion(decision=swapped, targets=[RELEASE, ROW])), FREEZE),
        ("freeze-of-itself", "The freeze targets itself, which no manifest can list.", itself,
         FREEZE),
        ("target-of-itself", "A target that is not before the decision.",
         with_decision(exclusion(decision=unborn)), FREEZE),
        ("first-report-unseen", "Not made in view of the attempt.",
         with_decision(exclusion(targets=[0])), FREEZE),
        ("evidence-unseen", "Evidence that is no target: another entry could take its place.",
         with_decision(evidence), FREEZE),
        ("targets-in-entry-0", "Entry 0 has nothing that it could be made in view of.", founded, 0),
        ("policy-without-entry-0", "A policy made in view of other entries than 0.",
         with_decision(policy), FREEZE),
        ("order-exchanged", "Both were made in view of the attempt alone; the first outdates both.",
         with_decision(older, exclusion(targets=[ROW])), FREEZE + 1),
    ]  # fmt: skip
    return [
        Vector(name, "EVENT-24", comment, draft, "E_TARGET", AUTHORITY, seq)
        for name, comment, draft, seq in rows
    ]


def _doc() -> list[Vector]:
    draft = lean()
    policy = draft.rows[POLICY].says["doc"]
    draft.freeze = lambda manifest: manifest["docs"].remove(policy)
    comment = "The policy's document is neither in the file nor in the manifest's list."
    code, step = "E_DOCUMENT", "documents"
    return [Vector("policy-withheld", "EVENT-25", comment, draft, code, step, POLICY)]
