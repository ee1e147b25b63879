"""Predicates of the flag ``answer_correct``: the answer against an oracle of the game's side."""

from collections.abc import Sequence

from ledger.runs.layout import Role

from .carts import Oracle
from .facts import Facts
from .predicates import Cited, Finding, predicate
from .refs import Side, parse

_ROLES: dict[Side, Role] = {
    "testmod": "test_mod",
    "fixture": "fixture",
    "restore": "restore",
    "preflight": "preflight",
}


def _of_agent(facts: Facts, prefix: str) -> bool:
    return prefix in facts.rules.words.agent_side


def unresolved(facts: Facts) -> Sequence[str]:
    """Return what the oracle cites and the run does not have; the agent's side never counts."""
    cited = () if facts.oracle is None else facts.oracle.refs
    asked = [(text, parse(text)) for text in cited]
    return [
        text
        for text, ref in asked
        if not _of_agent(facts, ref.prefix)
        and (ref.prefix not in facts.rules.words.independent or not facts.resolves(ref))
    ]


def independent(facts: Facts) -> Sequence[str]:
    """Return what the oracle cites of the game's side, and the agent had no hand in."""
    cited = () if facts.oracle is None else facts.oracle.refs
    found = []
    for text in cited:
        ref = parse(text)
        role = _ROLES.get(ref.side) if ref.side is not None else None
        if ref.prefix in facts.rules.words.independent and role not in facts.lineage.by_agent:
            found.append(text)
    return found


@predicate("answer_unreadable")
def answer_unreadable(facts: Facts) -> Finding | None:
    """There is no answer, or none that can be read."""
    return Finding(missing=("answer",)) if facts.answer is None else None


@predicate("answer_without_carts")
def answer_without_carts(facts: Facts) -> Finding | None:
    """The answer lists no carts, or one that has no name."""
    answer = facts.answer
    empty = answer is None or answer.unnamed or not answer.carts
    return Finding(_file(facts, "answer"), ("carts",)) if empty else None


@predicate("answer_names_cart_twice")
def answer_names_cart_twice(facts: Facts) -> Finding | None:
    """One cart stands twice in the answer, so that it has two contents."""
    answer = facts.answer
    if answer is None or answer.twice is None:
        return None
    return Finding(_file(facts, "answer"), said={"uuid": answer.twice})


@predicate("no_oracle")
def no_oracle(facts: Facts) -> Finding | None:
    """There is no oracle, or none that can be read."""
    return Finding(missing=("oracle",)) if facts.oracle is None else None


@predicate("oracle_unverified")
def oracle_unverified(facts: Facts) -> Finding | None:
    """The oracle does not say that it is verified."""
    oracle = facts.oracle
    if oracle is None or oracle.status == "verified":
        return None
    said = {"status": oracle.status or "none"}
    return Finding(_file(facts, "oracle"), ("verified oracle",), said=said)


@predicate("oracle_without_refs")
def oracle_without_refs(facts: Facts) -> Finding | None:
    """The oracle cites nothing."""
    oracle = facts.oracle
    bare = oracle is not None and not oracle.refs
    return Finding(_file(facts, "oracle"), ("evidence_refs",)) if bare else None


@predicate("oracle_ref_unresolved")
def oracle_ref_unresolved(facts: Facts) -> Finding | None:
    """The oracle cites what the run does not have."""
    missing = facts.of(unresolved)
    if not missing:
        return None
    return Finding(_file(facts, "oracle"), tuple(missing), said={"ref": missing[0]})


@predicate("oracle_without_independent_ref")
def oracle_without_independent_ref(facts: Facts) -> Finding | None:
    """All that the oracle cites is of the agent's side, or the agent had a hand in it."""
    if facts.of(independent):
        return None
    notes = [f"the agent had a hand in {role}" for role in sorted(facts.lineage.by_agent)]
    return Finding(_file(facts, "oracle"), ("independent reference",), tuple(notes))


