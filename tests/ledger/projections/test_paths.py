"""Ids of figures: every name has one, and it leads back to the name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import PathComponentInvalid
from ledger.projections import Group, figure_id, parse_figure_id, parse_path
from ledger.projections.paths import System, Task, group_of, system_of, task_of

names = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20)


@given(
    names, names, st.none() | names, names, st.integers(0, 2**63 - 1), st.sampled_from(["", "c1"])
)
def test_round_trip(
    agent: str, model: str, effort: str | None, scenario: str, version: int, cohort: str
) -> None:
    """A path leads back to system and task, whatever they are called."""
    system, task = System(agent, model, effort), Task(scenario, version)
    group = group_of(cohort, system, task)
    parsed = parse_path(group.prefix + "passed")
    assert parsed == (group, "passed")
    assert (system_of(group.system), task_of(group.task)) == (system, task)


def test_asterisk_in_a_name_is_no_total() -> None:
    """A system that is called ``*`` is not all systems."""
    group = group_of("", System("*", "*", None), Task("*", 1))
    assert group == Group("", "%2A+%2A", "%2A@1")
    assert group.wider == (Group("", "%2A+%2A", "*"), Group("", "*", "*"))


@pytest.mark.parametrize(
    "path",
    ["", "passed", "system/a/task/b", "system/a/b/task/c/passed", "system/a/task/b/Passed",
     "cohort//system/a/task/b/passed", "system/a/task/b/passed\n", "/system/a/task/b/passed"],
)  # fmt: skip
def test_no_path(path: str) -> None:
    """What is not written as a path is none."""
    assert parse_path(path) is None


@pytest.mark.parametrize("component", ["a", "a+b+c+d", "a%zz+b", "a:b+c"])
def test_no_system(component: str) -> None:
    """A component that names no system is refused."""
    with pytest.raises(PathComponentInvalid):
        system_of(component)


@pytest.mark.parametrize("component", ["s", "s@", "s@1@2", "s@01", "s@-1", "s@one"])
def test_no_task(component: str) -> None:
    """A component that names no task is refused."""
    with pytest.raises(PathComponentInvalid):
        task_of(component)


@given(st.none() | names)
def test_figure_id(edition: str | None) -> None:
    """An id leads back to its edition and its path."""
    assert parse_figure_id(figure_id(edition, "system/*/task/*/passed")) == (
        edition,
        "system/*/task/*/passed",
    )
