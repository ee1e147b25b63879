"""Shapes of events are made from the structs, and nothing else says what a field can be."""

from typing import get_args

import pytest

from ledger.events import CORRECTABLE, DECISIONS, OBSERVATIONS, Correctable
from ledger.events.correctable import typed
from ledger.report.schema import field_rows, json_schema, slots_of, wires
from ledger.shapes import BINDING, shape_of


@pytest.mark.parametrize("wire", wires())
def test_every_field_has_a_kind(wire: str) -> None:
    """A new kind of value must be given a name, words and a JSON Schema."""
    struct = OBSERVATIONS.get(wire) or DECISIONS[wire]
    own = [name for name in struct.__struct_fields__ if name not in BINDING]
    assert list(shape_of(wire).of) == own
    rows = [row for row in field_rows(wire) if "." not in row.name]
    assert [row.name for row in rows] == own
    assert all(row.kind and row.kind != "text" for row in rows)
    assert json_schema(wire)["properties"].keys() >= set(own)
    assert json_schema(wire)["required"] == [row.name for row in rows if row.required]


def test_sentences_of_the_docstrings_are_shown() -> None:
    """Those of several lines, of several fields, and the last."""
    about = {row.name: row.about for row in field_rows("attempt.reported/1")}
    assert about["started_at"] == about["finished_at"] == "As reported."
    assert about["agent_duration_s"] == "Seconds."
    assert about["failed_text"].endswith("the prose stays in the blob.")


def test_slots_are_those_of_the_clauses() -> None:
    """A record of what was read from one; a reason of decisions on results (EVENT-11, EVENT-50)."""
    assert slots_of("attempt.reported/1") == {"record": True}
    assert slots_of("attempt.excluded/1") == {"evidence": False, "reason": True}
    assert slots_of("source.withdrawn/1") == {"reason": True}
    assert slots_of("policy.frozen/1") == {}


def test_what_can_be_corrected_is_said_once() -> None:
    """The words of the struct are those of the table (EVENT-34)."""
    assert tuple(CORRECTABLE) == get_args(Correctable)
    assert typed("reward", "1") == 1
    assert typed("reward", "2") == "2"
    assert typed("status", "null") is None
    assert typed("status", "1") == "1"
