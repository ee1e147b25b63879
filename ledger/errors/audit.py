"""Refusals of auditing: rules that cannot be applied, and places that cannot be written."""

from canon.refusal import Refusal


class AuditPredicateUnknown(Refusal):
    """Rules of an audit name a predicate or a check that this program does not have."""

    code = "E_AUDIT_PREDICATE"
    remedy = "audit with the version of coldledger that the rules were written for"
