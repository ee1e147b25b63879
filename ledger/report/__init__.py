"""What a state gives, in the shapes that people and programs read."""

from .changes import changed, diff
from .explanation import explanation
from .leaderboard import leaderboard
from .listing import attempts
from .sheets import Sheet, attempts_sheet, changes_sheet, leaderboard_sheets

__all__ = [
    "Sheet",
    "attempts",
    "attempts_sheet",
    "changed",
    "changes_sheet",
    "diff",
    "explanation",
    "leaderboard",
    "leaderboard_sheets",
]
