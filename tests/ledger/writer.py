"""A process that appends batches to a ledger and says what was acknowledged; made to be killed.

Run as ``python writer.py LEDGER BATCHES``: after each commit one line with the new size.
"""

import os
import sys
from pathlib import Path

from ledger.events import SourceImported
from ledger.store import Ledger

AT = "2026-01-01T00:00:00.000000Z"


def main(path: str, batches: str) -> None:
    """Append *batches* batches of one to forty events, each with a blob."""
    with Ledger.open(Path(path), write=True) as ledger:
        for number in range(int(batches)):
            with ledger.batch(at=AT, entropy=os.urandom) as batch:
                for pointer in range(1 + number * 7 % 40):
                    event = SourceImported(
                        name=f"made-{os.getpid()}",
                        rows=0,
                        format="made/1",
                        sha256=os.urandom(32),
                        importer="made/1",
                        size_bytes=pointer,
                        supersedes=None,
                    )
                    batch.append(event, {"path": os.urandom(pointer * 50)})
            sys.stdout.write(f"{batch.size}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
