"""What changed under a verdict: files replaced since, and reviews that were reported before.

A file that only grew was not replaced; one that was changed and changed back was (AUDIT-105).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ledger.entry import read_entry, read_event
from ledger.events import MANY, STREAM_ROLES, AuditConcluded, ReviewReported
from ledger.runs.intake.versions import Holdings, Version, Versions
from ledger.runs.layout import REVIEWS, Role

_WRITTEN_BY_RUN = frozenset[Role]({"manifest", "evidence"})
"""Documents that the commands of ``run`` write anew whenever a file is added."""


class Replaced(Struct, frozen=True):
    """A file that is another than in an earlier verdict.

    Attributes:
        path: As the run names it; None where that is withheld.
        role: What it is for.
        before: The event of the file that was judged then.
        now: The event of the newest.
    """

    path: str | None
    role: Role
    before: int
    now: int

    def document(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


class Reported(Struct, frozen=True):
    """A line of a run's reviews.

    Attributes:
        seq: Its event.
        review: The question.
        status: What it says.
    """

    seq: int
    review: str
    status: str


def replaced(
    ledger: Holdings, earlier: AuditConcluded, as_of: int | None = None
) -> Sequence[Replaced]:
    """Return the files of a verdict that were replaced since, by their events.

    Args:
        ledger: The ledger.
        earlier: The verdict.
        as_of: Number of events that count; all, if not given.
    """
    versions = Versions(ledger, earlier.run, as_of)
    found = (_replaced(versions, versions.at(seq)) for seq in earlier.sources)
    return [one for one in found if one is not None]


def reported(ledger: Holdings, run: str, as_of: int | None = None) -> Iterator[Reported]:
    """Yield the lines of a run's reviews that say what they answer, in their order."""
    versions = Versions(ledger, run, as_of)
    newest = versions.newest("reviews", REVIEWS)
    for span in () if newest is None else versions.spans(newest):
        for seq, data in ledger.entries(span.start, span.stop):
            event = read_event(read_entry(data, seq))
            if isinstance(event, ReviewReported) and event.review and event.status:
                yield Reported(seq, event.review, event.status)


def outdated(
    ledger: Holdings,
    run: str,
    body: Mapping[str, Any],
    files: Sequence[Replaced],
    as_of: int | None = None,
) -> Mapping[str, Sequence[Replaced]]:
    """Return the questions that count as reported before files were replaced, with these files.

    Args:
        ledger: The ledger.
        run: The run.
        body: Of the verdict.
        files: What was replaced.
        as_of: Number of events that count; all, if not given.
    """
    judged = [one for one in files if one.role not in _WRITTEN_BY_RUN]
    counted = {one["id"] for one in body["reviews"] if one["kind"] == "reported" and one["counts"]}
    newest = {one.review: one.seq for one in reported(ledger, run, as_of)} if judged else {}
    late = {
        review: [file for file in judged if newest[review] < file.now]
        for review in sorted(counted & newest.keys())
    }
    return {review: files for review, files in late.items() if files}


def _replaced(versions: Versions, before: Version) -> Replaced | None:
    role, path = before.event.role, before.path
    if before.event.state == "absent" or (path is None and role in MANY):
        return None
    later = []
    for version in versions.all_of(role, path or ""):
        if version.seq <= before.seq:
            break
        later.append(version)
    if not later or all(_grew(before, version) for version in later):
        return None
    return Replaced(path, role, before.seq, later[0].seq)


def _grew(before: Version, version: Version) -> bool:
    return (
        before.event.role in STREAM_ROLES
        and version.event.state == "present"
        and version.event.kept >= before.event.records
    )
