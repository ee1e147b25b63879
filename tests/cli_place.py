"""What the tests of the command line share: names in the prepared folder, and commands run."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from cli.selection import selected
from ledger.report import attempts

RELEASE = "20260101.0.0"
ORIGIN = "example.org/bench"
TRUST, KEY, LOG_KEY = "keys/trust-root.cbor", "keys/root.key", "keys/log.key"


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout."""
        return json.loads(self.out)


Run = Callable[..., Ran]


def attempts_of(ledger: Path, outcome: str) -> list[str]:
    """Return the valid attempts that ended so, in the order of the log."""
    with selected(ledger) as selection:
        rows = attempts(selection.replay.attempts, [], selection.policy)
    return [row["attempt"] for row in rows if row["state"] == "valid" and row["outcome"] == outcome]
