"""Rules as data: policy documents, and what they make of an attempt or a blob."""

from .audit import AuditRules
from .disclosure import DisclosureRules, SlotRule, Unlisted
from .policy import (
    FAMILIES,
    Named,
    Policy,
    audit_rules,
    check_document,
    disclosure_rules,
    document,
    parse_policy,
    status_rules,
)
from .shipped import SHIPPED, shipped
from .status import Judgement, StatusRules

__all__ = [
    "FAMILIES",
    "SHIPPED",
    "AuditRules",
    "DisclosureRules",
    "Judgement",
    "Named",
    "Policy",
    "SlotRule",
    "StatusRules",
    "Unlisted",
    "audit_rules",
    "check_document",
    "disclosure_rules",
    "document",
    "parse_policy",
    "shipped",
    "status_rules",
]
