"""Names of systems, tasks and trials."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canon import encode, labelled
from ledger.errors import PathComponentInvalid
from ledger.identity import attempt_id, component_text, path_component, system_id, task_id

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
TRIAL: dict[str, Any] = {
    "agent": "walker",
    "model": "maker/first",
    "effort": "low",
    "scenario": "101-stuck-queue",
    "version": 2,
    "number": 3,
    "started_at": "2026-02-28T10:03:00.000000Z",
    "finished_at": "2026-02-28T10:03:50.000000Z",
}


def test_a_system_is_agent_model_and_effort() -> None:
    """The effort is left out where there is none."""
    assert system_id("walker", "maker/first", "low") == "walker+maker/first+low"
    assert system_id("walker", "maker/first", None) == "walker+maker/first"
    assert system_id("a+b", "c%", None) == "a%2Bb+c%25"


@given(st.lists(st.tuples(TEXT, TEXT, st.none() | TEXT), min_size=2, max_size=2, unique=True))
def test_no_two_systems_share_a_name(systems: list[tuple[str, str, str | None]]) -> None:
    """Whatever their components hold."""
    one, two = systems
    assert system_id(*one) != system_id(*two)


def test_a_task_is_scenario_and_version() -> None:
    """An @ in a name does not end it."""
    assert task_id("101-stuck-queue", 2) == "101-stuck-queue@2"
    assert task_id("a@b%", 1) == "a%40b%25@1"


def test_a_trial_is_named_by_the_digest_of_what_it_is() -> None:
    """Canonical CBOR of the eight parts, labelled, 128 bits of it."""
    parts = encode([TRIAL[name] for name in TRIAL])
    digest = labelled(b"coldledger/attempt/1", parts).hex()
    assert attempt_id(**TRIAL) == f"att-{digest[:32]}"


def test_the_name_of_a_trial_never_changes() -> None:
    """Names stand in entries for ever."""
    assert attempt_id(**TRIAL) == "att-2d0b73a5d67601d3f82ffaf6ee6714be"
    assert attempt_id(**TRIAL | {"effort": None}) == "att-b77ce5adbd50a20199e16fa11aebbe9d"


@pytest.mark.parametrize("name", TRIAL)
def test_every_part_of_a_trial_counts(name: str) -> None:
    """A change in any of them is another trial."""
    value = TRIAL[name]
    other = value + 1 if isinstance(value, int) else value.replace("0", "1") + "x"
    if name.endswith("_at"):
        other = value.replace("28T", "27T")
    assert attempt_id(**TRIAL | {name: other}) != attempt_id(**TRIAL)


@given(
    st.tuples(TEXT, TEXT, st.none() | TEXT, TEXT),
    st.integers(0, 2**63 - 1),
    st.integers(0, 2**63 - 1),
)
def test_the_short_way_to_a_name_is_the_long_way(
    names: tuple[str, str, str | None, str], version: int, number: int
) -> None:
    """Joining canonical items gives the canonical array."""
    agent, model, effort, scenario = (
        name if name is None or name.isascii() else "x" for name in names
    )
    times = (TRIAL["started_at"], TRIAL["finished_at"])
    parts = encode([agent, model, effort, scenario, version, number, *times])
    made = attempt_id(
        agent=str(agent),
        model=str(model),
        effort=effort,
        scenario=str(scenario),
        version=version,
        number=number,
        started_at=times[0],
        finished_at=times[1],
    )
    assert made == "att-" + labelled(b"coldledger/attempt/1", parts).hex()[:32]


def test_components_hide_what_divides_a_path() -> None:
    """Upper-case percent-encoding of UTF-8 bytes, and of nothing else."""
    assert path_component("a/b*c:d%e f") == "a%2Fb%2Ac%3Ad%25e%20f"
    assert path_component("\t\x7f\x85") == "%09%7F%C2%85"
    assert path_component("walker+é@1") == "walker+é@1"


@given(TEXT)
def test_components_turn_back(text: str) -> None:
    """And hold nothing that a path is divided by."""
    component = path_component(text)
    assert component_text(component) == text
    assert not set(component) & set("/*: \n")


@pytest.mark.parametrize(
    "component", ["a/b", "%2f", "%41", "%", "%2", "%zz", "%FF", "a b", "*", "\ud800", "%C2", "\x85"]
)
def test_other_spellings_are_refused(component: str) -> None:
    """One text has one component."""
    with pytest.raises(PathComponentInvalid):
        component_text(component)
