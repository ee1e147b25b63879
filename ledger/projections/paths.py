"""Ids of figures: ``[cohort/<key>/]system/<system>/task/<task>/<name>`` (``specs/figures.md``)."""

import re
from typing import NamedTuple
from urllib.parse import unquote

from canon.excerpt import excerpt
from ledger.errors import PathComponentInvalid
from ledger.identity import component_text, path_component, system_id, task_id

TOTAL = "*"
"""Stands for every system, or every task; a component of a name never is a bare asterisk."""

_VERSION = re.compile(r"0|[1-9][0-9]{0,18}")
_PATH = re.compile(
    r"(?:cohort/(?P<cohort>[^/]+)/)?system/(?P<system>[^/]+)/task/(?P<task>[^/]+)/(?P<name>[a-z0-9_]+)"
)


class Group(NamedTuple):
    """The attempts that one row of a table is about; its components are encoded.

    Attributes:
        cohort: Label of the cohort, empty where there is only one.
        system: The system, or ``*``.
        task: The task, or ``*``.
    """

    cohort: str
    system: str
    task: str

    @property
    def prefix(self) -> str:
        """The path of its figures up to their names, with the last slash."""
        cohort = f"cohort/{self.cohort}/" if self.cohort else ""
        return f"{cohort}system/{self.system}/task/{self.task}/"

    @property
    def wider(self) -> tuple["Group", "Group"]:
        """The groups that hold this one: every task of its system, and every system."""
        return Group(self.cohort, self.system, TOTAL), Group(self.cohort, TOTAL, TOTAL)


class System(NamedTuple):
    """A system as a table shows it."""

    agent: str
    model: str
    effort: str | None


class Task(NamedTuple):
    """A task as a table shows it."""

    scenario: str
    version: int


def group_of(cohort: str, system: System, task: Task) -> Group:
    """Return the group of one system and one task."""
    return Group(cohort, path_component(system_id(*system)), path_component(task_id(*task)))


def parse_path(path: str) -> tuple[Group, str] | None:
    """Return the group and the name of the figure that *path* is written for; None if it is none.

    Whether there is such a figure is another question.
    """
    match = _PATH.fullmatch(path)
    if match is None:
        return None
    return Group(match["cohort"] or "", match["system"], match["task"]), match["name"]


def system_of(component: str) -> System:
    """Return the system that a component of a path names; the inverse of ``group_of``.

    Raises:
        PathComponentInvalid: It names no system.
    """
    match [unquote(part) for part in component_text(component).split("+")]:
        case [agent, model]:
            return System(agent, model, None)
        case [agent, model, effort]:
            return System(agent, model, effort)
        case _:
            raise PathComponentInvalid("system", excerpt(component), "agent+model[+effort]")


def task_of(component: str) -> Task:
    """Return the task that a component of a path names; the inverse of ``group_of``.

    Raises:
        PathComponentInvalid: It names no task.
    """
    scenario, at, version = component_text(component).partition("@")
    if not at or _VERSION.fullmatch(version) is None:
        raise PathComponentInvalid("task", excerpt(component), "scenario@version")
    return Task(unquote(scenario), int(version))


def figure_id(edition: str | None, path: str) -> str:
    """Return the id of a figure: of an edition, or of the ledger's present state."""
    return path if edition is None else f"{path_component(edition)}:{path}"


def parse_figure_id(text: str) -> tuple[str | None, str]:
    """Return (edition, path); the edition is None for the ledger's present state.

    Raises:
        PathComponentInvalid: The edition's name is not percent-encoded as a component.
    """
    edition, colon, path = text.partition(":")
    return (component_text(edition), path) if colon else (None, text)
