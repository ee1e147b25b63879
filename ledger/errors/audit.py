"""Audits of runs: rules that cannot be applied, verdicts in a ledger, reviews that answer them."""

from canon.refusal import Refusal


class AuditPredicateUnknown(Refusal):
    """Rules of an audit name a predicate or a check that this program does not have."""

    code = "E_AUDIT_PREDICATE"
    remedy = "audit with the version of coldledger that the rules were written for"


class RunUnknown(Refusal):
    """The ledger holds nothing of a run."""

    code = "E_RUN_UNKNOWN"
    remedy = (
        "take the run in with `coldledger import`, or name one that `coldledger run list` lists"
    )


class RulesNotFrozen(Refusal):
    """The rules of an audit are no policy of the log, so no verdict by them can stand in it."""

    code = "E_AUDIT_RULES"
    remedy = (
        "audit without recording, with --dry-run; ledgers that are made now with `coldledger init`"
        " have these rules, and a run can be imported into another ledger again"
    )


class VerdictDiffers(Refusal):
    """A verdict is not the one that its rules give for what the ledger held."""

    code = "E_VERDICT_DIFFERS"
    remedy = "do not rely on this verdict: audit the run again, which puts another beside it"


class VerdictMissing(Refusal):
    """There is no verdict that a review could answer, or its bytes are not at hand."""

    code = "E_VERDICT_NONE"
    remedy = "audit the run first: `coldledger audit RUN --ledger PATH`"


class ReviewUnasked(Refusal):
    """A verdict does not ask for a review: nobody needs to answer it."""

    code = "E_REVIEW_UNASKED"
    remedy = "answer a review that the verdict lists; `coldledger show SEQ` prints them"


class RefUnresolved(Refusal):
    """A review cites what its run does not have as the ledger holds it."""

    code = "E_REF"
    remedy = "cite lines and files that the run has, such as trajectory:CALL or testmod:seq3"
