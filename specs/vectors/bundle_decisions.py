"""Forged bundles with decisions that may not stand where they stand (EVENT-20 to EVENT-25)."""

from collections.abc import Callable
from typing import Any

from bundle_vector import Asked, Vector, lean
from bundle_world import root, roles
from forge import Draft, Map, Row, decision, key

from ledger.identity import attempt_id
from signing.cose import sign_decision

AUTHORITY = "authority"
FREEZE = 6
"""Number of the freeze in a lean draft: where a decision is put in front of it."""


def attempt(number: int) -> str:
    """Return the identity of one of the two attempts of a lean draft."""
    return attempt_id(
        agent="pump",
        model="oak",
        effort=None,
        scenario="dry-well",
        version=1,
        number=number,
        started_at=f"2026-01-01T0{number}:00:00.000000Z",
        finished_at=f"2026-01-01T0{number}:05:00.000000Z",
    )


def exclusion(number: int = 1, signers: tuple[str, ...] = ("ben",), **more: Any) -> Row:
    """Return an exclusion of one of the two attempts."""
    says = {"attempt": attempt(number), "cause": "provider", "evidence": []}
    return decision("attempt.excluded/1", says, signers, **more)


def correction(
    changes: list[list[Any]], number: int = 2, signers: tuple[str, ...] = ("ben",), **more: Any
) -> Row:
    """Return a correction of one of the two attempts, of which the second failed."""
    says = {"attempt": attempt(number), "changes": changes}
    return decision("attempt.corrected/1", says, signers, **more)


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


def _bound() -> list[Vector]:
    def excluded(change: Callable[[Map], object]) -> Draft:
        return with_decision(exclusion(decision=change))

    rows = [
        ("decision-of-other-type", "EVENT-20", "What was signed says that it is a correction.",
         excluded(lambda says: says.update(type="attempt.corrected/1")), "E_DECISION"),
        ("decision-of-other-log", "EVENT-20", "What was signed was signed for another log.",
         excluded(lambda says: says.update(log="log.example/other")), "E_REPLAY"),
        ("decision-by-other-actor", "EVENT-22", "The entry says that a publisher decided.",
         with_decision(exclusion(actor="publisher")), "E_DECISION"),
    ]  # fmt: skip
    return [
        Vector(name, clause, comment, draft, code, AUTHORITY, FREEZE)
        for name, clause, comment, draft, code in rows
    ]


def _used_twice() -> list[Vector]:
    draft = with_decision(exclusion())
    first = draft.made().entries[FREEZE]

    def again(entry: Map) -> None:
        from canon import decode

        old = decode(first)
        assert isinstance(old, dict)  # noqa: S101 - it is an entry
        entry["body"] = old["body"]

    draft.add(exclusion(2, entry=again))
    comment = "A decision, with its signatures, stands in the log a second time."
    same = with_decision(exclusion(), exclusion(2))
    same.rows[FREEZE + 1].says["nonce"] = same.rows[FREEZE].says["nonce"]
    other = "Another decision with a nonce that was used before."
    return [
        Vector("decision-twice", "EVENT-21", comment, draft, "E_REPLAY", AUTHORITY, FREEZE + 1),
        Vector("nonce-twice", "EVENT-21", other, same, "E_REPLAY", AUTHORITY, FREEZE + 1),
    ]


def _signed() -> list[Vector]:
    def flipped(_: bytes, honest: list[bytes]) -> list[bytes]:
        return [honest[0][:-1] + bytes([honest[0][-1] ^ 1])]

    def misdeclared(payload: bytes, _: list[bytes]) -> list[bytes]:
        return [sign_decision(key("ben"), -8, payload)]

    def other_bytes(payload: bytes, _: list[bytes]) -> list[bytes]:
        return [sign_decision(key("ben"), -19, payload + b"\0")]

    nobody = roles()
    nobody["maintainer"] = type(nobody["maintainer"])(threshold=1, decides=("policy.frozen/1",))
    rows: list[tuple[str, str, Draft, str]] = [
        ("signature-flipped", "A bit of the signature is another.",
         with_decision(exclusion(envelopes=flipped)), "E_SIG"),
        ("signature-of-other-bytes", "A valid signature, of other bytes.",
         with_decision(exclusion(envelopes=other_bytes)), "E_SIG"),
        ("signed-with-other-alg", "The key is for -19, the envelope says -8.",
         with_decision(exclusion(envelopes=misdeclared)), "E_ALG_KEY"),
        ("signed-by-a-stranger", "The trust root does not know the key.",
         with_decision(exclusion(signers=("stranger",))), "E_KEY_UNKNOWN"),
        ("signed-after-revocation", "The key was in force below 3.",
         with_decision(exclusion(signers=("dora",))), "E_KEY_SPAN"),
        ("signed-in-other-role", "An auditor excludes an attempt.",
         with_decision(exclusion(signers=("cleo",))), "E_ROLE"),
        ("nobody-decides", "No role of the trust root decides exclusions.",
         with_decision(exclusion(), first=root(roles=nobody).data), "E_AUTHORITY"),
    ]  # fmt: skip
    return [
        Vector(name, "EVENT-22", comment, draft, code, AUTHORITY, FREEZE)
        for name, comment, draft, code in rows
    ]


