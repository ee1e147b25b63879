"""A release's envelope: the conditions its rows share (IMPORT-17, IMPORT-18)."""

from typing import NamedTuple

from ledger.errors import FieldInvalid, FieldMissing, SchemaInvalid, SourceLimit
from ledger.events import AgentHarness, ReleaseReported
from ledger.importers.reading import (
    count,
    count_or_null,
    elements,
    identifier,
    optional,
    quantity_or_null,
    record,
)
from ledger.importers.source_json import Json, kind_of

from .comparability import comparability
from .envelope import unmapped
from .matrix import Matrix, read_matrix, read_scenarios
from .paths import is_path

SCHEMA_VERSION = 1
SOURCES_LIMIT = 256
"""Source matrices of a release, which has a handful."""

_MAX_LIST_BYTES = 48 * 1024
_COMPATIBILITY = "/compatibility"


class Release(NamedTuple):
    """What the envelope of a release says.

    Attributes:
        report: The release, without what only its place and its rows say: ``source``, ``flags``.
        matrices: Its source matrices.
        scenarios: (name, version) of the scenarios that it declares.
        unmapped: Pointers to members that nobody reads.
    """

    report: ReleaseReported
    matrices: tuple[Matrix, ...]
    scenarios: frozenset[tuple[str, int]]
    unmapped: tuple[str, ...]


def read_release(members: dict[str, Json]) -> Release:
    """Read the top of a release, without its rows; a refusal names its place by JSON pointer.

    Raises:
        SchemaInvalid: The schema is another one, or a field that is read is not of its kind.
        IdentifierInvalid, NotFinite, NumberRange: The same, for a reason of its own.
        SourceLimit: It names more matrices and packs than an entry can hold, or has more than 256
            sources.
    """
    _check_schema(members)
    try:
        return _read(members)
    except (FieldInvalid, FieldMissing) as fault:
        raise SchemaInvalid(fault.place, fault.got, fault.expected) from None


def _check_schema(members: dict[str, Json]) -> None:
    schema = members.get("schema_version")
    if type(schema) is not int or schema != SCHEMA_VERSION:
        got = kind_of(schema) if "schema_version" in members else "no such field"
        raise SchemaInvalid("/schema_version", got, str(SCHEMA_VERSION))
    for name in ("version", "compatibility"):
        if name not in members:
            raise SchemaInvalid(f"/{name}", "no such field", "the field")


def _read(members: dict[str, Json]) -> Release:
    said = record(members["compatibility"], _COMPATIBILITY)
    sources = members.get("sources")
    places = [] if sources is None else list(elements(sources, "/sources"))
    if len(places) > SOURCES_LIMIT:
        # Every row is held against every one of them.
        raise SourceLimit("/sources", f"{len(places)} sources", f"at most {SOURCES_LIMIT}")
    matrices = tuple(read_matrix(*place) for place in places)
    versions = _harness_versions(said, [record(*place) for place in places])
    hidden: list[str] = [
        f"{pointer}/source"
        for (_, pointer), matrix in zip(places, matrices, strict=True)
        if matrix.name is None
    ]
    names = [matrix.name for matrix in matrices if matrix.name is not None]
    report = ReleaseReported(
        tier=optional(identifier, members.get("tier"), "/tier"),
        agent=_agent(said.get("agent"), hidden),
        flags=[],
        packs=_packs(said.get("scenario_packs"), f"{_COMPATIBILITY}/scenario_packs"),
        suite=optional(identifier, said.get("suite"), f"{_COMPATIBILITY}/suite"),
        source=0,
        harness=optional(_harness, said.get("agent_harness"), f"{_COMPATIBILITY}/agent_harness"),
        release=identifier(members["version"], "/version"),
        matrices=list(dict.fromkeys(names)),
        per_cell=count_or_null(said.get("attempts"), f"{_COMPATIBILITY}/attempts"),
        timeout_s=quantity_or_null(
            said.get("agent_timeout_seconds"), f"{_COMPATIBILITY}/agent_timeout_seconds"
        ),
        input_mode=optional(identifier, members.get("input_mode"), "/input_mode") or "text",
        comparability=comparability(members, versions),
        adapter_release=optional(
            identifier, said.get("claux_release"), f"{_COMPATIBILITY}/claux_release"
        ),
        harness_versions=versions,
    )
    _check_size(report)
    scenarios = optional(read_scenarios, said.get("scenarios"), f"{_COMPATIBILITY}/scenarios")
    return Release(report, matrices, scenarios or frozenset(), (*unmapped(members), *hidden))


def _harness_versions(said: dict[str, Json], sources: list[dict[str, Json]]) -> list[int]:
    """Return every version of the host harness that the release or one of its sources names."""
    found: set[int] = set()
    for part, pointer in (
        (said, _COMPATIBILITY),
        *((source, f"/sources/{index}") for index, source in enumerate(sources)),
    ):
        one, many = part.get("harness_version"), part.get("harness_versions")
        if one is not None:
            found.add(count(one, f"{pointer}/harness_version"))
        if many is not None:
            found.update(count(*each) for each in elements(many, f"{pointer}/harness_versions"))
    return sorted(found)


def _agent(value: Json, hidden: list[str]) -> tuple[str | None, str | None, str | None]:
    """Return name, adapter and payload; a path among them is null and its pointer is *hidden*."""
    if value is None:
        return (None, None, None)
    pointer = f"{_COMPATIBILITY}/agent"
    get = record(value, pointer).get
    found: list[str | None] = []
    for name in ("name", "adapter", "payload"):
        text = optional(identifier, get(name), f"{pointer}/{name}")
        if text is not None and is_path(text):
            hidden.append(f"{pointer}/{name}")
            text = None
        found.append(text)
    return (found[0], found[1], found[2])


def _harness(value: Json, pointer: str) -> AgentHarness:
    get = record(value, pointer).get
    return AgentHarness(
        id=identifier(get("id"), f"{pointer}/id"),
        billing=optional(identifier, get("billing"), f"{pointer}/billing"),
        version=optional(identifier, get("version"), f"{pointer}/version"),
        provider=optional(identifier, get("provider"), f"{pointer}/provider"),
    )


def _packs(value: Json, pointer: str) -> list[tuple[str, str | None]]:
    if value is None:
        return []
    found = []
    for element, place in elements(value, pointer):
        get = record(element, place).get
        name = identifier(get("id"), f"{place}/id")
        found.append((name, optional(identifier, get("version"), f"{place}/version")))
    return found


def _check_size(report: ReleaseReported) -> None:
    """Refuse before the entry would be over its 65,535 bytes, which names no field."""
    texts = [*report.matrices, *(text or "" for pack in report.packs for text in pack)]
    size = sum(len(text.encode()) + 4 for text in texts) + 9 * len(report.harness_versions)
    if size > _MAX_LIST_BYTES:
        raise SourceLimit(
            "/sources", f"{size} bytes of names", f"at most {_MAX_LIST_BYTES} in one release"
        )
