"""A process that imports files into a ledger and says what was acknowledged; made to be killed.

Run as ``python writer.py LEDGER BATCHES``: after each commit one line with the new size.
"""

import json
import os
import sys
from pathlib import Path

from ledger.importers import import_file
from ledger.store import Ledger

AT = "2026-01-01T00:00:00.000000Z"


def main(path: str, batches: str) -> None:
    """Import *batches* releases of none to 39 rows, each in one transaction."""
    beside = Path(f"{path}.{os.getpid()}.json")
    with Ledger.open(Path(path), write=True) as ledger:
        for number in range(int(batches)):
            beside.write_bytes(_release(number))
            import_file(ledger, beside, at=AT, entropy=os.urandom)
            sys.stdout.write(f"{ledger.size}\n")
            sys.stdout.flush()


def _release(number: int) -> bytes:
    """Return a release that no other process makes, of 2 events and one for each row."""
    rows = [
        {
            "run_id": f"run-{row}",
            "scenario": "w",
            "scenario_version": 1,
            "agent": f"agent-{os.getpid()}",
            "model": "q",
            "attempt": number * 100 + row,
            "started_at": "2026-01-01T00:00:00Z",
            "finished_at": "2026-01-01T00:05:00Z",
            "reward": row % 2,
            "trial_status": "evaluated",
        }
        for row in range(number * 7 % 40)
    ]
    version = f"{os.getpid()}.{number}"
    document = {"schema_version": 1, "version": version, "compatibility": {}, "runs": rows}
    return json.dumps(document).encode()


if __name__ == "__main__":
    main(*sys.argv[1:])
