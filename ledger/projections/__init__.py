"""Pure folds over events: the state of all attempts, and every figure that it gives."""

from .attempts import Attempts, empty, fold, step
from .causes import Comparison, causes
from .figures import contributions, explain, figures
from .measures import Contribution
from .paths import Group, figure_id, parse_figure_id, parse_path
from .reasons import Reason
from .table import Figure, Value
from .view import View

__all__ = [
    "Attempts",
    "Comparison",
    "Contribution",
    "Figure",
    "Group",
    "Reason",
    "Value",
    "View",
    "causes",
    "contributions",
    "empty",
    "explain",
    "figure_id",
    "figures",
    "fold",
    "parse_figure_id",
    "parse_path",
    "step",
]
