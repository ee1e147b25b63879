"""The list of sources: what was imported, and whether it still counts."""

from collections.abc import Callable

from ledger.entry import read_entry, read_event
from ledger.events import DIGEST, SourceImported
from ledger.projections import Attempts

from .rows import Row


def sources(
    state: Attempts, entry_of: Callable[[int], bytes | None], digest_of: Callable[[int], str | None]
) -> list[Row]:
    """Return a row for every source, in the order of the ledger.

    ``state`` is *withdrawn*, else *superseded*, else *current*; ``superseded_by`` and
    ``withdrawn_by`` name the events. ``rows`` counts records, those set aside included.

    Args:
        state: Of all attempts and sources.
        entry_of: Gives an entry by number.
        digest_of: See :func:`source_digest`.
    """
    rows: list[Row] = []
    for seq in state.sources:
        data = entry_of(seq)
        entry = None if data is None else read_entry(data, seq)
        event = None if entry is None else read_event(entry)
        if entry is None or not isinstance(event, SourceImported):
            continue  # a state can be made of events that stand in no file
        withdrawals, superseded = state.withdrawals.get(seq), state.superseded.get(seq)
        rows.append(
            {
                "seq": seq,
                "name": event.name,
                "format": event.format,
                "importer": event.importer,
                "at": entry.at,
                "sha256": digest_of(seq),
                "sha256_public": event.sha256 is not None,
                "size_bytes": event.size_bytes,
                "rows": event.rows,
                "quarantined": state.quarantined.get(seq, 0),
                "state": _state(withdrawn=bool(withdrawals), superseded=superseded is not None),
                "supersedes": event.supersedes,
                "superseded_by": superseded,
                "withdrawn_by": withdrawals[-1].seq if withdrawals else None,
                "reinstates": withdrawals[-1].reinstates if withdrawals else None,
            }
        )
    return rows


def source_digest(
    data: bytes | None, seq: int, blob: Callable[[int, str], bytes | None]
) -> str | None:
    """Return the SHA-256 of a source's file in hex; None where it is withheld.

    Args:
        data: The entry of the source.
        seq: Its number.
        blob: Gives the bytes of a slot, or None.
    """
    event = None if data is None else read_event(read_entry(data, seq))
    if not isinstance(event, SourceImported):
        return None
    digest = event.sha256 or blob(seq, DIGEST)
    return None if digest is None else digest.hex()


def _state(*, withdrawn: bool, superseded: bool) -> str:
    if withdrawn:
        return "withdrawn"
    return "superseded" if superseded else "current"
