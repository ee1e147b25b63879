"""What a reviewer cites, as events: the files and records of a run that references name.

A reference is the reviewer's word for a record; what is signed is the record's event and leaf, so
that a line that changes afterwards is another one.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ledger.errors import RefUnresolved
from ledger.rules.audit import AuditRules
from ledger.runs.intake.held import Held
from ledger.runs.intake.versions import Versions
from ledger.runs.layout import Role
from ledger.runs.records import recorded, witnessed

from .facts import Facts
from .refs import Side, Sought, parse
from .slots import Hidden

_SHOWN = 8


class CitedEvents(NamedTuple):
    """What references name.

    Attributes:
        events: The files and records, ascending.
        refs: References to each of them, in the order in which they were given.
    """

    events: list[int]
    refs: dict[str, list[int]]


def cited_events(
    held: Held, versions: Versions, rules: AuditRules, refs: Sequence[str]
) -> CitedEvents:
    """Return the events that references name, in the run as the ledger holds it.

    Args:
        held: The run in a ledger.
        versions: The versions of its files there.
        rules: Rules by which the run is audited.
        refs: References such as ``trajectory:c2``, ``testmod:seq3``, ``fixture:ready``.

    Raises:
        RefUnresolved: Some name nothing there, or something that is withheld; it lists them.
    """
    facts = Facts(held, rules, refs)
    wrong = [f"{ref} ({why})" for ref in refs if (why := _wrong(facts, ref)) is not None]
    if wrong:
        more = f" and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
        expected = "references to what the run has"
        raise RefUnresolved("--evidence", ", ".join(wrong[:_SHOWN]) + more, expected)
    found = {ref: sorted(_events(versions, facts, ref)) for ref in dict.fromkeys(refs)}
    return CitedEvents(sorted({seq for events in found.values() for seq in events}), found)


def _wrong(facts: Facts, ref: str) -> str | None:
    """Return why a reference cannot be cited, None where it can."""
    if ref.splitlines() != [ref]:
        return "it is not one line"
    try:
        return None if facts.resolves(parse(ref)) else "the run has no such thing"
    except Hidden as hidden:
        return f"{hidden.path} is withheld"


def _events(versions: Versions, facts: Facts, text: str) -> Iterator[int]:
    ref = parse(text)
    role: Role
    match ref.side:
        case "fixture" | "restore" | "preflight":
            role = ref.side
        case "testmod":
            role = "test_mod"
        case "logger":
            role = facts.slots.events()
        case _:
            role = "trajectory"
    file = facts.slots[role].file
    if file is None or file.seq is None:
        return
    if ref.side in ("fixture", "restore", "preflight"):
        yield file.seq
        return
    sought = Sought([text])
    for seq, data in versions.records(versions.at(file.seq)):
        if data is not None and ref.side is not None and _is_met(sought, ref.side, data):
            yield seq


def _is_met(sought: Sought, side: Side, data: bytes) -> bool:
    """Tell whether a line is one that is sought; a call and its result go by one name."""
    sought.found.clear()
    if side == "trajectory":
        record = recorded(data)
        if record.record in ("call", "result") and record.call_id is not None:
            sought.met(side, record.call_id)
        return bool(sought.found)
    sought.met_event(side, witnessed(data).literal_seq, data)
    return bool(sought.found)
