"""References that lead to nothing in a run, for whoever has just written them."""

from collections.abc import Sequence
from typing import Any

from ledger.runs.contents import Contents, File
from ledger.runs.json_text import read_document
from ledger.runs.layout import Role
from ledger.runs.records import recorded, witnessed

from .refs import Ref, Side, Sought, holds, parse

_STREAMS: dict[Side, tuple[Role, ...]] = {
    "testmod": ("test_mod",),
    "logger": ("normalized", "agent_logger"),
    "trajectory": ("trajectory",),
}
_DOCUMENTS: dict[Side, Role] = {
    "fixture": "fixture",
    "restore": "restore",
    "preflight": "preflight",
}


def unresolved(contents: Contents, refs: Sequence[str]) -> list[str]:
    """Return the references that lead to nothing; what leads into a withheld file may be there."""
    cited = [(one, parse(one)) for one in refs]
    sought = Sought(refs)
    hidden: set[Side] = set()
    documents: dict[Side, Any] = {}
    for side in {ref.side for _, ref in cited if ref.side is not None}:
        for file in _files(contents, side):
            if file.state == "withheld":
                hidden.add(side)
            elif file.state == "present" and side in _DOCUMENTS:
                documents[side], _ = read_document(contents.data(file))
            elif file.state == "present":
                _read(contents, file, side, sought)
    return [
        one for one, ref in cited if ref.side not in hidden and not _leads(ref, sought, documents)
    ]


def _leads(ref: Ref, sought: Sought, documents: dict[Side, Any]) -> bool:
    if ref.side in documents:
        return holds(documents[ref.side], ref.name)
    return ref.side in _STREAMS and sought.has(ref)


def _files(contents: Contents, side: Side) -> list[File]:
    """Return the file that a side stands in: of a logger its normalized view, if there is one."""
    roles = _STREAMS.get(side) or ((_DOCUMENTS[side],) if side in _DOCUMENTS else ())
    listed = [file for role in roles for file in contents.files() if file.role == role]
    return listed[:1]


def _read(contents: Contents, file: File, side: Side, sought: Sought) -> None:
    for line in contents.lines(file):
        if side == "trajectory":
            record = recorded(line)
            if record.record == "call" and record.call_id is not None:
                sought.met(side, record.call_id)
            continue
        sought.met_event(side, witnessed(line).literal_seq, line)
