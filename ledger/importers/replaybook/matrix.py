"""The source matrices that a release was assembled from, and which of them a row fits (IMPORT-31).

Rows carry no source, so a row is of a matrix only where nothing that both say tells them apart,
and where that is true of one matrix alone.
"""

from typing import NamedTuple

from ledger.events import AttemptReported
from ledger.importers.reading import count, identifier, instant, optional, quantity, record, word
from ledger.importers.source_json import Json

from .release_parts import elements, is_path

_FIRST, _LAST = "", "~"
"""Texts before and after every canonical time."""


class Matrix(NamedTuple):
    """What one source matrix says about its rows; None where it says nothing.

    Attributes:
        name: Its name, None where the name is a path and so stays in the blob.
        agent: Name of its agent.
        models: Its models.
        efforts: Its reasoning efforts; an empty list means that none was set.
        scenarios: (name, version) of its scenarios.
        attempts: Attempts per system and scenario.
        timeout: Limit on the agent's time, seconds as decimal text.
        begins: The whole second in which it began, canonical time.
        ends: The whole second by which it had ended, canonical time.

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

    def fits(self, row: AttemptReported) -> bool:
        """Tell whether nothing speaks against *row* being of this matrix."""
        return (
            self.begins <= row.started_at
            and row.finished_at <= self.ends
            and (self.models is None or row.model in self.models)
            and (self.agent is None or row.agent == self.agent)
            and (self.efforts is None or row.reasoning_effort in self.efforts)
            and (
                self.scenarios is None or (row.scenario, row.scenario_version) in self.scenarios
            )
            and (self.attempts is None or row.number <= self.attempts)
            and (self.timeout is None or row.agent_timeout_s in (None, self.timeout))
        )


def read_matrix(value: Json, pointer: str) -> Matrix:
    """Read one element of ``sources``.

    Raises:
        Refusal: A field that is read is not of its kind.

    """
    get = record(value, pointer).get
    agent = get("agent")
    name = optional(identifier, get("source"), f"{pointer}/source")
    efforts = get("reasoning_efforts")
    scenarios = get("scenarios")
    models = get("models")
    return Matrix(
        name=None if name is None or is_path(name) else name,
        agent=None
        if agent is None
        else optional(
            identifier, record(agent, f"{pointer}/agent").get("name"), f"{pointer}/agent/name"
        ),
        models=None
        if models is None
        else frozenset(identifier(*found) for found in elements(models, f"{pointer}/models")),
        efforts=None if efforts is None else _efforts(efforts, f"{pointer}/reasoning_efforts"),
        scenarios=None if scenarios is None else read_scenarios(scenarios, f"{pointer}/scenarios"),
        attempts=optional(count, get("attempts"), f"{pointer}/attempts"),
        timeout=optional(
            quantity, get("agent_timeout_seconds"), f"{pointer}/agent_timeout_seconds"
        ),
        begins=_second(get("started_at"), f"{pointer}/started_at", _FIRST, up=False),
        ends=_second(get("finished_at"), f"{pointer}/finished_at", _LAST, up=True),
    )


def read_scenarios(value: Json, pointer: str) -> frozenset[tuple[str, int]]:
    """Read a list of scenarios as (name, version)."""
    found = set()
    for element, place in elements(value, pointer):
        get = record(element, place).get
        found.add((identifier(get("id"), f"{place}/id"), count(get("version"), f"{place}/version")))
    return frozenset(found)


def fitting(matrices: list[Matrix], row: AttemptReported) -> tuple[str | None, bool]:
    """Return the name of the one matrix that *row* fits, and whether it is not one."""
    fits = [matrix.name for matrix in matrices if matrix.fits(row)]
    return (fits[0], False) if len(fits) == 1 else (None, True)


def _efforts(value: Json, pointer: str) -> frozenset[str | None]:
    found = {word(*element) for element in elements(value, pointer)}
    return frozenset(found or {None})


def _second(value: Json, pointer: str, absent: str, *, up: bool) -> str:
    """Return the whole second of a time: rows give whole seconds, matrices microseconds."""
    if value is None:
        return absent
    time = instant(value, pointer)
    # A row that ended with its matrix may be rounded up: text just past the second takes it in.
    return time[:19] + (".999999Z" if up else ".000000Z")
