"""Rules applied to facts: each flag, what the reviews make of it, and the run as a whole.

The first row of a flag whose predicates all hold decides it (AUDIT-42). What needs something that
is withheld is pending, and says so (AUDIT-43).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from canon import encode, labelled
from ledger.errors import AuditPredicateUnknown
from ledger.rules import Policy, audit_rules
from ledger.rules.audit import AuditRules, Failure, Flag, Ground, Outcome, Row

from . import arming, correctness, environment, integrity, operation, outputs, reading
from .facts import Facts
from .plain import plain, plain_list
from .predicates import Finding, checks, predicates, together
from .reviews import Settled, Signed, settle
from .slots import Hidden

FLAG = b"coldledger/audit-flag/1"
"""Label of the digest of a flag's mechanical part."""

REGISTERED = (arming, correctness, environment, integrity, operation, outputs, reading)
"""Modules whose predicates and checks rules may name."""

Overall: TypeAlias = Literal["PASS", "FAIL", "PENDING"]

_NAME = re.compile(r"\{([a-z_]{1,64})\}")
_UNDECIDED = "no row of the rules decides this flag"


class Bound(Struct, frozen=True):
    """Rules of which every predicate and check is known.

    Attributes:
        policy: The document they stand in.
        rules: What it says.
    """

    policy: Policy
    rules: AuditRules


class Mechanical(Struct, frozen=True):
    """What a flag is before anybody reviewed it.

    Attributes:
        flag: Its name.
        status: What the row says.
        summary: Its sentence.
        finding: What it rests on.
        reviews: What must be resolved before a pass counts.
        hidden: What would be needed and is withheld: path, and why.
    """

    flag: str
    status: Outcome
    summary: str
    finding: Finding
    reviews: tuple[str, ...] = ()
    hidden: tuple[str, str | None] | None = None

    def digest(self) -> bytes:
        """Return the digest that a signed review of this flag binds, 32 bytes (AUDIT-56)."""
        said = {
            "flag": self.flag,
            "status": self.status,
            "evidence": [[plain(one.ref), one.digest] for one in self.finding.evidence],
            "missing": plain_list(self.finding.missing),
            "reviews": list(self.reviews),
        }
        return labelled(FLAG, encode(said))


class Judged(Struct, frozen=True):
    """What a flag is.

    Attributes:
        mechanical: Before reviews.
        status: After them.
        summary: Its sentence.
        missing: What would have to be there.
        settled: What each of its reviews comes to, in order.
    """

    mechanical: Mechanical
    status: Outcome
    summary: str
    missing: tuple[str, ...]
    settled: Mapping[str, Settled]


class Whole(Struct, frozen=True):
    """What the run comes to.

    Attributes:
        overall: The outcome.
        failure: Why it failed, by precedence.
        found: What checks found, by what it makes of the run.
        hidden: What checks would need and is withheld: path to why.
    """

    overall: Overall
    failure: Failure | None
    found: Mapping[Ground, Sequence[str]]
    hidden: Mapping[str, str | None]


def bind(policy: Policy) -> Bound:
    """Return rules that can be applied.

    Raises:
        PolicyKind: The policy is of another family.
        AuditPredicateUnknown: It names a predicate or a check that there is not (AUDIT-44).
    """
    rules = audit_rules(policy)
    named = {name for flag in rules.flags for row in flag.rows for name in row.when}
    for what, asked, known in (
        ("predicate", named, predicates().keys()),
        ("check", {one.check for one in rules.checks}, checks().keys()),
    ):
        unknown = sorted(asked - known)
        if unknown:
            raise AuditPredicateUnknown(
                f"policy {policy.label}", f"{what} {unknown[0]!r}", f"a {what} of this program"
            )
    return Bound(policy, rules)


def judge_flag(flag: Flag, rules: AuditRules, facts: Facts) -> Mechanical:
    """Return what a flag is before reviews: by the first row whose predicates all hold."""
    for row in flag.rows:
        try:
            finding = _holds(row, facts)
        except Hidden as hidden:
            because = "" if hidden.why is None else f": {hidden.why}"
            summary = f"cannot be judged, since {hidden.path} is withheld{because}"
            found = Finding(missing=(hidden.path,))
            path = hidden.path, hidden.why
            return Mechanical(flag.flag, "PENDING", summary, found, hidden=path)
        if finding is not None:
            summary = _sentence(rules.summaries[row.summary], finding.said)
            return Mechanical(flag.flag, row.then, summary, finding, row.reviews)
    return Mechanical(flag.flag, "PENDING", _UNDECIDED, Finding(missing=("a rule",)))


def review_flag(mechanical: Mechanical, facts: Facts, signed: Sequence[Signed]) -> Judged:
    """Return what reviews make of a flag; they hold up a pass, and never make one (AUDIT-52)."""
    digest = mechanical.digest()
    settled = {one: settle(one, digest, facts, signed) for one in mechanical.reviews}
    rejected = [one for one, by in settled.items() if by.outcome == "rejected"]
    open_ = [one for one, by in settled.items() if by.outcome == "open"]
    missing = mechanical.finding.missing
    if rejected:
        summary = f"rejected in review: {', '.join(rejected)}; {mechanical.summary}"
        return Judged(mechanical, "FAIL", summary, missing, settled)
    if open_:
        lapsed = [by.lapsed for by in settled.values() if by.lapsed is not None]
        summary = "; ".join((f"waits for review: {', '.join(open_)}", *lapsed, mechanical.summary))
        return Judged(mechanical, "PENDING", summary, (*missing, *open_), settled)
    return Judged(mechanical, mechanical.status, mechanical.summary, missing, settled)


def judge_whole(rules: AuditRules, facts: Facts, flags: Sequence[Judged]) -> Whole:
    """Return what the run comes to (AUDIT-45 to AUDIT-47)."""
    found: dict[Ground, list[str]] = {"INFRA_ERROR": [], "FIXTURE_INVALID": [], "PENDING": []}
    hidden = {file.path: file.why for file in facts.slots.hidden()}
    for one in rules.checks:
        try:
            for sentence in checks()[one.check](facts):
                found[one.ground].append(sentence)
        except Hidden as needed:
            hidden.setdefault(needed.path, needed.why)
    statuses = [flag.status for flag in flags]
    if not set(statuses) - {"NOT_APPLICABLE"}:
        found["PENDING"].append("no flag of the rules applies to this run")
    failed: dict[Failure, bool] = {
        "INFRA_ERROR": bool(found["INFRA_ERROR"]),
        "FIXTURE_INVALID": bool(found["FIXTURE_INVALID"]),
        "AGENT_FAIL": "FAIL" in statuses,
    }
    failure = next((one for one in rules.precedence if failed[one]), None)
    if failure is not None:
        return Whole("FAIL", failure, found, hidden)
    waits = "PENDING" in statuses or found["PENDING"] or hidden
    return Whole("PENDING" if waits else "PASS", None, found, hidden)


def _holds(row: Row, facts: Facts) -> Finding | None:
    findings = []
    for name in row.when:
        finding = predicates()[name](facts)
        if finding is None:
            return None
        findings.append(finding)
    return together(findings)


def _sentence(template: str, said: Mapping[str, str | int]) -> str:
    """Fill in a sentence; a name that nothing was said under stays as it is."""
    return _NAME.sub(lambda match: str(said.get(match[1], match[0])), template)
