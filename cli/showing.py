"""``show``: one event of the ledger, or what a bundle says before anybody has verified it."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .edge import opened
from .errors import EventUnknown, UsageInvalid
from .options import DEFAULT_LEDGER, Json, LedgerPath
from .text import UNKNOWN, count, emit, line, note, paint, pairs, safe

if TYPE_CHECKING:
    from ledger.store import Ledger

_SHOWN_BYTES = 2_000


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
    from ledger.store import Ledger

    from .events import event_document

    seq = int(what)
    with Ledger.open(ledger) as store:
        data = store.entry(seq) if seq < 2**63 else None
        if data is None:
            raise EventUnknown(str(ledger), f"event {seq}", f"a number below {store.size}")
        if slot is not None:
            return _write_slot(store, seq, slot, json)
        document = event_document(store, seq, data)
        texts = {name: _text(store, seq, name) for name in document["slots"]}
    if json:
        emit(document)
    else:
        _print_event(document, texts)
    return 0


def _write_slot(store: "Ledger", seq: int, slot: str, json: bool) -> int:
    blob = store.blob(seq, slot)
    if blob is None:
        raise EventUnknown(f"event {seq}", f"no bytes in slot {slot!r}", "a slot that is held")
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


def _text(store: "Ledger", seq: int, slot: str) -> str | None:
    """Return what stands in a slot as text of a few lines at most."""
    blob = store.blob(seq, slot)
    if blob is None:
        return None
    text = blob.data[:_SHOWN_BYTES].decode("utf-8", "backslashreplace")
    return text + ("…" if len(blob.data) > _SHOWN_BYTES else "")


def _print_event(document: dict[str, Any], texts: dict[str, str | None]) -> None:
    line(f"event {document['seq']}  {safe(document['type'])}")
    pairs(
        [
            ("about", safe(document["about"])),
            ("at", f"{safe(document['at'])}  (claimed)"),
            ("actor", safe(document["actor"])),
            ("leaf", document["leaf"]),
            ("prev", document["prev"]),
        ]
    )
    for kid in document["signed_by"]:
        line(f"  signed by key {kid}")
    line()
    pairs([(safe(name), _value(value)) for name, value in document["body"].items()])
    for name, slot in document["slots"].items():
        line()
        size = UNKNOWN if slot["bytes"] is None else count(slot["bytes"], "byte")
        line(f"  slot {safe(name)}: {slot['state']}, {size}")
        text = texts.get(name)
        for part in (text or "").splitlines():
            line(f"    {safe(part)}")


def _value(value: Any) -> str:
    if value is None:
        return UNKNOWN
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return ", ".join(f"{safe(name)} {_value(item)}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(_value, value)) or "none"
    return safe(value)


def _show_bundle(path: Path, json: bool) -> int:
    from .bundles import describe

    with opened(path, "a bundle, or the number of an event") as stream:
        document = describe(stream)
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
            ("documents", f"{document['documents']:,}"),
            ("disclosed", count(document["disclosed"], "slot")),
            (
                "decisions",
                ", ".join(
                    f"{len(document[kind]):,} {kind}"
                    for kind in ("corrections", "exclusions", "redacted")
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
    for limit in document["limits"]:
        line(f"  - {safe(limit)}")
    note("")
    note("Nothing above was checked. `coldledger verify` checks it against a trust root.")
    return 0
