"""Sessions of the coding agent pi, translated into records of a run (``specs/runs-pi.md``)."""

from .adding import Added, add_session
from .messages import SOURCE, Imported
from .report import Report, SessionProblem, Unanswered
from .results import FULL_TEXTS, MAX_TEXT, Attachment
from .session import Session, read_session

__all__ = [
    "FULL_TEXTS",
    "MAX_TEXT",
    "SOURCE",
    "Added",
    "Attachment",
    "Imported",
    "Report",
    "Session",
    "SessionProblem",
    "Unanswered",
    "add_session",
    "read_session",
]