def _thresholds() -> list[Vector]:
    two = root(roles=roles(maintainer=2)).data

    def draft(*signers: str, envelopes: Any = None) -> Draft:
        made = with_decision(exclusion(signers=signers), first=two)
        made.row("policy.frozen/1")[1].signers = ["ada", "ben"]
        if envelopes is not None:
            made.rows[FREEZE].envelopes = envelopes
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
    vectors = [
        Vector(name, "EVENT-22", comment, made, code, AUTHORITY, FREEZE)
        for name, comment, made, code in rows
    ]
    comment = "Two maintainers signed, two are needed."
    return [*vectors, Vector("two-of-two", "EVENT-22", comment, draft("ada", "ben"))]


def _until() -> list[Vector]:
    def until(last: int) -> Draft:
        return with_decision(exclusion(decision=lambda says: says.update(until=last)))

    return [
        Vector("until-its-position", "EVENT-23", "A decision at the last position that it allows.",
               until(FREEZE)),
        Vector("held-back", "EVENT-23", "A decision after the last position that it allows.",
               until(FREEZE - 1), "E_UNTIL", AUTHORITY, FREEZE),
    ]  # fmt: skip


def _targets() -> list[Vector]:
    first = 4
    """The first report of attempt 1."""

    def excluded(change: Callable[[Map], object] | None = None, **more: Any) -> Draft:
        return with_decision(exclusion(**({"decision": change} if change else {}), **more))

    def swapped(says: Map) -> None:
        says["target"] = says["target"][::-1]

    unborn = [[FREEZE, bytes(32)]]
    rows: list[tuple[str, str, Draft, int]] = [
        ("target-of-other-leaf", "The leaf is not the one that stands there.",
         excluded(lambda says: says.update(target=[[first, bytes(32)]])), FREEZE),
        ("target-of-other-number", "The leaf of entry 4 is given for entry 5.",
         excluded(lambda says: says.update(target=[[first + 1, says["target"][0][1]]])), FREEZE),
        ("no-target", "Made in view of nothing.", excluded(targets=[]), FREEZE),
        ("targets-unsorted", "Two targets that do not ascend.",
         excluded(swapped, targets=[first, 5]), FREEZE),
        ("target-of-itself", "A target that is not before the decision.",
         excluded(lambda says: says.update(target=says["target"] + unborn)), FREEZE),
        ("first-report-unseen", "Not made in view of the attempt.", excluded(targets=[0]), FREEZE),
        ("targets-in-entry-0", "Entry 0 has nothing that it could be made in view of.", lean(), 0),
        ("policy-without-entry-0", "A policy made in view of other entries than 0.",
         with_decision(decision("policy.frozen/1", dict(lean().rows[1].says), ["ben"],
                                targets=[1])), FREEZE),
    ]  # fmt: skip
    rows[6][2].rows[0].decision = lambda says: says.update(target=[[0, bytes(32)]])
    del rows[7][2].rows[FREEZE].says["nonce"]
    rows[7][2].rows[FREEZE].says["nonce"] = bytes(16)
    vectors = [
        Vector(name, "EVENT-24", comment, draft, "E_TARGET", AUTHORITY, seq)
        for name, comment, draft, seq in rows
    ]
    evidence = exclusion(targets=[first])
    evidence.says["evidence"] = [3]
    comment = "Evidence that is no target, so that another entry could be put in its place."
    vectors.append(
        Vector(
            "evidence-unseen",
            "EVENT-24",
            comment,
            with_decision(evidence),
            "E_TARGET",
            AUTHORITY,
            FREEZE,
        )
    )
    older = correction([["failure_category", "not_repaired", "flooded"]])
    newer = exclusion(2, targets=[5])
    comment = "Both were made in view of the attempt alone; the first appended outdates the second."
    vectors.append(
        Vector(
            "order-exchanged",
            "EVENT-24",
            comment,
            with_decision(older, newer),
            "E_TARGET",
            AUTHORITY,
            FREEZE + 1,
        )
    )
    return vectors


def _doc() -> list[Vector]:
    draft = lean()
    policy = draft.rows[1].says["doc"]
    draft.freeze = lambda manifest: manifest["docs"].remove(policy)
    comment = "The policy's document is neither in the file nor in the manifest's list."
    return [
        Vector("policy-withheld", "EVENT-25", comment, draft, "E_DOCUMENT", "documents", 1, Asked())
    ]
