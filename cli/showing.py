"""``show``: one event of the ledger, or what a bundle says before anybody has verified it."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .edge import opened
from .errors import SlotNotHeld, UsageInvalid
from .options import DEFAULT_LEDGER, Json, LedgerPath
from .text import (
    NOTHING,
    SHOWN_LIMITS,
    count,
    emit,
    line,
    note,
    paint,
    pairs,
    prose,
    safe,
    short,
    shown,
)

if TYPE_CHECKING:
    from canon.refusal import Refusal
    from ledger.store import Ledger

_SHOWN_CHARS = 2_000
_SHOWN_HEX = 32
_NAMED = {"cause": "class"}
"""Field to the word that every command has for it, where the wire has another."""


def show(
    what: Annotated[
        str, typer.Argument(metavar="SEQ|BUNDLE", help="The number of an event, or a bundle.")
    ],
    slot: Annotated[
        str | None,
        typer.Option("--slot", metavar="NAME", help="Write the bytes of this slot to stdout."),
    ] = None,
    ledger: LedgerPath = DEFAULT_LEDGER,
    json: Json = False,
) -> int:
    """Show one event in full, or what is in a bundle.

    A bundle is shown as it is, UNVERIFIED: verify it before you believe any of it.
    """
    if not (what.isascii() and what.isdigit()):
        if slot is not None:
            raise UsageInvalid("--slot takes an event's number beside it")
        return _show_bundle(Path(what), json)
    from ledger.errors import EventUnknown
    from ledger.store import Ledger

    from .events import event_document

    seq = int(what)
    with Ledger.open(ledger) as store:
        data = store.entry(seq) if seq < 2**63 else None
        if data is None:
            raise EventUnknown(str(ledger), f"event {seq}", f"a number below {store.size}")
        if slot is not None:
            return _write_slot(store, seq, data, slot, json)
        document = event_document(store, seq, data)
        texts = {name: _text(store, seq, name) for name in document["slots"]}
    if json:
        emit(document)
    else:
        _print_event(document, texts)
    return 0


def _write_slot(store: "Ledger", seq: int, data: bytes, slot: str, json: bool) -> int:
    blob = store.blob(seq, slot)
    if blob is None:
        raise _not_held(store, seq, data, slot)
    if json:
        emit(
            {
                "seq": seq,
                "slot": slot,
                "salt": blob.salt.hex(),
                "bytes": len(blob.data),
                "hex": blob.data.hex(),
            }
        )
    elif sys.stdout.isatty():
        line(safe(blob.data.decode("utf-8", "backslashreplace")))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(blob.data)
        sys.stdout.buffer.flush()
    return 0


def _not_held(store: "Ledger", seq: int, data: bytes, slot: str) -> "Refusal":
    """Return why there are no bytes in a slot: it was redacted, is withheld, or is none."""
    from ledger.errors import EventUnknown

    from .events import event_document

    slots = event_document(store, seq, data)["slots"]
    place = f"event {seq}"
    if slot not in slots:
        return EventUnknown(
            place,
            f"no slot {slot!r}",
            f"one of {', '.join(slots)}" if slots else "no slot: it has none",
            seq=seq,
            remedy=f"see its slots with `coldledger show {seq}`",
        )
    by = slots[slot]["redacted_by"]
    if by is not None:
        return SlotNotHeld(
            place,
            f"slot {slot!r}, redacted by event {by}",
            "a slot that is held",
            seq=seq,
            remedy=f"see why with `coldledger show {by}`: the bytes were deleted here for good",
        )
    return SlotNotHeld(
        place,
        f"slot {slot!r}, whose bytes are withheld",
        "a slot that is held",
        seq=seq,
        remedy="look in a backup; a ledger that was restored from a bundle lacks what the bundle"
        " withheld, which the publisher may still have",
    )


def _text(store: "Ledger", seq: int, slot: str) -> list[str]:
    """Return what stands in a slot as lines of text, or its first bytes where it is none."""
    from ledger.events import VERDICT

    from .events import text_of
    from .run_events import verdict_lines

    blob = store.blob(seq, slot)
    if blob is None:
        return []
    said = verdict_lines(blob.data) if slot == VERDICT else None
    if said is not None:
        return said
    text = text_of(blob.data)
    if text is None:
        return [f"no text; begins with {blob.data[:_SHOWN_HEX].hex()}"]
    more = "…" if len(text) > _SHOWN_CHARS else ""
    return (text[:_SHOWN_CHARS] + more).splitlines()


def _print_event(document: dict[str, Any], texts: dict[str, list[str]]) -> None:
    line(f"event {document['seq']}  {safe(document['type'])}")
    pairs(
        [
            ("about", safe(document["about"])),
            ("at", f"{safe(document['at'])}  (claimed)"),
            ("actor", safe(document["actor"])),
            ("leaf", document["leaf"]),
            ("prev", document["prev"]),
            *[("signed by key", kid) for kid in document["signed_by"]],
            *[
                ("see also", f"event {one['seq']}, {one['type']}: {safe(one['about'])}")
                for one in document["decisions"]
            ],
        ]
    )
    line()
    pairs(_body(document["body"], texts))
    for name, slot in document["slots"].items():
        line()
        size = NOTHING if slot["bytes"] is None else count(slot["bytes"], "byte")
        by = "" if slot.get("redacted_by") is None else f", by event {slot['redacted_by']}"
        digest = f", sha256 {short(slot['sha256'], 16)}" if "sha256" in slot else ""
        line(f"  slot {safe(name)}: {slot['state']}, {size}{by}{digest}")
        for part in texts.get(name, ()):
            line(f"    {safe(part)}")


def _body(body: dict[str, Any], texts: dict[str, list[str]]) -> list[tuple[str, str]]:
    """Return what an event says, name by name; a field of several parts has a row for each."""
    rows = []
    for field, value in body.items():
        name = safe(_NAMED.get(field, field))
        match field, value:
            case "changes", list(changes):
                rows += [(name, f"{safe(what)}: {shown(a)} → {shown(b)}") for what, a, b in changes]
            case "target", list(targets):
                rows += [(name, f"event {seq}, leaf {short(leaf, 16)}") for seq, leaf in targets]
            case "flags", [[_, _], *_] as flags:
                rows += [(name, f"{safe(flag)} {status}") for flag, status in flags]
            case "evidence", list(numbers):
                rows += [(name, f"event {number}") for number in numbers]
                rows += [(name, f"{safe(text)}  (slot evidence)") for text in texts.get(field, ())]
            case _:
                rows.append((name, _value(value)))
    return rows


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return ", ".join(f"{safe(name)} {_value(item)}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(_value, value)) or "none"
    return shown(value)


def _show_bundle(path: Path, json: bool) -> int:
    from canon.refusal import Refusal
    from ledger.report.contents import contents

    from .reading import head_of, other_kind

    with opened(path, "a bundle, or the number of an event") as stream:
        head = head_of(stream)
        try:
            document = contents(stream)
        except Refusal as refusal:
            raise other_kind(refusal, path, head) from None
    if json:
        emit(document)
        return 0
    line(f"{paint('UNVERIFIED', '1;33', sys.stdout)}  {safe(path)}")
    line()
    pairs(
        [
            ("edition", f"{safe(document['edition'])}, status {safe(document['status'])}"),
            ("log", safe(document["log"])),
            ("size", count(document["size"], "event")),
            ("root", document["root"]),
            ("manifest", document["manifest_sha256"]),
            ("software", safe(document["software"])),
            ("figures", f"{document['figures']:,}"),
            ("policies", ", ".join(map(safe, document["policies"])) or "none"),
            ("runs", _runs_of(document)),
            ("documents", f"{document['documents']:,}"),
            ("disclosed", count(document["disclosed"], "slot")),
            (
                "decisions",
                ", ".join(
                    f"{len(document[kind]):,} {kind}"
                    for kind in ("corrections", "exclusions", "invalidations", "redacted")
                ),
            ),
            (
                "claims to be signed by",
                ", ".join(
                    f"{safe(one['controller'])} as {safe(one['role'])}"
                    for one in document["signatures"]
                )
                or "nobody",
            ),
        ]
    )
    for limit in document["limits"][:SHOWN_LIMITS]:
        prose(safe(limit), "    ", "  - ")
    note("")
    note("Nothing above was checked. `coldledger verify` checks it against a trust root.")
    return 0


def _runs_of(document: Mapping[str, Any]) -> str:
    """Count the runs that a bundle says it has, with the verdicts on them and signed reviews."""
    from ledger.events import AuditConcluded, ReviewDecided

    events = document["events"]
    verdicts = count(events.get(AuditConcluded.wire, 0), "verdict")
    reviews = count(events.get(ReviewDecided.wire, 0), "signed review")
    return f"{document['runs']:,}, {verdicts}, {reviews}" if document["runs"] else "none"
