"""What the answer and the oracle list, cart by cart (AUDIT-39)."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from ledger.runs.fields import ALIASES, text

from .items import Item, as_json, items_of

_LISTS = ("carts", "ordered_items_by_cart")


class Listed(Struct, frozen=True):
    """Carts and what they hold.

    Attributes:
        carts: Cart to its items in order; None where there is no list of them.
        twice: The first cart that stands twice.
        unnamed: Whether an entry names no cart.
    """

    carts: Mapping[str, tuple[Item, ...] | None]
    twice: str | None
    unnamed: bool


class Oracle(Struct, frozen=True):
    """What the answer is compared with.

    Attributes:
        status: As written, or None.
        source: Where it says that it comes from.
        refs: What it cites, as written.
        listed: Its carts.
    """

    status: str | None
    source: str
    refs: Sequence[str]
    listed: Listed


def listed(document: Mapping[str, Any]) -> Listed:
    """Return the carts of an answer or an oracle."""
    found = next((document[name] for name in _LISTS if document.get(name) is not None), None)
    carts: dict[str, tuple[Item, ...] | None] = {}
    twice, unnamed = None, False
    for entry in found if isinstance(found, list) else ():
        said = entry if isinstance(entry, Mapping) else {}
        names = (text(said.get(name)) for name in ALIASES["uuid"])
        uuid = next((name for name in names if name is not None), None)
        if uuid is None:
            unnamed = True
        elif uuid in carts:
            twice = twice or uuid
        else:
            carts[uuid] = items_of(said.get("items"))
    return Listed(carts, twice, unnamed)


def oracle(document: Mapping[str, Any]) -> Oracle:
    """Return what an oracle says."""
    status, source = document.get("status"), document.get("source")
    cited = document.get("evidence_refs")
    refs = [ref if isinstance(ref, str) else "" for ref in cited] if isinstance(cited, list) else []
    return Oracle(
        status=status if isinstance(status, str) else None,
        source=source if isinstance(source, str) else "" if source is None else as_json(source),
        refs=refs,
        listed=listed(document),
    )
