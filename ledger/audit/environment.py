"""What the agent ran in: the environment as it was checked, and its context (AUDIT-65 to -69)."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from ledger.runs.contents import File, of_role
from ledger.runs.fields import digest, text, whole
from ledger.runs.layout import CONTEXT_MARK, PREFLIGHT_MARK

from .calls import Mark
from .facts import Facts
from .predicates import check
from .slots import Equality, Hidden

_HARNESS = ("name", "model", "provider")
_DIGESTS = ("config_sha256", "effective_sha256")
_PORTS = ("serverPort", "rconPort")


@check("preflight_of_this_run")
def preflight_of_this_run(facts: Facts) -> Iterator[str]:
    """A declared preflight passed, with a live server, in the environment of this run."""
    report = facts.document("preflight")
    if report is None:
        return
    if report.get("overall") != "PASS":
        yield f"the preflight's overall is {_shown(report.get('overall'))}, not PASS"
        return
    harness, mine = _object(report, "harness"), _object(facts.slots.manifest, "harness")
    for name in _HARNESS:
        yield from _same(f"harness {name}", harness.get(name), mine.get(name))
    there = _object(_object(report, "environment"), "repo")
    here = _object(facts.slots.manifest, "repo")
    yield from _same("commit of the repository", there.get("commit"), here.get("commit"))
    for name in ("ports", "lab_management"):
        made = [one for one in _list(report, "checks") if one.get("id") == name]
        for one in made or [{}]:  # of two that say otherwise neither goes before
            if one.get("status") != "PASS":
                yield f"the preflight's {name} is {_shown(one.get('status'))}, not PASS"
            elif name == "lab_management":
                versions = _object(one, "versions")
                lacking = [port for port in _PORTS if not _is_port(versions.get(port))]
                if lacking:
                    yield f"the preflight's lab_management has no {' and no '.join(lacking)}"


@check("configuration_unchanged")
def configuration_unchanged(facts: Facts) -> Iterator[str]:
    """The harness's configuration is one and the same in report, stored copy and marks."""
    said: dict[str, tuple[str, bytes]] = {}
    for place, name, found in _configurations(facts):
        first = said.setdefault(name, (place, found))
        if found != first[1]:
            yield f"{name}: {found.hex()} in {place}, {first[1].hex()} in {first[0]}"
    if facts.trajectory.unread_marks:
        yield f"{facts.trajectory.unread_marks} more marks about the environment than are read"
    stored = said.get("config_sha256")
    for file in of_role(facts.slots.files, "configuration"):
        if stored is None or file.sha256 is None:
            continue
        if facts.slots.equality(file, stored[1]) == "different":
            got = f"{file.sha256.hex()} of {file.path}"
            yield f"config_sha256: {stored[1].hex()} in {stored[0]}, {got}"


class Attestation(Struct, frozen=True):
    """Somebody vouches that the agent's context was clean.

    Attributes:
        by: Who.
        actor: Whose mark it is.
        statements: What they vouch for.
        digest: SHA-256 of the mark's line without its end, 32 bytes.
    """

    by: str | None
    actor: str | None
    statements: tuple[str, ...]
    digest: bytes


def attestations(facts: Facts) -> list[Attestation]:
    """Return who vouches for a clean context."""
    return [
        Attestation(text(mark.data.get("by")), mark.actor, _statements(mark), mark.digest)
        for mark in facts.trajectory.marks
        if mark.name == CONTEXT_MARK
    ]


class TaskRead(Struct, frozen=True):
    """A call of the agent returned the task.

    Attributes:
        ref: The call.
        equal: Whether its bytes are the task's as they are, or but for line ends.
    """

    ref: str
    equal: Equality


def task_reads(facts: Facts) -> list[TaskRead]:
    """Return the calls whose results are the task's own text."""
    said = digest(_object(facts.slots.manifest, "task").get("sha256"))
    files = of_role(facts.slots.files, "task")
    raw = {said, *(file.sha256 for file in files)} - {None}
    return [
        TaskRead(ref, "raw" if found in raw else "canonical")
        for ref, found in facts.trajectory.task_reads
    ]


def environment(facts: Facts) -> dict[str, Any]:
    """Return what is known of the environment, for the verdict."""
    found: dict[str, Any] = dict.fromkeys(_DIGESTS)
    try:
        for _, name, value in _configurations(facts):
            found[name] = found[name] or value.hex()
    except Hidden as hidden:
        return {**found, "marks": [], "stored": [], "withheld": hidden.path}
    marks = [mark for mark in facts.trajectory.marks if mark.name == PREFLIGHT_MARK]
    report = facts.slots["preflight"]
    stored = of_role(facts.slots.files, "configuration")
    config = None if found["config_sha256"] is None else bytes.fromhex(found["config_sha256"])
    return {
        **found,
        "marks": [_mark(mark, report.file, facts) for mark in marks],
        "stored": [
            {
                "path": file.path,
                "sha256": None if file.sha256 is None else file.sha256.hex(),
                "equal": "unknown" if config is None else facts.slots.equality(file, config),
            }
            for file in stored
        ],
        "withheld": None,
    }


def _mark(mark: Mark, report: File | None, facts: Facts) -> dict[str, Any]:
    named = digest(mark.data.get("report_sha256"))
    equal: Equality = "unknown"
    if named is not None and report is not None:
        equal = facts.slots.equality(report, named)
    return {
        "overall": text(mark.data.get("overall")),
        "report_sha256": None if named is None else named.hex(),
        "equal": equal,
    }


def _configurations(facts: Facts) -> Iterator[tuple[str, str, bytes]]:
    """Yield place, name and value of each digest of the configuration that anything states."""
    report = facts.document("preflight") or {}
    for name in _DIGESTS:
        found = digest(report.get(name))
        if found is not None:
            yield "the preflight report", name, found
    for mark in _fixed(facts):
        for name in _DIGESTS:
            found = digest(mark.data.get(name))
            if found is not None:
                yield f"a {PREFLIGHT_MARK} mark", name, found


def _fixed(facts: Facts) -> list[Mark]:
    """Return the preflight that the agent began after, and those that came later."""
    marks = [mark for mark in facts.trajectory.marks if mark.name == PREFLIGHT_MARK]
    before = [mark for mark in marks if not mark.begun]
    return [*before[-1:], *(mark for mark in marks if mark.begun)]


def _same(what: str, there: object, here: object) -> Iterator[str]:
    one, two = there or "", here or ""
    if one != two:
        yield f"{what}: {_shown(one)} in the preflight, {_shown(two)} in the run"


def _is_port(value: object) -> bool:
    number = whole(value)
    return number is not None and 0 < number < 2**16


def _statements(mark: Mark) -> tuple[str, ...]:
    listed = mark.data.get("statements")
    return tuple(one for one in (listed if isinstance(listed, list) else ()) if text(one))


def _object(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = document.get(name)
    return value if isinstance(value, Mapping) else {}


def _list(document: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    value = document.get(name)
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def _shown(value: object) -> str:
    return "nothing" if value in (None, "") else str(value)[:128]
