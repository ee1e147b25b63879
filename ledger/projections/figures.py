"""Every figure of a state, and the events that one comes from.

These functions look once and forget; whoever asks several questions about one state makes a
:class:`View` and asks it.
"""

from collections.abc import Iterable

from ledger.rules.policy import Policy

from .attempts import Attempts
from .measures import Contribution
from .reasons import Reason, reasons
from .table import Value
from .view import View


def figures(state: Attempts, releases: Iterable[str], policy: Policy) -> dict[str, Value]:
    """Return path to value of every figure of *releases*, or of the whole ledger.

    Raises:
        ReleaseUnknown: Nothing reports one of the releases.
        PolicyKind: The policy is not of the family ``status``.
    """
    return View(state, releases, policy).figures()


def contributions(
    state: Attempts, releases: Iterable[str], policy: Policy, path: str
) -> dict[str, tuple[Contribution, ...]]:
    """Return attempt to what it adds to the figure at *path*; see :meth:`View.contributions`."""
    return View(state, releases, policy).contributions(path)


def explain(state: Attempts, releases: Iterable[str], policy: Policy, path: str) -> list[Reason]:
    """Return the events that the figure at *path* comes from, in ledger order.

    Raises:
        FigureUnknown: There is none of that path.
    """
    return reasons(View(state, releases, policy), path)