@predicate("oracle_source_is_answer")
def oracle_source_is_answer(facts: Facts) -> Finding | None:
    """The oracle's own source says that it was taken from the answer."""
    oracle = facts.oracle
    if oracle is None or not _speaks_of(oracle, facts.rules.words.copied_source):
        return None
    return Finding(_file(facts, "oracle"), said={"source": oracle.source})


@predicate("oracle_derived_from_answer")
def oracle_derived_from_answer(facts: Facts) -> Finding | None:
    """The oracle's bytes are the answer's, or what it was made from leads to the answer."""
    path = facts.lineage.from_answer
    if path is None:
        return None
    return Finding((*_file(facts, "oracle"), *_file(facts, "answer")), said={"path": path})


@predicate("oracle_without_carts")
def oracle_without_carts(facts: Facts) -> Finding | None:
    """The oracle lists no carts, or one that has no name."""
    oracle = facts.oracle
    empty = oracle is None or oracle.listed.unnamed or not oracle.listed.carts
    return Finding(_file(facts, "oracle"), ("carts",)) if empty else None


@predicate("answer_omits_cart")
def answer_omits_cart(facts: Facts) -> Finding | None:
    """The answer leaves out a cart of the oracle."""
    answer, oracle = _carts(facts)
    omitted = [uuid for uuid in oracle if uuid not in answer]
    if not omitted:
        return None
    return Finding(_both(facts), tuple(omitted), said={"uuid": omitted[0]})


@predicate("answer_has_extra_cart")
def answer_has_extra_cart(facts: Facts) -> Finding | None:
    """The answer lists a cart that the oracle does not have."""
    answer, oracle = _carts(facts)
    extra = [uuid for uuid in answer if uuid not in oracle]
    return Finding(_both(facts), said={"uuid": extra[0]}) if extra else None


@predicate("answer_items_differ")
def answer_items_differ(facts: Facts) -> Finding | None:
    """Answer and oracle list other items, or the same in another order."""
    answer, oracle = _carts(facts)
    wrong = [uuid for uuid in oracle if answer.get(uuid) != oracle[uuid] or oracle[uuid] is None]
    if not wrong:
        return None
    notes = tuple(f"cart {uuid} differs" for uuid in wrong)
    return Finding(_both(facts), (), notes, {"uuid": wrong[0]})


@predicate("answer_matches_oracle")
def answer_matches_oracle(facts: Facts) -> Finding | None:
    """Answer and oracle list the same carts with the same items in the same order."""
    answer, oracle = _carts(facts)
    if not oracle or answer != oracle or None in oracle.values() or facts.oracle is None:
        return None
    refs = tuple(Cited(f"oracle:{ref}") for ref in facts.oracle.refs)
    notes = []
    if _speaks_of(facts.oracle, facts.rules.words.agent_source):
        notes.append(f"the oracle's source speaks of the agent: {facts.oracle.source}")
    notes += [f"{ref} is of the agent's side and counts for nothing" for ref in facts.oracle.refs
              if _of_agent(facts, parse(ref).prefix)]  # fmt: skip
    return Finding((*_both(facts), *refs), (), tuple(notes), {"count": len(oracle)})


def _speaks_of(oracle: Oracle, words: Sequence[str]) -> bool:
    return any(word in oracle.source.lower() for word in words)


def _carts(facts: Facts) -> tuple[dict[str, object], dict[str, object]]:
    answer, oracle = facts.answer, facts.oracle
    return (
        {} if answer is None else dict(answer.carts),
        {} if oracle is None else dict(oracle.listed.carts),
    )


def _both(facts: Facts) -> tuple[Cited, ...]:
    return (*_file(facts, "oracle"), *_file(facts, "answer"))


def _file(facts: Facts, role: Role) -> tuple[Cited, ...]:
    file = facts.slots[role].file
    return () if file is None else (Cited(role, file.sha256),)
