"""What a source reports otherwise than was reported before, field by field (IMPORT-39)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from canon import decode, encode
from ledger.entry import Signed, read_entry, read_event
from ledger.events import AttemptReported, EditionFrozen, ReleaseReported
from ledger.identities import attempt_key

from .earlier import Holdings
from .report import AttemptChange, FieldChange

MAX_CHANGES = 1_000
_KEY = "comparability"

_ATTEMPT = (
    "usage",
    "absent",
    "phases",
    "reward",
    "run_id",
    "status",
    "recording",
    "failed_text",
    "agent_timeout_s",
    "agent_duration_s",
    "failure_category",
)
"""What a row says of its attempt, beside what makes it that attempt and where the row stands."""

_RELEASE = tuple(
    name
    for name in ReleaseReported.__struct_fields__
    if name not in ("blobs", "flags", "source", "release")
)


class Changes:
    """Compares a file's reports with those before them, as they come.

    An attempt is compared with what the replaced source reports of it; where that reports nothing
    of it, with the newest source of the release that reported it first. Where that is another
    release, the key of its conditions is compared as well: a trial has run under one set of them.

    Attributes:
        conditions: What the release says otherwise than in the source that it replaces.
        attempts: Attempts of which something else is reported, the first thousand.
        left_out: Attempts after those.
    """

    def __init__(self, holdings: Holdings, name: str, supersedes: int | None) -> None:
        """Look up what is replaced.

        Args:
            holdings: The ledger, before anything of the file is appended.
            name: What the file says it is.
            supersedes: The source of that name that it replaces.
        """
        self.conditions: list[FieldChange] = []
        self.attempts: list[AttemptChange] = []
        self.left_out = 0
        self._holdings, self._name, self._supersedes = holdings, name, supersedes
        self._rows: dict[int, dict[str, int]] = {}
        self._key: bytes | None = None
        self._keys: dict[int, bytes | None] = {}
        self._frozen = list(_frozen(holdings))
        self._editions: set[str] = set()
        self._dropped = {} if supersedes is None else dict(self._rows_of(supersedes))

    def note_release(self, report: ReleaseReported) -> None:
        """Compare what is said about all rows."""
        self._key = report.comparability
        if self._supersedes is not None:
            now: Any = decode(encode(msgspec.to_builtins(report, builtin_types=(bytes,))))
            self.conditions = list(_differences(_RELEASE, self._body(self._supersedes + 1), now))

    def note_attempt(self, report: AttemptReported, first: int, event: int | None) -> None:
        """Compare a row with what was reported of its attempt before.

        Args:
            report: The row.
            first: The event that first reported the attempt.
            event: Number of the event that the row becomes, None if it becomes none.
        """
        self._dropped.pop(report.attempt, None)
        before = self._before(report.attempt, first)
        body = self._body(before)
        fields = list(_differences(_ATTEMPT, body, msgspec.to_builtins(report)))
        if body.get("release") != self._name:
            stated = self._key_of(body.get("source"))
            fields += _differences((_KEY,), {_KEY: stated}, {_KEY: self._key})
        if not fields:
            return
        self._note_editions(before, first)
        if len(self.attempts) == MAX_CHANGES:
            self.left_out += 1
            return
        change = AttemptChange(attempt=report.attempt, was_event=before, event=event, fields=fields)
        self.attempts.append(change)

    def dropped(self) -> list[str]:
        """Return the attempts that only the replaced source reports, once all rows were noted."""
        for attempt, before in self._dropped.items():
            key = attempt_key(attempt, str(self._body(before).get("started_at")))
            self._note_editions(before, self._holdings.seq_of(key))
        return list(self._dropped)

    def editions(self) -> list[str]:
        """Return the frozen editions that count what changed or was dropped, once that is known."""
        return sorted(self._editions)

    def _before(self, attempt: str, first: int) -> int:
        """Return the report that stands for what was said of an attempt before."""
        if self._supersedes is not None and attempt in self._rows_of(self._supersedes):
            return self._rows_of(self._supersedes)[attempt]
        release = self._body(first)["release"]
        newest = None
        if release != self._name:
            newest = self._holdings.seq_of(f"release:{release}")
        return first if newest is None else self._rows_of(newest).get(attempt, first)

    def _rows_of(self, source: int) -> dict[str, int]:
        """Return the attempts that a source reports, and the events that do."""
        rows = self._rows.get(source)
        if rows is None:
            rows = self._rows[source] = {}
            for seq, data in self._holdings.entries(source + 1):
                entry = read_entry(data, seq)
                if entry.body.get("source") != source:
                    break
                if entry.type == AttemptReported.wire:
                    rows[entry.body["attempt"]] = seq
        return rows

    def _key_of(self, source: int | None) -> bytes | None:
        """Return the key that a source states: its release is the event after it."""
        if source is None:
            return None
        if source not in self._keys:
            self._keys[source] = self._body(source + 1).get(_KEY)
        return self._keys[source]

    def _body(self, seq: int) -> Mapping[str, Any]:
        data = self._holdings.entry(seq)
        return {} if data is None else read_entry(data, seq).body

    def _note_editions(self, *reports: int | None) -> None:
        """Note the editions that count an attempt by one of these reports of it."""
        for name, frozen in self._frozen:
            if name in self._editions:
                continue
            for seq in reports:
                if seq is not None and seq < frozen.size and self._is_of(seq, frozen.releases):
                    self._editions.add(name)

    def _is_of(self, seq: int, releases: list[str]) -> bool:
        return not releases or self._body(seq).get("release") in releases


def _frozen(holdings: Holdings) -> Iterator[tuple[str, EditionFrozen]]:
    for _, seq in holdings.identities("edition"):
        data = holdings.entry(seq)
        event = None if data is None else read_event(read_entry(data, seq))
        if isinstance(event, Signed) and isinstance(event.decision, EditionFrozen):
            yield event.decision.edition, event.decision


def _differences(
    names: Iterable[str], old: Mapping[str, Any], new: Mapping[str, Any], prefix: str = ""
) -> Iterator[FieldChange]:
    """Yield the fields that differ, member by member of the parts that both have."""
    for name in names:
        before, now = old.get(name), new.get(name)
        if before == now:
            continue
        if isinstance(before, dict) and isinstance(now, dict):
            yield from _differences(now, before, now, f"{prefix}{name}.")
        else:
            yield FieldChange(field=prefix + name, old=_shown(before), new=_shown(now))


def _shown(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value
