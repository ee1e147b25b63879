"""The source matrices of a release, and which of them a row fits (IMPORT-20).

Rows carry no source. So a row belongs to a matrix only where nothing that both say tells them
apart, and where that holds for one matrix alone.
"""

from datetime import timedelta
from typing import NamedTuple

from canon import instant_text, parse_instant
from ledger.importers.reading import (
    count,
    count_or_null,
    elements,
    identifier,
    instant,
    optional,
    quantity_or_null,
    record,
    word,
)
from ledger.importers.source_json import Json

from .paths import is_path
from .trial import Trial

_FIRST, _LAST = "", "~"
"""Texts before and after every canonical time."""


class Matrix(NamedTuple):
    """What one source matrix says about its rows; None where it says nothing.

    Attributes:
        name: Its name, None where the name is a path and so stays in the blob.
        agent: Name of its agent.
        models: Its models.
        efforts: Its reasoning efforts, null where it set none.
        scenarios: (name, version) of its scenarios.
        attempts: Attempts per system and scenario.
        timeout: Limit on the agent's time, seconds as decimal text.
        begins: Canonical time of the whole second in which it began.
        ends: Canonical time of the whole second after its end.
    """

    name: str | None
    agent: str | None
    models: frozenset[str] | None
    efforts: frozenset[str | None] | None
    scenarios: frozenset[tuple[str, int]] | None
    attempts: int | None
    timeout: str | None
    begins: str
    ends: str

    def fits(self, row: Trial) -> bool:
        """Tell whether nothing speaks against *row* being of this matrix."""
        return (
            self.begins <= row.started_at
            and row.finished_at <= self.ends
            and (self.models is None or row.model in self.models)
            and (self.agent is None or row.agent == self.agent)
            and (self.efforts is None or row.reasoning_effort in self.efforts)
            and (self.scenarios is None or (row.scenario, row.scenario_version) in self.scenarios)
            and (self.attempts is None or row.number <= self.attempts)
            and (self.timeout is None or row.agent_timeout_s in (None, self.timeout))
        )


def read_matrix(value: Json, pointer: str) -> Matrix:
    """Read one element of ``sources``.

    Raises:
        Refusal: A field that is read is not of its kind.
    """
    get = record(value, pointer).get
    name = optional(identifier, get("source"), f"{pointer}/source")
    return Matrix(
        name=None if name is None or is_path(name) else name,
        agent=optional(_agent_name, get("agent"), f"{pointer}/agent"),
        models=optional(_models, get("models"), f"{pointer}/models"),
        efforts=optional(_efforts, get("reasoning_efforts"), f"{pointer}/reasoning_efforts"),
        scenarios=optional(read_scenarios, get("scenarios"), f"{pointer}/scenarios"),
        attempts=count_or_null(get("attempts"), f"{pointer}/attempts"),
        timeout=quantity_or_null(get("agent_timeout_seconds"), f"{pointer}/agent_timeout_seconds"),
        begins=optional(_begins, get("started_at"), f"{pointer}/started_at") or _FIRST,
        ends=optional(_ends, get("finished_at"), f"{pointer}/finished_at") or _LAST,
    )


def read_scenarios(value: Json, pointer: str) -> frozenset[tuple[str, int]]:
    """Read a list of scenarios as (name, version)."""
    found = set()
    for element, place in elements(value, pointer):
        get = record(element, place).get
        found.add((identifier(get("id"), f"{place}/id"), count(get("version"), f"{place}/version")))
    return frozenset(found)


def fitting(matrices: tuple[Matrix, ...], row: Trial) -> tuple[str | None, bool]:
    """Return the name of the one matrix that *row* fits, and whether it fits exactly one."""
    found: Matrix | None = None
    for matrix in matrices:
        if matrix.fits(row):
            if found is not None:
                return None, False  # the others cannot change that
            found = matrix
    return (None, False) if found is None else (found.name, True)


def _agent_name(value: Json, pointer: str) -> str | None:
    return optional(identifier, record(value, pointer).get("name"), f"{pointer}/name")


def _models(value: Json, pointer: str) -> frozenset[str]:
    return frozenset(identifier(*element) for element in elements(value, pointer))


def _efforts(value: Json, pointer: str) -> frozenset[str | None]:
    found = {optional(word, *element) for element in elements(value, pointer)}
    return frozenset(found or {None})


def _begins(value: Json, pointer: str) -> str:
    # Rows give whole seconds, cut off; matrices give microseconds.
    return instant(value, pointer)[:19] + ".000000Z"


def _ends(value: Json, pointer: str) -> str:
    end = parse_instant(instant(value, pointer)).replace(microsecond=0)
    try:
        return instant_text(end + timedelta(seconds=1))
    except OverflowError:
        return _LAST
