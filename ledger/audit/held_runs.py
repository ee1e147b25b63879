"""The runs of a ledger: what it has of each, the newest verdict, and what that left open."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from canon import decode
from canon.refusal import Refusal
from ledger.events import VERDICT
from ledger.identities import run_key, verdict_key
from ledger.runs.intake.committed import Committed
from ledger.runs.intake.versions import Versions
from ledger.store import Ledger

from .conclude import concluded_at
from .document import open_reviews


class HeldRun(Struct, frozen=True):
    """A run of a ledger.

    Attributes:
        run: Its own name for itself.
        files: How many of its files are there, or are said to be and withheld.
        records: How many records these have.
        verdict: The event of the newest verdict; None where there is none.
        overall: What that came to.
        failure_class: Why it failed.
        open: What it still asks of reviewers; None where its bytes are withheld.
    """

    run: str
    files: int
    records: int
    verdict: int | None
    overall: str | None
    failure_class: str | None
    open: Sequence[str] | None

    def document(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


def run_names(ledger: Ledger) -> list[str]:
    """Return the names of the runs of a ledger, ascending."""
    return [key.removeprefix(run_key("")) for key, _ in ledger.identities("run")]


def held_runs(ledger: Ledger) -> Iterator[HeldRun]:
    """Yield the runs of a ledger by name; its state should not change meanwhile."""
    read = Committed(ledger)
    for run in run_names(ledger):
        versions = [one.event for one in Versions(read, run).named() if one.event.state != "absent"]
        files, records = len(versions), sum(event.records for event in versions)
        seq = ledger.seq_of(verdict_key(run))
        if seq is None:
            yield HeldRun(run, files, records, None, None, None, ())
            continue
        event, asked = concluded_at(ledger, seq), _open(read, seq)
        yield HeldRun(run, files, records, seq, event.overall, event.failure_class, asked)


def _open(ledger: Committed, seq: int) -> list[str] | None:
    """Return the questions that a verdict leaves open; None where nobody can read them."""
    kept = ledger.blob(seq, VERDICT)
    try:
        body: Any = None if kept is None else decode(kept.data)
        return None if body is None else [
            str(one["id"]) for flag in body["flags"] for one in open_reviews(flag)
        ]  # fmt: skip
    except (Refusal, LookupError, TypeError):  # the body of another auditor
        return None
