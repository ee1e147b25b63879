"""What a state gives, in the shapes that people and programs read."""

from .change_sheets import changes_sheets
from .changes import changed, diff
from .contents import contents
from .explanation import explanation
from .leaderboard import leaderboard
from .listing import attempts
from .names import FIGURE_OF
from .oddities import release_flags
from .sheets import Sheet, attempts_sheet, explanation_sheet, leaderboard_sheets, release_notes
from .sources import source_digest, sources
from .spellings import names_alike, names_of, spelling_notes
from .wording import Worded, Wording

__all__ = [
    "FIGURE_OF",
    "Sheet",
    "Worded",
    "Wording",
    "attempts",
    "attempts_sheet",
    "changed",
    "changes_sheets",
    "contents",
    "diff",
    "explanation",
    "explanation_sheet",
    "leaderboard",
    "leaderboard_sheets",
    "names_alike",
    "names_of",
    "release_flags",
    "release_notes",
    "source_digest",
    "sources",
    "spelling_notes",
]
