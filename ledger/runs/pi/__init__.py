"""Sessions of the coding agent pi, translated into records of a run (``specs/runs-pi.md``)."""

from .messages import SOURCE, Imported
from .report import Problem, Report, Unanswered
from .results import FULL_TEXTS, MAX_TEXT, Attachment
from .session import Session, read_session

__all__ = [
    "FULL_TEXTS",
    "MAX_TEXT",
    "SOURCE",
    "Attachment",
    "Imported",
    "Problem",
    "Report",
    "Session",
    "Unanswered",
    "read_session",
]
