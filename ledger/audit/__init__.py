"""The audit of a run: flags by rules that are data, reviews, and a verdict (``specs/audit.md``)."""

from .facts import Facts
from .judge import Bound, bind
from .order import Dated, chronological
from .predicates import Finding, check, predicate
from .reviews import Signed
from .slots import Hidden
from .verdict import SCHEMA, Verdict, audit

__all__ = [
    "SCHEMA",
    "Bound",
    "Dated",
    "Facts",
    "Finding",
    "Hidden",
    "Signed",
    "Verdict",
    "audit",
    "bind",
    "check",
    "chronological",
    "predicate",
]
