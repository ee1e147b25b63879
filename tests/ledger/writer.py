"""A process that works on a ledger and says what was acknowledged; made to be killed.

Run as ``python writer.py LEDGER ROUNDS [WORK…]``: after each commit one line with the new size.
"""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from ledger.decide import catch_up, replay_of
from ledger.edition.freeze import freeze
from ledger.entry import read_entry
from ledger.errors import ExcludedAlready
from ledger.files import whole_file
from ledger.importers import import_file
from ledger.maintain import exclude, redact
from ledger.store import Ledger
from signing.keys import PrivateKey

AT = "2026-01-01T00:00:00.000000Z"


WORKS = ("import", "exclude", "freeze", "redact", "backup")
CAUSES = ("infrastructure", "provider", "verifier_defect", "task_defect")
KEY = PrivateKey.generate(bytes([1]) * 32)
"""The key that holds every role in the ledgers of these tests."""


def main(path: str, rounds: str, *works: str) -> None:
    """Do each of *works* in turn, *rounds* times in all; importing is the default."""
    with Ledger.open(Path(path), write=True) as ledger:
        writer = Writer(ledger)
        for number in range(int(rounds)):
            writer.do((works or WORKS[:1])[number % (len(works) or 1)], number)
            sys.stdout.write(f"{ledger.size}\n")
            sys.stdout.flush()


class Writer:
    """One process's part in a ledger: its own releases, and decisions about their rows."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger, self._replay = ledger, replay_of(ledger)
        self._edge: Any = {"at": AT, "entropy": os.urandom}
        self._rows: list[int] = []

    def do(self, work: str, number: int) -> None:
        """Append to the ledger, or copy it."""
        if work == "import" or not self._rows:
            self._import(number)
        elif work == "exclude":
            attempt = self._attempt(self._rows[number % len(self._rows)])
            with suppress(ExcludedAlready):
                cause = CAUSES[number // len(self._rows) % len(CAUSES)]
                exclude(self._ledger, self._replay, attempt, cause, "x" * 9_000, [attempt], [KEY],
                        **self._edge)  # fmt: skip
        elif work == "freeze":
            freeze(self._ledger, self._replay, f"{os.getpid()}.{number}", [], [KEY], status="draft",
                   **self._edge)  # fmt: skip
        elif work == "redact":
            slot = (self._rows.pop(), "record")
            redact(self._ledger, self._replay, [slot], "privacy", "r", [KEY], **self._edge)
        else:
            copy = Path(f"{self._ledger.path}.{os.getpid()}.{number}.copy")
            with whole_file(copy, os.urandom) as beside:
                self._ledger.backup(beside)

    def _import(self, number: int) -> None:
        beside = Path(f"{self._ledger.path}.{os.getpid()}.json")
        beside.write_bytes(_release(number))
        report = import_file(self._ledger, beside, **self._edge)
        assert report.seq is not None
        self._rows += range(report.seq + 2, report.seq + report.events)

    def _attempt(self, seq: int) -> str:
        catch_up(self._replay, self._ledger)
        data = self._ledger.entry(seq)
        assert data is not None
        return str(read_entry(data, seq).body["attempt"])


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
        for row in range((number + 1) * 7 % 40)
    ]
    version = f"{os.getpid()}.{number}"
    document = {"schema_version": 1, "version": version, "compatibility": {}, "runs": rows}
    return json.dumps(document).encode()


if __name__ == "__main__":
    main(*sys.argv[1:])
