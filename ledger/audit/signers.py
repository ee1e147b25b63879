"""Who holds the keys that signed reviews, by the trust roots of a log; no verdict has it."""

from collections.abc import Mapping
from typing import Any

from ledger.decide import KID_HEX
from ledger.entry import Signed, read_entry, read_event
from ledger.events import TrustAdopted
from ledger.store import Ledger
from signing.keys import kid_of
from signing.trust import parse_root

_ADOPTED = TrustAdopted.wire.encode()
_BESIDE = ", by key "


def controllers(ledger: Ledger) -> Mapping[str, str]:
    """Return the controller of each key that a trust root of the log ever had, by its number.

    The number is in hexadecimal; the log is looked through for the roots.
    """
    found: dict[str, str] = {}
    for seq, data in ledger.entries():
        if _ADOPTED in data:
            event = read_event(read_entry(data, seq))
            said = event.decision if isinstance(event, Signed) else None
            document = ledger.document(said.doc) if isinstance(said, TrustAdopted) else None
            if document is not None:
                keys = parse_root(document).document.keys
                found |= {kid_of(one.key).hex(): one.controller for one in keys}
    return found


def signer(review: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Say who reviewed: of a signed review each key by its holder and the first of its digits.

    What a signer says beside the key, and whatever a reported review says, stays as it is.

    Args:
        review: Of a verdict.
        names: Holders of keys by their numbers in hexadecimal.
    """
    said = str(review["by"] or "nobody")
    if review["kind"] != "signed":
        return said
    name, beside, keys = said.rpartition(_BESIDE)
    shown = []
    for key in keys.split(", "):
        short = key[:KID_HEX]
        holders = sorted({held for kid, held in names.items() if kid.startswith(key)})
        shown.append(f"{holders[0]}, key {short}…" if len(holders) == 1 else f"key {short}…")
    return f"{name}{' by ' if beside else ''}{'; '.join(shown)}"
