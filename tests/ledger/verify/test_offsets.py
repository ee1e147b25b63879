"""The offset of a fault is that of the part at which it is met (VERIFY-17)."""

import re
from typing import Any

import pytest
from bundle_vectors import VECTORS, Layout, content, fault_of

from ledger.verify.verdict import Fault

REFUSED = [one for one in VECTORS if one["expect"] == "refuse" and one["step"] is not None]
BY_ENTRY = {"canonical", "chain", "documents", "authority"}
AFTER_THE_END = {"manifest", "figures", "signatures", "policy"}


def part_of(fault: Fault, layout: Layout) -> list[int | None]:
    """Return where the part that the fault names may stand."""
    place = fault.message.partition(": got ")[0]
    if fault.step in AFTER_THE_END:
        # An earlier edition is looked at where it was frozen.
        later = fault.seq is not None and fault.seq + 1 in layout.entries
        later = later or fault.code == "E_DOCUMENT"  # the newest manifest is no document
        return [layout.entries[fault.seq or 0] if later else None]
    if fault.step in ("limits", "framing") and (byte := re.fullmatch(r"byte (\d+)", place)):
        return [int(byte[1])]
    if slot := re.match(r"slot (\d+)/(\w+)$", place):
        return [*layout.disclosures[int(slot[1]), slot[2]]]
    if number := re.match(r"document (\d+)$", place):
        return [layout.documents[int(number[1])]]
    event = re.match(r"event (\d+)\b", place)
    seq = int(event[1]) if event else fault.seq
    if fault.step in BY_ENTRY:
        found = {"canonical": layout.manifest}.get(fault.step, layout.chunk)
        return [found if seq is None else layout.entries[seq]]
    if fault.step in ("limits", "extraction"):
        own = layout.disclosures.get((seq, "record"), []) if seq is not None else []
        # A source has no record: it is found out by those of its entries.
        return [*own] or [offset for at in layout.disclosures.values() for offset in at]
    if fault.step in ("checkpoint", "witnesses"):
        return [layout.chunk if place == "manifest" else layout.seal]
    if kept := re.match(r"tree of (\d+) entries$", place):
        return [layout.entries[int(kept[1])]]
    if fault.step == "consistency":
        return [layout.chunk if place == "kept checkpoint" else layout.seal]
    return [layout.checkpoint]


@pytest.mark.parametrize("vector", [pytest.param(one, id=one["name"]) for one in REFUSED])
def test_a_fault_is_found_where_its_part_stands(vector: dict[str, Any]) -> None:
    """Whoever looks there finds the item, or the entry, that the message names."""
    fault = fault_of(vector)
    assert fault.offset in part_of(fault, Layout(content(vector["input"])))
