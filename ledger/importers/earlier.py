"""Whether a file was imported before, and which source it would replace (IMPORT-7, IMPORT-8)."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from ledger.entry import read_entry, read_event
from ledger.events import DIGEST, RECORD, SourceImported

from .importer import Reading


class Held(Protocol):
    """Bytes behind a commitment."""

    @property
    def data(self) -> bytes:
        """The bytes."""


class Holdings(Protocol):
    """What an import asks of a ledger's state."""

    @property
    def size(self) -> int:
        """Sequence number of the next event."""

    def seq_of(self, key: str) -> int | None:
        """Return the event that has an identity."""

    def known(self, keys: Sequence[str]) -> dict[str, int]:
        """Return the events that have identities, by identity."""

    def identities(self, kind: str | None = None) -> Iterator[tuple[str, int]]:
        """Yield the identities of one kind."""

    def entry(self, seq: int) -> bytes | None:
        """Return the bytes of an entry."""

    def entries(self, start: int = ..., stop: int | None = ...) -> Iterator[tuple[int, bytes]]:
        """Yield entries with their numbers, in order."""

    def blob(self, seq: int, slot: str) -> Held | None:
        """Return what a slot holds, None where that is withheld."""

    def snapshot(self) -> AbstractContextManager[object]:
        """Hold one state while it is read."""


class Earlier(NamedTuple):
    """What a ledger has of a file, or of the name that it bears.

    Attributes:
        source: The source that is this very file.
        superseded_by: The one that replaced it.
        newest: The newest source of that name.
        perhaps: Sources that may be this very file: what would tell is withheld.
    """

    source: int | None
    superseded_by: int | None
    newest: int | None
    perhaps: list[int]


def earlier(holdings: Holdings, reading: Reading) -> Earlier:
    """Look for a file in a ledger: by its digest, and where that is withheld, by its bytes."""
    newest = holdings.seq_of(f"release:{reading.name}")
    known = holdings.seq_of(f"source:{reading.sha256.hex()}")
    perhaps: list[int] = []
    after = None
    for seq, source in _line(holdings, newest):
        same = seq == known if known is not None else _is_same(holdings, seq, source, reading)
        if same:
            return Earlier(seq, after, newest, [])
        if same is None:
            perhaps.append(seq)
        after = seq
    return Earlier(known, None, newest, sorted(perhaps))


def _line(holdings: Holdings, newest: int | None) -> Iterator[tuple[int, SourceImported]]:
    """Yield the sources of a name, the newest first."""
    seq = newest
    while seq is not None:
        source = _source(holdings, seq)
        if source is None:
            return
        yield seq, source
        # A source replaces an earlier one, so this ends whatever the entries say.
        seq = (
            source.supersedes if source.supersedes is not None and source.supersedes < seq else None
        )


def _source(holdings: Holdings, seq: int) -> SourceImported | None:
    data = holdings.entry(seq)
    event = None if data is None else read_event(read_entry(data, seq))
    return event if isinstance(event, SourceImported) else None


def _is_same(holdings: Holdings, seq: int, source: SourceImported, reading: Reading) -> bool | None:
    """Tell whether a source is the file that was read; None where its bytes are withheld.

    A file is its envelope and its rows (IMPORT-6). So it is the same file if all of these are the
    same, and none of them need be put together.
    """
    digest = source.sha256 or holdings.blob(seq, DIGEST)
    if digest is not None or (source.size_bytes, source.rows) != (reading.size_bytes, reading.rows):
        return False  # the index would have had it
    whole = True
    for at, raw in enumerate(reading.parts(), start=seq + 1):
        held = holdings.blob(at, RECORD)
        if held is None:
            whole = False
        elif held.data != raw:
            return False
    return whole or None
