"""Bytes of a run that a ledger has not: what it withholds itself, or what was redacted in it.

That a run withholds a file is part of the run, and judged. That a copy of a ledger has less than
the ledger is not: a verdict on it would stand over the one by whoever had the bytes (AUDIT-106).
"""

from collections.abc import Sequence

from ledger.events import WHY
from ledger.runs.intake.versions import Holdings, Version, Versions


def first_unheld(ledger: Holdings, run: str, sources: Sequence[int]) -> str | None:
    """Say which bytes the ledger has not that an audit reads; None where it has them all.

    Args:
        ledger: The ledger.
        run: The run.
        sources: Events of files that an earlier verdict looked at: of files of which the path is
            withheld, nothing else tells.
    """
    versions = Versions(ledger, run)
    named = {version.seq: version for version in versions.named()}
    for seq in sources:
        version = versions.at(seq)
        if version.path is None:
            named[seq] = version
    found = (_unheld(versions, named[seq]) for seq in sorted(named))
    return next((one for one in found if one is not None), None)


def _unheld(versions: Versions, version: Version) -> str | None:
    event, seq = version.event, version.seq
    if version.path is None:
        return f"the path in event {seq}"
    if event.state == "present":
        withheld = versions.first_withheld(version)
        return None if withheld is None else f"the bytes of event {withheld[0]}, {event.role}"
    if event.state != "absent" and versions.text(version, WHY) is None:
        return f"the reason in event {seq}"
    return None
